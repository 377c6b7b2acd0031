package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// onlyCtags explains a tag that has no definition here.
func (l *language) onlyCtags(c *corpus, f *file, t tag) verdict {
	if f.facts.Depth != facts.Parsed {
		return verdict{unread, "in files read for words only (" + string(f.facts.Reason) + ")"}
	}
	if v, ok := l.notKinds[t.kind]; ok {
		return v
	}
	if l.why != nil {
		if v := l.why(c, f, t); v.outcome != found {
			return v
		}
	}
	if t.name == "_" {
		return verdict{noDefinition, "blank names"}
	}
	if f.binds(t.name, t.line) {
		return verdict{held, "local variables and parameters, which facts hold as bindings"}
	}
	if !wholeWord(bareName(t.name)).MatchString(f.line(t.line)) {
		return verdict{noDefinition, "names that do not stand on their line"}
	}
	return verdict{outcome: unexplained}
}

// onlyHere explains a definition that ctags does not have.
func (l *language) onlyHere(f *file, x extra, theirs *tagged) verdict {
	if slices.Contains(l.lacks, x.symbol.Kind) {
		return verdict{left, "ctags has no kind for them"}
	}
	if l.here != nil {
		if r := l.here(f, x, theirs); r != "" {
			return verdict{left, r}
		}
	}
	switch {
	case x.symbol.Flags&facts.InBody != 0:
		return verdict{left, "inside the body of a function"}
	case theirs.derailed(x.line):
		return verdict{left, "behind what ctags wrongly takes for a definition, before the next that it finds"}
	case len(theirs.lines) == 0:
		return verdict{left, "in files in which ctags finds nothing"}
	case x.line > theirs.lines[len(theirs.lines)-1].line:
		return verdict{left, "below the last name that ctags finds in the file"}
	}
	return verdict{outcome: unexplained}
}

// within tells whether a line lies below the first line of a definition of one
// of some kinds.
func (f *file) within(line int, kinds ...facts.Kind) bool {
	for i := range f.facts.Symbols {
		s := &f.facts.Symbols[i]
		if f.nameLines[i] < line && line <= int(s.EndLine) && slices.Contains(kinds, s.Kind) {
			return true
		}
	}
	return false
}

// inFunction tells whether a line lies in the body of a function.
func (f *file) inFunction(line int) bool {
	return f.within(line, facts.KindFunction, facts.KindMethod, facts.KindConstructor)
}

// has tells whether a definition of a name, of any kind, holds a line.
func (f *file) has(name string, line int) bool {
	return slices.ContainsFunc(f.named[name], func(i int) bool {
		s := &f.facts.Symbols[i]
		return int(s.Line) <= line && line <= int(s.EndLine)
	})
}

func (f *file) binds(name string, line int) bool {
	return slices.ContainsFunc(f.facts.Bindings, func(b facts.Binding) bool {
		return b.Name == name && strings.Count(string(f.text[:min(int(b.Start), len(f.text))]), "\n")+1 == line
	})
}

// imports tells whether an import clause brings in a name.
func (f *file) imports(name string) bool {
	return slices.ContainsFunc(f.facts.Imports, func(m facts.Import) bool {
		last := m.Module[strings.LastIndexAny(m.Module, `.\/`)+1:]
		return m.Alias == name || m.Module == name || last == name ||
			slices.ContainsFunc(m.Names, func(n facts.ImportedName) bool { return n.Name == name || n.Alias == name })
	})
}

func wholeWord(name string) *regexp.Regexp {
	q := regexp.QuoteMeta(name)
	if name == "" || !isWord(name[0]) || !isWord(name[len(name)-1]) {
		return regexp.MustCompile(q)
	}
	return regexp.MustCompile(`(^|[^\w])` + q + `($|[^\w])`)
}
