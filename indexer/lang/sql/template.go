package sql

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// macro is a definition of a template: {% macro name(…) %} … {% endmacro %}.
type macro struct {
	word, name, args string
	span, nameSpan   facts.Span
	open             bool
	token            int
}

// model is a table that a template names: ref('x'), source('x', 'y').
type model struct {
	name, qualifier string
	at              uint32
	token           int
}

var (
	modelCall = lazyregexp.New(`\b(ref|source)\s*\(\s*['"]([\w .-]{1,100})['"](?:\s*,\s*['"]([\w .-]{1,100})['"])?`)
	macroHead = lazyregexp.New(`^\{%[-+]?\s*(macro|test|data_test|snapshot|materialization)\s+(\w+)\s*(\([^%]{0,400}\))?`)
	macroEnd  = lazyregexp.New(`^\{%[-+]?\s*end(macro|test|data_test|snapshot|materialization)\b`)
	included  = lazyregexp.New(`^\{%[-+]?\s*(?:include|import|from|extends)\s+['"]([^'"]{1,200})['"]`)
)

// templates reads a tag of Jinja. It returns false where there is none.
func (l *lexer) templates(rest []byte) bool {
	if len(rest) < 2 {
		return false
	}
	which := strings.IndexByte("{%#", rest[1])
	if which < 0 || l.noTemplate[which] {
		return false
	}
	k := bytes.Index(rest[2:], []byte([]string{"}}", "%}", "#}"}[which]))
	if k < 0 {
		l.noTemplate[which] = true
		return false
	}
	end := l.at + k + 4
	tag := l.src[l.at:end]
	from := l.at
	if which == 2 {
		l.t.Comments = append(l.t.Comments, idl.Comment{Span: facts.Span{Start: uint32(from + 2), End: uint32(end - 2)}, First: l.first})
		l.at = end
		if n := bytes.LastIndexByte(tag, '\n'); n >= 0 {
			l.lineStart = from + n + 1
		}
		return true
	}
	head := tag[:min(len(tag), 4000)]
	for _, m := range modelCall.FindAllSubmatchIndex(head, 50) {
		name := string(head[m[4]:m[5]])
		at, qualifier := from+m[4], ""
		if m[6] >= 0 {
			qualifier, name, at = name, string(head[m[6]:m[7]]), from+m[6]
		}
		if len(l.models) < 2000 {
			l.models = append(l.models, model{name, qualifier, uint32(at), len(l.t.All)})
			if string(head[m[2]:m[3]]) == "ref" {
				l.imports = append(l.imports, importLine{name, uint32(at)})
			}
		}
	}
	if which == 1 {
		l.blockTag(head, from, end)
		// A tag stands between statements or inside one; it is part of neither.
		l.at = end
		if n := bytes.LastIndexByte(tag, '\n'); n >= 0 {
			l.lineStart = from + n + 1
		}
		return true
	}
	l.add(template, end)
	return true
}

func (l *lexer) blockTag(head []byte, from, end int) {
	if m := macroHead.FindSubmatchIndex(head); m != nil {
		g := macro{
			word: string(head[m[2]:m[3]]), name: string(head[m[4]:m[5]]), open: true, token: len(l.t.All),
			span:     facts.Span{Start: uint32(from), End: uint32(end)},
			nameSpan: facts.Span{Start: uint32(from + m[4]), End: uint32(from + m[5])},
		}
		if m[6] >= 0 {
			g.args = strings.ToValidUTF8(string(head[m[6]:m[7]]), "")
		}
		l.macros = append(l.macros, g)
		return
	}
	if macroEnd.Match(head) {
		if n := len(l.macros) - 1; n >= 0 && l.macros[n].open {
			l.macros[n].open = false
			l.macros[n].span.End = uint32(end)
		}
		return
	}
	if m := included.FindSubmatchIndex(head); m != nil {
		l.imports = append(l.imports, importLine{strings.ToValidUTF8(string(head[m[2]:m[3]]), ""), uint32(from)})
	}
}

var markForms = []struct {
	form  *lazyregexp.Regexp
	query bool
}{
	{lazyregexp.New(`^(?:--|/\*|#)\s*:?name:?[ \t]+(?P<name>[\w.$-]+[!?<>]{0,3})(?:[ \t].*)?`), true},
	{lazyregexp.New(`^--\s*\+(?:goose|migrate)[ \t]+(?P<name>[Uu]p|[Dd]own)\b.*`), false},
	{lazyregexp.New(`^--\s*(?:migrate:|rambler[ \t]+)(?P<name>up|down)\b.*`), false},
	{lazyregexp.New(`^--\s*changeset[ \t]+(?P<name>[^\s:]+:[^\s:]+)`), false},
}

// marked notes a comment that names what follows it: queries of sqlc and its
// kin, directions of migrations.
func (l *lexer) marked(c idl.Comment) {
	if !c.First {
		return
	}
	text := l.src[c.Span.Start:min(c.Span.End, c.Span.Start+300)]
	if k := bytes.IndexByte(text, '\n'); k >= 0 {
		text = text[:k]
	}
	switch {
	case bytes.Contains(text, []byte("+goose StatementBegin")), bytes.Contains(text, []byte("+migrate StatementBegin")):
		l.endStatement()
		l.whole = true
		return
	case bytes.Contains(text, []byte("+goose StatementEnd")), bytes.Contains(text, []byte("+migrate StatementEnd")):
		l.whole = false
		l.endStatement()
		return
	}
	if !bytes.Contains(text, []byte("name")) && !bytes.Contains(text, []byte("+")) && !bytes.Contains(text, []byte("migrate:")) &&
		!bytes.Contains(text, []byte("rambler")) && !bytes.Contains(text, []byte("changeset")) {
		return
	}
	for _, f := range markForms {
		m := f.form.FindSubmatchIndex(text)
		if m == nil {
			continue
		}
		l.whole = false
		l.endStatement()
		signature := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimLeft(string(text), "-/*# ")), "*/"))
		if len(l.marks) == maxMarks {
			return
		}
		l.marks = append(l.marks, mark{
			name: string(text[m[2]:m[3]]), text: strings.ToValidUTF8(signature, ""), query: f.query, token: len(l.t.All),
			span: facts.Span{Start: c.Span.Start + uint32(m[2]), End: c.Span.Start + uint32(m[3])},
		})
		return
	}
}
