// Package starlark outlines Starlark: build files of Bazel, Buck and their kin,
// modules of rules and macros, and Tiltfiles.
//
// Rules that are called with a name become targets. The syntax is that of a
// small Python, so that a scanner of statements finds all of it, keeps going
// around damage and costs a fraction of a tree.
package starlark

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Caps of one file.
const (
	maxSymbols = 2000
	maxLinks   = 1000
	maxRefs    = 10_000
)

// Language is the row of Starlark.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "starlark",
		Patterns:     []string{"Tiltfile.*", "BUILD.*"},
		Version:      1,
		Extensions:   []string{".bzl", ".bazel", ".star", ".starlark", ".sky", ".bzlmod", ".buck", ".tiltfile"},
		Filenames:    []string{"BUILD", "WORKSPACE", "BUCK", "TARGETS", "Tiltfile", "BUILD.tpl", "BUILD.plz", "WORKSPACE.tpl"},
		Interpreters: []string{"starlark", "bazel"},
		Extract:      extract,
		Roles:        roles,
		Outline:      true,
		Code:         true,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case base == "Tiltfile" || base == "BUCK" || base == "TARGETS" || stem == "BUILD" || stem == "WORKSPACE" || stem == "MODULE":
		return facts.RoleBuild
	case strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") || strings.HasPrefix(stem, "test_"):
		return facts.RoleTest
	}
	return 0
}

func extract(b *lang.Builder) {
	r := &reader{b: b, src: b.Source, toks: lex(b.Source), left: maxSymbols, refs: maxRefs, links: map[string]bool{}}
	r.read()
	b.SetSummary(r.header)
}

type reader struct {
	b    *lang.Builder
	src  []byte
	toks []token
	left int
	refs int

	links  map[string]bool
	header string
	// about is the run of comments that ends on the line before what is read.
	about facts.Span
	last  uint32
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

// skip is the index behind the token, or behind the bracket that it opens.
func (r *reader) skip(i int) int {
	if t := r.toks[i]; t.kind == sign && (t.c == '(' || t.c == '[' || t.c == '{') && int(t.pair) > i {
		return min(int(t.pair)+1, len(r.toks))
	}
	return i + 1
}

// lineEnd is the index of the newline token that ends the statement at i.
func (r *reader) lineEnd(i int) int {
	for i < len(r.toks) && r.toks[i].kind != newline {
		i = r.skip(i)
		if r.toks[i-1].kind == newline {
			return i - 1 // damage closed the bracket
		}
	}
	return min(i, len(r.toks))
}

func (r *reader) read() {
	first := true
	for i := 0; i < len(r.toks); {
		t := r.toks[i]
		switch {
		case t.kind == newline:
			i++
		case t.kind == comment:
			r.comment(t)
			i++
			if first && (i >= len(r.toks) || r.b.Line(uint32(r.nextStart(i))) > r.last+1) {
				r.takeHeader()
			}
		case first && t.kind == str:
			first = false
			if r.header == "" {
				r.header = text(r.src, t)
			}
			r.b.MarkDoc(facts.Span{Start: uint32(t.start), End: uint32(t.end)})
			i++
		default:
			if first && r.word(i) == "load" {
				r.takeHeader()
			}
			first = false
			i = r.statement(i)
		}
	}
}

// nextStart is where the next token that is no end of line starts.
func (r *reader) nextStart(i int) int {
	for i < len(r.toks) && r.toks[i].kind == newline {
		i++
	}
	if i < len(r.toks) {
		return r.toks[i].start
	}
	return len(r.src)
}

func (r *reader) takeHeader() {
	if s := r.commentText(); r.header == "" && !lang.LooksLikeLicense(s) {
		r.header = s
	}
}

func (r *reader) comment(t token) {
	line := r.b.Line(uint32(t.start))
	if line != r.last+1 || r.about.End == 0 {
		r.about.Start = uint32(t.start)
	}
	r.about.End, r.last = uint32(t.end), line
	r.b.MarkDoc(facts.Span{Start: uint32(t.start), End: uint32(t.end)})
}

func (r *reader) commentText() string {
	if r.about.End == 0 {
		return ""
	}
	raw := string(r.src[r.about.Start:min(r.about.End, r.about.Start+1500)])
	return strings.Trim(strings.ToValidUTF8(lang.CleanComment(raw), ""), "#-= \n")
}

// above is the comment right above an offset.
func (r *reader) above(start int) string {
	if r.about.End == 0 || r.b.Line(uint32(start)) != r.last+1 {
		return ""
	}
	s := r.commentText()
	if lang.LooksLikeLicense(s) || strings.HasPrefix(s, "buildifier:") || strings.HasPrefix(s, "gazelle:") {
		return ""
	}
	return s
}

// statement reads the statement at i and returns the index behind it.
func (r *reader) statement(i int) int {
	switch r.word(i) {
	case "def":
		return r.function(i)
	case "if", "elif", "else", "for", "while":
		// What stands in them is read as statements of their own.
		for i < len(r.toks) && r.toks[i].kind != newline {
			if r.is(i, ':') {
				return i + 1
			}
			i = r.skip(i)
		}
		return i
	}
	end := r.lineEnd(i)
	if end <= i {
		return i + 1
	}
	// a.b.c( or name = …
	j, name := r.dotted(i)
	switch {
	case name == "":
	case r.is(j, '(') && (r.toks[j].pair == int32(end)-1 || int(r.toks[j].pair) >= end || r.trailing(int(r.toks[j].pair)+1, end)):
		r.call(i, name, j, end, "")
	case r.is(j, '=') && !r.is(j+1, '='):
		r.assignment(i, j, end)
	}
	if end < len(r.toks) {
		return end + 1
	}
	return end
}

// trailing tells whether nothing but a comment stands between two tokens.
func (r *reader) trailing(i, end int) bool {
	for ; i < end; i++ {
		if r.toks[i].kind != comment {
			return false
		}
	}
	return true
}

// dotted reads a.b.c and returns the index behind it.
func (r *reader) dotted(i int) (int, string) {
	name := r.word(i)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return i, ""
	}
	i++
	for n := 0; n < 10 && r.is(i, '.') && r.word(i+1) != ""; n++ {
		name += "." + r.word(i+1)
		i += 2
	}
	return i, name
}

// endOf is the offset where the text before token i ends.
func (r *reader) endOf(i int) int {
	for i--; i >= 0; i-- {
		if k := r.toks[min(i, len(r.toks)-1)].kind; k != comment && k != newline {
			return r.toks[i].end
		}
	}
	return 0
}

func (r *reader) symbol(s facts.Symbol) int32 {
	if r.left == 0 {
		return -1
	}
	r.left--
	return r.b.Symbol(s)
}

func (r *reader) function(i int) int {
	name := r.word(i + 1)
	if name == "" {
		return i + 1
	}
	header := i + 2
	for header < len(r.toks) && r.toks[header].kind != newline && !r.is(header, ':') {
		header = r.skip(header)
		if r.toks[header-1].kind == newline {
			header--
			break
		}
	}
	// The body is what is indented deeper.
	column := r.toks[i].column
	end := header
	for end < len(r.toks) {
		t := r.toks[end]
		if t.kind != newline && t.kind != comment && end > header && t.column <= column && r.startsLine(end) {
			break
		}
		end = max(end+1, r.skip(end))
		if r.toks[end-1].kind == newline && end-1 > header && r.toks[end-1].end > r.toks[end-1].start {
			break
		}
	}
	for end > header && (r.toks[end-1].kind == newline || r.toks[end-1].kind == comment && r.toks[end-1].column <= column) {
		end--
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindFunction, Doc: r.above(r.toks[i].start), Visibility: visibility(name),
		Span:      facts.Span{Start: uint32(r.toks[i].start), End: uint32(max(r.endOf(end), r.toks[i+1].end))},
		NameSpan:  r.span(i + 1),
		Signature: r.source(i, header),
	}
	if r.is(i+2, '(') {
		s.Params = r.params(i+3, min(int(r.toks[i+2].pair), header))
	}
	body := header + 1
	for body < end && (r.toks[body].kind == newline || r.toks[body].kind == comment) {
		body++
	}
	if body < end && r.isString(body) {
		s.Doc = text(r.src, r.toks[body])
		r.b.MarkDoc(r.span(body))
	}
	at := r.symbol(s)
	r.b.Within(at, func() {
		r.b.Body(s.Span, func() { r.calls(body, end) })
	})
	return max(end, i+1)
}

// startsLine tells whether a token is the first of its line.
func (r *reader) startsLine(i int) bool {
	return i == 0 || r.toks[i-1].kind == newline || r.lineOf(i-1) != r.lineOf(i)
}

func (r *reader) lineOf(i int) uint32 { return r.b.Line(uint32(r.toks[i].start)) }

func (r *reader) span(i int) facts.Span {
	return facts.Span{Start: uint32(r.toks[i].start), End: uint32(r.toks[i].end)}
}

// source is the text of tokens without comments, bounded.
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
		piece := r.src[t.start:t.end]
		if len(piece) > facts.MaxSignature {
			piece = piece[:facts.MaxSignature]
		}
		b.Write(piece)
		at = t.end
	}
	s := strings.ToValidUTF8(b.String(), "")
	return strings.NewReplacer("( ", "(", ", )", ")", " )", ")", ",)", ")", "[ ", "[", ", ]", "]", " ]", "]", ",]", "]").Replace(lang.Collapse(s))
}

func (r *reader) params(i, end int) []facts.Param {
	var out []facts.Param
	for i < end && len(out) < 100 {
		prefix := ""
		for r.is(i, '*') {
			prefix += "*"
			i++
		}
		if n := r.word(i); n != "" {
			out = append(out, facts.Param{Name: prefix + n})
		}
		for i < end && !r.is(i, ',') {
			i = r.skip(i)
		}
		i++
	}
	return out
}

func visibility(name string) facts.Visibility {
	if strings.HasPrefix(name, "_") {
		return facts.Private
	}
	return facts.Public
}

// calls reports the calls of a function's body, and what it loads.
func (r *reader) calls(from, to int) {
	for i := from; i < to && r.refs > 0; {
		j, name := r.dotted(i)
		if name == "" {
			i++
			continue
		}
		if r.is(j, '(') && !r.is(i-1, '.') && r.word(i-1) != "def" {
			r.callRef(name, j)
			if r.left > 0 {
				r.loads(name, j)
			}
		}
		i = j
	}
}

func (r *reader) callRef(name string, open int) {
	qualifier := ""
	base := name
	if k := strings.LastIndexByte(name, '.'); k >= 0 {
		qualifier, base = name[:k], name[k+1:]
	}
	switch base {
	case "if", "in", "not", "and", "or", "return", "for", "lambda", "len", "str", "int", "range", "print", "fail", "list", "dict", "type", "append", "format", "join", "get":
		return
	}
	if r.refs == 0 {
		return
	}
	r.refs--
	r.b.Reference(facts.RefCall, base, qualifier, uint32(r.toks[open-1].start))
}
