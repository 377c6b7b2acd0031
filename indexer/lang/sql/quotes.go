package sql

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/lang/idl"
)

// string reads '…' with doubled quotes. Where the next quote stands behind a
// line that starts with CREATE and looks like one that opens, the string was
// never closed, and ends with its line.
func (l *lexer) string() {
	escapes := l.escapes || l.at > 0 && (l.src[l.at-1] == 'E' || l.src[l.at-1] == 'e') && (l.at < 2 || !isWord(l.src[l.at-2]))
	end, suspect := l.quote('\'', escapes)
	if q := l.oracleQuote(); q > 0 {
		end, suspect = q, false
	}
	if suspect {
		end = l.lineEnd()
		if l.src[end-1] == '\r' {
			end--
		}
	}
	l.block.settle("")
	l.add(idl.String, end)
}

// oracleQuote is the end of a string like q'[it's]', 0 for others.
func (l *lexer) oracleQuote() int {
	const longest = 32 << 10
	if l.at == 0 || l.src[l.at-1]|0x20 != 'q' || l.at > 1 && isWord(l.src[l.at-2]) && l.src[l.at-2]|0x20 != 'n' || l.at+1 >= len(l.src) {
		return 0
	}
	mark := l.src[l.at+1]
	if isWord(mark) || mark <= ' ' || mark == '\'' {
		return 0
	}
	if k := bytes.IndexByte([]byte("[({<"), mark); k >= 0 {
		mark = "])}>"[k]
	}
	rest := l.src[l.at+2 : min(len(l.src), l.at+longest)]
	if k := bytes.Index(rest, []byte{mark, '\''}); k >= 0 {
		return l.at + 2 + k + 2
	}
	return 0
}

func (l *lexer) quote(mark byte, escapes bool) (end int, suspect bool) {
	created := false
	k := l.at + 1
	for ; k < len(l.src); k++ {
		switch c := l.src[k]; {
		case c == '\\' && escapes:
			k++
		case c == '\n':
			created = created || len(l.src) > k+7 && (l.src[k+1] == 'C' || l.src[k+1] == 'c') && strings.EqualFold(string(l.src[k+1:k+7]), "create")
		case c == mark:
			if k+1 < len(l.src) && l.src[k+1] == mark {
				k++
				continue
			}
			opens := k+1 < len(l.src) && isWord(l.src[k+1]) && bytes.IndexByte([]byte(" (,=\t"), l.src[k-1]) >= 0
			return k + 1, created && opens
		}
	}
	end = len(l.src)
	return end, bytes.IndexByte(l.src[l.at:], '\n') >= 0
}

func (l *lexer) doubleQuoted() {
	if end, suspect := l.quote('"', l.escapes); !suspect && (l.escapes || bytes.IndexByte(l.src[l.at:end], '\n') < 0) {
		l.block.settle("")
		l.add(quoted, end)
		return
	}
	l.block.settle("")
	l.add(quoted, l.closing('"', 1))
}

// closing is the offset behind the mark on this line, or the line's end.
func (l *lexer) closing(mark byte, skip int) int {
	end := l.lineEnd()
	if end > l.at+skip && l.src[end-1] == '\r' {
		end--
	}
	if k := bytes.IndexByte(l.src[l.at+skip:max(end, l.at+skip)], mark); k >= 0 {
		return l.at + skip + k + 1
	}
	return end
}

// bracketed reads [x], unless it is an index or the start of an array.
func (l *lexer) bracketed(rest []byte) bool {
	if l.at > 0 && (isWord(l.src[l.at-1]) || l.src[l.at-1] == ']' || l.src[l.at-1] == ')') {
		return false
	}
	for k := 1; k < len(rest) && k < 130; k++ {
		c := rest[k]
		if c == ']' && k > 1 {
			l.block.settle("")
			l.add(quoted, l.at+k+1)
			return true
		}
		if k == 1 && (!isWord(c) || c >= '0' && c <= '9') || !isWord(c) && bytes.IndexByte([]byte(" -./()"), c) < 0 {
			return false
		}
	}
	return false
}

// variable reads :name, which psql and named parameters fill in.
func (l *lexer) variable(rest []byte) bool {
	if len(rest) < 2 || !isWord(rest[1]) || rest[1] >= '0' && rest[1] <= '9' || l.at > 0 && (l.src[l.at-1] == ':' || isWord(l.src[l.at-1])) {
		return false
	}
	n := 1
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	l.block.settle("")
	l.add(template, l.at+n)
	return true
}

// dollar reads $tag$ … $tag$, and ${ … }.
func (l *lexer) dollar(rest []byte) bool {
	if len(rest) > 1 && rest[1] == '{' {
		if k := bytes.IndexByte(rest[:min(len(rest), 200)], '}'); k > 0 && bytes.IndexByte(rest[:k], '\n') < 0 {
			l.add(template, l.at+k+1)
			return true
		}
	}
	n := 1
	for n < len(rest) && n < 64 && rest[n] != '$' && isWord(rest[n]) && rest[n] != '#' && rest[n] != '@' {
		n++
	}
	if n >= len(rest) || rest[n] != '$' || n > 1 && rest[1] >= '0' && rest[1] <= '9' {
		return false
	}
	tag := string(rest[:n+1])
	if tag == l.do {
		l.at += len(tag)
		l.do = ""
		l.block.settle("")
		l.endStatement()
		return true
	}
	if l.is(l.from, "do") && l.do == "" {
		// The statements of a DO block define as others do.
		l.at += len(tag)
		l.first = false
		l.do = tag
		l.endStatement()
		return true
	}
	if l.openTags >= maxOpen {
		return false
	}
	k := bytes.Index(rest[len(tag):], []byte(tag))
	if k < 0 {
		l.openTags++
		l.at += len(tag)
		l.first = false
		return true
	}
	l.add(body, l.at+k+2*len(tag))
	return true
}
