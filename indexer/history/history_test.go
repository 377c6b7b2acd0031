package history

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
)

// past is a made-up history that counts how many commits were really read.
type past struct {
	entries []revision.LogEntry
	read    int
	end     error
}

func (p *past) Log(_ context.Context, o revision.LogOptions, visit func(revision.LogEntry) error) error {
	for _, e := range p.entries[:min(o.Max, len(p.entries))] {
		if known, ok := o.Lookup(e.ID); ok {
			e = known
		} else {
			p.read++
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return p.end
}

func entry(n byte, message string, changed ...string) revision.LogEntry {
	return revision.LogEntry{ID: revision.ID{n}, Parents: []revision.ID{{n + 1}}, Time: 1000 - int64(n), Message: message, Changed: changed}
}

func TestCommitsAreReadOnce(t *testing.T) {
	var many []string
	for i := range maxFiles + 5 {
		many = append(many, fmt.Sprintf("f%03d", i))
	}
	merge := entry(4, "Merge")
	merge.Parents = append(merge.Parents, revision.ID{99})
	p := &past{entries: []revision.LogEntry{
		entry(1, "Fix the queue\n\nSigned-off-by: somebody\nReason", "queue/queue.go", "名前.go"),
		entry(2, "Sweep", many...),
		entry(3, "Empty"), merge,
		{ID: revision.ID{5}, Time: 900, Message: "Boundary", Boundary: true},
	}}
	dir := t.TempDir()
	open := func() *factstore.Store {
		c, err := factstore.Open(dir, factstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	cache := open()
	first, err := Read(t.Context(), p, 100, cache)
	if err != nil {
		t.Fatal(err)
	}
	want := []Commit{
		{ID: revision.ID{1}, Time: 999, Message: "Fix the queue\n\nReason", Files: []string{"queue/queue.go", "名前.go"}, NumFiles: 2},
		{ID: revision.ID{2}, Time: 998, Message: "Sweep", NumFiles: maxFiles + 5},
	}
	if !reflect.DeepEqual(first.Commits, want) || !first.Cut {
		t.Fatalf("%+v", first)
	}
	if err := cache.Commit(); err != nil {
		t.Fatal(err)
	}
	cache.Close()
	cache = open()
	defer cache.Close()
	p.read = 0
	p.entries = append([]revision.LogEntry{entry(0, "New", "x")}, p.entries...)
	second, err := Read(t.Context(), p, 100, cache)
	if err != nil {
		t.Fatal(err)
	}
	if p.read != 2 { // the new commit, and the boundary, which is never kept
		t.Errorf("%d commits were read again", p.read)
	}
	if !reflect.DeepEqual(second.Commits[1:], want) || second.Commits[0].Message != "New" {
		t.Errorf("%+v", second)
	}
	p.end = fmt.Errorf("tree: %w", revision.ErrMissing)
	if h, err := Read(t.Context(), p, 100, cache); err != nil || !h.Cut || len(h.Commits) != 3 {
		t.Errorf("missing objects: %+v, %v", h, err)
	}
	p.end = errors.New("disk on fire")
	if _, err := Read(t.Context(), p, 100, cache); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error lost: %v", err)
	}
}

func TestTrim(t *testing.T) {
	long := strings.Repeat("ä", maxMessage)
	if got := trim(long); len(got) > maxMessage || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes", len(got))
	}
	if got := trim("a\nCo-authored-by: x\nChange-Id: I1\nb"); got != "a\nb" {
		t.Errorf("%q", got)
	}
}

func FuzzDecode(f *testing.F) {
	e := entry(1, "message", "a/b", "c")
	f.Add(encode(&e))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := decode(data)
		if err != nil {
			return
		}
		again, err := decode(encode(&e))
		if err != nil || again.Message != e.Message || !slices.Equal(again.Changed, e.Changed) {
			t.Fatalf("%+v, %v", again, err)
		}
	})
}
