package python

import (
	"path"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	pythonrow "github.com/project-map/project-map/indexer/lang/python"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(pythonrow.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "#",
	IsFile:  func(w string) bool { return slices.Contains([]string{".py", ".pyi"}, path.Ext(w)) },
	Fresh:   []string{"extra.py", "__init__.py", "errors.py", "base.py"},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
