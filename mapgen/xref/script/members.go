package script

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// hit is a member that was found.
type hit struct {
	// at is the definition; sym -1 for a member of a type expression that is no
	// definition.
	at ref
	// typ is the type of what is no definition.
	typ *typ
	// bound are the types of the type parameters around it, self what it is a
	// member of.
	bound  []binding
	self   *typ
	likely bool
}

// membersOf finds the members of a type that have a name.
func (r *Resolver) membersOf(t *typ, name string, uses *edges.Uses) []hit {
	return r.membersAt(t, name, uses, 0)
}

func (r *Resolver) membersAt(t *typ, name string, uses *edges.Uses, depth int) []hit {
	if t == nil || depth > 16 || slices.Contains(t.without, name) {
		return nil
	}
	var out []hit
	switch t.kind {
	case typeInstance:
		out = r.entityMembers(t, name, false, uses)
	case typeClass, typeFunction:
		out = r.entityMembers(t, name, true, uses)
	case typeValue:
		out = r.valueMembers(t, name, uses)
	case typeResult:
		out = r.resultMembers(t, name, uses)
	case typeModule:
		out = r.moduleMembers(t, name, uses)
	case typeNamespace:
		for _, m := range r.members(t.at, name) {
			out = append(out, hit{at: m})
		}
	case typeObject:
		out = r.objectMembers(t, name, uses)
	case typeParameter:
		out = r.membersAt(r.constraint(t, uses), name, uses, depth+1)
		if k := r.symbol(t.at).Kind; k == facts.KindFunction || k == facts.KindMethod {
			// What a call makes of it can have a member of its own of that name.
			for i := range out {
				out[i].likely = true
			}
		}
	case typeUnion, typeIntersection:
		alike, n := true, 0
		for _, u := range t.args {
			hits := r.membersAt(u, name, uses, depth+1)
			if len(hits) == 0 {
				continue
			}
			n++
			alike = alike && sameDefinitions(out[:min(len(out), len(hits))], hits)
			out = append(out, hits...)
		}
		if n > 1 && t.kind == typeUnion && !alike {
			for i := range out {
				out[i].likely = true
			}
		}
	}
	if t.likely {
		for i := range out {
			out[i].likely = true
		}
	}
	return out
}

// sameDefinitions tells that members of two alternatives are the same, as those
// are that both inherit: then it does not matter which alternative a value is. No
// member yet is the same as any.
func sameDefinitions(a, b []hit) bool {
	return len(a) == 0 || slices.EqualFunc(a, b, func(x, y hit) bool { return x.at == y.at && x.at.sym >= 0 })
}

type memberKey struct {
	at     ref
	name   string
	static bool
}

// entityMembers finds members of a class, interface, alias, enum or function,
// of what merges with it and of what it extends.
func (r *Resolver) entityMembers(t *typ, name string, static bool, uses *edges.Uses) []hit {
	hits := r.found.Get(memberKey{t.at, name, static}, uses, func(uses *edges.Uses) []hit {
		return r.findMembers(t.at, name, static, uses)
	})
	if len(hits) == 0 {
		return nil
	}
	outer := t.bound
	if len(t.args) > 0 {
		for _, p := range r.parts(t.at, uses) {
			outer = append(outer[:len(outer):len(outer)], r.bind(p, t.args, uses)...)
		}
	}
	out := make([]hit, len(hits))
	for i, h := range hits {
		h.bound = rebound(h.bound, outer, 0)
		h.self = t
		out[i] = h
	}
	return out
}

// parts are the definitions that make up an entity, in other documents too.
func (r *Resolver) parts(at ref, uses *edges.Uses) []ref {
	uses.Doc(int(at.doc))
	if len(r.augmenting) > 0 {
		uses.Key(keyAugment)
	}
	parts := r.siblings(at)
	extra := r.extra[at]
	if len(extra) == 0 {
		return parts
	}
	parts = parts[:len(parts):len(parts)]
	for _, e := range extra {
		uses.Doc(int(e.doc))
		parts = append(parts, e)
	}
	return parts
}

func (r *Resolver) findMembers(at ref, name string, static bool, uses *edges.Uses) []hit {
	var out []hit
	parts := r.parts(at, uses)
	for _, p := range parts {
		o := r.outline(p.doc)
		s := &o.f.Symbols[p.sym]
		for _, k := range o.kids[p.sym] {
			if m := &o.f.Symbols[k]; m.Name == name && memberOf(s, m, static) {
				out = append(out, hit{at: ref{p.doc, k}})
			}
		}
		if s.Parent < 0 && s.Flags&facts.InBody == 0 {
			for _, k := range o.owned[s.Name] {
				if m := &o.f.Symbols[k]; m.Name == name && (!static || m.Flags&facts.Static != 0 || s.Kind != facts.KindClass) {
					out = append(out, hit{at: ref{p.doc, k}})
				}
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range parts {
		// What a class implements gives it no member; what it implements counts
		// where nothing else is known to have the member, for a base from outside
		// may.
		for _, promised := range []bool{false, true} {
			for _, b := range r.bases(p, uses) {
				if r.implemented(p, b) != promised {
					continue
				}
				if static {
					if b.kind != typeInstance {
						continue
					}
					b = &typ{kind: typeClass, at: b.at, args: b.args}
				}
				out = append(out, r.membersOf(b, name, uses)...)
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// implemented tells a base that a class implements from what it extends: the
// former is no class.
func (r *Resolver) implemented(class ref, base *typ) bool {
	if r.symbol(class).Kind != facts.KindClass {
		return false
	}
	if base.kind != typeInstance {
		return base.kind != typeExternal
	}
	switch r.symbol(base.at).Kind {
	case facts.KindInterface, facts.KindType:
		return true
	}
	return false
}

// memberOf tells whether a symbol inside another is a member of its instances,
// or, for static, of itself.
func memberOf(owner, m *facts.Symbol, static bool) bool {
	switch owner.Kind {
	case facts.KindClass:
		if m.Kind == facts.KindConstructor {
			return false
		}
		return (m.Flags&facts.Static != 0) == static
	case facts.KindInterface, facts.KindType:
		return !static
	case facts.KindEnum, facts.KindModule:
		return static
	case facts.KindFunction, facts.KindVariable, facts.KindConstant:
		// What is put into the prototype of a function or into a variable.
		return m.Flags&facts.InBody == 0 || m.Kind == facts.KindMethod && !static
	}
	return false
}

// bases are what a class or interface extends and implements.
func (r *Resolver) bases(at ref, uses *edges.Uses) []*typ {
	return r.extends.Get(at, uses, func(uses *edges.Uses) []*typ {
		uses.Doc(int(at.doc))
		s := r.symbol(at)
		var out []*typ
		for _, b := range s.Bases {
			t := r.typeText(b, place{doc: at.doc, sym: at.sym, scope: -1}, at, uses)
			if t == nil || t.kind == typeExternal {
				// A base that is a value, made by a call perhaps.
				if v := r.value(steps(b), place{doc: at.doc, sym: s.Parent, scope: -1}, uses); v != nil && v.kind == typeClass {
					t = &typ{kind: typeInstance, at: v.at}
				}
			}
			if t != nil {
				out = append(out, t)
			}
		}
		return out
	})
}

// valueMembers finds the members of an object literal that is the value of a
// definition.
func (r *Resolver) valueMembers(t *typ, name string, uses *edges.Uses) []hit {
	uses.Doc(int(t.at.doc))
	o := r.outline(t.at.doc)
	var out []hit
	for _, k := range o.kids[t.at.sym] {
		if s := &o.f.Symbols[k]; s.Name == name && s.Flags&facts.InBody == 0 {
			out = append(out, hit{at: ref{t.at.doc, k}, self: t})
		}
	}
	s := &o.f.Symbols[t.at.sym]
	if s.Parent < 0 {
		for _, k := range o.owned[s.Name] {
			if o.f.Symbols[k].Name == name {
				out = append(out, hit{at: ref{t.at.doc, k}, self: t})
			}
		}
	}
	return out
}

// resultMembers finds the keys of an object literal that a function gives: among
// what stands in a function, those have no more signature than their name.
func (r *Resolver) resultMembers(t *typ, name string, uses *edges.Uses) []hit {
	uses.Doc(int(t.at.doc))
	o := r.outline(t.at.doc)
	var out []hit
	for _, k := range o.kids[t.at.sym] {
		if s := &o.f.Symbols[k]; s.Name == name && s.Signature == name && !lexical(s.Kind) {
			out = append(out, hit{at: ref{t.at.doc, k}, bound: t.bound, self: t})
		}
	}
	return out
}

// moduleMembers finds what a module exports, and, where the module is one value,
// the members of that.
func (r *Resolver) moduleMembers(t *typ, name string, uses *edges.Uses) []hit {
	f := r.export(t.at.doc, name, uses)
	switch f.kind {
	case foundSymbols:
		var out []hit
		for _, s := range f.syms {
			out = append(out, hit{at: s})
		}
		return out
	case foundModule:
		return []hit{{at: ref{-1, -1}, typ: &typ{kind: typeModule, at: ref{f.doc, -1}}}}
	}
	if name == "default" {
		return nil
	}
	if d := r.export(t.at.doc, "default", uses); d.kind == foundSymbols && r.commonJS(t.at.doc) {
		return r.membersOf(r.valueOfAll(d.syms, uses), name, uses)
	}
	return nil
}

// commonJS tells whether the value that a module exports stands for the module.
func (r *Resolver) commonJS(doc int32) bool {
	return r.p.Files[doc].File.Language == "javascript"
}

// objectMembers finds the members of an object type. They are definitions where
// the text stands in one that has them inside.
func (r *Resolver) objectMembers(t *typ, name string, uses *edges.Uses) []hit {
	var typed *typ
	for i := range t.expr.members {
		m := &t.expr.members[i]
		if m.name == name || m.name == "[]" && typed == nil {
			typed = subst(r.eval(m.typ, t.place, t.at, nil, uses, 0), t.bound)
			if m.name == name {
				break
			}
		}
	}
	var out []hit
	if t.at.sym >= 0 {
		uses.Doc(int(t.at.doc))
		o := r.outline(t.at.doc)
		for _, k := range o.kids[t.at.sym] {
			if s := &o.f.Symbols[k]; s.Name == name && (s.Kind == facts.KindField || s.Kind == facts.KindMethod || s.Kind == facts.KindProperty) {
				out = append(out, hit{at: ref{t.at.doc, k}, bound: t.bound, self: t})
			}
		}
	}
	if len(out) == 0 && typed != nil {
		out = append(out, hit{at: ref{-1, -1}, typ: typed})
	}
	return out
}

// memberType is the type of the members of a type that have a name.
func (r *Resolver) memberType(t *typ, name string, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	if b := builtinMember(t, name); b != nil {
		return b
	}
	hits := r.membersOf(t, name, uses)
	if len(hits) == 0 {
		if t.kind == typeInstance && name == "props" {
			return unlikely(r.componentProps(t.at, uses))
		}
		if t.kind == typeInstance {
			for _, h := range r.membersOf(t, "[]", uses) {
				return r.hitType(&h, uses)
			}
		}
		if r.open(t, uses, 0) {
			return external
		}
		return nil
	}
	parts := make([]*typ, 0, len(hits))
	for i := range hits {
		parts = append(parts, r.hitType(&hits[i], uses))
	}
	return union(typeUnion, parts)
}

// open tells whether a type is known, so that a member it does not have leads
// outside.
func (r *Resolver) open(t *typ, uses *edges.Uses, depth int) bool {
	if t == nil || depth > 8 {
		return false
	}
	switch t.kind {
	case typeParameter:
		return r.open(r.constraint(t, uses), uses, depth+1)
	case typeUnion, typeIntersection:
		for _, a := range t.args {
			if !r.open(a, uses, depth+1) {
				return false
			}
		}
	}
	return true
}

func (r *Resolver) hitType(h *hit, uses *edges.Uses) *typ {
	t := h.typ
	if h.at.sym >= 0 {
		t = subst(r.valueOf(h.at, uses), h.bound)
		if t != nil && (t.kind == typeFunction || t.kind == typeSignature) && h.self != nil {
			c := *t
			c.self = h.self
			if t.kind == typeFunction {
				c.bound = rebound(t.bound, h.bound, 0)
			}
			t = &c
		}
	}
	if h.at.sym >= 0 {
		if s := r.symbol(h.at); s.Kind == facts.KindField && strings.Contains(s.Signature, s.Name+"?:") {
			t = optional(t)
		}
	}
	if h.likely {
		return unlikely(t)
	}
	return t
}
