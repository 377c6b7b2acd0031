package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// used is one leaf of a use tree.
type used struct {
	module      string // path before the name: "std::io"
	name, alias string // "*" brings in everything; "" the module itself
	at          syntax.Node
}

// use reports the leaves of a use tree, those of one module as one import.
func (w *walker) use(n syntax.Node) {
	var flags facts.ImportFlags
	reexport := visibility(n) != facts.Private
	if reexport {
		flags |= facts.ImportReexport
	}
	leaves := w.useTree(n.Child("argument"), "", 0, nil)
	var order []string
	groups := map[string]*facts.Import{}
	starts := map[string]uint32{}
	for _, u := range leaves {
		if u.module == "" && u.name != "" { // use serde;
			u.module, u.name = u.name, ""
		}
		qualifier := strings.ReplaceAll(strings.TrimPrefix(u.module, "::"), "::", ".")
		switch u.name {
		case "*":
		case "":
			last := qualifier[strings.LastIndexByte(qualifier, '.')+1:]
			w.b.Reference(facts.RefImport, last, strings.TrimSuffix(strings.TrimSuffix(qualifier, last), "."), u.at.Start())
		default:
			w.b.Reference(facts.RefImport, u.name, qualifier, u.at.Start())
		}
		if reexport {
			w.export(u)
		}
		if u.name == "" {
			w.b.Import(facts.Import{Module: u.module, Alias: u.alias, Flags: flags}, u.at.Start())
			continue
		}
		g := groups[u.module]
		if g == nil {
			g = &facts.Import{Module: u.module, Flags: flags}
			groups[u.module] = g
			starts[u.module] = u.at.Start()
			order = append(order, u.module)
		}
		g.Names = append(g.Names, facts.ImportedName{Name: u.name, Alias: u.alias})
	}
	for _, m := range order {
		w.b.Import(*groups[m], starts[m])
	}
}

func (w *walker) export(u used) {
	name := u.alias
	if name == "" {
		name = u.name
	}
	if name == "" {
		name = u.module[strings.LastIndexByte(u.module, ':')+1:]
	}
	e := facts.Export{Name: name, Module: u.module}
	if u.name != name && u.name != "" {
		e.Local = u.name
	}
	if name != "_" {
		w.b.Export(e)
	}
}

func (w *walker) useTree(n syntax.Node, prefix string, depth int, out []used) []used {
	if depth > 64 {
		return out
	}
	switch n.Kind() {
	case "identifier", "crate", "super", "type_identifier", "metavariable":
		return append(out, used{module: prefix, name: n.Text(), at: n})
	case "self":
		if prefix == "" {
			return append(out, used{module: "self", at: n})
		}
		return append(out, used{module: prefix, at: n})
	case "scoped_identifier":
		return append(out, used{module: joinPath(prefix, pathText(n.Child("path"), n)), name: n.Child("name").Text(), at: n.Child("name")})
	case "use_as_clause":
		k := len(out)
		out = w.useTree(n.Child("path"), prefix, depth+1, out)
		if k < len(out) {
			out[k].alias = n.Child("alias").Text()
		}
	case "use_wildcard":
		inner := firstNamed(n)
		module := joinPath(prefix, pathText(inner, n))
		if module == "" {
			return out
		}
		return append(out, used{module: module, name: "*", at: n})
	case "scoped_use_list":
		return w.useTree(n.Child("list"), joinPath(prefix, pathText(n.Child("path"), n)), depth+1, out)
	case "use_list", "ERROR":
		n.NamedChildren(func(c syntax.Node) bool {
			out = w.useTree(c, prefix, depth+1, out)
			return true
		})
	}
	return out
}

// pathText is a path as written without white space; a leading "::" of the
// holder stays.
func pathText(path, holder syntax.Node) string {
	text := strings.ReplaceAll(lang.Collapse(path.Text()), " ", "")
	if path.IsZero() && holder.HasToken("::") {
		return "::"
	}
	return text
}

func joinPath(a, b string) string {
	switch {
	case a == "" || b == "":
		return a + b
	case strings.HasSuffix(a, "::"):
		return a + b
	}
	return a + "::" + b
}

func (w *walker) externCrate(n syntax.Node) {
	i := facts.Import{Module: n.Child("name").Text(), Alias: n.Child("alias").Text()}
	if visibility(n) != facts.Private {
		i.Flags |= facts.ImportReexport
	}
	w.b.Import(i, n.Start())
}
