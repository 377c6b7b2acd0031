// Package words turns text into the normalised words that ranking counts.
//
// The same rules serve the indexer and the query, so that a word of a question
// meets the word of a source file. An identifier is split at underscores and
// case borders (parseHTTPHeader -> parse, http, header), each part lower-cased
// and stripped of the commonest English endings; a compound also counts as a
// whole, lower-cased, with a leading "=". Runs of Han, Hiragana, Katakana and
// Hangul characters, which are written without spaces, count as their pairs of
// neighbouring characters.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLength caps the bytes of a run that is looked at; longer runs are data,
// not words.
const MaxLength = 80

// WholePrefix marks a compound identifier taken as a whole.
const WholePrefix = "="

// Scan calls yield for every identifier-like run of text: letters, digits,
// underscores and combining marks, starting with a letter or an underscore.
// start is the byte offset of the run. It stops when yield returns false.
func Scan(text string, yield func(start int, run string) bool) {
	i := 0
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf && !isASCIIWord(c) {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !isWordRune(r) {
				i += n
				continue
			}
		}
		end := i
		for end < len(text) {
			c := text[end]
			if c < utf8.RuneSelf {
				if !isASCIIWord(c) {
					break
				}
				end++
				continue
			}
			r, n := utf8.DecodeRuneInString(text[end:])
			if !isWordRune(r) {
				break
			}
			end += n
		}
		if c < '0' || c > '9' {
			if !yield(i, text[i:end]) {
				return
			}
		}
		i = end
	}
}

// Split returns the words of one run in order and the compound form, which is
// "" for a run of a single word.
func Split(run string) (parts []string, whole string) {
	parts = Parts(run)
	for i, p := range parts {
		parts[i] = Stem(p)
	}
	if len(parts) > 1 || len(parts) == 1 && strings.Contains(run, "_") {
		whole = WholePrefix + strings.ToLower(run)
	}
	return parts, whole
}

// Parts returns the words of one run in order, in lower case and unstemmed.
func Parts(run string) []string {
	if len(run) > MaxLength {
		return nil
	}
	for i := 0; i < len(run); i++ {
		if run[i] >= utf8.RuneSelf {
			return splitUnicode(run)
		}
	}
	return splitASCII(run)
}

// Of returns every word of a text in order, compounds after their parts.
func Of(text string) []string {
	var out []string
	Scan(text, func(_ int, run string) bool {
		parts, whole := Split(run)
		out = append(out, parts...)
		if whole != "" {
			out = append(out, whole)
		}
		return true
	})
	return out
}

func splitASCII(run string) []string {
	var parts []string
	start := 0
	flush := func(end int) {
		if p := run[start:end]; len(p) >= 2 && !allDigits(p) {
			parts = append(parts, strings.ToLower(p))
		}
	}
	for i := 0; i < len(run); i++ {
		c := run[i]
		if c == '_' {
			flush(i)
			start = i + 1
			continue
		}
		if i > start && isUpper(c) {
			prev := run[i-1]
			afterLower := isLower(prev) || isDigit(prev)
			lastOfAcronym := isUpper(prev) && i+1 < len(run) && isLower(run[i+1])
			if afterLower || lastOfAcronym {
				flush(i)
				start = i
			}
		}
	}
	flush(len(run))
	return parts
}

func splitUnicode(run string) []string {
	var parts []string
	runes := []rune(run)
	start := 0
	flush := func(end int) {
		part := runes[start:end]
		start = end
		if len(part) == 0 {
			return
		}
		if isUnspaced(part[0]) {
			if len(part) == 1 {
				parts = append(parts, string(part))
			}
			for k := 0; k+1 < len(part); k++ {
				parts = append(parts, string(part[k:k+2]))
			}
			return
		}
		s := strings.ToLower(string(part))
		if len(part) >= 2 && !allDigits(s) {
			parts = append(parts, s)
		}
	}
	for i, r := range runes {
		if r == '_' {
			flush(i)
			start = i + 1
			continue
		}
		if i == start {
			continue
		}
		prev := runes[i-1]
		switch {
		case isUnspaced(r) != isUnspaced(prev):
			flush(i)
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev)):
			flush(i)
		case unicode.IsUpper(r) && unicode.IsUpper(prev) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			flush(i)
		}
	}
	flush(len(runes))
	return parts
}

// Stem strips plural, -ing and -ed endings and a final e, lightly enough to
// keep distinct words apart. It expects lower case and returns ASCII words of
// at most three letters and words outside ASCII as they are.
func Stem(s string) string {
	if len(s) <= 3 {
		return s
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return s
		}
	}
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"),
		strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"):
		s = s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") &&
		!strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		s = s[:len(s)-1]
	}
	cut := 0
	switch n := len(s); {
	case n > 5 && strings.HasSuffix(s, "ing") && hasVowel(s[:n-3]):
		cut = 3
	case n > 4 && strings.HasSuffix(s, "ed") && !strings.HasSuffix(s, "eed") && hasVowel(s[:n-2]):
		cut = 2
	}
	if cut > 0 {
		s = s[:len(s)-cut]
		n := len(s)
		if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
			s = s[:n-1]
		}
	}
	if n := len(s); n > 4 && s[n-1] == 'e' {
		s = s[:n-1]
	}
	return s
}

func isASCIIWord(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) || c == '_' }
func isLower(c byte) bool     { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool     { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func hasVowel(s string) bool  { return strings.ContainsAny(s, "aeiouy") }

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

func isUnspaced(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func allDigits(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
