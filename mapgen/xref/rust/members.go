package rust

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

type memberName struct {
	typ  def
	name string
}

// member is an associated item or field of a type.
type member struct {
	def def
	// trait tells that it is the trait's own.
	trait bool
}

const (
	// maxMembers bounds how many items of one name a type has, maxTraits how many
	// traits it implements.
	maxMembers = 200
	maxTraits  = 100
)

// members are the fields, variants and associated items of a name that a type or
// trait has. Of a type those of its own blocks come first and hide those of
// traits, and what a block of a trait has hides what the trait has.
func (r *Resolver) members(typ def, name string, uses *edges.Uses) []member {
	return r.found.Get(memberName{typ, name}, uses, func(uses *edges.Uses) []member {
		var out []member
		for _, d := range r.children(typ, name, uses) {
			out = append(out, member{d, r.symbol(typ).Kind == facts.KindInterface})
		}
		if r.symbol(typ).Kind == facts.KindInterface {
			if len(out) == 0 {
				for _, t := range r.supertraits(typ, uses) {
					out = append(out, r.members(t, name, uses)...)
				}
			}
			return append(out, r.inherent(typ, name, uses)...)
		}
		if own := r.inherent(typ, name, uses); len(own) > 0 {
			return append(out, own...)
		}
		if len(out) > 0 {
			return out
		}
		return r.ofTraits(typ, name, uses)
	})
}

// inherent are the items of a name in the impl blocks of a type: of those that
// implement no trait, or else of those that do.
func (r *Resolver) inherent(typ def, name string, uses *edges.Uses) []member {
	owner := r.symbol(typ).Name
	uses.Key(ownedKey + owner + "." + name)
	var own, traits []member
	for _, d := range r.owned[ownedName{owner, name}] {
		if len(own)+len(traits) >= maxMembers {
			break
		}
		if !slices.Contains(r.selfDefs(d, uses), typ) {
			continue
		}
		if r.header(r.symbol(d).Init).trait == nil {
			own = append(own, member{def: d})
		} else {
			traits = append(traits, member{def: d})
		}
	}
	if len(own) > 0 {
		return own
	}
	return traits
}

// foreign are the items of a name in the impl blocks of a type of a library.
func (r *Resolver) foreign(typ, name string, uses *edges.Uses) []member {
	uses.Key(ownedKey + typ + "." + name)
	var out []member
	for _, d := range r.owned[ownedName{typ, name}] {
		h := r.header(r.symbol(d).Init)
		last := ""
		if n := len(h.self.path); n > 0 {
			last = h.self.path[n-1]
		}
		if last == typ && len(out) < maxMembers && !isParam(h.params, last) && len(r.selfDefs(d, uses)) == 0 {
			out = append(out, member{def: d})
		}
	}
	return out
}

// suits tells whether the arguments of the type of an impl block allow a type:
// impl Link for Arc<Node> is not for every Arc.
func (p place) suits(item def, t *typ) bool {
	pattern := p.deeper(item).typeOf(p.r.header(p.r.symbol(item).Init).self)
	for i, a := range pattern.args {
		if b := t.arg(i); a.kind != variable && (a.kind != b.kind || a.def != b.def || a.name != b.name) {
			return false
		}
	}
	return true
}

func isParam(params []param, name string) bool {
	return slices.ContainsFunc(params, func(q param) bool { return q.name == name })
}

// selfDefs are the definitions that the type of the impl block of an item means.
func (r *Resolver) selfDefs(item def, uses *edges.Uses) []def {
	return r.selfs.Get(item, uses, func(uses *edges.Uses) []def { return r.readSelf(item, uses) })
}

func (r *Resolver) readSelf(item def, uses *edges.Uses) []def {
	h := r.header(r.symbol(item).Init)
	t := h.self
	if len(t.bounds) > 0 {
		t = t.bounds[0]
	}
	if len(t.path) == 0 {
		return nil
	}
	if len(t.path) == 1 && isParam(h.params, t.path[0]) {
		return nil // for all types
	}
	return r.aliased(r.typesOf(r.path(item.doc, r.symbol(item).Parent, t.path, uses).defs), uses)
}

// aliased puts what aliases stand for in their place.
func (r *Resolver) aliased(list []def, uses *edges.Uses) []def {
	var out []def
	for _, d := range list {
		if s := r.symbol(d); s.Kind == facts.KindType && s.Flags&facts.Abstract == 0 {
			if t := r.at(d, uses).deeper(d).typeOf(r.typeText(s.Type)); t.kind == instance {
				out = append(out, t.def)
			}
			continue
		}
		out = append(out, d)
	}
	return out
}

// supertraits are the traits that a trait demands.
func (r *Resolver) supertraits(trait def, uses *edges.Uses) []def {
	var out []def
	s := r.symbol(trait)
	for _, b := range s.Bases[:min(len(s.Bases), maxTraits)] {
		out = append(out, r.traitsAt(trait.doc, s.Parent, r.typeText(b), uses)...)
	}
	return out
}

// traitsAt are the traits that an expression names at a place.
func (r *Resolver) traitsAt(doc, sym int32, t *text, uses *edges.Uses) []def {
	if t == nil || len(t.path) == 0 {
		return nil
	}
	var out []def
	for _, d := range r.path(doc, sym, t.path, uses).defs {
		if d.sym >= 0 && r.symbol(d).Kind == facts.KindInterface {
			out = append(out, d)
		}
	}
	return out
}

// traits are those that a type is known to implement: by the blocks in its own
// file, which are its bases, and by other blocks that hold something.
func (r *Resolver) traits(typ def, uses *edges.Uses) []def {
	return r.has.Get(typ, uses, func(uses *edges.Uses) []def { return r.readTraits(typ, uses) })
}

func (r *Resolver) readTraits(typ def, uses *edges.Uses) []def {
	s := r.symbol(typ)
	uses.Doc(int(typ.doc))
	uses.Key(traitsKey + s.Name)
	var out []def
	for _, b := range s.Bases[:min(len(s.Bases), maxTraits)] {
		out = append(out, r.traitsAt(typ.doc, s.Parent, r.typeText(b), uses)...)
	}
	for _, d := range r.implementing[s.Name] {
		if len(out) >= maxTraits {
			break
		}
		if slices.Contains(r.selfDefs(d, uses), typ) {
			out = append(out, r.traitsAt(d.doc, r.symbol(d).Parent, r.header(r.symbol(d).Init).trait, uses)...)
		}
	}
	return distinct(out)
}

func distinct(list []def) []def {
	var out []def
	for _, d := range list {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// ofTraits are the items that a type has from the traits that it implements.
func (r *Resolver) ofTraits(typ def, name string, uses *edges.Uses) []member {
	var out []member
	for _, t := range r.traits(typ, uses) {
		for _, m := range r.members(t, name, uses) {
			if !slices.Contains(out, m) && len(out) < maxMembers {
				out = append(out, m)
			}
		}
	}
	return out
}

// associated are the items of a name behind the path of a type.
func (r *Resolver) associated(d def, name string, uses *edges.Uses) []def {
	s := r.symbol(d)
	if s.Kind == facts.KindType {
		if s.Flags&facts.Abstract != 0 {
			var out []def
			t := r.at(d, uses).abstract(d)
			for _, b := range t.bounds {
				if b.kind == instance {
					out = append(out, r.associated(b.def, name, uses)...)
				}
			}
			return out
		}
		t := r.at(d, uses).deeper(d).typeOf(r.typeText(s.Type))
		if t.kind != instance || t.def == d {
			return nil
		}
		return r.associatedOf(t.def, name, uses)
	}
	return r.associatedOf(d, name, uses)
}

func (r *Resolver) associatedOf(d def, name string, uses *edges.Uses) []def {
	if k := r.symbol(d).Kind; !isType(k) || k == facts.KindType {
		return nil
	}
	var out []def
	for _, m := range r.members(d, name, uses) {
		if r.symbol(m.def).Kind != facts.KindField {
			out = append(out, m.def)
		}
	}
	return out
}

// found is a member of a value, with the value that has it: not the one asked
// where that one leads to it by Deref or a wrapper.
type found struct {
	member
	recv *typ
	weak bool
}

// maxDeref bounds how many wrappers are looked through.
const maxDeref = 6

// membersOf are the members of a name that a value has. fields and methods have
// names of their own.
func (p place) membersOf(t *typ, name string, method bool) []found {
	for range maxDeref {
		if list := p.direct(t, name, method); len(list) > 0 {
			return list
		}
		next := p.deref(t)
		if next == nil {
			return nil
		}
		t = next
	}
	return nil
}

func (p place) direct(t *typ, name string, method bool) []found {
	var out []found
	add := func(list []member, recv *typ, weak bool) {
		for _, m := range list {
			if isFunction(p.r.symbol(m.def).Kind) == method {
				out = append(out, found{m, recv, weak})
			}
		}
	}
	switch t.kind {
	case instance:
		add(p.r.members(t.def, name, p.uses), t, t.weak)
	case external:
		if method && t.name != "" {
			// The type may have a method of the name itself, which would hide it.
			for _, m := range p.r.foreign(t.name, name, p.uses) {
				if p.suits(m.def, t) {
					add([]member{m}, t, true)
				}
			}
		}
	case variable:
		for _, b := range t.bounds {
			if b.kind == instance {
				c := *t
				c.args, c.assoc, c.via = b.args, b.assoc, t.via
				if c.via == "" {
					c.via = viaBound
				}
				add(p.r.members(b.def, name, p.uses), &c, t.weak)
			}
		}
	}
	return out
}

// deref is what a value leads to when it has no such member itself, or nil.
func (p place) deref(t *typ) *typ {
	switch t.kind {
	case external:
		if wraps(t.name) && len(t.args) > 0 {
			return t.args[0]
		}
	case instance:
		for _, m := range p.r.members(t.def, "Target", p.uses) {
			s := p.r.symbol(m.def)
			h := (*header)(nil)
			if s.Kind == facts.KindType && isOwned(p.r.file(m.def.doc), m.def.sym) {
				h = p.r.header(s.Init)
			}
			if h != nil && h.trait != nil && len(h.trait.path) > 0 && h.trait.path[len(h.trait.path)-1] == "Deref" {
				return p.typeOfMember(found{member: m, recv: t})
			}
		}
	case variable:
		for _, b := range t.bounds {
			if b.kind == instance && p.r.symbol(b.def).Kind != facts.KindInterface {
				if next := p.deref(b); next != nil {
					return next
				}
			}
			if b.kind == external && (b.name == "Deref" || b.name == "DerefMut" || b.name == "AsRef") && len(b.args) > 0 {
				return b.args[0]
			}
		}
	}
	return nil
}

// assocType is the associated type of a name that a type has.
func (p place) assocType(t *typ, name string) *typ {
	if p.depth > maxTypeDepth {
		return unknownType
	}
	p.depth++
	switch t.kind {
	case instance:
		for _, m := range p.r.members(t.def, name, p.uses) {
			if p.r.symbol(m.def).Kind == facts.KindType {
				return p.typeOfMember(found{member: m, recv: t})
			}
		}
		return externalType
	case variable:
		for _, b := range t.bounds {
			for _, a := range b.assoc {
				if a.name == name {
					return a.typ
				}
			}
			if b.kind == external && len(b.args) > 0 && (name == "Item" || name == "Output" || name == "Target") {
				return b.args[0]
			}
		}
		for _, b := range t.bounds {
			if b.kind != instance {
				continue
			}
			for _, m := range p.r.members(b.def, name, p.uses) {
				if p.r.symbol(m.def).Kind == facts.KindType {
					return p.typeOfMember(found{member: m, recv: t})
				}
			}
		}
	case external:
		if name == "Item" {
			return item(t)
		}
		return externalType
	}
	return unknownType
}

// typeOfMember is the type of a field or constant, the result of a method, or
// what an associated type stands for, with the arguments of the value that has
// it put in place.
func (p place) typeOfMember(m found) *typ {
	s := p.r.symbol(m.def)
	p.uses.Doc(int(m.def.doc))
	in := p.deeper(m.def)
	var t *typ
	via := viaField
	switch {
	case s.Kind == facts.KindEnumMember:
		return &typ{kind: instance, def: def{m.def.doc, s.Parent}, via: viaVariant}
	case s.Kind == facts.KindType && s.Flags&facts.Abstract != 0:
		t = in.abstract(m.def)
	case isFunction(s.Kind):
		via = viaResult
		if s.Type == "" {
			return externalOf("()")
		}
		t = in.typeOf(p.r.typeText(s.Type))
	default:
		t = in.typeOf(p.r.typeText(s.Type))
	}
	return learned(weakenedIf(p.fit(t, m), m.weak), via)
}

// fit puts the type arguments of the value that has a member into a type that
// stands in the member.
func (p place) fit(t *typ, m found) *typ {
	f := p.r.file(m.def.doc)
	s := &f.Symbols[m.def.sym]
	recv := m.recv
	if recv != nil {
		switch {
		case isOwned(f, m.def.sym):
			h := p.r.header(s.Init)
			if len(h.params) > 0 && len(recv.args) > 0 {
				pattern := p.deeper(m.def).typeOf(h.self)
				t = substitute(t, m.def, unify(pattern, recv, m.def, nil, 0), 0)
			}
		case s.Parent >= 0:
			owner := def{m.def.doc, s.Parent}
			if f.Symbols[owner.sym].Kind == facts.KindEnumMember {
				owner.sym = f.Symbols[owner.sym].Parent
			}
			if owner.sym < 0 {
				break
			}
			var with []binding
			if recv.kind == variable || recv.def == owner {
				with = bindAll(p.r.ownParams(owner), recv.args)
			}
			if m.trait {
				with = append(with, binding{"Self", recv})
			}
			t = substitute(t, owner, with, 0)
		}
	}
	if isFunction(s.Kind) {
		t = forget(t, m.def, 0)
	}
	return t
}
