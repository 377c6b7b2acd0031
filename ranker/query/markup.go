package query

import (
	"html"
	"strings"
)

// piece is a part of a line of prose, or inline code of it.
type piece struct {
	text string
	code bool
}

// inlinePieces splits a line at inline code (backticks of any number).
func inlinePieces(line string) []piece {
	if strings.Contains(line, "<code>") {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "<code>", "`"), "</code>", "`")
	}
	if strings.IndexByte(line, '`') < 0 {
		return []piece{{line, false}}
	}
	var out []piece
	missing := map[int]bool{} // run lengths that do not occur further on
	from := 0
	for i := 0; i < len(line); {
		if line[i] != '`' {
			i++
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		end := -1
		if !missing[n] {
			end = runOf(line, i+n, n)
			missing[n] = end < 0
		}
		if end < 0 {
			i += n
			continue
		}
		if i > from {
			out = append(out, piece{line[from:i], false})
		}
		out = append(out, piece{strings.TrimSpace(line[i+n : end]), true})
		i = end + n
		from = i
	}
	if from < len(line) {
		out = append(out, piece{strings.ReplaceAll(line[from:], "`", " "), false})
	}
	return out
}

// runOf returns the start of the next run of exactly n backticks at or after
// from, -1 if there is none.
func runOf(s string, from, n int) int {
	for i := from; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		k := 1
		for i+k < len(s) && s[i+k] == '`' {
			k++
		}
		if k == n {
			return i
		}
		i += k
	}
	return -1
}

// plainText removes Markdown emphasis, HTML tags and entities from prose.
func plainText(s string) string {
	s = strings.ReplaceAll(s, "**", "")
	if strings.IndexByte(s, '<') >= 0 {
		s = stripTags(s)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return s
}

// stripTags removes the HTML tags that are common in issues; anything else in
// angle brackets may be code.
func stripTags(s string) string {
	var b strings.Builder
	last := strings.LastIndexByte(s, '>')
	for i := 0; i < len(s); i++ {
		if s[i] != '<' || i > last {
			b.WriteByte(s[i])
			continue
		}
		j := i + 1
		if j < len(s) && s[j] == '/' {
			j++
		}
		k := j
		for k < len(s) && k < j+12 && (isAlpha(s[k]) || isDigit(s[k])) {
			k++
		}
		if !isMarkupTag(s[j:k]) {
			b.WriteByte(s[i])
			continue
		}
		end := strings.IndexByte(s[k:], '>')
		i = k + end
		if n := b.Len(); n > 0 && b.String()[n-1] != ' ' {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func isMarkupTag(s string) bool {
	switch strings.ToLower(s) {
	case "details", "summary", "br", "p", "img", "b", "i", "em", "strong", "sub", "sup", "kbd", "a", "h1", "h2", "h3", "h4",
		"h5", "hr", "ul", "ol", "li", "table", "tr", "td", "th", "tbody", "thead", "pre", "code", "div", "span", "center", "video":
		return true
	}
	return false
}

// fence is an open code block. The zero value is none.
type fence struct {
	mark   byte // '`', '~', or '<' for <pre>
	n      int
	quoted bool
}

// openFence parses the first line of a code block.
func openFence(t string) (f fence, info string, ok bool) {
	if strings.HasPrefix(t, "<pre") && !strings.Contains(t, "</pre>") {
		return fence{mark: '<'}, "", true
	}
	for _, m := range [...]byte{'`', '~'} {
		n := 0
		for n < len(t) && t[n] == m {
			n++
		}
		if n < 3 {
			continue
		}
		info = strings.TrimSpace(t[n:])
		if m == '`' && strings.IndexByte(info, '`') >= 0 {
			return fence{}, "", false // inline code of three backticks
		}
		return fence{mark: m, n: n}, info, true
	}
	return fence{}, "", false
}

// closes reports whether a trimmed line ends the block.
func (f fence) closes(t string) bool {
	if f.mark == '<' {
		return strings.Contains(t, "</pre>")
	}
	n := 0
	for n < len(t) && t[n] == f.mark {
		n++
	}
	return n >= f.n && n == len(t)
}

// prompt removes the prompt of a REPL or shell and reports whether there was
// one.
func prompt(t string) (string, bool) {
	for _, p := range [...]string{">>> ", "... ", "$ ", "% ", "irb> ", "php > ", "julia> ", "scala> ", "jshell> ", "❯ ", "➜ "} {
		if r, ok := strings.CutPrefix(t, p); ok {
			// "... " also starts a trailing clause; "% " a remark.
			return r, true
		}
	}
	if t == ">>>" || t == "..." {
		return "", true
	}
	for _, p := range [...]string{"In [", "Out[", "irb(", "iex(", "[", "PS "} {
		r, ok := strings.CutPrefix(t, p)
		if !ok {
			continue
		}
		i := strings.IndexAny(r, ":>")
		switch {
		case i < 0 || i > 60:
		case (p == "In [" || p == "Out[") && i > 1 && r[i-1] == ']':
			return strings.TrimSpace(r[i+1:]), true
		case p == "irb(" || p == "iex(":
			if j := strings.Index(r, "> "); j > 0 && j < 60 {
				return r[j+2:], true
			}
		case p == "[" && strings.HasPrefix(r[i:], "> ") && i < 12 && strings.Contains(r[:i], "]"): // pry: [1] pry(main)>
			return r[i+2:], true
		case p == "PS " && strings.Contains(r, `:\`):
			if j := strings.Index(r, "> "); j > 0 {
				return r[j+2:], true
			}
		}
	}
	if len(t) > 3 && isAlpha(t[0]) && t[1] == ':' && t[2] == '\\' {
		if j := strings.IndexByte(t, '>'); j > 0 && j+1 < len(t) {
			return t[j+1:], true
		}
	}
	return t, false
}

// isStatement reports whether a line outside of any code block is certainly
// code.
func isStatement(t string) bool {
	switch {
	case strings.HasPrefix(t, "from "):
		f := strings.Fields(t)
		return len(f) > 3 && f[2] == "import"
	case strings.HasPrefix(t, "import "):
		return len(strings.Fields(t)) <= 2 || strings.ContainsAny(t, "{;\"'") || strings.Contains(t, " as ")
	case strings.HasPrefix(t, "#include"), strings.HasPrefix(t, "diff --git "), strings.HasPrefix(t, "<?php"):
		return true
	case strings.HasPrefix(t, "class "), strings.HasPrefix(t, "def "), strings.HasPrefix(t, "async def "):
		return strings.HasSuffix(t, ":") || strings.HasSuffix(t, "{") || strings.HasSuffix(t, ")")
	case strings.HasPrefix(t, "func "), strings.HasPrefix(t, "fn "), strings.HasPrefix(t, "pub "), strings.HasPrefix(t, "function "),
		strings.HasPrefix(t, "const "), strings.HasPrefix(t, "let "), strings.HasPrefix(t, "var "), strings.HasPrefix(t, "export "),
		strings.HasPrefix(t, "public "), strings.HasPrefix(t, "private "), strings.HasPrefix(t, "use "), strings.HasPrefix(t, "using "):
		return strings.HasSuffix(t, ";") || strings.HasSuffix(t, "{") || strings.HasSuffix(t, "}") || strings.Contains(t, " = ")
	}
	return false
}

// isCodeParagraph reports whether the lines of a paragraph outside of any code
// block are pasted code or configuration.
func isCodeParagraph(lines []string) bool {
	if len(lines) < 2 {
		return false
	}
	code, keys, nested := 0, 0, false
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if isStatement(t) || looksLikeCode(t) {
			code++
		}
		if k, bare := yamlKey(t); k {
			keys++
			nested = nested || bare || indentOf(l) > indentOf(lines[0])
		}
	}
	return code*10 >= len(lines)*6 || keys*10 >= len(lines)*7 && len(lines) > 2 && nested && keys > 1
}

func looksLikeCode(t string) bool {
	if t == "" || strings.HasPrefix(t, "](") || isListItem(t) {
		return false
	}
	switch t[0] {
	case '{', '}', ']':
		return true
	case '"':
		if i := strings.Index(t, `":`); i > 0 && i < 80 {
			return true
		}
	case '/':
		return strings.HasPrefix(t, "//") || strings.HasPrefix(t, "/*")
	case '[':
		head, after, ok := strings.Cut(t[1:], "]") // [ini:section]
		return t == "[" || ok && !strings.ContainsAny(head, " \t") && (strings.TrimSpace(after) == "" || strings.HasPrefix(strings.TrimLeft(after, " "), "#"))
	}
	switch t[len(t)-1] {
	case '{', '}', ';':
		return true
	case '[', '(':
		return true
	}
	// name = value, name(args)
	_, e, ok := nextIdent(t, 0)
	if !ok || !isWordByte(t[0]) && t[0] != '$' {
		return false
	}
	for e < len(t) && (isWordByte(t[e]) || t[e] == '.' || t[e] == '[' || t[e] == ']') {
		e++
	}
	rest := t[e:]
	return strings.HasPrefix(rest, " = ") || strings.HasPrefix(rest, " := ") || strings.HasPrefix(rest, "(") && strings.HasSuffix(t, ")")
}

// yamlKey reports whether a line is "key: value", "- key: value" or, bare,
// "key:".
func yamlKey(t string) (ok, bare bool) {
	t = strings.TrimPrefix(t, "- ")
	i := 0
	for i < len(t) && (isWordByte(t[i]) || t[i] == '-' || t[i] == '.') {
		i++
	}
	if i == 0 || i >= len(t) || t[i] != ':' {
		return false, false
	}
	bare = i+1 == len(t)
	return bare || t[i+1] == ' ', bare
}
