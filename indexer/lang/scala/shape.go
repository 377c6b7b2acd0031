package scala

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxShaping bounds the recursion into brackets.
const maxShaping = 20

func short(s string) string { return lang.Shape(s) }

// use records the name at an index as a call, a type or a value.
func (w *walker) use(i, end int) int {
	t := w.tok(i)
	name := w.name(i)
	next := i + 1
	qualified := w.is(i-1, ".")
	if !qualified && next < end && w.isArrow(next) && t.kind == tWord {
		return w.lambda(i, next, end)
	}
	if name == "_" || name == "using" && w.is(i-1, "(") && next < end && w.tok(next).kind <= tOpen {
		return next
	}
	if (w.is(i-1, "(") || w.is(i-1, ",")) && w.is(next, "=") && next < end {
		return next // a named argument
	}
	called := func(k int) bool {
		if w.is(k, ":") && k+1 < end && w.tok(k+1).nl && w.tok(k+1).indent > t.indent {
			return true // with an indented block
		}
		return k < end && !w.tok(k).nl && (w.is(k, "(") || w.is(k, "{") && w.tok(k).kind == tOpen)
	}
	if w.is(next, "[") && next < end && !w.tok(next).nl {
		after := w.closeOf(next) + 1
		w.record(i, qualified, called(after) || !looksLikeType(name))
		w.types(next+1, after-1, facts.RefType)
		return after
	}
	if !qualified && !t.nl && next < end && t.kind == tWord && w.infix != i-1 && w.operandEnds(i-1) && !w.tok(next).nl && w.operandStarts(next) {
		w.infix = i
		if name != "eq" && name != "ne" && name != "to" && name != "until" && name != "by" {
			w.b.Reference(facts.RefCall, name, w.before(i-1), t.start)
		}
		return next
	}
	if !qualified && isPackageRoot(name) && w.is(next, ".") && !w.b.Bound(name) {
		k := i
		for k+2 < end && w.is(k+1, ".") && w.isName(k+2) && !looksLikeType(w.name(k)) {
			k += 2
		}
		if looksLikeType(w.name(k)) || called(k+1) {
			kind := facts.RefType
			if called(k + 1) {
				kind = facts.RefCall
			}
			w.b.Reference(kind, w.name(k), short(w.sign(i, k-1)), w.tok(k).start)
			return k + 1
		}
	}
	w.record(i, qualified, called(next))
	return next
}

func isPackageRoot(name string) bool {
	switch name {
	case "_root_", "java", "javax", "jakarta", "org", "com", "net", "io", "edu", "scala", "akka":
		return true
	}
	return false
}

func (w *walker) record(i int, qualified, called bool) {
	t, name := w.tok(i), w.name(i)
	q := ""
	if qualified {
		q = w.before(i - 2)
	}
	next := w.tok(i + 1).text
	switch {
	case name == "asInstanceOf" || name == "isInstanceOf" || name == "classOf":
	case called:
		// Functions have names of their own, but a local variable may be called.
		if q != "" || !w.b.Bound(name) && !predeclared(name) {
			w.b.Reference(facts.RefCall, name, q, t.start)
		}
	case !qualified && (w.b.Bound(name) || predeclared(name)):
	case looksLikeType(name) && next == ".":
		w.typeName(i, facts.RefType, q)
	default:
		w.b.Reference(facts.RefRead, name, q, t.start)
	}
}

// operandEnds tells whether a token ends an operand of an infix call.
func (w *walker) operandEnds(i int) bool {
	t := w.tok(i)
	switch t.kind {
	case tNumber, tChar, tString, tQuoted:
		return true
	case tWord:
		return !isKeyword(t.text) || t.text == "this" || t.text == "null" || t.text == "true" || t.text == "false"
	case tClose:
		if t.text == ")" {
			switch w.tok(int(t.match) - 1).text {
			case "if", "while", "for":
				return false
			}
		}
		return true
	}
	return false
}

func (w *walker) operandStarts(i int) bool {
	t := w.tok(i)
	switch t.kind {
	case tNumber, tChar, tString, tQuoted:
		return true
	case tOpen:
		return t.text != "["
	case tWord:
		switch t.text {
		case "this", "null", "true", "false", "new", "super":
			return true
		}
		return !isKeyword(t.text)
	}
	return false
}

// before gives the shape of the chain that ends with a token.
func (w *walker) before(i int) string {
	var parts []string // from the end
	size := 0
	add := func(s string) bool {
		parts = append(parts, s)
		size += len(s)
		return size <= lang.MaxShape
	}
	for n := 0; n < lang.MaxShape; n++ {
		t := w.tok(i)
		call := ""
		for t.kind == tClose && (t.text == ")" || t.text == "}" || t.text == "]") {
			if t.match < 0 {
				return lang.Unknown
			}
			k := int(t.match) - 1
			if k < 0 || !w.isWord(k) && w.tok(k).kind != tClose || w.tok(k+1).nl {
				if t.text != ")" || call != "" || !add(w.shape(k+2, i)) {
					return lang.Unknown
				}
				return join(parts)
			}
			if t.text != "]" || call == "" {
				call = "()"
			}
			i = k
			t = w.tok(i)
		}
		switch {
		case t.kind == tString || t.kind == tClose && t.text == `"`:
			add(`""`)
			return join(parts)
		case t.kind == tNumber || t.kind == tChar:
			add("0")
			return join(parts)
		case w.isWord(i), w.is(i, "this"), w.is(i, "super"):
		default:
			return lang.Unknown
		}
		name := w.name(i) + call
		if name == "" {
			return lang.Unknown
		}
		if !w.is(i-1, ".") {
			if w.is(i-1, "new") {
				name = "new " + name
				if call == "" {
					name += "()"
				}
			}
			add(name)
			return join(parts)
		}
		if !add("." + name) {
			return lang.Unknown
		}
		i -= 2
	}
	return lang.Unknown
}

func join(parts []string) string {
	slices.Reverse(parts)
	return lang.Shape(strings.Join(parts, ""))
}

// shape gives the shape of an expression, see the package lang.
func (w *walker) shape(i, end int) string {
	for i < end && w.is(i, "(") && w.closeOf(i) == end-1 {
		i, end = i+1, end-1
	}
	if i >= end {
		return ""
	}
	if w.shaping > maxShaping {
		return lang.Unknown
	}
	w.shaping++
	defer func() { w.shaping-- }()
	t := w.tok(i)
	switch {
	case t.text == "!" && t.kind == tSymbol:
		return "true"
	case (t.text == "-" || t.text == "+") && t.kind == tSymbol:
		return w.shape(i+1, end)
	case w.arrow(i, end) > 0, t.kind == tOpen && t.text == "{" && (w.is(i+1, "case") || w.arrow(i+1, end) > 0):
		return "func"
	case w.is(i, "new"):
		i++
	case t.kind == tWord && isKeyword(t.text):
		switch t.text {
		case "true", "false":
			return "true"
		case "null":
			return "nil"
		case "this", "super":
		default:
			return lang.Unknown
		}
	case t.kind == tOpen && t.text == "{" || !w.isWord(i) && t.kind == tSymbol:
		return lang.Unknown
	}
	// The first operand, and what it is combined with.
	last := i
	if w.tok(i).kind == tOpen {
		last = w.closeOf(i)
	}
	for k := last + 1; k < end; {
		n := w.tok(k)
		switch {
		case n.kind == tOpen && !n.nl && (n.text == "(" || n.text == "[" || n.text == "{"):
			last = w.closeOf(k)
			k = last + 1
		case w.is(k, ".") && k+1 < end:
			if w.is(k+1, "asInstanceOf") && w.is(k+2, "[") && w.closeOf(k+2) == end-1 {
				return short("(" + w.sign(k+3, end-1) + ")")
			}
			last = k + 1
			k += 2
		default:
			switch n.text {
			case "==", "!=", "<", "<=", ">", ">=", "&&", "||", "eq", "ne":
				return "true"
			case "+", "-", "*", "/", "%", "++":
				return w.before(last)
			case ":":
				return short("(" + w.sign(k+1, w.skipType(k+1, end)) + ")")
			}
			return lang.Unknown
		}
	}
	return w.before(last)
}
