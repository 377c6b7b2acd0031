package ecmascript

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// importStatement handles every form of import … from, import 'x' and
// import x = require('x').
func (w *walker) importStatement(n syntax.Node) {
	imp := facts.Import{}
	source := n.Child("source")
	if n.HasToken("type") || n.HasToken("typeof") {
		imp.Flags |= facts.ImportTypeOnly
	}
	if r := n.ChildOfKind("import_require_clause"); !r.IsZero() {
		source = r.Child("source")
		imp.Alias = r.ChildOfKind("identifier").Text()
	}
	allTypes, named := true, false
	for c := range n.ChildOfKind("import_clause").NamedChildren {
		switch c.Kind() {
		case "identifier":
			allTypes = false
			imp.Names = append(imp.Names, facts.ImportedName{Name: "default", Alias: c.Text()})
			w.b.Reference(facts.RefImport, c.Text(), "", c.Start())
		case "namespace_import":
			allTypes = false
			imp.Alias = c.ChildOfKind("identifier").Text()
		case "named_imports":
			for s := range c.NamedChildren {
				if !s.Is("import_specifier") {
					continue
				}
				named = true
				if !s.HasToken("type") {
					allTypes = false
				}
				if name, ok := w.specifier(s); ok {
					imp.Names = append(imp.Names, name)
				}
			}
		}
	}
	if named && allTypes {
		imp.Flags |= facts.ImportTypeOnly
	}
	imp.Module, _ = literalText(source)
	w.b.Import(imp, n.Start())
}

// specifier reads a or a as b, and records the use of the name.
func (w *walker) specifier(s syntax.Node) (facts.ImportedName, bool) {
	name, alias := s.Child("name"), s.Child("alias")
	id, span, ok := nameOf(name)
	if !ok {
		return facts.ImportedName{}, false
	}
	w.b.Reference(facts.RefImport, id, "", span.Start)
	out := facts.ImportedName{Name: id}
	if as, at, ok := nameOf(alias); ok && as != id {
		out.Alias = as
		w.b.Reference(facts.RefImport, as, "", at.Start)
	}
	return out, true
}

func (w *walker) exportStatement(n syntax.Node) {
	for c := range n.NamedChildren {
		if c.Is("decorator") {
			w.walk(c)
		}
	}
	if source := n.Child("source"); !source.IsZero() {
		w.reexport(n, source)
		return
	}
	flags := facts.Exported
	byDefault := syntax.Node{}
	for c := range n.Children {
		switch {
		case c.Is("default"):
			flags |= facts.DefaultExport
			byDefault = c
		case c.Is("="):
			flags |= facts.DefaultExport
			byDefault = n.FirstChild()
		case c.Is("namespace"): // export as namespace Lib
			w.exportAs(lastNamed(n))
			return
		case c.Is("export_clause"):
			w.exportClause(c)
			return
		}
	}
	if d := n.Child("declaration"); !d.IsZero() {
		w.declaration(d, flags)
		return
	}
	value := n.Child("value")
	if value.IsZero() {
		value = lastNamed(n)
	}
	if !value.IsZero() && !byDefault.IsZero() {
		w.defaultExport(n, value, byDefault, flags)
		return
	}
	w.children(n)
}

func (w *walker) exportAs(name syntax.Node) {
	if name.Is("identifier") {
		w.b.Export(facts.Export{Name: name.Text(), Local: "*"})
	}
}

func (w *walker) exportClause(clause syntax.Node) {
	for s := range clause.NamedChildren {
		if !s.Is("export_specifier") {
			continue
		}
		local, span, ok := nameOf(s.Child("name"))
		if !ok {
			continue
		}
		e := facts.Export{Name: local}
		if as, at, ok := nameOf(s.Child("alias")); ok && as != local {
			e.Name, e.Local = as, local
			w.b.Reference(facts.RefImport, as, "", at.Start)
		}
		w.export(e)
		w.markExported(local, e.Name == "default")
		w.b.Reference(facts.RefRead, local, "", span.Start)
	}
}

// export adds an exported name of the file; what a namespace exports is told
// by the flags of its members.
func (w *walker) export(e facts.Export) {
	if w.b.Enclosing() < 0 || w.wrapped > 0 {
		w.b.Export(e)
	}
}

func (w *walker) markExported(local string, byDefault bool) {
	if w.b.Enclosing() >= 0 && w.wrapped == 0 {
		return
	}
	flags := facts.Exported
	if byDefault {
		flags |= facts.DefaultExport
	}
	w.pending = append(w.pending, pendingExport{local, flags})
}

// markInside marks what a declared module exports by default.
func (w *walker) markInside(local string) {
	owner := w.b.Enclosing()
	if owner < 0 || w.b.At(owner).Kind != facts.KindModule {
		return
	}
	for _, i := range w.symbols {
		if s := w.b.At(i); s.Parent == owner && s.Name == local {
			s.Flags |= facts.Exported | facts.DefaultExport
		}
	}
}

// reexport handles export … from.
func (w *walker) reexport(n, source syntax.Node) {
	module, ok := literalText(source)
	if !ok || module == "" {
		return
	}
	imp := facts.Import{Module: module, Flags: facts.ImportReexport}
	if n.HasToken("type") {
		imp.Flags |= facts.ImportTypeOnly
	}
	if e := n.ChildOfKind("ERROR"); e.HasToken("type") {
		imp.Flags |= facts.ImportTypeOnly
	}
	clauses := 0
	for c := range n.NamedChildren {
		switch c.Kind() {
		case "export_clause":
			clauses++
			for s := range c.NamedChildren {
				if !s.Is("export_specifier") {
					continue
				}
				if name, ok := w.specifier(s); ok {
					imp.Names = append(imp.Names, name)
					e := facts.Export{Name: name.Name, Module: module}
					if name.Alias != "" {
						e.Name, e.Local = name.Alias, name.Name
					}
					w.b.Export(e)
				}
			}
		case "namespace_export":
			clauses++
			if as := lastNamed(c); !as.IsZero() {
				name, _, _ := nameOf(as)
				imp.Names = append(imp.Names, facts.ImportedName{Name: "*", Alias: name})
				w.b.Export(facts.Export{Name: name, Local: "*", Module: module})
			}
		}
	}
	if clauses == 0 {
		imp.Names = []facts.ImportedName{{Name: "*"}}
		w.b.Export(facts.Export{Name: "*", Module: module})
	}
	w.b.Import(imp, n.Start())
}

// defaultExport handles export default and export = with a value: a name, a
// function, a class or any other expression. What has no name is a definition
// called default, which stands at the keyword.
func (w *walker) defaultExport(n, value, keyword syntax.Node, flags facts.SymbolFlags) {
	v := inner(value)
	if v.Is("identifier") {
		w.export(facts.Export{Name: "default", Local: v.Text()})
		w.markExported(v.Text(), true)
		w.markInside(v.Text())
		w.walk(value)
		return
	}
	fn := definitionValue(value, 0)
	id := "default"
	if name := fn.Child("name"); !name.IsZero() {
		keyword, id = name, name.Text()
	}
	if fn.Is("class") {
		w.classDeclaration(fn, keyword, id, flags)
		if fn != v {
			w.owned[fn.Index()] = -1
			w.walk(value)
		}
		return
	}
	s := facts.Symbol{
		Name: id, Kind: facts.KindVariable, Flags: flags, Init: shape(value),
		Signature: w.head(n, declared(n), value.Start()), Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(keyword),
	}
	if !fn.IsZero() {
		s.Signature = w.head(n, declared(n), bodyStart(fn))
	}
	w.describeValue(&s, fn)
	i := w.definition(s, facts.Public)
	w.objectValue(value, i)
	w.adopt(fn, i)
	w.b.Within(i, func() { w.walk(value) })
}

// requireOf recognises require('x'), also with members behind it, as the value
// of a declaration.
func requireOf(value syntax.Node) (call syntax.Node, members []syntax.Node, ok bool) {
	n := inner(value)
	for range 4 {
		switch n.Kind() {
		case "member_expression":
			p := n.Child("property")
			if p.IsZero() {
				return n, nil, false
			}
			members = append(members, p)
			n = inner(n.Child("object"))
		case "call_expression":
			f := n.Child("function")
			if !f.Is("identifier") || f.Text() != "require" && f.Text() != "__importStar" && f.Text() != "__importDefault" && f.Text() != "_interopRequireDefault" {
				return n, nil, false
			}
			arg := firstNamed(n.Child("arguments"))
			if f.Text() != "require" {
				n = arg
				continue
			}
			_, plain := literalText(arg)
			return n, members, plain
		default:
			return n, nil, false
		}
	}
	return n, nil, false
}

// requireDeclaration handles const x = require('m') and its forms with members
// and patterns.
func (w *walker) requireDeclaration(d, call syntax.Node, members []syntax.Node) {
	module, _ := literalText(firstNamed(call.Child("arguments")))
	imp := facts.Import{Module: module}
	name := d.Child("name")
	switch {
	case len(members) > 0:
		// require('m').a.b gives away a of m, under the local name.
		last := members[len(members)-1]
		imp.Names = append(imp.Names, facts.ImportedName{Name: last.Text(), Alias: aliasOf(name, last.Text())})
		w.b.Reference(facts.RefImport, last.Text(), "", last.Start())
	case name.Is("identifier"):
		imp.Alias = name.Text()
	case name.Is("object_pattern"):
		for c := range name.NamedChildren {
			key, local := c, c
			switch c.Kind() {
			case "pair_pattern":
				key, local = c.Child("key"), c.Child("value")
			case "object_assignment_pattern":
				key = c.Child("left")
				local = key
			case "shorthand_property_identifier_pattern":
			default:
				continue
			}
			if id, span, ok := nameOf(key); ok {
				imp.Names = append(imp.Names, facts.ImportedName{Name: id, Alias: aliasOf(local, id)})
				w.b.Reference(facts.RefImport, id, "", span.Start)
			}
		}
	}
	w.patternValues(name)
	w.b.Import(imp, call.Start())
}

func aliasOf(local syntax.Node, name string) string {
	if local.Is("identifier") && local.Text() != name {
		return local.Text()
	}
	return ""
}

// dynamicImport records import('x') and require('x') inside an expression.
func (w *walker) dynamicImport(call syntax.Node) bool {
	f := call.Child("function")
	if !f.Is("import") && !(f.Is("identifier") && f.Text() == "require") {
		return false
	}
	module, ok := literalText(firstNamed(call.Child("arguments")))
	if !ok {
		return f.Is("import")
	}
	w.b.Import(facts.Import{Module: module, Flags: facts.ImportDynamic}, call.Start())
	return true
}

// exportTarget recognises the left side of an assignment that exports: the name
// is "" for module.exports itself.
func exportTarget(left syntax.Node) (name syntax.Node, ok bool) {
	if !left.Is("member_expression") {
		return name, false
	}
	object, property := left.Child("object"), left.Child("property")
	switch {
	case isModuleExports(left):
		return syntax.Node{}, true
	case object.Is("identifier") && object.Text() == "exports", isModuleExports(object):
		return property, !property.IsZero()
	}
	return name, false
}

func isModuleExports(n syntax.Node) bool {
	return n.Is("member_expression") && n.Child("property").Text() == "exports" &&
		n.Child("object").Is("identifier") && n.Child("object").Text() == "module"
}

// amdModules records the dependencies of define([...], function (a, b) {…})
// with the parameters that stand for them.
func (w *walker) amdModules(args syntax.Node) {
	var names []syntax.Node
	var list syntax.Node
	for a := range args.NamedChildren {
		switch {
		case a.Is("array") && list.IsZero():
			list = a
		case isFunction(a):
			for p := range a.Child("parameters").NamedChildren {
				if !p.Is("comment") {
					names = append(names, p)
				}
			}
		}
	}
	k := 0
	for m := range list.NamedChildren {
		if m.Is("comment") {
			continue
		}
		module, ok := literalText(m)
		if ok && module != "exports" && module != "module" && module != "require" {
			imp := facts.Import{Module: module}
			if k < len(names) {
				imp.Alias = paramName(names[k])
			}
			w.b.Import(imp, m.Start())
		}
		k++
	}
}

func isFunction(n syntax.Node) bool {
	return n.Is("arrow_function", "function_expression", "generator_function")
}
