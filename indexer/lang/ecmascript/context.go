package ecmascript

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Contexts
//
// The type that an expression is expected to have tells what the keys of an
// object literal and the parameters of a function mean. It is a shape, in which
// conversions to these pseudo types say what no other step can:
//
//	x.(@0)       what the first parameter of x takes
//	x.(@return)  what a call of the function x is to give
//	x.(@await)   the awaited value of x, inside a longer shape
//	x.(@props)   the attributes of the component x
//	x.(@<A,B>)   x with type arguments
//	x.(@key)     ends the qualifier of a key of an object literal
//	x.(@short)   the same of a key that is a value of that name too
//	x.(@likely)  one of several values, x among them
//	x.(@is k=V)  x where its member k is V; also of a literal that has k: V
//	x.(@guard f) x where the type guard f holds
//	x.(@in k)    x where it has a member k

// typed is the shape of a value whose type is declared, or "".
func typed(typ string) string {
	switch {
	case typ == "":
		return ""
	case strings.IndexFunc(typ, notInType) < 0:
		return lang.Shape(typ + "{}")
	case len(typ) > lang.MaxShape || strings.Contains(typ, "#") || !balanced(typ):
		return lang.Unknown
	}
	return lang.Shape("nil.(" + typ + ")")
}

func notInType(r rune) bool { return strings.ContainsRune("{}()|&?=[]\"'`#", r) }

func balanced(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// then goes on from a context; what is unknown or grows too long stays unknown.
func then(ctx, step string) string {
	switch {
	case ctx == "" || ctx == lang.Unknown:
		return ""
	case strings.HasPrefix(ctx, "await ") && step != "":
		ctx = strings.TrimPrefix(ctx, "await ") + ".(@await)"
	}
	if s := lang.Shape(ctx + step); s != lang.Unknown {
		return s
	}
	return ""
}

// expect notes the context of an expression, for the literals and functions in
// it.
func (w *walker) expect(n syntax.Node, ctx string) {
	for range 50 {
		if ctx == "" || ctx == lang.Unknown || n.IsZero() {
			return
		}
		switch n.Kind() {
		case "parenthesized_expression", "non_null_expression":
			n = firstNamed(n)
			continue
		case "as_expression":
			if !n.HasToken("const") {
				return
			}
			n = firstNamed(n)
			continue
		case "object", "arrow_function", "function_expression", "shorthand_property_identifier", "method_definition":
			if _, known := w.contexts[n.Index()]; !known {
				w.contexts[n.Index()] = ctx
			}
		case "array":
			ctx = then(ctx, "[]")
			for c := range n.NamedChildren {
				if !c.Is("string", "number", "identifier", "comment") {
					w.expect(c, ctx)
				}
			}
		case "ternary_expression":
			w.expect(n.Child("consequence"), ctx)
			n = n.Child("alternative")
			continue
		case "binary_expression":
			switch n.Child("operator").Text() {
			case "||", "??":
				w.expect(n.Child("left"), ctx)
				fallthrough
			case "&&":
				n = n.Child("right")
				continue
			}
		case "await_expression":
			n = firstNamed(n)
			continue
		}
		return
	}
}

// expectArguments notes what the parameters of what is called take.
func (w *walker) expectArguments(call, args syntax.Node) {
	if !args.Is("arguments") {
		return
	}
	ctx := ""
	i := -1
	for a := range args.NamedChildren {
		if a.Is("comment") {
			continue
		}
		i++
		switch a.Kind() {
		case "spread_element":
			return
		case "object", "arrow_function", "function_expression", "array", "ternary_expression", "parenthesized_expression", "binary_expression":
		default:
			continue
		}
		if ctx == "" {
			f := call.Child("function")
			if f.IsZero() {
				f = call.Child("constructor")
			}
			if ctx = shape(f); ctx == lang.Unknown || ctx == "" || ctx == "super" {
				return
			}
			ctx += applied(call)
		}
		w.expect(a, then(ctx, ".(@"+strconv.Itoa(i)+")"))
	}
}

// applied are the type arguments of a call as a step.
func applied(call syntax.Node) string {
	args := call.Child("type_arguments")
	if args.IsZero() || args.End()-args.Start() > 60 {
		return ""
	}
	text := lang.Collapse(args.Text())
	if strings.ContainsAny(text, "#") || !balanced(text) {
		return ""
	}
	return ".(@" + text + ")"
}

// keys records what the keys of an object literal with a context mean, and the
// contexts of its values.
func (w *walker) keys(n syntax.Node) {
	ctx := w.contexts[n.Index()]
	if ctx == "" {
		return
	}
	if s := then(ctx, discriminant(n)); s != "" {
		ctx = s
	}
	owner := then(ctx, ".(@key)")
	for c := range n.NamedChildren {
		var key syntax.Node
		switch c.Kind() {
		case "pair":
			key = c.Child("key")
		case "method_definition":
			key = c.Child("name")
		case "shorthand_property_identifier":
			w.contexts[c.Index()] = ctx
			continue
		case "spread_element":
			w.expect(firstNamed(c), ctx)
			continue
		default:
			continue
		}
		if key.Is("computed_property_name") && c.Is("pair") {
			w.expect(c.Child("value"), then(ctx, "[]"))
			continue
		}
		name, span, ok := nameOf(key)
		if !ok || !key.Is("property_identifier", "string", "private_property_identifier") || owner == "" {
			continue
		}
		w.b.Reference(facts.RefRead, name, owner, span.Start)
		value := c
		if c.Is("pair") {
			value = c.Child("value")
		}
		if value.Is("string", "number", "identifier", "true", "false") || strings.ContainsAny(name, ".()[]#{} ") {
			continue
		}
		w.expect(value, then(ctx, "."+name))
	}
}

// discriminants are keys that tell the types of a union apart.
var discriminants = map[string]bool{"type": true, "kind": true, "tag": true, "_tag": true, "__typename": true}

// discriminant says, as a step, which type of a union an object literal is, by a
// key with a literal value; "" where it has none.
func discriminant(object syntax.Node) string {
	for c := range object.NamedChildren {
		if key := c.Child("key"); c.Is("pair") && key.Is("property_identifier") && discriminants[key.Text()] {
			value := unwrapped(c.Child("value"))
			texts := literalTexts([]syntax.Node{value})
			if texts == "" || value.Is("member_expression") && !ofEnum(texts) {
				return ""
			}
			return ".(@is " + key.Text() + "=" + texts + ")"
		}
	}
	return ""
}

// ofEnum tells a member of an enum, whose name is written with a capital letter.
func ofEnum(path string) bool {
	parts := strings.Split(path, ".")
	owner := parts[max(len(parts)-2, 0)]
	return owner != "" && owner[0] >= 'A' && owner[0] <= 'Z'
}

// shorthand records a key that is a value of the same name.
func (w *walker) shorthand(n syntax.Node) {
	ctx := w.contexts[n.Index()]
	name := n.Text()
	switch {
	case ctx == "":
		w.name(n, facts.RefRead)
	case n.IsMissing():
	case w.b.Bound(name) || name == "undefined" || name == "arguments":
		if q := then(ctx, ".(@key)"); q != "" {
			w.b.Reference(facts.RefRead, name, q, n.Start())
		}
	default:
		w.b.Reference(facts.RefRead, name, then(ctx, ".(@short)"), n.Start())
	}
}

// attribute records the attribute of a component and the context of its value.
func (w *walker) attribute(a syntax.Node, props string) {
	var name syntax.Node
	for c := range a.NamedChildren {
		if name.IsZero() {
			name = c
			if c.Is("property_identifier") && props != "" {
				w.b.Reference(facts.RefRead, c.Text(), then(props, ".(@key)"), c.Start())
			}
			continue
		}
		if c.Is("jsx_expression") && name.Is("property_identifier") {
			w.expect(firstNamed(c), then(props, "."+name.Text()))
		}
		w.walk(c)
	}
}

// returning is the context of what a function returns.
func (w *walker) returning(n syntax.Node, ctx string) string {
	out := ""
	if t := n.Child("return_type"); !t.IsZero() {
		if !t.Is("type_annotation") {
			return ""
		}
		out = typed(typeText(t))
		if name := n.Child("name"); out == lang.Unknown || strings.Contains(out, "{ ") {
			// A type that is too long for a shape, or that is written out and so
			// declares its members here, is what the function gives.
			switch {
			case n.Is("function_declaration") && name.Is("identifier"):
				out = lang.Shape(name.Text() + "()")
			case n.Is("method_definition") && name.Is("property_identifier") && !n.HasToken("static"):
				out = lang.Shape("this." + name.Text() + "()")
			}
		}
	} else if ctx != "" {
		out = then(ctx, ".(@return)")
	}
	if n.HasToken("*") {
		return ""
	}
	if n.HasToken("async") {
		out = then(out, ".(@await)")
	}
	return out
}
