// Package artifact is the protocol of the two Markdown pages that describe a
// directory: the routing index (.pi-map.index.md) and the rich map
// (.pi-map.md). It alone renders, parses and checks them; docs/FORMAT.md is its
// specification.
//
// A page is the encoding of a normalized model, so that parse(render(x)) is x
// and a page that anybody changed by hand is noticed ([Inspect]) without
// looking at the sources. Rendering is normalize, then fit (leave things out,
// in fixed steps, until the page is under its cap), then encode. What was left
// out is part of the model, so a fitted page round-trips as well.
package artifact

import "slices"

// Versions of the protocol. The format version changes when a reader of the
// old one would misread a page; the feature version when pages gain sections
// that a reader of the old one can skip.
const (
	FormatVersion  = 1
	FeatureVersion = 1
)

// Names of the two pages of every directory.
const (
	IndexName = ".pi-map.index.md"
	MapName   = ".pi-map.md"
)

// Index routes a reader from a directory to what matters in it.
type Index struct {
	// Dir is the directory's slash-separated path in the repository, "" for
	// the root.
	Dir     string
	Summary string // one line
	Tags    []string
	// Parent is the repository path of the parent's index, "" for the root. It
	// follows from Dir; normalization sets it.
	Parent   string
	Children []Child
	Files    []FileNote
	Hints    []Hint
	// Workflows are listed by the root's index.
	Workflows []Workflow
	Omitted   []Omission
}

// Child is a directory directly below, with a page pair of its own.
type Child struct {
	Name    string
	Summary string
	// Weight orders what is kept when a page is over its cap: larger stays
	// longer, equal weights by name. It is not part of the page. Use few
	// distinct values, or small edits will change what is listed.
	Weight int
}

// FileNote is a file with a few words about it.
type FileNote struct {
	Name   string
	Note   string
	Weight int // as Child.Weight: entry points and files with public symbols first
}

// Hint says what to read for a topic.
type Hint struct {
	Topic   string
	Targets []Target
	Weight  int // as Child.Weight: hints written by hand first
}

// Workflow is a task that the repository knows how to run.
type Workflow struct {
	Name        string
	Source      string // where it is defined: "Makefile", "package.json"
	Command     string
	Description string
	Targets     []Target
	Weight      int // as Child.Weight
}

// TargetKind says what kind of page a target is.
type TargetKind int

// Kinds of targets, in the order in which they are rendered.
const (
	TargetFile TargetKind = iota
	TargetIndex
	TargetMap
)

// String returns the word of the kind on a page: "files", "index" or "map".
func (k TargetKind) String() string {
	switch k {
	case TargetIndex:
		return "index"
	case TargetMap:
		return "map"
	}
	return "files"
}

// Target is something to read. Path is a path in the repository.
type Target struct {
	Kind TargetKind
	Path string
}

// Omission says in words what a page leaves out. The words must not change with
// every edit: no exact counts, no names.
type Omission string

// Map describes the files of a directory.
type Map struct {
	Dir       string
	Summary   string
	Tags      []string
	DependsOn []string // directories in the repository that files here import
	Files     []MapFile
	// Others are files reduced to a line each because the page was over its cap.
	Others []FileNote
	// Unanalysed are files that were only listed, or read as words only; Note is
	// the reason.
	Unanalysed []FileNote
	Omitted    []Omission
}

// Users returns, for every directory that some map depends on, the directories
// of the maps that do, sorted; the root is "". Pages do not list their users: a
// new import would rewrite the map of another directory, and two branches that
// add users of one directory would conflict in it.
func Users(maps []*Map) map[string][]string {
	users := map[string][]string{}
	for _, m := range maps {
		for _, d := range m.DependsOn {
			users[d] = append(users[d], m.Dir)
		}
	}
	for d, list := range users {
		slices.Sort(list)
		users[d] = slices.Compact(list)
	}
	return users
}

// MapFile is one file of a map.
type MapFile struct {
	Name     string
	Language string   // one word
	Roles    []string // words such as "test" or "generated"
	Summary  string
	Imports  []ImportNote
	Tests    []string // repository paths of related tests
	Symbols  []MapSymbol
	// Names and More stand in for Symbols when the page was over its cap: some
	// names, and roughly how many others ([Coarse]).
	Names []string
	More  int
}

// ImportNote is an import that resolves inside the repository.
type ImportNote struct {
	Target  string // repository path of a file or directory
	Symbols []string
}

// MapSymbol is a definition.
type MapSymbol struct {
	Kind      string // one word
	Name      string
	Container string // qualified name of the enclosing definition, "" at top level
	Signature string // one line
	Doc       string // first line of the documentation
	Private   bool
}

// Siblings returns the names of the other children of parent, the index of the
// directory above name. Pages do not list siblings, so that a new directory
// changes no page but its own pair and its parent's.
func Siblings(parent *Index, name string) []string {
	var names []string
	for _, c := range parent.Children {
		if c.Name != name {
			names = append(names, c.Name)
		}
	}
	return names
}
