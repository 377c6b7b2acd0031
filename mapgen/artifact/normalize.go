package artifact

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// Longest texts on a page, in runes. They keep a line readable, and one
// eloquent comment from pushing the rest of a directory over the cap.
const (
	summaryRunes     = 200
	fileSummaryRunes = 160
	childRunes       = 120
	noteRunes        = 72
	docRunes         = 120
	signatureRunes   = 200
	symbolRunes      = 120
	commandRunes     = 120
	topicRunes       = 80
	omissionRunes    = 120
)

// Longest names and paths, in bytes as they stand on the page. A longer one
// cannot be cut, since it would then name nothing, so its entry is left out.
const (
	nameBytes = 400
	pathBytes = 600
)

const omitLongNames Omission = "entries with over-long names"

// Normalized returns a copy of x as a page holds it: texts cleaned and cut,
// lists sorted and without duplicates, impossible entries dropped. It is
// idempotent, and the identity on what [ParseIndex] returns.
func (x *Index) Normalized() *Index {
	n := &Index{
		Dir:     cleanDir(x.Dir),
		Summary: plaintext.Line(x.Summary, summaryRunes),
		Tags:    words(x.Tags),
		Omitted: omissions(x.Omitted),
	}
	n.Parent = parentIndex(n.Dir)
	dropped := false
	for _, c := range x.Children {
		if c.Name == "" || c.Name == "." || c.Name == ".." {
			continue
		}
		if !fits(c.Name, nameBytes) {
			dropped = true
			continue
		}
		c.Summary = plaintext.Line(c.Summary, childRunes)
		n.Children = append(n.Children, c)
	}
	n.Children = sorted(n.Children, func(a, b Child) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Summary, b.Summary), cmp.Compare(b.Weight, a.Weight))
	}, func(a, b Child) bool { return a.Name == b.Name })
	n.Files = notes(x.Files, &dropped)
	for _, h := range x.Hints {
		h.Topic = plaintext.Line(h.Topic, topicRunes)
		h.Targets = targets(h.Targets, &dropped)
		if h.Topic != "" && len(h.Targets) > 0 {
			n.Hints = append(n.Hints, h)
		}
	}
	n.Hints = sorted(n.Hints, compareHints, func(a, b Hint) bool { return compareHints(a, b) == 0 })
	for _, w := range x.Workflows {
		w.Name = plaintext.Line(w.Name, topicRunes)
		w.Source = plaintext.Line(w.Source, symbolRunes)
		w.Command = plaintext.Line(w.Command, commandRunes)
		w.Description = plaintext.Line(w.Description, childRunes)
		w.Targets = targets(w.Targets, &dropped)
		if w.Name != "" {
			n.Workflows = append(n.Workflows, w)
		}
	}
	n.Workflows = sorted(n.Workflows, compareWorkflows, func(a, b Workflow) bool { return compareWorkflows(a, b) == 0 })
	if dropped {
		n.Omitted = omissions(append(n.Omitted, omitLongNames))
	}
	return n
}

// Normalized returns a copy of m as a page holds it; see [Index.Normalized].
func (m *Map) Normalized() *Map {
	dropped := false
	n := &Map{
		Dir:        cleanDir(m.Dir),
		Summary:    plaintext.Line(m.Summary, summaryRunes),
		Tags:       words(m.Tags),
		DependsOn:  dirs(m.DependsOn, &dropped),
		Others:     notes(m.Others, &dropped),
		Unanalysed: notes(m.Unanalysed, &dropped),
		Omitted:    omissions(m.Omitted),
	}
	for _, f := range m.Files {
		if f.Name == "" {
			continue
		}
		if !fits(f.Name, nameBytes) {
			dropped = true
			continue
		}
		n.Files = append(n.Files, normalizedFile(f, &dropped))
	}
	slices.SortStableFunc(n.Files, func(a, b MapFile) int { return strings.Compare(a.Name, b.Name) })
	n.Files = slices.CompactFunc(n.Files, func(a, b MapFile) bool { return a.Name == b.Name })
	if dropped {
		n.Omitted = omissions(append(n.Omitted, omitLongNames))
	}
	return n
}

func normalizedFile(f MapFile, dropped *bool) MapFile {
	n := MapFile{
		Name:     f.Name,
		Language: plaintext.Word(f.Language),
		Roles:    words(f.Roles),
		Summary:  plaintext.Line(f.Summary, fileSummaryRunes),
		Tests:    paths(f.Tests, dropped),
		Names:    symbolNames(f.Names),
		More:     Coarse(f.More),
	}
	byTarget := map[string][]string{}
	for _, i := range f.Imports {
		if i.Target == "." {
			i.Target = ""
		}
		byTarget[i.Target] = append(byTarget[i.Target], i.Symbols...)
	}
	for target, symbols := range byTarget {
		if !fits(target, pathBytes) {
			*dropped = true
			continue
		}
		n.Imports = append(n.Imports, ImportNote{target, symbolNames(symbols)})
	}
	slices.SortFunc(n.Imports, func(a, b ImportNote) int { return strings.Compare(a.Target, b.Target) })
	for _, s := range f.Symbols {
		s.Kind = plaintext.Word(s.Kind)
		if s.Kind == "" || s.Kind == "private" { // that word is the mark of a private symbol
			s.Kind = "symbol"
		}
		s.Name = symbolName(s.Name)
		s.Container = symbolName(s.Container)
		s.Signature = plaintext.Line(s.Signature, signatureRunes)
		s.Doc = plaintext.Line(s.Doc, docRunes)
		if s.Signature == s.Name {
			s.Signature = ""
		}
		if s.Name != "" {
			n.Symbols = append(n.Symbols, s)
		}
	}
	slices.SortFunc(n.Symbols, compareSymbols)
	n.Symbols = slices.Compact(n.Symbols)
	return n
}

// compareSymbols keeps a definition and its members together: by the name of
// the group (the container, or the symbol itself), the definition first.
func compareSymbols(a, b MapSymbol) int {
	return cmp.Or(
		strings.Compare(cmp.Or(a.Container, a.Name), cmp.Or(b.Container, b.Name)),
		strings.Compare(a.Container, b.Container),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Signature, b.Signature),
		strings.Compare(a.Doc, b.Doc),
		compareBools(a.Private, b.Private),
	)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareTargets(a, b Target) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
}

func compareHints(a, b Hint) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), slices.CompareFunc(a.Targets, b.Targets, compareTargets))
}

func compareWorkflows(a, b Workflow) int {
	return cmp.Or(
		strings.Compare(a.Name, b.Name), strings.Compare(a.Source, b.Source), strings.Compare(a.Command, b.Command),
		strings.Compare(a.Description, b.Description), slices.CompareFunc(a.Targets, b.Targets, compareTargets),
	)
}

func sorted[T any](list []T, compare func(a, b T) int, same func(a, b T) bool) []T {
	slices.SortFunc(list, compare)
	return slices.CompactFunc(list, same)
}

// fits reports whether a name or path is short enough to stand on a page.
func fits(name string, limit int) bool {
	return len(name) <= limit && len(plaintext.Code(name)) <= limit
}

func cleanDir(dir string) string {
	dir = strings.Trim(dir, "/")
	if dir == "." {
		return ""
	}
	if fits(dir, pathBytes) {
		return dir
	}
	// Nothing links through the title, so here a cut path is better than none.
	dir = plaintext.Line(dir[:min(len(dir), pathBytes)], 0)
	for !fits(dir+plaintext.Ellipsis, pathBytes) {
		runes := []rune(dir)
		dir = string(runes[:len(runes)*9/10])
	}
	return strings.Trim(dir, "/") + plaintext.Ellipsis
}

func parentIndex(dir string) string {
	if dir == "" {
		return ""
	}
	return IndexPath(dir[:max(0, strings.LastIndexByte(dir, '/'))])
}

func words(list []string) []string {
	var out []string
	for _, s := range list {
		if w := plaintext.Word(s); w != "" {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// symbolName keeps a name as it is, whatever characters it holds, unless it is
// too long to be one.
func symbolName(s string) string {
	if fits(s, nameBytes) && utf8.RuneCountInString(s) <= symbolRunes {
		return s
	}
	return plaintext.Line(s, symbolRunes)
}

func symbolNames(list []string) []string {
	var out []string
	for _, s := range list {
		if s = symbolName(s); s != "" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// dirs is paths for directories, where the root is "".
func dirs(list []string, dropped *bool) []string {
	var out []string
	for _, d := range list {
		if d == "." {
			d = ""
		}
		if !fits(d, pathBytes) {
			*dropped = true
			continue
		}
		out = append(out, d)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func paths(list []string, dropped *bool) []string {
	return dirs(slices.DeleteFunc(slices.Clone(list), func(p string) bool { return p == "" || p == "." }), dropped)
}

func targets(list []Target, dropped *bool) []Target {
	var out []Target
	for _, t := range list {
		if t.Kind != TargetIndex && t.Kind != TargetMap {
			t.Kind = TargetFile
		}
		if t.Path == "" {
			continue
		}
		if !fits(t.Path, pathBytes) {
			*dropped = true
			continue
		}
		out = append(out, t)
	}
	return sorted(out, compareTargets, func(a, b Target) bool { return a == b })
}

func notes(list []FileNote, dropped *bool) []FileNote {
	var out []FileNote
	for _, f := range list {
		if f.Name == "" {
			continue
		}
		if !fits(f.Name, nameBytes) {
			*dropped = true
			continue
		}
		f.Note = plaintext.Line(f.Note, noteRunes)
		out = append(out, f)
	}
	return sorted(out, func(a, b FileNote) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Note, b.Note), cmp.Compare(b.Weight, a.Weight))
	}, func(a, b FileNote) bool { return a.Name == b.Name })
}

func omissions(list []Omission) []Omission {
	var out []Omission
	for _, o := range list {
		if o = Omission(plaintext.Line(string(o), omissionRunes)); o != "" {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// IndexPath returns the repository path of a directory's index.
func IndexPath(dir string) string { return inDir(dir, IndexName) }

// MapPath returns the repository path of a directory's map.
func MapPath(dir string) string { return inDir(dir, MapName) }

func inDir(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
