package ranker

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/ranker/query"
)

// mentions are the paths of the query that lead to documents, by signal.
type mentions struct {
	linked, named, frames, modules []weighted
	// alone is evidence of a query that is nothing but paths.
	alone []weighted
}

// weighted is evidence for a document.
type weighted struct {
	doc    int
	weight float64
	text   string // what the query said
}

const (
	// looseMatch weakens a path of several components of which only the last
	// agrees: another file of the same name.
	looseMatch = .2
	// inPassing is how plainly a file is named in the text of a report.
	inPassing = .25
	// guessedEnd weakens a match that had to add an extension or a file name.
	guessedEnd = .8
	// maxAmbiguous is the number of documents over which a mention says
	// nothing about any of them.
	maxAmbiguous = 200
)

// resolved is what a mentioned path may stand for.
type resolved struct {
	docs []int
	// weight is the evidence for each of them; that of the first may be larger.
	weight, first float64
	// parts is the number of trailing components that agree.
	parts int
	exact bool
}

// resolve finds the documents at the end of a mentioned path. Components are
// compared from the right, since a mention may have leading ones that the
// repository lacks and lack leading ones that it has; the documents that agree
// longest share the evidence.
func (x *run) resolve(mention string, dir bool) resolved {
	p := x.places()
	low := strings.ToLower(mention)
	base := low[strings.LastIndexByte(low, '/')+1:]
	if base == "" {
		return resolved{}
	}
	if !dir {
		if r := x.longestMatch(p.byBase[base], low, strings.ToLower); len(r.docs) > 0 {
			return x.spread(r, mention)
		}
	}
	// A module path, or a directory.
	stemOf := func(s string) string {
		s = strings.ToLower(s)
		return strings.TrimSuffix(s, path.Ext(s))
	}
	var r resolved
	if !dir && path.Ext(base) == "" {
		r = x.longestMatch(p.byStem[base], low, stemOf)
	}
	best, dirs := 0, []int32(nil)
	for _, d := range p.dirs[base] {
		n := commonSuffix(strings.ToLower(x.cat.Dirs()[d].Path), low)
		switch {
		case n > best:
			best, dirs = n, []int32{d}
		case n == best:
			dirs = append(dirs, d)
		}
	}
	if want := strings.Count(low, "/") + 1; best < min(want, 2) && best < want && len(r.docs) == 0 {
		dirs = nil // a directory of the same name elsewhere
	}
	if len(dirs) > 0 && best >= r.parts {
		return x.resolveDir(dirs, base, best)
	}
	r = x.spread(r, mention)
	r.weight *= guessedEnd
	r.first *= guessedEnd
	return r
}

// resolveDir gives the evidence for a directory to its files: first to the one
// that stands for it, by its name or as its package file.
func (x *run) resolveDir(dirs []int32, base string, parts int) resolved {
	p := x.places()
	r := resolved{parts: parts}
	head := -1
	for _, d := range dirs {
		for _, doc := range p.inDir[d] {
			r.docs = append(r.docs, int(doc))
		}
	}
	for i, doc := range r.docs {
		name := strings.ToLower(path.Base(x.paths[doc]))
		if x.families[doc] != 0 && strings.TrimSuffix(name, path.Ext(name)) == base && x.roles[doc]&facts.RoleTest == 0 {
			head = i
			break
		}
	}
	if head < 0 && len(dirs) == 1 {
		head = slices.IndexFunc(r.docs, func(d int) bool { return x.roles[d]&facts.RolePackageInit != 0 && x.families[d] != 0 })
	}
	if len(r.docs) == 0 || len(r.docs) > 4*maxAmbiguous {
		return resolved{}
	}
	r.weight = .5 / float64(len(dirs))
	r.first = r.weight
	if head >= 0 {
		r.docs[0], r.docs[head] = r.docs[head], r.docs[0]
		r.first = guessedEnd / float64(len(dirs))
	}
	return r
}

// longestMatch keeps the documents with the longest common end.
func (x *run) longestMatch(docs []int32, low string, form func(string) string) resolved {
	var r resolved
	for _, d := range docs {
		switch n := commonSuffix(form(x.paths[d]), low); {
		case n > r.parts:
			r.parts, r.docs = n, append(r.docs[:0], int(d))
		case n == r.parts && n > 0:
			r.docs = append(r.docs, int(d))
		}
	}
	return r
}

// spread shares the evidence over the documents found.
func (x *run) spread(r resolved, mention string) resolved {
	n := len(r.docs)
	if n == 0 || n > maxAmbiguous {
		return resolved{}
	}
	r.weight = 1 / float64(n)
	if strings.IndexByte(mention, '/') > 0 && r.parts == 1 {
		r.weight *= looseMatch
	}
	r.first = r.weight
	// A bare name means the file at the root, if there is one.
	for i, d := range r.docs {
		p := x.paths[d]
		if p == mention || n > 1 && (strings.EqualFold(p, mention) || strings.EqualFold(strings.TrimSuffix(p, path.Ext(p)), mention)) {
			r.docs[0], r.docs[i] = r.docs[i], r.docs[0]
			r.first, r.exact = 1, true
			if n > 1 {
				r.weight = .5 / float64(n)
			}
			break
		}
	}
	return r
}

// commonSuffix counts the trailing components that two paths share.
func commonSuffix(a, b string) int {
	n := 0
	for {
		i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[j+1:] {
			return n
		}
		n++
		if i < 0 || j < 0 {
			return n
		}
		a, b = a[:i], b[:j]
	}
}

// resolveMentions finds the documents that the query names.
func (x *run) resolveMentions() *mentions {
	m := &mentions{}
	seen := map[string]bool{}
	alone := x.q.Short && len(strings.Fields(x.q.Raw)) == len(x.q.Paths)
	for i := range x.q.Paths {
		p := &x.q.Paths[i]
		if p.Source == query.FromTrace {
			continue
		}
		key := p.Source.String() + p.Path
		if seen[key] {
			continue // the same file at another line
		}
		seen[key] = true
		r := x.resolve(p.Path, p.Dir)
		// What the query is about stands in the title, or is all there is; in
		// the text of a report files are mostly named in passing.
		plain := inPassing
		if p.Segment == query.Title || x.q.Short || len(x.q.Raw) <= longQuery {
			plain = 1
		}
		for k, d := range r.docs {
			w := r.weight
			if k == 0 {
				w = r.first
			}
			e := weighted{d, w, p.Path}
			if p.Source == query.FromURL {
				m.linked = append(m.linked, e)
			} else {
				m.named = append(m.named, e)
			}
			if alone {
				m.alone = append(m.alone, e)
			}
			x.touch(d)
			if w > .2 && !p.Dir && r.parts > 0 {
				x.named[d] = max(x.named[d], plain*w)
			}
		}
	}
	x.resolveWellKnown(m)
	x.resolveAsides(m)
	m.frames = x.resolveFrames()
	m.modules = x.resolveModules()
	return m
}

// resolveWellKnown finds the files that plain words name: the changelog, the
// readme, the makefile. The one nearest to the root is meant.
func (x *run) resolveWellKnown(m *mentions) {
	if len(x.q.Raw) > longQuery {
		return
	}
	p := x.places()
	for _, w := range plainWords(x.q.Raw) {
		if !isWellKnown(w) {
			continue
		}
		best, depth, n := -1, 0, 0
		for _, list := range [][]int32{p.byBase[w], p.byStem[w]} {
			for _, d := range list {
				if x.noise[d] {
					continue
				}
				switch k := strings.Count(x.paths[d], "/"); {
				case best < 0 || k < depth:
					best, depth, n = int(d), k, 1
				case k == depth:
					n++
				}
			}
		}
		known := func(e weighted) bool { return e.doc == best && e.weight == 1 }
		if best < 0 || n > 1 && depth > 0 || slices.ContainsFunc(m.named, known) {
			continue
		}
		m.named = append(m.named, weighted{best, 1, w})
		x.named[best] = 1
		x.touch(best)
	}
}

// isWellKnown tells words that are names of files wherever they stand.
func isWellKnown(word string) bool {
	switch word {
	case "readme", "changelog", "license", "contributing", "makefile", "dockerfile", "justfile", "codeowners", "gemfile", "rakefile", "jenkinsfile":
		return true
	}
	return false
}

// isKind tells words that say what kind of file is meant, not which.
func isKind(word string) bool {
	switch word {
	case "config", "configuration", "settings", "options", "docs", "documentation", "guide", "example", "examples", "test", "tests", "build", "release",
		"schema", "migration", "migrations", "template", "templates", "index", "main", "package", "project", "changes", "style", "styles", "install":
		return true
	}
	return false
}

// maxAsides is the number of files beside the sources that a word may name.
const maxAsides = 3

// resolveAsides finds the documents and data files that a question calls by
// their names: a tool's settings by the tool (.mockery.yml), a page by its topic
// (docs/io_uring.md). They are held down otherwise, for lacking the language of
// the sources.
func (x *run) resolveAsides(m *mentions) {
	if len(x.q.Raw) > longQuery {
		return
	}
	asides := x.places().asides
	seen := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(x.q.Raw), func(r rune) bool {
		return r < 128 && !isAlnum(byte(r)) && r != '_' && r != '-'
	}) {
		docs := asides[w]
		if len(w) < 4 || len(docs) == 0 || len(docs) > maxAsides || seen[w] || isWellKnown(w) || isKind(w) || functionWords()[words.Stem(w)] {
			continue
		}
		seen[w] = true
		if x.cat.DocFreq(words.Stem(w)) > max(x.n/20, 20) {
			continue // a word of everyday in this project
		}
		v := 1 / math.Sqrt(float64(len(docs)))
		for _, d := range docs {
			m.named = append(m.named, weighted{int(d), v * guessedEnd, w})
			x.named[d] = max(x.named[d], v*guessedEnd)
			x.touch(int(d))
		}
	}
}

// resolveFrames ranks the files of stack frames: the innermost frame inside the
// project first, and the cause printed last before what it caused.
func (x *run) resolveFrames() []weighted {
	var out []weighted
	rank := 0
	seen := map[int]bool{}
	blocks := x.q.Frames()
	for b := len(blocks) - 1; b >= 0; b-- {
		for i := range blocks[b] {
			p := &blocks[b][i]
			r := x.resolve(p.Path, p.Dir)
			bare := strings.IndexByte(p.Path, '/') < 0
			if len(r.docs) == 0 || r.parts < 2 && !(len(r.docs) == 1 && bare) {
				continue
			}
			next := false
			for _, d := range r.docs {
				if x.noise[d] || seen[d] || len(r.docs) > 3 {
					continue
				}
				seen[d] = true
				next = true
				out = append(out, weighted{d, r.weight / float64(1+rank), p.Path})
				x.touch(d)
			}
			if next {
				rank++
			}
		}
	}
	return out
}

// resolveModules finds the modules that dotted names lead to: a.b.c is a/b/c.py,
// a/b.py, b/c.go and so on, longest first.
func (x *run) resolveModules() []weighted {
	var out []weighted
	p := x.places()
	for i := range x.q.Names {
		n := &x.q.Names[i]
		parts := make([]string, len(n.Parts))
		for k, s := range n.Parts {
			parts[k] = strings.ToLower(s)
		}
		found := false
		for end := len(parts); end >= 2 && !found; end-- {
			want := strings.Join(parts[max(0, end-4):end], "/")
			best, docs := 1, []int(nil)
			for _, d := range p.byStem[parts[end-1]] {
				if x.families[d] == 0 {
					continue
				}
				s := strings.ToLower(x.paths[d])
				s = strings.TrimSuffix(s, path.Ext(s))
				switch c := commonSuffix(s, want); {
				case c > best:
					best, docs = c, []int{int(d)}
				case c == best && c >= 2:
					docs = append(docs, int(d))
				}
			}
			if len(docs) == 0 || len(docs) > 20 {
				continue
			}
			found = true
			for _, d := range docs {
				out = append(out, weighted{d, segmentOfName[n.Segment] / 2 / float64(len(docs)), n.String()})
				x.touch(d)
			}
		}
	}
	return out
}

// segmentOfName tells how much a name counts by where it first stands.
var segmentOfName = [query.NumSegments]float64{
	query.Title: 2, query.Prose: 1, query.Inline: 1.5, query.Code: .7, query.Trace: .4,
}

// mentionDetail names the mention that led to a document.
func mentionDetail(x *run, doc int) string {
	for _, list := range [][]weighted{x.mentions.linked, x.mentions.named, x.mentions.frames} {
		for _, e := range list {
			if e.doc == doc {
				return e.text
			}
		}
	}
	return ""
}
