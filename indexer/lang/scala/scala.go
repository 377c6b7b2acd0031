// Package scala reads Scala 2 and 3.
//
// The grammar at hand loses a seventh of the text of a large code base of
// Scala 3, for what it does not know of significant indentation takes the
// definitions around along. So definitions and references come from a reader of
// the brackets, keywords and the indentation of lines, which hold a text together
// in every version of the language; the tree serves only to tell comments,
// literals and imports apart for the words.
package scala

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/scala"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Scala.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "scala",
		Family:       "java",
		Aliases:      []string{"sbt", "mill", "ammonite"},
		Version:      1,
		Extensions:   []string{".scala", ".sc", ".sbt", ".mill"},
		Interpreters: []string{"scala", "scala-cli", "amm"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"comment", "block_comment"},
			Strings:  []string{"string", "interpolated_string_expression", "character_literal"},
			Imports:  []string{"import_declaration", "package_clause"},
		},
		Extract: extract,
		Rewrite: rewrite,
		Reader:  reader,
		Readers: []string{plainName},
		Roles:   roles,
	}
}

const plainName = "scala-plain"

// Plain is the row that reads in place of Language what the grammar must not
// see. Its facts are the same, but its words are not told apart by field.
func Plain() *lang.Language {
	return &lang.Language{Name: plainName, Of: "scala", Family: "java", Version: 1, Extract: extract, Roles: roles}
}

// maxNested bounds the brackets in brackets, which cost the grammar more than
// their number, and with them the levels of indentation that its scanner keeps.
const maxNested = 300

// reader gives a text of which the grammar could make too much to Plain.
func reader(source []byte, _ string) string {
	nested, most := 0, 0
	indent, starts := 0, true
	deepest := 0
	for _, c := range source {
		switch c {
		case '(', '[', '{':
			nested++
			most = max(most, nested)
		case ')', ']', '}':
			nested = max(nested-1, 0)
		}
		switch {
		case c == '\n':
			indent, starts = 0, true
		case starts && (c == ' ' || c == '\t'):
			indent++
			deepest = max(deepest, indent)
		default:
			starts = false
		}
	}
	if most > maxNested || deepest > 4*maxNested {
		return plainName
	}
	return ""
}

var testName = regexp.MustCompile(`^(?:.*(?:Test|Tests|Spec|Specs|Suite|TestSuite|[a-z0-9]IT|Props|Specification)|Test[A-Z0-9_].*)\.(?:scala|sc)$|\.test\.(?:scala|sc)$`)

func roles(p string) facts.Role {
	var r facts.Role
	dir, base := path.Split(p)
	if strings.HasSuffix(base, ".sbt") || strings.HasSuffix(base, ".mill") || base == "build.sc" || base == "project.scala" {
		return facts.RoleBuild
	}
	if testName.MatchString(base) {
		r |= facts.RoleTest
	}
	if base == "package.scala" {
		r |= facts.RolePackageInit
	}
	parts := strings.Split(dir, "/")
	for i, set := range parts {
		switch {
		case set == "project" && i == len(parts)-2 && i == 0:
			// The build of sbt is a project of its own.
			r |= facts.RoleBuild
		case i == 0 || parts[i-1] != "src":
		case set == "test" || set == "it" || strings.HasPrefix(set, "test-") || strings.HasPrefix(set, "it-") || strings.HasSuffix(set, "Test"):
			r |= facts.RoleTest
		}
	}
	return r
}

// rewrite leaves the comments, literals, imports and names of a text, parted by
// semicolons, which the grammar reads in every version; the words are taken from
// the source below.
func rewrite(source []byte) []byte {
	out := bytes.Repeat([]byte(" "), len(source))
	for i, c := range source {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	x := lex(source)
	for _, s := range x.comments {
		comment(out, source, s)
	}
	letters := func(start, end uint32) {
		for k := start; k < end; k++ {
			if out[k] == ' ' {
				out[k] = 'a'
			}
		}
	}
	clause := false
	for i := 0; i < len(x.toks); i++ {
		t := &x.toks[i]
		end := t.end
		if t.nl {
			clause = t.text == "import"
		}
		switch {
		case t.text == "import" && !isPath(x.toks, i):
			clause = false
			continue
		case t.text == "import", clause && t.text == "." && isPath(x.toks, i-2):
			copy(out[t.start:end], source[t.start:end])
			continue
		case clause && t.kind <= tQuoted && !isPath(x.toks, i-1):
			letters(t.start, end)
			clause = false
		case t.kind == tWord && (clause || !isKeyword(t.text)), t.kind == tQuoted, t.kind == tNumber:
			letters(t.start, end)
		case t.kind == tString || t.kind == tChar || t.kind == tOpen && t.text == `"`:
			// The text and the code of a literal count as text.
			if t.kind == tOpen {
				end = x.toks[t.match].end
				i = int(t.match)
			}
			if end-t.start < 2 {
				continue
			}
			quoted(out, t.start, end)
		default:
			clause = false
			continue
		}
		if !clause && int(end) < len(source) && out[end] == ' ' {
			out[end] = ';'
		}
	}
	return out
}

// isPath tells whether a clause names something in a package, which the grammar asks
// for.
func isPath(toks []token, i int) bool {
	return i+3 < len(toks) && toks[i+1].kind <= tQuoted && toks[i+2].text == "." && toks[i+3].kind <= tQuoted && !isKeyword(toks[i+3].text)
}

// comment copies a comment without what would open or close one in it.
func comment(out, source []byte, s facts.Span) {
	copy(out[s.Start:s.End], source[s.Start:s.End])
	if s.Len() < 4 || source[s.Start+1] != '*' {
		return
	}
	for k := s.Start + 2; k+2 < s.End; k++ {
		if out[k] == '/' || out[k] == '*' {
			out[k] = ' '
		}
	}
}

// quoted writes a literal, which may go over several lines.
func quoted(out []byte, start, end uint32) {
	mark := uint32(1)
	if bytes.IndexByte(out[start:end], '\n') >= 0 && end-start >= 6 {
		mark = 3
	}
	for k := start; k < end; k++ {
		switch {
		case k < start+mark || k >= end-mark:
			out[k] = '"'
		case out[k] == ' ':
			out[k] = 'a'
		}
	}
}

func extract(b *lang.Builder) {
	x := lex(b.Source)
	w := &walker{b: b, x: x, toks: x.toks}
	for _, s := range x.damage {
		b.Damage(s)
	}
	w.file()
}
