package golang

import (
	"github.com/project-map/project-map/indexer/facts"
)

// found is what a search for a member found.
type found struct {
	syms []symRef
	t    *typ
	rule string
	// state tells why there is nothing: the type is external or unknown, or it
	// has no such member.
	state kind
	// hidden: an external embedded type may have a member of that name that is
	// nearer.
	hidden bool
}

// maxEmbedding bounds the depth of embedding that is searched.
const maxEmbedding = 8

// member searches the field or method that a selector names: at the shallowest
// depth, as the language says. from is the document that asks.
func (r *Resolver) member(t *typ, name string, from int32) found {
	t = r.value(t)
	if t.kind == meta {
		t = t.elem
	}
	level := []*typ{deref(t)}
	if t.kind == named { // type P *T has the fields of T
		if u := r.under(t); u.kind == pointer {
			level = append(level, u.elem)
		}
	}
	var seen map[symRef]bool
	state, unsure := basic, false
	outside, outsider := -1, externalType // the least depth of an external type, and that type
	for depth := 0; depth < maxEmbedding && len(level) > 0; depth++ {
		var next []*typ
		var out found
		partly := false // a method may stand in a file that was not parsed
		for _, t := range level {
			switch t.kind {
			case unknown:
				if state != external {
					state = unknown
				}
			case external:
				if t.pkg != nil && r.declaredMethod(t.pkg, t.name, name, from, &out) {
					continue
				}
				if depth == 0 {
					return found{state: external, t: externalMember(t, name)}
				}
				state = external
				if outside < 0 {
					outside, outsider = depth, t
				}
			case named:
				if seen[t.syms[0]] {
					continue
				}
				if seen == nil {
					seen = map[symRef]bool{}
				}
				seen[t.syms[0]] = true
				for i := range t.syms {
					one := t
					if len(t.syms) > 1 {
						one = &typ{kind: named, syms: t.syms[i : i+1], args: t.args}
					}
					if !r.method(one, name, from, &out) {
						next = r.literalMember(r.under(one), name, &out, next)
						if len(r.unparsed[r.sources[one.syms[0].doc].dir]) > 0 {
							partly = true
						}
					}
				}
			case parameter:
				u := r.under(t)
				if u.kind == unknown && state != external {
					state = unknown
				}
				if n := len(out.syms); true {
					next = r.literalMember(u, name, &out, next)
					if len(out.syms) > n {
						out.rule = ruleConstraint
					}
				}
			case structure, contract:
				next = r.literalMember(t, name, &out, next)
			}
		}
		if len(out.syms) > 0 {
			if depth > 0 {
				out.rule = rulePromoted
				out.hidden = unsure || outside >= 0 && outside < depth && isExported(name)
			}
			return out
		}
		level, unsure = next, unsure || partly
	}
	if state == external {
		return found{state: external, t: externalMember(outsider, name)}
	}
	return found{state: state, t: unknownType}
}

// method looks for a method that is declared for a named type.
func (r *Resolver) method(t *typ, name string, from int32, out *found) bool {
	s := t.syms[0]
	sym := r.symbol(s)
	if sym.Flags&facts.InBody != 0 {
		return false // local types have no methods
	}
	first := len(out.syms)
	known := out.t
	if !r.declaredMethod(r.packageOf(s.doc), sym.Name, name, from, out) {
		return false
	}
	if m := out.syms[min(first, len(out.syms)-1)]; known == nil {
		if names := receiverParams(r.symbol(m).Signature); names != nil {
			in := env{doc: m.doc, owner: m, binds: r.receiverBinds(names, s, t.args)}
			out.t = r.functionType(m, in)
		}
	}
	return true
}

// declaredMethod looks for a method by the name of its receiver.
func (r *Resolver) declaredMethod(p *pkg, container, name string, from int32, out *found) bool {
	r.uses.Key(p.key)
	refs := r.visible(p.methods[methodName{container, name}], from)
	for _, m := range refs {
		out.add(m)
	}
	if len(refs) > 0 && out.t == nil {
		out.t, out.rule = r.functionType(refs[0], env{doc: refs[0].doc, owner: refs[0]}), ruleMethod
	}
	return len(refs) > 0
}

// receiverBinds binds the names that a method gives to the type parameters of
// its receiver.
func (r *Resolver) receiverBinds(names []string, owner symRef, args []*typ) *binds {
	params := r.typeParams(owner)
	if args == nil {
		in := r.at(owner)
		args = r.bind(params, nil, in).types
	}
	return &binds{names: names, types: args}
}

// literalMember looks for a field of a struct or a method of an interface, and
// adds what they embed to the types to search next.
func (r *Resolver) literalMember(t *typ, name string, out *found, next []*typ) []*typ {
	switch t.kind {
	case structure:
		r.fields(t, func(f symRef, s *facts.Symbol) bool {
			if s.Name == name {
				out.add(f)
				if out.t == nil {
					out.t, out.rule = r.fieldType(f, s, t.env), ruleField
				}
			}
			if isEmbedded(s) && len(out.syms) == 0 {
				next = append(next, deref(r.fieldType(f, s, t.env)))
			}
			return true
		})
	case contract:
		for f := range r.contractMethods(t) {
			s := r.symbol(f)
			if s.Name == name {
				out.add(f)
				if out.t == nil {
					in := t.env
					in.owner = f
					out.t, out.rule = r.functionType(f, in), ruleInterface
				}
			}
		}
		if t.end == 0 && t.owner.sym != nobody && len(out.syms) == 0 {
			for _, b := range r.symbol(t.owner).Bases {
				e := r.parse(b)
				if e != nil && e.form == formPointer { // interface{ *T; M() }
					e = e.elem
				}
				next = append(next, r.typeOf(e, t.env))
			}
		}
	case unknown, external, named, pointer:
		next = append(next, deref(t))
	}
	return next
}

func (f *found) add(s symRef) {
	for _, o := range f.syms {
		if o == s {
			return
		}
	}
	f.syms = append(f.syms, s)
}

// isEmbedded tells an embedded field, whose declaration is its type alone.
func isEmbedded(s *facts.Symbol) bool { return s.Signature == s.Type }

func isExported(name string) bool {
	return name != "" && (name[0] >= 'A' && name[0] <= 'Z' || name[0] >= 0x80)
}

// fields yields the fields of a struct.
func (r *Resolver) fields(t *typ, yield func(f symRef, s *facts.Symbol) bool) {
	if t.end == 0 {
		r.literalChildren(t.owner, facts.KindField, yield)
		return
	}
	for c := range r.between(t, facts.KindField) {
		if !yield(c, r.symbol(c)) {
			return
		}
	}
}

func (r *Resolver) contractMethods(t *typ) func(yield func(symRef) bool) {
	if t.end != 0 {
		return r.between(t, facts.KindMethod)
	}
	return func(yield func(symRef) bool) {
		r.literalChildren(t.owner, facts.KindMethod, func(c symRef, _ *facts.Symbol) bool { return yield(c) })
	}
}

// literalChildren yields the members of the type literal of a symbol. Those of a
// function's signature stand in it, unlike those of literals in its body.
func (r *Resolver) literalChildren(owner symRef, kind facts.Kind, yield func(c symRef, s *facts.Symbol) bool) {
	if owner.sym == nobody {
		return
	}
	owner = r.sharedOwner(owner)
	end := ^uint32(0)
	if o := r.symbol(owner); o.Kind == facts.KindFunction || o.Kind == facts.KindMethod {
		end = o.Span.Start + uint32(len(o.Signature))
	}
	r.children(owner, func(c symRef, s *facts.Symbol) bool {
		return s.Kind != kind || s.Span.Start >= end || yield(c, s)
	})
}

// sharedOwner is the first of several names that share one type literal: its
// members stand there.
func (r *Resolver) sharedOwner(s symRef) symRef {
	symbols := r.p.Files[s.doc].File.Symbols
	own := &symbols[s.sym]
	for s.sym > 0 {
		before := &symbols[s.sym-1]
		if before.Span != own.Span || before.Parent != own.Parent || before.Kind != own.Kind {
			break
		}
		s.sym--
	}
	return s
}

// between yields the members of a type literal by the bytes that it spans.
func (r *Resolver) between(t *typ, kind facts.Kind) func(yield func(symRef) bool) {
	doc := t.env.doc
	symbols := r.p.Files[doc].File.Symbols
	return func(yield func(symRef) bool) {
		outer, set := int32(0), false
		for i := firstFrom(symbols, t.start); i < len(symbols) && symbols[i].Span.Start < t.end; i++ {
			s := &symbols[i]
			if !set { // members of members have other parents
				outer, set = s.Parent, true
			}
			if s.Parent == outer && s.Kind == kind && !yield(symRef{doc, int32(i)}) {
				return
			}
		}
	}
}

// firstFrom is the first symbol that starts at or behind an offset; symbols are
// sorted by place.
func firstFrom(symbols []facts.Symbol, at uint32) int {
	lo, hi := 0, len(symbols)
	for lo < hi {
		if m := (lo + hi) / 2; symbols[m].Span.Start < at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// fieldType is the type of a field.
func (r *Resolver) fieldType(f symRef, s *facts.Symbol, in env) *typ {
	in.owner = f
	if in.local {
		in.at = s.NameSpan.Start
	}
	return r.typeText(s.Type, in)
}
