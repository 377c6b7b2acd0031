package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxResult bounds how many nodes of a body are looked at for its result.
const maxResult = 4000

// result is the shape of what a body gives, where all its ends agree and the
// shape can be read outside of it: a local name is replaced by what it was
// assigned. It is "" where nothing plain can be said.
func (w *walker) result(body, params syntax.Node) string {
	if body.IsZero() {
		return ""
	}
	r := resultReader{budget: maxResult}
	shape := r.last(body, 0)
	if shape == "" || shape == lang.Unknown {
		return ""
	}
	root := rootOf(shape)
	if isLocalName(root) || r.returns(body, 0) {
		r.locals = map[string]string{}
		r.bind(params)
		r.collect(body, 0)
		if shape = r.outside(shape, 0); shape == "" || r.budget <= 0 {
			return ""
		}
		for _, other := range r.returned {
			if o := r.outside(other, 0); o != shape && o != "nil" {
				return ""
			}
		}
	}
	return lang.Shape(shape)
}

type resultReader struct {
	budget   int
	locals   map[string]string // shape of the only value, "" where there are several
	returned []string
}

// last is the shape of the value of a node that ends a body.
func (r *resultReader) last(n syntax.Node, depth int) string {
	if r.budget--; r.budget < 0 || depth > 30 {
		return ""
	}
	switch n.Kind() {
	case "body_statement", "then", "begin", "else", "block_body", "do", "block", "do_block", "parenthesized_statements":
		end := syntax.Node{}
		n.NamedChildren(func(c syntax.Node) bool {
			switch c.Kind() {
			case "comment", "rescue", "ensure", "else", "block_parameters", "heredoc_body":
			default:
				end = c
			}
			return true
		})
		if end.IsZero() {
			return "nil"
		}
		return r.last(end, depth+1)
	case "return":
		v := firstNamed(n)
		if v.Kind() == "argument_list" {
			v = firstNamed(v)
		}
		if v.IsZero() {
			return "nil"
		}
		return shape(v)
	case "if", "unless", "elsif", "conditional":
		then, other := n.Child("consequence"), n.Child("alternative")
		return agree(r.end(then, depth), r.end(other, depth))
	case "case":
		out := "nil"
		n.NamedChildren(func(c syntax.Node) bool {
			switch c.Kind() {
			case "when":
				out = agree(out, r.end(c.Child("body"), depth))
			case "else":
				out = agree(out, r.last(c, depth+1))
			}
			return out != ""
		})
		return out
	case "if_modifier", "unless_modifier":
		return r.last(n.Child("body"), depth+1)
	case "operator_assignment", "assignment":
		if right := n.Child("right"); right.Is("begin", "if", "case", "parenthesized_statements") {
			return r.last(right, depth+1)
		}
	}
	return shape(n)
}

// givesResult tells methods that give what their block gives.
func givesResult(method string) bool {
	switch method {
	case "chdir", "mktmpdir", "synchronize", "timeout", "catch", "silence_warnings", "then", "yield_self", "instance_eval", "instance_exec":
		return true
	}
	return false
}

func (r *resultReader) end(n syntax.Node, depth int) string {
	if n.IsZero() {
		return "nil"
	}
	return r.last(n, depth+1)
}

// agree is the one shape of two ends; nil agrees with all.
func agree(a, b string) string {
	switch {
	case a == b || b == "nil":
		return a
	case a == "nil":
		return b
	}
	return ""
}

// returns tells whether a body has a return before its end.
func (r *resultReader) returns(n syntax.Node, depth int) bool {
	if r.budget--; r.budget < 0 || depth > 60 {
		return true
	}
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Is("method", "singleton_method", "class", "module") || !c.IsNamed() {
			continue
		}
		if c.Kind() == "return" || r.returns(c, depth+1) {
			return true
		}
	}
	return false
}

// collect takes note of local names and of what is returned.
func (r *resultReader) collect(n syntax.Node, depth int) {
	if r.budget--; r.budget < 0 || depth > 60 {
		return
	}
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		switch c.Kind() {
		case "method", "singleton_method", "class", "module":
			continue
		case "return":
			r.returned = append(r.returned, r.last(c, depth+1))
		case "assignment":
			if left := c.Child("left"); left.Kind() == "identifier" {
				r.local(left.Text(), shape(c.Child("right")))
			} else if left.Kind() == "left_assignment_list" {
				r.unknown(left)
			}
		case "operator_assignment":
			if left := c.Child("left"); left.Kind() == "identifier" {
				r.local(left.Text(), "")
			}
		case "block_parameters", "lambda_parameters", "exception_variable":
			r.unknown(c)
		}
		if c.IsNamed() {
			r.collect(c, depth+1)
		}
	}
}

func (r *resultReader) local(name, shape string) {
	if old, again := r.locals[name]; again && old != shape {
		shape = ""
	}
	r.locals[name] = shape
}

// bind takes parameters, of which nothing is known.
func (r *resultReader) bind(params syntax.Node) {
	params.NamedChildren(func(p syntax.Node) bool {
		if name := p.Child("name"); !name.IsZero() {
			r.locals[name.Text()] = ""
		} else if p.Kind() == "identifier" {
			r.locals[p.Text()] = ""
		} else {
			r.unknown(p)
		}
		return true
	})
}

func (r *resultReader) unknown(n syntax.Node) {
	n.NamedChildren(func(c syntax.Node) bool {
		if r.budget--; r.budget < 0 {
			return false
		}
		if c.Kind() == "identifier" {
			r.locals[c.Text()] = ""
		} else {
			r.unknown(c)
		}
		return true
	})
}

// outside replaces the local name that a shape starts with.
func (r *resultReader) outside(shape string, depth int) string {
	root := rootOf(shape)
	if !isLocalName(root) {
		return shape
	}
	init, local := r.locals[root]
	if !local {
		return shape
	}
	rest := shape[len(root):]
	if init == "" || depth > 5 || strings.Contains(init, "range ") || rootOf(init) == root {
		return ""
	}
	return r.outside(lang.Shape(init+rest), depth+1)
}

// rootOf is the identifier that a shape starts with.
func rootOf(shape string) string {
	if i := strings.IndexAny(shape, ".[(#{ "); i >= 0 {
		return shape[:i]
	}
	return shape
}

func isLocalName(s string) bool {
	switch s {
	case "", "self", "super", "nil", "true", "func", "new":
		return false
	}
	return s[0] == '_' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 0x80
}

// keep takes note of what a local name of a method was assigned.
func (w *walker) keep(name, init string) {
	if w.inits == nil {
		w.inits = map[string]string{}
	}
	if old, again := w.inits[name]; again && old != init && !tellsNothing(old) {
		init = lang.Unknown
	}
	w.inits[name] = init
}

// plain is a shape that starts with no local name but parameters, for what
// outlives the method.
func (w *walker) plain(init string) string {
	for range 5 {
		root := rootOf(init)
		if !isLocalName(root) || !w.b.Bound(root) {
			return init
		}
		switch known := w.inits[root]; {
		case known == root:
			return init
		case tellsNothing(known), strings.Contains(known, "range "):
			return lang.Unknown
		default:
			init = lang.Shape(known + init[len(root):])
		}
	}
	return lang.Unknown
}
