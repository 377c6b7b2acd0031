package bundle

import (
	"errors"
	"strings"
	"testing"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/ranker/query"
)

func TestRetrieval(t *testing.T) {
	f := plainFixture(t)
	b := Build(query.Parse(usualQuery), f.catalog, f.usual(t), Options{Freshness: Freshness{State: Fresh, Revision: "commit 1a2b3c4"}})
	memory, found := b.Retrieval(func(p string) ([]byte, error) {
		if p == "tests/.pi-map.md" {
			return nil, errors.New("gone")
		}
		return []byte("text of " + p + "\xff"), nil
	})
	var got []string
	for _, e := range memory {
		if e.Layer != pack.L3 || e.SourceType != pack.Artifact || e.Content != "text of "+e.SourceID+"\uFFFD" {
			t.Errorf("%+v", e)
		}
		got = append(got, e.SourceID)
	}
	// The weakest first; a page that cannot be read is left out.
	if want := "src/.pi-map.md tests/.pi-map.index.md .pi-map.index.md src/.pi-map.index.md"; strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
	if len(found) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, want := range []string{"- Read the indexes first", "- validateMaps — function at src/validate.ts:6", "- src/validate.ts:6 — typescript: Checks signatures.\n- src/ast/"} {
		if e := found[i]; e.Layer != pack.L1 || e.SourceType != SourceRetrieval || !strings.HasPrefix(e.Content, want) {
			t.Errorf("%+v", e)
		}
	}
	// Nothing found is nothing but the notes that say so.
	memory, found = Build(query.Parse("zz"), f.catalog, nil, Options{}).Retrieval(nil)
	if len(memory) != 0 || len(found) != 1 || !strings.HasPrefix(found[0].Content, "- Nothing in the repository matches") {
		t.Errorf("%+v %+v", memory, found)
	}
}
