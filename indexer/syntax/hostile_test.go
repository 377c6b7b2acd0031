package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/syntax"
)

func filled(unit string, n int) string { return strings.Repeat(unit, n/len(unit)+1) }

// Texts that drive a grammar into ambiguity, endless lexing or deep nesting end
// in a tree or in ErrBudget, within the budget and a stack that holds.
func TestHostileTextsStayWithinTheBudget(t *testing.T) {
	const size = 16_000
	table := all.Table()
	for _, l := range table.All() {
		g := table.GrammarOf(l)
		if g == nil {
			continue
		}
		for _, unit := range []string{
			"(", "{a:", "a<", "a<b,", "a?b:", "a=>", "/[ ", "`${", "<a>", "f\"{", "a[b:", "'a ", "\x01\x02%&$", "if x := a; b {", "lambda:",
			"static int f(struct foo *a, int b) { return a->x[b] + g(b); }\n", "template<class T, ",
		} {
			src := []byte(filled(unit, size))
			tree, used, err := syntax.ParseMeasured(g, src)
			if err != nil && !errors.Is(err, syntax.ErrBudget) {
				t.Fatalf("%s %q: %v", l.Name, unit, err)
			}
			if err == nil && int(tree.Root().End()) > len(src) {
				t.Fatalf("%s %q: the tree ends at %d of %d", l.Name, unit, tree.Root().End(), len(src))
			}
			// The flag is looked at between tokens, so a little more is used.
			if limit := syntax.Budget(len(src)); used.Allocated > limit.Allocated*5/4 || used.Reads > limit.Reads*5/4 {
				t.Errorf("%s %q took %+v of %+v", l.Name, unit, used, limit)
			}
		}
	}
}

// A regular expression that never ends is looked for from every slash on; that
// allocates nothing.
func TestEndlessLexingIsRefused(t *testing.T) {
	table := all.Table()
	g := table.GrammarOf(table.ByName("javascript"))
	_, used, err := syntax.ParseMeasured(g, []byte(filled("/[ ", 1<<19)))
	if !errors.Is(err, syntax.ErrBudget) {
		t.Fatalf("got %v", err)
	}
	if used.Allocated > 1<<24 {
		t.Errorf("refused for %d bytes, not for reading", used.Allocated)
	}
}

// The parser releases its stack by recursion; with the stack of an ordinary
// thread this text ends the process.
func TestDeepAmbiguityDoesNotOverflowTheStack(t *testing.T) {
	table := all.Table()
	g := table.GrammarOf(table.ByName("typescript"))
	if _, _, err := syntax.ParseUnbounded(g, []byte(filled("{a:", 500_000))); err != nil {
		t.Fatal(err)
	}
}

// Ordinary text parses with less than half of the budget, which grows with it.
func TestLargeOrdinaryTextsAreNotRefused(t *testing.T) {
	const size = 1 << 19
	table := all.Table()
	for name, unit := range map[string]string{
		"go":         "func (s *Store) Get(ctx context.Context, key string) (v Value, err error) {\n\tif s.m[key] != nil {\n\t\treturn *s.m[key], nil\n\t}\n\treturn v, fmt.Errorf(\"no %q\", key)\n}\n",
		"python":     "    (0x0008, 0x0005): ('CS', '1', \"Specific Character Set\", '', 'SpecificCharacterSet'),\n",
		"javascript": "function a(b,c){return b?c(b+1):d.e(f=>f*2,{g:[1,2,\"x\"]})};",
		"typescript": "export function f<T extends U>(a: T, b?: Map<string, T[]>): Promise<T | undefined> { return g(a as any, b!) }\n",
		"tsx":        "export const A = (p: Props) => <div className=\"a\" onClick={() => p.f(1)}>{p.items.map(i => <B key={i.id} {...i} />)}</div>\n",
	} {
		g := table.GrammarOf(table.ByName(name))
		src := filled(unit, size)[:size-size%len(unit)]
		if name == "python" {
			src = "x = {\n" + src + "}\n"
		}
		tree, used, err := syntax.ParseMeasured(g, []byte(src))
		if err != nil {
			t.Errorf("%s: %v (%+v)", name, err, used)
			continue
		}
		limit := syntax.Budget(len(src))
		if tree.Root().HasError() || 2*used.Allocated > limit.Allocated || 2*used.Reads > limit.Reads {
			t.Errorf("%s: error %t, took %+v, more than half of %+v", name, tree.Root().HasError(), used, limit)
		}
	}
}
