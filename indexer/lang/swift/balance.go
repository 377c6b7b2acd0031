package swift

import "github.com/project-map/project-map/indexer/facts"

// closers tell which bracket ends which.
var closers = map[string]string{"(": ")", "[": "]", "{": "}", `"`: `"`, "$": "$"}

// maxStray bounds the open brackets that one which ends none of them passes.
const maxStray = 1000

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
			r.starts = x.startsDeclaration(i)
			r.declares, r.typed = r.starts, false
		} else {
			r.starts = false
		}
		r.typed = r.typed || r.declares && isTypeWord(t.text)
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
		if t.kind == tClose {
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
		t.up = -1
		if len(stack) > 0 {
			t.up = stack[len(stack)-1]
		}
		if t.kind == tOpen {
			stack = append(stack, int32(i))
		}
	}
	return len(stack) == 0
}

type repair struct {
	*lexer
	out   []token
	stack []token
	// starts says that the token starts a declaration, declares that its line
	// does, typed that it is one of a type.
	starts, declares, typed bool
}

// parens closes round brackets of the line before the brace of a body at its
// end. After some tokens it can be the brace of a closure.
func (r *repair) parens(t token) {
	if n := len(r.out); n > 0 && !r.typed {
		switch r.out[n-1].text {
		case "=", "->", ",", "(", "{", ":":
			return
		}
	}
	for n := len(r.stack); n > 0 && r.stack[n-1].text == "(" && r.stack[n-1].line == t.line; n-- {
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
	r.out = append(r.out, token{kind: tClose, start: end, end: end, match: -1, up: -1, line: top.line, indent: top.indent, doc: -1, text: closers[top.text]})
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
	if r.starts {
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
	for n := len(r.stack) - 1; n >= 0 && brace < 0 && (t.text == "}" || n > len(r.stack)-maxStray); n-- {
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
		if r.stack[brace].line == t.line || r.stack[brace].indent >= t.indent {
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

// startsDeclaration tells whether a declaration can start at a token, as far as
// it and the next one tell.
func (x *lexer) startsDeclaration(i int) bool {
	t := &x.toks[i]
	if t.kind == tOp {
		return t.text == "@"
	}
	if t.kind != tWord {
		return false
	}
	next := &token{kind: tOp, nl: true}
	if i+1 < len(x.toks) {
		next = &x.toks[i+1]
	}
	switch t.text {
	case "func", "struct", "class", "enum", "protocol", "extension", "typealias", "associatedtype", "import", "let", "var", "deinit", "operator", "precedencegroup":
		return true
	case "init":
		return next.text == "(" || next.text == "?" || next.text == "!" || next.text == "<"
	case "subscript":
		return next.text == "(" || next.text == "<"
	case "actor", "macro":
		return next.kind <= tQuoted && !next.nl && !isKeyword(next.text)
	}
	if !modifierWords[t.text] {
		return false
	}
	return next.kind <= tQuoted || next.text == "@" || next.text == "("
}

func isTypeWord(word string) bool {
	switch word {
	case "struct", "class", "enum", "protocol", "extension", "actor":
		return true
	}
	return false
}

// modifierWords stand before the keyword of a declaration.
var modifierWords = map[string]bool{
	"public": true, "private": true, "fileprivate": true, "internal": true, "open": true, "package": true,
	"static": true, "class": true, "final": true, "override": true, "required": true, "convenience": true,
	"lazy": true, "weak": true, "unowned": true, "dynamic": true, "optional": true, "indirect": true,
	"mutating": true, "nonmutating": true, "consuming": true, "borrowing": true, "nonisolated": true, "isolated": true,
	"distributed": true, "prefix": true, "postfix": true, "infix": true, "async": true, "__consuming": true,
	"__owned": true, "__shared": true, "_const": true, "sending": true, "unsafe": true, "safe": true, "yielding": true,
}
