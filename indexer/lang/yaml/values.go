package yaml

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// maxFlow bounds a bracketed value or a quoted one over several lines, in
// bytes; one that is longer is taken as ending with its line, so that a stray
// bracket does not swallow the file.
const maxFlow = 64 << 10

// valueAt reads the value of a node that starts at an offset of its line.
func (s *scanner) valueAt(n *node, column, at, end, next int) int {
	for at < end && (s.src[at] == '&' || s.src[at] == '!') {
		k := bytes.IndexByte(s.src[at:end], ' ')
		if k < 0 {
			return next
		}
		at += k + 1
		for at < end && s.src[at] == ' ' {
			at++
		}
	}
	if at >= end || s.src[at] == '#' || s.src[at] == '*' {
		return next
	}
	switch c := s.src[at]; c {
	case '|', '>':
		if !blockHeader(s.src[at:end]) {
			break
		}
		return s.block(n, column, next)
	case '"', '\'':
		if k := closingQuote(s.src[at:end]); k >= 0 {
			n.value = clip(unquote(s.src[at:at+k+1]), maxValue)
			n.valueSpan = facts.Span{Start: uint32(at + 1), End: uint32(at + k)}
			return next
		}
		return s.skipValue(at, end, next)
	case '[', '{':
		if !bytes.HasPrefix(s.src[at:end], []byte("{{")) {
			return s.skipValue(at, end, next)
		}
	}
	stop := end
	if k := bytes.Index(s.src[at:end], []byte(" #")); k >= 0 {
		stop = at + k
	}
	stop = at + len(bytes.TrimRight(s.src[at:stop], " \t"))
	n.value = clip(string(s.src[at:stop]), maxValue)
	n.valueSpan = facts.Span{Start: uint32(at), End: uint32(stop)}
	return next
}

// skipFrom passes a value that is not kept.
func (s *scanner) skipFrom(at, column, end, next int) int {
	var n node
	return s.valueAt(&n, column, at, end, next)
}

// blockHeader tells "|", ">-", "|2+" with an optional comment.
func blockHeader(text []byte) bool {
	rest := bytes.TrimLeft(text[1:], "+-0123456789")
	rest = bytes.TrimLeft(rest, " \t")
	return len(rest) == 0 || rest[0] == '#'
}

// block passes the lines of a block scalar, which are blank or deeper than a
// column, and keeps the first.
func (s *scanner) block(n *node, column, at int) int {
	for at < len(s.src) {
		end, next := s.lineEnd(at)
		body := at
		for body < end && (s.src[body] == ' ' || s.src[body] == '\t') {
			body++
		}
		if body < end {
			if body-at <= column {
				return at
			}
			if n.value == "" {
				if text := strings.TrimSpace(string(s.src[body:min(end, body+400)])); text[0] != '#' && !strings.HasPrefix(text, "set -") {
					n.value = clip(text, maxValue)
					n.valueSpan = facts.Span{Start: uint32(body), End: uint32(body)}
				}
			}
			s.lastEnd = end
		}
		at = next
	}
	return at
}

// maxWaste bounds the bytes spent on looking for the end of values that have
// none, for a file, so that hostile text costs linear time.
const maxWaste = 1 << 20

// skipValue passes a quoted or bracketed value that may go on over several
// lines and returns the offset of the next line.
func (s *scanner) skipValue(at, end, next int) int {
	if s.wasted > maxWaste {
		return next
	}
	depth := 0
	for k := at; k < len(s.src) && k-at < maxFlow; k++ {
		switch c := s.src[k]; c {
		case '"', '\'':
			// Inside a flow or at its start a quote opens; in plain text it is
			// an apostrophe.
			if k > at && !opensQuote(s.src[k-1]) {
				continue
			}
			w := closingQuote(s.src[k:min(len(s.src), k+maxFlow)])
			if w < 0 {
				s.wasted += min(len(s.src)-at, 2*maxFlow)
				return next
			}
			k += w
			if depth == 0 {
				return s.nextLine(k)
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
			if depth <= 0 {
				return s.nextLine(k)
			}
		case '#':
			if k > at && (s.src[k-1] == ' ' || s.src[k-1] == '\n') {
				end, _ := s.lineEnd(k)
				k = end - 1
			}
		case '\n':
			if depth == 0 {
				return k + 1
			}
		}
	}
	s.wasted += min(len(s.src)-at, maxFlow)
	return next
}

func opensQuote(before byte) bool {
	switch before {
	case ' ', '\t', '\n', '\r', '[', '{', ',', ':':
		return true
	}
	return false
}

func (s *scanner) nextLine(k int) int {
	end, next := s.lineEnd(min(k, len(s.src)))
	s.lastEnd = max(s.lastEnd, end)
	return next
}
