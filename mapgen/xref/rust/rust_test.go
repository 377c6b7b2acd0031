package rust

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	rustrow "github.com/project-map/project-map/indexer/lang/rust"
	"github.com/project-map/project-map/indexer/lang/toml"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(rustrow.Language(), toml.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p) },
	Rules:   Rules(),
	Comment: "//",
	IsFile:  func(w string) bool { return slices.Contains([]string{".rs"}, path.Ext(w)) },
	Fresh:   []string{"extra.rs", "store.rs", "mod.rs", "wire.rs"},
	Qualified: func(f *facts.File, sym int32) string {
		symbols := f.Symbols
		name := symbols[sym].Name
		if isOwned(f, sym) {
			name = symbols[sym].Container + "." + name
		}
		for s := symbols[sym].Parent; s >= 0; s = symbols[s].Parent {
			name = symbols[s].Name + "." + name
		}
		return name
	},
	// Each copy is a crate of its own.
	Copy: func(n int, text []byte) []byte {
		return []byte(strings.NewReplacer("shop-core", fmt.Sprint("shop-core", n), "shop_core", fmt.Sprint("shop_core", n)).Replace(string(text)))
	},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func BenchmarkResolve(b *testing.B) { suite.Benchmark(b, 10) }
