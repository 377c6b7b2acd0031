// Package dirfacts folds the facts of files into what the artifacts of each
// directory say.
//
// The fold is pure: no input or output, no clock, no order of maps. It reads
// only what survives an edit of a function's body (definitions outside bodies,
// import clauses outside bodies, documentation, paths), so that such an edit
// changes no artifact. What a directory says of others is chosen so that a change
// stays where it is made: of a child its one-line summary, of what it imports
// the names; nothing that counts, and nothing of what lies below a child, so
// that a new directory changes its own pair and its parent's.
package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/xref"
)

// Input is all that the fold depends on.
type Input struct {
	// Files are sorted by path.
	Files []facts.Entry
	// Imports is parallel to Files.
	Imports [][]xref.Target
	// Written is what people wrote in the configuration.
	Written Written
}

// Written is what people add by hand to what is derived.
type Written struct {
	// Summaries of directories, by path; "" is the root.
	Summaries map[string]string
	// Hints by the directory whose index lists them.
	Hints map[string][]artifact.Hint
	// Workflows are listed by the root's index.
	Workflows []artifact.Workflow
}

// Directory is the pair of artifacts of a directory, before rendering.
type Directory struct {
	Path  string // "" is the root
	Index *artifact.Index
	Map   *artifact.Map
}

// Weights of children, files, hints and workflows when a page is over its cap.
const (
	weightTest = iota
	weightPlain
	weightPublic
	weightEntry
	weightWritten
)

// folder is the state of a fold.
type folder struct {
	in   Input
	dirs []*dir // sorted by path
	at   map[string]*dir
}

// dir is a directory with a pair, and what lies directly in it.
type dir struct {
	path     string
	files    []int // numbers of its files
	children []*dir
	unmapped []string // names of child directories without a pair
	summary  string
	below    map[string]int // parsed files of each language here and below
}

// Fold computes the pairs of all directories that hold or lead to a source
// file, sorted by path. Vendored directories have none: they are not the
// project's to describe or to write into.
func Fold(in Input) []Directory {
	f := newFolder(in)
	for _, d := range slices.Backward(f.dirs) {
		d.summary = f.summarize(d)
	}
	tests := relatedTests(in.Files)
	out := make([]Directory, len(f.dirs))
	for i, d := range f.dirs {
		tags := f.tags(d)
		out[i] = Directory{
			Path:  d.path,
			Index: f.index(d, tags),
			Map:   f.mapOf(d, tags, tests),
		}
	}
	return out
}

// isSource tells whether a file gives its directory a pair.
func isSource(e *facts.Entry) bool {
	return e.File.Depth > facts.Listed && !e.Role.Has(facts.RoleVendored)
}

func newFolder(in Input) *folder {
	f := &folder{in: in, at: map[string]*dir{}}
	add := func(p string) *dir {
		for q := p; f.at[q] == nil; q = facts.DirOf(q) {
			f.at[q] = &dir{path: q, below: map[string]int{}}
			if q == "" {
				break
			}
		}
		return f.at[p]
	}
	add("")
	for i := range in.Files {
		if isSource(&in.Files[i]) {
			add(facts.DirOf(in.Files[i].Path))
		}
	}
	for i := range in.Files {
		e := &in.Files[i]
		p := facts.DirOf(e.Path)
		if d := f.at[p]; d != nil {
			d.files = append(d.files, i)
		} else {
			child := p
			for f.at[facts.DirOf(child)] == nil {
				child = facts.DirOf(child)
			}
			parent := f.at[facts.DirOf(child)]
			if name := path.Base(child); !slices.Contains(parent.unmapped, name) {
				parent.unmapped = append(parent.unmapped, name)
			}
		}
		if e.File.Depth == facts.Parsed && e.File.Language != "" {
			for q := p; ; q = facts.DirOf(q) {
				if d := f.at[q]; d != nil {
					d.below[e.File.Language]++
				}
				if q == "" {
					break
				}
			}
		}
	}
	for _, d := range f.at {
		f.dirs = append(f.dirs, d)
	}
	slices.SortFunc(f.dirs, func(x, y *dir) int { return cmp.Compare(x.path, y.path) })
	for _, d := range f.dirs {
		if d.path != "" {
			parent := f.at[facts.DirOf(d.path)]
			parent.children = append(parent.children, d)
		}
	}
	return f
}

func (f *folder) index(d *dir, tags []string) *artifact.Index {
	x := &artifact.Index{Dir: d.path, Summary: d.summary, Tags: tags}
	for _, c := range d.children {
		x.Children = append(x.Children, artifact.Child{Name: path.Base(c.path), Summary: c.summary, Weight: f.childWeight(c)})
	}
	for _, i := range d.files {
		e := &f.in.Files[i]
		x.Files = append(x.Files, artifact.FileNote{Name: path.Base(e.Path), Note: noteOf(e), Weight: fileWeight(e)})
	}
	x.Hints = append(f.hints(d), weighted(f.in.Written.Hints[d.path])...)
	if d.path == "" {
		x.Workflows = f.workflows()
	}
	return x
}

func weighted(hints []artifact.Hint) []artifact.Hint {
	out := slices.Clone(hints)
	for i := range out {
		out[i].Weight = weightWritten
	}
	return out
}

func (f *folder) childWeight(d *dir) int {
	switch {
	case allRoles(f, d, facts.RoleTest|facts.RoleDoc|facts.RoleExample):
		return weightTest
	case len(d.files) > 0:
		return weightPublic
	}
	return weightPlain
}

// allRoles tells whether every file directly in d has one of the roles.
func allRoles(f *folder, d *dir, roles facts.Role) bool {
	for _, i := range d.files {
		if f.in.Files[i].Role&roles == 0 {
			return false
		}
	}
	return len(d.files) > 0
}

func fileWeight(e *facts.Entry) int {
	switch {
	case e.Role&(facts.RoleTest|facts.RoleGenerated|facts.RoleVendored|facts.RoleLocale) != 0, e.File.Depth == facts.Listed:
		return weightTest
	case e.File.Traits&facts.EntryPoint != 0 || e.Role.Has(facts.RolePackageInit):
		return weightEntry
	case strings.HasPrefix(strings.ToLower(path.Base(e.Path)), "readme"):
		return weightPublic
	case !isCode(e):
		if e.Role&(facts.RoleDoc|facts.RoleBuild) != 0 {
			return weightPlain
		}
		return weightTest
	}
	for i := range e.File.Symbols {
		if s := &e.File.Symbols[i]; shown(e, s) && s.Visibility == facts.Public && s.Parent < 0 {
			return weightPublic
		}
	}
	return weightPlain
}
