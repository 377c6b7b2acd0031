package css

import (
	"strings"
)

// rank tells how much a rule is about a name that it selects; less is more.
type rank uint8

const (
	alone   rank = iota // the selector is the name and nothing else
	subject             // the name leads what the selector selects
	part                // the name stands elsewhere in the selector
)

// selected is a name in a selector.
type selected struct {
	name       string
	start, end int // in the text
	rank       rank
}

// selectors lists the names in a list of selectors. base replaces the "&" of a
// nested rule.
func selectors(text, base string) (names []selected, first string) {
	for start := 0; start < len(text); {
		end := start + topLevel(text[start:], ",")
		one := text[start:end]
		found := compound(one, start, base)
		if first == "" {
			first = nestedBase(found, one, base)
		}
		names = append(names, found...)
		if len(names) > 500 {
			break
		}
		start = end + 1
	}
	return names, first
}

// nestedBase is what "&" stands for inside a rule.
func nestedBase(found []selected, one, base string) string {
	for _, n := range found {
		if n.rank != part {
			return n.name
		}
	}
	if strings.HasPrefix(strings.TrimSpace(one), "&") {
		return base
	}
	return ""
}

// topLevel is the offset of the first of the bytes that stands outside of
// brackets, braces and strings, or the length of the text.
func topLevel(text, bytes string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '"', '\'':
			if k := strings.IndexByte(text[i+1:], c); k >= 0 {
				i += k + 1
			}
		case '/':
			if strings.HasPrefix(text[i:], "/*") {
				if k := strings.Index(text[i+2:], "*/"); k >= 0 {
					i += k + 3
				}
			}
		default:
			if depth == 0 && strings.IndexByte(bytes, c) >= 0 {
				return i
			}
		}
	}
	return len(text)
}

// compound lists the names of one selector, which begins at an offset of the
// text.
func compound(one string, offset int, base string) []selected {
	var names []selected
	lead := -1   // first name of the compound read last
	simples := 0 // simple selectors of the whole selector
	begin := true
	for i := 0; i < len(one); {
		c := one[i]
		switch {
		case isSpace(c) || c == '>' || c == '+' || c == '~' || c == '|':
			begin = true
			i++
		case c == '/' && strings.HasPrefix(one[i:], "/*"):
			k := strings.Index(one[i+2:], "*/")
			if k < 0 {
				return names
			}
			i += k + 4
		case c == '/' && strings.HasPrefix(one[i:], "//"):
			k := strings.IndexByte(one[i:], '\n')
			if k < 0 {
				return names
			}
			i += k
		case c == '.' || c == '#' && !strings.HasPrefix(one[i:], "#{") || c == '%':
			end := nameEnd(one, i+1)
			if end > i+1 && !isDigit(one[i+1]) {
				simples++
				if begin {
					lead = len(names)
				}
				names = append(names, selected{name: unescape(one[i:end]), start: offset + i, end: offset + end, rank: part})
			}
			begin = false
			i = max(end, i+1)
		case c == '&':
			end := nameEnd(one, i+1)
			simples++
			if begin {
				lead = -1
			}
			if end > i+1 && base != "" && base[0] != '&' {
				if begin {
					lead = len(names)
				}
				names = append(names, selected{name: unescape(base + one[i+1:end]), start: offset + i, end: offset + end, rank: part})
				begin = false
			}
			i = end
		case c == '[':
			end := len(one)
			if k := strings.IndexByte(one[i:], ']'); k >= 0 {
				end = i + k + 1
			}
			simples++
			if begin {
				lead = len(names)
				names = append(names, selected{name: one[i:end], start: offset + i, end: offset + end, rank: part})
			}
			begin = false
			i = end
		case c == ':':
			end := nameEnd(one, i+1+len(one[i+1:])-len(strings.TrimLeft(one[i+1:], ":")))
			pseudo := strings.ToLower(strings.Trim(one[i:end], ":"))
			simples++
			if begin {
				lead = -1
			}
			if begin && (pseudo == "root" || pseudo == "host" || pseudo == "export") {
				lead = len(names)
				names = append(names, selected{name: one[i:end], start: offset + i, end: offset + end, rank: part})
			}
			if end < len(one) && one[end] == '(' {
				stop := end + 1 + matching(one[end+1:])
				if in := one[end+1 : stop]; (pseudo == "global" || pseudo == "local" || pseudo == "is" || pseudo == "where" || pseudo == "host" || pseudo == "deep") && len(in) < 2000 && !strings.Contains(in, "(") {
					for start := 0; start < len(in); {
						k := start + topLevel(in[start:], ",")
						inner := compound(in[start:k], offset+end+1+start, base)
						if begin && lead < 0 && len(inner) > 0 {
							lead = len(names)
						}
						names = append(names, inner...)
						start = k + 1
					}
				}
				end = min(stop+1, len(one))
			}
			begin = false
			i = max(end, i+1)
		case isName(c) || c == '\\' || c == '#' || c == '@':
			end := max(nameEnd(one, i), i+1)
			if strings.HasPrefix(one[i:], "#{") && strings.HasSuffix(one[i:end], "}") {
				// What the place of the selector depends on, as "&".
				i = end
				continue
			}
			simples++
			if begin {
				lead = len(names)
				names = append(names, selected{name: one[i:end], start: offset + i, end: offset + end, rank: part})
			}
			begin = false
			i = end
		default:
			begin = false
			i++
		}
		if len(names) > 200 {
			break
		}
	}
	if lead >= 0 && lead < len(names) {
		names[lead].rank = subject
		if simples == 1 {
			names[lead].rank = alone
		}
	}
	return names
}

// matching is the offset of the parenthesis that closes an open one.
func matching(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// nameEnd is the end of the name at an offset, escapes and interpolations
// included.
func nameEnd(text string, at int) int {
	for at < len(text) {
		switch c := text[at]; {
		case isName(c):
			at++
		case c == '\\' && at+1 < len(text) && text[at+1] != '\n':
			at += 2
			for at < len(text) && text[at]&0xC0 == 0x80 {
				at++
			}
		case (c == '#' || c == '@') && at+1 < len(text) && text[at+1] == '{':
			k := strings.IndexByte(text[at:], '}')
			if k < 0 {
				return at
			}
			at += k + 1
		default:
			return at
		}
	}
	return at
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.ReplaceAll(s, `\`, "")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
