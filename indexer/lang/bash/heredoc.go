package bash

import (
	"bytes"
	"strings"
)

// delimiter reads the word behind <<.
func (s *scanner) delimiter(i, end int) (heredoc, int) {
	var h heredoc
	if i < end && s.src[i] == '-' {
		h.tabs = true
		i++
	}
	i = skipBlank(s.src, i, end)
	var b strings.Builder
	for i < end && bytes.IndexByte([]byte(" \t\r\n;|&<>()"), s.src[i]) < 0 {
		switch c := s.src[i]; c {
		case '\\':
			h.quoted = true
			if i++; i < end {
				b.WriteByte(s.src[i])
			}
		case '\'', '"':
			h.quoted = true
			for i++; i < end && s.src[i] != c && s.src[i] != '\n'; i++ {
				b.WriteByte(s.src[i])
			}
		default:
			b.WriteByte(c)
		}
		i++
	}
	h.delimiter = b.String()
	return h, min(i, end)
}

// heredoc skips a body; the substitutions in it are commands.
func (s *scanner) heredoc(h heredoc, i, end int, list *[]*item) int {
	find := func(equal func(line []byte) bool) (body, next int) {
		for k := i; k < end; {
			stop := end
			if n := bytes.IndexByte(s.src[k:end], '\n'); n >= 0 {
				stop = k + n
			}
			if equal(bytes.TrimSuffix(s.src[k:stop], []byte("\r"))) {
				return k, stop
			}
			k = stop + 1
		}
		return -1, end
	}
	body, next := find(func(line []byte) bool {
		if h.tabs {
			line = bytes.TrimLeft(line, "\t")
		}
		return string(line) == h.delimiter
	})
	if body < 0 {
		s.unclosed = true
		body, next = find(func(line []byte) bool { return string(bytes.TrimSpace(line)) == h.delimiter })
	}
	if body < 0 {
		body = end
	}
	if !h.quoted && body > i {
		w := word{start: i, end: i}
		s.text(i, body, &w, true)
		if len(w.subs) > 0 || len(w.reads) > 0 {
			*list = append(*list, &item{start: i, end: body, words: []word{w}})
		}
	}
	return next
}
