package yaml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Bounds of what is remembered of one file.
const (
	maxNodes = 40_000
	maxLevel = 7
)

// node is a document, a key of a mapping or an item of a sequence.
type node struct {
	name       string
	level      int // 1 for the keys of a document
	indent     int // column of the key or dash
	item       bool
	inList     bool // an item stands between it and the document
	firstChild int  // indexes of nodes, 0 for none
	lastChild  int
	next       int
	span       facts.Span
	nameSpan   facts.Span
	value      string // of a scalar, its first line if it is a block
	valueSpan  facts.Span
	doc        string
}

type scanner struct {
	src       []byte
	nodes     []node
	documents []int
	open      []int // indexes of the open nodes, the document first
	header    string

	comment      facts.Span // comment lines read last, directly above
	commentLines int
	lastEnd      int // end of the last line with content
	wasted       int // see maxWaste
}

func newScanner(src []byte) *scanner { return &scanner{src: src} }

func (s *scanner) startDocument(at int) {
	s.close(-1, s.lastEnd)
	s.nodes = append(s.nodes, node{indent: -1, span: facts.Span{Start: uint32(at), End: uint32(at)}})
	s.documents = append(s.documents, len(s.nodes)-1)
	s.open = append(s.open[:0], len(s.nodes)-1)
}

// close ends the open nodes that stand at a column or deeper; -1 ends all.
func (s *scanner) close(column, end int) {
	for len(s.open) > 0 {
		n := &s.nodes[s.open[len(s.open)-1]]
		if column >= 0 && n.indent < column {
			return
		}
		n.span.End = max(n.span.End, uint32(end))
		s.open = s.open[:len(s.open)-1]
	}
}

func (s *scanner) lineEnd(at int) (end, next int) {
	k := bytes.IndexByte(s.src[at:], '\n')
	if k < 0 {
		return len(s.src), len(s.src)
	}
	end, next = at+k, at+k+1
	if end > at && s.src[end-1] == '\r' {
		end--
	}
	return end, next
}

func (s *scanner) scan() {
	s.startDocument(0)
	seenKey := false
	for at := 0; at < len(s.src); {
		end, next := s.lineEnd(at)
		body := at
		for body < end && (s.src[body] == ' ' || s.src[body] == '\t') {
			body++
		}
		switch {
		case body == end:
			if !seenKey && s.commentLines > 0 {
				s.takeHeader()
			}
			s.commentLines = 0
			at = next
			continue
		case s.src[body] == '#':
			if s.commentLines == 0 {
				s.comment.Start = uint32(body)
			}
			s.comment.End = uint32(end)
			s.commentLines++
			at = next
			continue
		case body == at && marks(s.src[at:end], "---"):
			if !seenKey && s.commentLines > 0 {
				s.takeHeader()
			}
			s.commentLines = 0
			if len(s.nodes) > 1 || len(s.documents) > 1 {
				s.startDocument(at)
			}
			// "--- key: value" is rare and not read.
			at = next
			continue
		case body == at && marks(s.src[at:end], "..."), s.src[body] == '%' && body == at:
			s.commentLines = 0
			at = next
			continue
		case bytes.HasPrefix(s.src[body:end], []byte("{{")), bytes.HasPrefix(s.src[body:end], []byte("{%")):
			at = next // a directive of a template
			continue
		}
		seenKey = true
		at = s.content(at, body, end, next)
		s.commentLines = 0
	}
	s.close(-1, s.lastEnd)
}

func marks(line []byte, mark string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(mark))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// takeHeader keeps the comment at the top of the file that stands on its own.
func (s *scanner) takeHeader() {
	text := lang.CleanComment(string(s.src[s.comment.Start:min(s.comment.End, s.comment.Start+2000)]))
	if s.header == "" && text != "" && !lang.LooksLikeLicense(text) && !strings.HasPrefix(text, "yaml-language-server") {
		s.header = strings.ToValidUTF8(text, "")
	}
}

// content reads a line with dashes, keys or text from body on, and the lines
// that its value takes. It returns the offset of the line to go on with.
func (s *scanner) content(start, body, end, next int) int {
	at := body
	for {
		column := at - start
		// "- " opens an item; what follows may be a mapping inside of it.
		if s.src[at] == '-' && (at+1 == end || s.src[at+1] == ' ' || s.src[at+1] == '\t') {
			s.closeForItem(column)
			s.lastEnd = end
			s.add(node{indent: column, item: true, span: facts.Span{Start: uint32(at), End: uint32(end)}})
			at++
			for at < end && (s.src[at] == ' ' || s.src[at] == '\t') {
				at++
			}
			if at == end || s.src[at] == '#' {
				return next
			}
			continue
		}
		name, nameSpan, after, ok := s.keyAt(at, end)
		if !ok {
			s.lastEnd = end
			// The value of an item, or the text of a value that goes on.
			if n := s.openItem(); n != nil && column > n.indent {
				return s.valueAt(n, n.indent, at, end, next)
			}
			return s.skipValue(at, end, next)
		}
		s.close(column, s.lastEnd)
		s.lastEnd = end
		i := s.add(node{name: name, indent: column, nameSpan: nameSpan, span: facts.Span{Start: uint32(at), End: uint32(end)}})
		for after < end && (s.src[after] == ' ' || s.src[after] == '\t') {
			after++
		}
		if i < 0 {
			return s.skipFrom(after, column, end, next)
		}
		n := &s.nodes[i]
		if s.commentLines > 0 && at == body {
			n.doc = lang.CleanComment(string(s.src[s.comment.Start:min(s.comment.End, s.comment.Start+1000)]))
			n.doc = strings.ToValidUTF8(n.doc, "")
			if lang.LooksLikeLicense(n.doc) {
				n.doc = ""
			}
		}
		return s.valueAt(n, column, after, end, next)
	}
}

// closeForItem ends what an item at a column ends: everything deeper, and
// items of the same column, but not the key whose sequence starts in its own
// column.
func (s *scanner) closeForItem(column int) {
	for len(s.open) > 0 {
		n := &s.nodes[s.open[len(s.open)-1]]
		if n.indent < column || n.indent == column && !n.item {
			return
		}
		n.span.End = max(n.span.End, uint32(s.lastEnd))
		s.open = s.open[:len(s.open)-1]
	}
}

// openItem is the innermost open node if it is an item without members.
func (s *scanner) openItem() *node {
	if len(s.open) == 0 {
		return nil
	}
	if n := &s.nodes[s.open[len(s.open)-1]]; n.item && n.firstChild == 0 && n.value == "" {
		return n
	}
	return nil
}

// add appends a node below the innermost open one and opens it. It returns -1
// where the node is too deep or one too many.
func (s *scanner) add(n node) int {
	parent := s.open[len(s.open)-1]
	p := &s.nodes[parent]
	n.level = p.level + 1
	n.inList = p.inList || p.item
	if n.level > maxLevel || len(s.nodes) >= maxNodes {
		return -1
	}
	i := len(s.nodes)
	if p.firstChild == 0 {
		p.firstChild = i
	} else {
		s.nodes[p.lastChild].next = i
	}
	p.lastChild = i
	s.nodes = append(s.nodes, n)
	s.open = append(s.open, i)
	return i
}

// keyAt reads a key at an offset; after is the offset behind its colon.
func (s *scanner) keyAt(at, end int) (name string, span facts.Span, after int, ok bool) {
	if bytes.HasPrefix(s.src[at:end], []byte("? ")) {
		at += 2
	}
	// Anchors and tags may stand before a key.
	for at < end && (s.src[at] == '&' || s.src[at] == '!') {
		k := bytes.IndexByte(s.src[at:end], ' ')
		if k < 0 {
			return "", span, 0, false
		}
		at += k + 1
	}
	if at >= end {
		return "", span, 0, false
	}
	switch c := s.src[at]; c {
	case '"', '\'':
		k := closingQuote(s.src[at:end])
		if k < 0 {
			return "", span, 0, false
		}
		after = at + k + 1
		for after < end && s.src[after] == ' ' {
			after++
		}
		if after >= end || s.src[after] != ':' || after+1 < end && s.src[after+1] != ' ' && s.src[after+1] != '\t' {
			return "", span, 0, false
		}
		span = facts.Span{Start: uint32(at + 1), End: uint32(at + k)}
		return unquote(s.src[at : at+k+1]), span, after + 1, true
	case '[', '{', '#', '|', '>', '@', '`', '%', ']', '}', ',', '*':
		return "", span, 0, false
	}
	for k := at; k < end && k-at < 1000; k++ {
		switch s.src[k] {
		case ':':
			if k+1 == end || s.src[k+1] == ' ' || s.src[k+1] == '\t' {
				stop := at + len(bytes.TrimRight(s.src[at:k], " \t"))
				if stop == at {
					return "", span, 0, false
				}
				return clip(string(s.src[at:stop]), facts.MaxName), facts.Span{Start: uint32(at), End: uint32(stop)}, k + 1, true
			}
		case '#':
			if k > at && s.src[k-1] == ' ' {
				return "", span, 0, false
			}
		}
	}
	return "", span, 0, false
}

// closingQuote is the offset of the quote that ends the quoted text at the
// start of a line, or -1.
func closingQuote(text []byte) int {
	q := text[0]
	for k := 1; k < len(text); k++ {
		switch {
		case q == '"' && text[k] == '\\':
			k++
		case text[k] == q:
			if q == '\'' && k+1 < len(text) && text[k+1] == q {
				k++
				continue
			}
			return k
		}
	}
	return -1
}

// unquote is the text between quotes.
func unquote(text []byte) string {
	in := string(text[1 : len(text)-1])
	if text[0] == '\'' {
		return clip(strings.ReplaceAll(in, "''", "'"), facts.MaxName)
	}
	if strings.Contains(in, `\`) {
		in = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, " ", `\t`, " ", `\/`, "/").Replace(in)
	}
	return clip(in, facts.MaxName)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
