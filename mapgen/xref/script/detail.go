package script

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// detail is what is known of the file that is resolved beyond its outline.
type detail struct {
	doc    int32
	f      *facts.File
	scopes *edges.Scopes
	uses   *edges.Uses
	// bound are the bindings of each scope by name, plus one; the first counts.
	bound map[scopedName]int32
	// names are the definitions in bodies that each scope holds.
	names map[int32][]int32
	// types are the types of bindings, as far as they are known; busy are those
	// being found.
	types map[int32]*typ
	busy  map[int32]bool
	// shapes are the types of shapes by the scope and definition they stand in.
	shapes map[shapeKey]*typ
}

type scopedName struct {
	scope int32
	name  string
}

type shapeKey struct {
	scope, sym int32
	shape      string
}

func newDetail(doc int32, f *facts.File, uses *edges.Uses) *detail {
	d := &detail{
		doc: doc, f: f, scopes: edges.NewScopes(f), uses: uses,
		names: map[int32][]int32{}, types: map[int32]*typ{}, busy: map[int32]bool{}, shapes: map[shapeKey]*typ{},
	}
	d.bound = make(map[scopedName]int32, len(f.Bindings))
	for i := range f.Bindings {
		b := &f.Bindings[i]
		if k := (scopedName{b.Scope, b.Name}); d.bound[k] == 0 || b.Start < f.Bindings[d.bound[k]-1].Start {
			d.bound[k] = int32(i) + 1
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Flags&facts.InBody == 0 || !lexical(s.Kind) {
			continue
		}
		if s.Parent >= 0 {
			switch f.Symbols[s.Parent].Kind {
			case facts.KindClass, facts.KindInterface, facts.KindEnum, facts.KindModule:
				continue
			}
		}
		// The scope of a definition is the one around it, not its own.
		scope := d.scopes.At(s.NameSpan.Start)
		for scope >= 0 && s.Span.Contains(f.Scopes[scope].Span) {
			scope = f.Scopes[scope].Parent
		}
		d.names[scope] = append(d.names[scope], int32(i))
	}
	return d
}

// local finds a name in the scopes around a place. Bindings count wherever they
// stand in their scope: a use before them is of the same name.
func (d *detail) local(r *Resolver, scope int32, name string, types bool) found {
	for ; scope >= 0; scope = d.f.Scopes[scope].Parent {
		if b := d.bindingIn(scope, name); b >= 0 && !d.busy[b] {
			return found{kind: foundLocal, binding: b, scope: scope}
		}
		var syms []ref
		for _, i := range d.names[scope] {
			if d.f.Symbols[i].Name == name {
				syms = append(syms, ref{d.doc, i})
			}
		}
		if len(syms) > 0 {
			return found{kind: foundSymbols, syms: syms}
		}
	}
	return found{}
}

func (d *detail) bindingIn(scope int32, name string) int32 {
	return d.bound[scopedName{scope, name}] - 1
}

// localType is the type of a binding of the file that is resolved.
func (r *Resolver) localType(d *detail, b, scope int32) *typ {
	if t, known := d.types[b]; known {
		return t
	}
	if d.busy[b] {
		return nil
	}
	d.busy[b] = true
	x := &d.f.Bindings[b]
	pl := place{doc: d.doc, sym: d.f.Scopes[scope].Symbol, scope: scope, file: d}
	var t *typ
	if x.Type != "" {
		t = r.typeText(x.Type, pl, ref{d.doc, pl.sym}, d.uses)
	} else if x.Init != "" {
		t = r.value(steps(x.Init), pl, d.uses)
	}
	delete(d.busy, b)
	d.types[b] = t
	return t
}

// thisParam is the type of a parameter called this.
func (d *detail) thisParam(r *Resolver, scope int32) (*typ, bool) {
	for ; scope >= 0; scope = d.f.Scopes[scope].Parent {
		s := &d.f.Scopes[scope]
		if s.Symbol < 0 || s.Span != d.f.Symbols[s.Symbol].Span {
			continue
		}
		if ps := d.f.Symbols[s.Symbol].Params; len(ps) > 0 && ps[0].Name == "this" && ps[0].Type != "" {
			return r.typeText(ps[0].Type, place{doc: d.doc, sym: s.Symbol, scope: scope, file: d}, ref{d.doc, s.Symbol}, d.uses), true
		}
	}
	return nil, false
}

// shape is the type of a shape at a place of the file, found once.
func (d *detail) shape(r *Resolver, shape string, pl place) *typ {
	key := shapeKey{pl.scope, pl.sym, shape}
	t, known := d.shapes[key]
	if !known {
		t = r.value(steps(shape), pl, d.uses)
		d.shapes[key] = t
	}
	return t
}
