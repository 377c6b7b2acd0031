package ruby

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/erb"
	rubyrow "github.com/project-map/project-map/indexer/lang/ruby"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(rubyrow.Language(), erb.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "#",
	IsFile:  func(w string) bool { return strings.Contains(w, ".rb") || strings.HasSuffix(w, ".erb") },
	Fresh:   []string{"extra.rb", "base.rb", "item_test.rb", "store.rb"},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 40) }
