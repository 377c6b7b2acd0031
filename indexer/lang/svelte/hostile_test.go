package svelte

import (
	"math/rand/v2"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

var tokens = []string{
	"<script>", "</script>", "{#each xs as x, i (x.id)}", "{/each}", "{#snippet s(a)}", "{/snippet}", "{#await p then v}", "{:then v}", "{/await}", "{@const a = 1}", "{:else if b}", "{", "}", "<A let:x let:y={z}>", "</A>", "<", ">", "/>", "</", "\"", "\x27", "`${", "$page", "$: a = 1", "\n", "\t", "é", "(", ")", "<b on:x={", " bind:v ", "{...r}", "<!--", "-->", "{#each a", "/[", "//", "/*",
}

func TestTokens(t *testing.T) {
	langtest.Tokens(t, Language(), tokens, rand.New(rand.NewPCG(1, 1)).IntN, rows()...)
}
