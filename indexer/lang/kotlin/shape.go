package kotlin

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
	for {
		t := w.tok(i)
		call := ""
		switch {
		case t.text == "!!":
			i--
			continue
		case t.kind == tClose && t.text == "]":
			call = "[]"
			i = int(t.match) - 1
			if !add(call) {
				return lang.Unknown
			}
			continue
		case t.kind == tClose && (t.text == ")" || t.text == "}"):
			k := int(t.match) - 1
			if t.text == "}" && w.is(k, ")") {
				k = int(w.tok(k).match) - 1
			}
			if w.is(k, ">") {
				k = w.angleStart(k) - 1
			}
			if !w.isName(k) || w.tok(k+1).nl {
				if t.text == ")" && t.match >= 0 && !add(w.shape(int(t.match)+1, i)) || t.text == "}" {
					return lang.Unknown
				}
				return join(parts)
			}
			i, call = k, "()"
		}
		t = w.tok(i)
		switch {
		case t.kind == tString || t.kind == tClose && t.text == `"`:
			add(`""`)
			return join(parts)
		case t.kind == tNumber || t.kind == tChar:
			add("0")
			return join(parts)
		case w.isName(i), w.is(i, "this"), w.is(i, "super"):
		case w.is(i, ">"):
			if k := w.angleStart(i) - 1; w.is(k, "super") {
				add("super")
				return join(parts)
			}
			return lang.Unknown
		default:
			return lang.Unknown
		}
		name := w.name(i) + call
		if !w.is(i-1, ".") && !w.is(i-1, "?.") {
			add(name)
			return join(parts)
		}
		if !add("." + name) {
			return lang.Unknown
		}
		i -= 2
	}
}

func join(parts []string) string {
	slices.Reverse(parts)
	return lang.Shape(strings.Join(parts, ""))
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
	case t.text == "!" && t.kind == tOp:
		return "true"
	case (t.text == "-" || t.text == "+") && t.kind == tOp:
		return w.shape(i+1, end)
	case t.text == "::" && t.kind == tOp, w.is(i, "fun"), t.kind == tOpen && t.text == "{":
		return "func"
	case w.is(i, "object"):
		if w.is(i+1, ":") {
			if name, _ := w.receiverName(i+2, w.skipType(i+2, end)); name != "" {
				return short("new " + name + "()")
			}
		}
		return lang.Unknown
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
		case w.tok(k).kind == tOpen && !w.tok(k).nl && (w.is(k, "(") || w.is(k, "[") || w.is(k, "{")):
			last = w.closeOf(k)
			k = last + 1
		case (w.is(k, ".") || w.is(k, "?.")) && k+1 < end:
			last = k + 1
			k += 2
		case w.is(k, "!!"):
			k++
		case w.is(k, "<") && w.skipAngles(k, end) > 0 && !w.tok(w.skipAngles(k, end)).nl && (w.is(w.skipAngles(k, end), "(") || w.is(w.skipAngles(k, end), "{")):
			k = w.skipAngles(k, end)
		default:
			switch w.tok(k).text {
			case "==", "!=", "===", "!==", "<", "<=", ">", "&&", "||", "is", "in", "!":
				return "true"
			case "::":
				if w.is(k+1, "class") {
					return lang.Unknown
				}
				return "func"
			case "as":
				n := k + 1
				for w.is(n, "?") {
					n++
				}
				if stop := w.skipType(n, end); stop == end {
					return short("(" + w.sign(n, stop) + ")")
				}
				return lang.Unknown
			case "?:", "+", "-", "*", "/", "%":
				s := w.before(last)
				if s == "nil" {
					return lang.Unknown
				}
				return s
			}
			return lang.Unknown
		}
	}
	return w.before(last)
}
