package syntax

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

func parse(t testing.TB, src string) *Tree {
	t.Helper()
	tree, err := Parse(NewGrammar(golang.GetLanguage()), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// The flat tree says the same as the binding's own.
func TestSameAsBinding(t *testing.T) {
	for _, src := range []string{
		"", "package p", "package p\nfunc (s *Q[T]) Put(v T) { s.x = append(s.x, v) }\n",
		"package p\nfunc broken( {\n}\nfunc ok() {}\n", "\xff\xfe\x00",
	} {
		got := parse(t, src)
		p := sitter.NewParser()
		p.SetLanguage(golang.GetLanguage())
		whole, err := p.ParseCtx(context.Background(), nil, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		want := whole.RootNode()
		var walk func(n Node, w *sitter.Node)
		walk = func(n Node, w *sitter.Node) {
			if n.Kind() != w.Type() || n.Start() != w.StartByte() || n.End() != w.EndByte() ||
				n.IsNamed() != w.IsNamed() || n.HasError() != w.HasError() || n.IsMissing() != w.IsMissing() {
				t.Fatalf("%q: node %s [%d,%d), want %s [%d,%d)", src, n.Kind(), n.Start(), n.End(), w.Type(), w.StartByte(), w.EndByte())
			}
			i := 0
			for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
				if c.FieldName() != w.FieldNameForChild(i) {
					t.Fatalf("%q: field %q of child %d of %s, want %q", src, c.FieldName(), i, n.Kind(), w.FieldNameForChild(i))
				}
				if c.Parent() != n {
					t.Fatalf("%q: wrong parent of %s", src, c.Kind())
				}
				walk(c, w.Child(i))
				i++
			}
			if i != int(w.ChildCount()) {
				t.Fatalf("%q: %d children of %s, want %d", src, i, n.Kind(), w.ChildCount())
			}
		}
		walk(got.Root(), want)
	}
}

func TestBudgetRefusesAndNextParseIsWhole(t *testing.T) {
	g := NewGrammar(golang.GetLanguage())
	src := "package p\nvar x = " + strings.Repeat("(", 300_000)
	_, err := Parse(g, []byte(src))
	if err != nil && !errors.Is(err, ErrBudget) {
		t.Fatal(err)
	}
	tree := parse(t, "package p")
	if got := tree.Root().End(); got != 9 {
		t.Fatalf("root ends at %d after a refused parse, want 9", got)
	}
}

func TestConcurrentParsesAgree(t *testing.T) {
	g := NewGrammar(golang.GetLanguage())
	src, err := os.ReadFile(filepath.Join("syntax.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 * runtime.NumCPU() {
		wg.Go(func() {
			tree, err := Parse(g, src)
			if err != nil {
				t.Error(err)
				return
			}
			s := tree.Root().String()
			mu.Lock()
			defer mu.Unlock()
			if want == "" {
				want = s
			}
			if s != want {
				t.Error("two parses of one text differ")
			}
		})
	}
	wg.Wait()
}

func BenchmarkParse(b *testing.B) {
	g := NewGrammar(golang.GetLanguage())
	src, err := os.ReadFile("syntax.go")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Parse(g, src); err != nil {
			b.Fatal(err)
		}
	}
}

func TestZeroNodeAnswersAsAnEmptyLeaf(t *testing.T) {
	var n Node
	g := NewGrammar(golang.GetLanguage())
	if n.Start() != 0 || n.End() != 0 || n.Index() != 0 || n.IsNamed() || n.IsError() || n.IsMissing() || n.IsExtra() || n.HasError() ||
		!n.IsLeaf() || n.Kind() != "" || n.FieldName() != "" || n.Text() != "" || n.String() != "()" || n.HasToken("(") || g.Kinds("comment", "").Has(n) {
		t.Errorf("zero node: %+v", n)
	}
	for _, m := range []Node{n.Parent(), n.FirstChild(), n.NextSibling(), n.PrevSibling(), n.Child("name"), n.ChildOfKind("comment")} {
		if !m.IsZero() {
			t.Errorf("a relative of the zero node: %v", m)
		}
	}
	n.Children(func(Node) bool { t.Error("the zero node has a child"); return true })
	n.NamedChildren(func(Node) bool { t.Error("the zero node has a child"); return true })
}

func TestParsePartKeepsOffsets(t *testing.T) {
	src := []byte("package p\n\nfunc broken( {\n\nfunc ok() {}\n")
	start := uint32(strings.Index(string(src), "func ok"))
	tree, err := ParsePart(NewGrammar(golang.GetLanguage()), src, start, uint32(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	f := tree.Root().ChildOfKind("function_declaration")
	if f.Child("name").Text() != "ok" || f.Start() != start {
		t.Errorf("%s at %d, want func ok at %d", f, f.Start(), start)
	}
}
