package cfamily

import (
	"path"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	crow "github.com/project-map/project-map/indexer/lang/c"
	"github.com/project-map/project-map/indexer/lang/cpp"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(crow.Language(), cpp.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "//",
	IsFile:  func(w string) bool { return slices.Contains([]string{".c", ".cc", ".h"}, path.Ext(w)) },
	Fresh:   []string{"extra.c", "base.h", "list.h", "shape.cc"},
	Qualified: func(f *facts.File, sym int32) string {
		symbols := f.Symbols
		name := symbols[sym].Name
		for s := sym; s >= 0; s = symbols[s].Parent {
			parent := symbols[s].Parent
			switch {
			case parent >= 0 && symbols[parent].Kind != facts.KindModule:
				name = symbols[parent].Name + "." + name
			case symbols[s].Container != "" && (parent < 0 || symbols[parent].Name != symbols[s].Container):
				name = symbols[s].Container + "." + name
			}
		}
		return name
	},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
