package golang

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// typeParameterInit marks the bindings of type parameters.
const typeParameterInit = "type"

// local is the file that is being resolved, with what its bodies declare.
type local struct {
	doc    int32
	f      *facts.File
	scopes *edges.Scopes
	// bindings and types of each scope: the indexes of f.Bindings, sorted by
	// where they are seen from, and of f.Symbols.
	bindings, types [][]int32
	known           []*typ // of bindings
	open, unsure    []bool
}

func newLocal(doc int32, f *facts.File) *local {
	l := &local{
		doc: doc, f: f, scopes: edges.NewScopes(f),
		bindings: make([][]int32, len(f.Scopes)), types: make([][]int32, len(f.Scopes)),
		known: make([]*typ, len(f.Bindings)), open: make([]bool, len(f.Bindings)), unsure: make([]bool, len(f.Bindings)),
	}
	for i := range f.Bindings {
		b := f.Bindings[i].Scope
		l.bindings[b] = append(l.bindings[b], int32(i))
	}
	for _, list := range l.bindings {
		slices.SortStableFunc(list, func(a, b int32) int { return int(f.Bindings[a].Start) - int(f.Bindings[b].Start) })
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Flags&facts.InBody == 0 || !isType(s.Kind) {
			continue
		}
		scope := l.scopes.At(s.NameSpan.Start)
		for scope >= 0 && f.Scopes[scope].Symbol == int32(i) {
			scope = f.Scopes[scope].Parent
		}
		if scope >= 0 {
			l.types[scope] = append(l.types[scope], int32(i))
		}
	}
	return l
}

// find looks a name up from the inside out: the binding or the local type that
// is seen at an offset, or -1, -1.
func (l *local) find(scope int32, at uint32, name string) (binding, symbol int32) {
	for ; scope >= 0; scope = l.f.Scopes[scope].Parent {
		binding, symbol = -1, -1
		for _, i := range l.bindings[scope] {
			b := &l.f.Bindings[i]
			if b.Name == name && (b.Start <= at || b.Init == typeParameterInit) {
				binding = i
			}
		}
		for _, i := range l.types[scope] {
			s := &l.f.Symbols[i]
			if s.Name == name && s.NameSpan.Start <= at && (binding < 0 || s.NameSpan.Start > l.f.Bindings[binding].Start) {
				binding, symbol = -1, i
			}
		}
		if binding >= 0 || symbol >= 0 {
			return binding, symbol
		}
	}
	return -1, -1
}

// bindingType is the type of a local name.
func (r *Resolver) bindingType(i int32) *typ {
	l := r.local
	if l.known[i] != nil {
		r.unsure = r.unsure || l.unsure[i]
		return l.known[i]
	}
	b := &l.f.Bindings[i]
	if b.Init == typeParameterInit {
		return &typ{kind: meta, elem: r.typeParameter(l.doc, i)}
	}
	if l.open[i] || r.depth > maxNesting {
		r.cut++
		return unknownType
	}
	l.open[i] = true
	r.depth++
	cut, unsure := r.cut, r.unsure
	r.unsure = false
	in := env{doc: l.doc, owner: symRef{l.doc, nobody}, local: true, scope: b.Scope}
	if b.Start > 0 {
		in.at = b.Start - 1 // what it is made of does not see it
	}
	t := unknownType
	if b.Type != "" {
		t = r.declared(b.Type, in)
	} else {
		// x, err := f() binds x again where it is bound in the same scope: then
		// its type is the one it had.
		if before := l.before(i); before >= 0 {
			t = r.bindingType(before)
		}
		if t.kind == unknown && b.Init != "" {
			t = r.value(r.shape(b.Init, in))
		}
	}
	r.depth--
	l.open[i] = false
	if r.cut == cut {
		l.known[i], l.unsure[i] = t, r.unsure
	}
	r.unsure = r.unsure || unsure
	return t
}

// before is the binding of the same name in the same scope before one.
func (l *local) before(i int32) int32 {
	b := &l.f.Bindings[i]
	found := int32(-1)
	for _, k := range l.bindings[b.Scope] {
		if k == i {
			break
		}
		if o := &l.f.Bindings[k]; o.Name == b.Name {
			found = k
		}
	}
	return found
}

// declared is a type as declared, which may be variadic.
func (r *Resolver) declared(text string, in env) *typ {
	if len(text) > 3 && text[:3] == "..." {
		return &typ{kind: slice, elem: r.typeText(text[3:], in)}
	}
	return r.typeText(text, in)
}

// typeParameter is the type parameter that a binding declares. One of a receiver
// has the constraint that its type declares.
func (r *Resolver) typeParameter(doc int32, i int32) *typ {
	l := r.local
	b := &l.f.Bindings[i]
	if b.Init != typeParameterInit {
		return unknownType
	}
	if l.known[i] != nil {
		return l.known[i]
	}
	t := &typ{kind: parameter, name: b.Name, env: env{doc: doc, owner: symRef{doc, nobody}, local: true, scope: b.Scope, at: b.Start}}
	l.known[i] = t
	if b.Type != "" {
		t.x = parseConstraint(b.Type)
		return t
	}
	owner := l.f.Scopes[b.Scope].Symbol
	if owner < 0 {
		return t
	}
	m := &l.f.Symbols[owner]
	refs := r.typesIn(r.packageOf(doc), m.Container, doc)
	if len(refs) == 0 {
		return t
	}
	params := r.typeParams(refs[0])
	for k, name := range receiverParams(m.Signature) {
		if name == b.Name && k < len(params) {
			bound := r.bind(params, nil, r.at(refs[0])).types[k]
			t.x, t.env = bound.x, bound.env
		}
	}
	return t
}
