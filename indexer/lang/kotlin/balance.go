package kotlin

import "github.com/project-map/project-map/indexer/facts"

// closers tell which bracket ends which.
var closers = map[string]string{"(": ")", "[": "]", "{": "}", `"`: `"`, "$": "$"}

// balance matches the brackets. Where they do not match as they stand, the
// indentation of the lines tells which one is missing or too many, so that the
// damage stays in the definition it stands in.
func (x *lexer) balance() {
	if x.matched() {
		return
	}
	r := &repair{lexer: x}
	for i := range x.toks {
		t := x.toks[i]
		if t.nl {
			r.declares, r.typed = t.kind == tWord && startsDeclaration(t.text), false
		}
		r.typed = r.typed || r.declares && (t.text == "class" || t.text == "interface" || t.text == "object")
		if t.text == "{" && t.kind == tOpen && r.declares && (i+1 == len(x.toks) || x.toks[i+1].nl) {
			r.parens(t)
		}
		r.take(t)
	}
	for len(r.stack) > 0 {
		r.closeTop(uint32(len(x.src)))
	}
	x.toks = r.out
	x.matched()
}

// matched sets the partners of all brackets, and tells whether they match.
func (x *lexer) matched() bool {
	var stack []int32
	for i := range x.toks {
		t := &x.toks[i]
		switch t.kind {
		case tOpen:
			stack = append(stack, int32(i))
		case tClose:
			if len(stack) == 0 {
				return false
			}
			open := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if closers[x.toks[open].text] != t.text {
				return false
			}
			t.match = open
			x.toks[open].match = int32(i)
		}
	}
	return len(stack) == 0
}

type repair struct {
	*lexer
	out   []token
	stack []token
	// declares says that the line starts a declaration.
	declares bool
	// typed says that it is one of a type.
	typed bool
}

// parens closes round brackets of the line before the brace of a body at its
// end. After some tokens it can be the brace of a lambda.
func (r *repair) parens(t token) {
	if n := len(r.out); n > 0 && !r.typed {
		switch r.out[n-1].text {
		case "=", "->", ",", "(", "{":
			return
		}
	}
	for n := len(r.stack); n > 0 && r.stack[n-1].text == "(" && r.lineOf(r.stack[n-1]) == r.lineOf(t); n-- {
		r.closeTop(t.start)
	}
}

// closeTop ends the innermost open bracket before an offset.
func (r *repair) closeTop(at uint32) {
	top := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	end := at
	if n := len(r.out); n > 0 {
		end = r.out[n-1].end
	}
	r.out = append(r.out, token{kind: tClose, start: end, end: end, match: -1, indent: top.indent, doc: -1, text: closers[top.text]})
	r.damage = append(r.damage, facts.Span{Start: top.start, End: top.end})
}

func (r *repair) stray(t token) {
	r.damage = append(r.damage, facts.Span{Start: t.start, End: t.end})
}

// closeTo ends open brackets until the stack holds n, then takes the token that
// ends the last of them.
func (r *repair) closeTo(n int, t token) {
	for len(r.stack) > n+1 {
		r.closeTop(t.start)
	}
	r.stack = r.stack[:n]
	r.out = append(r.out, t)
}

func (r *repair) take(t token) {
	if t.nl && t.kind == tWord && startsDeclaration(t.text) || t.nl && t.text == "@" {
		for n := len(r.stack); n > 0; n-- {
			top := r.stack[n-1]
			if top.text == `"` || top.text == "$" || top.indent < t.indent || t.indent > 0 && t.text == "@" && top.text == "(" {
				break
			}
			r.closeTop(t.start)
		}
	}
	switch t.kind {
	case tOpen:
		r.stack = append(r.stack, t)
		r.out = append(r.out, t)
	case tClose:
		if n := r.opener(t); n >= 0 {
			r.closeTo(n, t)
		} else {
			r.stray(t)
		}
	default:
		r.out = append(r.out, t)
	}
}

// opener is the place in the stack of the bracket that a token ends, or -1.
func (r *repair) opener(t token) int {
	brace := -1 // the innermost that a round or square bracket may not leave
	for n := len(r.stack) - 1; n >= 0 && brace < 0; n-- {
		top := r.stack[n]
		if closers[top.text] == t.text && t.text != "}" {
			return n
		}
		if top.text == "$" && t.text != `"` || top.text == `"` && t.text != "$" {
			return -1
		}
		if top.text == "{" && t.text != "$" && t.text != `"` {
			brace = n
		}
	}
	if t.text != "}" || brace < 0 {
		return -1
	}
	if !t.nl {
		// It ends what its own line opened, or it is one too many.
		if r.lineOf(r.stack[brace]) == r.lineOf(t) || r.stack[brace].indent >= t.indent {
			return brace
		}
		return -1
	}
	deeper := -1
	for n := brace; n >= 0; n-- {
		top := r.stack[n]
		if top.text == "$" || top.text == `"` {
			break
		}
		if top.text != "{" {
			continue
		}
		if top.indent == t.indent {
			return n
		}
		if top.indent < t.indent {
			break
		}
		deeper = n
	}
	return deeper
}

// lineOf is the offset of the line on which a token stands.
func (r *repair) lineOf(t token) int {
	for k := int(t.start) - 1; k >= 0; k-- {
		if r.src[k] == '\n' {
			return k
		}
	}
	return -1
}

// startsDeclaration tells words that can stand first in a declaration.
func startsDeclaration(word string) bool {
	return isDeclarator(word) || modifierWords[word] || word == "import" || word == "package"
}

// isDeclarator tells the keywords that introduce a declaration; they are no
// names anywhere.
func isDeclarator(word string) bool {
	switch word {
	case "fun", "val", "var", "class", "interface", "object", "typealias":
		return true
	}
	return false
}

// modifierWords are names elsewhere.
var modifierWords = map[string]bool{
	"public": true, "private": true, "protected": true, "internal": true,
	"abstract": true, "final": true, "open": true, "sealed": true, "override": true,
	"data": true, "enum": true, "annotation": true, "inner": true, "value": true, "inline": true, "companion": true,
	"const": true, "lateinit": true, "vararg": true, "noinline": true, "crossinline": true, "reified": true,
	"suspend": true, "operator": true, "infix": true, "tailrec": true, "external": true,
	"expect": true, "actual": true,
}
