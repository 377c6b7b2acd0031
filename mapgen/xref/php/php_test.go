package php

import (
	"path"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	phprow "github.com/project-map/project-map/indexer/lang/php"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(phprow.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "//",
	IsFile:  func(w string) bool { return slices.Contains([]string{".php"}, path.Ext(w)) },
	Fresh:   []string{"Extra.php", "Base.php", "Logs.php", "helpers.php"},
	Qualified: func(f *facts.File, sym int32) string {
		symbols := f.Symbols
		name := symbols[sym].Name
		for s := symbols[sym].Parent; s >= 0; s = symbols[s].Parent {
			name = symbols[s].Name + "." + name
		}
		if symbols[sym].Parent < 0 && symbols[sym].Container != "" {
			name = symbols[sym].Container + "." + name
		}
		return name
	},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
