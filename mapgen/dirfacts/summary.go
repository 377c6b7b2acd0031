package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
)

// summarize finds the one line that stands for a directory: what people wrote,
// else the documentation of its package, else its README, else the header of
// the file that carries its name, else a line that says what it is made of.
func (f *folder) summarize(d *dir) string {
	if s := f.in.Written.Summaries[d.path]; s != "" {
		return s
	}
	readme := ""
	for _, i := range d.files {
		e := &f.in.Files[i]
		s := e.File.Summary
		if s == "" || e.Role&(facts.RoleVendored|facts.RoleGenerated) != 0 {
			continue
		}
		name := strings.ToLower(path.Base(e.Path))
		if strings.HasPrefix(name, "readme") && readme == "" {
			readme = s
		}
	}
	return cmp.Or(f.packageDoc(d), readme, f.structure(d))
}

// packageDoc is the documentation of the package that a directory holds.
func (f *folder) packageDoc(d *dir) string {
	best, bestRank := "", 0
	sources := 0
	for _, i := range d.files {
		e := &f.in.Files[i]
		if !isProduct(e) {
			continue
		}
		sources++
		if e.File.Summary == "" {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		rank := 0
		switch {
		case e.Role.Has(facts.RolePackageInit):
			rank = 4
		case e.File.Language == "go":
			// Any file of a Go package may hold its documentation.
			rank = 3
		case stem == path.Base(d.path), stem == "main", stem == "mod", stem == "lib":
			rank = 2
		}
		if rank > bestRank {
			best, bestRank = e.File.Summary, rank
		}
	}
	if best == "" && sources == 1 {
		for _, i := range d.files {
			e := &f.in.Files[i]
			if isProduct(e) {
				return e.File.Summary
			}
		}
	}
	return best
}

// isProduct tells whether a file is code of the product itself.
func isProduct(e *facts.Entry) bool {
	const aside = facts.RoleTest | facts.RoleVendored | facts.RoleGenerated | facts.RoleExample | facts.RoleConfig | facts.RoleBuild
	return e.Role&aside == 0 && isCode(e.File.Language)
}

func isCode(language string) bool {
	switch language {
	case "", "markdown", "yaml", "toml", "json", "makefile", "gomod":
		return false
	}
	return true
}

// structure is the honest line about a directory without documentation. It
// names no counts and no files, so that it seldom changes.
func (f *folder) structure(d *dir) string {
	if len(d.files) == 0 {
		if l := topLanguage(d.below); l != "" {
			return displayName(l) + " in subdirectories"
		}
		return "Directories only"
	}
	code, other := map[string]int{}, map[string]int{}
	pkg := ""
	for _, i := range d.files {
		e := &f.in.Files[i]
		if e.File.Depth == facts.Listed || e.Role.Has(facts.RoleVendored) {
			continue
		}
		if isCode(e.File.Language) {
			code[e.File.Language]++
			if e.File.Language == "go" && pkg == "" && !strings.HasSuffix(e.File.Package, "_test") {
				pkg = e.File.Package
			}
		} else if e.File.Language != "" {
			other[e.File.Language]++
		}
	}
	language := topLanguage(code)
	switch {
	case language == "go" && pkg == "main":
		return "Go program " + path.Base("/"+d.path)
	case allRoles(f, d, facts.RoleTest) && language != "":
		return displayName(language) + " tests"
	case language == "go" && pkg != "":
		return "Go package " + pkg
	case language != "":
		return displayName(language) + " sources"
	case allRoles(f, d, facts.RoleTest):
		return "Test data"
	case allRoles(f, d, facts.RoleDoc):
		return "Documents"
	case allRoles(f, d, facts.RoleConfig|facts.RoleBuild):
		return "Configuration"
	}
	if l := topLanguage(other); l != "" {
		return displayName(l) + " files"
	}
	return "Text files"
}

// topLanguage is the most frequent key, the first in byte order of several.
func topLanguage(counts map[string]int) string {
	best, n := "", 0
	for l, c := range counts {
		if c > n || c == n && l < best {
			best, n = l, c
		}
	}
	return best
}

func displayName(language string) string {
	switch language {
	case "typescript":
		return "TypeScript"
	case "javascript":
		return "JavaScript"
	case "php", "tsx", "yaml", "toml", "json", "css", "html", "sql":
		return strings.ToUpper(language)
	case "cpp":
		return "C++"
	case "csharp":
		return "C#"
	case "gomod":
		return "Go module"
	case "":
		return ""
	}
	return strings.ToUpper(language[:1]) + language[1:]
}

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

// tags are the languages, package and roles of a directory and the words that
// come up most in the names of its files and public definitions.
func (f *folder) tags(d *dir) []string {
	set := map[string]bool{}
	topics := map[string]int{}
	tests, code := 0, 0
	for _, i := range d.files {
		e := &f.in.Files[i]
		if e.File.Depth == facts.Listed || e.Role&(facts.RoleVendored|facts.RoleGenerated) != 0 {
			continue
		}
		if e.File.Language != "" && e.File.Language != "gomod" {
			set[e.File.Language] = true
		}
		if !isCode(e.File.Language) {
			continue
		}
		code++
		if e.Role.Has(facts.RoleTest) {
			tests++
			continue
		}
		if e.File.Language == "go" && e.File.Package != "" {
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
