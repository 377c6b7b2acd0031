package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// phpdoc is what a documentation comment says.
type phpdoc struct {
	prose  string
	typ    string            // of @var or @return
	params map[string]string // types of @param by the variable
	// templates are the type parameters of a class with their bounds.
	templates []facts.Param
	obsolete  bool
}

// maxTemplates bounds the type parameters of one class.
const maxTemplates = 16

// documentation reads a comment without its marks. The tags for one tool
// (@phpstan-return) count where the plain one is missing.
func documentation(text string) phpdoc {
	if !strings.Contains(text, "@") {
		return phpdoc{prose: prose(text)}
	}
	var d phpdoc
	var out []string
	tags, plain := false, false
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		if !strings.HasPrefix(l, "@") {
			if !tags {
				out = append(out, line)
			}
			continue
		}
		tags = true
		tag, rest := tagOf(l)
		switch tag {
		case "deprecated":
			d.obsolete = true
		case "template", "template-covariant", "template-contravariant":
			if word := strings.Fields(rest); len(word) > 0 && len(d.templates) < maxTemplates {
				t := facts.Param{Name: word[0]}
				if len(word) > 2 && (word[1] == "of" || word[1] == "as") {
					_, after, _ := strings.Cut(rest, " "+word[1])
					t.Type, _ = docType(strings.TrimLeft(after, " \t"))
				}
				d.templates = append(d.templates, t)
			}
		case "return", "var":
			own := l[1] == tag[0]
			if t, _ := docType(rest); t != "" && (d.typ == "" || own && !plain) {
				d.typ, plain = t, own
			}
		case "param":
			t, rest := docType(rest)
			name := strings.TrimLeft(rest, " \t&.")
			if k := strings.IndexAny(name, " \t"); k >= 0 {
				name = name[:k]
			}
			if t == "" || !strings.HasPrefix(name, "$") {
				continue
			}
			if d.params == nil {
				d.params = map[string]string{}
			}
			if d.params[name] == "" || l[1] == 'p' && strings.HasPrefix(l, "@param") {
				d.params[name] = t
			}
		}
	}
	d.prose = prose(strings.Join(out, ""))
	// A type parameter with a bound is one of that, as far as others see.
	for _, t := range d.templates {
		if t.Type == "" {
			continue
		}
		if d.typ == t.Name {
			d.typ = t.Type
		}
		for name, typ := range d.params {
			if typ == t.Name {
				d.params[name] = t.Type
			}
		}
	}
	return d
}

// tagOf parts a line like "@psalm-return T" into the tag, without the name of
// the tool, and the rest.
func tagOf(line string) (tag, rest string) {
	line = strings.TrimPrefix(line, "@")
	for _, tool := range []string{"phpstan-", "psalm-"} {
		line = strings.TrimPrefix(line, tool)
	}
	k := strings.IndexAny(line, " \t")
	if k < 0 {
		return line, ""
	}
	return line[:k], strings.TrimLeft(line[k:], " \t")
}

// docType takes the type at the start of a text: up to white space that no
// bracket holds and no bar joins. A variable is no type, but $this is one.
func docType(s string) (typ, rest string) {
	depth, end := 0, len(s)
scan:
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			depth--
			if depth < 0 {
				return "", s
			}
		case ' ', '\t', '\n', '\r':
			if depth > 0 {
				continue
			}
			next := strings.TrimLeft(s[i:], " \t")
			joined := i > 0 && strings.IndexByte("|&:", s[i-1]) >= 0 || strings.HasPrefix(next, "|") || strings.HasPrefix(next, "& ")
			if !joined || next == "" {
				end = i
				break scan
			}
		}
	}
	typ = lang.Collapse(s[:end])
	if depth != 0 || typ == "" || typ[0] == '$' && typ != "$this" && !strings.HasPrefix(typ, "$this|") || len(typ) > facts.MaxSignature {
		return "", s
	}
	return typ, strings.TrimLeft(s[end:], " \t")
}

// typeOr is the declared type of a definition, or the documented one where that
// says more.
func typeOr(declared, documented string) string {
	if documented == "" {
		return declared
	}
	switch strings.ToLower(strings.TrimPrefix(declared, "?")) {
	case "", "array", "iterable", "mixed", "object", "self", "static", "callable", "\\generator", "generator", "\\traversable", "traversable":
		return documented
	}
	if strings.Contains(documented, "<") && strings.Contains(documented, lastName(declared)+"<") || documented == "$this" {
		return documented
	}
	return declared
}

// lastName is the name of a type without its namespace.
func lastName(typ string) string {
	return strings.TrimPrefix(typ[strings.LastIndexByte(typ, '\\')+1:], "?")
}

// prose drops lines that are for tools.
func prose(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(text)), "\n")
	for _, p := range []string{"phpcs:", "@codingstandards", "phpstan", "psalm", "{@inherit", "inheritdoc", "@inheritdoc", "eslint", "noinspection"} {
		if strings.HasPrefix(first, p) {
			return ""
		}
	}
	return text
}

var (
	varOfName = lazyregexp.New(`@(?:phpstan-|psalm-)?var[ \t]+(.+?)[ \t]+(\$[\pL_][\pL\pN_]*)`)
	varOnly   = lazyregexp.New(`^@(?:phpstan-|psalm-)?var[ \t]`)
	method    = lazyregexp.New(`^([\pL_][\pL\pN_]*)[ \t]*\(`)
)

// pending is the type that a comment above an assignment or a loop gives its
// variable.
type pending struct {
	name, typ string // name is "" for whatever is assigned next
	line      uint32
}

// pendingLines is how far below its comment an assignment may stand.
const pendingLines = 2

// annotated binds the variable of a comment like /** @var Foo $x */, and
// remembers the type for an assignment below.
func (w *walker) annotated(c syntax.Node) {
	text := c.Text()
	if !strings.Contains(text, "@") {
		return
	}
	line := w.b.Line(max(c.Start(), c.End()-1))
	if m := varOfName.FindStringSubmatch(text); m != nil {
		if typ, rest := docType(m[1]); typ != "" && rest == "" {
			w.b.Bind(m[2], c.Start(), typ, "")
			w.pending = pending{m[2], typ, line}
		}
		return
	}
	if clean := strings.TrimSpace(lang.CleanComment(text)); varOnly.MatchString(clean) {
		_, rest := tagOf(clean)
		if typ, _ := docType(rest); typ != "" {
			w.pending = pending{"", typ, line}
		}
	}
}

// told is the type that the comment above gives a variable bound at an offset.
func (w *walker) told(name string, at uint32) string {
	p := w.pending
	if p.typ == "" || p.name != "" && p.name != name || w.b.Line(at) > p.line+pendingLines {
		return ""
	}
	w.pending = pending{}
	return p.typ
}

// mixin marks a base of a class that its documentation names: what the class
// does not have itself it passes on to such a one.
const mixin = "@mixin "

// magic reports the members that the comment above a class documents
// (@property, @method), and adds the classes that it mixes in. What only a
// comment defines is no part of the outline, like what a body defines.
func (w *walker) magic(class int32, n syntax.Node) {
	end := len(strings.TrimRight(string(w.b.Source[:n.Start()]), " \t\r\n"))
	if class < 0 || end < 2 || string(w.b.Source[end-2:end]) != "*/" {
		return
	}
	start := strings.LastIndex(string(w.b.Source[:end]), "/**")
	if start < 0 {
		return
	}
	at := start
	for raw := range strings.Lines(string(w.b.Source[start:end])) {
		w.magicLine(class, raw, at)
		at += len(raw)
	}
}

func (w *walker) magicLine(class int32, raw string, at int) {
	k := strings.IndexByte(raw, '@')
	if k < 0 || strings.Trim(raw[:k], " \t*/") != "" {
		return
	}
	line := strings.TrimRight(raw, " \t\r\n*/")
	if len(line) <= k {
		return
	}
	s := facts.Symbol{
		Container: w.b.At(class).Name, Flags: facts.InBody | facts.Declaration, Signature: line[k:],
		// It reaches to the class: without that it defines nothing.
		Span: facts.Span{Start: uint32(at + k), End: w.b.At(class).NameSpan.End},
	}
	tag, rest := tagOf(line[k:])
	switch tag {
	case "property", "property-read", "property-write":
		typ, after := docType(rest)
		name := after
		if i := strings.IndexAny(name, " \t"); i >= 0 {
			name = name[:i]
		}
		if !strings.HasPrefix(name, "$") || len(name) < 2 || typ == "" {
			return
		}
		s.Name, s.Kind, s.Type = name[1:], facts.KindField, typ
		s.NameSpan.Start = uint32(at + len(line) - len(after) + 1)
	case "method":
		if more, ok := strings.CutPrefix(rest, "static "); ok && !method.MatchString(more) {
			s.Flags |= facts.Static
			rest = strings.TrimLeft(more, " \t")
		} else if ok {
			s.Flags |= facts.Static
		}
		if !method.MatchString(rest) {
			s.Type, rest = docType(rest)
		}
		m := method.FindStringSubmatch(rest)
		if m == nil {
			return
		}
		s.Name, s.Kind = m[1], facts.KindMethod
		s.NameSpan.Start = uint32(at + len(line) - len(rest))
	case "mixin":
		if typ, _ := docType(rest); typ != "" {
			c := w.b.At(class)
			c.Bases = append(c.Bases, mixin+typ)
		}
		return
	default:
		return
	}
	s.NameSpan.End = s.NameSpan.Start + uint32(len(s.Name))
	w.b.Symbol(s)
}
