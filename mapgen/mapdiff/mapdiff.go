// Package mapdiff compares what the maps of two revisions say: which directories
// came, went or are for something else, which public symbols were added, removed,
// moved or got another signature, and which directories began or ceased to depend
// on each other.
//
// It is pure and works on the models of the pages. Where a page does not say what
// a file defines, because the file was not analysed or the page was shortened, the
// file is listed as not compared: nothing of it counts as added or removed.
//
// Left out are private symbols and members of private ones, symbols of tests, keys
// of configuration files, and documentation with its headings.
package mapdiff

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/mapgen/artifact"
)

// State is what the pages of one revision say. The models are normalized, as
// parsing gives them.
type State struct {
	Indexes []*artifact.Index
	Maps    []*artifact.Map
}

// Change says what happened to something between two revisions.
type Change string

// The changes. Only symbols are moved.
const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
	Moved   Change = "moved"
)

// Diff is what changed. Its lists are sorted and never nil.
type Diff struct {
	Summary      Summary      `json:"summary"`
	Directories  []Directory  `json:"directories"`
	Files        []File       `json:"files"`
	Dependencies []Dependency `json:"dependencies"`
	NotCompared  []Skipped    `json:"notCompared"`
}

// Summary counts the changes of each kind.
type Summary struct {
	Directories  Counts `json:"directories"`
	Symbols      Counts `json:"symbols"`
	Dependencies Counts `json:"dependencies"`
}

// Counts is how often each change occurs.
type Counts struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	Moved   int `json:"moved"`
}

func (n *Counts) count(c Change) {
	switch c {
	case Added:
		n.Added++
	case Removed:
		n.Removed++
	case Changed:
		n.Changed++
	case Moved:
		n.Moved++
	}
}

// Directory is a directory that was added or removed, or whose summary changed.
type Directory struct {
	Path   string `json:"path"` // "" is the root
	Change Change `json:"change"`
	Before string `json:"before,omitempty"` // its summary
	After  string `json:"after,omitempty"`
}

// File is a file with changed public symbols.
type File struct {
	Path string `json:"path"`
	// Change is that of the file itself: Added, Removed or Changed.
	Change  Change   `json:"change"`
	Symbols []Symbol `json:"symbols"`
}

// Symbol is a public definition that differs.
type Symbol struct {
	Change    Change `json:"change"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
	// Before and After are the declaration in one line, "" where there is none. Of
	// a symbol that moved they are the same.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// From is the file that a symbol moved from.
	From string `json:"from,omitempty"`
}

// Dependency is an import of one directory by another that is new or gone.
type Dependency struct {
	Change Change `json:"change"`
	From   string `json:"from"` // "" is the root
	To     string `json:"to"`
}

// Skipped is a file whose symbols are known in one revision at most.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Empty tells whether nothing changed that maps tell of.
func (d *Diff) Empty() bool {
	return len(d.Directories) == 0 && len(d.Files) == 0 && len(d.Dependencies) == 0
}

// Compare returns what changed from a to b.
func Compare(a, b State) *Diff {
	d := &Diff{Directories: []Directory{}, Files: []File{}, Dependencies: []Dependency{}, NotCompared: []Skipped{}}
	d.compareDirectories(a.Indexes, b.Indexes)
	was, is := outlinesOf(a.Maps), outlinesOf(b.Maps)
	d.compareDependencies(a.Maps, b.Maps, unknownTo(is, was), unknownTo(was, is))
	d.compareSymbols(was, is)
	d.findMoves()
	for _, x := range d.Directories {
		d.Summary.Directories.count(x.Change)
	}
	for i := range d.Files {
		for _, s := range d.Files[i].Symbols {
			d.Summary.Symbols.count(s.Change)
		}
	}
	for _, x := range d.Dependencies {
		d.Summary.Dependencies.count(x.Change)
	}
	return d
}

func (d *Diff) compareDirectories(a, b []*artifact.Index) {
	summaries := func(list []*artifact.Index) map[string]string {
		out := make(map[string]string, len(list))
		for _, x := range list {
			out[x.Dir] = x.Summary
		}
		return out
	}
	was, is := summaries(a), summaries(b)
	for _, p := range sortedUnion(was, is) {
		before, inA := was[p]
		after, inB := is[p]
		x := Directory{Path: p, Before: before, After: after}
		switch {
		case !inA:
			x.Change = Added
		case !inB:
			x.Change = Removed
		case before != after:
			x.Change = Changed
		default:
			continue
		}
		d.Directories = append(d.Directories, x)
	}
}

// unknownTo lists the directories of files that one revision knows and the other
// does not: what they import is not known there either.
func unknownTo(unknown, known map[string]outline) map[string]bool {
	out := map[string]bool{}
	for p, o := range unknown {
		if k, ok := known[p]; ok && o.unknown != "" && o.unknown != shortened && k.unknown == "" {
			out[strings.TrimSuffix(path.Dir("/" + p)[1:], "/")] = true
		}
	}
	return out
}

// compareDependencies compares the dependencies of directories; those of lost
// ones cannot be known in b, those of found ones not in a.
func (d *Diff) compareDependencies(a, b []*artifact.Map, lost, found map[string]bool) {
	type edge struct{ from, to string }
	edges := func(list []*artifact.Map) map[edge]bool {
		out := map[edge]bool{}
		for _, m := range list {
			for _, to := range m.DependsOn {
				out[edge{m.Dir, to}] = true
			}
		}
		return out
	}
	was, is := edges(a), edges(b)
	for e := range was {
		if !is[e] && !lost[e.from] {
			d.Dependencies = append(d.Dependencies, Dependency{Removed, e.from, e.to})
		}
	}
	for e := range is {
		if !was[e] && !found[e.from] {
			d.Dependencies = append(d.Dependencies, Dependency{Added, e.from, e.to})
		}
	}
	slices.SortFunc(d.Dependencies, func(x, y Dependency) int {
		return cmp.Or(strings.Compare(x.From, y.From), strings.Compare(x.To, y.To))
	})
}

// outline is what the maps of a revision say of the symbols of a file.
type outline struct {
	symbols []artifact.MapSymbol // the public ones
	// unknown says why the symbols are not all known, "" if they are.
	unknown string
}

const shortened = "its map was shortened"

func outlinesOf(maps []*artifact.Map) map[string]outline {
	out := map[string]outline{}
	for _, m := range maps {
		for _, f := range m.Unanalysed {
			if !strings.HasSuffix(f.Name, "/") {
				out[path.Join(m.Dir, f.Name)] = outline{unknown: cmp.Or(f.Note, "not analysed")}
			}
		}
		for _, f := range m.Others {
			out[path.Join(m.Dir, f.Name)] = outline{unknown: shortened}
		}
		for i := range m.Files {
			f := &m.Files[i]
			if slices.Contains(f.Roles, "test") {
				continue
			}
			o := outline{symbols: public(f.Symbols)}
			if len(f.Names) > 0 || f.More > 0 {
				o = outline{unknown: shortened}
			}
			out[path.Join(m.Dir, f.Name)] = o
		}
	}
	return out
}

// asides are kinds of symbols that nobody calls.
var asides = []string{"heading", "key"}

// public leaves out private symbols and what is inside of them, and asides.
func public(list []artifact.MapSymbol) []artifact.MapSymbol {
	private := map[string]bool{}
	for i := range list {
		if list[i].Private {
			private[qualified(&list[i])] = true
		}
	}
	hidden := func(container string) bool {
		for c := container; c != ""; c = c[:max(0, strings.LastIndexByte(c, '.'))] {
			if private[c] {
				return true
			}
		}
		return false
	}
	var out []artifact.MapSymbol
	for i := range list {
		if !list[i].Private && !slices.Contains(asides, list[i].Kind) && !hidden(list[i].Container) {
			out = append(out, list[i])
		}
	}
	return out
}

func qualified(s *artifact.MapSymbol) string {
	if s.Container == "" {
		return s.Name
	}
	return s.Container + "." + s.Name
}

// declaration is a symbol in one line.
func declaration(s *artifact.MapSymbol) string {
	return cmp.Or(s.Signature, s.Kind+" "+qualified(s))
}

func (d *Diff) compareSymbols(was, is map[string]outline) {
	for _, p := range sortedUnion(was, is) {
		before, inA := was[p]
		after, inB := is[p]
		if reason := cmp.Or(before.unknown, after.unknown); reason != "" {
			// A file that is analysed in neither revision is no news.
			if inA && inB && (before.unknown == "" || after.unknown == "") {
				d.NotCompared = append(d.NotCompared, Skipped{p, reason})
			}
			continue
		}
		f := File{Path: p, Change: Changed, Symbols: compareFile(before.symbols, after.symbols)}
		if len(f.Symbols) == 0 {
			continue
		}
		switch {
		case !inA:
			f.Change = Added
		case !inB:
			f.Change = Removed
		}
		d.Files = append(d.Files, f)
	}
}

// compareFile pairs the symbols of a name in a container: equal ones first, then
// in their order.
func compareFile(a, b []artifact.MapSymbol) []Symbol {
	type key struct{ container, name string }
	group := func(list []artifact.MapSymbol) map[key][]*artifact.MapSymbol {
		out := map[key][]*artifact.MapSymbol{}
		for i := range list {
			k := key{list[i].Container, list[i].Name}
			out[k] = append(out[k], &list[i])
		}
		return out
	}
	was, is := group(a), group(b)
	var out []Symbol
	pair := func(x, y *artifact.MapSymbol) {
		s := Symbol{Change: Changed}
		switch {
		case x == nil:
			s.Change = Added
		case y == nil:
			s.Change = Removed
		}
		if x != nil {
			s.Kind, s.Name, s.Container, s.Before = x.Kind, x.Name, x.Container, declaration(x)
		}
		if y != nil {
			s.Kind, s.Name, s.Container, s.After = y.Kind, y.Name, y.Container, declaration(y)
		}
		if s.Change == Changed && s.Before == s.After { // of another kind
			s.Before, s.After = x.Kind+" "+s.Before, y.Kind+" "+s.After
		}
		out = append(out, s)
	}
	keys := make([]key, 0, len(was)+len(is))
	for k := range was {
		keys = append(keys, k)
	}
	for k := range is {
		if was[k] == nil {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(x, y key) int {
		return cmp.Or(
			strings.Compare(cmp.Or(x.container, x.name), cmp.Or(y.container, y.name)),
			strings.Compare(x.container, y.container), strings.Compare(x.name, y.name))
	})
	for _, k := range keys {
		x, y := withoutEqual(was[k], is[k])
		for i := range max(len(x), len(y)) {
			pair(at(x, i), at(y, i))
		}
	}
	return out
}

func at(list []*artifact.MapSymbol, i int) *artifact.MapSymbol {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// withoutEqual takes away what both lists hold.
func withoutEqual(a, b []*artifact.MapSymbol) (restA, restB []*artifact.MapSymbol) {
	restB = slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(restB, func(y *artifact.MapSymbol) bool { return x.Kind == y.Kind && x.Signature == y.Signature })
		if i < 0 {
			restA = append(restA, x)
			continue
		}
		restB = slices.Delete(restB, i, i+1)
	}
	return restA, restB
}

// findMoves joins what was removed from one file and added to another, where only
// one of each can be meant.
func (d *Diff) findMoves() {
	type key struct{ kind, container, name, declaration string }
	type place struct{ file, symbol int }
	collect := func(c Change) map[key][]place {
		out := map[key][]place{}
		for i := range d.Files {
			for k, s := range d.Files[i].Symbols {
				if s.Change == c {
					id := key{s.Kind, s.Container, s.Name, s.Before + s.After} // one is empty
					out[id] = append(out[id], place{i, k})
				}
			}
		}
		return out
	}
	removed, added := collect(Removed), collect(Added)
	gone := map[place]bool{}
	for k, from := range removed {
		to := added[k]
		if len(from) != 1 || len(to) != 1 {
			continue
		}
		s := &d.Files[to[0].file].Symbols[to[0].symbol]
		s.Change, s.Before, s.From = Moved, s.After, d.Files[from[0].file].Path
		gone[from[0]] = true
	}
	files := []File{}
	for i, f := range d.Files {
		rest := make([]Symbol, 0, len(f.Symbols))
		for k, s := range f.Symbols {
			if !gone[place{i, k}] {
				rest = append(rest, s)
			}
		}
		if f.Symbols = rest; len(rest) > 0 {
			files = append(files, f)
		}
	}
	d.Files = files
}

func sortedUnion[V any](a, b map[string]V) []string {
	out := make([]string, 0, len(a)+len(b))
	for k := range a {
		out = append(out, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
