// Package idl holds what the readers of interface definition languages share:
// tokens with the comments around them, and an outline that drops members
// before definitions where a file holds too many. It knows no keywords.
//
// Own scanners read these languages because the grammars that ship know only
// proto3 (no editions, no extensions of proto2) or do not exist, and because a
// token-wise reader resumes behind any damage.
package idl

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxAbove bounds the comments that are joined to one text.
const maxAbove = 300

// Kind is the kind of a token.
type Kind uint8

const (
	End    Kind = iota // behind the last token
	Word               // identifier or keyword
	Number             // starts with a digit
	String             // with its quotes
	Punct              // one byte
)

// Token is a range of the source. Comment is the index behind the last comment
// before the token; First marks the first token of its line, Flush one at the
// line's very start.
type Token struct {
	Kind         Kind
	First, Flush bool
	Start, End   uint32
	Comment      int32
}

// Syntax tells how comments and strings look. // and /* */ are comments unless
// Hash is the only mark.
type Syntax struct {
	Slash bool // // and /* */
	Hash  bool // #
	Block bool // """ … """
	// Inside are bytes that words hold besides letters, digits and _.
	Inside string
}

// Comment is a comment with its marks. First marks one with nothing but white
// space before it on its line.
type Comment struct {
	Span  facts.Span
	First bool
}

// Tokens is a text split into tokens.
type Tokens struct {
	Source   []byte
	All      []Token
	Comments []Comment
	// Balanced tells whether brackets of each kind open as often as they close
	// and never close before they open.
	Balanced bool
}

// Scan splits a text. A string ends with its line at the latest, a block
// comment that is never closed too, so damage costs a line.
func Scan(src []byte, syn Syntax) *Tokens {
	t := &Tokens{Source: src, Balanced: true}
	var depth [3]int  // of () [] {}
	unclosed := false // no */ follows
	openBlock := false
	first, lineStart := true, 0
	add := func(k Kind, from, to int) {
		t.All = append(t.All, Token{
			Kind: k, First: first, Flush: from == lineStart,
			Start: uint32(from), End: uint32(to), Comment: int32(len(t.Comments)),
		})
		first = false
	}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			i++
			first, lineStart = true, i
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case i == 0 && bytes.HasPrefix(src, []byte("\ufeff")):
			i += 3
			lineStart = i
		case c == '#' && syn.Hash, c == '/' && syn.Slash && i+1 < len(src) && src[i+1] == '/':
			end := lineEnd(src, i)
			t.Comments = append(t.Comments, Comment{facts.Span{Start: uint32(i), End: uint32(end)}, first})
			i = end
		case c == '/' && syn.Slash && i+1 < len(src) && src[i+1] == '*':
			k := -1
			if !unclosed {
				k = bytes.Index(src[i+2:], []byte("*/"))
				unclosed = k < 0
			}
			if k < 0 {
				i = lineEnd(src, i)
				continue
			}
			t.Comments = append(t.Comments, Comment{facts.Span{Start: uint32(i), End: uint32(i + k + 4)}, first})
			i += k + 4
		case c == '"' && syn.Block && !openBlock && bytes.HasPrefix(src[i:], []byte(`"""`)):
			end := blockEnd(src, i+3)
			if end < 0 {
				openBlock = true
				i += 3
				continue
			}
			add(String, i, end)
			if k := bytes.LastIndexByte(src[i:end], '\n'); k >= 0 {
				lineStart = i + k + 1
			}
			i = end
		case c == '"' || c == '\'':
			end := stringEnd(src, i)
			add(String, i, end)
			i = end
		case isWord(c, syn.Inside):
			from := i
			for i < len(src) && isWord(src[i], syn.Inside) {
				i++
			}
			k := Word
			if c >= '0' && c <= '9' {
				k = Number
			}
			add(k, from, i)
		default:
			if k := strings.IndexByte("()[]{}", c); k >= 0 {
				depth[k/2] += 1 - 2*(k%2)
				if depth[k/2] < 0 {
					t.Balanced = false
				}
			}
			add(Punct, i, i+1)
			i++
		}
	}
	if depth != [3]int{} {
		t.Balanced = false
	}
	return t
}

func isWord(c byte, inside string) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 ||
		inside != "" && strings.IndexByte(inside, c) >= 0
}

func lineEnd(src []byte, at int) int {
	if k := bytes.IndexByte(src[at:], '\n'); k >= 0 {
		at += k
	} else {
		at = len(src)
	}
	if at > 0 && src[at-1] == '\r' {
		at--
	}
	return at
}

func stringEnd(src []byte, at int) int {
	for k := at + 1; k < len(src); k++ {
		switch src[k] {
		case '\\':
			if k+1 < len(src) && src[k+1] != '\n' && src[k+1] < 0x80 {
				k++
			}
		case '\n':
			return k
		case src[at]:
			return k + 1
		}
	}
	return len(src)
}

func blockEnd(src []byte, at int) int {
	for at < len(src) {
		k := bytes.Index(src[at:], []byte(`"""`))
		if k < 0 {
			return -1
		}
		if k == 0 || src[at+k-1] != '\\' {
			return at + k + 3
		}
		at += k + 3
	}
	return -1
}

// At is the token at an index; one of kind End behind the last.
func (t *Tokens) At(i int) Token {
	if i >= 0 && i < len(t.All) {
		return t.All[i]
	}
	n := uint32(len(t.Source))
	return Token{Kind: End, First: true, Start: n, End: n, Comment: int32(len(t.Comments))}
}

// Text is a token as written.
func (t *Tokens) Text(i int) string {
	k := t.At(i)
	return string(t.Source[k.Start:k.End])
}

// Is tells whether the token is the given punctuation or word.
func (t *Tokens) Is(i int, s string) bool {
	k := t.At(i)
	return int(k.End-k.Start) == len(s) && k.Kind != String && string(t.Source[k.Start:k.End]) == s
}

// Unquote is a string token without its quotes.
func (t *Tokens) Unquote(i int) string {
	s := t.Text(i)
	for _, q := range []string{`"""`, `"`, "'"} {
		if strings.HasPrefix(s, q) {
			return strings.TrimSuffix(s[len(q):], q)
		}
	}
	return s
}

// Between is the text from one token up to another, which is left out, on one
// line and without the comments in it.
func (t *Tokens) Between(from, to int) string {
	const kept = 2000
	var b strings.Builder
	for i := from; i < to && i < len(t.All) && b.Len() < kept; i++ {
		k := t.All[i]
		if i > from && t.All[i-1].End < k.Start {
			b.WriteByte(' ')
		}
		b.Write(t.Source[k.Start:min(k.End, k.Start+kept)])
	}
	return strings.ToValidUTF8(b.String(), "")
}

// Skip is the index behind the bracket that closes the one at i, of any of the
// kinds ( [ {. One that is never closed ends where a statement at the level of
// the file must start, as told by resume, which may be nil.
func (t *Tokens) Skip(i int, resume func(i int) bool) int {
	depth := 0
	for ; i < len(t.All); i++ {
		k := t.All[i]
		if depth > 0 && resume != nil && resume(i) {
			return i
		}
		if k.Kind != Punct {
			continue
		}
		switch t.Source[k.Start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return i
}

// Above is the comment that ends on the line above the token or on its own, ""
// where a blank line stands between or where there is none.
func (t *Tokens) Above(i int) string {
	k := t.At(i)
	n := int(k.Comment)
	low := 0
	if i > 0 {
		low = int(t.At(i - 1).Comment)
	}
	from, below := n, k.Start
	for from > low && n-from < maxAbove {
		c := t.Comments[from-1]
		if !c.First || bytes.Count(t.Source[c.Span.End:below], []byte("\n")) > 1 {
			break
		}
		from--
		below = c.Span.Start
	}
	return t.text(from, n)
}

// Behind is the comment that stands behind the token on its line.
func (t *Tokens) Behind(i int) string {
	k := t.At(i + 1)
	n := int(t.At(i).Comment)
	if n >= len(t.Comments) || n >= int(k.Comment) && k.Kind != End {
		return ""
	}
	c := t.Comments[n]
	if c.First || c.Span.Start < t.At(i).End || bytes.IndexByte(t.Source[t.At(i).End:c.Span.Start], '\n') >= 0 {
		return ""
	}
	return t.text(n, n+1)
}

// Header is the first block of comments before the token that is no licence
// and no directive, and does not belong to the token itself.
func (t *Tokens) Header(before int) string {
	n := int(t.At(before).Comment)
	own := t.Above(before)
	for from := 0; from < n; {
		to := from + 1
		for to < n && t.Comments[to].First && bytes.Count(t.Source[t.Comments[to-1].Span.End:t.Comments[to].Span.Start], []byte("\n")) <= 1 {
			to++
		}
		text := t.text(from, to)
		if t.Comments[from].First && len(text) > 12 && text != own && !lang.LooksLikeLicense(text) && !directive(text) {
			return text
		}
		from = to
		if from > 50 {
			break
		}
	}
	return ""
}

func directive(s string) bool {
	for _, p := range []string{"[START", "[END", "buf:", "@generated", "clang-format", "LINT", "prettier", "TODO", "import ", "Code generated", "!"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func (t *Tokens) text(from, to int) string {
	const kept = 1500
	var parts []string
	n := 0
	for _, c := range t.Comments[from:to] {
		raw := t.Source[c.Span.Start:min(c.Span.End, c.Span.Start+kept)]
		parts = append(parts, lang.CleanComment(strings.ToValidUTF8(string(raw), "")))
		if n += len(raw); n > kept {
			break
		}
	}
	return strings.TrimSpace(strings.Trim(strings.Join(parts, "\n"), "-=#*/ \r\n"))
}

// EachComment calls f with the comments, until it has seen limit of them.
func (t *Tokens) EachComment(limit int, f func(text string, at uint32)) {
	for i := range t.Comments[:min(limit, len(t.Comments))] {
		f(t.text(i, i+1), t.Comments[i].Span.Start)
	}
}
