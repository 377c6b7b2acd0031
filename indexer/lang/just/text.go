package just

import (
	"bytes"
)

// quoted is the offset behind the string or backtick that starts at an offset,
// or the end of the line where it has no end.
func (r *reader) quoted(at int) int {
	c := r.src[at]
	mark := []byte{c}
	if triple := bytes.Repeat(mark, 3); bytes.HasPrefix(r.src[at:], triple) {
		if !r.noClosing[c] {
			if k := bytes.Index(r.src[at+3:], triple); k >= 0 {
				return at + 3 + k + 3
			}
			r.noClosing[c] = true
		}
		end, _ := r.lineEnd(at)
		return end
	}
	end, _ := r.lineEnd(at)
	for k := at + 1; k < end; k++ {
		switch {
		case r.src[k] == '\\' && c == '"':
			k++
		case r.src[k] == c:
			return k + 1
		}
	}
	return end
}

func (r *reader) blanks(at, end int) int {
	for at < end && (r.src[at] == ' ' || r.src[at] == '\t') {
		at++
	}
	return at
}

func (r *reader) word(at, end int) int {
	if at >= end || !isStart(r.src[at]) {
		return at
	}
	for at < end && (isStart(r.src[at]) || r.src[at] == '-' || r.src[at] >= '0' && r.src[at] <= '9') {
		at++
	}
	return at
}

// path is the offset behind a name with its modules: a::b.
func (r *reader) path(at, end int) int {
	for {
		at = r.word(at, end)
		if !bytes.HasPrefix(r.src[at:end], []byte("::")) || at+2 >= end || !isStart(r.src[at+2]) {
			return at
		}
		at += 2
	}
}

func isStart(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isQuote(c byte) bool { return c == '\'' || c == '"' || c == '`' }
