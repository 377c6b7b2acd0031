package erb

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/ruby"
)

func TestCases(t *testing.T) { langtest.Run(t, Language(), ruby.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), ruby.Language()) }
