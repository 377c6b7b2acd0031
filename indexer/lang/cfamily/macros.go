package cfamily

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// statement tells whether what reads like a function is a statement behind the use
// of a macro without a semicolon, MACRO(x) if (y) {, or a loop that a macro
// makes, each(x) {: in a body, a function has a type and a name of its own.
func (w *walker) statement(n syntax.Node, d declared) bool {
	name := d.name.Text()
	switch name {
	case "if", "else", "for", "while", "do", "switch", "case", "return", "sizeof":
		return true
	case "catch", "try":
		return w.cpp
	}
	return w.b.InBody() && d.last == "" && (n.Child("type").IsZero() || isCaps(name))
}

// macroUse tells whether a declaration is a use of a macro without a semicolon:
// capitals that the file defines as a macro or that have a string among their
// arguments, or the same macro twice, which reads like a type and its variable.
func (w *walker) macroUse(typ syntax.Node, d declared) bool {
	name := d.name.Text()
	if d.last != "" || !isCaps(name) {
		return false
	}
	list := parameterList(d.fn)
	if typ.Text() == name || !list.IsZero() && w.macros[name] {
		return true
	}
	if list.IsZero() {
		return false
	}
	args := lex(w.c.src[list.Start():min(int(list.End()), len(w.c.src))])
	for _, t := range args.tokens {
		if t.kind == tString && args.src[t.start] == '"' {
			return true
		}
	}
	return false
}

// testName gives a test case of GoogleTest, a macro with a body, the name that its
// arguments make: Suite.Case.
func (w *walker) testName(s *facts.Symbol, d declared) {
	if w.title(s, d) {
		return
	}
	switch s.Name {
	case "TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "TEST_CASE", "SCENARIO", "BOOST_AUTO_TEST_CASE", "BOOST_FIXTURE_TEST_CASE":
	default:
		return
	}
	w.b.AddTrait(facts.TestCode)
	var names []syntax.Node
	parameterList(d.fn).NamedChildren(func(p syntax.Node) bool {
		if p.Kind() != "comment" {
			names = append(names, p)
		}
		return true
	})
	if len(names) > 2 || len(names) == 0 {
		return
	}
	s.Name = w.nodeText(names[0])
	if len(names) == 2 {
		s.Name += "." + w.nodeText(names[1])
	}
	s.NameSpan = facts.Span{Start: names[0].Start(), End: names[len(names)-1].End()}
	s.Params = nil
}

// title gives a test case whose title is a string, a macro with a body, that title
// for a name.
func (w *walker) title(s *facts.Symbol, d declared) bool {
	list := parameterList(d.fn)
	if list.IsZero() || !isCaps(s.Name) || len(s.Params) > 0 {
		return false
	}
	args := lex(w.c.src[list.Start():min(int(list.End()), len(w.c.src))])
	for _, t := range args.tokens {
		text := args.text(t)
		if t.kind != tString || len(text) < 3 || text[0] != '"' || len(text)-2 > facts.MaxName {
			continue
		}
		if strings.Contains(s.Name, "TEST") || s.Name == "SCENARIO" {
			w.b.AddTrait(facts.TestCode)
		}
		s.Signature = s.Name + lang.Collapse(string(args.src))
		s.Name = text[1 : len(text)-1]
		s.NameSpan = facts.Span{Start: list.Start() + t.start + 1, End: list.Start() + t.end - 1}
		return true
	}
	return false
}
