package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
)

func (f *folder) mapOf(d *dir, tags []string, tests map[int][]string, usedBy []string) *artifact.Map {
	m := &artifact.Map{Dir: d.path, Summary: d.summary, Tags: tags, UsedBy: usedBy}
	depends := map[string]bool{}
	for _, i := range d.files {
		e := &f.in.Files[i]
		name := path.Base(e.Path)
		if e.File.Depth != facts.Parsed {
			m.Unanalysed = append(m.Unanalysed, artifact.FileNote{Name: name, Note: depthNote(e.File), Weight: fileWeight(e)})
			continue
		}
		m.Files = append(m.Files, artifact.MapFile{
			Name: name, Language: e.File.Language, Roles: e.Role.Names(), Summary: e.File.Summary,
			Imports: f.imports(i), Tests: tests[i], Symbols: symbols(e),
		})
		for _, t := range f.in.Imports[i] {
			if t.Dir != d.path && isCode(e.File.Language) && e.File.Imports[t.Import].Flags&facts.ImportInBody == 0 {
				depends[t.Dir] = true
			}
		}
	}
	for _, name := range d.unmapped {
		m.Unanalysed = append(m.Unanalysed, artifact.FileNote{Name: name + "/", Note: "directory without a map: vendored, or nothing in it was read"})
	}
	m.DependsOn = f.sortedDirs(depends)
	return m
}

// depthNote says how deep a file was read, and why no deeper.
func depthNote(f *facts.File) string {
	if f.Depth == facts.Words {
		return "words only: " + string(f.Reason)
	}
	return "listed: " + string(f.Reason)
}

// sortedDirs lists the directories of a set; the root is ".".
func (f *folder) sortedDirs(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for d := range set {
		out = append(out, cmp.Or(d, "."))
	}
	slices.Sort(out)
	return out
}

// usedBy lists for every directory those whose files import it.
func (f *folder) usedBy() map[string][]string {
	sets := map[string]map[string]bool{}
	for i, targets := range f.in.Imports {
		from := dirOf(f.in.Files[i].Path)
		if f.at[from] == nil || !isCode(f.in.Files[i].File.Language) || f.in.Files[i].Role.Has(facts.RoleVendored) {
			continue
		}
		for _, t := range targets {
			if t.Dir == from || f.in.Files[i].File.Imports[t.Import].Flags&facts.ImportInBody != 0 {
				continue
			}
			if sets[t.Dir] == nil {
				sets[t.Dir] = map[string]bool{}
			}
			sets[t.Dir][from] = true
		}
	}
	out := make(map[string][]string, len(sets))
	for d, set := range sets {
		out[d] = f.sortedDirs(set)
	}
	return out
}

// imports lists the clauses of a file that resolve inside the revision, with
// the names they bring in.
func (f *folder) imports(i int) []artifact.ImportNote {
	e := &f.in.Files[i]
	names := map[string]map[string]bool{}
	for _, t := range f.in.Imports[i] {
		m := &e.File.Imports[t.Import]
		if m.Flags&facts.ImportInBody != 0 {
			continue
		}
		target := cmp.Or(t.Dir, ".")
		if t.Doc >= 0 {
			target = f.in.Files[t.Doc].Path
		}
		if names[target] == nil {
			names[target] = map[string]bool{}
		}
		for _, n := range m.Names {
			if n.Name != "*" && n.Name != "default" {
				names[target][n.Name] = true
			}
		}
	}
	out := make([]artifact.ImportNote, 0, len(names))
	for target, set := range names {
		note := artifact.ImportNote{Target: target}
		for n := range set {
			note.Symbols = append(note.Symbols, n)
		}
		slices.Sort(note.Symbols)
		out = append(out, note)
	}
	slices.SortFunc(out, func(x, y artifact.ImportNote) int { return cmp.Compare(x.Target, y.Target) })
	return out
}

func symbols(e *facts.Entry) []artifact.MapSymbol {
	test := e.Role.Has(facts.RoleTest)
	var out []artifact.MapSymbol
	type overload struct{ container, name string }
	seen := map[overload]bool{}
	for i := range e.File.Symbols {
		s := &e.File.Symbols[i]
		if !shown(e, s) {
			continue
		}
		container := qualified(e.File, s)
		if seen[overload{container, s.Name}] {
			continue // the first signature of a name stands for all
		}
		seen[overload{container, s.Name}] = true
		out = append(out, artifact.MapSymbol{
			Kind: kindWord(s.Kind), Name: s.Name, Container: container, Signature: s.Signature, Doc: s.Doc,
			// Names of tests are worth least when a page has to shrink.
			Private: s.Visibility == facts.Private || test || hidden(e.File, s),
		})
	}
	return out
}

// hidden tells whether a definition stands inside a private one.
func hidden(f *facts.File, s *facts.Symbol) bool {
	for p := s.Parent; p >= 0; p = f.Symbols[p].Parent {
		if f.Symbols[p].Visibility == facts.Private {
			return true
		}
	}
	return false
}

func kindWord(k facts.Kind) string {
	if k == facts.KindEnumMember {
		return "member"
	}
	return k.String()
}

// qualified names what a definition belongs to, outermost first.
func qualified(f *facts.File, s *facts.Symbol) string {
	if s.Parent < 0 {
		return s.Container
	}
	var parts []string
	for p := s.Parent; p >= 0; p = f.Symbols[p].Parent {
		parts = append(parts, f.Symbols[p].Name)
	}
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// relatedTests finds, for every source file, the tests that go by its name:
// foo_test.go, test_foo.py, foo.spec.ts, FooTest.java and the like. Of several
// with one name those whose path is nearest are taken.
func relatedTests(files []facts.Entry) map[int][]string {
	byName := map[string][]int{}
	for i := range files {
		e := &files[i]
		if e.Role.Has(facts.RoleTest) && isCode(e.File.Language) && !e.Role.Has(facts.RoleVendored) {
			if name := testedName(path.Base(e.Path)); name != "" {
				byName[name] = append(byName[name], i)
			}
		}
	}
	const most = 4
	out := map[int][]string{}
	for i := range files {
		e := &files[i]
		if e.Role&(facts.RoleTest|facts.RoleVendored) != 0 || !isCode(e.File.Language) {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		best := -1
		for _, t := range byName[strings.ToLower(stem)] {
			if family(files[t].File.Language) != family(e.File.Language) {
				continue
			}
			n := shared(files[t].Path, e.Path)
			if n > best {
				best, out[i] = n, nil
			}
			if n == best && len(out[i]) < most {
				out[i] = append(out[i], files[t].Path)
			}
		}
	}
	return out
}

// family groups the languages of one ecosystem.
func family(language string) string {
	switch language {
	case "tsx", "javascript", "vue", "svelte", "astro":
		return "typescript"
	case "cpp":
		return "c"
	case "kotlin", "scala", "groovy":
		return "java"
	}
	return language
}

// testedName is what a test file's name says it tests, lower case, or "".
func testedName(base string) string {
	stem, rest, _ := strings.Cut(base, ".")
	if rest = strings.ToLower(rest); strings.HasPrefix(rest, "test.") || strings.HasPrefix(rest, "spec.") || strings.HasPrefix(rest, "e2e.") || strings.HasPrefix(rest, "cy.") {
		return strings.ToLower(stem)
	}
	for _, suffix := range []string{"Tests", "Test", "TestCase", "Spec", "IT"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" && strings.ToLower(suffix[:1]) != suffix[:1] {
			return strings.ToLower(s)
		}
	}
	stem = strings.ToLower(stem)
	for _, suffix := range []string{"_test", "_tests", "_spec", "-test", "-spec"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok {
			return s
		}
	}
	for _, prefix := range []string{"test_", "test-"} {
		if s, ok := strings.CutPrefix(stem, prefix); ok {
			return s
		}
	}
	return stem
}

// shared counts the directories that two paths have in common at their start.
func shared(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x)-1 && n < len(y)-1 && x[n] == y[n] {
		n++
	}
	return n
}
