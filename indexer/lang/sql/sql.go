// Package sql outlines SQL of any dialect: tables with their columns, views,
// routines, types and whatever else CREATE makes, named queries, directions of
// migrations, and macros of templates. A scanner of its own reads them: the
// grammar that ships knows one dialect, and files mix dialects, commands of
// clients and templates.
package sql

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// Language is the row of SQL.
func Language() *lang.Language {
	return &lang.Language{
		Name:    "sql",
		Version: 1,
		Extensions: []string{
			".sql", ".ddl", ".dml", ".pgsql", ".psql", ".plsql", ".plpgsql", ".tsql", ".mysql", ".hql", ".cql",
			".pks", ".pkb", ".pck", ".plb", ".tps", ".tpb", ".prc", ".fnc", ".trg",
			".sql.j2", ".sql.jinja", ".sql.jinja2", ".sql.tmpl", ".sql.tpl", ".sql.template", ".sql.erb", ".sql.in",
		},
		Filenames: []string{".psqlrc"},
		Extract:   extract,
		Roles:     roles,
		Outline:   true,
		Code:      true,
	}
}

// roles tells the files of Oracle that hold the specification of a package or
// type, whose body is another file.
func roles(p string) facts.Role {
	switch strings.ToLower(path.Ext(p)) {
	case ".pks", ".tps":
		return facts.RoleDeclaration
	}
	return 0
}

type reader struct {
	*idl.Tokens
	l   *lexer
	b   *lang.Builder
	out idl.Outline
	// named finds tables, views and columns by lower-case name for COMMENT ON.
	named map[string]int
	// used are references outside of definitions: each name counts once, so that
	// dumps stay quiet.
	used  map[string]bool
	first int // token of the first definition
}

func extract(b *lang.Builder) {
	l := scan(b.Source)
	r := &reader{Tokens: l.t, l: l, b: b, named: map[string]int{}, used: map[string]bool{}, first: len(l.t.All)}
	owners := r.marks()
	next := 0
	for _, s := range l.statements {
		query := -1
		for next < len(l.marks) && l.marks[next].token <= s.from {
			if m := l.marks[next]; m.query {
				query = owners[next]
			} else {
				query = -1
			}
			next++
		}
		if query >= 0 {
			r.out.End(query, s.end)
		}
		r.statement(s, query)
	}
	for _, m := range l.macros {
		r.macro(m)
	}
	for _, m := range l.models {
		r.out.Ref(facts.RefRead, m.name, m.qualifier, r.enclosing(m.at), m.at)
	}
	for _, i := range l.imports {
		if len(i.file) <= facts.MaxName {
			b.Import(facts.Import{Module: i.file}, i.at)
		}
	}
	b.SetSummary(r.summary())
	r.out.Emit(b)
}

// enclosing is the macro or definition of the file's level that holds an
// offset.
func (r *reader) enclosing(at uint32) int {
	for i := r.out.Len() - 1; i >= 0 && i > r.out.Len()-200; i-- {
		if s := r.out.Symbol(i); s.Span.Start <= at && at < s.Span.End && s.Kind != facts.KindTarget {
			return i
		}
	}
	return -1
}

func (r *reader) summary() string {
	text := r.Header(r.first)
	for _, p := range []string{"name:", ":name", "+goose", "+migrate", "migrate:", "changeset", "liquibase", "sqlfluff", "noqa", "rambler", "PostgreSQL database dump", "MySQL dump", "MariaDB dump", "Dump", "phpMyAdmin", "Host:"} {
		if strings.HasPrefix(text, p) {
			return ""
		}
	}
	return text
}

// marks adds what comments name. The result has an index for every mark.
func (r *reader) marks() []int {
	owners := make([]int, len(r.l.marks))
	for i, m := range r.l.marks {
		kind := facts.KindTarget
		if m.query {
			kind = facts.KindFunction
		}
		doc := ""
		if m.query {
			doc = r.queryDoc(m)
		}
		owners[i] = r.out.Add(-1, facts.Symbol{Name: m.name, Kind: kind, Signature: m.text, Doc: doc, Span: m.span, NameSpan: m.span})
		if m.token < len(r.All) {
			r.first = min(r.first, m.token)
		}
	}
	return owners
}

// queryDoc is the comment around the line that names a query.
func (r *reader) queryDoc(m mark) string {
	var lines []string
	for line := range strings.SplitSeq(r.Above(m.token), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "name:") || strings.HasPrefix(line, ":name") || strings.HasPrefix(line, "name ") {
			continue
		}
		if after, ok := strings.CutPrefix(line, ":doc "); ok {
			line = after
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (r *reader) macro(m macro) {
	s := facts.Symbol{Name: m.name, Kind: facts.KindMacro, Signature: m.word + " " + m.name + m.args, Span: m.span, NameSpan: m.nameSpan}
	if m.word == "snapshot" {
		s.Kind = facts.KindType
	}
	if m.open {
		s.Span.End = m.nameSpan.End
	}
	args := strings.TrimSuffix(strings.TrimPrefix(m.args, "("), ")")
	if args != "" && !strings.ContainsAny(args, "([{") {
		for a := range strings.SplitSeq(args, ",") {
			a, _, _ = strings.Cut(a, "=")
			if a = strings.TrimSpace(a); a != "" && len(s.Params) < 50 {
				s.Params = append(s.Params, facts.Param{Name: a})
			}
		}
	}
	r.out.Add(-1, s)
}

func (r *reader) is(i int, word string) bool { return isKeyword(r.Tokens, i, word) }

// lower is a word in lower case, "" for other tokens.
func lower(t *idl.Tokens, i int) string {
	k := t.At(i)
	if k.Kind != idl.Word || k.End-k.Start > 24 {
		return ""
	}
	return strings.ToLower(t.Text(i))
}

func (r *reader) low(i int) string { return lower(r.Tokens, i) }

// identifier is a word or quoted name without its quotes, "" for other tokens.
func (r *reader) identifier(i int) string {
	k := r.At(i)
	text := strings.ToValidUTF8(r.Text(i), "")
	switch k.Kind {
	case idl.Word:
		return text
	case quoted:
		if n := len(text) - 1; n > 0 && (text[n] == text[0] || text[n] == ']') {
			return strings.TrimSpace(strings.ReplaceAll(text[1:len(text)-1], `""`, `"`))
		}
	}
	return ""
}

// object is a name with what stands before its dots.
type object struct {
	name, qualifier string
	token           int // of the name
}

// object reads a.b.c. A part may be a template; a name that is one, or holds
// one, is "".
func (r *reader) object(i, to int) (object, int) {
	var parts []string
	o := object{token: i}
	for i < to {
		part := r.identifier(i)
		k := r.At(i)
		if part == "" && k.Kind != template && k.Kind != idl.String {
			break
		}
		if k.Kind == idl.String {
			part = strings.Trim(r.Text(i), "'")
		}
		o.token = i
		if k.Kind == quoted && r.Source[k.Start] == '`' && strings.Contains(part, ".") {
			names := strings.Split(part, ".") // `project.set.table`
			parts = append(parts, names[:len(names)-1]...)
			part = names[len(names)-1]
		}
		i++
		for i < to && r.At(i-1).End == r.At(i).Start && (k.Kind == template || r.At(i).Kind == template) && !r.Is(i, ".") && !r.Is(i, "(") {
			part = "" // glued to a template
			i++
		}
		parts = append(parts, part)
		if i >= to || !r.Is(i, ".") {
			break
		}
		for i < to && r.Is(i, ".") {
			i++
		}
	}
	if n := len(parts); n > 0 {
		o.name = parts[n-1]
		for _, p := range parts[:n-1] {
			if p != "" && o.qualifier != "" {
				o.qualifier += "."
			}
			o.qualifier += p
		}
	}
	return o, i
}

// group is the index of the parenthesis that closes the one at i, or to.
func (r *reader) group(i, to int) int {
	depth := 0
	for ; i < to; i++ {
		if r.Is(i, "(") {
			depth++
		} else if r.Is(i, ")") {
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return to
}

// parts splits a range at its commas outside of parentheses.
func (r *reader) parts(from, to int, f func(from, to int)) {
	start, depth := from, 0
	for i := from; i < to; i++ {
		switch {
		case r.Is(i, "(") || r.Is(i, "["):
			depth++
		case r.Is(i, ")") || r.Is(i, "]"):
			depth = max(0, depth-1)
		case depth == 0 && r.Is(i, ","):
			if i > start {
				f(start, i)
			}
			start = i + 1
		case depth == 0 && r.Is(i, "<"):
			// STRUCT<a INT64, b STRING>
			if end := r.angle(i, to); end > 0 {
				i = end
			}
		}
	}
	if to > start {
		f(start, to)
	}
}

func (r *reader) angle(i, to int) int {
	if w := r.low(i - 1); w != "struct" && w != "array" && w != "map" {
		return 0
	}
	depth := 0
	for k := i; k < to && k < i+500; k++ {
		if r.Is(k, "<") {
			depth++
		} else if r.Is(k, ">") {
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return 0
}
