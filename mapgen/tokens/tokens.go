// Package tokens estimates how many tokens a language model's tokenizer makes
// of a text, so that budgets can be kept without any tokenizer's tables.
//
// The estimate follows the shape of today's byte-pair tokenizers: the text
// falls into runs (words, digits, punctuation, white space, other scripts),
// each run costs something to start and something for each further character.
// The costs were fitted to o200k_base on source code in several languages,
// configuration, prose, minified scripts, hexadecimal digests and messages in
// nineteen human languages, then raised so that it errs to the high side.
//
// How it errs, measured over texts of 1 KB to 256 KB: against o200k_base and
// cl100k_base the estimate is 0.9 to 1.3 times the exact count of source code,
// configuration and English prose (in the middle 1.13 and 1.16 times), 0.79 to
// 1.2 times that of minified text, digests and base64. Texts all in capitals,
// such as licences and SQL, come out at up to 2.1 times. Of other languages and
// scripts it is 0.95 to 1.75 times the count of o200k_base, and 0.45 to 1.05
// times that of cl100k_base, which knows fewer of them. Single short strings can
// be off by a few tokens. The tables are in docs/packs.md, the program that makes
// them is benchmarks/packs, and its test holds the estimate to these bounds.
package tokens

import "unicode/utf8"

// Costs in hundredths of a token.
//
// Estimate(a+b) <= Estimate(a)+Estimate(b) rests on two rules: joining two
// texts may only merge runs, which drops a start cost, and whatever a character
// costs at the beginning or end of a text is the most it costs in any context.
// Longer words cost more a letter than short ones, which is sound because
// costOver*wordFree <= costWord: what the right half pays for having become
// the tail of a long word is never more than the start it no longer pays.
const (
	scale = 100

	costWord   = 120 // start of a word; also at a lower-to-upper case border
	costLetter = 3   // each letter of a word
	costOver   = 15  // each lower-case letter after the first wordFree since a case border
	wordFree   = 8
	costUpper  = 53 // each upper-case letter that continues upper-case letters
	costAccent = 90

	costDigits = 110 // each group of three digits
	costPunct  = 32  // start of punctuation, which often merges with its neighbours
	costApart  = 100 // start of punctuation after a blank or at the beginning
	costMixed  = 17  // a further, different punctuation character
	costRepeat = 4   // the same punctuation character again (rules, borders)

	costLine      = 100 // line breaks, each lineGroup of them
	costLinePunct = 65  // line breaks that merge with the punctuation before
	lineGroup     = 16
	costBlank     = 100 // blanks, each blankGroup of them beyond the one that
	blankGroup    = 64  // merges with the word after
	costBlankNum  = 65  // a single blank before a digit, which merges less

	costHan    = 88
	costKana   = 78
	costHangul = 86
	costOther  = 150 // symbols, emoji, rare scripts, each byte of invalid UTF-8
)

type class uint8

const (
	start class = iota // before the first character
	lower
	upper
	letter // of another alphabet
	digit
	punct
	blank
	line
	other
)

// asciiClass maps each ASCII character to its class.
var asciiClass = func() (t [utf8.RuneSelf]class) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == '\n' || c == '\r':
			t[c] = line
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			t[c] = blank
		case c < ' ' || c == 0x7f:
			t[c] = other
		default:
			t[c] = punct
		}
	}
	return t
}()

// Estimate returns the estimated number of tokens of s; 0 for the empty string
// and at least 1 for any other. It is an estimate, not a count: see the package
// documentation for how it errs. It is deterministic, and
//
//	Estimate(a+b) <= Estimate(a) + Estimate(b)
//
// for all strings, so parts that fit a budget one by one fit it together.
func Estimate(s string) int {
	var (
		units int
		prev  = start
		last  byte // the character before, when it was punctuation
		n     int  // length of the current run in characters
	)
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			cost, alphabetic := runeCost(r, size)
			units += cost
			if !alphabetic {
				prev = other
				continue
			}
			if !isWord(prev) {
				units += costWord
				n = 0
			}
			n++
			prev = letter
			continue
		}
		i++
		k := asciiClass[c]
		switch k {
		case lower:
			if !isWord(prev) {
				units += costWord
				n = 0
			}
			units += costLetter
			if n++; n > wordFree {
				units += costOver
			}
		case upper:
			if prev == upper {
				units += costUpper
			} else {
				units += costWord
			}
			units += costLetter
			n = 0 // an upper-case letter before must not make the letters after it dearer
		case digit:
			if prev != digit {
				n = 0
			}
			if n%3 == 0 {
				units += costDigits
			}
			n++
		case punct:
			switch {
			case prev == blank || prev == start:
				units += costApart
			case prev != punct:
				units += costPunct
			case c == last:
				units += costRepeat
			default:
				units += costMixed
			}
			last = c
		case line:
			if prev != line {
				n = 0
			}
			switch {
			case n == 0 && prev == punct:
				units += costLinePunct
			case n%lineGroup == 0:
				units += costLine
			}
			n++
		case blank:
			from := i - 1
			for i < len(s) && s[i] < utf8.RuneSelf && asciiClass[s[i]] == blank {
				i++
			}
			units += blankCost(s[i:], i-from)
		default:
			units += costOther
		}
		prev = k
	}
	return (units + scale - 1) / scale
}

func isWord(k class) bool { return k == lower || k == upper || k == letter }

// blankCost returns the cost of n blanks before rest.
func blankCost(rest string, n int) int {
	if rest == "" {
		return groups(n, blankGroup) * costBlank
	}
	next := other
	if rest[0] < utf8.RuneSelf {
		next = asciiClass[rest[0]]
	}
	switch {
	case next == line:
		return 0
	case n > 1:
		return groups(n-1, blankGroup) * costBlank
	case next == digit:
		return costBlankNum
	}
	return 0
}

func groups(n, size int) int { return (n + size - 1) / size }

// runeCost returns the cost of a character outside ASCII, and whether it is
// part of a word in an alphabet whose words are made of several letters.
func runeCost(r rune, size int) (cost int, alphabetic bool) {
	switch {
	case r == utf8.RuneError && size == 1:
		return costOther, false
	case r < 0xC0:
		return costOther, false
	case r < 0x250: // Latin with diacritics
		return costAccent, true
	case r < 0x370:
		return costOther, false
	case r < 0x400: // Greek
		return 25, true
	case r < 0x530: // Cyrillic
		return 25, true
	case r < 0x590: // Armenian
		return 60, true
	case r < 0x600: // Hebrew
		return 25, true
	case r < 0x780: // Arabic, Syriac
		return 25, true
	case r < 0x900:
		return costOther, false
	case r < 0xE00: // Indic scripts
		return 28, true
	case r < 0xE80: // Thai
		return 45, true
	case r < 0x1100: // Lao, Tibetan, Burmese, Georgian
		return 90, true
	case r >= 0x1E00 && r < 0x1F00: // Latin with two diacritics
		return costAccent, true
	case r >= 0x1F00 && r < 0x2000: // Greek with diacritics
		return costAccent, true
	case r >= 0x3040 && r < 0x3100:
		return costKana, false
	case r >= 0x3000 && r < 0x3040, r >= 0xFF00 && r < 0xFFF0: // CJK punctuation, full width
		return costHan, false
	case r >= 0x3400 && r < 0xA000:
		return costHan, false
	case r >= 0xAC00 && r < 0xD7B0:
		return costHangul, false
	}
	return costOther, false
}
