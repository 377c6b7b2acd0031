package scala

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
	lineStart := int32(-1)
	for i := range x.toks {
		t := x.toks[i]
		if t.nl {
			lineStart = int32(i)
		}
		r.line = lineStart
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

// opened is an open bracket with the token that starts its line.
type opened struct {
	token
	line int32
}

type repair struct {
	*lexer
	out   []token
	stack []opened
	line  int32 // token that starts the line
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

func (r *repair) take(t token) {
	if t.nl && (t.kind == tWord && startsDeclaration(t.text) || t.text == "@") {
		for n := len(r.stack); n > 0; n-- {
			top := r.stack[n-1]
			if top.text == `"` || top.text == "$" || top.indent < t.indent || top.text == "(" && t.text != "def" && t.text != "class" && t.text != "object" && t.text != "trait" {
				break
			}
			r.closeTop(t.start)
		}
	}
	switch t.kind {
	case tOpen:
		if t.text == "{" {
			// The body of a definition stands in no parameter list.
			for n := len(r.stack); n > 0 && r.stack[n-1].text == "(" && r.stack[n-1].line == r.line && r.bodyAtEnd(t); n-- {
				r.closeTop(t.start)
			}
		}
		r.stack = append(r.stack, opened{t, r.line})
		r.out = append(r.out, t)
	case tClose:
		n := r.opener(t)
		if n < 0 {
			r.damage = append(r.damage, facts.Span{Start: t.start, End: t.end})
			return
		}
		for len(r.stack) > n+1 {
			r.closeTop(t.start)
		}
		r.stack = r.stack[:n]
		r.out = append(r.out, t)
	default:
		r.out = append(r.out, t)
	}
}

// bodyAtEnd tells whether a brace ends the line of a definition behind an equals
// sign, which no parameter has before a block.
func (r *repair) bodyAtEnd(t token) bool {
	n := len(r.out)
	if n == 0 || r.out[n-1].text != "=" || r.line < 0 {
		return false
	}
	for k := r.line; k < r.line+6 && int(k) < len(r.toks) && r.toks[k].kind == tWord; k++ {
		if r.toks[k].text == "def" {
			end := r.lineEnd(int(t.end))
			for p := int(t.end); p < end; p++ {
				if c := r.src[p]; c != ' ' && c != '\t' && c != '\r' {
					return false
				}
			}
			return true
		}
	}
	return false
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
		if r.stack[brace].line == r.line || r.stack[brace].indent >= t.indent {
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

// startsDeclaration tells words that can stand first in a declaration.
func startsDeclaration(word string) bool {
	return isDeclarator(word) || isModifier(word) || word == "import" || word == "package" || word == "export"
}

// isDeclarator tells the keywords that introduce a definition. Those of Scala 3
// alone (enum, given, extension) are names elsewhere.
func isDeclarator(word string) bool {
	switch word {
	case "def", "val", "var", "class", "object", "trait", "type":
		return true
	}
	return false
}

func isModifier(word string) bool {
	switch word {
	case "private", "protected", "abstract", "final", "sealed", "implicit", "lazy", "override", "case":
		return word != "case"
	}
	return false
}

// isSoftModifier tells the modifiers that are names elsewhere.
func isSoftModifier(word string) bool {
	switch word {
	case "inline", "opaque", "open", "transparent", "infix", "erased", "update", "into", "tracked":
		return true
	}
	return false
}

// isKeyword tells the reserved words.
func isKeyword(word string) bool {
	switch word {
	case "abstract", "case", "catch", "class", "def", "do", "else", "extends", "false", "final", "finally", "for", "forSome", "if",
		"implicit", "import", "lazy", "match", "new", "null", "object", "override", "package", "private", "protected", "return",
		"sealed", "super", "this", "throw", "trait", "try", "true", "type", "val", "var", "while", "with", "yield", "given", "then":
		return true
	}
	return false
}
