package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/xref"
)

func (f *folder) mapOf(d *dir, tags []string, tests map[int][]string) *artifact.Map {
	m := &artifact.Map{Dir: d.path, Summary: d.summary, Tags: tags}
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
			if t.Dir != d.path && isCode(e) && e.File.Imports[t.Import].Flags&facts.ImportInBody == 0 {
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

// imports lists the clauses of a file that resolve inside the revision, with
// the names they bring in.
func (f *folder) imports(i int) []artifact.ImportNote {
	e := &f.in.Files[i]
	names := map[string]map[string]bool{}
	targets := f.in.Imports[i]
	for len(targets) > 0 {
		n := 1
		for n < len(targets) && targets[n].Import == targets[0].Import {
			n++
		}
		clause := targets[:n]
		targets = targets[n:]
		m := &e.File.Imports[clause[0].Import]
		if m.Flags&facts.ImportInBody != 0 {
			continue
		}
		var symbols, modules []string
		for _, n := range m.Names {
			if e.Role.Has(facts.RoleTest) {
				break // what a test imports follows from what it tests
			}
			switch {
			case n.Name == "*" || n.Name == "default":
			case slices.ContainsFunc(clause, func(t xref.Target) bool { return f.isModule(t, n.Name) }):
				modules = append(modules, n.Name)
			default:
				symbols = append(symbols, n.Name)
			}
		}
		for _, t := range clause {
			module := slices.ContainsFunc(modules, func(name string) bool { return f.isModule(t, name) })
			if len(modules) > 0 && len(symbols) == 0 && !module {
				continue // a package that is named for the sake of its modules only
			}
			target := cmp.Or(t.Dir, ".")
			if t.Doc >= 0 {
				target = f.in.Files[t.Doc].Path
			}
			if names[target] == nil {
				names[target] = map[string]bool{}
			}
			if module {
				continue
			}
			for _, n := range symbols {
				names[target][n] = true
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

// isModule tells whether a target is the module of the name, as in Python's "from
// package import module".
func (f *folder) isModule(t xref.Target, name string) bool {
	if t.Doc < 0 || f.in.Files[t.Doc].File.Language != "python" {
		return false
	}
	stem, _, _ := strings.Cut(path.Base(f.in.Files[t.Doc].Path), ".")
	return stem == name || stem == "__init__" && path.Base(t.Dir) == name
}

// symbols lists the definitions that a map shows; of overloads the first stands
// for all.
func symbols(e *facts.Entry) []artifact.MapSymbol {
	var out []artifact.MapSymbol
	type overload struct{ container, name string }
	seen := map[overload]bool{}
	for i := range e.File.Symbols {
		s := &e.File.Symbols[i]
		container := qualified(e.File, s)
		if !shown(e, s) || seen[overload{container, s.Name}] {
			continue
		}
		seen[overload{container, s.Name}] = true
		out = append(out, artifact.MapSymbol{
			Kind: s.Kind.String(), Name: s.Name, Container: container, Signature: s.Signature, Doc: s.Doc,
			Private: s.Visibility == facts.Private || hidden(e.File, s),
		})
	}
	return out
}

// shown tells whether a map lists a definition. Left out are the inside of
// bodies, members that a signature does not have (fields, members of enums),
// keys of configuration, deep headings, and of tests what nobody else can use:
// every branch adds cases to the end of the same file, and the line of the file
// says what it tests.
func shown(e *facts.Entry, s *facts.Symbol) bool {
	if s.Flags&facts.InBody != 0 {
		return false
	}
	switch s.Kind {
	case facts.KindField, facts.KindEnumMember, facts.KindKey:
		return false
	case facts.KindHeading:
		return s.Parent < 0 || e.File.Symbols[s.Parent].Parent < 0
	case facts.KindVariable, facts.KindConstant:
		// What a build file sets for itself is as the inside of a body.
		if e.File.Language == "makefile" || e.File.Nature == facts.Data && s.Visibility == facts.Private {
			return false
		}
	}
	if e.File.Language == "python" && isTypeVariable(s) {
		return false
	}
	if e.Role.Has(facts.RoleTest) && isCode(e) {
		return s.Visibility != facts.Private && !isTestCase(e.File, s)
	}
	return true
}

// isTypeVariable tells a name that only the type checker of Python needs.
func isTypeVariable(s *facts.Symbol) bool {
	_, value, ok := strings.Cut(s.Signature, "= ")
	call, _, isCall := strings.Cut(value, "(")
	switch call[strings.LastIndexByte(call, '.')+1:] {
	case "TypeVar", "ParamSpec", "TypeVarTuple":
		return ok && isCall && s.Parent < 0
	}
	return false
}

// isTestCase tells whether a definition of a test file is a case, or a member
// of a group of cases, rather than a helper that others may use.
func isTestCase(f *facts.File, s *facts.Symbol) bool {
	for p := s.Parent; p >= 0; p = f.Symbols[p].Parent {
		if isTestName(f.Symbols[p].Name) {
			return true
		}
	}
	if s.Container != "" && isTestName(s.Container) {
		return true
	}
	switch s.Kind {
	case facts.KindFunction, facts.KindMethod:
		return isTestName(s.Name)
	}
	return false
}

func isTestName(name string) bool {
	for _, prefix := range []string{"test", "Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || !unicode.IsLower([]rune(rest)[0])) {
			return true
		}
	}
	return strings.HasSuffix(name, "Test") || strings.HasSuffix(name, "Tests") || strings.HasSuffix(name, "TestCase")
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
