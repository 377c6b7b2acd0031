package syntax_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/syntax"
)

// The C side declares structures and prototypes of tree-sitter by hand. They
// match the library that the binding brings as long as every tree comes out as
// the binding's own, whole and in all its parts.
func TestEveryGrammarAndCaseAsTheBinding(t *testing.T) {
	table := all.Table()
	seen := map[string]int{}
	err := filepath.WalkDir("../lang", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(filepath.Dir(filepath.Dir(p))) != "cases" {
			return err
		}
		l := table.ByPath(p)
		if l == nil || table.GrammarOf(l) == nil {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		seen[l.Name]++
		for _, text := range [][]byte{src, src[:len(src)*2/3]} {
			sameAsBinding(t, p, table.GrammarOf(l), text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range table.All() {
		if table.GrammarOf(l) != nil && seen[l.Name] == 0 {
			t.Errorf("no case of %s was compared", l.Name)
		}
	}
}

func sameAsBinding(t *testing.T, name string, g *syntax.Grammar, src []byte) {
	t.Helper()
	tree, err := syntax.Parse(g, src)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p := sitter.NewParser()
	defer p.Close()
	p.SetLanguage(syntax.Binding(g))
	want, err := p.ParseCtx(context.Background(), nil, src)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	c := sitter.NewTreeCursor(want.RootNode())
	defer c.Close()
	var above []int
	i := 0
	for {
		n, w := tree.At(i), c.CurrentNode()
		if n.Kind() != w.Type() || n.KindID() != uint16(w.Symbol()) || n.Start() != w.StartByte() || n.End() != w.EndByte() || n.IsNamed() != w.IsNamed() ||
			n.IsError() != w.IsError() || n.IsMissing() != w.IsMissing() || n.IsExtra() != w.IsExtra() || n.HasError() != w.HasError() || n.FieldName() != c.CurrentFieldName() {
			t.Fatalf("%s: node %d is %s %q [%d,%d), want %s %q [%d,%d)", name, i, n.Kind(), n.FieldName(), n.Start(), n.End(), w.Type(), c.CurrentFieldName(), w.StartByte(), w.EndByte())
		}
		if n.Parent().IsZero() != (i == 0) || i > 0 && n.Parent().Index() != above[len(above)-1] {
			t.Fatalf("%s: parent of node %d is %d, want %v", name, i, n.Parent().Index(), above)
		}
		i++
		if c.GoToFirstChild() {
			above = append(above, i-1)
			continue
		}
		if n.SubtreeEnd() != i {
			t.Fatalf("%s: the subtree of node %d ends at %d, want %d", name, i-1, n.SubtreeEnd(), i)
		}
		for !c.GoToNextSibling() {
			if !c.GoToParent() {
				if i != tree.Len() {
					t.Fatalf("%s: %d nodes, want %d", name, tree.Len(), i)
				}
				return
			}
			above = above[:len(above)-1]
		}
	}
}
