package astro

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/javascript"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/typescript"
)

func rows() []*lang.Language { return []*lang.Language{typescript.Language(), javascript.Language()} }

func TestCases(t *testing.T) { langtest.Run(t, Language(), rows()...) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), rows()...) }
