package swift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// regex reads a regular expression between slashes, where one can start.
func (x *lexer) regex() bool {
	if n := len(x.toks); n > 0 && !x.nl {
		t := &x.toks[n-1]
		switch t.kind {
		case tNumber, tString, tQuoted, tClose, tMacro:
			return false
		case tWord:
			switch t.text {
			case "return", "in", "case", "where", "try", "await", "if", "while", "let":
			default:
				return false
			}
		case tOp:
			if t.text == "." || int(t.end) == x.pos && t.text != "," && t.text != ":" && t.text != "!" {
				return false
			}
		}
	}
	depth, class := 0, false
	for k := x.pos + 1; k < len(x.src); k++ {
		switch c := x.src[k]; {
		case c == '\n' || k == x.pos+1 && (c == ' ' || c == '\t' || c == '/' || c == '='):
			return false
		case c == '\\':
			k++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		case c == '/':
			if x.src[k-1] == ' ' || depth > 0 {
				return false
			}
			x.emit(tString, x.pos, k+1)
			return true
		}
	}
	return false
}

// extendedRegex reads a regular expression between #/ and /#, which may go over
// several lines.
func (x *lexer) extendedRegex(hashes int) bool {
	end := "/" + strings.Repeat("#", min(hashes, 20))
	body := x.all[x.pos+hashes+1:]
	line := body
	if k := strings.IndexByte(body, '\n'); k >= 0 && strings.TrimSpace(body[:k]) != "" {
		line = body[:k]
	}
	k := strings.Index(line, end)
	if k < 0 {
		return false
	}
	x.emit(tString, x.pos, x.pos+hashes+1+k+len(end))
	return true
}

// literal reads a string with a number of signs before its quote.
func (x *lexer) literal(hashes int) {
	start := x.pos
	mark := len(x.toks)
	nl, pending, indent := x.nl, x.pending, x.indent
	if x.interpolated(start, hashes) {
		return
	}
	// No end: the quote is stray or one is missing. What is on its line goes.
	x.retries++
	x.toks = x.toks[:mark]
	x.nl, x.pending, x.indent = nl, pending, indent
	end := x.lineEnd(start)
	x.damage = append(x.damage, facts.Span{Start: uint32(start), End: uint32(end)})
	x.emit(tString, start, end)
}

// interpolated reads a literal up to its end, with the code in it, and tells
// whether it has one.
func (x *lexer) interpolated(start, hashes int) bool {
	sign := strings.Repeat("#", min(hashes, 20))
	k := start + hashes
	quote := `"`
	if strings.HasPrefix(x.all[k:], `"""`) {
		// #"""# is a quote between quotes.
		if rest := x.all[k+1 : x.lineEnd(k+1)]; hashes == 0 || !strings.Contains(rest, `"`+sign) {
			quote = `"""`
		}
	}
	k += len(quote)
	end := quote + sign
	escape := `\` + sign
	open := -1
	for k < len(x.src) {
		c := x.src[k]
		switch {
		case c == '\n' && quote == `"`:
			return false
		case c == '"' && strings.HasPrefix(x.all[k:], end):
			k += len(end)
			if open < 0 {
				x.emit(tString, start, k)
			} else {
				x.emit(tClose, k-len(end), k)
				x.toks[len(x.toks)-1].text = `"`
			}
			return true
		case c == '\\' && strings.HasPrefix(x.all[k:], escape):
			if !strings.HasPrefix(x.all[k:], escape+"(") {
				k += len(escape)
				if k < len(x.src) && x.src[k] != '\n' {
					k++
				}
				continue
			}
			if x.depth >= maxNested || x.retries > maxRetries {
				k += len(escape) + 1
				continue
			}
			if open < 0 {
				open = len(x.toks)
				x.emit(tOpen, start, k)
				x.toks[open].text = `"`
			}
			x.bracket(tOpen, k, k+len(escape)+1)
			x.depth++
			closed := x.code(true)
			x.depth--
			if !closed {
				return false
			}
			x.bracket(tClose, x.pos, x.pos+1)
			k = x.pos
		default:
			k++
		}
	}
	return false
}

func (x *lexer) bracket(kind tokenKind, start, end int) {
	x.emit(kind, start, end)
	x.toks[len(x.toks)-1].text = "$"
}
