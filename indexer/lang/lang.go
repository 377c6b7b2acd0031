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
	"cmp"
	"path"
	"strings"
	"sync"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is a row of the table.
type Language struct {
	// Name is lower case and stands in facts and artifacts: "go".
	Name string
	// Of names the row that this one stands in for; files that it reads are of
	// that language. Optional.
	Of string
	// Aliases are other names of the language, lower case, as people write them
	// in attributes, editor modelines and notebooks: "c++", "shell".
	Aliases []string
	// Version counts changes of the extraction; it is part of the recipe, so
	// raising it makes every blob of the language be read anew.
	Version int
	// Extensions are lower case with their dot; the longest match wins, so
	// ".d.ts" may stand beside ".ts".
	Extensions []string
	// Filenames are whole base names, compared exactly.
	Filenames []string
	// Patterns are shapes of names in the sense of path.Match, for names that no
	// extension decides: "Dockerfile.*", "requirements*.txt". One with a slash is
	// held against the directory, too: "requirements/*.txt".
	Patterns []string
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
	// as .h. Optional.
	Reader func(source []byte, extension string) string
	// Parts finds the code of other languages inside a text: scripts in a page,
	// the cells of a notebook. Extract runs on the whole text all the same, and
	// leaves alone what it knows to be a part. Optional.
	Parts func(source []byte, extension string) []Part
	// Readers lists every row that Reader or a Part may name.
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
	// Code marks an outline language that programs are written in or against (a
	// schema, a query), unlike configuration and markup.
	Code bool
	// Family is the ecosystem the language belongs to, its own name where that
	// is empty. See facts.File.
	Family string
}

// Nature is what kind of text the language is for.
func (l *Language) Nature() facts.Nature {
	switch {
	case l.Prose:
		return facts.Prose
	case l.Outline && !l.Code:
		return facts.Data
	}
	return facts.Code
}

// Describe writes the language of a file into its facts.
func (l *Language) Describe(f *facts.File) {
	describe(f, cmp.Or(l.Of, l.Name), l.Family, l.Nature())
}

func describe(f *facts.File, name, family string, nature facts.Nature) {
	f.Language, f.Family, f.Nature = name, "", nature
	if nature == facts.Code {
		f.Family = cmp.Or(family, name)
	}
}

// Describe writes a language into the facts of a file by its name, whether it
// has a row or not.
func (t *Table) Describe(f *facts.File, name string) {
	switch l := t.name[name]; {
	case l != nil:
		l.Describe(f)
	case name == "":
		describe(f, "", "", facts.NatureUnknown)
	default:
		describe(f, name, families[name], rowless(name))
	}
}

// Part is code of one language inside a text of another. Its pieces are read
// together, as one text: the statements between a template's tags belong to one
// another, two scripts that must not see each other are two parts.
type Part struct {
	// Language is the name of the row that reads the pieces. A language without
	// a row is read for its words; "" leaves the pieces out of everything (the
	// pictures in a notebook).
	Language string
	Pieces   []Piece
	// Body marks code that runs where it stands, as in the body of a function:
	// what it defines is local.
	Body bool
}

// Piece is a run of bytes of a text, as it is to be read: Text takes the place
// of as many bytes of the source, so that every offset stays. It is the source's
// own bytes unless marks around the code had to give way. Pieces are sorted and
// do not overlap, within a part and between parts. Line breaks in Text need not
// be those of the source; lines are counted in the source.
type Piece struct {
	Start uint32
	Text  []byte
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
	grammar map[*Language]func() *syntax.Grammar
}

// NewTable makes a table of rows. An extension, file name or interpreter that
// two rows claim goes to the first.
func NewTable(rows ...*Language) *Table {
	t := &Table{
		ext: map[string]*Language{}, name: map[string]*Language{},
		file: map[string]*Language{}, interp: map[string]*Language{},
		grammar: map[*Language]func() *syntax.Grammar{},
	}
	claim := func(m map[string]*Language, keys []string, l *Language) {
		for _, k := range keys {
			if _, taken := m[k]; !taken {
				m[k] = l
			}
		}
	}
	for _, l := range rows {
		claim(t.name, []string{l.Name}, l)
	}
	for _, l := range rows {
		t.all = append(t.all, l)
		claim(t.name, l.Aliases, l)
		claim(t.ext, l.Extensions, l)
		claim(t.file, l.Filenames, l)
		claim(t.interp, l.Interpreters, l)
		if l.Grammar != nil {
			t.grammar[l] = sync.OnceValue(l.Grammar)
		}
	}
	return t
}

// All lists the rows in their order.
func (t *Table) All() []*Language { return t.all }

// ByName finds a row by its name or an alias in any case, or nil.
func (t *Table) ByName(name string) *Language { return t.name[strings.ToLower(name)] }

// GrammarOf is the compiled grammar of a row, or nil. It is made when first
// asked for.
func (t *Table) GrammarOf(l *Language) *syntax.Grammar {
	if made := t.grammar[l]; made != nil {
		return made()
	}
	return nil
}

// NameByPath is the name of the language that a path tells, whether it has a row
// or not, or "".
func (t *Table) NameByPath(p string) string {
	if l := t.ByPath(p); l != nil {
		return l.Name
	}
	ext := strings.ToLower(path.Ext(p))
	if names[ext] == "" {
		if s := signs[ext]; len(s) > 0 {
			return s[len(s)-1].language
		}
	}
	return names[ext]
}

// samples are extensions of files that stand in for another: a template that
// the build fills in, an example to be copied. The name before them tells the
// language.
var samples = []string{".in", ".dist", ".example", ".sample", ".template"}

// ByPath finds the language by file name and extension, or nil.
func (t *Table) ByPath(p string) *Language {
	if l := t.byName(p); l != nil {
		return l
	}
	for _, s := range samples {
		if of, ok := strings.CutSuffix(p, s); ok {
			return t.byName(of)
		}
	}
	return nil
}

func (t *Table) byName(p string) *Language {
	base := path.Base(p)
	if l := t.file[base]; l != nil {
		return l
	}
	exact := base
	parent := path.Join(path.Base(path.Dir(p)), base)
	base = strings.ToLower(base)
	for i := 0; i < len(base); i++ {
		if base[i] == '.' && i > 0 {
			if l := t.ext[base[i:]]; l != nil {
				return l
			}
		}
	}
	if strings.HasSuffix(base, "ignore") {
		return nil // Dockerfile.dockerignore is a list of patterns
	}
	for _, l := range t.all {
		for _, pattern := range l.Patterns {
			name := exact
			if strings.Contains(pattern, "/") {
				name = parent
			}
			if ok, _ := path.Match(pattern, name); ok {
				return l
			}
		}
	}
	return nil
}
