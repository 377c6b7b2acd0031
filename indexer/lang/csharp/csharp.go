// Package csharp reads C#: programs and scripts.
//
// The grammar knows C# up to version 12; rewrite knows what came later. A
// namespace that a file consists of is its package; only where there are
// several, each is a definition. The parts of a partial class carry the same
// name and so are one class to whoever groups by container.
package csharp

import (
	"bytes"
	"path"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/csharp"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of C#.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "csharp",
		Aliases:      []string{"c#", "cs"},
		Version:      3,
		Extensions:   []string{".cs", ".csx"},
		Interpreters: []string{"dotnet-script", "csi"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"string_literal", "verbatim_string_literal", "raw_string_literal", "character_literal", "string_content"},
			Imports:  []string{"using_directive", "extern_alias_directive"},
		},
		Extract: extract,
		Rewrite: rewrite,
		Resync:  resync,
		Roles:   roles,
	}
}

var testName = lazyregexp.New(`^.*(?:[Tt]ests?|TestBase|TestCase|Fixture|[a-z0-9]Specs?)\.csx?$`)

// notTest are words that only end like one.
var notTest = lazyregexp.New(`(?:[Cc]ontest|[Ll]atest|[Aa]ttest|[Pp]rotest|[a-z](?:test|tests))\.csx?$`)

func roles(p string) facts.Role {
	var r facts.Role
	dir, base := path.Split(p)
	if testName.MatchString(base) && !notTest.MatchString(base) {
		r |= facts.RoleTest
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		// Projects are folders named like their assembly: Company.Product.Tests.
		last := part[strings.LastIndexByte(part, '.')+1:]
		switch strings.ToLower(last) {
		case "test", "tests", "unittests", "integrationtests", "functionaltests", "specs":
			r |= facts.RoleTest
		}
	}
	lower := strings.ToLower(base)
	for _, s := range []string{".designer.cs", ".g.cs", ".g.i.cs", ".generated.cs", ".assemblyinfo.cs", ".assemblyattributes.cs"} {
		if strings.HasSuffix(lower, s) {
			r |= facts.RoleGenerated
		}
	}
	return r
}

var typeLine = lazyregexp.New(`^(?:[ \t]{0,8})(?:\[[^\]]*\][ \t]*)?(?:(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|ref|unsafe|new|file)[ \t]+)*(?:class|struct|interface|enum|record|namespace|delegate)[ \t]+[\pL_@]`)

var usingLine = lazyregexp.New(`^(?:global[ \t]+)?using[ \t]+[\pL_][^(]*;`)

// resync tells whether a type, namespace or using can start at a line. Members
// are found again inside their type.
func resync(line []byte) bool { return typeLine.Match(line) || usingLine.Match(line) }

// maxDepth bounds the recursion of the walk, in nested nodes; deeper ones are
// data that a program wrote.
const maxDepth = 1500

type walker struct {
	b     *lang.Builder
	depth int
	// doc holds the /// comments seen last that no declaration has taken.
	doc []syntax.Node
	// types are the types whose bodies the walk stands in.
	types []typeContext
	// typeParams counts the type parameters of a name in scope.
	typeParams map[string]int
	// members are the names of properties and fields of the file: before a dot
	// they are values though they are written like types.
	members map[string]bool
	// several says that the file holds more than one namespace.
	several bool
	// partial says that the tree stands for a part of the text only, or has
	// damage: what stands at the level of the file may belong to a type.
	partial   bool
	described bool
	// heads are the types of a damaged text, found the symbols of their names.
	heads []head
	found map[uint32]int32
	mask  []byte
	names map[uint32]bool // where the names of definitions found start
	// linking counts the shapes under way in which calls are told by their places.
	linking int
	// targets are answers of target, by the index of the node.
	targets map[int]string
	// strays are members that stand inside a body by damage.
	strays []syntax.Node
}

// typeContext is what the walk knows of a type around.
type typeContext struct {
	symbol int32
	name   string
	base   string
	// contract says that members are public unless they say otherwise.
	contract bool
	// extends is the receiver of an extension block, whose members are static
	// for who looks at the class around it.
	extends bool
}

func extract(b *lang.Builder) {
	if b.Tree == nil || b.Tree.Root().IsZero() {
		return
	}
	root := b.Tree.Root()
	w := &walker{b: b, typeParams: map[string]int{}, members: map[string]bool{}, targets: map[int]string{}}
	w.partial = root.HasError() || root.IsError() || !bytes.Equal(b.Tree.Source, b.Source)
	if w.partial {
		w.mask = maskCode(b.Source)
		w.heads, w.found, w.names = outline(w.mask), map[uint32]int32{}, map[uint32]bool{}
	}
	w.namespaces()
	for i := range b.Tree.Len() {
		n := b.Tree.At(i)
		switch n.Kind() {
		case "property_declaration":
			w.members[n.Child("name").Text()] = true
		case "record_declaration":
			for _, p := range parameters(n.ChildOfKind("parameter_list")) {
				w.members[nameText(p.name)] = true
			}
		case "field_declaration", "event_field_declaration":
			for d := range n.ChildOfKind("variable_declaration").NamedChildren {
				if name := d.Child("name"); d.Kind() == "variable_declarator" {
					w.members[name.Text()] = true
				}
			}
		}
	}
	if b.Extension == ".csx" {
		w.script()
	}
	if !root.ChildOfKind("global_statement").IsZero() {
		// Statements at the level of the file share their variables.
		b.Scope(facts.Span{Start: 0, End: uint32(len(b.Source))}, func() { w.list(root) })
	} else {
		w.list(root)
	}
	w.missing()
}

var scriptImport = lazyregexp.New(`(?m)^[ \t]*#(?:r|load)[ \t]+"([^"\n]+)"`)

// script reads the directives by which a script loads others and assemblies.
func (w *walker) script() {
	for _, m := range scriptImport.FindAllSubmatchIndex(w.b.Tree.Source, 200) {
		w.b.Import(facts.Import{Module: string(w.b.Tree.Source[m[2]:m[3]])}, uint32(m[2]))
	}
}

var namespaceHead = lazyregexp.New(`(?m)^([ \t]*)namespace[ \t]+([\pL_@][\pL\pN_.@ \t]*?)\s*[{;]`)

// namespaces decides what namespaces are to the file: its package where it has
// one, definitions where it has several, whose common parts are the package.
func (w *walker) namespaces() {
	seen := map[string]bool{}
	var common []string
	outer := -1 // indentation of those that stand in no other
	for _, m := range namespaceHead.FindAllSubmatch(w.b.Source, 64) {
		name := strings.Join(strings.Fields(string(m[2])), "")
		seen[name] = true
		parts := strings.Split(name, ".")
		if outer < 0 {
			outer, common = len(m[1]), parts
			continue
		}
		if len(m[1]) > outer {
			continue
		}
		n := 0
		for n < len(common) && n < len(parts) && common[n] == parts[n] {
			n++
		}
		common = common[:n]
	}
	w.several = len(seen) > 1
	w.b.SetPackage(strings.Join(common, "."))
}

// list walks what stands in the body of a type, of a namespace or at the level
// of the file.
func (w *walker) list(list syntax.Node) {
	w.doc = nil
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for c := range list.NamedChildren {
		switch {
		case c.Kind() == "comment":
			w.comment(c)
			continue
		case strings.HasPrefix(c.Kind(), "preproc_") && !c.Is("preproc_if", "preproc_elif", "preproc_else"):
			continue
		case c.FieldName() == "condition":
			continue
		case c.Is("preproc_if", "preproc_elif", "preproc_else", "ERROR"):
			w.list(c)
		default:
			w.placed(c)
		}
		w.doc = nil
	}
}

// comment remembers documentation: lines of ///, or /** */.
func (w *walker) comment(c syntax.Node) {
	text := c.Bytes()
	switch {
	case bytes.HasPrefix(text, []byte("////")):
	case bytes.HasPrefix(text, []byte("///")):
		if len(w.doc) > 0 && w.b.Line(w.doc[len(w.doc)-1].Start())+1 != w.b.Line(c.Start()) {
			w.doc = nil
		}
		w.doc = append(w.doc, c)
	case bytes.HasPrefix(text, []byte("/**")) && len(text) > len("/**/"):
		w.doc = []syntax.Node{c}
	}
}

func (w *walker) member(n syntax.Node) {
	switch n.Kind() {
	case "using_directive":
		w.using(n)
	case "extern_alias_directive":
		w.b.Import(facts.Import{Module: n.Child("name").Text(), Alias: n.Child("name").Text()}, n.Start())
	case "file_scoped_namespace_declaration":
		w.fileNamespace(n)
	case "namespace_declaration":
		w.blockNamespace(n)
	case "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		w.typeDeclaration(n)
	case "delegate_declaration":
		w.delegate(n)
	case "method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration":
		w.method(n)
	case "local_function_statement":
		w.method(n)
	case "property_declaration", "indexer_declaration", "event_declaration":
		w.property(n)
	case "field_declaration", "event_field_declaration":
		w.field(n)
	case "enum_member_declaration":
		w.enumMember(n)
	case "global_statement":
		w.globalStatement(n)
	case "attribute_list", "global_attribute":
		w.walk(n)
	default:
		w.walk(n)
	}
}

var typeHead = lazyregexp.New(`(?m)^[ \t]*(?:(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|ref|unsafe|file)[ \t]+)*(?:class|struct|interface|enum|record|namespace)[ \t]+[\pL_@]`)

// globalStatement walks a statement at the level of the file: the start of a
// program, unless types stand before it, which only damage can cause.
func (w *walker) globalStatement(n syntax.Node) {
	s := n.FirstChild()
	if s.Kind() == "local_function_statement" {
		w.method(s)
		return
	}
	if d := s.ChildOfKind("variable_declaration"); w.partial && s.Kind() == "local_declaration_statement" && !d.IsZero() && typeHead.Match(w.b.Source[:n.Start()]) {
		w.field(s)
		return
	}
	if !w.b.InBody() && !s.Is("empty_statement", "ERROR") && !n.HasError() && !typeHead.Match(w.b.Source[:n.Start()]) {
		w.b.AddTrait(facts.EntryPoint)
	}
	w.doc = nil
	w.children(n)
}

// using reads the forms of using: a namespace, the members of a type, a name
// for either.
func (w *walker) using(n syntax.Node) {
	alias := n.Child("name")
	var target syntax.Node
	for c := range n.NamedChildren {
		if !c.IsExtra() && !c.IsError() && c.FieldName() != "name" {
			target = c
		}
	}
	if target.IsZero() {
		target, alias = alias, syntax.Node{}
	}
	name := lang.Collapse(target.Text())
	imp := facts.Import{Module: strings.TrimPrefix(strings.ReplaceAll(name, " ", ""), "global::")}
	if target.Is("tuple_type", "pointer_type", "array_type", "nullable_type", "predefined_type") {
		imp.Module = name
	}
	switch {
	case !alias.IsZero():
		imp.Alias = alias.Text()
		w.typeRefs(target, facts.RefImport)
	case n.HasToken("static"):
		imp.Names = []facts.ImportedName{{Name: "*"}}
		w.typeRefs(target, facts.RefImport)
	}
	if n.HasToken("global") {
		imp.Flags |= facts.ImportReexport
	}
	w.b.Import(imp, n.Start())
}

func (w *walker) fileNamespace(n syntax.Node) {
	w.b.SetPackage(dotted(n.Child("name")))
	if n.FirstChild().IsZero() {
		return
	}
	// Some versions of the grammar hold the rest of the file inside.
	for c := range n.NamedChildren {
		if c.FieldName() != "name" && !c.IsExtra() {
			w.placed(c)
		}
	}
}

func (w *walker) blockNamespace(n syntax.Node) {
	name := n.Child("name")
	doc := w.documentation()
	symbol := int32(-1)
	if w.several {
		symbol = w.b.Symbol(facts.Symbol{
			Name: dotted(name), Kind: facts.KindModule, Doc: doc, Signature: w.head(n, n.Child("body").Start()),
			Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
		})
	}
	w.b.Within(symbol, func() {
		w.list(n.Child("body"))
		w.errors(n)
	})
}

// errors walks the damage among the children of a declaration.
func (w *walker) errors(n syntax.Node) {
	for e := range n.NamedChildren {
		if e.IsError() {
			w.list(e)
		}
	}
}

// dotted is a name without white space.
func dotted(n syntax.Node) string { return strings.Join(strings.Fields(n.Text()), "") }
