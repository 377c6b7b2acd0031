package scala

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// literal reads a string whose quote is at the position; start is that of its
// interpolator.
func (x *lexer) literal(start int, interpolated bool) {
	quote := 1
	if x.at(`"""`) {
		quote = 3
	} else if x.at(`""`) {
		x.emit(tString, start, x.pos+2)
		return
	}
	mark := len(x.toks)
	nl, pending, indent := x.nl, x.pending, x.indent
	if x.templates(start, quote, interpolated) {
		return
	}
	// No end: the quote is stray or one is missing. What is on its line goes.
	x.retries++
	x.toks = x.toks[:mark]
	x.nl, x.pending, x.indent = nl, pending, indent
	end := x.lineEnd(start)
	x.damage = append(x.damage, facts.Span{Start: uint32(start), End: uint32(end)})
	x.emit(tString, start, end)
	x.toks[len(x.toks)-1].indent = noIndent
}

// noIndent is the indentation of what must not end a block.
const noIndent = 1 << 30

// templates reads a literal up to its end, with the code in it, and tells
// whether it has one.
func (x *lexer) templates(start, quote int, interpolated bool) bool {
	open := -1
	body := start
	k := x.pos + quote
	begin := func() {
		if open < 0 {
			open = len(x.toks)
			x.emit(tOpen, start, body)
			x.toks[open].text = `"`
		}
	}
	finish := func(end int) bool {
		if open < 0 {
			x.emit(tString, start, end)
			return true
		}
		x.emit(tClose, end-quote, end)
		x.toks[len(x.toks)-1].text = `"`
		return true
	}
	for k < len(x.src) {
		c := x.src[k]
		switch {
		case c == '\\' && quote == 1:
			k += 2
		case c == '\n' && quote == 1:
			return false
		case c == '"' && quote == 1:
			return finish(k + 1)
		case c == '"' && strings.HasPrefix(x.all[k:], `"""`):
			k += 3
			for k < len(x.src) && x.src[k] == '"' {
				k++
			}
			return finish(k)
		case c == '$' && interpolated:
			k++
			if k >= len(x.src) || x.depth >= maxTemplates || x.retries > maxRetries {
				continue
			}
			if x.src[k] == '$' || x.src[k] == '"' {
				k++
				continue
			}
			body = k
			if end := nameEnd(x.src, k); end > k {
				begin()
				x.bracket(tOpen, k, k)
				x.emit(tWord, k, end)
				x.bracket(tClose, end, end)
				k = end
			} else if x.src[k] == '{' {
				begin()
				x.bracket(tOpen, k, k+1)
				x.depth++
				closed := x.code(true)
				x.depth--
				if !closed {
					return false
				}
				x.bracket(tClose, x.pos, x.pos+1)
				k = x.pos
			}
		default:
			k++
		}
	}
	return false
}

// nameEnd is the end of the plain name that follows a dollar sign.
func nameEnd(src []byte, at int) int {
	if at < len(src) && src[at] >= '0' && src[at] <= '9' {
		return at
	}
	end := wordEnd(src, at)
	if k := bytes.IndexByte(src[at:end], '$'); k >= 0 {
		end = at + k
	}
	for end > at && strings.IndexByte("!#%&*+-/:<=>?@\\^|~", src[end-1]) >= 0 {
		end--
	}
	return end
}

func (x *lexer) bracket(kind tokenKind, start, end int) {
	x.emit(kind, start, end)
	x.toks[len(x.toks)-1].text = "$"
}

// maxMarkup bounds an XML literal, in bytes.
const maxMarkup = 1 << 16

// markup reads an XML literal at the position as a string. The code in it is not
// read.
func (x *lexer) markup() bool {
	k := x.pos + 1
	if k >= len(x.src) || !(x.src[k] >= 'a' && x.src[k] <= 'z' || x.src[k] >= 'A' && x.src[k] <= 'Z' || x.at("<!--") || x.at("<![CDATA[")) {
		return false
	}
	if n := len(x.toks); n > 0 && !x.nl {
		switch x.toks[n-1].text {
		case "(", "{", "=", ",", "=>", "return", "case", "else", "yield", "++":
		default:
			return false
		}
	} else if n > 0 && x.toks[n-1].text != "{" && x.toks[n-1].text != "=" && x.toks[n-1].text != "(" && x.toks[n-1].text != "=>" {
		return false
	}
	if x.retries > maxRetries {
		return false
	}
	open := 0
	last := min(len(x.src), x.pos+maxMarkup)
	for k = x.pos; k < last; {
		rest := x.all[k:last]
		switch {
		case strings.HasPrefix(rest, "<!--"), strings.HasPrefix(rest, "<![CDATA["), strings.HasPrefix(rest, "<?"):
			n := strings.IndexByte(rest, '>')
			if n < 0 {
				return false
			}
			k += n + 1
		case strings.HasPrefix(rest, "</"):
			n := strings.IndexByte(rest, '>')
			if n < 0 {
				return false
			}
			k += n + 1
			open--
		case rest[0] == '<' && len(rest) > 1 && (rest[1] >= 'a' && rest[1] <= 'z' || rest[1] >= 'A' && rest[1] <= 'Z'):
			n := strings.IndexByte(rest, '>')
			if n < 0 {
				return false
			}
			if rest[n-1] != '/' {
				open++
			}
			k += n + 1
		default:
			k++
			continue
		}
		if open <= 0 {
			x.emit(tString, x.pos, k)
			return true
		}
	}
	x.retries++
	return false
}
