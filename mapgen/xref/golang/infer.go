package golang

import "strings"

// callWith is what a call gives, with the shapes of its arguments: a generic
// function has the type arguments that follow from them.
func (r *Resolver) callWith(t *typ, arguments string, in env) *typ {
	t = r.value(t)
	if arguments == "" {
		return r.call(t)
	}
	switch {
	case t.kind == function && t.fn != nil && t.env.binds == nil && r.isGeneric(t.env.owner):
		inner := t.env
		inner.binds = r.infer(t, arguments, in)
		return r.call(&typ{kind: function, fn: t.fn, env: inner})
	case t.kind == external && t.pkg == nil && externalGeneric(t.name):
		return r.externalCall(t, r.arguments(arguments, in))
	}
	return r.call(t)
}

// arguments gives each argument its type.
func (r *Resolver) arguments(text string, in env) []*typ {
	var out []*typ
	for _, s := range splitList(text) {
		out = append(out, r.value(r.shape(s, in)))
	}
	return out
}

// splitList cuts at the commas outside of brackets.
func splitList(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// slots are the type parameters to find.
type slots struct {
	params []typeParam
	found  []*typ
}

func (s *slots) index(name string) int {
	for i := range s.params {
		if s.params[i].name == name {
			return i
		}
	}
	return -1
}

// infer binds the type parameters of a function by the arguments of a call, then
// by the constraints of those that are known.
func (r *Resolver) infer(t *typ, arguments string, in env) *binds {
	s := &slots{params: r.typeParams(t.env.owner)}
	s.found = make([]*typ, len(s.params))
	for i, a := range r.arguments(arguments, in) {
		k := min(i, len(t.fn.params)-1)
		if k < 0 {
			break
		}
		p := t.fn.params[k]
		if i > k && !p.variadic {
			break
		}
		if p.variadic && i == len(t.fn.params)-1 && p.typ != nil {
			if u := r.under(a); u.kind == slice { // f(list...)
				r.unify(s, &expr{form: formSlice, elem: p.typ}, a, t.env)
				continue
			}
		}
		r.unify(s, p.typ, a, t.env)
	}
	for i, p := range s.params {
		if s.found[i] != nil && p.constraint != nil {
			r.unify(s, p.constraint, r.under(s.found[i]), t.env)
		}
	}
	b := r.bind(s.params, nil, t.env)
	for i, f := range s.found {
		if f != nil {
			b.types[i] = f
		}
	}
	return b
}

// unify finds what the parameters inside a type expression stand for where the
// expression has a given type.
func (r *Resolver) unify(s *slots, e *expr, t *typ, in env) {
	if e == nil || t == nil || t.kind == unknown || r.depth > maxNesting {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	if e.form == formName && e.pkg == "" {
		if i := s.index(e.name); i >= 0 {
			if s.found[i] == nil && t.kind != meta && t.kind != pack && t.kind != tuple {
				s.found[i] = t
			}
			return
		}
	}
	switch e.form {
	case formName:
		if len(e.args) == 0 {
			return
		}
		want := r.typeOf(&expr{form: formName, pkg: e.pkg, name: e.name}, in)
		if t.kind == pointer {
			return
		}
		if (t.kind == named || t.kind == external) && len(t.args) > 0 && sameName(want, t) {
			for i, a := range e.args {
				if i < len(t.args) {
					r.unify(s, a, t.args[i], in)
				}
			}
			return
		}
		// A function or a slice where a named type of that form is asked for.
		if want.kind == named && t.kind != named {
			r.unifyUnder(s, e, want, t)
		}
	case formPointer:
		if t = r.underOf(t, pointer); t.kind == pointer {
			r.unify(s, e.elem, t.elem, in)
		}
	case formSlice:
		if t = r.underOf(t, slice); t.kind == slice {
			r.unify(s, e.elem, t.elem, in)
		}
	case formChan:
		if t = r.underOf(t, channel); t.kind == channel {
			r.unify(s, e.elem, t.elem, in)
		}
	case formMap:
		if t = r.underOf(t, mapping); t.kind == mapping {
			r.unify(s, e.key, t.key, in)
			r.unify(s, e.elem, t.elem, in)
		}
	case formFunc:
		if t = r.underOf(t, function); t.kind == function && t.fn != nil {
			r.unifyLists(s, e.params, t.fn.params, t, in)
			r.unifyLists(s, e.results, t.fn.results, t, in)
		}
	}
}

func (r *Resolver) unifyLists(s *slots, want, have []param, t *typ, in env) {
	for i := range want {
		if i < len(have) && have[i].typ != nil {
			r.unify(s, want[i].typ, r.typeOf(have[i].typ, t.env), in)
		}
	}
}

// unifyUnder takes type F[A] func(A) apart where a plain function is given.
func (r *Resolver) unifyUnder(s *slots, e *expr, want, t *typ) {
	owner := want.syms[0]
	inner := &slots{params: r.typeParams(owner)}
	if len(inner.params) == 0 {
		return
	}
	inner.found = make([]*typ, len(inner.params))
	r.unify(inner, r.parse(r.symbol(owner).Type), t, r.at(owner))
	for i, a := range e.args {
		if i < len(inner.found) && inner.found[i] != nil {
			r.unify(s, a, inner.found[i], r.at(owner))
		}
	}
}

// underOf is the type itself where it has the kind, else its underlying type.
func (r *Resolver) underOf(t *typ, k kind) *typ {
	if t.kind == k {
		return t
	}
	return r.under(t)
}

func sameName(a, b *typ) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind == named {
		return a.syms[0] == b.syms[0]
	}
	return a.name == b.name && a.name != "" && a.pkg == b.pkg
}
