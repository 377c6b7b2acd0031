// Package cfamily extracts facts from C and C++.
//
// The grammars read source text before preprocessing, so a macro that stands for
// a specifier, a wrapped declaration or half a statement makes an error of what
// is around it. A light scanner therefore goes first: it knows comments, strings
// and directives exactly, resolves conditional compilation where a branch holds
// no whole statements, and blanks the macros around declarations, keeping every
// offset. Macros and includes come from it alone. The walk takes the tree of the
// text as it is where that has no damage; else the statements that the scanner
// found are parsed in batches, halved until the damage stands alone, and a
// damaged class or function still gives its head, its members and its calls.
package cfamily

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Version counts changes of the extraction, for both rows.
const Version = 4

// Leaves are the same kinds in both grammars.
func Leaves() lang.Leaves {
	return lang.Leaves{
		Comments: []string{"comment"},
		Strings:  []string{"string_literal", "raw_string_literal", "char_literal"},
		Imports:  []string{"preproc_include"},
	}
}

// C is the extraction of C.
func C(c func() *syntax.Grammar) func(*lang.Builder) {
	c = sync.OnceValue(c)
	return func(b *lang.Builder) { extract(b, c, false) }
}

// CPP is the extraction of C++.
func CPP(cpp func() *syntax.Grammar) func(*lang.Builder) {
	cpp = sync.OnceValue(cpp)
	return func(b *lang.Builder) { extract(b, cpp, true) }
}

// RewriteC and RewriteCPP blank what the grammars cannot read.
func RewriteC(source []byte) []byte   { return clean(source, false).out }
func RewriteCPP(source []byte) []byte { return clean(source, true).out }

var cppMark = lazyregexp.New(`(?m)^[ \t]*(?:template[ \t]*<|namespace\b[ \t\w:]*(?:\{|$)|using[ \t]+[\w:]+|class[ \t]+\w[^;(=]*(?:\{|$|;)|(?:public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<(?:c?[a-z_]+)>|virtual[ \t]+\w|(?:constexpr|enum[ \t]+class)[ \t])|\b(?:std|boost)::\w|\w+::~?\w+[ \t]*\(`)

// LooksLikeCPP tells whether a header is C++. What stands under __cplusplus
// counts for nothing, for headers of C have that too.
func LooksLikeCPP(source []byte) bool {
	bare := bytes.Clone(source)
	l := lex(source)
	for _, m := range l.comments {
		blankBytes(bare[m.start:m.end])
	}
	depth, skip := 0, 0
	for _, t := range l.tokens {
		switch t.kind {
		case tString:
			blankBytes(bare[t.start:t.end])
		case tDirective:
			word, args := l.directive(t)
			switch word {
			case "if", "ifdef", "ifndef":
				depth++
				if skip == 0 && word != "ifndef" && bytes.Contains(l.src[args:t.end], []byte("__cplusplus")) && !bytes.Contains(l.src[args:t.end], []byte("!defined")) {
					skip = depth
				}
			case "else", "elif":
				if skip == depth {
					skip = 0
				}
			case "endif":
				if skip == depth {
					skip = 0
				}
				depth--
			case "define":
				blankBytes(bare[t.start:t.end])
			}
		default:
			if skip > 0 {
				blankBytes(bare[t.start:t.end])
			}
		}
	}
	return cppMark.Match(bare)
}

// Roles tells what the conventions of the ecosystem say about a path.
func Roles(p string) facts.Role {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	lower := strings.ToLower(stem)
	for _, suffix := range []string{"_test", "_tests", "_unittest", "_unittests", "-test", "_spec", "_gtest", "_browsertest", "-unit"} {
		if strings.HasSuffix(lower, suffix) {
			return facts.RoleTest
		}
	}
	if strings.HasPrefix(lower, "test_") || strings.HasPrefix(lower, "test-") || lower == "test" || lower == "tests" ||
		strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") {
		return facts.RoleTest
	}
	return 0
}

// class is the class whose members are walked.
type class struct {
	name   string
	access facts.Visibility
}

// maxDepth bounds the recursion into trees; deeper ones are data that a program
// wrote.
const maxDepth = 2000

type walker struct {
	b   *lang.Builder
	c   *cleaned
	cpp bool
	// grammar, scratch and padded serve the parsing of parts: scratch is the
	// cleaned text, padded the source, both with room behind.
	grammar         func() *syntax.Grammar
	scratch, padded []byte
	left            int // bytes that may still be parsed again
	depth           int
	// head is where the comment that describes the file ends.
	head uint32
	// hidden counts the unnamed namespaces around the walk.
	hidden int
	// body replaces the body of the next function.
	body syntax.Node
	// replace is the damaged class whose members stand in for those of the node
	// that starts at its brace.
	replace *item
	tree    *syntax.Tree // parsed last
	// members holds the visibility of the members declared so far, and
	// namespaces the names of namespaces, to tell methods from functions.
	members    map[[2]string]facts.Visibility
	namespaces map[string]bool
	// macros are the macros with arguments that the file defines.
	macros map[string]bool
	// seen are the places of the references so far.
	seen map[uint32]bool
	// initialised is the shape of what the braces walked next initialise, or "".
	initialised string
}

func (w *walker) reference(kind facts.RefKind, name, qualifier string, start uint32) {
	w.seen[start] = true
	w.b.Reference(kind, name, qualifier, start)
}

func extract(b *lang.Builder, grammar func() *syntax.Grammar, cpp bool) {
	w := &walker{
		b: b, c: clean(b.Source, cpp), cpp: cpp, grammar: grammar, left: 8*len(b.Source) + 1<<16,
		members: map[[2]string]facts.Visibility{}, namespaces: map[string]bool{}, macros: map[string]bool{}, seen: map[uint32]bool{},
	}
	w.summary()
	w.directives()
	w.code()
	w.blanked()
}

// blanked reports the macros that were blanked, for they are used all the same.
func (w *walker) blanked() {
	for _, t := range w.c.live {
		if t.kind != tWord || w.seen[t.start] || bytes.Equal(w.c.bare[t.start:t.end], w.c.src[t.start:t.end]) {
			continue
		}
		if name := w.c.text(t); isCaps(name) && keywords[name] == 0 {
			w.reference(facts.RefRead, name, "", t.start)
		}
	}
}

func (w *walker) code() {
	b := w.b
	if b.Tree != nil && !b.Tree.Root().HasError() && !misread(b.Tree) {
		w.list(b.Tree.Root(), nil)
		return
	}
	w.scratch = append(bytes.Clone(w.c.bare), make([]byte, 16)...)
	w.padded = append(bytes.Clone(b.Source), "                "...)
	w.statements(w.c.items, nil)
}

// misread finds class EXPORT Foo { }, which without an error reads as a function
// that gives a class EXPORT, and EXPORT int (f)(void), which reads as a function
// of the name int.
func misread(t *syntax.Tree) bool {
	for i := 0; i < t.Len(); i++ {
		n := t.At(i)
		if n.Is("function_declarator", "parenthesized_declarator") {
			if name := inner(n); name.Is("identifier", "primitive_type") && keywords[name.Text()] != 0 {
				return true
			}
		}
		if n.Kind() != "function_definition" {
			continue
		}
		if typ := n.Child("type"); isClassKind(typ.Kind()) && typ.Child("body").IsZero() && functionOf(n.Child("declarator")).IsZero() {
			return true
		}
	}
	return false
}

func isClassKind(k string) bool {
	return k == "class_specifier" || k == "struct_specifier" || k == "union_specifier"
}

// summary takes the comment at the head of the file that is no license.
func (w *walker) summary() {
	first := uint32(len(w.c.src))
	for _, t := range w.c.tokens {
		first = t.start
		break
	}
	for i := 0; i < len(w.c.comments) && w.c.comments[i].start < first; i++ {
		m := w.c.comments[i]
		end := m.end
		for i+1 < len(w.c.comments) && w.c.comments[i+1].start < first && w.c.src[m.start+1] == '/' && bytes.Count(w.c.src[end:w.c.comments[i+1].start], []byte("\n")) <= 1 {
			i++
			end = w.c.comments[i].end
		}
		text := cleanDoc(string(w.c.src[m.start:end]))
		if lang.LooksLikeLicense(text) || strings.TrimSpace(text) == "" {
			// A description may stand above the notice.
			para, _, more := strings.Cut(strings.TrimSpace(text), "\n\n")
			if !more || lang.LooksLikeLicense(para) {
				continue
			}
			text = para
		}
		// A comment that touches a declaration documents that.
		if k := bytes.Count(w.c.src[end:first], []byte("\n")); k <= 1 && w.c.src[min(int(first), len(w.c.src)-1)] != '#' {
			return
		}
		w.b.SetSummary(text)
		w.head = end
		return
	}
}

var fileCommand = lazyregexp.New(`(?m)^\s*[\\@](?:file|brief|short|details?)\b[ \t]*(?:[\w./-]+\.(?:h|c|cc|cpp|hpp|hh|cxx|inl|hxx)\b)?[ \t]*`)
var otherCommand = lazyregexp.New(`(?ms)^\s*[\\@](?:param|return|tparam|throws?|see|sa|note|since|author|date|ingroup|defgroup|addtogroup|retval|copyright|version|pre|post|code|par|warning)\b.*`)

// cleanDoc strips the marks of comments and the commands of Doxygen.
func cleanDoc(s string) string {
	text := lang.CleanComment(s)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		l = strings.TrimPrefix(strings.TrimPrefix(l, "!<"), "<")
		l = strings.TrimPrefix(l, "! ")
		if strings.Trim(l, "*-=/_#+~!. ") == "" {
			l = ""
		}
		l = strings.TrimSuffix(l, "*/")
		lines[i] = strings.TrimRight(strings.TrimLeft(l, "/"), " ")
	}
	text = strings.Join(lines, "\n")
	text = fileCommand.ReplaceAllString(text, "")
	return strings.TrimSpace(otherCommand.ReplaceAllString(text, ""))
}

var testHeaders = lazyregexp.New(`(?:^|/)(?:gtest|gmock|catch|catch2|doctest|boost/test|cppunit|unity|cmocka|check|greatest|utest|munit|criterion)\b|catch_test_macros|catch_all`)

// directives reports the includes and macros.
func (w *walker) directives() {
	for _, t := range w.c.tokens {
		if t.kind != tDirective {
			continue
		}
		word, args := w.c.directive(t)
		switch word {
		case "include", "include_next", "import":
			w.include(t, args)
		case "define":
			w.define(t, args)
		case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef":
			w.condition(t, args)
		}
	}
}

// condition reports the macros that a directive asks for.
func (w *walker) condition(t token, args uint32) {
	l := lex(w.c.src[args:t.end])
	for _, x := range l.tokens {
		if name := l.text(x); x.kind == tWord && keywords[name] == 0 && name != "defined" && !strings.HasPrefix(name, "__") {
			w.reference(facts.RefRead, name, "", args+x.start)
		}
	}
}

// include keeps the two forms apart: "./x.h" was quoted and is sought beside the
// file first, "x.h" stood in angle brackets.
func (w *walker) include(t token, args uint32) {
	text := strings.TrimSpace(string(w.c.src[args:t.end]))
	if len(text) < 2 {
		return
	}
	module := ""
	switch text[0] {
	case '<':
		module, _, _ = strings.Cut(text[1:], ">")
	case '"':
		module, _, _ = strings.Cut(text[1:], `"`)
		if module != "" && !strings.HasPrefix(module, "./") && !strings.HasPrefix(module, "../") && !strings.HasPrefix(module, "/") {
			module = "./" + module
		}
	}
	module = strings.TrimSpace(module)
	if testHeaders.MatchString(strings.TrimPrefix(module, "./")) {
		w.b.AddTrait(facts.TestCode)
	}
	w.b.Import(facts.Import{Module: module}, t.start)
}

// define reports a macro with the calls in its text.
func (w *walker) define(t token, args uint32) {
	src := w.c.src
	i := args
	for i < t.end && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	start := i
	for i < t.end && (isWordStart(src[i]) || i > start && isDigit(src[i])) {
		i++
	}
	if i == start {
		return
	}
	name := string(src[start:i])
	s := facts.Symbol{
		Name: name, Kind: facts.KindMacro, Doc: w.doc(t.start),
		Span: facts.Span{Start: t.start, End: t.end}, NameSpan: facts.Span{Start: start, End: i},
	}
	switch w.b.Extension {
	case ".c", ".cc", ".cpp", ".cxx", ".c++":
		s.Visibility = facts.Private
	}
	own := map[string]bool{}
	head := i
	if i < t.end && src[i] == '(' {
		w.macros[name] = true
		end := i
		for end < t.end && src[end] != ')' {
			end++
		}
		for _, p := range strings.Split(string(src[i+1:end]), ",") {
			p = lang.Collapse(strings.ReplaceAll(p, "\\", " "))
			if p != "" {
				own[p] = true
				s.Params = append(s.Params, facts.Param{Name: p})
			}
		}
		head = min(end+1, t.end)
	}
	value := lang.Collapse(strings.ReplaceAll(string(src[head:t.end]), "\\", " "))
	s.Signature = "#define " + lang.Collapse(strings.ReplaceAll(string(src[start:head]), "\\", " "))
	if len(s.Params) == 0 && len(value) <= 60 && value != "" && !strings.Contains(value, "/*") {
		s.Signature += " " + value
		if isDigit(value[0]) {
			s.Init = "0"
		} else if value[0] == '"' {
			s.Init = `""`
		}
	}
	symbol := w.b.Symbol(s)
	body := lex(src[head:t.end])
	w.b.Within(symbol, func() {
		for k, x := range body.tokens {
			if x.kind != tWord {
				continue
			}
			word := body.text(x)
			if own[word] || keywords[word] != 0 || len(word) < 2 || word == "__VA_ARGS__" || word == "defined" {
				continue
			}
			kind := facts.RefRead
			if k+1 < len(body.tokens) && body.tokens[k+1].kind == '(' {
				kind = facts.RefCall
			}
			qualifier := ""
			if k >= 2 && (body.tokens[k-1].kind == '.' || body.tokens[k-1].kind == tArrow || body.tokens[k-1].kind == tScope) {
				qualifier = lang.Unknown
				if q := body.tokens[k-2]; q.kind == tWord && !own[body.text(q)] {
					qualifier = body.text(q)
				}
			}
			w.reference(kind, word, qualifier, head+x.start)
		}
	})
}

// doc is the comment that ends on the line above an offset, or on the line of a
// macro above it that stands before the declaration.
func (w *walker) doc(offset uint32) string {
	comments := w.c.comments
	i := lastBefore(comments, offset)
	if i < 0 || comments[i].trailing {
		return ""
	}
	if comments[i].end <= w.head {
		return "" // describes the file
	}
	gap := w.c.out[comments[i].end:offset]
	if len(bytes.TrimSpace(gap)) > 0 || bytes.Count(gap, []byte("\n")) > 1+w.noiseLines(comments[i].end, offset) {
		return ""
	}
	first := i
	for first > 0 && w.c.src[comments[first].start+1] == '/' && !comments[first-1].trailing && w.c.src[comments[first-1].start+1] == '/' {
		between := w.c.src[comments[first-1].end:comments[first].start]
		if len(bytes.TrimSpace(between)) > 0 || bytes.Count(between, []byte("\n")) > 1 {
			break
		}
		first--
	}
	text := cleanDoc(string(w.c.src[comments[first].start:comments[i].end]))
	if lang.LooksLikeLicense(text) {
		return ""
	}
	return text
}

// docBehind is the comment behind a member on its line.
func (w *walker) docBehind(end uint32) string {
	comments := w.c.comments
	i := lastBefore(comments, end) + 1
	if i >= len(comments) || !comments[i].trailing || comments[i].start < end {
		return ""
	}
	if gap := w.c.src[end:comments[i].start]; len(gap) > 200 || len(bytes.Trim(gap, " \t,;")) > 0 {
		return ""
	}
	return cleanDoc(string(w.c.src[comments[i].start:comments[i].end]))
}

// lastBefore is the index of the last comment that ends at or before an offset.
func lastBefore(comments []comment, offset uint32) int {
	lo, hi := 0, len(comments)
	for lo < hi {
		mid := (lo + hi) / 2
		if comments[mid].end <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// noiseLines counts the lines between two offsets that hold blanked text.
func (w *walker) noiseLines(from, to uint32) int {
	if to-from > 2000 {
		return 0
	}
	n := 0
	for line := range bytes.Lines(w.c.src[from:to]) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// origin is where a declaration starts with the macros before it on its line.
func (w *walker) origin(start uint32) uint32 {
	i := start
	for i > 0 && w.c.src[i-1] != '\n' && w.c.bare[i-1] == ' ' {
		i--
	}
	for i < start && (w.c.src[i] == ' ' || w.c.src[i] == '\t') {
		i++
	}
	// A comment on the line is no part of it.
	if k := lastBefore(w.c.comments, start); k >= 0 && w.c.comments[k].end > i {
		i = w.c.comments[k].end
		for i < start && (w.c.src[i] == ' ' || w.c.src[i] == '\t') {
			i++
		}
	}
	return i
}

// tidy closes the gaps that blanked macros leave.
var tidy = strings.NewReplacer(" ,", ",", "( ", "(", " )", ")")

// text is the cleaned text of a span on one line.
func (w *walker) text(start, end uint32) string {
	if start >= end || int(end) > len(w.c.bare) {
		return ""
	}
	if s := lang.Collapse(string(w.c.bare[start:end])); s != "" {
		return tidy.Replace(s)
	}
	return lang.Collapse(string(w.c.src[start:end]))
}

func (w *walker) nodeText(n syntax.Node) string { return w.text(n.Start(), n.End()) }
