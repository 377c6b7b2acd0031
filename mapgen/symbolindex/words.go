package symbolindex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps a string to a form that is equal for strings that differ in letter
// case only. It maps character by character, so the number of characters stays;
// each byte of invalid UTF-8 becomes U+FFFD.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	return strings.Map(foldRune, s)
}

// foldRune maps all characters that case folding makes equal to one of them,
// the lower-case ASCII letter where there is one.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToLower(r)
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

// maxWords bounds the words of a name or query that are looked at.
const maxWords = 64

// splitWords returns the folded words of a name or query, sorted, each once.
// A word is a run of letters and marks, or a run of digits; a lower-case letter
// before an upper-case one ends a word, and so does the last capital of an
// acronym before a lower-case letter (HTTPServer: http, server), unless that is
// the s of a plural (getIDs: get, ids).
func splitWords(s string) []string {
	var words []string
	runes := []rune(s)
	begin := -1
	flush := func(end int) {
		if begin >= 0 && len(words) < maxWords {
			words = append(words, fold(string(runes[begin:end])))
		}
		begin = -1
	}
	for i, r := range runes {
		switch k := kindOf(r); {
		case k == none:
			flush(i)
		case begin < 0:
			begin = i
		case k != kindOf(runes[i-1]):
			flush(i)
			begin = i
		case unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || beginsWord(runes[i+1:])):
			flush(i)
			begin = i
		}
	}
	flush(len(runes))
	slices.Sort(words)
	return slices.Compact(words)
}

// beginsWord reports whether what follows a capital makes it the first letter
// of a word rather than the last of an acronym.
func beginsWord(rest []rune) bool {
	if len(rest) == 0 || !unicode.IsLower(rest[0]) {
		return false
	}
	plural := rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
	return !plural
}

type kind uint8

const (
	none kind = iota
	letters
	digits
)

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			return letters
		case '0' <= r && r <= '9':
			return digits
		}
		return none
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letters
	case unicode.IsDigit(r):
		return digits
	}
	return none
}

// editDistance returns the least number of insertions, deletions, replacements
// and swaps of neighbours that turn a into b, where no letter is edited twice
// (optimal string alignment).
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(y)]
}
