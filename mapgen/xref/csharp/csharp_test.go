package csharp

import (
	"path"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	csharprow "github.com/project-map/project-map/indexer/lang/csharp"
	razorrow "github.com/project-map/project-map/indexer/lang/razor"
	xmlrow "github.com/project-map/project-map/indexer/lang/xml"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(csharprow.Language(), razorrow.Language(), xmlrow.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "//",
	IsFile:  func(w string) bool { return slices.Contains([]string{".cs", ".razor"}, path.Ext(w)) },
	Fresh:   []string{"Extra.cs", "Base.cs", "New.csproj", "Usings.cs", "Directory.Build.props"},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
