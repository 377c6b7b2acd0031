// Package kotlin reads Kotlin.
//
// The grammar at hand predates much of the language: an enum entry with a body,
// a functional interface or a context parameter cost it the class around. So
// definitions and references come from a reader of the brackets and keywords,
// which hold them together in every version of the language; the tree serves
// only to tell comments, literals and imports apart for the words.
package kotlin

import (
	"bytes"
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/kotlin"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Kotlin.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "kotlin",
		Family:       "java",
		Aliases:      []string{"kt"},
		Version:      1,
		Extensions:   []string{".kt", ".kts"},
		Interpreters: []string{"kotlin", "kotlinc", "kscript"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"line_comment", "multiline_comment", "shebang_line"},
			Strings:  []string{"string_literal", "line_string_literal", "multi_line_string_literal", "character_literal"},
			Imports:  []string{"import_header", "package_header"},
		},
		Extract: extract,
		Rewrite: rewrite,
		Reader:  reader,
		Readers: []string{plainName},
		Roles:   roles,
	}
}

const plainName = "kotlin-plain"

// Plain is the row that reads in place of Language what the grammar must not
// see. Its facts are the same, but its words are not told apart by field.
func Plain() *lang.Language {
	return &lang.Language{Name: plainName, Of: "kotlin", Family: "java", Version: 1, Extract: extract, Roles: roles}
}

const (
	// maxQuotes bounds the quotes that the grammar gets to see: its scanner
	// keeps the open ones on a stack of 1024 and ends the program beyond it.
	maxQuotes = 1000
	// maxNested bounds the brackets in brackets, which cost it more than their
	// number.
	maxNested = 400
)

// reader gives a text of which the grammar could make too much to Plain.
func reader(source []byte, _ string) string {
	quotes, nested, most := 0, 0, 0
	for _, c := range source {
		switch c {
		case '"':
			quotes++
		case '(', '[', '{', '<':
			nested++
			most = max(most, nested)
		case ')', ']', '}', '>':
			nested = max(nested-1, 0)
		}
	}
	if quotes > maxQuotes || most > maxNested {
		return plainName
	}
	return ""
}

var testName = lazyregexp.New(`^(?:.*(?:Test|Tests|TestCase|TestBase|TestSuite|Spec|[a-z0-9]IT|ITCase)|Test[A-Z0-9_].*)\.kts?$`)

func roles(p string) facts.Role {
	var r facts.Role
	dir, base := path.Split(p)
	if strings.HasSuffix(base, ".gradle.kts") {
		return facts.RoleBuild
	}
	if testName.MatchString(base) {
		r |= facts.RoleTest
	}
	parts := strings.Split(dir, "/")
	for i, set := range parts {
		switch {
		case set == "buildSrc":
			r |= facts.RoleBuild
		case i == 0 || parts[i-1] != "src":
		// Source sets of Gradle: src/test, src/androidTest, src/commonTest,
		// src/testFixtures.
		case set == "test" || set == "it" || strings.HasSuffix(set, "Test") || strings.HasPrefix(set, "test") && len(set) > 4 && set[4] <= 'Z':
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
		copy(out[s.Start:s.End], source[s.Start:s.End])
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
			clause = t.text == "import" || t.text == "package"
		}
		switch {
		case clause && t.kind == tWord && (t.text == "import" || t.text == "package" || t.text == "as"), clause && (t.text == "." || t.text == "*"):
			copy(out[t.start:end], source[t.start:end])
			continue
		case t.kind == tWord && !isKeyword(t.text), t.kind == tQuoted, t.kind == tNumber:
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
			continue
		}
		if !clause && int(end) < len(source) && out[end] == ' ' {
			out[end] = ';'
		}
	}
	return out
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
	w := &walker{b: b, x: x, toks: x.toks, damaged: len(x.damage) > 0}
	for _, s := range x.damage {
		b.Damage(s)
	}
	w.file()
}
