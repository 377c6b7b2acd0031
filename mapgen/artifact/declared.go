package artifact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// declarators are words that directly precede the name they declare.
var declarators = map[string]bool{
	"class": true, "const": true, "def": true, "enum": true, "fn": true, "fun": true, "func": true,
	"function": true, "interface": true, "let": true, "macro": true, "mod": true, "module": true,
	"namespace": true, "record": true, "struct": true, "trait": true, "type": true, "union": true,
	"val": true, "var": true,
}

// declaredName returns the name that a signature most likely declares, or "".
// It spares a symbol line the name when the signature shows it. Encoder and
// parser use the same function, so a wrong guess costs the encoder a few bytes
// and nothing else.
//
// The rule, which docs/FORMAT.md states: identifiers are runs of letters,
// digits, marks, _ and $. Read them from the left, skipping one parenthesised
// group directly after a declarator (a receiver). The first identifier after
// the last of the leading declarators is the name. Without a declarator before
// the first of ( [ < : = { ; , or the end, it is the last identifier before
// that.
func declaredName(sig string) string {
	last, declared := "", false
	rest := sig
	for rest != "" {
		word := identifier(rest)
		if word != "" {
			rest = rest[len(word):]
			switch {
			case declarators[word]:
				declared = true
				if group := receiver(rest); group > 0 {
					rest = rest[group:]
				}
			case declared:
				return word
			}
			last = word
			continue
		}
		if strings.IndexByte("([<:={;,", rest[0]) >= 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return last
}

// receiver measures white space and one parenthesised group at the start of s;
// 0 when there is none or it is not closed.
func receiver(s string) int {
	i := len(s) - len(strings.TrimLeft(s, " "))
	if i == len(s) || s[i] != '(' {
		return 0
	}
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func identifier(s string) string {
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '$':
		case r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.N, unicode.M):
		default:
			return s[:i]
		}
	}
	return s
}
