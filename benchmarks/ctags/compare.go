package main

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
)

// outcome is what became of a tag or of a definition.
type outcome uint8

const (
	// found: the other side has it.
	found outcome = iota
	// held: facts hold it, but not as a definition.
	held
	// noDefinition: the source does not define such a name there.
	noDefinition
	// unread: in a file that is read for words only, by design.
	unread
	// left: known not to be found; counts against recall.
	left
	// unexplained counts against recall.
	unexplained
)

// verdict is an outcome and its reason, in words that follow a number.
type verdict struct {
	outcome outcome
	reason  string
}

// comparison is the result for all files of a language.
type comparison struct {
	tags  []tag
	given []verdict // of tags, at the same index
	exact int       // tags found at the very line of the name
	// extra are the definitions that only we find.
	extra []extra
	// symbols is how many definitions were compared.
	symbols int
	corpus  *corpus
}

// corpus is what explaining one file needs of all.
type corpus struct{ macros map[string]bool }

func newCorpus(files []*file) *corpus {
	c := &corpus{macros: map[string]bool{}}
	for _, f := range files {
		for i := range f.facts.Symbols {
			if s := &f.facts.Symbols[i]; s.Kind == facts.KindMacro {
				c.macros[s.Name] = true
			}
		}
	}
	return c
}

// taggedLine is a line that ctags has a name on, false where none is defined
// there.
type taggedLine struct {
	line    int
	defined bool
}

// tagged is what ctags has of a file.
type tagged struct {
	lines []taggedLine // in their order
	named map[string][]int
}

// derailed tells whether the last line before this one that ctags has a name on
// defines none: then ctags has taken something else for a definition, and its
// place in the structure of the file is wrong.
func (g *tagged) derailed(line int) bool {
	i, _ := slices.BinarySearchFunc(g.lines, line, func(t taggedLine, line int) int { return t.line - line })
	return i > 0 && !g.lines[i-1].defined
}

type extra struct {
	file    *file
	symbol  *facts.Symbol
	line    int
	verdict verdict
}

// compare matches tags and definitions of equal name, file by file: first those
// of the same line, then, one to one, tags inside the lines of a definition
// that none has matched yet.
func compare(l *language, files []*file, tags []tag) *comparison {
	c := &comparison{tags: tags, given: make([]verdict, len(tags)), corpus: newCorpus(files)}
	byFile := map[string][]int{}
	for i, t := range tags {
		byFile[t.file] = append(byFile[t.file], i)
	}
	for _, f := range files {
		c.file(l, f, byFile[f.path])
	}
	return c
}

func (c *comparison) file(l *language, f *file, tags []int) {
	used := make([]bool, len(f.facts.Symbols))
	var rest []int
	for _, i := range tags {
		t := c.tags[i]
		hit := false
		for _, s := range f.named[bareName(t.name)] {
			if f.nameLines[s] == t.line {
				used[s], hit = true, true
			}
		}
		if hit {
			c.exact++
		} else {
			rest = append(rest, i)
		}
	}
	for _, i := range rest {
		t := c.tags[i]
		if s := f.around(bareName(t.name), t.line, used); s >= 0 {
			used[s] = true
			continue
		}
		c.given[i] = l.onlyCtags(c.corpus, f, t)
	}
	lines := c.linesOf(tags)
	for s := range used {
		c.symbols++
		if !used[s] {
			x := extra{file: f, symbol: &f.facts.Symbols[s], line: f.nameLines[s]}
			x.verdict = l.onlyHere(f, x, lines)
			c.extra = append(c.extra, x)
		}
	}
}

// around finds the unused definition of a name whose lines hold a line and
// whose name is nearest to it, or -1.
func (f *file) around(name string, line int, used []bool) int {
	best, distance := -1, 0
	for _, i := range f.named[name] {
		s := &f.facts.Symbols[i]
		if used[i] || line < int(s.Line) || line > int(s.EndLine) {
			continue
		}
		if d := abs(f.nameLines[i] - line); best < 0 || d < distance {
			best, distance = i, d
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// definedAt tells whether ctags has a definition on a line.
func (g *tagged) definedAt(line int) bool {
	i, _ := slices.BinarySearchFunc(g.lines, line, func(t taggedLine, line int) int { return t.line - line })
	for ; i < len(g.lines) && g.lines[i].line == line; i++ {
		if g.lines[i].defined {
			return true
		}
	}
	return false
}

// linesOf gathers what ctags has of a file, given the indices of its tags.
func (c *comparison) linesOf(tags []int) *tagged {
	out := &tagged{named: map[string][]int{}}
	for _, i := range tags {
		t := c.tags[i]
		n := bareName(t.name)
		out.named[n] = append(out.named[n], t.line)
		out.lines = append(out.lines, taggedLine{t.line, c.given[i].outcome != noDefinition})
	}
	slices.SortStableFunc(out.lines, func(a, b taggedLine) int { return a.line - b.line })
	return out
}

// figures count tags of one kind, or of all.
type figures struct {
	tags, found, held, noDefinition, unread, left, unexplained int
}

func (g *figures) add(v verdict) {
	g.tags++
	switch v.outcome {
	case found:
		g.found++
	case held:
		g.held++
	case noDefinition:
		g.noDefinition++
	case unread:
		g.unread++
	case left:
		g.left++
	default:
		g.unexplained++
	}
}

// definitions is how many of the tags define something in a file that is parsed.
func (g figures) definitions() int { return g.tags - g.noDefinition - g.unread }

// recall is the share of the definitions that facts hold.
func (g figures) recall() float64 {
	if g.definitions() == 0 {
		return 1
	}
	return float64(g.found+g.held) / float64(g.definitions())
}

// byKind adds up the tags of each kind, most frequent first.
func (c *comparison) byKind() (kinds []string, of map[string]*figures) {
	of = map[string]*figures{}
	for i, t := range c.tags {
		if of[t.kind] == nil {
			of[t.kind] = &figures{}
			kinds = append(kinds, t.kind)
		}
		of[t.kind].add(c.given[i])
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if d := of[b].tags - of[a].tags; d != 0 {
			return d
		}
		if a < b {
			return -1
		}
		return 1
	})
	return kinds, of
}

func (c *comparison) all() figures {
	var g figures
	for _, v := range c.given {
		g.add(v)
	}
	return g
}
