// Package ruby reads Ruby: programs, Rakefiles, gem specifications and the
// like.
//
// Ruby says most things with calls, so the walk knows the calls that define
// (attr_reader, define_method, Struct.new, Rake's task), that change what
// follows (private, module_function) and that import (require). A block of any
// other call is a body: what is defined there is local to it.
package ruby

import (
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/ruby"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Ruby.
func Language() *lang.Language {
	g := syntax.NewGrammar(grammar.GetLanguage())
	return &lang.Language{
		Name:         "ruby",
		Aliases:      []string{"rb", "jruby", "enh-ruby"},
		Version:      2,
		Extensions:   []string{".rb", ".rake", ".gemspec", ".ru"},
		Filenames:    []string{"Rakefile", "Gemfile", "Guardfile", "Vagrantfile"},
		Interpreters: []string{"ruby"},
		Grammar:      func() *syntax.Grammar { return g },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"string", "heredoc_body", "regex", "string_array", "symbol_array", "subshell", "uninterpreted"},
		},
		Extract: report,
		Resync:  resync,
		Rewrite: func(source []byte) []byte { return rewrite(g, source) },
		Roles:   roles,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	switch base {
	case "Rakefile", "Gemfile", "Guardfile", "Vagrantfile":
		return facts.RoleBuild
	case "spec_helper.rb", "rails_helper.rb", "test_helper.rb":
		return facts.RoleTest
	}
	stem, ext, _ := strings.Cut(base, ".")
	switch ext {
	case "rake", "gemspec":
		return facts.RoleBuild
	case "rb":
		if strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") {
			return facts.RoleTest
		}
	}
	return 0
}

// maxDepth bounds the recursion into expressions; deeper ones are data that a
// program wrote.
const maxDepth = 2000

// frame is what the walk knows of the class or module whose statements it
// visits.
type frame struct {
	symbol     int32 // the definition, -1 at the level of the file and in blocks
	name       string
	kind       facts.Kind
	visibility facts.Visibility // of methods from here on
	static     bool             // class << self, class_methods
	functions  bool             // module_function from here on
	block      bool             // block of a call, not a class
	anonymous  bool             // block of Class.new: a class without a name
	members    map[string][]int32
	fields     map[string]int32 // instance variables seen
}

type walker struct {
	b      *lang.Builder
	frames []*frame
	docs   *lang.Comments
	depth  int
	// carried is a comment that stands above a line which belongs to the
	// definition below it (a sig, a desc), which ends on carriedLine.
	carried     string
	carriedLine uint32
	// written is the comment above the definition that was asked for last, tags
	// included.
	written    string
	namespaces []string // of Rake
	described  string   // text of Rake's desc for the next task
	tasks      bool     // the file is one of Rake's
	tags       docTags  // of the method whose parameters are bound
	// inits are the shapes of the local names of the method at hand.
	inits map[string]string
	// element is what the call whose arguments are walked gives its block, "" where
	// that is not known.
	element string
}

func report(b *lang.Builder) {
	w := &walker{b: b, tasks: b.Extension == "" || b.Extension == ".rake" || b.Extension == ".rakefile"}
	root := b.Tree.Root()
	w.summary(root)
	b.Scope(lang.SpanOf(root), func() {
		w.inside(&frame{symbol: -1}, func() {
			if root.IsError() {
				w.damaged(root)
			} else {
				w.statements(root)
			}
		})
	})
}

// top is the frame of the innermost class, module or block.
func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

func (w *walker) inside(f *frame, walk func()) {
	f.members, f.fields = map[string][]int32{}, map[string]int32{}
	w.frames = append(w.frames, f)
	walk()
	w.frames = w.frames[:len(w.frames)-1]
}

// class is the frame of the innermost class or module, or the file's.
func (w *walker) class() *frame {
	for i := len(w.frames) - 1; i > 0; i-- {
		if !w.frames[i].block {
			return w.frames[i]
		}
	}
	return w.frames[0]
}

// statements walks the children of a node with their comments. The groups of
// nodes are walked as one list, for the comments above the first statement of a
// class stand outside its body.
func (w *walker) statements(groups ...syntax.Node) {
	outer := w.docs
	w.docs = lang.CommentsOf(w.b)
	behind := uint32(0)
	for k, g := range groups {
		for c := g.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if c.Kind() == "comment" {
				w.docs.Add(c, behind)
				continue
			}
			// Of a class itself only comments and damage are of interest.
			if k+1 < len(groups) && !c.IsError() {
				continue
			}
			if c.IsError() {
				w.damaged(c)
			} else if c.IsNamed() {
				w.walk(c)
			}
			behind = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
		}
	}
	w.docs = outer
}

// above is the documentation of a definition that starts at an offset.
func (w *walker) above(start uint32) (doc string, obsolete bool) {
	text := ""
	if w.docs != nil {
		text = w.docs.Above(start)
	}
	if text == "" && w.carried != "" && w.b.Line(start) <= w.carriedLine+1 {
		text = w.carried
	}
	w.carried, w.written = "", text
	return documentation(text)
}

// documentation drops YARD tags and what talks to tools.
func documentation(text string) (doc string, obsolete bool) {
	if text == "" {
		return "", false
	}
	text = strings.TrimPrefix(text, "=begin")
	if i := strings.Index(text, "\n=end"); i >= 0 {
		text = text[:i]
	}
	var out []string
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "@") {
			if strings.HasPrefix(l, "@deprecated") {
				obsolete = true
			}
			// The text of a tag goes on indented, so nothing below is prose.
			out = append(out, "\n")
			continue
		}
		if isDirective(l) {
			continue
		}
		if len(out) > 0 && out[len(out)-1] == "\n" && (strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")) {
			continue
		}
		l = strings.TrimSpace(strings.TrimSuffix(l, ":nodoc:"))
		if strings.Trim(l, "-=#*~") == "" {
			l = ""
		}
		out = append(out, l+"\n")
	}
	return strings.Join(out, ""), obsolete
}

func isDirective(l string) bool {
	l = strings.ToLower(strings.TrimLeft(l, "!- "))
	for _, p := range []string{"rubocop:", "frozen_string_literal:", "frozen-string-literal:", "encoding:", "coding:", "*- ", "typed:", "warn_indent:",
		"warn-indent:", "shareable_constant_value:", "simplecov:", ":nocov:", ":nodoc:", "steep:", "rbs_inline:", "/usr/", "/bin/", "vim:", "!/"} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	return false
}

// summary takes the first comment of the file that describes the file and not
// the definition below it.
func (w *walker) summary(root syntax.Node) {
	docs := lang.CommentsOf(w.b)
	last := uint32(0)
	flush := func() bool {
		text := docs.Pending()
		if lang.LooksLikeLicense(text) {
			return false
		}
		doc, _ := documentation(text)
		w.b.SetSummary(doc)
		return strings.TrimSpace(doc) != ""
	}
	for c := root.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() != "comment" {
			// The block right above a definition is the definition's.
			if last > 0 && (w.b.Line(c.Start()) > last+1 || !c.Is("class", "module", "method", "assignment", "singleton_method")) {
				flush()
			}
			return
		}
		if last > 0 && w.b.Line(c.Start()) > last+1 && flush() {
			return
		}
		docs.Add(c, 0)
		last = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
		if strings.HasSuffix(c.Text(), "\n") {
			last--
		}
	}
	if last > 0 {
		flush()
	}
}
