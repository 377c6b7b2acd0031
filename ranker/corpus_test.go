package ranker

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// file describes a document of a made-up catalog. Texts are split into words
// of their field; names of symbols count as definitions.
type file struct {
	path     string
	language string // "" is taken from the extension
	role     facts.Role
	reason   facts.Reason
	pkg      string
	size     uint32 // 0 stands for 1000
	symbols  []facts.Symbol

	doc, strings, imports, body string
}

// extras is what a made-up catalog says besides its documents.
type extras struct {
	hints     map[string][]artifact.Hint // by directory
	workflows []artifact.Workflow
	summaries map[string]string // by directory
	tags      map[string][]string
	imports   map[string][]string // files that a file imports
	commits   [][]string          // files of each commit, newest first
	// artifacts makes it a catalog of committed artifacts alone: no sizes, and
	// fromArtifacts set.
	artifacts bool
}

func fn(names ...string) []facts.Symbol { return symbolsOf(facts.KindFunction, "", names...) }

func methods(container string, names ...string) []facts.Symbol {
	return symbolsOf(facts.KindMethod, container, names...)
}

func symbolsOf(kind facts.Kind, container string, names ...string) []facts.Symbol {
	var out []facts.Symbol
	for i, n := range names {
		out = append(out, facts.Symbol{Name: n, Kind: kind, Container: container, Parent: -1, Line: uint32(10*i + 1), EndLine: uint32(10*i + 5)})
	}
	return out
}

func catalog(t testing.TB, e extras, files ...file) *store.Catalog {
	t.Helper()
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].path
	}
	b := store.NewBuilder(paths)
	shard := b.NewShard()
	table := all.Table()
	for i := range files {
		f := &files[i]
		language := f.language
		if language == "" {
			switch {
			case strings.HasSuffix(f.path, ".go"):
				language = "go"
			case strings.HasSuffix(f.path, ".py"):
				language = "python"
			case strings.HasSuffix(f.path, ".ts"):
				language = "typescript"
			case strings.HasSuffix(f.path, ".js"):
				language = "javascript"
			case strings.HasSuffix(f.path, ".md"):
				language = "markdown"
			}
		}
		out := &facts.File{Depth: facts.Parsed, Reason: f.reason, Package: f.pkg, Size: cmp.Or(f.size, 1000), Lines: 50, Symbols: f.symbols}
		table.Describe(out, language)
		if e.artifacts {
			out.Size, out.Lines = 0, 0
		}
		counts := map[string]*[facts.NumFields]uint16{}
		var order []string
		add := func(text string, field facts.Field) {
			for _, w := range words.Of(text) {
				c := counts[w]
				if c == nil {
					c = new([facts.NumFields]uint16)
					counts[w] = c
					order = append(order, w)
				}
				c[field]++
				if !strings.HasPrefix(w, words.WholePrefix) {
					out.FieldLengths[field]++
				}
			}
		}
		for k := range f.symbols {
			add(f.symbols[k].Name, facts.FieldDefs)
		}
		add(f.doc, facts.FieldDoc)
		add(f.strings, facts.FieldStrings)
		add(f.imports, facts.FieldImports)
		add(f.body, facts.FieldBody)
		b.Set(i, &facts.Entry{Path: f.path, Role: f.role, File: out})
		for _, w := range order {
			shard.AddTerm(i, w, *counts[w])
		}
	}
	b.Meta().Workflows, b.Meta().FromArtifacts = e.workflows, e.artifacts
	for i, d := range b.Dirs() {
		if s, tags := e.summaries[d.Path], e.tags[d.Path]; s != "" || tags != nil {
			b.SetDir(i, s, tags, true)
		}
		for _, h := range e.hints[d.Path] {
			b.Meta().Hints = append(b.Meta().Hints, store.DirHint{Dir: i, Hint: h})
		}
	}
	at := func(p string) int { return slices.Index(paths, p) }
	for i, p := range paths {
		var targets []int
		for _, to := range e.imports[p] {
			targets = append(targets, at(to))
		}
		slices.Sort(targets)
		b.SetImports(i, targets)
	}
	var past []store.PastCommit
	for i, changed := range e.commits {
		c := store.PastCommit{ID: [20]byte{byte(i)}, Time: int64(1000 - i), Message: "tidy", Files: len(changed)}
		for _, p := range changed {
			c.Docs = append(c.Docs, at(p))
		}
		slices.Sort(c.Docs)
		past = append(past, c)
	}
	b.SetCommits(past)
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	c, err := store.OpenCatalog(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// values gives what one signal measured, by path, where it is not 0.
func values(t testing.TB, c *store.Catalog, o Options, signal, text string) map[string]float64 {
	t.Helper()
	r := New(c, o)
	s, release := r.score(newRun(r, query.Parse(text)))
	defer release()
	out := map[string]float64{}
	for g := range r.signals {
		if r.signals[g].name != signal {
			continue
		}
		for d, v := range s.values[g] {
			if v != 0 {
				out[c.Path(d)] = v
			}
		}
		return out
	}
	t.Fatalf("there is no signal %q", signal)
	return nil
}

func rank(c *store.Catalog, text string) *Result { return New(c, Options{}).Rank(query.Parse(text)) }

func pathsOf(r *Result) []string {
	var out []string
	for _, f := range r.Files {
		out = append(out, f.Path)
	}
	return out
}

// place is the rank of a path from 1, 0 if it is not listed.
func place(r *Result, path string) int {
	return slices.IndexFunc(r.Files, func(c Candidate) bool { return c.Path == path }) + 1
}

func weightOf(t testing.TB, name string) float64 {
	t.Helper()
	for _, s := range signalTable() {
		if s.name == name {
			return s.weight
		}
	}
	t.Fatalf("there is no signal %q", name)
	return 0
}
