package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// narrowing says more of a local variable than its declaration, where a
// condition holds, as a step of its shape.
type narrowing struct {
	name syntax.Node
	step string
}

// maxNarrowings bounds what is known at a place.
const maxNarrowings = 8

// narrowed walks what runs only where conditions hold. What they tell of local
// variables is bound again in a scope of its own.
func (w *walker) narrowed(span syntax.Node, known []narrowing, walk func()) {
	if span.IsZero() {
		walk()
		return
	}
	w.narrowedSpan(span.Start(), span.End(), known, walk)
}

func (w *walker) narrowedSpan(start, end uint32, known []narrowing, walk func()) {
	type bound struct{ name, init string }
	var all []bound
next:
	for _, k := range known {
		name := k.name.Text()
		for i := range all {
			if all[i].name == name {
				if s := then(all[i].init, k.step); s != "" {
					all[i].init = s
				}
				continue next
			}
		}
		if s := then(name, k.step); s != "" && w.b.Bound(name) {
			all = append(all, bound{name, s})
		}
	}
	if len(all) == 0 {
		walk()
		return
	}
	span := lang.SpanOf(w.b.Tree.Root())
	span.Start, span.End = start, end
	w.b.Scope(span, func() {
		w.blocks++
		for _, b := range all {
			w.b.Bind(b.name, start, "", b.init)
		}
		walk()
		w.blocks--
	})
}

func unwrapped(n syntax.Node) syntax.Node {
	for range 20 {
		if !n.Is("parenthesized_expression", "non_null_expression") {
			break
		}
		n = firstNamed(n)
	}
	return n
}

// narrowings are what a condition tells when it holds, or when it does not.
func narrowings(cond syntax.Node, holds bool, depth int) []narrowing {
	cond = unwrapped(cond)
	if depth > 16 {
		return nil
	}
	switch cond.Kind() {
	case "unary_expression":
		if cond.Child("operator").Text() == "!" {
			return narrowings(cond.Child("argument"), !holds, depth+1)
		}
	case "call_expression":
		arg := firstNamed(cond.Child("arguments"))
		f := cond.Child("function")
		if !holds || !arg.Is("identifier") || !f.Is("identifier", "member_expression") {
			return nil
		}
		if s := shape(f); !strings.ContainsAny(s, "()[]#{} ?") {
			return []narrowing{{arg, ".(@guard " + s + ")"}}
		}
	case "binary_expression":
		return compared(cond, holds, depth)
	}
	return nil
}

func compared(cond syntax.Node, holds bool, depth int) []narrowing {
	left, right := unwrapped(cond.Child("left")), unwrapped(cond.Child("right"))
	op := cond.Child("operator").Text()
	switch op {
	case "&&", "||":
		// All parts of a conjunction hold, none of a disjunction that does not.
		if (op == "&&") == holds {
			l := append(narrowings(left, holds, depth+1), narrowings(right, holds, depth+1)...)
			return l[:min(len(l), maxNarrowings)]
		}
		// One value or the other.
		a, b := narrowings(left, holds, depth+1), narrowings(right, holds, depth+1)
		if len(a) != 1 || len(b) != 1 || a[0].name.Text() != b[0].name.Text() {
			return nil
		}
		k, x, ok := strings.Cut(strings.TrimSuffix(a[0].step, ")"), "=")
		l, y, also := strings.Cut(strings.TrimSuffix(b[0].step, ")"), "=")
		if ok && also && k == l && strings.HasPrefix(k, ".(@is ") && len(x)+len(y) < 100 {
			return []narrowing{{a[0].name, k + "=" + x + "|" + y + ")"}}
		}
	case "===", "==", "!==", "!=":
		return discriminated(left, []syntax.Node{right}, (op[0] == '=') == holds)
	case "instanceof":
		if holds && left.Is("identifier") && right.Is("identifier", "member_expression") && !strings.ContainsAny(right.Text(), "()[]#{} ?") {
			return []narrowing{{left, ".(@of " + right.Text() + ")"}}
		}
	case "in":
		if name, ok := literalText(left); ok && holds && right.Is("identifier") && name != "" && !strings.ContainsAny(name, "()[]{}#") {
			return []narrowing{{right, ".(@in " + name + ")"}}
		}
	}
	return nil
}

// discriminated reads x.kind, or x?.kind, that is one of several values or is
// none of them.
func discriminated(member syntax.Node, values []syntax.Node, is bool) []narrowing {
	if !member.Is("member_expression") || len(values) == 0 {
		return nil
	}
	object, key := unwrapped(member.Child("object")), member.Child("property")
	if !object.Is("identifier") || key.IsZero() {
		return nil
	}
	texts := literalTexts(values)
	if texts == "" {
		return nil
	}
	step := ".(@is "
	if !is {
		step = ".(@not "
	}
	return []narrowing{{object, step + key.Text() + "=" + texts + ")"}}
}

// literalTexts are values that types can be told apart by, as a step has them;
// "" where one is another expression.
func literalTexts(values []syntax.Node) string {
	var texts []string
	for _, v := range values {
		if !v.Is("string", "member_expression", "true", "false", "number") || len(v.Bytes()) > 60 || strings.ContainsAny(v.Text(), "()[]{}#|=@") {
			return ""
		}
		texts = append(texts, strings.ReplaceAll(v.Text(), `"`, "'"))
	}
	return strings.Join(texts, "|")
}

// switchBody walks the cases of a switch; each is reached with the values of
// the labels above it since the last one that has statements.
func (w *walker) switchBody(n syntax.Node) {
	on := unwrapped(n.Parent().Child("value"))
	var values []syntax.Node
	for c := range n.NamedChildren {
		if !c.Is("switch_case") || !on.Is("member_expression") {
			w.walk(c)
			values = nil
			continue
		}
		value := c.Child("value")
		values = append(values, unwrapped(value))
		statements := 0
		for s := range c.NamedChildren {
			if s != value && !s.Is("comment") {
				statements++
			}
		}
		if statements == 0 {
			w.walk(value)
			continue
		}
		w.narrowed(c, discriminated(on, values, true), func() { w.walk(c) })
		values = nil
	}
}

// leaves tells what the rest of a block knows after a statement that leaves the
// block where a condition holds.
func leaves(n syntax.Node) []narrowing {
	if !n.Is("if_statement") || !n.Child("alternative").IsZero() {
		return nil
	}
	then := n.Child("consequence")
	if then.Is("statement_block") {
		then = lastNamed(then)
	}
	if !then.Is("return_statement", "throw_statement", "continue_statement", "break_statement") {
		return nil
	}
	return narrowings(n.Child("condition"), false, 0)
}
