package eex

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/elixir"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language(), elixir.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), elixir.Language()) }
