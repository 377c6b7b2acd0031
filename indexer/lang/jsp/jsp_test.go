package jsp

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/java"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language(), java.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), java.Language()) }
