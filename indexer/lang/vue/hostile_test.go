package vue

import (
	"math/rand/v2"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

var tokens = []string{
	"<template>", "</template>", "<script>", "</script>", "<script lang=\"ts\">", "<li v-for=\"(a, b) in xs\">", "</li>", "<b #x=\"{ y }\">", "</b>", "{{", "}}", " :a=\"f({\"", "\"", "\x27", "<", ">", "/>", "<A-b ", "</", "<!--", "-->", "x ", "é", "\n", "(", ")", "{", "}", "const a = 1", "v-for=\"x in\"", " &quot; ", "`${",
}

func TestTokens(t *testing.T) {
	langtest.Tokens(t, Language(), tokens, rand.New(rand.NewPCG(1, 1)).IntN, rows()...)
}
