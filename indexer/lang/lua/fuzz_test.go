package lua

import (
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func FuzzExtract(f *testing.F) {
	for _, s := range []string{"local M = {}\nfunction M.a:b() end\nreturn M", "a.b[1]:c{}'x'", "--[[", "x = [==[ ]=]", "local a <const> = require 'b'.c", "for i in a do", "goto x ::x::", "function f(", "{ [\"a\"] = function() end }"} {
		f.Add([]byte(s))
	}
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, source []byte) {
		langtest.Check(t, x.Extract(source, extract.Plan{Language: l, Extension: ".lua"}), source)
	})
}
