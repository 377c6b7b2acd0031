package ejs

import (
	"testing"

	"github.com/project-map/project-map/indexer/lang/javascript"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language(), javascript.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language(), javascript.Language()) }
