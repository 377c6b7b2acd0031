// Package rust reads Rust.
//
// An impl block is no definition: what it holds has the type as its container,
// and the trait it implements becomes a base of the type. Macro invocations
// that hold items (cfg_x! { pub struct S; }) are parsed again as items; in other
// invocations the tokens are read for calls.
//
// What resolvers of references need besides: the initialiser of an associated
// item of an impl block is the head of the block ("impl<T> Trait for Type<T>"),
// which is the only place where the trait and its arguments stand. In shapes
// x.try is x?, x.await is x.await, x.Some and x.Ok are what these patterns bind,
// x.(Option) and x.(Result) what these constructors wrap, T{}#1 is the second
// field of a tuple struct or variant T, and x.f.fn#0 the first parameter of a
// closure that is passed to the method f of x. A binding called "!" stands at the
// name of each macro that is called inside a scope.
package rust

import (
	"bytes"
	"path"
	"sync"

	grammar "github.com/smacker/go-tree-sitter/rust"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Rust.
func Language() *lang.Language {
	// Compiled once a row: the extraction parses the text in macro invocations.
	compiled := sync.OnceValue(func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) })
	return &lang.Language{
		Name:         "rust",
		Aliases:      []string{"rs"},
		Version:      2,
		Extensions:   []string{".rs"},
		Interpreters: []string{"rust-script"},
		Grammar:      compiled,
		Leaves: lang.Leaves{
			Comments: []string{"line_comment", "block_comment"},
			Strings:  []string{"string_literal", "raw_string_literal", "char_literal"},
			Imports:  []string{"use_declaration", "extern_crate_declaration"},
		},
		Extract: func(b *lang.Builder) { extractFile(b, compiled()) },
		Resync:  resync,
		Rewrite: rewrite,
		Roles:   roles,
	}
}

func roles(p string) facts.Role {
	switch path.Base(p) {
	case "build.rs":
		return facts.RoleBuild
	case "lib.rs", "mod.rs":
		return facts.RolePackageInit
	case "tests.rs", "test.rs":
		return facts.RoleTest
	}
	return 0
}

var itemStart = lazyregexp.New(`^(?:(?:pub|fn|struct|enum|union|trait|impl|mod|use|static|const|type|unsafe|async|extern|default|macro)\b|macro_rules!|[a-z_][a-z0-9_:]*!\s*[{(]|impl<)`)

func resync(line []byte) bool { return itemStart.Match(line) }

// newer lists syntax that the grammar does not know and that can be blanked out
// without changing what is defined. The first group goes; without groups the
// whole match does.
var newer = []*lazyregexp.Regexp{
	lazyregexp.New(`\b(async)\s+(?:move\s*)?\|`),                                                                  // async closures
	lazyregexp.New(`&(raw\s+(?:const|mut))\s`),                                                                    // raw references
	lazyregexp.New(`(?m)^\s*(?:pub(?:\([^)\n]*\))?\s+)?(safe)\s+(?:fn|static)\b`),                                 // safe items of extern blocks
	lazyregexp.New(`(?m)^\s*(unsafe)\s+extern\s+(?:"[^"\n]*"\s*)?\{`),                                             // unsafe extern blocks
	lazyregexp.New(`\bimpl\b(?:<[^{}\n]*?>)?\s+(const)\s`),                                                        // const impls
	lazyregexp.New(`(?:~|\[)(?:const\b\]?)`),                                                                      // const bounds
	lazyregexp.New(`\+\s*use<[^>\n]*>|\buse<[^>\n]*>\s*\+`),                                                       // precise capturing
	lazyregexp.New(`[\s|(,\[](\.\.=?)-?[\pL0-9_'][^,;{}()\n=]*(?:=>|\|)`),                                         // half-open patterns
	lazyregexp.New(`\b(where)\s*[{;]`),                                                                            // empty where clauses
	lazyregexp.New(`\bstatic\s+(ref)\s+[A-Z_]`),                                                                   // lazy_static!
	lazyregexp.New(`[<,]\s*const\s+[\pL_][\pL\pN_]*\s*:\s*[^=<>{};]+?(\s=\s*(?:\{[^{}\n]*\}|[^,>{}\s]+))\s*[,>]`), // defaults of const parameters
	lazyregexp.New(`\b(gen)\s+(?:move\s+)?\{`),                                                                    // gen blocks
	lazyregexp.New(`(?m)^\s*(?:pub(?:\([^)\n]*\))?\s+)?(?:const\s+)?(auto)\s+trait\b`),
}

// rewrite blanks out syntax that is newer than the grammar.
func rewrite(source []byte) []byte {
	text := source
	for _, re := range newer {
		// A match can hide the next one, whose first byte is its last.
		for range 4 {
			found := re.FindAllSubmatchIndex(text, -1)
			if len(found) == 0 {
				break
			}
			if &text[0] == &source[0] {
				text = bytes.Clone(source)
			}
			for _, m := range found {
				start, end := m[0], m[1]
				if len(m) > 2 {
					start, end = m[2], m[3]
				}
				for i := start; i < end; i++ {
					if text[i] != '\n' && text[i] != '\r' {
						text[i] = ' '
					}
				}
			}
		}
	}
	if len(source) == 0 || &text[0] == &source[0] {
		return nil
	}
	return text
}

// Bounds of the walk.
const (
	// maxDepth bounds the recursion into expressions; deeper ones are data that
	// a program wrote.
	maxDepth = 3000
	// maxMacros bounds how deep invocations are parsed again inside others.
	maxMacros = 6
)

// owner is what the associated items of an impl or trait block belong to.
type owner struct {
	name       string // of the type or trait
	trait      bool   // a trait's own block
	ofTrait    bool   // an impl of a trait
	head       string // of an impl block, up to its body
	visibility facts.Visibility
}

type walker struct {
	b         *lang.Builder
	grammar   *syntax.Grammar
	source    []byte // what the current tree stands over; parts may be blank
	depth     int
	macros    int
	modules   int // inline modules entered
	extern    bool
	owner     *owner
	current   string           // what Self stands for
	rewritten []byte           // source without newer syntax, once it was needed
	types     map[string]int32 // definitions of types, by module path and name
	path      string           // of inline modules
	impls     []pendingImpl
	tests     testCode

	// Of a damaged tree: what its lines say, and which names of associated items
	// stand in which block.
	lost   []lost
	owners map[uint32]*owner
}

// testCode is what tells whether the file as a whole is a test.
type testCode struct {
	whole     bool // #![cfg(test)]
	functions int  // test functions at the level of the file
	modules   int  // #[cfg(test)] items at the level of the file
	others    int  // other definitions there
	public    int  // of which are public or main
}

// pendingImpl is a trait that a type implements, kept until all types of the
// file are known.
type pendingImpl struct {
	key   string
	name  string
	outer int32
	trait syntax.Node
	base  string
}

func extractFile(b *lang.Builder, g *syntax.Grammar) {
	w := &walker{b: b, grammar: g, source: b.Tree.Source, types: map[string]int32{}}
	root := b.Tree.Root()
	w.summary(root)
	if root.HasError() {
		w.scan(b.Tree, facts.Span{End: uint32(len(w.source))})
	}
	w.items(root)
	w.salvage()
	w.finishImpls()
	whole := len(w.source) == 0 || len(b.Source) == 0 || &w.source[0] == &b.Source[0]
	t := w.tests
	if t.whole || whole && (t.functions > 0 && t.public == 0 || t.modules > 0 && t.functions+t.others == 0) {
		b.AddTrait(facts.TestCode)
	}
}

// summary is the inner documentation at the top of the file. Headings, badges
// and logos in front of the first sentence say nothing.
func (w *walker) summary(root syntax.Node) {
	doc := ""
	root.NamedChildren(func(n syntax.Node) bool {
		switch {
		case n.Is("line_comment", "block_comment"):
			if isInnerDoc(n) && len(doc) < maxDoc {
				doc += docText(n) + "\n"
			}
			return true
		case n.Is("inner_attribute_item", "shebang"):
			return true
		}
		return false
	})
	if text := prose(doc); text != "" {
		w.b.SetSummary(text)
		return
	}
	w.b.SetSummary(doc)
}

func prose(doc string) string {
	for len(doc) > 0 {
		line, rest, _ := bytes.Cut([]byte(doc), []byte("\n"))
		t := bytes.TrimSpace(line)
		if len(t) > 0 && t[0] != '#' && t[0] != '<' && !bytes.HasPrefix(t, []byte("[!")) && !bytes.HasPrefix(t, []byte("![")) {
			return doc
		}
		doc = string(rest)
	}
	return ""
}
