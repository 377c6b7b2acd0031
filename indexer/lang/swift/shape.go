package swift

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/lang"
)

// maxShaping bounds the recursion into brackets.
const maxShaping = 20

func short(s string) string { return lang.Shape(s) }

// before gives the shape of the chain that ends with a token.
func (w *walker) before(i int) string {
	var parts []string // from the end
	size := 0
	add := func(s string) bool {
		parts = append(parts, s)
		size += len(s)
		return size <= lang.MaxShape
	}
	join := func() string {
		slices.Reverse(parts)
		return lang.Shape(strings.Join(parts, ""))
	}
	for i >= 0 {
		t := w.tok(i)
		call := ""
		switch {
		case t.kind == tOp && (t.text == "!" || t.text == "?") && w.touches(i):
			i--
			continue
		case t.kind == tClose && t.text == "]":
			k := int(t.match)
			if !w.touches(k) || !w.operandEnds(k-1) {
				add("[]")
				return join()
			}
			i = k - 1
			if !add("[]") {
				return lang.Unknown
			}
			continue
		case t.kind == tClose && (t.text == ")" || t.text == "}"):
			k := int(t.match) - 1
			if t.text == "}" && w.is(k, ")") {
				k = int(w.tok(k).match) - 1
			}
			for (w.is(k, "!") || w.is(k, "?")) && w.touches(k) {
				k--
			}
			if w.is(k, ">") {
				k = w.angleStart(k) - 1
			}
			if w.is(k, "]") && t.text == ")" {
				if m := int(w.tok(k).match); !w.operandEnds(m-1) || !w.touches(m) {
					add("[]") // [T]()
					return join()
				}
			}
			if !w.isWord(k) || k < 0 || w.tok(k+1).nl || isKeyword(w.tok(k).text) && !w.is(k-1, ".") && !w.is(k, "self") {
				if t.text == "}" || !add(w.shape(int(t.match)+1, i)) {
					return lang.Unknown
				}
				return join()
			}
			i, call = k, "()"
		case t.kind == tOp && t.text == ">" && w.touches(i):
			if i = w.angleStart(i) - 1; !w.isName(i) {
				return lang.Unknown
			}
		}
		t = w.tok(i)
		switch {
		case t.kind == tString || t.kind == tClose && t.text == `"`:
			add(`""`)
			return join()
		case t.kind == tNumber:
			add("0")
			return join()
		case w.isWord(i) && (!isKeyword(t.text) || t.text == "self" || t.text == "super" || w.is(i-1, ".")):
		default:
			return lang.Unknown
		}
		name := w.name(i) + call
		if strings.HasPrefix(name, "$") {
			return lang.Unknown
		}
		if !w.is(i-1, ".") {
			add(name)
			return join()
		}
		if !w.operandEnds(i-2) || !w.touches(i-1) && !w.tok(i-1).nl {
			return lang.Unknown // of the type that is expected
		}
		// Foo.init(…) makes what Foo(…) does, Foo.self is Foo.
		part := "." + name
		switch name {
		case "self":
			part = ""
		case "init()":
			part = "()"
		}
		if !add(part) {
			return lang.Unknown
		}
		i -= 2
	}
	return lang.Unknown
}

// angleStart is the index of the angle bracket that the one at an index ends.
func (w *walker) angleStart(i int) int {
	depth := 0
	for k := i; k > max(0, i-80); k-- {
		switch {
		case w.is(k, ">"):
			depth++
		case w.is(k, "<"):
			if depth--; depth == 0 {
				return k
			}
		case w.tok(k).kind == tClose:
			k = int(w.tok(k).match)
		}
	}
	return 0
}

// shape gives the shape of an expression, see the package lang.
func (w *walker) shape(i, end int) string {
	for {
		switch {
		case i < end && (w.is(i, "try") || w.is(i, "await")):
			i++
			for i < end && w.touches(i) && (w.is(i, "?") || w.is(i, "!")) {
				i++
			}
			continue
		case i < end && w.is(i, "(") && w.closeOf(i) == end-1:
			i, end = i+1, end-1
			continue
		}
		break
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
	case t.text == "!" && t.kind == tOp:
		return "true"
	case (t.text == "-" || t.text == "+") && t.kind == tOp:
		return w.shape(i+1, end)
	case t.text == "&" && t.kind == tOp:
		return w.shape(i+1, end)
	case t.kind == tOpen && t.text == "{":
		if k := w.closeOf(i); k+1 < end && w.is(k+1, "(") {
			// { … }() yields what its closure does.
			if in := w.closureIn(i); in < 0 && w.exprEnd(i+1, k) == k {
				return w.shape(i+1, k)
			}
			return lang.Unknown
		}
		return "func"
	case t.kind == tOp:
		return lang.Unknown
	case t.kind == tWord && isKeyword(t.text):
		switch t.text {
		case "true", "false":
			return "true"
		case "nil":
			return "nil"
		case "self", "super":
		default:
			return lang.Unknown
		}
	case t.kind == tOpen && t.text == "[" && w.closeOf(i) == end-1:
		for k := i + 1; k < end-1; k++ {
			if w.is(k, ":") {
				return "{}"
			}
			if w.is(k, ",") || w.is(k, "?") {
				break
			}
			k = w.closeOf(k)
		}
		return "[]"
	}
	// The first operand, and what it is combined with.
	last := i
	k := i + 1
	if t.kind == tOpen {
		last = w.closeOf(i)
		k = last + 1
	}
	for k < end {
		switch {
		case w.tok(k).kind == tOpen && !w.tok(k).nl:
			last = w.closeOf(k)
			k = last + 1
		case w.is(k, ".") && k+1 < end:
			last = k + 1
			k += 2
		case (w.is(k, "!") || w.is(k, "?")) && w.touches(k):
			k++
		case w.is(k, "<") && w.touches(k) && w.skipAngles(k, end) > 0:
			k = w.skipAngles(k, end)
			last = k - 1
		default:
			switch w.tok(k).text {
			case "==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "is":
				return "true"
			case "as":
				n := k + 1
				for w.is(n, "?") || w.is(n, "!") {
					n++
				}
				if stop := w.skipType(n, end); stop == end {
					return short("(" + w.sign(n, stop) + ")")
				}
				return lang.Unknown
			case "??", "+", "-", "*", "/", "%":
				if s := w.before(last); s != "nil" {
					return s
				}
			}
			return lang.Unknown
		}
	}
	return w.before(last)
}
