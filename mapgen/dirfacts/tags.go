package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
)

// maxTopics is how many words of names a directory is tagged with.
const maxTopics = 6

// isFiller tells whether a word of a name says nothing of the topic.
func isFiller(word string) bool {
	switch word {
	case "with", "from", "should", "must", "this", "that", "when", "into", "have", "each", "make", "does", "test",
		"tests", "init", "main", "index", "default", "utils", "util", "helpers", "common":
		return true
	}
	return false
}

// tags are the languages (of code, where there is any), package and roles of a directory and the words that
// come up most in the names of its files and public definitions.
func (f *folder) tags(d *dir) []string {
	set, other := map[string]bool{}, map[string]bool{}
	topics := map[string]int{}
	tests, code := 0, 0
	for _, i := range d.files {
		e := &f.in.Files[i]
		if e.File.Depth == facts.Listed || e.Role&(facts.RoleVendored|facts.RoleGenerated) != 0 {
			continue
		}
		if !isCode(e) {
			if e.File.Language != "" && e.File.Language != "gomod" {
				other[e.File.Language] = true
			}
			continue
		}
		set[e.File.Language] = true
		code++
		if e.Role.Has(facts.RoleTest) {
			tests++
			continue
		}
		if e.File.Language == "go" && e.File.Package != "" && e.File.Package != "main" {
			set[e.File.Package] = true
		}
		count := func(name string, n int) {
			seen := map[string]bool{}
			for _, p := range words.Parts(name) {
				if len(p) >= 4 && !seen[p] && !isFiller(p) {
					seen[p] = true
					topics[p] += n
				}
			}
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		count(stem, 2)
		for k := range e.File.Symbols {
			if s := &e.File.Symbols[k]; s.Visibility == facts.Public && s.Parent < 0 && shown(e, s) {
				count(s.Name, 1)
			}
		}
	}
	if code == 0 {
		set = other
	}
	if code > 0 && tests == code {
		set["tests"] = true
	}
	order := make([]string, 0, len(topics))
	for w, n := range topics {
		if n >= 3 && !set[w] {
			order = append(order, w)
		}
	}
	slices.SortFunc(order, func(x, y string) int {
		return cmp.Or(cmp.Compare(topics[y], topics[x]), cmp.Compare(x, y))
	})
	for _, w := range order[:min(len(order), maxTopics)] {
		set[w] = true
	}
	out := make([]string, 0, len(set))
	for t := range set {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}
