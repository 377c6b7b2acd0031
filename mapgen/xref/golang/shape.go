package golang

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// shape gives the shape of an expression its type. It reads the grammar of the
// package lang and what the Go row adds to it: instantiations f[T](), calls
// f(x, y) with the shapes of their arguments, receiving x[<-], keys of maps
// T{}[#]{}, type literals by their place.
func (r *Resolver) shape(s string, in env) *typ {
	if r.depth > maxNesting {
		r.cut++
		return unknownType
	}
	r.depth++
	defer func() { r.depth-- }()
	if rest, ok := strings.CutPrefix(s, "range "); ok {
		n := 0
		if i := strings.LastIndexByte(rest, '#'); i >= 0 {
			if k, err := strconv.Atoi(rest[i+1:]); err == nil {
				rest, n = rest[:i], k
			}
		}
		return r.iterate(r.shape(rest, in), n)
	}
	if s != "" && s[0] == '&' {
		return addressOf(r.shape(s[1:], in))
	}
	if s != "" && s[0] == '*' {
		return r.indirect(r.shape(s[1:], in))
	}
	t, at := r.start(s, in)
	for at < len(s) && t.kind != unknown {
		t, at = r.step(s, at, t, in)
	}
	return t
}

func addressOf(t *typ) *typ {
	if t.kind == external || t.kind == unknown {
		return t
	}
	return &typ{kind: pointer, elem: t}
}

// indirect is *x, or the type *T where x is a type.
func (r *Resolver) indirect(t *typ) *typ {
	t = r.value(t)
	if t.kind == meta {
		return &typ{kind: meta, elem: &typ{kind: pointer, elem: t.elem}}
	}
	if t.kind == named || t.kind == parameter {
		if u := r.under(t); u.kind == pointer {
			return u.elem
		}
	}
	return deref(t)
}

// start reads what a shape begins with.
func (r *Resolver) start(s string, in env) (*typ, int) {
	switch {
	case s == "" || s[0] == '?':
		return unknownType, len(s)
	case strings.HasPrefix(s, `""`):
		return stringType, 2
	case s[0] == '0':
		return basicType, 1
	case s[0] == '(':
		end := closing(s, 0)
		if end < 0 {
			return unknownType, len(s)
		}
		return r.typeText(s[1:end], in), end + 1
	}
	p := typeParser{s: s}
	if s[0] == '[' || s[0] == '<' || strings.HasPrefix(s, "map[") || p.word("chan") || p.word("struct") || p.word("interface") || p.word("func") {
		p.at = 0
		e := p.typ()
		if e == nil {
			return unknownType, len(s)
		}
		t := r.typeOf(e, in)
		if e.form == formFunc && !strings.HasPrefix(s[p.at:], "{}") {
			return t, p.at // a function literal
		}
		return &typ{kind: meta, elem: t}, p.at
	}
	name := p.identifier()
	if name == "" {
		return unknownType, len(s)
	}
	return r.root(name, in), p.at
}

// step reads one step of a chain.
func (r *Resolver) step(s string, at int, t *typ, in env) (*typ, int) {
	rest := s[at:]
	switch {
	case strings.HasPrefix(rest, "{}"):
		return r.literalOf(t), at + 2
	case rest[0] == '(':
		end := closing(s, at)
		if end < 0 {
			return unknownType, len(s)
		}
		return r.callWith(t, s[at+1:end], in), end + 1
	case rest[0] == '.':
		p := typeParser{s: s, at: at + 1}
		name := p.identifier()
		if name == "" {
			return unknownType, len(s)
		}
		return r.selected(t, name, in.doc), p.at
	case rest[0] == '#':
		p := typeParser{s: s, at: at + 1}
		n, err := strconv.Atoi(p.identifier())
		if err != nil {
			return unknownType, len(s)
		}
		return r.result(t, n), p.at
	case rest[0] == '[':
		end := closing(s, at)
		if end < 0 {
			return unknownType, len(s)
		}
		return r.bracket(t, s[at:end+1], in), end + 1
	}
	return unknownType, len(s)
}

// bracket reads an index, a slice, a receive, or an instantiation.
func (r *Resolver) bracket(t *typ, text string, in env) *typ {
	switch text {
	case "[]":
		return r.index(t)
	case "[:]":
		u := r.under(deref(r.under(r.value(t))))
		if u.kind == slice && t.kind == pointer {
			return u // of an array
		}
		return t
	case "[<-]":
		u := r.under(r.value(t))
		if u.kind == channel {
			return u.elem
		}
		if u.kind == external {
			return externalType
		}
		return unknownType
	case "[#]":
		if u := r.under(r.value(t)); u.kind == mapping {
			return u.key
		}
		return unknownType
	}
	switch {
	case t.kind == meta && t.elem.kind == named:
		return &typ{kind: meta, elem: &typ{kind: named, syms: t.elem.syms, args: r.typeArguments(text, in)}}
	case t.kind == meta && t.elem.kind == external:
		return &typ{kind: meta, elem: &typ{kind: external, name: t.elem.name, args: r.typeArguments(text, in)}}
	case t.kind == external && len(t.args) == 0 && externalGeneric(t.name):
		return &typ{kind: external, name: t.name, args: r.typeArguments(text, in)}
	case t.kind == function && t.fn != nil && t.env.binds == nil && r.isGeneric(t.env.owner):
		params := r.typeParams(t.env.owner)
		inner := t.env
		inner.binds = r.bind(params, r.typeArguments(text, in), t.env)
		return &typ{kind: function, fn: t.fn, env: inner}
	}
	return r.index(t)
}

func (r *Resolver) isGeneric(s symRef) bool {
	return s.sym != nobody && r.symbol(s).Kind == facts.KindFunction && len(r.typeParams(s)) > 0
}

func (r *Resolver) typeArguments(text string, in env) []*typ {
	p := typeParser{s: text}
	return r.typesOf(p.arguments(), in)
}

// literalOf is the value of a composite literal: of a type, or of the element of
// one where the type is left out.
func (r *Resolver) literalOf(t *typ) *typ {
	if t.kind == meta {
		return t.elem
	}
	return deref(t)
}

// closing is the index of the bracket that closes the one at a position, or -1.
func closing(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// root is what a bare name stands for.
func (r *Resolver) root(name string, in env) *typ {
	if t := in.binds.get(name); t != nil {
		return &typ{kind: meta, elem: t}
	}
	if in.local {
		b, s := r.local.find(in.scope, in.at, name)
		if b >= 0 {
			return r.bindingType(b)
		}
		if s >= 0 {
			return &typ{kind: meta, elem: r.nominal([]symRef{{in.doc, s}}, nil)}
		}
	}
	if refs := r.visible(r.packageOf(in.doc).names[name], in.doc); len(refs) > 0 {
		return r.definition(refs)
	}
	if i, ok := r.importOf(in.doc, name); ok {
		if p := r.imported(i); p != nil {
			return &typ{kind: pack, pkg: p}
		}
		return &typ{kind: external, name: i.path}
	}
	for _, d := range r.importsOf(in.doc).dots {
		if p := r.imported(d); p != nil {
			if refs := r.visible(p.names[name], in.doc); len(refs) > 0 && isExported(name) {
				return r.definition(refs)
			}
		}
	}
	switch name {
	case "min", "max":
		return &typ{kind: external, name: name}
	case "nil", "true", "false", "iota", "len", "cap", "copy", "real", "imag", "complex", "recover", "print", "println", "panic":
		return basicType
	}
	if t := universe(name); t != nil {
		return &typ{kind: meta, elem: t}
	}
	// An import whose name its path does not tell, or a file that was not parsed:
	// there is no other place that a name can come from.
	return unread(r.packageOf(in.doc), name)
}

// definition is the type of what package-level definitions of one name define.
func (r *Resolver) definition(refs []symRef) *typ {
	s := refs[0]
	switch sym := r.symbol(s); {
	case isType(sym.Kind):
		return &typ{kind: meta, elem: r.nominal(r.onlyTypes(refs), nil)}
	case sym.Kind == facts.KindFunction:
		return r.functionType(s, r.at(s))
	case sym.Kind == facts.KindVariable || sym.Kind == facts.KindConstant:
		return r.variable(s)
	}
	return unknownType
}

// inferred is the type of a variable, and whether it is unsure.
type inferred struct {
	t      *typ
	unsure bool
}

// variable is the type of a variable or constant of a package.
func (r *Resolver) variable(s symRef) *typ {
	v := r.variables.Get(s, r.uses, func(own *uses) (v inferred) {
		outer, depth, unsure := r.uses, r.depth, r.unsure
		r.uses, r.depth, r.unsure = own, 0, false
		defer func() { r.uses, r.depth, r.unsure = outer, depth, unsure }()
		sym := r.symbol(s)
		in := env{doc: s.doc, owner: s}
		switch {
		case sym.Type != "":
			v.t = r.typeText(sym.Type, in)
		case sym.Init != "":
			v.t = r.value(r.shape(sym.Init, in))
			v.unsure = r.unsure
		}
		return v
	})
	r.unsure = r.unsure || v.unsure
	if v.t == nil { // it has none, or leads back to itself
		return unknownType
	}
	return v.t
}

// selected is the type of x.name.
func (r *Resolver) selected(t *typ, name string, from int32) *typ {
	t = r.value(t)
	switch {
	case t.kind == pack:
		if refs := r.visible(t.pkg.names[name], from); len(refs) > 0 {
			return r.definition(refs)
		}
		return unread(t.pkg, name)
	case t.kind == external && t.pkg == nil:
		return externalMember(t, name)
	}
	m := r.member(t, name, from)
	if len(m.syms) == 0 {
		return m.t
	}
	r.unsure = r.unsure || m.hidden
	if t.kind == meta && m.t.kind == function {
		// A method expression takes the receiver first, but gives the same.
		return m.t
	}
	return m.t
}
