package answers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/project-map/project-map/bundle/oracle"
)

func newCache(t *testing.T, session string) *Cache {
	t.Helper()
	store := t.TempDir()
	return &Cache{Dir: DirOf(store, session), Generation: "g", Settings: "s", State: func(p string) string { return "of " + p }}
}

func question(s string) oracle.Request { return oracle.Request{Action: oracle.Ask, Query: s} }

func answer(s string) *oracle.Answer {
	return &oracle.Answer{Answer: s, Confidence: oracle.High, Evidence: []oracle.Evidence{{Type: oracle.FromFile, File: "a.go", Detail: "d"}}}
}

func TestAnswersAreKeptWhileNothingChanges(t *testing.T) {
	c := newCache(t, "")
	if c.Get(question("q")) != nil {
		t.Fatal("an empty cache answers")
	}
	c.Put(question("q"), answer("a"))
	got := c.Get(question("q"))
	if got == nil || got.Answer != "a" || len(got.Evidence) != 2 || got.Evidence[0].Type != oracle.FromFile || got.Evidence[1].Type != oracle.FromCache {
		t.Fatalf("%+v", got)
	}
	for name, other := range map[string]*Cache{
		"another generation": {Dir: c.Dir, Generation: "h", Settings: "s", State: c.State},
		"other settings":     {Dir: c.Dir, Generation: "g", Settings: "t", State: c.State},
		"a changed file":     {Dir: c.Dir, Generation: "g", Settings: "s", State: func(string) string { return "other" }},
		"no cache":           {},
	} {
		if other.Get(question("q")) != nil {
			t.Errorf("%s gives the old answer", name)
		}
	}
	if c.Get(question("r")) != nil || c.Get(oracle.Request{Action: oracle.Symbol, Query: "q"}) != nil {
		t.Error("another question gives this answer")
	}
}

func TestSessionsAreApart(t *testing.T) {
	store := t.TempDir()
	dirs := map[string]bool{}
	for _, s := range []string{"", "one", "two", "../one", "ONE", strings.Repeat("x", 5000), "a/b", "a\x00b"} {
		d := DirOf(store, s)
		if dirs[d] || filepath.Dir(filepath.Dir(d)) != store {
			t.Errorf("session %q lies in %s", s, d)
		}
		dirs[d] = true
	}
}

func TestDamagedEntriesAreNone(t *testing.T) {
	c := newCache(t, "s")
	c.Put(question("q"), answer("a"))
	list, err := os.ReadDir(c.Dir)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	name := filepath.Join(c.Dir, list[0].Name())
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, data[:len(data)/2], []byte("{}"), []byte(`{"key":"x","answer":{}}`)} {
		if err := os.WriteFile(name, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := c.Get(question("q")); got != nil {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", name); err != nil {
		t.Skip(err)
	}
	if c.Get(question("q")) != nil {
		t.Error("a link is read")
	}
	c.Put(question("q"), answer("b"))
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		t.Error("a link was written through")
	}
}

// Many processes ask at the same time, and the directory stays bounded.
func TestBoundedAndShared(t *testing.T) {
	c := newCache(t, "")
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range 250 {
				q := question(fmt.Sprint(w%2, " ", i))
				c.Put(q, answer(q.Query+strings.Repeat("x", 200)))
				if a := c.Get(q); a != nil && !strings.HasPrefix(a.Answer, q.Query) {
					t.Errorf("%q is answered %q", q.Query, a.Answer)
				}
			}
		}()
	}
	wait.Wait()
	list, err := os.ReadDir(c.Dir)
	if err != nil || len(list) > maxEntries+8 {
		t.Errorf("%d entries, %v", len(list), err)
	}
	for _, d := range list {
		if strings.HasPrefix(d.Name(), "tmp-") {
			t.Errorf("%s was left", d.Name())
		}
	}
	big := answer(strings.Repeat("y", maxEntry))
	c.Put(question("big"), big)
	if c.Get(question("big")) != nil {
		t.Error("an answer over the limit is kept")
	}
}
