package cfamily

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// Sizes of a batch of statements that are parsed together.
const (
	batchItems = 48
	batchBytes = 24 << 10
)

// wrapper makes members of a class parse alone; it is no longer than the
// shortest head that a class can have.
const wrapper = "union{"

// statements walks the statements that the scanner found.
func (w *walker) statements(items []item, cls *class) {
	for i := 0; i < len(items); {
		switch it := &items[i]; it.kind {
		case itemNamespace:
			w.namespaceItem(it)
			i++
			continue
		case itemLinkage:
			w.statements(it.children, nil)
			i++
			continue
		case itemAccess:
			if cls != nil {
				cls.access = accessOf(w.c.text(it.head[0]))
			}
			i++
			continue
		}
		n := i
		for n < len(items) && n-i < batchItems && (n == i || items[n].end-items[i].start < batchBytes) {
			if k := items[n].kind; k == itemNamespace || k == itemLinkage || k == itemAccess {
				break
			}
			n++
		}
		w.batch(items[i:n], cls)
		i = n
	}
}

func accessOf(word string) facts.Visibility {
	switch word {
	case "protected":
		return facts.Protected
	case "private":
		return facts.Private
	}
	return facts.Public
}

// batch parses statements together and halves them until the damage stands
// alone.
func (w *walker) batch(items []item, cls *class) {
	start, end := items[0].start, items[len(items)-1].end
	if w.left < 0 && len(items) > 1 {
		for i := range items {
			w.damaged(&items[i], cls)
		}
		return
	}
	root := w.parse(start, end, cls != nil, "")
	switch {
	case !root.IsZero() && !root.HasError() && !misread(w.tree):
		w.list(root, cls)
	case len(items) == 1:
		w.damaged(&items[0], cls)
	default:
		w.batch(items[:len(items)/2], cls)
		w.batch(items[len(items)/2:], cls)
	}
}

// parse parses a part of the cleaned text, as members of a class if asked, with
// a suffix. It gives the node that holds the statements, or none.
func (w *walker) parse(start, end uint32, member bool, suffix string) syntax.Node {
	w.left -= int(end - start)
	from := start
	if member {
		if int(start) < len(wrapper) {
			return syntax.Node{}
		}
		from = start - uint32(len(wrapper))
		suffix += "};"
	}
	to := end + uint32(len(suffix))
	before, after := string(w.scratch[from:start]), string(w.scratch[end:to])
	if member {
		copy(w.scratch[from:], wrapper)
	}
	copy(w.scratch[end:], suffix)
	t, err := syntax.ParsePart(w.grammar(), w.scratch, from, to)
	copy(w.scratch[from:], before)
	copy(w.scratch[end:], after)
	if err != nil {
		return syntax.Node{}
	}
	t.Source = w.padded
	w.tree = t
	root := t.Root()
	if !member {
		return root
	}
	list := root
	for i := 0; i < min(t.Len(), 8); i++ {
		if t.At(i).Kind() == "field_declaration_list" {
			list = t.At(i)
			break
		}
	}
	if root.HasError() && !list.HasError() {
		return root
	}
	return list
}

// damaged walks one statement that does not parse: what it defines comes from
// its head, the rest from its members or its body.
func (w *walker) damaged(it *item, cls *class) {
	if it.kind != itemClass && it.kind != itemFunction {
		if root := w.parse(it.start, it.end, cls != nil, ""); !root.IsZero() {
			w.list(root, cls)
		}
		return
	}
	if it.kind == itemClass && w.left < 0 {
		w.damagedClass(it, syntax.Node{}, false, cls)
		return
	}
	suffix := ""
	inner := facts.Span{Start: it.open + 1, End: it.close}
	if int(it.close) >= len(w.c.src) {
		suffix = "}"
		if it.kind == itemClass {
			suffix = "};"
		}
	}
	if inner.Start > inner.End {
		inner.Start = inner.End
	}
	kept := string(w.scratch[inner.Start:inner.End])
	blankBytes(w.scratch[inner.Start:inner.End])
	head := w.parse(it.start, it.end, cls != nil, suffix)
	ok := !head.IsZero() && !head.HasError() && !misread(w.tree)
	copy(w.scratch[inner.Start:], kept)
	if it.kind == itemClass {
		w.damagedClass(it, head, ok, cls)
		return
	}
	body := syntax.Node{}
	if it.open < it.close {
		body = w.parse(it.open, it.close, false, "}")
	}
	if ok {
		w.body = body
		w.list(head, cls)
		w.body = syntax.Node{}
		return
	}
	symbol := w.salvage(it, cls)
	w.b.Within(symbol, func() {
		w.b.Body(facts.Span{Start: it.open, End: it.end}, func() { w.children(body) })
	})
}

// damagedClass walks the head of a class from its tree, or from its tokens, and
// the members one by one.
func (w *walker) damagedClass(it *item, head syntax.Node, ok bool, cls *class) {
	if ok {
		w.replace = it
		w.list(head, cls)
		if w.replace == nil {
			return
		}
		w.replace = nil
	}
	s := facts.Symbol{Kind: facts.KindStruct, Span: facts.Span{Start: it.start, End: it.end}}
	inner := &class{}
	seen, bases, angles := false, false, 0
	scope := ""
	for i, t := range it.head {
		word := w.c.text(t)
		switch {
		case w.c.bare[t.start] == ' ':
		case t.kind == '<':
			angles++
		case t.kind == '>':
			angles--
		case angles > 0:
		case word == "class":
			s.Kind, inner.access, seen = facts.KindClass, facts.Private, true
		case word == "struct" || word == "union":
			seen = true
		case t.kind == ':':
			bases = seen
		case t.kind != tWord || word == "final" || !seen:
		case bases && keywords[word] != 0:
		case bases && i+1 < len(it.head) && it.head[i+1].kind == tScope:
			scope += word + "."
		case bases:
			w.reference(facts.RefInherit, word, strings.TrimSuffix(scope, "."), t.start)
			s.Bases = append(s.Bases, strings.ReplaceAll(scope, ".", "::")+word)
			scope = ""
		case s.Name == "" || len(s.Bases) == 0:
			s.Name, s.NameSpan = word, facts.Span{Start: t.start, End: t.end}
		}
	}
	s.Signature = w.text(it.start, it.open)
	s.Doc = w.doc(it.start)
	if cls != nil {
		s.Visibility = cls.access
	}
	inner.name = s.Name
	w.b.Within(w.b.Symbol(s), func() { w.statements(it.children, inner) })
}

// salvage finds the name of a function whose head does not parse: the last word
// before its first parentheses.
func (w *walker) salvage(it *item, cls *class) int32 {
	at, angles := -1, 0
	operator := facts.Span{}
	for i, t := range it.head {
		if angles == 0 && i > 0 && w.c.text(t) == "operator" {
			end := i + 1
			for end < len(it.head) && (it.head[end].kind != '(' || end == i+1 && end+2 < len(it.head) && it.head[end+2].kind == '(') {
				end++
			}
			if end < len(it.head) && end > i+1 {
				at, operator = i, facts.Span{Start: t.start, End: it.head[end-1].end}
			}
			break
		}
		switch {
		case t.kind == '<' && (i == 0 || w.c.text(it.head[i-1]) != "operator"):
			angles++
		case t.kind == '>' && angles > 0:
			angles--
		}
		if angles > 0 {
			continue
		}
		if t.kind == '(' && i > 0 && w.c.text(it.head[i-1]) == "operator" {
			at = i - 1
			break
		}
		if t.kind == '(' && i > 0 && it.head[i-1].kind == tWord && w.c.bare[t.start] == '(' && keywords[w.c.text(it.head[i-1])] == 0 {
			at = i - 1
			break
		}
	}
	if at < 0 {
		return -1
	}
	name := it.head[at]
	s := facts.Symbol{
		Name: w.c.text(name), Kind: facts.KindFunction, Doc: w.doc(it.start), Signature: w.text(it.start, it.open),
		Span: facts.Span{Start: it.start, End: it.end}, NameSpan: facts.Span{Start: name.start, End: name.end},
	}
	if operator.End > 0 {
		s.Name, s.NameSpan = operatorName(w.text(operator.Start, operator.End)), operator
	} else if s.Name == "operator" {
		s.Name = "operator()"
	}
	if cls != nil {
		s.Kind, s.Visibility = facts.KindMethod, cls.access
		if s.Name == cls.name {
			s.Kind = facts.KindConstructor
		}
	} else if at >= 2 && it.head[at-1].kind == tScope {
		s.Container, s.Kind = w.scopeBefore(it.head[:at-1]), facts.KindMethod
		if s.Container == s.Name {
			s.Kind = facts.KindConstructor
		}
	}
	return w.b.Symbol(s)
}

// scopeBefore is the last name of tokens that end in it or its template
// arguments.
func (w *walker) scopeBefore(head []token) string {
	angles := 0
	for i := len(head) - 1; i >= 0; i-- {
		switch t := head[i]; {
		case t.kind == '>':
			angles++
		case t.kind == '<':
			angles--
		case angles > 0:
		case t.kind == tWord:
			return w.c.text(t)
		default:
			return ""
		}
	}
	return ""
}

// namespaceItem walks a namespace that the scanner found.
func (w *walker) namespaceItem(it *item) {
	var parts []string
	span := facts.Span{}
	seen := false
	for _, t := range it.head {
		word := w.c.text(t)
		switch {
		case word == "namespace":
			seen = true
		case seen && t.kind == tWord && w.c.bare[t.start] != ' ' && word != "inline":
			parts = append(parts, word)
			if span.End == 0 {
				span.Start = t.start
			}
			span.End = t.end
		}
	}
	w.namespace(strings.Join(parts, "::"), span, facts.Span{Start: it.start, End: it.end}, func() { w.statements(it.children, nil) })
}

// namespace reports a namespace and walks what it holds; one without a name
// hides that from other files.
func (w *walker) namespace(name string, at, span facts.Span, walk func()) {
	if name == "" {
		w.hidden++
		walk()
		w.hidden--
		return
	}
	w.namespaces[name[strings.LastIndexByte(name, ':')+1:]] = true
	s := facts.Symbol{Name: name, Kind: facts.KindModule, Span: span, NameSpan: at, Signature: "namespace " + name, Doc: w.doc(span.Start)}
	if w.hidden > 0 {
		s.Visibility = facts.Private
	}
	w.b.Within(w.b.Symbol(s), walk)
}
