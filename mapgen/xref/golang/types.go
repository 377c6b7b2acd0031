package golang

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// kind is the kind of a type, or of what else an expression can stand for.
type kind uint8

const (
	// unknown: nobody knows; a member of it may be guessed by its name.
	unknown kind = iota
	// external: defined outside the revision.
	external
	// basic: predeclared or a literal, without members.
	basic
	named
	pointer
	slice
	mapping
	channel
	function
	structure
	contract  // an interface
	parameter // a type parameter
	tuple     // several results
	meta      // an expression that is a type
	pack      // an expression that is a package
)

// typ is a type. Types are not changed once made.
type typ struct {
	kind kind
	// name is the path and name of an external type, the name of a type
	// parameter or of a basic type.
	name string
	// syms are the definitions of a named type; args its type arguments.
	syms []symRef
	args []*typ
	elem *typ // also what a meta names
	key  *typ
	pkg  *pkg // of a pack, and of an external type that is one of an unread file
	// fn is the signature of a function, list the results of a tuple, x the
	// constraint of a type parameter, each with the names that env sees.
	fn   *expr
	list []param
	x    *expr
	env  env
	// owner is the symbol whose children are the members of a struct or
	// interface; start and end are the bytes it spans where it has no owner.
	owner      symRef
	start, end uint32
}

var (
	unknownType  = &typ{kind: unknown}
	externalType = &typ{kind: external}
	basicType    = &typ{kind: basic}
	stringType   = &typ{kind: basic, name: "string"}
)

// nobody is the symbol of an owner that there is none of.
const nobody = -1

// env is where the names of a type expression or a shape are looked up.
type env struct {
	doc   int32
	owner symRef // of a type literal without a place
	// local is set inside the file that is being resolved: scope and at say where.
	local bool
	scope int32
	at    uint32
	binds *binds
}

// binds gives type parameters their meaning.
type binds struct {
	names []string
	types []*typ
	up    *binds
}

func (b *binds) get(name string) *typ {
	for ; b != nil; b = b.up {
		for i, n := range b.names {
			if n == name && i < len(b.types) {
				return b.types[i]
			}
		}
	}
	return nil
}

// parse is parseType, remembered.
func (r *Resolver) parse(s string) *expr {
	e, ok := r.exprs[s]
	if !ok {
		e = parseType(s)
		r.exprs[s] = e
	}
	return e
}

// typeText gives a type expression its meaning.
func (r *Resolver) typeText(s string, in env) *typ { return r.typeOf(r.parse(s), in) }

func (r *Resolver) typeOf(e *expr, in env) *typ {
	if e == nil || r.depth > maxNesting {
		return unknownType
	}
	r.depth++
	defer func() { r.depth-- }()
	switch e.form {
	case formName:
		return r.namedType(e, in)
	case formPointer:
		return &typ{kind: pointer, elem: r.typeOf(e.elem, in)}
	case formSlice:
		return &typ{kind: slice, elem: r.typeOf(e.elem, in)}
	case formMap:
		return &typ{kind: mapping, key: r.typeOf(e.key, in), elem: r.typeOf(e.elem, in)}
	case formChan:
		return &typ{kind: channel, elem: r.typeOf(e.elem, in)}
	case formFunc:
		return &typ{kind: function, fn: e, env: in}
	case formStruct:
		return &typ{kind: structure, owner: in.owner, start: e.start, end: e.end, env: in}
	case formInterface:
		return &typ{kind: contract, owner: in.owner, start: e.start, end: e.end, env: in}
	case formUnion:
		// The members agree on what can be done with them, if anything.
		return r.under(r.typeOf(e.args[0], in))
	}
	return unknownType
}

func (r *Resolver) namedType(e *expr, in env) *typ {
	if e.pkg != "" {
		if in.local {
			if b, _ := r.local.find(in.scope, in.at, e.pkg); b >= 0 {
				return unknownType // x.y that was no type
			}
		}
		i, ok := r.importOf(in.doc, e.pkg)
		if !ok {
			return externalType // an import whose name its path does not tell
		}
		p := r.imported(i)
		if p == nil {
			return &typ{kind: external, name: i.path + "." + e.name, args: r.typesOf(e.args, in)}
		}
		refs := r.typesIn(p, e.name, in.doc)
		if len(refs) == 0 {
			return unread(p, e.name)
		}
		return r.nominal(refs, r.typesOf(e.args, in))
	}
	if t := in.binds.get(e.name); t != nil {
		return t
	}
	if in.local {
		b, s := r.local.find(in.scope, in.at, e.name)
		if b >= 0 {
			return r.typeParameter(in.doc, b)
		}
		if s >= 0 {
			return r.nominal([]symRef{{in.doc, s}}, r.typesOf(e.args, in))
		}
	}
	if refs := r.visible(r.packageOf(in.doc).names[e.name], in.doc); len(refs) > 0 {
		return r.nominal(r.onlyTypes(refs), r.typesOf(e.args, in))
	}
	for _, d := range r.importsOf(in.doc).dots {
		r.uses.Key(d.key)
		if p := r.imported(d); p != nil {
			if refs := r.typesIn(p, e.name, in.doc); len(refs) > 0 {
				return r.nominal(refs, r.typesOf(e.args, in))
			}
		}
	}
	if t := universe(e.name); t != nil {
		return t
	}
	return unread(r.packageOf(in.doc), e.name)
}

// unread is a type of a package that none of its parsed files defines: some other
// file does, or a package behind a dot. Its methods may well be declared here.
func unread(p *pkg, name string) *typ { return &typ{kind: external, pkg: p, name: name} }

func universe(name string) *typ {
	switch name {
	case "string":
		return stringType
	case "any", "error", "comparable":
		return externalType // members of error are defined outside
	case "bool", "byte", "complex64", "complex128", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune",
		"uint", "uint8", "uint16", "uint32", "uint64", "uintptr":
		return basicType
	}
	return nil
}

func (r *Resolver) typesOf(list []*expr, in env) []*typ {
	if len(list) == 0 {
		return nil
	}
	out := make([]*typ, len(list))
	for i, e := range list {
		out[i] = r.typeOf(e, in)
	}
	return out
}

// imported is the package that an import leads to; nil outside the revision.
func (r *Resolver) imported(i imported) *pkg {
	r.uses.Key(i.key)
	if !i.in {
		return nil
	}
	return r.importable(i.dir)
}

func (r *Resolver) typesIn(p *pkg, name string, from int32) []symRef {
	return r.onlyTypes(r.visible(p.names[name], from))
}

func (r *Resolver) onlyTypes(refs []symRef) []symRef {
	for i, s := range refs {
		if isType(r.symbol(s).Kind) {
			continue
		}
		out := append([]symRef(nil), refs[:i]...)
		for _, s := range refs[i+1:] {
			if isType(r.symbol(s).Kind) {
				out = append(out, s)
			}
		}
		return out
	}
	return refs
}

func isType(k facts.Kind) bool {
	return k == facts.KindStruct || k == facts.KindInterface || k == facts.KindType
}

// nominal is the type that definitions name: itself, or what an alias stands for.
func (r *Resolver) nominal(syms []symRef, args []*typ) *typ {
	if len(syms) == 0 {
		return externalType
	}
	s := r.symbol(syms[0])
	if isAlias(s) {
		if s.Kind != facts.KindType {
			return &typ{kind: named, syms: syms, args: args}
		}
		if r.depth > maxNesting {
			return unknownType
		}
		r.depth++
		defer func() { r.depth-- }()
		return r.typeText(s.Type, r.inside(syms[0], args))
	}
	if args == nil && len(syms) == 1 {
		if t := r.plain[syms[0]]; t != nil {
			return t
		}
		t := &typ{kind: named, syms: syms}
		r.plain[syms[0]] = t
		return t
	}
	return &typ{kind: named, syms: syms, args: args}
}

// isAlias tells type A = B.
func isAlias(s *facts.Symbol) bool {
	rest, ok := strings.CutPrefix(s.Signature, "type "+s.Name)
	if !ok || s.Kind == facts.KindStruct || s.Kind == facts.KindInterface {
		return false
	}
	if strings.HasPrefix(rest, "[") {
		if i := strings.LastIndex(rest, "] = "); i >= 0 {
			rest = rest[i+1:]
		}
	}
	return strings.HasPrefix(rest, " = ")
}

// inside is the place of what a type declares, with its parameters bound.
func (r *Resolver) inside(s symRef, args []*typ) env {
	in := r.at(s)
	if params := r.typeParams(s); len(params) > 0 {
		in.binds = r.bind(params, args, in)
	}
	return in
}

// at is the place of a symbol: where its own types are written.
func (r *Resolver) at(s symRef) env {
	in := env{doc: s.doc, owner: s}
	if sym := r.symbol(s); sym.Flags&facts.InBody != 0 && s.doc == r.local.doc {
		in.local, in.at, in.scope = true, sym.NameSpan.Start, r.local.scopes.At(sym.NameSpan.Start)
	}
	return in
}

// bind binds type parameters to arguments, and to themselves without.
func (r *Resolver) bind(params []typeParam, args []*typ, in env) *binds {
	b := &binds{names: make([]string, len(params)), types: make([]*typ, len(params)), up: in.binds}
	inner := in
	inner.binds = b
	for i, p := range params {
		b.names[i] = p.name
		if i < len(args) {
			b.types[i] = args[i]
		} else {
			b.types[i] = &typ{kind: parameter, name: p.name, x: p.constraint, env: inner}
		}
	}
	return b
}

// typeParams are the type parameters of a type or function.
func (r *Resolver) typeParams(s symRef) []typeParam {
	if p, ok := r.generics[s]; ok {
		return p
	}
	sym := r.symbol(s)
	p := parseTypeParams(sym.Signature, sym.Name)
	r.generics[s] = p
	return p
}

// under is the underlying type.
func (r *Resolver) under(t *typ) *typ {
	for range 16 {
		switch t.kind {
		case named:
			s := t.syms[0]
			sym := r.symbol(s)
			switch sym.Kind {
			case facts.KindStruct:
				return &typ{kind: structure, owner: s, env: r.inside(s, t.args)}
			case facts.KindInterface:
				return &typ{kind: contract, owner: s, env: r.inside(s, t.args)}
			}
			t = r.typeText(sym.Type, r.inside(s, t.args))
		case parameter:
			if t.x == nil {
				return unknownType
			}
			t = r.typeOf(t.x, t.env)
		default:
			return t
		}
	}
	return unknownType
}

// value is what an expression of several results is where one is wanted.
func (r *Resolver) value(t *typ) *typ {
	if t.kind == tuple {
		return r.result(t, 0)
	}
	return t
}

// result is the n-th result. Comma-ok forms have one type and a boolean.
func (r *Resolver) result(t *typ, n int) *typ {
	switch {
	case t.kind == tuple && n < len(t.list):
		return r.typeOf(t.list[n].typ, t.env)
	case t.kind == external && t.name == "" || t.kind == unknown:
		return t
	case n == 0:
		return t
	}
	return basicType
}

// call is what a call of a value gives.
func (r *Resolver) call(t *typ) *typ {
	t = r.value(t)
	if t.kind == meta {
		return t.elem
	}
	switch t = r.under(t); t.kind {
	case function:
		switch len(t.fn.results) {
		case 0:
			return basicType
		case 1:
			return r.typeOf(t.fn.results[0].typ, t.env)
		}
		return &typ{kind: tuple, list: t.fn.results, env: t.env}
	case external:
		return r.externalCall(t, nil)
	}
	return unknownType
}

// index is what an index into a value gives.
func (r *Resolver) index(t *typ) *typ {
	t = r.under(deref(r.under(r.value(t))))
	switch t.kind {
	case slice, mapping:
		return t.elem
	case basic:
		return basicType
	case external:
		return externalType
	}
	return unknownType
}

func deref(t *typ) *typ {
	if t.kind == pointer {
		return t.elem
	}
	return t
}

// iterate is what range over a value yields: the n-th variable.
func (r *Resolver) iterate(t *typ, n int) *typ {
	over := r.value(t)
	t = r.under(deref(r.under(over)))
	switch t.kind {
	case slice:
		if n == 1 {
			return t.elem
		}
		return basicType
	case mapping:
		if n == 0 {
			return t.key
		}
		return t.elem
	case channel:
		return t.elem
	case function:
		if len(t.fn.params) == 1 {
			if y := r.under(r.typeOf(t.fn.params[0].typ, t.env)); y.kind == function && n < len(y.fn.params) {
				return r.typeOf(y.fn.params[n].typ, y.env)
			}
		}
		return unknownType
	case basic:
		if t != stringType {
			return over // a number
		}
		return basicType
	case external:
		return r.externalRange(t, n)
	}
	return unknownType
}

// functionType is the type of a function or method by its definition.
func (r *Resolver) functionType(s symRef, in env) *typ {
	fn, ok := r.signatures[s]
	if !ok {
		sym := r.symbol(s)
		fn = &expr{form: formFunc, results: parseResults(sym.Type)}
		for _, p := range sym.Params {
			text, variadic := strings.CutPrefix(p.Type, "...")
			fn.params = append(fn.params, param{p.Name, r.parse(text), variadic})
		}
		r.signatures[s] = fn
	}
	return &typ{kind: function, fn: fn, env: in}
}
