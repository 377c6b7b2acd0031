package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// moduleName is a module as written, without white space: "a.b", "..pkg", ".".
func moduleName(n syntax.Node) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(n.Text(), "\\", " ")), "")
}

// eachImported calls yield for the local names an import binds.
func eachImported(n syntax.Node, yield func(local syntax.Node, text string)) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.FieldName() != "name" {
			continue
		}
		switch c.Kind() {
		case "aliased_import":
			if a := c.Child("alias"); !a.IsZero() {
				yield(a, a.Text())
			}
		case "dotted_name":
			// import a.b binds a; from m import b binds b.
			yield(c, firstNamed(c).Text())
		}
	}
}

func (w *walker) imports(n syntax.Node) {
	var flags facts.ImportFlags
	if typeChecking(n) {
		flags |= facts.ImportTypeOnly
	}
	switch n.Kind() {
	case "future_import_statement":
		w.importFrom(n, "__future__", flags)
	case "import_from_statement":
		w.importFrom(n, moduleName(n.Child("module_name")), flags)
	default:
		for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if c.FieldName() != "name" {
				continue
			}
			name, alias := c, syntax.Node{}
			if c.Kind() == "aliased_import" {
				name, alias = c.Child("name"), c.Child("alias")
			}
			f := flags
			module, local := moduleName(name), alias.Text()
			if w.exported[local] || local == "" && w.exported[module] || local != "" && local == module {
				f |= facts.ImportReexport
			}
			w.b.Import(facts.Import{Module: module, Alias: local, Flags: f}, n.Start())
			w.noteTests(module)
			if dot := strings.LastIndexByte(module, '.'); dot >= 0 {
				last := lastNamed(name)
				w.b.Reference(facts.RefImport, module[dot+1:], module[:dot], last.Start())
			} else {
				w.b.Reference(facts.RefImport, module, "", name.Start())
			}
		}
	}
}

func (w *walker) importFrom(n syntax.Node, module string, flags facts.ImportFlags) {
	imp := facts.Import{Module: module, Flags: flags}
	reexported := false
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "wildcard_import" {
			imp.Names = append(imp.Names, facts.ImportedName{Name: "*"})
			continue
		}
		if c.FieldName() != "name" {
			continue
		}
		name, alias := c, syntax.Node{}
		if c.Kind() == "aliased_import" {
			name, alias = c.Child("name"), c.Child("alias")
		}
		in := facts.ImportedName{Name: moduleName(name), Alias: alias.Text()}
		local := in.Name
		if in.Alias != "" {
			local = in.Alias
		}
		// "from m import x as x" is how a stub says that it gives x on.
		reexported = reexported || w.exported[local] || in.Alias != "" && in.Alias == in.Name
		if in.Alias == in.Name {
			in.Alias = ""
		}
		imp.Names = append(imp.Names, in)
		w.b.Reference(facts.RefImport, in.Name, module, name.Start())
	}
	if reexported {
		imp.Flags |= facts.ImportReexport
	}
	w.b.Import(imp, n.Start())
	w.noteTests(module)
}

func (w *walker) noteTests(module string) {
	switch root, _, _ := strings.Cut(module, "."); root {
	case "unittest", "pytest", "nose", "unittest2", "twisted.trial":
		w.testModule = true
	}
}

// dynamicImport reports importlib.import_module("m") and __import__("m").
func (w *walker) dynamicImport(call syntax.Node, function string) {
	if function != "__import__" && lastPart(function) != "import_module" {
		return
	}
	if args := arguments(call); len(args) > 0 {
		if m, _, ok := stringText(args[0]); ok && isDotted(strings.TrimLeft(m, ".")) {
			w.b.Import(facts.Import{Module: m, Flags: facts.ImportDynamic}, call.Start())
		}
	}
}

// maxAncestors bounds how far up a statement looks for the blocks around it.
const maxAncestors = 200

// typeChecking tells whether a statement stands in the branch that only type
// checkers read.
func typeChecking(n syntax.Node) bool {
	child := n
	for p, hops := n.Parent(), 0; !p.IsZero() && hops < maxAncestors; p, hops = p.Parent(), hops+1 {
		switch p.Kind() {
		case "if_statement":
			cond := p.Child("condition")
			negated := cond.Kind() == "not_operator"
			if negated {
				cond = cond.Child("argument")
			}
			if cond.Is("identifier", "attribute") && lastPart(shape(cond)) == "TYPE_CHECKING" {
				inElse := child.FieldName() == "alternative"
				if negated == inElse {
					return true
				}
			}
		case "function_definition":
			return false
		}
		child = p
	}
	return false
}

// exports collects __all__ of the file, in the order of the names.
func (w *walker) exports() {
	note := func(name string) {
		if name != "" && !w.exported[name] {
			w.exported[name] = true
			w.b.Export(facts.Export{Name: name})
			if i := w.b.FindSymbol(name); i >= 0 {
				w.b.At(i).Flags |= facts.Exported
				w.b.At(i).Visibility = facts.Public
			}
		}
	}
	modules := map[string]string{}
	// literals reads the strings of an expression, and the lists of other
	// modules that are added to them.
	literals := func(n syntax.Node) {
		for i := n.Index(); !n.IsZero() && i < n.SubtreeEnd(); i++ {
			c := w.t.At(i)
			if text, _, ok := stringText(c); ok {
				note(text)
			} else if c.Kind() == "attribute" && c.Child("attribute").Text() == "__all__" {
				if m := modules[shape(c.Child("object"))]; m != "" {
					w.b.Export(facts.Export{Name: "*", Module: m})
				}
			}
		}
	}
	root := w.t.Root()
	for i := root.Index(); i < root.SubtreeEnd(); {
		n := w.t.At(i)
		i++
		switch n.Kind() {
		case "function_definition", "class_definition", "lambda":
			i = n.SubtreeEnd()
		case "import_statement", "import_from_statement":
			module := moduleName(n.Child("module_name"))
			eachImported(n, func(local syntax.Node, text string) {
				switch {
				case module == "":
					modules[text] = text
				case strings.HasSuffix(module, "."):
					modules[text] = module + text
				default:
					modules[text] = module + "." + text
				}
			})
			i = n.SubtreeEnd()
		case "assignment", "augmented_assignment":
			if l := n.Child("left"); l.Kind() == "identifier" && string(l.Bytes()) == "__all__" {
				literals(n.Child("right"))
			}
		case "call":
			f := n.Child("function")
			if f.Kind() == "attribute" && string(f.Child("object").Bytes()) == "__all__" {
				literals(n.Child("arguments"))
			}
		}
	}
	// When the text is damaged, its parts come one by one, and the list may
	// have come with an earlier one.
	if i := w.b.FindSymbol("__all__"); i >= 0 && len(w.exported) == 0 {
		s := w.b.At(i).Span
		for _, q := range quotedName.FindAllSubmatch(w.b.Source[s.Start:s.End], -1) {
			w.exported[string(q[1])] = true
		}
	}
}

func lastNamed(n syntax.Node) syntax.Node {
	last := n
	n.NamedChildren(func(c syntax.Node) bool {
		last = c
		return true
	})
	return last
}
