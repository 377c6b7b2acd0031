package site

import (
	"strings"
	"testing"
)

// CheckLimits runs the limits of the data with small numbers.
func CheckLimits(t *testing.T, in *Input) {
	m := newModel(in)
	full, cut := m.fileData(len(m.docs)), m.fileData(3)
	sum := func(d treeData) (n int) {
		for _, f := range d.Files {
			n += f[8].(int)
		}
		return n
	}
	if sum(full) != len(m.docs) || sum(cut) != len(m.docs) || len(cut.Files) >= len(full.Files) {
		t.Errorf("%d files are shown as %d and %d", len(m.docs), sum(full), sum(cut))
	}
	names := func(d searchData) (n int) {
		for _, s := range d.Symbols {
			if s != "" {
				n += 1 + strings.Count(s, "\n")
			}
		}
		return n
	}
	all := m.searchData(maxSearchSymbols)
	if all.Left != 0 || names(all) < 20 {
		t.Fatalf("the search has %d names, %d left out", names(all), all.Left)
	}
	for limit := range names(all) + 2 {
		d := m.searchData(limit)
		if n := names(d); n > limit || n+d.Left != names(all) {
			t.Errorf("with a limit of %d, the search has %d names, %d left out", limit, n, d.Left)
		}
	}
	// Two names of pages with the same slug, and the same name twice.
	p := pageNames([]string{"a/b", "a-b", "A/B", "", "con", "\xff", strings.Repeat("x", 300)})
	seen := map[string]bool{}
	for _, n := range p {
		if seen[n] || len(n) > maxSlug+hashLen+len("-.html") {
			t.Errorf("the names are %q", p)
		}
		seen[n] = true
	}
	// Anchors of different names differ.
	anchors := map[string]string{}
	for _, n := range []string{"a b", "a~20b", "a%20b", "a_b", "ab", "é", "~c3~a9", "a~L3", ""} {
		a := anchor(n)
		if other, ok := anchors[a]; ok {
			t.Errorf("%q and %q have the anchor %s", n, other, a)
		}
		anchors[a] = n
	}
	for age, want := range map[int64]int{0: 1, 8 * 86400: 2, 366 * 86400: 5, 9e9: 6} {
		if got := recency(age); got != want {
			t.Errorf("recency of %d s is %d, want %d", age, got, want)
		}
	}
}
