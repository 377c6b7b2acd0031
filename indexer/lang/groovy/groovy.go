// Package groovy outlines Groovy: classes with their members, scripts, the
// features of Spock specifications, build scripts of Gradle and pipelines of
// Jenkins.
//
// The grammar that ships leaves errors in nine of ten real files, so a scanner
// reads statements: it pairs brackets, by their margins where some are missing,
// and looks only at the heads of statements and at the blocks it knows.
package groovy

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Caps of one file, and of nested blocks.
const (
	maxSymbols = 2000
	maxLinks   = 1000
	maxRefs    = 10_000
	maxDepth   = 60
)

// Language is the row of Groovy.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "groovy",
		Patterns:     []string{"Jenkinsfile.*", "Jenkinsfile_*", "Jenkinsfile-*"},
		Version:      1,
		Extensions:   []string{".groovy", ".gradle", ".gvy", ".gy", ".gsh", ".jenkinsfile"},
		Filenames:    []string{"Jenkinsfile", "jenkinsfile", "build.gradle", "settings.gradle", "Jenkinsfile.ci", "Jenkinsfile.release"},
		Interpreters: []string{"groovy"},
		Extract:      extract,
		Roles:        roles,
		Outline:      true,
		Code:         true,
		Family:       "java",
	}
}

func roles(p string) facts.Role {
	dir, base := path.Split(p)
	var r facts.Role
	stem := strings.TrimSuffix(base, path.Ext(base))
	if path.Ext(base) != ".gradle" && (strings.HasSuffix(stem, "Spec") || strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "Specification")) {
		r |= facts.RoleTest
	}
	parts := strings.Split(dir, "/")
	for i := 1; i < len(parts); i++ {
		// Source sets of Gradle: src/test, src/integrationTest, src/testFixtures.
		if set := parts[i]; parts[i-1] == "src" && (set == "test" || set == "it" || strings.HasSuffix(set, "Test") || strings.HasPrefix(set, "test") && len(set) > 4 && set[4] <= 'Z') {
			r |= facts.RoleTest
		}
	}
	if path.Ext(base) == ".gradle" || strings.HasPrefix(strings.ToLower(base), "jenkinsfile") || path.Ext(base) == ".jenkinsfile" {
		r |= facts.RoleBuild
	}
	return r
}

func extract(b *lang.Builder) {
	r := &reader{
		b: b, src: b.Source, toks: lex(b.Source), left: maxSymbols, refs: maxRefs, links: map[string]bool{},
		gradle: b.Extension == ".gradle", pipeline: b.Extension != ".gradle",
	}
	r.fileComment()
	r.statements(0, len(r.toks), script{})
	b.SetSummary(r.header)
}

type reader struct {
	b        *lang.Builder
	src      []byte
	toks     []token
	left     int
	refs     int
	gradle   bool
	pipeline bool
	depth    int

	links  map[string]bool
	header string
}

// script is where statements stand: in the blocks of a build script, say.
type script struct {
	block string // name of the block
	class string // name of the class that holds them
	// nested counts the closures around them; variables in one are local.
	nested int
	enum   bool
	// isInterface makes members public.
	isInterface bool
}

func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.toks) || r.toks[i].kind != word {
		return ""
	}
	return string(r.src[r.toks[i].start:r.toks[i].end])
}

func (r *reader) is(i int, c byte) bool {
	return i >= 0 && i < len(r.toks) && r.toks[i].kind == sign && r.toks[i].c == c
}

func (r *reader) isString(i int) bool { return i >= 0 && i < len(r.toks) && r.toks[i].kind == str }

// plain is the content of a string without interpolation.
func (r *reader) plain(i int) (string, bool) {
	if !r.isString(i) || !r.toks[i].plain {
		return "", false
	}
	return text(r.src, r.toks[i]), true
}

// skip is the index behind a token, or behind the bracket that it opens.
func (r *reader) skip(i int) int {
	if t := r.toks[i]; t.kind == sign && (t.c == '(' || t.c == '[' || t.c == '{') && int(t.pair) > i {
		return r.close(i)
	}
	return i + 1
}

// inside is the index of the token that ends what a bracket at i opens.
func (r *reader) inside(i int) int { return min(int(r.toks[i].pair), len(r.toks)) }

// close is the index behind the bracket that i opens: what ends a bracket that
// was never closed is not part of it.
func (r *reader) close(i int) int {
	p := r.inside(i)
	if p < len(r.toks) && r.toks[p].kind == sign && strings.IndexByte(")]}", r.toks[p].c) >= 0 {
		return p + 1
	}
	return p
}

func (r *reader) span(i int) facts.Span {
	return facts.Span{Start: uint32(r.toks[i].start), End: uint32(r.toks[i].end)}
}

// inner is the span of a string without its quotes, or of a word.
func (r *reader) inner(i int) facts.Span {
	s := r.span(i)
	if r.isString(i) && s.Len() >= 2 && r.src[s.End-1] == r.src[s.Start] {
		s.Start++
		s.End--
	}
	return s
}

// until is the span from token i to the last one before end that is text.
func (r *reader) until(i, end int) facts.Span {
	s := r.span(i)
	for end = min(end, len(r.toks)); end > i+1 && (r.toks[end-1].kind == newline || r.toks[end-1].kind == comment); {
		end--
	}
	s.End = max(s.End, uint32(r.toks[end-1].end))
	return s
}

// endOf is the index behind the statement that starts at i, before limit.
func (r *reader) endOf(i, limit int) int {
	for k := i; k < limit; {
		t := r.toks[k]
		switch {
		case t.kind == sign && t.c == ';':
			return k
		case t.kind == sign && t.c == '}':
			return k
		case t.kind == newline:
			next, on := r.goesOn(i, k, limit)
			if !on {
				return k
			}
			k = next
		default:
			k = r.skip(k)
		}
	}
	return limit
}

// goesOn tells whether the statement that starts at from goes on behind the
// newline at k, and at which token.
func (r *reader) goesOn(from, k, limit int) (next int, on bool) {
	prev := k - 1
	for prev > from && r.toks[prev].kind == comment {
		prev--
	}
	if t := r.toks[prev]; t.kind == sign && strings.IndexByte(",=+-*&|?:.<", t.c) >= 0 {
		return k + 1, true
	}
	next = k + 1
	for next < limit && (r.toks[next].kind == newline || r.toks[next].kind == comment) {
		next++
	}
	if next >= limit {
		return next, false
	}
	if t := r.toks[next]; t.kind == sign {
		return next, t.c == '.' || t.c == '?' || t.c == ':' || (t.c == '&' || t.c == '|') && r.is(next+1, t.c)
	}
	switch r.word(next) {
	case "extends", "implements", "throws", "permits":
		return next, r.toks[prev].kind == word || r.is(prev, '>') || r.is(prev, ')')
	}
	return next, false
}

// source is the text of tokens without comments on one line, bounded.
func (r *reader) source(from, to int) string {
	var b strings.Builder
	at := -1
	for i := from; i < to && i < len(r.toks) && b.Len() < 2*facts.MaxSignature; i++ {
		t := r.toks[i]
		if t.kind == comment || t.kind == newline {
			continue
		}
		if at >= 0 && t.start > at {
			b.WriteByte(' ')
		}
		b.Write(r.src[t.start:min(t.end, t.start+facts.MaxSignature)])
		at = t.end
	}
	s := lang.Collapse(strings.ToValidUTF8(b.String(), ""))
	return strings.NewReplacer("( ", "(", " )", ")").Replace(s)
}

func (r *reader) symbol(s facts.Symbol) int32 {
	if r.left == 0 {
		return -1
	}
	r.left--
	return r.b.Symbol(s)
}

// fileComment takes the first comment of the file as its summary, unless it is
// a licence or stands right above a definition.
func (r *reader) fileComment() {
	i := 0
	for i < len(r.toks) && (r.toks[i].kind == comment || r.toks[i].kind == newline) {
		if r.toks[i].kind != comment {
			i++
			continue
		}
		from := i
		last := i
		for i < len(r.toks) && (r.toks[i].kind == comment && r.line(i) <= r.lastLine(last)+1 || r.toks[i].kind == newline) {
			if r.toks[i].kind == comment {
				last = i
			}
			i++
		}
		next := r.word(i)
		if i < len(r.toks) && r.line(i) <= r.lastLine(last)+1 && next != "package" && next != "import" && next != "pipeline" && next != "plugins" && next != "apply" && next != "buildscript" {
			return // of what follows
		}
		raw := string(r.src[r.toks[from].start:min(r.toks[last].end, r.toks[from].start+1500)])
		if s := docText(raw); r.header == "" && s != "" && !lang.LooksLikeLicense(s) {
			r.header = s
		}
	}
}

func (r *reader) line(i int) uint32 { return r.b.Line(uint32(r.toks[i].start)) }

func (r *reader) lastLine(i int) uint32 { return r.b.Line(uint32(max(r.toks[i].end, 1) - 1)) }

// doc is the comment right above the token at i.
func (r *reader) doc(i int) string {
	k := i - 1
	for k >= 0 && r.toks[k].kind == newline {
		k--
	}
	if k < 0 || r.toks[k].kind != comment || !r.toks[k].first || r.lastLine(k)+1 < r.line(i) {
		return ""
	}
	last := k
	if r.src[r.toks[k].start+1] == '/' {
		for k >= 2 && r.toks[k-1].kind == newline && r.toks[k-2].kind == comment && r.toks[k-2].first && r.src[r.toks[k-2].start+1] == '/' && r.line(k-2)+1 == r.line(k) {
			k -= 2
		}
	}
	raw := string(r.src[r.toks[k].start:min(r.toks[last].end, r.toks[k].start+1500)])
	s := docText(raw)
	if lang.LooksLikeLicense(s) {
		return ""
	}
	r.b.MarkDoc(facts.Span{Start: uint32(r.toks[k].start), End: uint32(r.toks[last].end)})
	return s
}

// docText is a comment without its marks, block tags and HTML.
func docText(raw string) string {
	s := strings.ToValidUTF8(lang.CleanComment(raw), "")
	s = strings.Trim(s, "/*-=# \n")
	if strings.HasPrefix(s, "@") {
		return ""
	}
	if k := strings.Index(s, "\n@"); k >= 0 {
		s = s[:k]
	}
	return strings.NewReplacer("<p>", "\n\n", "{@link ", "", "{@code ", "", "}", "").Replace(s)
}

func (r *reader) link(module string, at int) {
	if module == "" || len(module) > facts.MaxName || r.links[module] || len(r.links) >= maxLinks || strings.ContainsAny(module, "\n\"'") {
		return
	}
	r.links[module] = true
	r.b.Import(facts.Import{Module: module}, uint32(r.toks[at].start))
}

func (r *reader) reference(kind facts.RefKind, name, qualifier string, at int) {
	if r.refs == 0 || name == "" || len(name) > facts.MaxName {
		return
	}
	r.refs--
	r.b.Reference(kind, name, qualifier, uint32(r.toks[at].start))
}
