package astro

import (
	"math/rand/v2"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

var tokens = []string{
	"---\n", "{", "}", "<li>", "</li>", "<br>", "<A b={c}", "/>", "<>", "</>", "(x) => ", "xs.map(", ")", "\"", "\x27", "`${", "`", "<", ">", "</", "<!--", "-->", "<script>", "</script>", "{/*", "*/}", "é", "\n", " = ", "&& ", "<b {...r} c=`${d}`>", "/[", "//", "const a = 1\n",
}

func TestTokens(t *testing.T) {
	langtest.Tokens(t, Language(), tokens, rand.New(rand.NewPCG(1, 1)).IntN, rows()...)
}
