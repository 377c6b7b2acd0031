// Package cases_test checks the form of the hand-written ranking cases. That
// their answers are right is measured elsewhere, with the repositories at hand.
package cases_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/ranker/eval"
)

const (
	fewestCases        = 60
	fewestRepositories = 6
	// A kind with fewer cases says nothing: one case would move its share by
	// more than ten points.
	fewestOfKind = 10
)

var (
	kinds = []string{"build", "config", "doc", "generated", "schema", "second", "short", "sibling", "test"}

	id       = regexp.MustCompile(`^([a-z0-9]+)-([a-z]+)-[1-9][0-9]*$`)
	source   = regexp.MustCompile(`^github:[\w.-]+/[\w.-]+$`)
	revision = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

func TestCases(t *testing.T) {
	f, err := os.Open("tasks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases, err := eval.ReadCases(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < fewestCases {
		t.Errorf("%d cases, want at least %d", len(cases), fewestCases)
	}

	ids, queries := map[string]bool{}, map[string]string{}
	ofKind := map[string]int{}
	revisions, languages, nicknames := map[string]string{}, map[string]string{}, map[string]string{}
	for _, c := range cases {
		if ids[c.ID] {
			t.Errorf("%s: the id is taken", c.ID)
		}
		ids[c.ID] = true

		m := id.FindStringSubmatch(c.ID)
		if m == nil {
			t.Errorf("%s: the id is not repository-kind-number", c.ID)
			continue
		}
		kind := m[2]
		if !slices.Contains(kinds, kind) {
			t.Errorf("%s: unknown kind %q", c.ID, kind)
		}
		ofKind[kind]++

		if !source.MatchString(c.Source) || c.Source != "github:"+c.Repo {
			t.Errorf("%s: source %q does not name repo %q", c.ID, c.Source, c.Repo)
		}
		if !revision.MatchString(c.Revision) {
			t.Errorf("%s: revision %q is not a full commit id", c.ID, c.Revision)
		}
		if c.Language == "" {
			t.Errorf("%s: no language", c.ID)
		}
		same(t, c.ID, "the revision", revisions, c.Repo, c.Revision)
		same(t, c.ID, "the language", languages, c.Repo, c.Language)
		same(t, c.ID, "the name in the id", nicknames, c.Repo, m[1])

		asked := c.Repo + "\x00" + strings.TrimSpace(c.Query)
		if strings.TrimSpace(c.Query) == "" {
			t.Errorf("%s: the query is blank", c.ID)
		} else if other := queries[asked]; other != "" {
			t.Errorf("%s: asks the same as %s", c.ID, other)
		}
		queries[asked] = c.ID

		seen := map[string]bool{}
		for _, g := range c.Gold {
			if g == "" || path.IsAbs(g) || path.Clean(g) != g || strings.HasPrefix(g, "../") {
				t.Errorf("%s: gold %q is not a path of the repository", c.ID, g)
			}
			if seen[g] {
				t.Errorf("%s: gold %q twice", c.ID, g)
			}
			seen[g] = true
			// A short query may be a fragment of a path, no other may give it away.
			if kind != "short" && strings.Contains(g, "/") && strings.Contains(c.Query, g) {
				t.Errorf("%s: the query contains the answer %q", c.ID, g)
			}
		}
	}

	if len(revisions) < fewestRepositories {
		t.Errorf("%d repositories, want at least %d: %v", len(revisions), fewestRepositories, slices.Sorted(maps.Keys(revisions)))
	}
	for _, k := range kinds {
		if ofKind[k] < fewestOfKind {
			t.Errorf("%d cases of kind %s, want at least %d", ofKind[k], k, fewestOfKind)
		}
	}
}

// same reports when a repository has another value than in an earlier case.
func same(t *testing.T, id, what string, values map[string]string, repo, value string) {
	t.Helper()
	if was, ok := values[repo]; ok && was != value {
		t.Errorf("%s: %s of %s is %q, it was %q", id, what, repo, value, was)
	}
	values[repo] = value
}
