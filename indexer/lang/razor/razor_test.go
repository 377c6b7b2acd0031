package razor

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/csharp"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language(), csharp.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), csharp.Language()) }
