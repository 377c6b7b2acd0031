// Package elixir reads Elixir: modules and scripts, tests, Mix projects and
// configuration.
//
// Everything in Elixir is a call, so the walk knows the macros that define (def
// and its kin, defmodule, defstruct, test, Ecto's schema), those that import
// (alias, import, require, use) and the attributes that describe what follows
// (@doc, @spec). A do block of any other call at the level of a module holds
// statements of that module.
//
// The clauses of one function, that is definitions of one name and arity that
// follow one another, are one definition: it has the head, documentation and
// parameters of the first clause and reaches to the end of the last one. Clauses
// that stand apart, under different branches of a condition or behind another
// definition, are definitions of their own.
package elixir

import (
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/elixir"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Elixir.
func Language() *lang.Language {
	g := syntax.NewGrammar(grammar.GetLanguage())
	return &lang.Language{
		Name:         "elixir",
		Version:      1,
		Extensions:   []string{".ex", ".exs"},
		Filenames:    []string{"mix.lock"},
		Interpreters: []string{"elixir", "iex"},
		Grammar:      func() *syntax.Grammar { return g },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"string", "charlist", "sigil", "quoted_atom", "quoted_keyword"},
		},
		Extract: report,
		Resync:  resync,
		Rewrite: func(source []byte) []byte { return rewrite(g, source) },
		Roles:   roles,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	switch {
	case strings.HasSuffix(base, "_test.exs"), base == "test_helper.exs":
		return facts.RoleTest
	case base == "mix.exs", base == "mix.lock":
		return facts.RoleBuild
	case base == ".formatter.exs", base == ".credo.exs", base == ".iex.exs",
		strings.HasSuffix(base, ".exs") && path.Base(path.Dir(p)) == "config":
		return facts.RoleConfig
	}
	return 0
}

// maxDepth bounds the recursion into expressions; deeper ones are data that a
// program wrote.
const maxDepth = 2000

// frame is what the walk knows of the module whose statements it visits.
type frame struct {
	symbol int32  // the definition, -1 at the level of the file and in quotes
	module string // full name, "" at the level of the file and in quotes
	kind   facts.Kind

	doc        string // of @doc, for the definition below
	typeDoc    string // of @typedoc
	hidden     bool   // @doc false
	hiddenType bool   // @typedoc false
	obsolete   bool   // @deprecated
	specs      map[string]*spec
	fieldTypes map[string]string // of @type t :: %__MODULE__{…}
	mixTask    bool              // use Mix.Task
	starts     bool              // use Application
	project    bool              // use Mix.Project
}

// spec is the first @spec of a function.
type spec struct {
	node   syntax.Node // the expression behind @spec
	text   string
	params []string
	result string
	used   bool
}

// clause is the definition that a further clause would belong to.
type clause struct {
	key    string
	symbol int32
}

type walker struct {
	b        *lang.Builder
	frames   []*frame
	depth    int
	last     clause
	comment  string           // text of the comment above the statement being walked
	config   bool             // the file is configuration: import Config
	reported map[uint32]int32 // definitions by where their names start
	// Of a damaged text: the heads of definitions by their lines, and the modules
	// among them that the walk has entered by them.
	outline []head
	adopted map[int]*frame
	// strayEnd is set where modules end too early without damage to the tree.
	strayEnd bool
}

func report(b *lang.Builder) {
	w := &walker{b: b, reported: map[uint32]int32{}, adopted: map[int]*frame{}}
	root := b.Tree.Root()
	if root.HasError() {
		w.outline = outline(b.Tree.Source)
	}
	for c := root.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "identifier" && c.Text() == "end" { // the grammar takes one too many for a name
			w.outline, w.strayEnd = outline(b.Tree.Source), true
		}
	}
	w.summary(root)
	b.Scope(lang.SpanOf(root), func() {
		w.inside(&frame{symbol: -1}, func() {
			w.statements(root)
			w.missed()
		})
	})
}

// top is the frame of the innermost module or quote.
func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

func (w *walker) inside(f *frame, walk func()) {
	last := w.last
	w.last = clause{symbol: -1}
	w.frames = append(w.frames, f)
	walk()
	w.frames = w.frames[:len(w.frames)-1]
	w.last = last
}

// statements walks the children of a node with the comments above them.
func (w *walker) statements(n syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	outer, last := w.comment, w.last
	w.last = clause{symbol: -1}
	docs := lang.CommentsOf(w.b)
	behind := uint32(0)
	carried, carriedLine := "", uint32(0)
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "comment" {
			docs.Add(c, behind)
			continue
		}
		if !c.IsNamed() {
			continue
		}
		comment := docs.Above(c.Start())
		if comment == "" && carried != "" && w.b.Line(c.Start()) <= carriedLine+1 {
			comment = carried
		}
		w.comment = withoutDirectives(comment)
		attribute := isAttribute(c)
		if !attribute && definer(callee(c)) == none {
			w.last = clause{symbol: -1}
		}
		w.statement(c)
		behind = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
		carried = ""
		if attribute {
			carried, carriedLine = comment, behind
		}
	}
	w.comment, w.last = outer, last
	w.depth--
}

// statement walks one statement, in a damaged text inside the module that its
// indentation tells.
func (w *walker) statement(c syntax.Node) {
	if c.IsError() {
		w.statements(c)
		return
	}
	if w.outline == nil && len(w.frames) == 1 && w.displaced(c) {
		w.outline = outline(w.b.Tree.Source)
	}
	if w.outline != nil && len(w.frames) == 1 {
		if f := w.owner(c.Start()); f != nil {
			last := w.last
			w.frames = append(w.frames, f)
			w.b.Within(f.symbol, func() { w.walk(c) })
			w.frames = w.frames[:len(w.frames)-1]
			if definer(callee(c)) == none {
				w.last = last
			}
			return
		}
	}
	w.walk(c)
}

// displaced tells whether a member of a module stands, indented, at the level of
// the file: an end too many, or one too few of what was cut out, closed the
// module before it.
func (w *walker) displaced(c syntax.Node) bool {
	if w.b.InBody() || definer(callee(c)) == none && !isAttribute(c) {
		return false
	}
	start := int(c.Start())
	return start > 0 && (w.b.Tree.Source[start-1] == ' ' || w.b.Tree.Source[start-1] == '\t')
}

// summary takes the documentation of the first module or else the comment that
// heads the file.
func (w *walker) summary(root syntax.Node) {
	docs := lang.CommentsOf(w.b)
	last := uint32(0)
	for c := root.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "comment" {
			if last > 0 && w.b.Line(c.Start()) > last+1 {
				break
			}
			docs.Add(c, 0)
			last = w.b.Line(c.Start())
			continue
		}
		break
	}
	comment := withoutDirectives(docs.Pending())
	for c := root.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if t := callee(c); t == "defmodule" || t == "defprotocol" {
			if doc, _, _ := docText(attributeIn(c.ChildOfKind("do_block"), "moduledoc")); doc != "" {
				w.b.SetSummary(doc)
				return
			}
			break
		}
	}
	if !lang.LooksLikeLicense(comment) {
		w.b.SetSummary(comment)
	}
}

func withoutDirectives(doc string) string {
	if doc == "" {
		return ""
	}
	var out []string
	for line := range strings.Lines(doc) {
		l := strings.TrimSpace(line)
		if strings.Trim(l, "-=#*~ ") == "" {
			out = append(out, "\n")
			continue
		}
		low := strings.ToLower(l)
		if strings.HasPrefix(low, "credo:") || strings.HasPrefix(low, "coveralls-ignore") || strings.HasPrefix(low, "sobelow_skip") ||
			strings.HasPrefix(low, "dialyzer") || strings.HasPrefix(low, "spdx-") || strings.HasPrefix(low, "!/") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, ""))
}
