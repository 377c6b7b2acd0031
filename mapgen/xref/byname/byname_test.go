package byname

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/lua"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

var suite = edgetest.Suite{
	Table:   lang.NewTable(lua.Language()),
	New:     func(p *edges.Program) edgetest.Resolver { return New(p, "lua") },
	Rules:   []string{ruleFile, ruleImported, ruleDirectory, ruleAnywhere},
	Comment: "--",
	IsFile:  func(w string) bool { return strings.HasSuffix(w, ".lua") },
	Fresh:   []string{"extra.lua", "store.lua", "init.lua"},
}

func TestArchives(t *testing.T) { suite.Archives(t) }

func TestOrderDoesNotMatter(t *testing.T) { suite.OrderDoesNotMatter(t) }

func TestUsesAreComplete(t *testing.T) { suite.UsesAreComplete(t) }

func FuzzResolve(f *testing.F) {
	edgetest.Seed(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, edgetest.File("p/a.lua", a), edgetest.File("p/b.lua", b), edgetest.File("q/c.lua", b+"\n"+a))
	})
}
