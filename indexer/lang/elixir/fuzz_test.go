package elixir

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }
