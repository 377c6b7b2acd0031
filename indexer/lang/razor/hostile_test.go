package razor

import (
	"math/rand/v2"
	"testing"

	"github.com/project-map/project-map/indexer/lang/csharp"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

var tokens = []string{
	"@", "@{", "}", "@code {\n", "@functions {", "@if (a) {", "{", "else ", "<b>", "</b>", "<A b=\"@c\" d=\"@(e)\">", "</A>", "@x.Y(z)", "@(", "(", ")", "\"", "\x27", "@*", "*@", "@:", "@<p>", "</p>", "<", ">", "/>", "\n", "é", ";", "@using (a) {", "@using A.B\n", "@inject T x\n", "@model T\n", "case A:", "int a = 1;", "@switch (a) {", "@do {", "while (b);", "\"\"\"", "@\"", "$\"{", "/*", "//", "<!--", "-->", "<script>", "</script>", "void F() { ",
}

func TestTokens(t *testing.T) {
	langtest.Tokens(t, Language(), tokens, rand.New(rand.NewPCG(1, 1)).IntN, csharp.Language())
}
