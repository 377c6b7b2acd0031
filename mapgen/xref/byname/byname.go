// Package byname leads references to definitions where no resolver knows the
// rules of a language: by their names alone. Every edge is marked so.
//
// A name means the definitions of its own file, else those of the files that the
// file imports, else those of its directory, else those of the whole ecosystem
// if they are few. A name that the file binds (a parameter, a local variable)
// leads nowhere.
package byname

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxDefinitions is how many definitions of a name are listed: a name that more
// files define says too little.
const maxDefinitions = 5

// Rules, for measuring.
const (
	ruleFile      = "own file"
	ruleImported  = "imported file"
	ruleDirectory = "own directory"
	ruleAnywhere  = "few anywhere"
)

// nameKey is the group of all files of an ecosystem that define a name.
const nameKey = "name "

// Resolver resolves the files of one ecosystem. See edges.Resolver.
type Resolver struct {
	p      *edges.Program
	family string
	byName map[string][]definition
}

type definition struct{ doc, symbol int32 }

// New prepares a resolver of the files of an ecosystem.
func New(p *edges.Program, family string) *Resolver {
	r := &Resolver{p: p, family: family, byName: map[string][]definition{}}
	for d := range p.Files {
		f := p.Files[d].File
		if f == nil || f.Family != family {
			continue
		}
		for i := range f.Symbols {
			if s := &f.Symbols[i]; referable(s) {
				r.byName[s.Name] = append(r.byName[s.Name], definition{int32(d), int32(i)})
			}
		}
	}
	return r
}

// referable tells whether code can name a definition.
func referable(s *facts.Symbol) bool {
	switch s.Kind {
	case facts.KindHeading, facts.KindKey, facts.KindTarget, facts.KindUnknown:
		return false
	}
	return s.Name != ""
}

// Group lists the files that define a name, see edges.Grouper.
func (r *Resolver) Group(key string) []int {
	if len(key) < len(nameKey) {
		return nil
	}
	var out []int
	for _, d := range r.byName[key[len(nameKey):]] {
		if n := len(out); n == 0 || out[n-1] != int(d.doc) {
			out = append(out, int(d.doc))
		}
	}
	return out
}

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	scopes := edges.NewScopes(f)
	imported := map[int32]bool{}
	for _, t := range r.p.Targets[doc] {
		if t.Doc >= 0 {
			imported[int32(t.Doc)] = true
		}
	}
	known := map[string][]chosen{}
	for i := range f.Refs {
		ref := &f.Refs[i]
		if ref.Qualifier == "" && scopes.Lookup(scopes.At(ref.Start), ref.Name, ref.Start, true) >= 0 {
			continue
		}
		found, ok := known[ref.Name]
		if !ok {
			uses.Key(nameKey + ref.Name)
			found = r.choose(doc, ref.Name, imported)
			known[ref.Name] = found
		}
		for _, c := range found {
			out = append(out, edges.Edge{Ref: int32(i), Doc: c.doc, Symbol: c.symbol, Mark: edges.ByName, Rule: c.rule})
		}
	}
	return edges.Sort(out)
}

type chosen struct {
	definition
	rule string
}

// choose picks the definitions of a name that stand nearest to a document.
func (r *Resolver) choose(doc int, name string, imported map[int32]bool) []chosen {
	all := r.byName[name]
	dir := facts.DirOf(r.p.Files[doc].Path)
	for _, near := range []struct {
		rule string
		in   func(definition) bool
	}{
		{ruleFile, func(d definition) bool { return int(d.doc) == doc }},
		{ruleImported, func(d definition) bool { return imported[d.doc] }},
		{ruleDirectory, func(d definition) bool { return facts.DirOf(r.p.Files[d.doc].Path) == dir }},
		{ruleAnywhere, func(definition) bool { return true }},
	} {
		var out []chosen
		for _, d := range all {
			if near.in(d) {
				out = append(out, chosen{d, near.rule})
			}
		}
		switch {
		case len(out) > maxDefinitions:
			return nil
		case len(out) > 0:
			return slices.Clip(out)
		}
	}
	return nil
}
