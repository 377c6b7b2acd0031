package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/smacker/go-tree-sitter/ruby"

	"github.com/project-map/project-map/indexer/syntax"
)

// Ruby's scanner stores the length of a here-document's word in a byte and
// asserts that what it reads back has the same length.
func TestFailedAssertionOfAScannerCostsTheText(t *testing.T) {
	g := syntax.NewGrammar(ruby.GetLanguage())
	word := strings.Repeat("A", 300)
	for _, pad := range []string{"", strings.Repeat("# filler\n", 4000)} { // on the caller's stack, on one of its own
		_, err := syntax.Parse(g, []byte(pad+"x = <<"+word+"\nfoo\n"+word+"\ndef m; end\n"))
		if !errors.Is(err, syntax.ErrBudget) {
			t.Errorf("%d bytes before: %v, want a refusal", len(pad), err)
		}
		tree, err := syntax.Parse(g, []byte("def m; end\n"))
		if err != nil || tree.Root().HasError() {
			t.Errorf("the next text: %v", err)
		}
	}
}
