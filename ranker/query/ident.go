package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIdent is the longest identifier taken, in bytes; longer runs are encoded
// data.
const maxIdent = 100

// nextIdent returns the bounds of the first identifier of s at or after from,
// or ok false. An identifier is made of letters, digits, marks and "_", does not
// start with a digit, and does not mix ASCII with a script that is written
// without spaces: prose of those glues to symbols.
func nextIdent(s string, from int) (start, end int, ok bool) {
	i := from
	for i < len(s) {
		r, w := decode(s, i)
		if isIdentStart(r) {
			break
		}
		i += w
		if isDigit(byte(r)) && r < 0x80 { // 0x1f, 12px: no identifier inside
			for i < len(s) && isWordByte(s[i]) && s[i] < 0x80 {
				i++
			}
		}
	}
	if i >= len(s) {
		return 0, 0, false
	}
	return i, identEnd(s, i), true
}

// identEnd returns the end of the identifier that starts at i.
func identEnd(s string, i int) int {
	r, w := decode(s, i)
	glued := isGlued(r)
	i += w
	for i < len(s) {
		r, w = decode(s, i)
		if !isIdentPart(r) || r >= 0x80 != glued && (glued || isGlued(r)) {
			break
		}
		i += w
	}
	return i
}

func decode(s string, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isIdentStart(r rune) bool {
	if r < 0x80 {
		return isAlpha(byte(r)) || r == '_'
	}
	return unicode.IsLetter(r)
}

func isIdentPart(r rune) bool {
	if r < 0x80 {
		return isAlpha(byte(r)) || isDigit(byte(r)) || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isGlued reports whether r belongs to a script written without spaces.
func isGlued(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー'
}

// hasCodeShape reports whether a word is spelt as only symbols are: snake_case,
// camelCase, or PascalCase of several words.
func hasCodeShape(s string) bool {
	t := strings.Trim(s, "_")
	if t == "" {
		return false
	}
	if strings.HasPrefix(s, "__") || strings.IndexByte(t, '_') >= 0 {
		return true
	}
	for i := 1; i < len(t); i++ {
		if isUpper(t[i]) && (isLower(t[i-1]) || isDigit(t[i-1])) {
			return true
		}
		// HTTPServer: an acronym followed by a word.
		if i >= 2 && isLower(t[i]) && isUpper(t[i-1]) && isUpper(t[i-2]) && i+1 < len(t) && isLower(t[i+1]) {
			return true
		}
	}
	return false
}

// isHash reports whether a word is a hexadecimal digest rather than a name.
func isHash(s string) bool {
	if len(s) < 7 {
		return false
	}
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case c >= 'a' && c <= 'f':
		default:
			return false
		}
	}
	return digits >= 2
}

// identifiers records the identifiers of s. With code set every one of them is
// code-like.
func (p *parser) identifiers(s string, seg Segment, code bool) {
	for i := 0; ; {
		a, b, ok := nextIdent(s, i)
		if !ok {
			return
		}
		i = b
		w := s[a:b]
		if len(w) > maxIdent || utf8.RuneCountInString(w) < 2 || isHash(w) || strings.Trim(w, "_") == "" {
			continue
		}
		shape := hasCodeShape(w)
		codeLike := code || shape || b < len(s) && s[b] == '('
		if !codeLike && utf8.RuneCountInString(w) < 3 {
			continue
		}
		if isStopWord(w) || !code && !shape && isStopWord(strings.ToLower(w)) {
			continue
		}
		k, seen := p.identAt[w]
		if !seen {
			k = len(p.q.Identifiers)
			p.identAt[w] = k
			p.q.Identifiers = append(p.q.Identifiers, Identifier{Name: w})
		}
		id := &p.q.Identifiers[k]
		id.Counts[seg]++
		id.CodeLike = id.CodeLike || codeLike
	}
}
