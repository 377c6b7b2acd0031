package bash

import (
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func FuzzExtract(f *testing.F) {
	for _, s := range []string{"a() { b; }", "function a { `b` }", "cat <<E\n$(x)\nE\n", "case a in (b) c;; esac", "x=(a $(b))", "[[ ( ]]", "((", "${a:-\"$(b)\"}", "a () b\n", "@test 'x' {\n}"} {
		f.Add([]byte(s), false)
	}
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, source []byte, zsh bool) {
		ext := ".sh"
		if zsh {
			ext = ".zsh"
		}
		langtest.Check(t, x.Extract(source, extract.Plan{Language: l, Extension: ext}), source)
	})
}
