package sarif

import "strings"

// message is a message as it stands in a report.
type message struct {
	text, markdown, id string
	arguments          []string
}

// format fills the arguments into a template and takes doubled braces as one.
// What would be longer than most bytes is cut: a few bytes of a template can
// repeat a long argument many times.
func format(template string, arguments []string, most int) string {
	var b strings.Builder
	for len(template) > 0 && b.Len() <= most {
		n := strings.IndexAny(template, "{}")
		if n < 0 {
			b.WriteString(template)
			break
		}
		b.WriteString(template[:n])
		template = template[n:]
		if len(template) > 1 && template[1] == template[0] {
			b.WriteByte(template[0])
			template = template[2:]
			continue
		}
		if i, size := placeholder(template); size > 0 && i < len(arguments) {
			b.WriteString(arguments[i])
			template = template[size:]
			continue
		}
		b.WriteByte(template[0])
		template = template[1:]
	}
	return cut(b.String(), most)
}

// placeholder reads {N} at the beginning of a template; size is 0 where there is
// none.
func placeholder(s string) (index, size int) {
	i := 1
	for i < len(s) && i < 5 && s[i] >= '0' && s[i] <= '9' {
		index = index*10 + int(s[i]-'0')
		i++
	}
	if s[0] != '{' || i == 1 || i == len(s) || s[i] != '}' {
		return 0, 0
	}
	return index, i + 1
}

// unlink leaves of [text](1), a link to a related location, the text. Links to
// pages stay.
func unlink(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	var b strings.Builder
	for {
		middle := strings.Index(s, "](")
		if middle < 0 {
			break
		}
		digits := middle + 2
		for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
			digits++
		}
		open := strings.LastIndexByte(s[:middle], '[')
		if open < 0 || digits == middle+2 || digits == len(s) || s[digits] != ')' || open > 0 && s[open-1] == '\\' {
			b.WriteString(s[:middle+2])
			s = s[middle+2:]
			continue
		}
		b.WriteString(s[:open])
		b.WriteString(s[open+1 : middle])
		s = s[digits+1:]
	}
	b.WriteString(s)
	return b.String()
}

// cut shortens a text to about most bytes, between characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return strings.TrimSuffix(s[:n], "…") + "…"
}
