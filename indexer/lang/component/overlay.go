package component

import (
	"bytes"

	"github.com/project-map/project-map/indexer/lang"
)

// Overlay is a text that takes the place of parts of a source of the same
// length.
type Overlay struct {
	source, text []byte
	set          []bool
}

// NewOverlay makes one that takes no place yet.
func NewOverlay(source []byte) *Overlay {
	return &Overlay{source: source, text: bytes.Clone(source), set: make([]bool, len(source))}
}

// Copy keeps a range as it is in the source.
func (o *Overlay) Copy(start, end int) {
	copy(o.text[start:end], o.source[start:end])
	for i := start; i < end; i++ {
		o.set[i] = true
	}
}

// Put writes at an offset.
func (o *Overlay) Put(at int, text string) {
	for i := 0; i < len(text) && at+i < len(o.text); i++ {
		o.text[at+i], o.set[at+i] = text[i], true
	}
}

// Clear takes a range out.
func (o *Overlay) Clear(start, end int) {
	copy(o.text[start:end], o.source[start:end])
	clear(o.set[start:end])
}

// Free tells whether a character between code can be written over.
func (o *Overlay) Free(at int) bool {
	return at >= 0 && at < len(o.source) && !o.set[at] && (IsSpace(o.source[at]) || o.source[at] == '>' || o.source[at] == '/')
}

// Trim leaves out white space around a range.
func (o *Overlay) Trim(start, end int) (int, int) {
	for start < end && IsSpace(o.source[start]) {
		start++
	}
	for end > start && IsSpace(o.source[end-1]) {
		end--
	}
	return start, end
}

// Statement lays out an expression, which has a mark before and behind it, as a
// statement. What would start a block or a declaration is made an operand.
func (o *Overlay) Statement(start, end int) {
	start, end = o.Trim(start, end)
	if start >= end || start == 0 || end >= len(o.source) {
		return
	}
	o.Copy(start, end)
	if opensStatement(o.source[start:end]) {
		o.Put(start-1, "!")
	}
	o.Put(end, ";")
	o.entities(start, end)
}

func opensStatement(code []byte) bool {
	if code[0] == '{' {
		return true
	}
	for _, word := range []string{"function", "class", "async function"} {
		if bytes.HasPrefix(code, []byte(word)) && len(code) > len(word) && !IsWord(code[len(word)]) {
			return true
		}
	}
	return false
}

// entities replaces the character references that attributes need for operators
// and quotes.
func (o *Overlay) entities(start, end int) {
	code := o.source[start:end]
	if bytes.IndexByte(code, '&') < 0 {
		return
	}
	for _, e := range [][2]string{{"&amp;&amp;", "&&"}, {"&quot;", `"`}, {"&lt;", "<"}, {"&gt;", ">"}, {"&#39;", "'"}, {"&apos;", "'"}} {
		for from := 0; ; {
			k := bytes.Index(code[from:], []byte(e[0]))
			if k < 0 {
				break
			}
			at := start + from + k
			for i := range len(e[0]) {
				o.text[at+i] = ' '
			}
			o.Put(at, e[1])
			from += k + len(e[0])
		}
	}
}

// Pieces are the ranges that were written.
func (o *Overlay) Pieces() []lang.Piece {
	var out []lang.Piece
	for i := 0; i < len(o.set); {
		if !o.set[i] {
			i++
			continue
		}
		start := i
		for i < len(o.set) && o.set[i] {
			i++
		}
		out = append(out, lang.Piece{Start: uint32(start), Text: o.text[start:i]})
	}
	return out
}

// Scopes follows the open elements of the markup and lays out those that bind
// names as blocks.
type Scopes struct {
	overlay *Overlay
	stack   []scope
	open    map[string]int
	depth   int // of blocks
}

type scope struct {
	name string
	// block tells that a block was opened; undo is what has to be taken out
	// again if it is never closed.
	block     bool
	undo, end int
	data      int
}

// NewScopes follows the elements of an overlay's source.
func NewScopes(o *Overlay) *Scopes { return &Scopes{overlay: o, open: map[string]int{}} }

// maxBlocks bounds nested blocks.
const maxBlocks = 200

// Open notes an element without a block.
func (s *Scopes) Open(name string) { s.push(scope{name: name, data: -1}) }

// Block notes an element whose block the caller opens with the text that it puts
// at an offset; end is where that text ends. It refuses what is nested too deep.
func (s *Scopes) Block(name string, at int, text string, end, data int) bool {
	if s.depth >= maxBlocks {
		s.Open(name)
		return false
	}
	s.overlay.Put(at, text)
	s.depth++
	s.push(scope{name: name, block: true, undo: at, end: end, data: data})
	return true
}

func (s *Scopes) push(e scope) {
	s.stack = append(s.stack, e)
	s.open[e.name]++
}

// Close ends an element whose end mark takes size bytes at an offset, and those
// inside it that were never ended. It returns the data of the element, or -1.
func (s *Scopes) Close(name string, at, size int) int {
	if s.open[name] == 0 {
		return -1
	}
	put := 0
	for n := len(s.stack) - 1; n >= 0; n-- {
		e := s.stack[n]
		s.stack = s.stack[:n]
		s.open[e.name]--
		if e.block {
			s.depth--
			if put < size {
				s.overlay.Put(at+put, "}")
				put++
			} else {
				s.cancel(e)
			}
		}
		if e.name == name {
			return e.data
		}
	}
	return -1
}

// cancel takes the start of a block out.
func (s *Scopes) cancel(e scope) {
	s.overlay.Clear(e.undo, e.end)
	s.overlay.Put(e.undo, ";")
}

// Finish takes out the blocks that are still open.
func (s *Scopes) Finish() {
	for _, e := range s.stack {
		if e.block {
			s.cancel(e)
		}
	}
	s.stack = nil
}

// Edit changes what is laid out in a range; edit keeps the length.
func (o *Overlay) Edit(start, end int, edit func([]byte) []byte) {
	copy(o.text[start:end], edit(o.text[start:end]))
}

// Taken tells whether anything was written in a range, or whether it is not
// inside the source.
func (o *Overlay) Taken(start, end int) bool {
	if start < 0 || end > len(o.set) {
		return true
	}
	for _, set := range o.set[start:end] {
		if set {
			return true
		}
	}
	return false
}
