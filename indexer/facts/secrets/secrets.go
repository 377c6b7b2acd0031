// Package secrets replaces known shapes of credentials in a text before
// anything is extracted from it, so that no fact, artifact, index or page ever
// holds one.
//
// A mask has the length of what it hides: byte offsets, line breaks and the
// marks that tell the shape (prefix, separators) stay. Three sorts of evidence
// count: a token with a prefix of its own, a form around the secret (PEM
// block, user information of a URL), and a random-looking value assigned to a
// name that says what it is. Digests, object ids, UUIDs and lock files are none
// of these and stay as they are.
package secrets

import (
	"bytes"
	"unsafe"
)

// mark takes the place of every hidden byte.
const mark = 'x'

// Mask hides the secrets of a text. It returns the text itself and false when
// there is nothing to hide, otherwise a copy of the same length and true. It is
// linear in the length of the text and never changes its argument, and masking
// twice gives what masking once gives.
func Mask(text []byte) ([]byte, bool) {
	m := masker{in: text}
	m.scan()
	if m.out == nil {
		return text, false
	}
	return m.out, true
}

// MaskString is Mask for a string.
func MaskString(s string) string {
	// The masker only reads its input.
	out, changed := Mask(unsafe.Slice(unsafe.StringData(s), len(s)))
	if !changed {
		return s
	}
	return string(out)
}

type masker struct {
	in  []byte
	out []byte // nil until something differs
	// runs remembers, for each part of a dotted token, the last run of
	// base64url bytes, so that overlapping attempts stay linear.
	runs [3]run
}

type run struct{ start, end int }

// hide masks a range except line breaks.
func (m *masker) hide(start, end int) {
	for i := start; i < end; i++ {
		m.hideByte(i)
	}
}

func (m *masker) hideByte(i int) {
	c := m.in[i]
	if c == mark || c == '\n' || c == '\r' {
		return
	}
	if m.out == nil {
		m.out = bytes.Clone(m.in)
	}
	m.out[i] = mark
}

// hideWords masks the letters and digits of a range and keeps the rest.
func (m *masker) hideWords(start, end int) {
	for i := start; i < end; i++ {
		if class[m.in[i]]&alnum != 0 {
			m.hideByte(i)
		}
	}
}

// scan visits every start of a word and the few other bytes that can announce
// a secret.
func (m *masker) scan() {
	text := m.in
	for i := 0; i < len(text); {
		c := class[text[i]]
		if c&word != 0 {
			end := i
			if c&first != 0 {
				end = m.token(i)
			}
			if end <= i {
				end = i + 1
			}
			for end < len(text) && class[text[end]]&word != 0 {
				end++
			}
			i = end
			continue
		}
		if c&trigger == 0 {
			i++
			continue
		}
		switch text[i] {
		case '\\':
			// The letter of an escape is no part of the word behind it.
			if i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 't' || text[i+1] == 'r') {
				i++
			}
			i++
		case '-':
			i = m.privateKey(i)
		case ':', '=':
			i = m.assignment(i)
		}
	}
}

// Classes of bytes.
const (
	word      = 1 << iota // part of a word: ASCII letter, digit, underscore
	alnum                 // ASCII letter or digit
	digit                 // decimal digit
	hexLower              // 0-9 a-f
	upperNum              // A-Z 0-9
	base64url             // alnum, - and _
	base64std             // alnum, + and /
	first                 // first byte of a token with a prefix
	trigger               // other byte that can announce a secret
)

var class = func() (t [256]uint16) {
	for i := range t {
		c := byte(i)
		lower, upper, num := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
		if lower || upper || num {
			t[i] |= word | alnum | base64url | base64std
		}
		if num {
			t[i] |= digit | hexLower | upperNum | first
		}
		if c >= 'a' && c <= 'f' {
			t[i] |= hexLower
		}
		if upper {
			t[i] |= upperNum
		}
	}
	t['_'] |= word | base64url
	t['-'] |= base64url | trigger
	t['+'] |= base64std
	t['/'] |= base64std
	for _, c := range []byte(":=\\") {
		t[c] |= trigger
	}
	for _, c := range []byte("eMNOS") {
		t[c] |= first
	}
	for _, s := range shapes {
		t[s.prefix[0]] |= first
	}
	return t
}()
