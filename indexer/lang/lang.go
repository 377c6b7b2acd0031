// Package lang defines what a language is to the indexer.
//
// A language is one folder below this one (its row, its extraction and cases
// under testdata) and one line in lang/all. A row names the files the language
// owns, the grammar, which leaves of the tree are comments, strings and
// imports, and a function that walks the tree and tells a Builder what it
// finds. Everything else (decoding, limits, masking, words, recovery around
// damage) is the same for every language and lives in the package extract.
package lang

import (
	"bytes"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is a row of the table.
type Language struct {
	// Name is lower case and stands in facts and artifacts: "go".
	Name string
	// Version counts changes of the extraction; it is part of the recipe, so
	// raising it makes every blob of the language be read anew.
	Version int
	// Extensions are lower case with their dot; the longest match wins, so
	// ".d.ts" may stand beside ".ts".
	Extensions []string
	// Filenames are whole base names, compared exactly.
	Filenames []string
	// Interpreters are names in a "#!" line, without version: "python".
	Interpreters []string
	// Grammar makes the grammar; nil for a language read without a tree.
	Grammar func() *syntax.Grammar
	// Leaves tells which nodes of the tree hold which field of the words. A
	// node stands for its whole subtree.
	Leaves Leaves
	// Extract reports what Builder.Tree (or, without a grammar,
	// Builder.Source) holds. It may be called several times for one file, with
	// trees of different parts of it, when the text is damaged.
	Extract func(*Builder)
	// Rewrite gives a text of the same length in which constructs that are newer
	// than the grammar are replaced by ones it knows, or nil where there are
	// none. It is asked only for a text that the grammar cannot read whole; the
	// tree of the new text stands over the original source. Optional.
	Rewrite func(source []byte) []byte
	// Reader names the row that should read a text in place of this one, which
	// owns its file name; "" for none. For names that two languages share, such
	// as .h. Readers lists all it may name. Optional.
	Reader  func(source []byte, extension string) string
	Readers []string
	// Resync tells whether a definition can start at this line, which is given
	// whole. Around damage the text is cut at such lines. Optional.
	Resync func(line []byte) bool
	// Roles tells what the ecosystem's conventions say about a path: tests,
	// declaration files, package files. Optional.
	Roles func(p string) facts.Role
	// Prose marks documents: all their words are documentation.
	Prose bool
	// Outline marks languages that get an outline only, so that references
	// and words of bodies in them are not expected.
	Outline bool
}

// Leaves are kinds of nodes of a grammar.
type Leaves struct {
	Comments []string
	Strings  []string
	Imports  []string
}

// Table finds the language of a file.
type Table struct {
	all     []*Language
	ext     map[string]*Language
	name    map[string]*Language
	file    map[string]*Language
	interp  map[string]*Language
	grammar map[*Language]*syntax.Grammar
}

// NewTable makes a table of rows. An extension, file name or interpreter that
// two rows claim goes to the first.
func NewTable(rows ...*Language) *Table {
	t := &Table{
		ext: map[string]*Language{}, name: map[string]*Language{},
		file: map[string]*Language{}, interp: map[string]*Language{},
		grammar: map[*Language]*syntax.Grammar{},
	}
	claim := func(m map[string]*Language, keys []string, l *Language) {
		for _, k := range keys {
			if _, taken := m[k]; !taken {
				m[k] = l
			}
		}
	}
	for _, l := range rows {
		t.all = append(t.all, l)
		claim(t.name, []string{l.Name}, l)
		claim(t.ext, l.Extensions, l)
		claim(t.file, l.Filenames, l)
		claim(t.interp, l.Interpreters, l)
		if l.Grammar != nil {
			t.grammar[l] = l.Grammar()
		}
	}
	return t
}

// All lists the rows in their order.
func (t *Table) All() []*Language { return t.all }

// ByName finds a row by its name, or nil.
func (t *Table) ByName(name string) *Language { return t.name[strings.ToLower(name)] }

// ByInterpreter lists the rows that ByContent can choose, in their order.
func (t *Table) ByInterpreter() []*Language {
	var out []*Language
	for _, l := range t.all {
		if len(l.Interpreters) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// GrammarOf is the compiled grammar of a row, or nil.
func (t *Table) GrammarOf(l *Language) *syntax.Grammar { return t.grammar[l] }

// ByPath finds the language by file name and extension, or nil.
func (t *Table) ByPath(p string) *Language {
	base := path.Base(p)
	if l := t.file[base]; l != nil {
		return l
	}
	base = strings.ToLower(base)
	for i := 0; i < len(base); i++ {
		if base[i] == '.' && i > 0 {
			if l := t.ext[base[i:]]; l != nil {
				return l
			}
		}
	}
	return nil
}

// ByContent finds the language of a file without a telling name by its "#!"
// line, or nil.
func (t *Table) ByContent(text []byte) *Language {
	if !bytes.HasPrefix(text, []byte("#!")) {
		return nil
	}
	line, _, _ := bytes.Cut(text[:min(len(text), 200)], []byte("\n"))
	words := strings.Fields(strings.ReplaceAll(string(line[2:]), "/", " / "))
	for i := len(words) - 1; i >= 0; i-- {
		w := strings.TrimRight(words[i], "0123456789.")
		if l := t.interp[w]; l != nil {
			return l
		}
	}
	return nil
}
