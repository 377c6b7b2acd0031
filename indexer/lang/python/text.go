package python

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// stringText is the text of a plain string literal without quotes. ok is false
// for bytes, formatted strings and anything else.
func stringText(n syntax.Node) (text string, at uint32, ok bool) {
	if n.Kind() != "string" {
		return "", 0, false
	}
	start, end := n.FirstChild(), syntax.Node{}
	for c := start; !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "string_end" {
			end = c
		}
	}
	if start.Kind() != "string_start" || end.IsZero() || bytes.ContainsAny(start.Bytes(), "bBfFtT") {
		return "", 0, false
	}
	text = n.Text()
	return text[start.End()-n.Start() : end.Start()-n.Start()], start.End(), true
}

// docstring is the string that opens a suite, or the zero node.
func docstring(suite syntax.Node) syntax.Node {
	return bareString(firstNamed(suite))
}

// bareString is the string that a statement consists of, or the zero node.
func bareString(statement syntax.Node) syntax.Node {
	if statement.Kind() != "expression_statement" {
		return syntax.Node{}
	}
	s := firstNamed(statement)
	if s.Kind() == "concatenated_string" {
		s = firstNamed(s)
	}
	if _, _, ok := stringText(s); !ok || s.End() > statement.End() {
		return syntax.Node{}
	}
	return s
}

// doc marks a documentation string and gives its text.
func (w *walker) doc(s syntax.Node) string {
	text, _, ok := stringText(s)
	if !ok {
		return ""
	}
	w.b.MarkDoc(lang.SpanOf(s))
	return text
}

// commentAbove is the text of the comment lines right above the line of an
// offset, at the same indentation.
func (w *walker) commentAbove(at uint32) string {
	src := w.b.Source
	line := bytes.LastIndexByte(src[:at], '\n') + 1
	indent := string(src[line:at])
	if strings.TrimLeft(indent, " \t") != "" {
		return ""
	}
	var lines []string
	for line > 0 && len(lines) < 40 {
		prev := bytes.LastIndexByte(src[:line-1], '\n') + 1
		text := string(bytes.TrimRight(src[prev:line], "\r\n \t"))
		rest, ok := strings.CutPrefix(text, indent+"#")
		if !ok || !w.comments[uint32(prev+len(indent))] {
			break
		}
		lines = append(lines, strings.TrimPrefix(rest, ":"))
		line = prev
	}
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		b.WriteString("# " + strings.TrimLeft(lines[i], "# ") + "\n")
	}
	return prose(b.String())
}

// commentBeside is the comment on the line on which a statement ends.
func (w *walker) commentBeside(end uint32) string {
	src := w.b.Source
	rest := src[end:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	i := bytes.IndexByte(rest, '#')
	if i < 0 || !w.comments[end+uint32(i)] || len(bytes.Trim(rest[:i], " \t,;")) > 0 {
		return ""
	}
	return prose("# " + strings.TrimLeft(string(rest[i:]), "#: "))
}

// prose cleans a comment and gives "" for what describes nothing: licenses,
// directives for tools, rulers.
func prose(comment string) string {
	text := lang.CleanComment(comment)
	if lang.LooksLikeLicense(text) || isDirective(text) {
		return ""
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r > 127 || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) {
		return ""
	}
	var kept []string
	for l := range strings.Lines(text) {
		if strings.Trim(strings.TrimSpace(l), "-=*#~_+") != "" || strings.TrimSpace(l) == "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "")
}

func isDirective(text string) bool {
	l := strings.ToLower(text)
	for _, p := range []string{"type:", "noqa", "pragma", "nosec", "fmt:", "isort:", "pyright:", "mypy:", "ruff:", "pylint", "yapf:", "todo", "fixme", "xxx", "cython:", "distutils:", "region", "endregion"} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	return false
}

// attributeDoc is the documentation of an assignment: comment lines above, a
// string below or a comment beside it.
func (w *walker) attributeDoc(statement syntax.Node) string {
	holder := statement
	if p := statement.Parent(); p.Kind() == "expression_statement" {
		holder = p
	}
	if holder.Kind() == "expression_statement" {
		next := holder.NextSibling()
		for !next.IsZero() && next.IsExtra() {
			next = next.NextSibling()
		}
		if s := bareString(next); !s.IsZero() {
			return w.doc(s)
		}
	}
	if d := w.commentAbove(statement.Start()); d != "" {
		return d
	}
	return w.commentBeside(statement.End())
}

// header is the text of a definition from its start to an end on one line,
// without comments and trailing commas.
func (w *walker) header(n syntax.Node, end uint32) string {
	var b strings.Builder
	at, last := n.Start(), ""
	for i := n.Index() + 1; i < n.SubtreeEnd() && b.Len() < 2*facts.MaxSignature; {
		c := w.t.At(i)
		if c.Start() >= end {
			break
		}
		if c.IsExtra() {
			i = c.SubtreeEnd()
			continue
		}
		if !c.IsLeaf() && c.Kind() != "string" {
			i++
			continue
		}
		i = c.SubtreeEnd()
		text := c.Text()
		if text == "" {
			continue
		}
		spaced := c.Start() > at && last != "(" && last != "[" && last != "{"
		switch text {
		case ")", "]", "}", ",", ":":
			spaced = false
		}
		if last == "," && text == ")" && c.Parent().Is("parameters", "argument_list") {
			s := strings.TrimSuffix(b.String(), ",")
			b.Reset()
			b.WriteString(s)
		}
		if spaced {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		at, last = c.End(), text
	}
	return b.String()
}

// oneLine is a type expression or base as it was written, on one line.
func oneLine(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	text := n.Bytes()
	if len(text) > 4*facts.MaxSignature {
		text = bytes.ToValidUTF8(text[:4*facts.MaxSignature], nil)
	}
	return lang.Collapse(string(text))
}

// shortValue is the text of a value that is fit to stand in a signature: on
// one line, short, and without code of its own.
func (w *walker) shortValue(n syntax.Node) string {
	const most = 60
	if n.IsZero() || n.End()-n.Start() > most || bytes.ContainsAny(n.Bytes(), "\n\r") {
		return ""
	}
	for i := n.Index(); i < n.SubtreeEnd(); i++ {
		if c := w.t.At(i); c.IsError() || c.Is("lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression") {
			return ""
		}
	}
	return lang.Collapse(n.Text())
}
