package python

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxDepth bounds how deep the walk nests; see the package comment.
const maxDepth = 250

var quotedName = lazyregexp.New(`['"]([\pL_][\pL\pN_]*)['"]`)

type walker struct {
	b      *lang.Builder
	t      *syntax.Tree
	scopes []scope
	depth  int

	exported   map[string]bool
	comments   map[uint32]bool   // offsets at which comments start
	enums      map[string]bool   // classes of the file that are enums
	defined    map[place][]block // where variables were first assigned
	fieldAt    map[uint32]bool   // offsets at which attributes are defined
	testModule bool              // imports a test framework

	lost lost
}

// place is a name in a container (-1: the file).
type place struct {
	container int32
	name      string
}

// block is where a name was assigned, and the symbol that it became.
type block struct {
	suite  syntax.Node
	symbol int32
}

func report(b *lang.Builder) {
	w := &walker{
		b: b, t: b.Tree,
		exported: map[string]bool{}, comments: map[uint32]bool{}, enums: map[string]bool{},
		defined: map[place][]block{}, fieldAt: map[uint32]bool{},
	}
	root := w.t.Root()
	if root.IsZero() {
		return
	}
	for i := 0; i < w.t.Len(); i++ {
		if n := w.t.At(i); n.IsExtra() && n.Kind() == "comment" {
			w.comments[n.Start()] = true
		}
	}
	w.exports()
	names := map[string]nameKind{}
	for _, x := range w.bindings(root) {
		names[x.text] = definedName
	}
	w.push(scope{kind: moduleScope, names: names})
	w.summary(root)
	w.recover(root)
	w.suite(root)
	w.adopt()
}

// summary takes the module's docstring, or else the comment it starts with.
func (w *walker) summary(root syntax.Node) {
	first := firstNamed(root)
	if s := bareString(first); !s.IsZero() {
		w.b.SetSummary(w.doc(s))
		return
	}
	// Blanks of a damaged text hide the header, so only a tree of the whole
	// may tell.
	var block []string
	at := 0
	for line := range bytes.Lines(w.b.Source) {
		text := strings.TrimSpace(string(line))
		rest, ok := strings.CutPrefix(text, "#")
		switch {
		case ok && w.comments[uint32(at+bytes.IndexByte(line, '#'))]:
			if !strings.HasPrefix(rest, "!") && !strings.Contains(rest, "-*-") && !strings.HasPrefix(strings.TrimSpace(rest), "coding") {
				block = append(block, "# "+strings.TrimLeft(rest, "# "))
			}
		case text == "" && len(block) == 0:
		default:
			if header := prose(strings.Join(block, "\n")); header != "" && text == "" {
				w.b.SetSummary(header)
			}
			return
		}
		at += len(line)
	}
}

// visit walks a subtree in preorder.
func (w *walker) visit(n syntax.Node) {
	if n.IsZero() {
		return
	}
	for i, end := n.Index(), n.SubtreeEnd(); i < end; {
		i = w.node(w.t.At(i))
	}
}

// node reports one node and gives the index of the next to walk: that of its
// first child, or of what follows the parts it has dealt with.
func (w *walker) node(n syntax.Node) int {
	down := n.Index() + 1
	switch n.Kind() {
	case "identifier":
		w.identifier(n)
	case "attribute":
		w.attribute(n)
	case "call":
		w.call(n)
	case "function_definition":
		return w.function(n)
	case "class_definition":
		return w.class(n)
	case "lambda":
		return w.lambda(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return w.comprehension(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		w.imports(n)
		return n.SubtreeEnd()
	case "assignment":
		return w.assignment(n)
	case "for_statement", "for_in_clause":
		left := n.Child("left")
		if left.IsZero() {
			return down
		}
		w.targets(left, left, iteration(n.Child("right")))
		return left.SubtreeEnd()
	case "named_expression":
		if v := n.Child("value"); !v.IsZero() {
			w.targets(n.Child("name"), n, assignedValue(v))
			return v.Index()
		}
	case "as_pattern_target":
		_, init := asPattern(n)
		w.targets(firstNamed(n), n, value{shape: init})
		return n.SubtreeEnd()
	case "keyword_argument":
		w.keyword(n)
		if v := n.Child("value"); !v.IsZero() {
			return v.Index()
		}
	case "type":
		w.typeExpression(n)
		return n.SubtreeEnd()
	case "type_alias_statement":
		return w.typeAlias(n)
	case "if_statement", "elif_clause", "while_statement":
		return w.branch(n)
	case "boolean_operator":
		return w.conjunction(n)
	case "conditional_expression":
		return w.conditional(n)
	case "except_clause":
		if name, _ := oldExcept(n); !name.IsZero() && w.top().kind != functionScope {
			w.variable(name, name, syntax.Node{}, "", "")
		}
	case "case_clause":
		return w.pattern(n)
	case "string":
		w.annotationString(n)
	case "global_statement":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.Kind() == "identifier" {
				w.name(c, facts.RefRead)
			}
			return true
		})
		return n.SubtreeEnd()
	case "nonlocal_statement", "comment", "parameters", "lambda_parameters", "type_parameter":
		return n.SubtreeEnd()
	}
	return down
}

func (w *walker) name(n syntax.Node, kind facts.RefKind) {
	text := n.Bytes()
	if w.local(text) || builtins[string(text)] && !w.bound(text) {
		return
	}
	w.b.Reference(kind, string(text), "", n.Start())
}

func (w *walker) identifier(n syntax.Node) {
	switch n.Parent().Kind() {
	case "attribute", "keyword_argument":
		if f := n.FieldName(); f == "attribute" || f == "name" {
			return
		}
	case "except_clause":
		if name, _ := oldExcept(n.Parent()); name == n {
			return
		}
	case "ERROR":
		return
	}
	w.name(n, useOf(n))
}

func (w *walker) attribute(n syntax.Node) {
	a := n.Child("attribute")
	if a.IsZero() || w.fieldAt[a.Start()] {
		return
	}
	qualifier := `""`
	if o := n.Child("object"); !isCopy(o) {
		qualifier = shape(o)
	}
	w.b.Reference(useOf(n), a.Text(), qualifier, a.Start())
}

// useOf tells how an identifier or attribute is used from where it stands.
func useOf(n syntax.Node) facts.RefKind {
	p := n.Parent()
	for hops := 0; hops < 3 && p.Is("tuple", "binary_operator", "parenthesized_expression", "list_splat"); hops++ {
		n, p = p, p.Parent()
	}
	switch p.Kind() {
	case "call":
		if n.FieldName() == "function" {
			return facts.RefCall
		}
	case "decorator":
		return facts.RefCall
	case "except_clause", "except_group_clause":
		return facts.RefType
	case "as_pattern":
		if p.Parent().Is("except_clause", "except_group_clause") {
			return facts.RefType
		}
	case "argument_list":
		f := p.Parent().Child("function")
		if f.Kind() == "identifier" && firstNamed(p).Index() != n.Index() {
			switch string(f.Bytes()) {
			case "isinstance", "issubclass":
				return facts.RefType
			}
		}
	}
	return facts.RefRead
}

func (w *walker) call(n syntax.Node) {
	f := n.Child("function")
	if !f.Is("identifier", "attribute") {
		return
	}
	if name := f.Child("attribute"); f.Kind() == "identifier" || !name.IsZero() {
		if name.IsZero() {
			name = f
		}
		switch string(name.Bytes()) {
		case "import_module", "__import__":
			w.dynamicImport(n, shape(f))
		}
	}
}

// keyword reports Class(name=value) as a use of the field. Its qualifier has
// the form of a composite literal, so that a resolver can ignore it where the
// class has a constructor of its own.
func (w *walker) keyword(n syntax.Node) {
	list := n.Parent()
	call := list.Parent()
	if list.Kind() != "argument_list" || call.Kind() != "call" {
		return
	}
	f := call.Child("function")
	if !f.Is("identifier", "attribute", "call") {
		return
	}
	if s := shape(f); isClassName(s) || s == "cls" || strings.HasSuffix(s, ".__class__") {
		name := n.Child("name")
		w.b.Reference(facts.RefRead, name.Text(), lang.Shape(s+"{}"), name.Start())
	}
}

// nested runs walk one level deeper, in a scope over span.
func (w *walker) nested(span facts.Span, s scope, walk func()) {
	w.depth++
	w.b.Scope(span, func() {
		w.push(s)
		walk()
		w.pop()
	})
	w.depth--
}

func (w *walker) lambda(n syntax.Node) int {
	if w.depth >= maxDepth {
		return n.Index() + 1
	}
	body := n.Child("body")
	params := w.parameters(n.Child("parameters"))
	if body.IsZero() {
		return n.SubtreeEnd()
	}
	s := scope{kind: functionScope, names: map[string]nameKind{}}
	w.nested(lang.SpanOf(body), s, func() {
		w.bindParameters(params, "", "")
		w.bindLocals(body)
		w.visit(body)
	})
	return n.SubtreeEnd()
}

func (w *walker) comprehension(n syntax.Node) int {
	if w.depth >= maxDepth {
		return n.Index() + 1
	}
	// The first iterable is evaluated outside.
	first := n.ChildOfKind("for_in_clause").Child("right")
	w.depth++
	w.visit(first)
	w.depth--
	s := scope{kind: functionScope, names: map[string]nameKind{}}
	// What a condition tells of an element holds in the body.
	told := map[string]string{}
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "if_clause" {
			for _, x := range narrows(firstNamed(c)) {
				told[x.text] = x.typ
			}
		}
	}
	w.nested(lang.SpanOf(n), s, func() {
		for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if c.Kind() == "for_in_clause" {
				w.eachTarget(c.Child("left"), iteration(c.Child("right")), "", func(name syntax.Node, typ, init string) {
					if name.Kind() == "identifier" {
						s.names[name.Text()] = localName
						if t := told[name.Text()]; t != "" {
							typ = t
						}
						w.b.Bind(name.Text(), name.Start(), typ, init)
					}
				})
			}
		}
		for i, end := n.Index()+1, n.SubtreeEnd(); i < end; {
			if c := w.t.At(i); i == first.Index() && !first.IsZero() {
				i = c.SubtreeEnd()
			} else {
				i = w.node(c)
			}
		}
	})
	return n.SubtreeEnd()
}

// targets reports what a target that is no statement's own assignment binds.
func (w *walker) targets(left, whole syntax.Node, v value) {
	w.eachTarget(left, v, "", func(name syntax.Node, typ, init string) {
		w.target(name, whole, syntax.Node{}, typ, init)
	})
}

func (w *walker) assignment(n syntax.Node) int {
	left, typ, right := n.Child("left"), n.Child("type"), n.Child("right")
	w.assigned(n, func(name syntax.Node, t, init string) {
		v := right
		if name != left {
			v = syntax.Node{}
		}
		w.target(name, n, v, t, init)
	})
	if !typ.IsZero() {
		w.typeExpression(typ)
	}
	if right.IsZero() {
		return n.SubtreeEnd()
	}
	if right.Kind() == "lambda" && left.Kind() == "identifier" && !w.local(left.Bytes()) && w.depth < maxDepth {
		return right.SubtreeEnd() // walked as a function
	}
	return right.Index()
}

func (w *walker) target(name, whole, right syntax.Node, typ, init string) {
	switch {
	case name.Kind() != "identifier":
		w.depth++
		if w.depth < 2*maxDepth {
			w.visit(name)
		}
		w.depth--
	case w.top().kind == functionScope:
		// Locals are bound when the function is entered.
		switch {
		case w.local(name.Bytes()):
		case right.Kind() == "lambda":
			w.variable(name, whole, right, typ, init)
		default:
			w.name(name, facts.RefRead)
		}
	default:
		w.variable(name, whole, right, typ, init)
	}
}

func mainGuard(cond syntax.Node) bool {
	for range 4 {
		if cond.Kind() != "parenthesized_expression" {
			break
		}
		cond = firstNamed(cond)
	}
	if cond.Kind() == "boolean_operator" {
		cond = cond.Child("left")
	}
	if cond.Kind() != "comparison_operator" || cond.End()-cond.Start() > 80 {
		return false
	}
	s := lang.Collapse(cond.Text())
	return strings.Contains(s, "__name__") && strings.Contains(s, "__main__") && strings.Contains(s, "==")
}

// markMain marks the function of the file that a main guard calls first.
func (w *walker) markMain(guard syntax.Node) {
	for i := guard.Index(); !guard.IsZero() && i < guard.SubtreeEnd(); i++ {
		n := w.t.At(i)
		if n.Kind() != "identifier" || n.FieldName() != "function" {
			continue
		}
		if s := w.b.FindSymbol(n.Text()); s >= 0 && w.b.At(s).Kind == facts.KindFunction {
			w.b.At(s).Flags |= facts.Main
			return
		}
	}
}

// pattern walks the patterns of a case clause: classes are types, bare names
// are captures, dotted names are values.
func (w *walker) pattern(n syntax.Node) int {
	then := n.Child("consequence")
	end := n.SubtreeEnd()
	if !then.IsZero() {
		end = then.Index()
	}
	for i := n.Index() + 1; i < end; {
		c := w.t.At(i)
		i++
		if name := capture(c); !name.IsZero() && w.top().kind != functionScope {
			w.variable(name, name, syntax.Node{}, captureType(c), "")
		}
		switch c.Kind() {
		case "dotted_name":
			i = c.SubtreeEnd()
			last, first := lastNamed(c), firstNamed(c)
			kind := facts.RefRead
			if c.Parent().Kind() == "class_pattern" {
				kind = facts.RefType
			} else if last == first {
				continue
			}
			if last == first {
				w.name(first, kind)
				continue
			}
			qualifier := lang.Collapse(string(w.t.Source[c.Start():max(c.Start(), last.Start()-1)]))
			w.name(first, facts.RefRead)
			w.b.Reference(kind, last.Text(), lang.Shape(qualifier), last.Start())
		case "if_clause", "guard":
			w.visit(c)
			i = c.SubtreeEnd()
		}
	}
	return end
}
