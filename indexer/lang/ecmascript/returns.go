package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// frame is a function whose body is walked.
type frame struct {
	// expected is the context of what it returns.
	expected string
	// results are the expressions it returns, as long as somebody asks.
	results []syntax.Node
	// locals are the names that it binds, with declared type and shape.
	locals map[string]local
}

type local struct{ typ, init string }

// maxResults bounds the results that are looked at.
const maxResults = 12

// remember keeps a binding for the shapes of results.
func (w *walker) remember(name, typ, init string) {
	if k := len(w.frames); k > 0 {
		f := w.frames[k-1]
		if f.locals == nil {
			f.locals = map[string]local{}
		}
		if _, known := f.locals[name]; !known {
			f.locals[name] = local{typ, init}
		}
	}
}

// selfContained is a shape that means the same outside of the functions around:
// local variables in it are replaced by what they hold.
func (w *walker) selfContained(s string, depth int) string {
	if s == "" || s == lang.Unknown || depth > 6 {
		return lang.Unknown
	}
	await := ""
	if rest, ok := strings.CutPrefix(s, "await "); ok {
		await, s = "await ", rest
	}
	end := strings.IndexAny(s, ".()[]#{} <")
	if end < 0 {
		end = len(s)
	}
	name, tail := s[:end], s[end:]
	if name == "" || strings.HasPrefix(tail, "{}") || name == "new" {
		return lang.Shape(await + s)
	}
	for i := len(w.frames) - 1; i >= 0; i-- {
		l, ok := w.frames[i].locals[name]
		if !ok {
			continue
		}
		inner := lang.Unknown
		if l.typ != "" {
			inner = typed(l.typ)
		} else if l.init != "" {
			inner = w.selfContained(l.init, depth+1)
		}
		switch {
		case inner == lang.Unknown || inner == "":
			return lang.Unknown
		case tail == "":
			return lang.Shape(await + inner)
		case strings.HasPrefix(inner, "await "):
			inner = strings.TrimPrefix(inner, "await ") + ".(@await)"
		case inner == "nil" || inner == "{}" || inner == "[]" || inner == `""` || inner == "0" || inner == "true" || inner == "func":
			return lang.Unknown
		}
		return lang.Shape(await + inner + tail)
	}
	return lang.Shape(await + s)
}

// conclude notes what a function without a declared result gives, as the shape of
// its symbol; keys of an object literal that it gives become members of it that
// are no part of the outline.
func (w *walker) conclude(n syntax.Node, symbol int32) {
	f := w.frames[len(w.frames)-1]
	if symbol < 0 || !n.Child("return_type").IsZero() || n.HasToken("*") {
		return
	}
	s := w.b.At(symbol)
	if s.Type != "" || s.Init != "" || s.Kind == facts.KindConstructor || s.Kind == facts.KindClass {
		return
	}
	results := f.results
	if body := n.Child("body"); !body.Is("statement_block") {
		results = []syntax.Node{body}
	}
	found, objects, several := "", 0, false
	for _, e := range results {
		v := inner(e)
		if e.Is("satisfies_expression", "as_expression") && !e.HasToken("const") {
			v = e
		}
		if v.Is("object") {
			w.resultKeys(v, symbol)
			objects++
			continue
		}
		sh := w.selfContained(shape(e), 0)
		if t := v.Child("return_type"); t.Is("type_annotation") && v.Is("arrow_function", "function_expression") {
			sh = typed("() => " + typeText(t))
		}
		switch {
		case sh == lang.Unknown || sh == "" || sh == "nil":
		case found == "":
			found = sh
		case found != sh:
			several = true
		}
	}
	switch {
	case objects > 0 && found == "":
		found = "{}"
	case found == "" || objects > 0:
		return
	case several && found != "this":
		if found = then(found, ".(@likely)"); found == "" {
			return
		}
	}
	w.b.At(symbol).Init = found
}

// resultKeys declares the keys of an object literal that a function gives.
func (w *walker) resultKeys(n syntax.Node, symbol int32) {
	if w.b.Enclosing() != symbol {
		return
	}
	for c := range n.NamedChildren {
		s := facts.Symbol{Kind: facts.KindField, Flags: facts.InBody, Span: lang.SpanOf(c)}
		key, value := c, c
		switch c.Kind() {
		case "pair":
			key, value = c.Child("key"), c.Child("value")
			if fn := inner(value); isFunction(fn) {
				s.Kind, s.Params, s.Type = facts.KindMethod, params(fn), typeText(fn.Child("return_type"))
				if value = fn; s.Type == "" && !fn.Child("body").Is("statement_block") {
					value = fn.Child("body")
				} else {
					value = syntax.Node{}
				}
			}
		case "method_definition":
			key = c.Child("name")
			s.Kind, s.Params, s.Type = facts.KindMethod, params(c), typeText(c.Child("return_type"))
			s.Flags |= memberFlags(c)
			if s.Flags&(facts.Getter|facts.Setter) != 0 {
				s.Kind = facts.KindProperty
			}
			value = syntax.Node{}
		case "shorthand_property_identifier":
		default:
			continue
		}
		name, span, ok := nameOf(key)
		if !ok || key.Is("computed_property_name") {
			continue
		}
		s.Name, s.NameSpan, s.Signature = name, span, name
		if s.Init = w.selfContained(shape(value), 0); s.Init == lang.Unknown {
			s.Init = ""
		}
		w.doc = ""
		w.definition(s, facts.Private)
	}
}
