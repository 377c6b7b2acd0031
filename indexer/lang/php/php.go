// Package php reads PHP, also where it stands inside HTML.
//
// Names of variables keep their dollar sign in bindings, shapes and global
// variables, so that they cannot be taken for functions or constants; fields
// are named without it, as they are used. A name behind a namespace has that as
// its qualifier, with the backslash at its end.
//
// Some bindings tell more of a place than names, for what leads references to
// their definitions: "this" is each base of an anonymous class, "return" what a
// function gives that does not say so, "=x" what is assigned to the property x
// of $this. A variable whose initialiser is its own name is what a condition
// around the scope tells of it. X::class has the shape X.::class, a call with the
// name of a class the shape f()(X), and a parameter of a closure f@0.1 where it
// is the second that the first argument of f is called with.
package php

import (
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/php"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of PHP. It has no lines to resume at, for a part of a
// file without its opening tag reads as HTML; rewrite repairs members one by
// one instead.
func Language() *lang.Language {
	g := syntax.NewGrammar(grammar.GetLanguage())
	return &lang.Language{
		Name:         "php",
		Aliases:      []string{"php3", "php8", "html+php"},
		Version:      2,
		Extensions:   []string{".php", ".phtml", ".php5"},
		Interpreters: []string{"php"},
		Grammar:      func() *syntax.Grammar { return g },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression"},
			Imports:  []string{"namespace_use_declaration", "require_expression", "require_once_expression", "include_expression", "include_once_expression"},
		},
		Extract: report,
		Rewrite: func(source []byte) []byte { return rewrite(g, source) },
		Roles:   roles,
	}
}

func roles(p string) facts.Role {
	stem, ext, _ := strings.Cut(path.Base(p), ".")
	if ext == "php" && (strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "TestCase") || strings.HasSuffix(stem, "_test")) {
		return facts.RoleTest
	}
	return 0
}

// maxDepth bounds the recursion into expressions; deeper ones are data that a
// program wrote.
const maxDepth = 2000

// owner is the class, trait or interface whose members are visited.
type owner struct {
	symbol   int32 // -1 for an anonymous class
	name     string
	abstract bool // methods have no bodies: interface
}

type walker struct {
	b       *lang.Builder
	docs    *lang.Comments
	owners  []owner
	depth   int
	globals map[string]bool // variables of the file already reported
	pending pending
	taker   string // what takes the closure that is walked next
}

func report(b *lang.Builder) {
	w := &walker{b: b, globals: map[string]bool{}}
	if strings.HasPrefix(string(b.Source[:min(len(b.Source), 2)]), "#!") {
		b.AddTrait(facts.EntryPoint)
	}
	root := b.Tree.Root()
	w.summary(root)
	b.Scope(lang.SpanOf(root), func() { w.statements(root) })
}

// summary takes the comment at the head of the file, where something other than
// a definition follows.
func (w *walker) summary(root syntax.Node) {
	docs := lang.CommentsOf(w.b)
	last := uint32(0)
	for c := root.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		switch c.Kind() {
		case "php_tag", "text":
			continue
		case "comment":
			if line := w.b.Line(c.Start()); last == 0 || line <= last+1 && strings.HasPrefix(c.Text(), "//") {
				docs.Add(c, 0)
				last = w.b.Line(max(c.Start(), c.End()-1))
				continue
			}
		case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "function_definition", "const_declaration":
			return
		}
		if text := docs.Pending(); !lang.LooksLikeLicense(text) {
			w.b.SetSummary(documentation(text).prose)
		}
		return
	}
}

// statements walks the children of a node with their comments.
func (w *walker) statements(n syntax.Node) {
	outer := w.docs
	w.docs = lang.CommentsOf(w.b)
	behind := uint32(0)
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "comment" {
			w.docs.Add(c, behind)
			w.annotated(c)
			continue
		}
		if c.IsNamed() {
			w.walk(c)
		}
		behind = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
	}
	w.docs = outer
}

// above is the documentation of a definition: the comment above its node, or
// one between its attributes and its keyword.
func (w *walker) above(n syntax.Node) phpdoc {
	text := ""
	if w.docs != nil {
		text = w.docs.Above(n.Start())
	}
	if text == "" {
		for c := n.FirstChild(); !c.IsZero() && c.FieldName() != "name" && c.Kind() != "name"; c = c.NextSibling() {
			if c.Kind() == "comment" {
				text = lang.CleanComment(c.Text())
			}
		}
	}
	return documentation(text)
}

func firstNamed(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && c.Kind() != "comment" {
			return c
		}
	}
	return syntax.Node{}
}

// bare is the name of a variable without its dollar sign, or the node itself.
func bare(n syntax.Node) syntax.Node {
	if n.Kind() == "variable_name" {
		return n.ChildOfKind("name")
	}
	return n
}
