package cfamily

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// bindArguments is the name of the bindings by which the extraction tells the
// arguments of a call in C++: see the package of the rows.
const (
	bindArguments = "()"
	// expanded is what stands in one where the number is not known.
	expanded = "..."
)

// local knows the file that is resolved.
type local struct {
	f         *facts.File
	scopes    *edges.Scopes
	arguments map[uint32]int32 // of calls, by the place of the name
	types     edges.Memo[int32, *typ]
}

func newLocal(r *Resolver, f *facts.File) *local {
	l := &local{f: f, scopes: edges.NewScopes(f), arguments: map[uint32]int32{}}
	l.types.Stack = &r.stack
	for i := range f.Bindings {
		if b := &f.Bindings[i]; b.Name == bindArguments {
			l.arguments[b.Start] = int32(i)
		}
	}
	return l
}

// context is where an expression stands, which decides what its names mean.
type context struct {
	r  *Resolver
	at def
	// local knows parameters and local variables of the file at hand; nil where
	// only outlines may be used.
	local  *local
	scope  int32
	offset uint32
	uses   *edges.Uses
}

// meaning is what a bare name means at a place.
type meaning struct {
	list  []def
	owner ancestor // of members
	rule  string
	mark  edges.Mark
}

// bare looks a name up from the inside out.
func (c *context) bare(name string, w want, tag string) meaning {
	chain := c.r.chain(c.at, c.uses)
	open := false
	for _, l := range chain.levels {
		if !l.class {
			if list := c.r.fits(c.r.inLevel(l, name, c.uses), w, tag); len(list) > 0 {
				return meaning{list, ancestor{class: noDef}, ruleLocal, edges.Exact}
			}
			continue
		}
		if c.r.symbol(l.def).Name == name {
			// In a specialisation, the name mostly has other arguments behind it.
			if c.r.specialised(l.def) {
				continue
			}
			return meaning{[]def{l.def}, ancestor{class: noDef}, ruleScope, edges.Exact}
		}
		m := c.r.members(l.def, name, c.uses)
		if list := c.r.fits(m.list, w, tag); len(list) > 0 {
			return meaning{list, m.owner, ruleOwn, edges.MarkOf(m.weak)}
		}
		open = open || c.r.open(l.def, c.uses)
	}
	g := c.r.global(c.at.doc, chain.spaces, name, w, tag, c.uses)
	out := meaning{g.list, ancestor{class: noDef}, ruleScope, edges.MarkOf(open)}
	switch g.how {
	case bySpace:
		out.rule, out.mark = ruleSpace, edges.Likely
	case byProgram:
		out.rule, out.mark = ruleProgram, edges.Likely
	}
	return out
}

// bound is the type of a local variable, or nil where there is none of the name.
func (c *context) bound(name string) *typ {
	if c.local == nil {
		return nil
	}
	i := c.local.scopes.Lookup(c.scope, name, c.offset, false)
	if i < 0 {
		return nil
	}
	return some(c.local.types.Get(i, c.uses, func(uses *edges.Uses) *typ {
		b := &c.local.f.Bindings[i]
		at := def{c.at.doc, c.local.f.Scopes[b.Scope].Symbol}
		if b.Type != "" {
			t := c.r.typeOf(at, b.Type, uses)
			if t.kind == unnamed && t.before == 0 {
				t = t.change(func(t *typ) { t.before = b.Start })
			}
			return learned(t, viaDeclared)
		}
		if b.Init == "" {
			return unknownType
		}
		in := context{r: c.r, at: at, local: c.local, scope: b.Scope, offset: max(b.Start, 1) - 1, uses: uses}
		return in.eval(c.r.shape(b.Init))
	}))
}
