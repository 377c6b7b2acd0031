package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
)

// Limits of the data that browsers load. Beyond them, the smallest files of a
// directory are one cell of the treemap, and names are left out of the search:
// first those that are private, then those of tests.
const (
	maxTreeFiles     = 20_000
	maxSearchSymbols = 150_000
)

// dataFiles are the scripts that hand data to the front end. The values are
// arrays, never objects keyed by names of the repository: as a literal,
// {"__proto__": …} means something else.
func (m *model) dataFiles() ([]File, error) {
	var out []File
	for _, d := range []struct {
		name  string
		value any
	}{
		{"dirs", m.dirData()}, {"edges", m.edgeData()}, {"files", m.fileData(maxTreeFiles)}, {"search", m.searchData(maxSearchSymbols)},
	} {
		data, err := script(d.name, d.value)
		if err != nil {
			return nil, err
		}
		out = append(out, File{dataDir + "/" + d.name + ".js", data})
	}
	return out, nil
}

// script is a value as a script that hands it over. The encoder escapes <, >, &,
// U+2028 and U+2029.
func script(name string, value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", name, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "projectMap.data(%q,", name)
	b.Write(data)
	b.WriteString(");\n")
	return b.Bytes(), nil
}

// dirData lists directories, parents first: name, number of the parent, page
// without its extension ("" for none), files and lines below.
func (m *model) dirData() [][5]any {
	out := make([][5]any, len(m.dirs))
	for i := range m.dirs {
		d := &m.dirs[i]
		out[i] = [5]any{d.name, d.parent, strings.TrimSuffix(d.page, ".html"), d.files, d.lines}
	}
	return out
}

// edgeData lists edges as triples: from, to, references.
func (m *model) edgeData() []int {
	out := []int{}
	for i := range m.dirs {
		for _, e := range m.dirs[i].uses {
			out = append(out, i, e.dir, e.count)
		}
	}
	return out
}

// treeData is what the treemap shows.
type treeData struct {
	Languages []string `json:"languages"`
	// Files lists directory, name, lines, bytes, commits, recency, language, role
	// and how many files it stands for. A name of "" stands for the rest of a
	// directory.
	Files [][9]any `json:"files"`
}

// purposes are the roles that the treemap tells apart, in the order of its
// legend; the front end lists the same.
var purposes = []facts.Role{
	0, facts.RoleTest, facts.RoleDoc, facts.RoleExample, facts.RoleConfig, facts.RoleBuild,
	facts.RoleLocale, facts.RoleGenerated, facts.RoleVendored,
}

// purpose is what a file is for, as one number. Of several roles, the one that
// tells most about the file counts.
func purpose(r facts.Role) int {
	for _, of := range []facts.Role{facts.RoleVendored, facts.RoleGenerated, facts.RoleTest, facts.RoleLocale, facts.RoleExample, facts.RoleDoc, facts.RoleBuild, facts.RoleConfig} {
		if r.Has(of) {
			return slices.Index(purposes, of)
		}
	}
	return 0
}

func (m *model) fileData(limit int) treeData {
	t := treeData{Languages: []string{""}, Files: [][9]any{}}
	number := map[string]int{"": 0}
	// The languages by the number of their lines, so that the first colours are
	// for those that show most.
	lines := map[string]int{}
	for i := range m.docs {
		if l := m.docs[i].Language; l != "" {
			lines[l] += int(m.docs[i].Lines)
		}
	}
	for l := range lines {
		t.Languages = append(t.Languages, l)
	}
	slices.SortFunc(t.Languages[1:], func(a, b string) int {
		return cmp.Or(cmp.Compare(lines[b], lines[a]), cmp.Compare(a, b))
	})
	for i, l := range t.Languages {
		number[l] = i
		t.Languages[i] = shown(l)
	}
	keep := m.largest(limit)
	for i := range m.dirs {
		var rest struct{ files, lines, bytes, commits, recency int }
		for _, k := range m.dirs[i].docs {
			f := &m.docs[k]
			if keep[k] {
				t.Files = append(t.Files, [9]any{i, f.name, f.Lines, f.Size, f.commits, f.recency, number[f.Language], purpose(f.Role), 1})
				continue
			}
			rest.files++
			rest.lines += int(f.Lines)
			rest.bytes += int(f.Size)
			rest.commits = max(rest.commits, f.commits)
			if f.recency > 0 && (rest.recency == 0 || f.recency < rest.recency) {
				rest.recency = f.recency
			}
		}
		if rest.files > 0 {
			t.Files = append(t.Files, [9]any{i, "", rest.lines, rest.bytes, rest.commits, rest.recency, 0, 0, rest.files})
		}
	}
	return t
}

// largest marks the n largest files.
func (m *model) largest(n int) []bool {
	keep := make([]bool, len(m.docs))
	order := make([]int, len(m.docs))
	for i := range order {
		order[i] = i
	}
	if len(order) > n {
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(m.docs[b].Lines, m.docs[a].Lines), cmp.Compare(m.docs[b].Size, m.docs[a].Size), cmp.Compare(a, b))
		})
	}
	for _, i := range order[:min(n, len(order))] {
		keep[i] = true
	}
	return keep
}

// searchData is what the search looks through.
type searchData struct {
	// Files lists directory and name of those that are on a page.
	Files [][2]any `json:"files"`
	// Symbols are parallel to Files: a line for each symbol, of a letter for its
	// kind, its line in base 36, a space and its name.
	Symbols []string `json:"symbols"`
	// Kinds names the letters, from "a".
	Kinds []string `json:"kinds"`
	// Left is how many names were left out.
	Left int `json:"left"`
}

func (m *model) searchData(limit int) searchData {
	s := searchData{Files: [][2]any{}, Symbols: []string{}, Kinds: []string{}}
	for k := facts.Kind(0); len(s.Kinds) == 0 || k.String() != facts.KindUnknown.String(); k++ {
		s.Kinds = append(s.Kinds, k.String())
	}
	var classes [4]int
	m.searchSymbols(func(_, class int, _ *store.Symbol) { classes[class]++ })
	// Whole classes, as far as they fit; of the first one, what fits.
	whole := 0
	for room := limit; whole < len(classes) && room >= classes[whole]; whole++ {
		room -= classes[whole]
	}
	lists := make([]strings.Builder, len(m.docs))
	n := 0
	m.searchSymbols(func(doc, class int, x *store.Symbol) {
		if class >= whole && (class > 0 || n == limit) {
			s.Left++
			return
		}
		n++
		b := &lists[doc]
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteByte('a' + byte(x.Kind))
		b.WriteString(strconv.FormatUint(uint64(x.Line), 36))
		b.WriteByte(' ')
		b.WriteString(shown(x.Name))
	})
	for i := range m.docs {
		if m.dirs[m.docs[i].Dir].page != "" {
			s.Files = append(s.Files, [2]any{m.docs[i].Dir, m.docs[i].name})
			s.Symbols = append(s.Symbols, lists[i].String())
		}
	}
	return s
}

// searchSymbols calls yield for the symbols that people search for: no local
// ones, no keys of configuration files. Lower classes matter more.
func (m *model) searchSymbols(yield func(doc, class int, s *store.Symbol)) {
	for i := range m.docs {
		f := &m.docs[i]
		if m.dirs[f.Dir].page == "" || f.Aside() {
			continue
		}
		for _, s := range m.in.Catalog.SymbolsOf(i) {
			if s.Name == "" || s.Kind == facts.KindKey || s.Flags&facts.InBody != 0 {
				continue
			}
			class := 0
			if s.Visibility == facts.Private {
				class = 2
			}
			if f.Role.Has(facts.RoleTest) {
				class++
			}
			yield(i, class, &s)
		}
	}
}
