// Package plaintext turns text that comes from a repository, and is therefore
// untrusted, into text that is safe to put on one line of a page or on a
// terminal.
//
// Two kinds of text are treated differently. Prose (documentation, summaries)
// is cleaned by [Line]: what cannot be seen is removed for good, then
// [Markdown] escapes what a Markdown reader would act on. Names (files,
// symbols, signatures) have to come back exactly, so [Code] puts them into a
// code span and writes what cannot be seen as visible escapes; [CutCode] is its
// inverse. [Link] and [Unlink] do the same for relative link destinations.
package plaintext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ellipsis ends a text that was cut short.
const Ellipsis = "…"

// Invisible reports whether r is drawn as nothing, or changes how its
// neighbours are drawn or ordered: control and format characters (bidi
// overrides, zero-width characters, byte order mark, tags), line separators,
// fillers and supplementary variation selectors. Ordinary white space counts;
// the space itself does not. Arabic and similar number signs are format
// characters by category, but they have a shape and are visible.
func Invisible(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x7f:
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x0600 && r <= 0x0605, r == 0x06dd, r == 0x070f, r == 0x0890, r == 0x0891, r == 0x08e2, r == 0x110bd, r == 0x110cd:
		return false
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true
	case r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Line returns s as one line of at most max runes (no limit when max <= 0).
// Terminal escape sequences and invisible characters are removed, invalid UTF-8
// becomes U+FFFD, runs of white space become one space, and the ends are
// trimmed. A text that is too long is cut, at a word's end if one is near, and
// ends in [Ellipsis], which counts. Line is idempotent.
func Line(s string, max int) string {
	if isLine(s) && (max <= 0 || len(s) <= max) {
		return s
	}
	var b strings.Builder
	var runes int
	space := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == 0x1b || r == 0x9b || r == 0x9d || r == 0x90 || r >= 0x9e && r <= 0x9f || r == 0x98 {
			i += escapeLen(s[i:], r, size)
			continue
		}
		i += size
		switch {
		case unicode.IsSpace(r) || r == 0x2028 || r == 0x2029:
			space = true
			continue
		case Invisible(r):
			continue
		}
		if space && runes > 0 {
			b.WriteByte(' ')
			runes++
		}
		space = false
		b.WriteRune(r) // RuneError for invalid bytes
		runes++
		if max > 0 && runes > max {
			return cut(b.String(), max)
		}
	}
	return b.String()
}

// isLine reports whether s is ASCII that Line would leave alone; most text is.
func isLine(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && space {
			return false
		}
		space = s[i] == ' '
	}
	return s == "" || !space
}

// escapeLen measures the terminal escape sequence at the start of s, whose
// first rune is first. Sequences are bounded, so that an unterminated one costs
// at most its introducer and cannot swallow the rest of the text.
func escapeLen(s string, first rune, size int) int {
	const longest = 256
	n := size
	introducer := first
	if first == 0x1b {
		if n >= len(s) {
			return n
		}
		switch s[n] {
		case '[':
			introducer = 0x9b
		case ']', 'P', 'X', '^', '_':
			introducer = 0x9d
		default:
			for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
				n++
			}
			if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
				n++
			}
			return n
		}
		n++
	}
	begin := n
	if introducer == 0x9b {
		for n < len(s) && n-begin < longest && s[n] >= 0x20 && s[n] <= 0x3f {
			n++
		}
		if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
			return n + 1
		}
		return begin
	}
	for ; n < len(s) && n-begin < longest; n++ {
		switch {
		case s[n] == 0x07:
			return n + 1
		case s[n] == 0x1b && n+1 < len(s) && s[n+1] == '\\':
			return n + 2
		case s[n] == 0xc2 && n+1 < len(s) && s[n+1] == 0x9c:
			return n + 2
		case s[n] == '\n':
			return begin
		}
	}
	return begin
}

// cut shortens s, a clean line of more than max runes, to at most max.
func cut(s string, max int) string {
	keep := []rune(s)
	// A base character stays with the marks that combine with it.
	end := max - 1
	for end > 0 && unicode.Is(unicode.M, keep[end]) {
		end--
	}
	head := string(keep[:end])
	if word := strings.LastIndexByte(head, ' '); keep[end] != ' ' && word >= len(head)*2/3 {
		head = head[:word]
	}
	return strings.TrimRight(head, " ,;:.-") + Ellipsis
}

// Terminal returns s for printing to a terminal. New lines and tabs stay; every
// other character that cannot be seen is shown as a Go escape such as \x1b or
// \u202e, and so is invalid UTF-8.
func Terminal(s string) string {
	clean := true
	for i, r := range s {
		if r == '\n' || r == '\t' {
			continue
		}
		if Invisible(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x`)
			b.WriteString(hex2(s[i]))
		case r == '\n' || r == '\t' || !Invisible(r):
			b.WriteString(s[i : i+size])
		default:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
		i += size
	}
	return b.String()
}

func hex2(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func isWordRune(r rune) bool {
	return r < utf8.RuneSelf && isAlnum(byte(r)) || r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.N, unicode.M)
}
