package php

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) assignment(n syntax.Node) {
	left, right := n.Child("left"), n.Child("right")
	doc := ""
	if left.Kind() == "variable_name" && w.docs != nil && w.global(left.Text()) {
		text := w.docs.Above(n.Start())
		doc = documentation(text).prose
	}
	w.walk(right)
	if left.Kind() == "variable_name" && w.global(left.Text()) {
		name := left.Text()
		w.globals[name] = true
		w.b.Symbol(facts.Symbol{
			Name: name, Kind: facts.KindVariable, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(left), Signature: name, Doc: doc,
			Init: shape(right),
		})
		return
	}
	w.bind(left, shape(right), 0)
}

// global tells whether an assignment to the variable defines a new one of the
// file.
func (w *walker) global(name string) bool {
	return !w.b.InBody() && len(w.owners) == 0 && w.b.Enclosing() < 0 && !w.globals[name]
}

// bind binds the variables on the left of an assignment.
func (w *walker) bind(left syntax.Node, init string, depth int) {
	switch left.Kind() {
	case "variable_name":
		name := left.Text()
		if name == "$this" || name == init {
			return
		}
		// What is reset to null is not used before it is set again.
		if typ := w.told(name, left.Start()); typ != "" || init != "nil" || !w.b.Bound(name) {
			w.b.Bind(name, left.Start(), typ, init)
		}
	case "list_literal", "array_creation_expression", "by_ref", "pair", "array_element_initializer":
		if depth > 50 {
			return
		}
		k := 0
		left.NamedChildren(func(c syntax.Node) bool {
			part := lang.Unknown
			switch {
			case left.Is("by_ref", "array_element_initializer"):
				part = init
			case left.Kind() == "list_literal" && c.Kind() == "variable_name" && k < 10 && init != "":
				part = lang.Shape(init + "#" + string(rune('0'+k)))
			}
			k++
			w.bind(c, part, depth+1)
			return true
		})
	case "member_access_expression":
		w.walk(left)
		if name := left.Child("name"); name.Kind() == "name" && left.Child("object").Text() == "$this" && tells(init) {
			w.b.Bind(bindProperty+name.Text(), left.Start(), "", init)
		}
	default:
		w.walk(left)
	}
}

const (
	// bindReturn is the name under which a function without a written result
	// binds what it returns; a closure in it does so in its own scope.
	bindReturn = "return"
	// bindProperty before the name of a property of $this is the name under which
	// a function binds what it assigns to it.
	bindProperty = "="
)

// tells tells whether a shape says anything of the class of a value.
func tells(shape string) bool {
	switch shape {
	case "", lang.Unknown, "nil", "[]", "0", "true", `""`, "func":
		return false
	}
	return true
}

// returned binds what a function returns that does not say so.
func (w *walker) returned(value syntax.Node) {
	k := w.b.Enclosing()
	if k < 0 || value.IsZero() || w.b.At(k).Type != "" {
		return
	}
	if s := shape(value); tells(s) {
		w.b.Bind(bindReturn, value.Start(), "", s)
	}
}

func (w *walker) foreach(n syntax.Node) {
	body := n.Child("body")
	source := syntax.Node{}
	n.NamedChildren(func(c syntax.Node) bool {
		switch {
		case c.Kind() == "comment":
		case c.FieldName() == "body":
		case source.IsZero():
			source = c
			w.walk(c)
		case c.Kind() == "pair":
			var parts []syntax.Node
			c.NamedChildren(func(p syntax.Node) bool { parts = append(parts, p); return true })
			for k, p := range parts {
				init := lang.Unknown
				if k == len(parts)-1 {
					init = lang.Shape("range " + shape(source))
				}
				w.bind(p, init, 0)
			}
		default:
			w.bind(c, lang.Shape("range "+shape(source)), 0)
		}
		return true
	})
	w.walk(body)
}

// taken stands before the number of an argument in what tells the parameters of a
// closure: f@1.0 is the first parameter of what f takes second.
const taken = "@"

// arguments walks those of a call.
func (w *walker) arguments(call syntax.Node) {
	args := call.Child("arguments")
	callee := ""
	k := -1
	args.NamedChildren(func(a syntax.Node) bool {
		if a.Kind() != "argument" {
			w.walk(a)
			return true
		}
		k++
		value := firstNamed(a)
		if value.Is("arrow_function", "anonymous_function_creation_expression", "anonymous_function") {
			if callee == "" {
				callee = calleeOf(call)
			}
			if callee != lang.Unknown {
				w.taker = callee + taken + strconv.Itoa(k)
			}
		}
		w.walk(a)
		w.taker = ""
		return true
	})
}

// calleeOf is the shape of what a call calls.
func calleeOf(call syntax.Node) string {
	s := shape(call)
	k := strings.LastIndex(s, "()")
	if k < 0 {
		return lang.Unknown
	}
	return s[:k]
}
