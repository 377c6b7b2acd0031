package jvm

import (
	"path"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	javarow "github.com/project-map/project-map/indexer/lang/java"
	kotlinrow "github.com/project-map/project-map/indexer/lang/kotlin"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(javarow.Language(), kotlinrow.Language(), kotlinrow.Plain()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "//",
	IsFile:  func(w string) bool { return slices.Contains([]string{".java", ".kt"}, path.Ext(w)) },
	Fresh:   []string{"Extra.java", "Base.java", "Errors.kt", "Shape.java"},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
