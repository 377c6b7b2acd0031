package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Bounds of walks against the references.
const (
	maxHops  = 4
	maxNodes = 3000
)

// reached is a definition that depends on others, and by how many steps.
type reached struct {
	store.Definition
	hop  int
	mark edges.Mark // the least sure step
	line uint32     // of the reference that led here
}

// dependants walks from definitions to those whose code refers to them, and on
// from these, nearest first. A reference outside any definition leads to the file
// (Symbol -1), where the walk ends. cut is set where a bound ended it.
func (o *Oracle) dependants(from []store.Definition, hops int) (out []reached, cut bool) {
	if o.refs == nil {
		return nil, false
	}
	seen := map[store.Definition]bool{}
	var level []reached
	for _, d := range from {
		seen[d] = true
		level = append(level, reached{Definition: d, mark: edges.Precise})
		// What overrides or implements it is called in its place.
		for _, r := range o.refs.Derived(d) {
			if !seen[r.Definition] {
				seen[r.Definition] = true
				level = append(level, reached{Definition: r.Definition, mark: r.Mark})
			}
		}
		// And where it implements or overrides something, it runs when that is
		// called.
		for _, r := range o.standsFor(d) {
			if !seen[r.Definition] {
				seen[r.Definition] = true
				level = append(level, reached{Definition: r.Definition, mark: min(r.Mark, edges.Likely)})
			}
		}
	}
	for hop := 1; hop <= hops && len(level) > 0; hop++ {
		var next []reached
		for _, d := range level {
			uses, _ := o.usesOf(d.Definition)
			for _, u := range uses {
				for _, s := range u.sites {
					if s.Kind == facts.RefImport {
						continue // the use behind it counts
					}
					to := store.Definition{Doc: u.doc, Symbol: -1}
					if e, ok := o.enclosing(u.doc, s.Line); ok {
						to = e.Definition
					}
					if seen[to] {
						continue
					}
					seen[to] = true
					r := reached{to, hop, min(d.mark, s.Mark), s.Line}
					out = append(out, r)
					if to.Symbol >= 0 {
						next = append(next, r)
					}
					if len(out) >= maxNodes {
						return out, true
					}
				}
			}
		}
		level = next
	}
	return out, len(level) > 0 && hops >= maxHops
}

// standsFor lists the methods that a method implements or overrides: a call of
// one of them can run it.
func (o *Oracle) standsFor(d store.Definition) []store.Relation {
	s, ok := o.c.SymbolOf(d)
	if !ok || o.refs == nil || s.Kind != facts.KindMethod && s.Kind != facts.KindProperty && s.Kind != facts.KindFunction {
		return nil
	}
	return o.refs.Bases(d)
}

// test is a test that reaches a definition.
type test struct {
	doc  int
	line uint32
	name string
	hop  int // 0: by its name or its import
	mark edges.Mark
}

// testsReaching lists the tests that lead to definitions along references, a file
// once, nearest first; behind them the tests that import their files.
func (o *Oracle) testsReaching(defs []store.Definition) []test {
	var out []test
	seen := map[int]bool{}
	reached, _ := o.dependants(defs, maxHops)
	for _, r := range reached {
		if !o.doc(r.Doc).Role.Has(facts.RoleTest) || seen[r.Doc] || r.mark < edges.Likely {
			continue
		}
		seen[r.Doc] = true
		t := test{doc: r.Doc, line: r.line, hop: r.hop, mark: r.mark}
		if d, ok := o.info(r.Definition); ok {
			t.name = d.qualified()
		}
		out = append(out, t)
	}
	files := map[int]bool{}
	for _, d := range defs {
		files[d.Doc] = true
	}
	for doc := range o.c.NumDocs() {
		if seen[doc] || !o.doc(doc).Role.Has(facts.RoleTest) {
			continue
		}
		for _, i := range o.c.Imports(doc) {
			if files[i] {
				seen[doc] = true
				out = append(out, test{doc: doc})
				break
			}
		}
	}
	// Of those that are equally near, the tests beside the definitions come first,
	// then those beside what uses them.
	beside := map[int]int{}
	for _, r := range reached {
		if r.hop == 1 {
			beside[o.doc(r.Doc).Dir] = 1
		}
	}
	for doc := range files {
		beside[o.doc(doc).Dir] = 2
	}
	slices.SortStableFunc(out, func(x, y test) int {
		return cmp.Or(cmp.Compare(hopOf(x), hopOf(y)), cmp.Compare(beside[o.doc(y.doc).Dir], beside[o.doc(x.doc).Dir]), cmp.Compare(x.doc, y.doc))
	})
	return out
}

// testsWords names some tests; where they are many, the nearest and how many more
// lie in which directories.
func (o *Oracle) testsWords(tests []test, most int) string {
	if len(tests) <= most+1 {
		most = len(tests)
	}
	var names, dirs []string
	count := map[string]int{}
	for i, t := range tests {
		p := o.c.Path(t.doc)
		if i < most {
			names = append(names, p)
			continue
		}
		dir := facts.DirOf(p)
		if count[dir]++; count[dir] == 1 {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return listOf(names, most)
	}
	for i, d := range dirs {
		dirs[i] = fmt.Sprintf("%s (%d)", cmp.Or(d, "."), count[d])
	}
	return fmt.Sprintf("%s; %d more in %s", listOf(names, most), len(tests)-most, listOf(dirs, maxTestDirs))
}

// maxTestDirs bounds the directories of tests that an answer names.
const maxTestDirs = 16

func hopOf(t test) int {
	if t.hop == 0 {
		return maxHops + 1
	}
	return t.hop
}

func (o *Oracle) citeTests(a *draft, tests []test, most int) {
	for i, t := range tests {
		if i == most {
			return
		}
		detail := "a test that imports the file"
		if t.hop > 0 {
			detail = fmt.Sprintf("a test that reaches it in %s (%s)", plural(t.hop, "step"), markWords(t.mark))
		}
		typ := FromFile
		if t.mark == edges.Precise && t.hop > 0 {
			typ = FromLSP
		}
		o.cite(a, typ, t.doc, t.line, t.line, t.name, detail)
	}
}

// companion is a file that commits changed along with others.
type companion struct {
	doc      int
	together int
	share    float64 // of the commits that touched the others
}

// maxTogether is the number of files over which a commit says nothing of what
// belongs together.
const maxTogether = 30

// companions lists the files that the past changed along with some files, the
// most telling first.
func (o *Oracle) companions(docs map[int]bool) []companion {
	count := map[int]int{}
	total := 0
	for i := range o.c.NumCommits() {
		c := o.c.Commit(i)
		if c.Files > maxTogether || !slices.ContainsFunc(c.Docs, func(d int) bool { return docs[d] }) {
			continue
		}
		total++
		for _, d := range c.Docs {
			if !docs[d] {
				count[d]++
			}
		}
	}
	var out []companion
	for d, n := range count {
		if n > 1 || total == 1 {
			out = append(out, companion{d, n, float64(n) / float64(total)})
		}
	}
	slices.SortFunc(out, func(x, y companion) int {
		return cmp.Or(cmp.Compare(y.together, x.together), cmp.Compare(x.doc, y.doc))
	})
	return out
}

// commitsOf lists the newest commits that touched a file.
func (o *Oracle) commitsOf(docs map[int]bool, most int) (out []int) {
	for i := range o.c.NumCommits() {
		if slices.ContainsFunc(o.c.Commit(i).Docs, func(d int) bool { return docs[d] }) {
			if out = append(out, i); len(out) == most {
				return out
			}
		}
	}
	return out
}

// commitWords names a commit.
func (o *Oracle) commitWords(i int) string {
	c := o.c.Commit(i)
	when := dateOf(c.Time)
	if o.log == nil || i >= o.log.Len() {
		return fmt.Sprintf("a commit of %s that changed %s", when, plural(c.Files, "file"))
	}
	id, subject := o.log.Entry(i)
	return fmt.Sprintf("%x %s %s", id[:5], when, subject)
}
