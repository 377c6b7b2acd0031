// Package java reads Java.
package java

import (
	"bytes"
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/java"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Java.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "java",
		Version:    2,
		Extensions: []string{".java"},
		Grammar:    func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"line_comment", "block_comment"},
			Strings:  []string{"string_literal", "character_literal"},
			Imports:  []string{"import_declaration", "package_declaration"},
		},
		Extract: extract,
		Rewrite: rewrite,
		Resync:  resync,
		Roles:   roles,
	}
}

var testName = lazyregexp.New(`^(?:Test[A-Z0-9_].*|.*(?:Test|Tests|TestCase|TestBase|TestSuite|[a-z0-9]IT|ITCase))\.java$`)

func roles(p string) facts.Role {
	var r facts.Role
	dir, base := path.Split(p)
	if testName.MatchString(base) {
		r |= facts.RoleTest
	}
	parts := strings.Split(dir, "/")
	for i := 1; i < len(parts); i++ {
		// Source sets of Maven and Gradle: src/test, src/integrationTest, src/testFixtures.
		if set := parts[i]; parts[i-1] == "src" && (set == "test" || set == "it" || strings.HasSuffix(set, "Test") || strings.HasPrefix(set, "test") && len(set) > 4 && set[4] <= 'Z') {
			r |= facts.RoleTest
		}
	}
	if base == "package-info.java" {
		r |= facts.RolePackageInit
	}
	return r
}

var typeLine = lazyregexp.New(`^(?:public|protected|private|abstract|final|static|sealed|non-sealed|strictfp|class|interface|@interface|enum|record|import|package|open|module)[\s<]`)

// resync tells whether a type, import or package can start at a line: one in
// the first column. Members are found again inside their type.
func resync(line []byte) bool { return typeLine.Match(line) }

var (
	moduleImport  = lazyregexp.New(`(?m)^[ \t]*import[ \t]+(module)[ \t]+[\pL_]`)
	lateCall      = lazyregexp.New(`(?:[;{}\s])(super|this)\s*\(`)
	variadicMark  = lazyregexp.New(`@[\pL_][\pL\pN_.]*\s*\.\.\.`)
	caseLabel     = lazyregexp.New(`\bcase\s[^;{}"']*?(?:->|:)`)
	unnamedInCase = lazyregexp.New(`[\pL\pN_>]\s+(_)\s*(?:[,)]|->|:|when\b)`)
	conflictMark  = lazyregexp.New(`(?m)^(?:<<<<<<<|\|\|\|\|\|\|\||>>>>>>>) .*$|^=======\r?$`)
	unicodeEscape = lazyregexp.New(`\\u+[0-9a-fA-F]{4}`)
)

// rewrite knows what is newer than the grammar or unknown to it: imports of
// modules (Java 25), statements before super(...) (Java 25), several patterns
// in one label (Java 21), annotations before dots, identifiers with Unicode
// escapes, and the marks of an unfinished merge, so that both sides are read.
func rewrite(source []byte) []byte {
	out := bytes.Clone(source)
	for _, m := range moduleImport.FindAllSubmatchIndex(source, -1) {
		fill(out[m[2]:m[3]], ' ')
	}
	for _, m := range lateCall.FindAllSubmatchIndex(source, -1) {
		// A call of a method of that name; what it calls is told by the source.
		out[m[3]-1] = 'X'
	}
	for _, m := range variadicMark.FindAllIndex(source, -1) {
		fill(out[m[0]:m[1]-len("...")], ' ')
	}
	for _, label := range caseLabel.FindAllIndex(source, -1) {
		if text := source[label[0]:label[1]]; bytes.IndexByte(text, ',') > 0 {
			for _, m := range unnamedInCase.FindAllSubmatchIndex(text, -1) {
				out[label[0]+m[2]] = ' '
			}
		}
	}
	for _, m := range conflictMark.FindAllIndex(source, -1) {
		fill(out[m[0]:m[1]], ' ')
	}
	for _, m := range unicodeEscape.FindAllIndex(source, -1) {
		// Behind a quote it is a character, behind a backslash none.
		if m[0] > 0 && bytes.IndexByte([]byte("'\"\\"), source[m[0]-1]) < 0 {
			out[m[0]] = '_'
		}
	}
	return out
}

func fill(b []byte, c byte) {
	for i := range b {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = c
		}
	}
}

// maxDepth bounds the recursion of the walk, in nested nodes; deeper ones are
// data that a program wrote.
const maxDepth = 1500

type walker struct {
	b     *lang.Builder
	depth int
	// doc is the Javadoc comment seen last that no declaration has taken.
	doc syntax.Node
	// types are the types whose bodies the walk stands in, without anonymous
	// ones.
	types []typeContext
	// typeParams counts the type parameters of a name in scope.
	typeParams map[string]int
	// described says that the first type at the level of the file has been met.
	described bool
	lost      lost
}

// typeContext is what the walk knows of a type around.
type typeContext struct {
	symbol     int32
	name       string
	superclass string
	// contract says that members are public unless they say otherwise:
	// interfaces and annotation types.
	contract bool
}

func extract(b *lang.Builder) {
	if b.Tree == nil || b.Tree.Root().IsZero() {
		return
	}
	w := &walker{b: b, typeParams: map[string]int{}}
	root := b.Tree.Root()
	w.recover(root)
	w.members(root)
	w.missing()
}

// members walks what stands in the body of a type or at the level of the file.
func (w *walker) members(list syntax.Node) {
	w.doc = syntax.Node{}
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for c := range list.NamedChildren {
		switch c.Kind() {
		case "block_comment", "line_comment":
			w.comment(c)
			continue
		case "enum_body_declarations":
			w.members(c)
		case "ERROR":
			w.members(c)
		default:
			w.placed(c, func() { w.member(c) })
		}
		w.doc = syntax.Node{}
	}
}

// comment remembers a documentation comment: /** */ or a block of ///.
func (w *walker) comment(c syntax.Node) {
	text := c.Bytes()
	switch {
	case bytes.HasPrefix(text, []byte("/**")) && len(text) > len("/**/"):
		w.doc = c
	case bytes.HasPrefix(text, []byte("///")) && (w.doc.Kind() != "line_comment" || w.b.Line(w.doc.Start()) != w.b.Line(c.Start())-1):
		w.doc = c
	}
}

func (w *walker) member(n syntax.Node) {
	switch n.Kind() {
	case "package_declaration":
		doc, _ := w.documentation()
		if !lang.LooksLikeLicense(doc) {
			w.b.SetSummary(doc)
		}
		w.b.SetPackage(dotted(n.ChildOfKind("scoped_identifier", "identifier")))
		w.annotations(n)
	case "import_declaration":
		w.importDeclaration(n)
	case "module_declaration":
		w.module(n)
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		w.typeDeclaration(n)
	case "method_declaration", "annotation_type_element_declaration":
		w.method(n)
	case "constructor_declaration", "compact_constructor_declaration":
		w.constructor(n)
	case "field_declaration", "constant_declaration":
		w.field(n)
	case "local_variable_declaration":
		// A field at the level of a file without a class, or of a damaged one.
		w.field(n)
	case "enum_constant":
		w.enumConstant(n)
	case "static_initializer", "block":
		w.b.Body(lang.SpanOf(n), func() {
			if block := n.ChildOfKind("block"); n.Kind() == "static_initializer" {
				w.children(block)
			} else {
				w.children(n)
			}
		})
	default:
		w.walk(n)
	}
}

func (w *walker) importDeclaration(n syntax.Node) {
	name := n.ChildOfKind("scoped_identifier", "identifier")
	module := dotted(name)
	imp := facts.Import{Module: module}
	last := name
	qualifier := ""
	if scope := name.Child("scope"); !scope.IsZero() {
		last, qualifier = name.Child("name"), dotted(scope)
	}
	switch {
	case !n.ChildOfKind("asterisk").IsZero():
		imp.Names = []facts.ImportedName{{Name: "*"}}
	case n.HasToken("static"):
		if qualifier != "" {
			imp.Module = qualifier
			imp.Names = []facts.ImportedName{{Name: last.Text()}}
		}
		w.b.Reference(facts.RefImport, last.Text(), qualifier, last.Start())
	case moduleImport.Match(n.Bytes()):
		imp.Names = []facts.ImportedName{{Name: "*"}}
	default:
		w.b.Reference(facts.RefImport, last.Text(), qualifier, last.Start())
	}
	w.b.Import(imp, n.Start())
}

// module reads module-info.java.
func (w *walker) module(n syntax.Node) {
	name := n.Child("name")
	doc, obsolete := w.documentation()
	w.b.SetPackage(dotted(name))
	w.b.SetSummary(doc)
	s := facts.Symbol{
		Name: dotted(name), Kind: facts.KindModule, Doc: doc, Signature: w.head(n, n.Child("body").Start()),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	if obsolete {
		s.Flags |= facts.Obsolete
	}
	w.b.Within(w.b.Symbol(s), func() {
		for d := range n.Child("body").NamedChildren {
			switch d.Kind() {
			case "requires_module_directive":
				w.b.Import(facts.Import{Module: dotted(d.Child("module"))}, d.Start())
			case "exports_module_directive", "opens_module_directive":
				if p := d.Child("package"); d.Kind() == "exports_module_directive" && !p.IsZero() {
					w.b.Export(facts.Export{Name: dotted(p)})
				}
			case "uses_module_directive", "provides_module_directive":
				for c := range d.NamedChildren {
					if c.Is("scoped_identifier", "identifier") {
						w.qualifiedType(c)
					}
				}
			}
		}
	})
}

// qualifiedType records a type reference of a dotted name.
func (w *walker) qualifiedType(n syntax.Node) {
	if n.Kind() == "scoped_identifier" {
		if last := n.Child("name"); !last.IsZero() {
			w.b.Reference(facts.RefType, last.Text(), dotted(n.Child("scope")), last.Start())
		}
		return
	}
	w.typeName(n, facts.RefType)
}

// dotted is a name without white space and comments between its parts.
func dotted(n syntax.Node) string {
	var parts []string
	for range maxDepth {
		if n.Kind() != "scoped_identifier" {
			break
		}
		parts = append(parts, n.Child("name").Text())
		n = n.Child("scope")
	}
	parts = append(parts, lang.Collapse(n.Text()))
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".")
}
