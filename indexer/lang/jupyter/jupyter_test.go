package jupyter

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/bash"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/markdown"
	"github.com/project-map/project-map/indexer/lang/python"
	"github.com/project-map/project-map/indexer/lang/ruby"
)

func others() []*lang.Language {
	return []*lang.Language{python.Language(), markdown.Language(), bash.Language(), ruby.Language()}
}

func TestCases(t *testing.T) { langtest.Run(t, Language(), others()...) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), others()...) }

// Every piece must lie inside the source and take the place of as many bytes.
func FuzzPieces(f *testing.F) {
	f.Add([]byte(`{"cells":[{"cell_type":"code","source":["a\\\n","b\u00e9\n"]}]}`))
	f.Add([]byte(`{"cells":[{"cell_type":"code","source":"%%bash\nls\\"`))
	f.Fuzz(func(t *testing.T, source []byte) {
		langtest.CheckPieces(t, Language(), source, ".ipynb")
	})
}
