package razor

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/csharp"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

var tokens = []string{
	"@", "@{", "}", "@code {\n", "@functions {", "@if (a) {", "{", "else ", "<b>", "</b>", "<A b=\"@c\" d=\"@(e)\">", "</A>", "@x.Y(z)", "@(", "(", ")", "\"", "\x27", "@*", "*@", "@:", "@<p>", "</p>", "<", ">", "/>", "\n", "é", ";", "@using (a) {", "@using A.B\n", "@inject T x\n", "@model T\n", "case A:", "int a = 1;", "@switch (a) {", "@do {", "while (b);", "\"\"\"", "@\"", "$\"{", "/*", "//", "<!--", "-->", "<script>", "</script>", "void F() { ",
}

func extractor() *extract.Extractor {
	return extract.New(lang.NewTable(append([]*lang.Language{Language()}, csharp.Language())...), extract.DefaultLimits)
}

// Texts of marks in any order break no invariant.
func TestTokens(t *testing.T) {
	x := extractor()
	random := rand.New(rand.NewSource(1))
	plan := extract.Plan{Language: Language(), Extension: Language().Extensions[0]}
	for range 2000 {
		var b strings.Builder
		for range random.Intn(40) {
			b.WriteString(tokens[random.Intn(len(tokens))])
		}
		text := b.String()
		langtest.Check(t, x.Extract([]byte(text), plan), []byte(text))
		end := uint32(0)
		for _, p := range Language().Parts([]byte(text), "") {
			for i, piece := range p.Pieces {
				if i > 0 && piece.Start < end || int(piece.Start)+len(piece.Text) > len(text) {
					t.Errorf("piece at %d of %d bytes after %d", piece.Start, len(piece.Text), end)
				}
				end = piece.Start + uint32(len(piece.Text))
			}
		}
		if t.Failed() {
			t.Fatalf("%q", text)
		}
	}
}

// The reader is linear: every mark many times over.
func TestRepeatedTokens(t *testing.T) {
	for _, token := range tokens {
		for _, text := range []string{strings.Repeat(token, 100_000/len(token)), "<b>" + strings.Repeat(token+" ", 100_000/len(token))} {
			start := time.Now()
			Language().Parts([]byte(text), "")
			if d := time.Since(start); d > 120*time.Second {
				t.Errorf("%q: %v", token, d)
			}
		}
	}
}
