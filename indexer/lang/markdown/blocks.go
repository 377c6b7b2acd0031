package markdown

import (
	"bytes"
	"strings"
)

// indentation is the width of the white space before the text of a line, tabs
// to the next multiple of four, and the text.
func indentation(text []byte) (int, []byte) {
	width := 0
	for i, c := range text {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width, bytes.TrimRight(text[i:], " \t")
		}
	}
	return width, nil
}

// fence is an open block of code.
type fence struct {
	mark   byte
	length int // of the opening run; 0 for none
	indent int
	quote  int // depth of quotation it stands in
}

// unquote strips the marks of quotations.
func unquote(text []byte) (depth int, rest []byte) {
	for {
		indent, body := indentation(text)
		if indent > 3 || len(body) == 0 || body[0] != '>' {
			return depth, text
		}
		depth++
		text = bytes.TrimPrefix(body[1:], []byte(" "))
	}
}

// opens tells the fence that a line opens, or one of no length.
func opens(text []byte) fence {
	quote, rest := unquote(text)
	indent, body := indentation(rest)
	// "- ```" opens a fence inside an item.
	for isItem(body) {
		k := bytes.IndexAny(body, " \t")
		if k < 0 {
			break
		}
		inner, rest := indentation(body[k:])
		indent += k + inner
		body = rest
	}
	n := run(body)
	if n < 3 || body[0] != '`' && body[0] != '~' || body[0] == '`' && bytes.IndexByte(body[n:], '`') >= 0 {
		return fence{}
	}
	return fence{mark: body[0], length: n, indent: indent, quote: quote}
}

func run(body []byte) int {
	n := 0
	for n < len(body) && body[n] == body[0] {
		n++
	}
	return n
}

func (f fence) closes(text []byte) bool {
	quote, rest := unquote(text)
	if quote < f.quote {
		return false
	}
	if f.quote == 0 {
		rest = text
	}
	_, body := indentation(rest)
	n := run(body)
	return n >= f.length && n > 0 && body[0] == f.mark && n == len(body)
}

// leaves tells whether a line stands outside of the quotation or list item
// that holds the fence, which ends it.
func (f fence) leaves(text []byte) bool {
	if f.quote > 0 {
		quote, _ := unquote(text)
		return quote == 0
	}
	if f.indent < 4 {
		return false
	}
	indent, body := indentation(text)
	return len(body) > 0 && indent == 0 && (isItem(body) || body[0] == '#')
}

type textRange struct{ from, to int }

// atx reads "## Name ##"; the range is that of the name in body.
func atx(body []byte) (level int, name textRange, ok bool) {
	if body[0] != '#' {
		return 0, name, false
	}
	level = run(body)
	if level > 6 || level < len(body) && body[level] != ' ' && body[level] != '\t' {
		return 0, name, false
	}
	rest := body[level:]
	trimmed := bytes.TrimLeft(rest, " \t")
	name.from = len(body) - len(trimmed)
	// A closing run of # counts only after white space.
	if cut := bytes.TrimRight(trimmed, "#"); len(cut) == 0 || cut[len(cut)-1] == ' ' || cut[len(cut)-1] == '\t' {
		trimmed = bytes.TrimRight(cut, " \t")
	}
	// {#id} and {.class} are attributes.
	if n := len(trimmed); n > 0 && trimmed[n-1] == '}' {
		if k := bytes.LastIndex(trimmed, []byte(" {")); k >= 0 && k+2 < n && strings.IndexByte("#.:", trimmed[k+2]) >= 0 {
			trimmed = bytes.TrimRight(trimmed[:k], " \t")
		}
	}
	name.to = name.from + len(trimmed)
	return level, name, true
}

// htmlHeading reads "<h1 align=center>Name</h1>" on one line.
func htmlHeading(body []byte) (level int, name textRange, ok bool) {
	if len(body) < 9 || body[0] != '<' || body[1]|0x20 != 'h' || body[2] < '1' || body[2] > '6' || body[3] != '>' && body[3] != ' ' {
		return 0, name, false
	}
	from := bytes.IndexByte(body, '>') + 1
	to := bytes.LastIndex(body, []byte("</"))
	if from == 0 || to < from || to+4 > len(body) || body[to+2]|0x20 != 'h' || body[to+3] != body[2] {
		return 0, name, false
	}
	return int(body[2] - '0'), textRange{from, to}, true
}

// underline is the level that a line below a paragraph makes it a heading of.
func underline(body []byte) int {
	if run(body) != len(body) {
		return 0
	}
	switch {
	case body[0] == '=':
		return 1
	case body[0] == '-':
		return 2
	}
	return 0
}

func isRule(body []byte) bool {
	if c := body[0]; c != '-' && c != '*' && c != '_' {
		return false
	}
	n := 0
	for _, c := range body {
		switch c {
		case body[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// isItem tells a line that starts an item of a list.
func isItem(body []byte) bool {
	if len(body) == 0 {
		return false
	}
	i := 0
	switch c := body[0]; {
	case c == '-' || c == '*' || c == '+':
		i = 1
	case c >= '0' && c <= '9':
		for i < len(body) && i < 9 && body[i] >= '0' && body[i] <= '9' {
			i++
		}
		if i == len(body) || body[i] != '.' && body[i] != ')' {
			return false
		}
		i++
	default:
		return false
	}
	return i == len(body) || body[i] == ' ' || body[i] == '\t'
}

// definition tells "[id]: target".
func definition(body []byte) bool {
	if body[0] != '[' {
		return false
	}
	k := bytes.Index(body, []byte("]:"))
	return k > 1
}

// htmlBlock tells the text that ends a block whose content is no Markdown, and
// what follows the opening on its line.
func htmlBlock(body []byte) (end string, rest []byte) {
	if body[0] != '<' {
		return "", nil
	}
	if rest, ok := bytes.CutPrefix(body, []byte("<!--")); ok {
		return "-->", rest
	}
	low := bytes.ToLower(body[:min(len(body), 12)])
	for _, tag := range []string{"pre", "script", "style", "textarea", "svg"} {
		if bytes.HasPrefix(low[1:], []byte(tag)) {
			if k := len(tag) + 1; k == len(body) || strings.IndexByte(" \t>/", body[k]) >= 0 {
				return "</" + tag, body[k:]
			}
		}
	}
	return "", nil
}
