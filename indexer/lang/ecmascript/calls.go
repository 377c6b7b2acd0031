package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// link is a part of a chain that is walked when its end is reached.
type link struct {
	node syntax.Node
	call syntax.Node // the call whose arguments it is
}

// chain walks calls, members and subscripts from the outside in, so that long
// chains need no stack, and then their arguments in the order of the text.
func (w *walker) chain(n syntax.Node) {
	var later []link
	kind := facts.RefRead
spine:
	for {
		switch n.Kind() {
		case "call_expression":
			if w.dynamicImport(n) {
				later = append(later, link{node: n.Child("arguments")})
				break spine
			}
			w.noteCall(n)
			later = append(later, link{node: n.Child("arguments"), call: n}, link{node: n.Child("type_arguments")})
			n, kind = n.Child("function"), facts.RefCall
		case "new_expression":
			later = append(later, link{node: n.Child("arguments"), call: n}, link{node: n.Child("type_arguments")})
			n, kind = n.Child("constructor"), facts.RefCall
		case "member_expression", "nested_identifier":
			object, p := n.Child("object"), n.Child("property")
			if object.Is("call_expression") && object.Child("function").Is("import") && w.inType(n) {
				w.importType(object, n)
				break spine
			}
			if !p.IsZero() && !p.IsMissing() {
				w.b.Reference(kind, p.Text(), shape(object), p.Start())
			}
			n, kind = object, facts.RefRead
		case "subscript_expression":
			later = append(later, link{node: n.Child("index")})
			n, kind = n.Child("object"), facts.RefRead
		case "non_null_expression":
			n = firstNamed(n)
		case "parenthesized_expression":
			if n = firstNamed(n); n.Is("await_expression") {
				kind = facts.RefRead
			}
		case "await_expression":
			// await f<T>() is read as (await f)<T>().
			n = firstNamed(n)
		case "instantiation_expression":
			later = append(later, link{node: n.Child("type_arguments")})
			n = firstNamed(n)
		case "identifier":
			if n.Text() == "require" && n.Parent().Child("property").Text() == "main" {
				w.b.AddTrait(facts.EntryPoint)
			}
			w.name(n, kind)
			break spine
		case "super":
			if kind == facts.RefCall {
				w.b.Reference(facts.RefCall, "super", "", n.Start())
			}
			break spine
		case "arrow_function", "function_expression", "generator_function":
			if kind == facts.RefCall && !w.b.InBody() && len(later) > 0 {
				w.wrapper(n, &later)
				break spine
			}
			w.walk(n)
			break spine
		default:
			w.walk(n)
			break spine
		}
	}
	for i := len(later) - 1; i >= 0; i-- {
		w.arguments(later[i])
	}
}

// wrapper walks a function that is called where it stands at the level of the
// file: what it holds counts as part of that level. So do functions it is
// called with (the factory of a UMD module).
func (w *walker) wrapper(fn syntax.Node, later *[]link) {
	w.function(fn, -1, true)
	for i := len(*later) - 1; i >= 0; i-- {
		l := (*later)[i]
		if !l.node.Is("arguments") {
			continue
		}
		for a := range l.node.NamedChildren {
			if f := inner(a); isFunction(f) {
				w.function(f, -1, true)
				w.owned[f.Index()] = -1
			}
		}
		break
	}
}

// isModuleLoader recognises the functions that take the body of a module.
func isModuleLoader(call syntax.Node) bool {
	f := call.Child("function")
	switch f.Kind() {
	case "identifier":
		switch f.Text() {
		case "define", "require", "requirejs":
			return true
		}
	case "member_expression":
		switch string(f.Bytes()) {
		case "System.register", "sap.ui.define", "goog.scope", "YUI.add":
			return true
		}
	}
	return false
}

// noteCall reads what a call says by itself: modules, tests, prototypes.
func (w *walker) noteCall(n syntax.Node) {
	f, args := n.Child("function"), n.Child("arguments")
	if !args.Is("arguments") {
		return
	}
	if !w.b.InBody() {
		if isModuleLoader(n) {
			w.amdModules(args)
			for a := range args.NamedChildren {
				if isFunction(a) {
					w.function(a, -1, true)
					w.owned[a.Index()] = -1
				}
			}
		}
		w.mixin(f, args)
	}
	if isTestCall(f, args) {
		w.b.AddTrait(facts.TestCode)
	}
	w.hint(f, args)
}

// mixin handles Object.assign(Foo.prototype, {…}) and extend(Foo, {…}).
func (w *walker) mixin(f, args syntax.Node) {
	name := f
	if f.Is("member_expression") {
		name = f.Child("property")
	}
	switch name.Text() {
	case "assign", "extend", "mixin", "inherits", "defineProperties":
	default:
		return
	}
	target := firstNamed(args)
	if target.Is("object") && f.Is("member_expression") {
		// jQuery.fn.extend({…}) extends what it is called on.
		target = f.Child("object")
	}
	c := containerName(target)
	if c == "" {
		return
	}
	for a := range args.NamedChildren {
		if a.Is("object") {
			if _, taken := w.objects[a.Index()]; taken {
				return
			}
			o := objectOf(c)
			if isModuleExports(target) || c == "exports" {
				o = object{symbol: -1, exports: true}
			}
			w.objects[a.Index()] = o
		}
	}
}

// isTestCall recognises describe('…', () => {…}) and its relatives.
func isTestCall(f, args syntax.Node) bool {
	for range 3 {
		switch f.Kind() {
		case "member_expression":
			if o := f.Child("object"); o.Is("identifier") && (o.Text() == "QUnit" || o.Text() == "Deno") {
				f = f.Child("property")
				continue
			}
			f = f.Child("object")
		case "call_expression":
			f = f.Child("function")
		}
	}
	switch f.Text() {
	case "describe", "it", "test", "suite", "specify", "context", "module":
	default:
		return false
	}
	title, fn := false, false
	for a := range args.NamedChildren {
		if a.Is("string", "template_string") && !fn {
			title = true
		}
		fn = fn || isFunction(a)
	}
	return title && fn
}

// hint notes what the first parameter of a callback receives where the method
// it is handed to tells: an element of the receiver, or its awaited value.
func (w *walker) hint(f, args syntax.Node) {
	if !f.Is("member_expression") {
		return
	}
	suffix := ""
	switch f.Child("property").Text() {
	case "map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap", "sort":
		suffix = "[]"
	case "then":
	default:
		return
	}
	cb := firstNamed(args)
	if !isFunction(cb) {
		return
	}
	s := shape(f.Child("object"))
	if s == lang.Unknown || s == "" || strings.HasPrefix(s, "await ") {
		return
	}
	if suffix == "" {
		s = "await " + s
	}
	w.hints[cb.Index()] = lang.Shape(s + suffix)
}

func (w *walker) arguments(l link) {
	if l.node.IsZero() {
		return
	}
	if !l.call.IsZero() {
		w.expectArguments(l.call, l.node)
	}
	w.walk(l.node)
}
