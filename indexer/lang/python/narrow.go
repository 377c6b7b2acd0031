package python

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// narrowing is a type that a condition tells of a name, or of an attribute in
// dotted form.
type narrowing struct {
	name syntax.Node
	text string
	typ  string
}

// maxNarrowings bounds how many parts of one condition are read.
const maxNarrowings = 8

// narrows tells which names have which types when a condition holds: isinstance
// alone or as parts of a conjunction.
func narrows(cond syntax.Node) []narrowing {
	var out []narrowing
	rest := []syntax.Node{cond}
	for range maxNarrowings {
		if len(rest) == 0 {
			break
		}
		cond, rest = rest[len(rest)-1], rest[:len(rest)-1]
		switch cond.Kind() {
		case "parenthesized_expression":
			rest = append(rest, firstNamed(cond))
		case "boolean_operator":
			if cond.HasToken("and") {
				rest = append(rest, cond.Child("right"), cond.Child("left"))
			}
		case "call":
			if n, ok := instanceCheck(cond); ok {
				out = append(out, n)
			}
		}
	}
	return out
}

// instanceCheck reads isinstance(name, Class) and isinstance(name.attribute,
// Class).
func instanceCheck(call syntax.Node) (narrowing, bool) {
	if string(call.Child("function").Bytes()) != "isinstance" {
		return narrowing{}, false
	}
	args := arguments(call)
	if len(args) != 2 || !args[1].Is("identifier", "attribute", "tuple", "binary_operator") {
		return narrowing{}, false
	}
	switch args[0].Kind() {
	case "identifier":
		return narrowing{args[0], args[0].Text(), union(args[1])}, true
	case "attribute":
		text := shape(args[0])
		root := args[0]
		for range 4 {
			if root.Kind() != "attribute" {
				break
			}
			root = root.Child("object")
		}
		if isDotted(text) && root.Kind() == "identifier" {
			return narrowing{root, text, union(args[1])}, true
		}
	}
	return narrowing{}, false
}

// excluded tells which names have which types behind a statement that leaves
// where they have not: `if not isinstance(x, C): return`.
func excluded(n syntax.Node) []narrowing {
	cond, then := n.Child("condition"), n.Child("consequence")
	for range 4 {
		if cond.Kind() != "parenthesized_expression" {
			break
		}
		cond = firstNamed(cond)
	}
	if cond.Kind() != "not_operator" || !n.Child("alternative").IsZero() {
		return nil
	}
	if !lastNamed(then).Is("return_statement", "raise_statement", "continue_statement", "break_statement") {
		return nil
	}
	inner := cond.Child("argument")
	for range 4 {
		if inner.Kind() != "parenthesized_expression" {
			break
		}
		inner = firstNamed(inner)
	}
	if inner.Kind() != "call" {
		return nil
	}
	if x, ok := instanceCheck(inner); ok {
		return []narrowing{x}
	}
	return nil
}

// branch walks an if statement, elif clause or while loop. Where isinstance tells
// more about a local name, the branch is a scope in which the name has that type.
func (w *walker) branch(n syntax.Node) int {
	down := n.Index() + 1
	cond, then := n.Child("condition"), n.Child("consequence")
	if n.Kind() == "while_statement" {
		then = n.Child("body")
	}
	if w.top().kind == moduleScope && mainGuard(cond) {
		w.b.AddTrait(facts.EntryPoint)
		w.markMain(then)
		return down
	}
	return w.narrowed(down, cond, then)
}

// narrowed walks a condition and what runs where it holds, which must follow
// one another, in a scope with the types that the condition tells. It gives the
// index of what to walk next: otherwise where nothing is told.
func (w *walker) narrowed(otherwise int, cond, then syntax.Node) int {
	if w.depth >= maxDepth || then.IsZero() {
		return otherwise
	}
	told := w.told(cond)
	if len(told) == 0 {
		return otherwise
	}
	w.depth++
	w.visit(cond)
	w.depth--
	w.within(told, then)
	return then.SubtreeEnd()
}

// told is what a condition tells of local names.
func (w *walker) told(cond syntax.Node) []narrowing {
	out := narrows(cond)
	kept := out[:0]
	for _, x := range out {
		if w.local(x.name.Bytes()) {
			kept = append(kept, x)
		}
	}
	return kept
}

// within walks a part in a scope in which names have narrower types.
func (w *walker) within(told []narrowing, part syntax.Node) {
	w.nested(lang.SpanOf(part), scope{kind: functionScope}, func() {
		for _, x := range told {
			w.b.Bind(x.text, x.name.Start(), x.typ, "")
		}
		w.visit(part)
	})
}

// conjunction walks `a and b`, where b is evaluated only where a holds.
func (w *walker) conjunction(n syntax.Node) int {
	down := n.Index() + 1
	if !n.HasToken("and") {
		return down
	}
	return w.narrowed(down, n.Child("left"), n.Child("right"))
}

// conditional walks `a if condition else b`.
func (w *walker) conditional(n syntax.Node) int {
	down := n.Index() + 1
	if w.depth >= maxDepth {
		return down
	}
	var parts []syntax.Node
	n.NamedChildren(func(c syntax.Node) bool {
		if !c.IsExtra() {
			parts = append(parts, c)
		}
		return len(parts) < 4
	})
	if len(parts) != 3 {
		return down
	}
	told := w.told(parts[1])
	if len(told) == 0 {
		return down
	}
	w.depth++
	w.within(told, parts[0])
	w.visit(parts[1])
	w.visit(parts[2])
	w.depth--
	return n.SubtreeEnd()
}
