package artifact

import (
	"cmp"
	"slices"
	"strings"
)

// reach says how far a step goes.
type reach int

const (
	reachNone    reach = iota
	reachMinor         // files that are tests, generated, vendored or examples
	reachMembers       // also members of other definitions, in every file
	reachAll
)

func (r reach) takes(minor bool, s *MapSymbol) bool {
	return r == reachAll || r >= reachMinor && minor || r >= reachMembers && s.Container != ""
}

// mapCuts is what a level takes from a map.
type mapCuts struct {
	lists                  atMost // entries of the lists of directories and of files not analysed
	imports, tests         atMost // entries a file
	private, docs, sigs    reach
	doc, sig               atMost // runes
	bareImports            bool   // take imports that name no symbols
	importNames, singles   bool   // take names from imports; a line each for files without symbols
	crowd                  atMost // symbols a file, over which a list of their names stands in for them
	listed                 reach
	names                  atMost // entries of the list of names that stands in for symbols
	fileSummary, otherNote atMost // runes
	lines                  bool   // a line each for all files
	others, tags, omitted  atMost // entries
	summary                atMost // runes
}

// mapSteps are few and large, a fifth of a page or so each: a step rewrites much
// of a page, which then conflicts with whatever another branch changed in it, and
// a directory that grows should reach the next step seldom.
func mapSteps() []step[mapCuts] {
	return []step[mapCuts]{
		func(c *mapCuts) {
			c.lists, c.imports, c.tests = upTo(32), upTo(32), upTo(8)
			c.private, c.docs = reachAll, reachMinor
		},
		// "Depends on" still has the directories of bare imports.
		func(c *mapCuts) { c.docs, c.doc, c.bareImports = reachMembers, upTo(60), true },
		// One crowded file must not cost all others their signatures.
		func(c *mapCuts) {
			c.docs, c.importNames, c.sigs = reachAll, true, reachMinor
			c.listed, c.names, c.crowd = reachMinor, upTo(12), upTo(64)
		},
		func(c *mapCuts) { c.sig, c.crowd, c.imports = upTo(100), upTo(28), upTo(6) },
		func(c *mapCuts) { c.sigs, c.sig, c.crowd = reachMembers, upTo(64), upTo(20) },
		func(c *mapCuts) { c.sigs, c.tests = reachAll, upTo(4) },
		func(c *mapCuts) { c.listed = reachAll },
		func(c *mapCuts) { c.names, c.singles, c.otherNote = upTo(6), true, upTo(48) },
		func(c *mapCuts) { c.names, c.imports, c.tests, c.fileSummary = upTo(3), upTo(0), upTo(0), upTo(60) },
		func(c *mapCuts) { c.names, c.otherNote, c.fileSummary, c.lists = upTo(0), upTo(24), upTo(0), upTo(16) },
		func(c *mapCuts) { c.lines, c.otherNote, c.others, c.lists = true, upTo(0), upTo(400), upTo(10) },
		func(c *mapCuts) { c.others = upTo(200) },
		func(c *mapCuts) { c.others, c.lists = upTo(100), upTo(6) },
		func(c *mapCuts) { c.others = upTo(50) },
		func(c *mapCuts) { c.others, c.lists, c.tags = upTo(24), upTo(3), upTo(8) },
		func(c *mapCuts) { c.others, c.summary, c.omitted = upTo(10), upTo(80), upTo(8) },
		func(c *mapCuts) { c.others, c.lists, c.tags = upTo(0), upTo(0), upTo(0) },
		func(c *mapCuts) { c.summary, c.omitted = upTo(0), upTo(4) },
		func(c *mapCuts) { c.omitted = upTo(0) },
	}
}

// What a map says about the steps that took something from it.
const (
	omitPrivate     Omission = "private symbols of some files"
	omitDocs        Omission = "documentation of some symbols"
	omitSignatures  Omission = "signatures of some symbols"
	omitImportNames Omission = "names that files import"
	omitBareImports Omission = "imports that name no symbols, see \"Depends on\""
	omitImports     Omission = "some imports"
	omitTests       Omission = "some related tests"
	omitSymbols     Omission = "some symbols"
	omitDetails     Omission = "details of some files"
)

// cutMap returns what c leaves of a normalized map, normalized.
func cutMap(m *Map, c mapCuts) *Map {
	var gone []Omission
	n := *m
	n.Summary = c.summary.text(m.Summary)
	n.Tags = keep(c.tags, m.Tags, "tags", unweighted, &gone)
	n.DependsOn = keep(c.lists, m.DependsOn, "directories that this depends on", unweighted, &gone)
	n.Unanalysed = keep(c.lists, m.Unanalysed, "files not analysed", func(f FileNote) int { return f.Weight }, &gone)
	n.Files, n.Others = nil, slices.Clone(m.Others)
	said := map[Omission]bool{}
	for i := range m.Files {
		f := cutFile(&m.Files[i], c, said)
		bare := len(f.Symbols) == 0 && len(f.Names) == 0 && f.More == 0
		if !c.lines && (!c.singles || !bare) {
			n.Files = append(n.Files, f)
			continue
		}
		if !bare || f.Summary != "" || len(f.Imports) > 0 || len(f.Tests) > 0 {
			said[omitDetails] = true
		}
		weight := 0
		if !bare && !minor(&f) {
			weight = 1
		}
		n.Others = append(n.Others, FileNote{f.Name, c.otherNote.text(f.Summary), weight})
	}
	slices.SortStableFunc(n.Others, func(a, b FileNote) int { return strings.Compare(a.Name, b.Name) })
	n.Others = slices.CompactFunc(n.Others, func(a, b FileNote) bool { return a.Name == b.Name })
	n.Others = keep(c.others, n.Others, "files", func(f FileNote) int { return f.Weight }, &gone)
	for o, is := range said {
		if is {
			gone = append(gone, o)
		}
	}
	n.Omitted = omissions(append(gone, m.Omitted...))
	if c.omitted.cuts(len(n.Omitted)) {
		n.Omitted = n.Omitted[:c.omitted.n]
	}
	return &n
}

// minor reports whether a file matters less to a reader than the sources
// proper.
func minor(f *MapFile) bool {
	return slices.ContainsFunc(f.Roles, func(role string) bool {
		switch role {
		case "test", "generated", "vendored", "minified", "example", "fixture", "testdata", "documentation", "configuration":
			return true
		}
		return false
	})
}

func cutFile(f *MapFile, c mapCuts, said map[Omission]bool) MapFile {
	n := *f
	n.Summary = c.fileSummary.text(f.Summary)
	if c.bareImports {
		n.Imports = slices.DeleteFunc(slices.Clone(f.Imports), func(i ImportNote) bool { return len(i.Symbols) == 0 })
		said[omitBareImports] = said[omitBareImports] || len(n.Imports) < len(f.Imports)
	}
	if c.imports.cuts(len(n.Imports)) {
		n.Imports = n.Imports[:c.imports.n]
		said[omitImports] = true
	}
	if c.importNames {
		n.Imports = slices.Clone(n.Imports)
		for i := range n.Imports {
			if len(n.Imports[i].Symbols) > 0 {
				n.Imports[i].Symbols = nil
				said[omitImportNames] = true
			}
		}
	}
	if c.tests.cuts(len(f.Tests)) {
		n.Tests = f.Tests[:c.tests.n]
		said[omitTests] = true
	}
	isMinor := minor(f)
	n.Symbols = nil
	for _, s := range f.Symbols {
		if s.Private && (c.private == reachAll || c.private == reachMinor && isMinor) {
			said[omitPrivate] = true
			continue
		}
		if s.Doc != "" && c.docs.takes(isMinor, &s) {
			s.Doc = ""
			said[omitDocs] = true
		}
		if s.Signature != "" && c.sigs.takes(isMinor, &s) {
			s.Signature = ""
			said[omitSignatures] = true
		}
		s.Doc = c.doc.text(s.Doc)
		if s.Signature = c.sig.text(s.Signature); s.Signature == s.Name {
			s.Signature = ""
		}
		n.Symbols = append(n.Symbols, s)
	}
	// Symbols that differed only in what is gone are one now.
	slices.SortFunc(n.Symbols, compareSymbols)
	n.Symbols = slices.Compact(n.Symbols)
	if c.crowd.cuts(len(n.Symbols)) {
		// All names: a first few would change with every name before them.
		cutToNames(&n, len(n.Symbols), said)
	}
	if c.listed == reachAll || c.listed == reachMinor && isMinor {
		cutToNames(&n, c.names.n, said)
		n.More = Coarse(n.More)
	}
	return n
}

// cutToNames replaces the symbols of f by at most limit of their names: those
// at top level first, public ones before private ones.
func cutToNames(f *MapFile, limit int, said map[Omission]bool) {
	if len(f.Symbols) == 0 {
		if len(f.Names) > limit {
			f.More += len(f.Names) - limit
			f.Names = f.Names[:limit]
			said[omitSymbols] = true
		}
		return
	}
	symbols := slices.Clone(f.Symbols)
	slices.SortFunc(symbols, func(a, b MapSymbol) int {
		return cmp.Or(compareBools(a.Private, b.Private), compareBools(a.Container != "", b.Container != ""), strings.Compare(a.Name, b.Name))
	})
	var names []string
	seen := map[string]bool{}
	for _, s := range symbols {
		if !seen[s.Name] {
			seen[s.Name] = true
			names = append(names, s.Name)
		}
	}
	f.Symbols = nil
	said[omitSymbols] = true
	f.More += max(0, len(names)-limit)
	f.Names = names[:min(limit, len(names))]
	slices.Sort(f.Names)
}
