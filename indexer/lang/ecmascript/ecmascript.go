// Package ecmascript extracts facts from JavaScript and TypeScript trees.
//
// The grammars of JavaScript, TypeScript and TSX share nearly all their node
// kinds, so one walk serves the three rows. It goes through the tree once,
// opening a scope for every function and block, declares what defines a name
// and reports every use of a name that is not a local one. The recursion is
// bounded: long operator, call and else-if chains are unrolled, and what is
// nested deeper than maxDepth is scanned without its structure.
package ecmascript

import (
	"bytes"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Version counts changes of the extraction, for the three rows.
const Version = 3

// maxDepth bounds the recursion of the walk, in nested nodes.
const maxDepth = 1200

// Leaves are the same kinds in the three grammars. Strings are told by their
// fragments, for "string" is also the keyword of a type.
func Leaves() lang.Leaves {
	return lang.Leaves{
		Comments: []string{"comment", "html_comment", "hash_bang_line"},
		Strings:  []string{"string_fragment", "jsx_text"},
		Imports:  []string{"import_statement"},
	}
}

var resyncLine = lazyregexp.New(`^(?:export|async|function|abstract|class|interface|type|(?:const )?enum|const|let|var|namespace|module|declare|import)[\s{*(]|^@[A-Za-z]|^(?:module\.)?exports[.\s=]`)

// Resync tells whether a declaration can start at a line: those that stand in
// the first column.
func Resync(line []byte) bool { return resyncLine.Match(line) }

// Roles tells what the conventions of the ecosystem say about a path.
func Roles(p string) facts.Role {
	var role facts.Role
	dir, base := path.Split(p)
	for d := range strings.SplitSeq(dir, "/") {
		switch d {
		case "__tests__", "__mocks__", "__test__", "__fixtures__", "__snapshots__":
			role |= facts.RoleTest
		case ".storybook":
			role |= facts.RoleConfig
		}
	}
	lower := strings.ToLower(base)
	parts := strings.Split(lower, ".")
	for i, part := range parts {
		if i == 0 || i == len(parts)-1 {
			continue
		}
		last := i == len(parts)-2
		switch part {
		case "test", "tests", "spec", "specs", "e2e", "cy":
			role |= facts.RoleTest
		case "stories", "story":
			role |= facts.RoleExample
		case "d":
			if last || i == len(parts)-3 {
				role |= facts.RoleDeclaration
			}
		case "config":
			if last {
				role |= facts.RoleConfig
			}
		case "min":
			if last {
				role |= facts.RoleGenerated
			}
		}
	}
	stem := strings.TrimSuffix(lower, path.Ext(lower))
	if strings.HasPrefix(stem, ".") && strings.HasSuffix(stem, "rc") {
		role |= facts.RoleConfig
	}
	if stem == "index" || stem == "index.d" {
		role |= facts.RolePackageInit
	}
	return role
}

// walker is the state of one walk.
type walker struct {
	b   *lang.Builder
	src []byte
	// module: the file has imports or exports, so that what it does not
	// export is seen in it only.
	module bool
	// part: the tree holds a part of a damaged text only.
	part bool
	// ambient: what is declared here is implemented elsewhere.
	ambient bool
	depth   int
	// blocks counts block scopes since the last function or the file.
	blocks int
	// wrapped counts wrapper functions (IIFE, UMD, AMD) around the walk.
	wrapped int
	classes []*class
	// doc is the comment above the statement in hand, until a definition
	// takes it.
	doc string
	// typeParams counts the type parameters of a name that are in scope.
	typeParams map[string]int
	// owned maps a function, class or object node to the definition it is the
	// value of, declared before the value is walked.
	owned   map[int]int32
	objects map[int]object
	// contexts are what object literals, functions and shorthand keys are
	// expected to be, by node.
	contexts map[int]string
	// literals is the definition whose members the object types in hand declare,
	// or -1.
	literals int32
	// frames are the functions around.
	frames []*frame
	// hints are initialiser shapes for the first parameter of a callback.
	hints map[int]string

	symbols []int32
	// own is the visibility a symbol has by itself, before that of what holds
	// it is taken into account.
	own map[int32]facts.Visibility
	// top lists the symbols of a name at the level of the file.
	top     map[string][]int32
	pending []pendingExport
}

// class is the class whose body is walked.
type class struct {
	symbol int32
	fields map[string]bool
	// constructing counts how deep the walk stands in its constructor.
	constructing bool
}

// pendingExport marks a local name as exported when the walk is over.
type pendingExport struct {
	local string
	flags facts.SymbolFlags
}

// Extract reports what the tree of the builder holds.
func Extract(b *lang.Builder) {
	if b.Tree == nil || b.Tree.Root().IsZero() {
		return
	}
	w := &walker{
		b: b, src: b.Tree.Source, module: isModule(b), ambient: strings.HasPrefix(b.Extension, ".d."),
		typeParams: map[string]int{},
		owned:      map[int]int32{}, objects: map[int]object{}, contexts: map[int]string{}, literals: -1, hints: map[int]string{},
		own: map[int32]facts.Visibility{}, top: map[string][]int32{},
	}
	root := b.Tree.Root()
	w.part = !bytes.Equal(w.src, b.Source)
	if first := root.FirstChild(); !first.IsZero() && len(bytes.TrimSpace(b.Source[:first.Start()])) == 0 {
		w.summary(root)
	}
	if root.IsError() {
		w.salvage(root)
	} else {
		w.statements(root)
	}
	w.exportedElsewhere()
	w.settle()
}

var moduleLine = lazyregexp.New(`(?m)^(?:import\s*[\w{*'"$]|export\s*[\w{*=]|(?:module\.)?exports(?:\.\w+)?\s*=)`)

// isModule tells whether the file imports or exports anything. Around damage
// the tree may hold a part of the file only, so the text is asked too.
func isModule(b *lang.Builder) bool {
	for c := range b.Tree.Root().NamedChildren {
		if c.Is("import_statement", "export_statement") {
			return true
		}
	}
	if moduleLine.Match(b.Source) {
		return true
	}
	if !bytes.Contains(b.Source, []byte("exports")) {
		return false
	}
	for i := range b.Tree.Len() {
		if n := b.Tree.At(i); n.Is("assignment_expression") {
			if _, ok := exportTarget(n.Child("left")); ok {
				return true
			}
		}
	}
	return false
}

// settle applies what is only known at the end: exports by name, visibility of
// members, and which signatures have an implementation.
func (w *walker) settle() {
	for _, p := range w.pending {
		targets := w.top[p.local]
		if len(targets) == 0 && w.part {
			if i := w.b.FindSymbol(p.local); i >= 0 {
				targets = []int32{i}
			}
		}
		for _, i := range targets {
			w.b.At(i).Flags |= p.flags
		}
	}
	type member struct {
		parent int32
		name   string
	}
	implemented := map[member]bool{}
	for _, i := range w.symbols {
		if s := w.b.At(i); s.Flags&facts.Overload == 0 {
			implemented[member{s.Parent, s.Name}] = true
		}
	}
	for _, i := range w.symbols {
		s := w.b.At(i)
		if s.Flags&facts.Overload != 0 && !implemented[member{s.Parent, s.Name}] {
			s.Flags = s.Flags&^facts.Overload | facts.Declaration
		}
		vis := w.own[i]
		switch {
		case s.Flags&facts.InBody != 0:
			vis = facts.Private
		case s.Parent >= 0:
			vis = max(vis, w.b.At(s.Parent).Visibility)
		case s.Flags&(facts.Exported|facts.DefaultExport) != 0:
			vis = facts.Public
		case s.Container != "":
			if owner := w.top[s.Container]; len(owner) > 0 && owner[0] != i {
				vis = max(vis, w.b.At(owner[0]).Visibility)
			}
		}
		s.Visibility = vis
	}
}

// definition adds a symbol whose own visibility is given.
func (w *walker) definition(s facts.Symbol, vis facts.Visibility) int32 {
	text, deprecated := describe(w.doc)
	w.doc = ""
	if deprecated {
		s.Flags |= facts.Obsolete
	}
	s.Doc = text
	switch s.Kind {
	case facts.KindFunction, facts.KindClass, facts.KindVariable, facts.KindConstant, facts.KindEnum, facts.KindModule:
		if w.ambient {
			s.Flags |= facts.Declaration
		}
	}
	i := w.b.Symbol(s)
	if i < 0 {
		return i
	}
	w.symbols = append(w.symbols, i)
	w.own[i] = vis
	if at := w.b.At(i); at.Parent < 0 && at.Container == "" && at.Flags&facts.InBody == 0 {
		w.top[s.Name] = append(w.top[s.Name], i)
	}
	return i
}

// topVisibility is the visibility of a declaration that no export names.
func (w *walker) topVisibility() facts.Visibility {
	switch {
	case w.ambient && w.b.Enclosing() >= 0:
		return facts.Public
	case w.b.Enclosing() >= 0, w.module, w.wrapped > 0:
		return facts.Private
	}
	return facts.Public
}

// walk visits a node of any kind. Beyond the bound of the depth the subtree is
// scanned without its structure.
func (w *walker) walk(n syntax.Node) {
	if n.IsZero() || !n.IsNamed() {
		return
	}
	if w.depth >= maxDepth {
		w.scan(n)
		return
	}
	w.depth++
	w.node(n)
	w.depth--
}

func (w *walker) children(n syntax.Node) {
	for c := range n.NamedChildren {
		w.walk(c)
	}
}
