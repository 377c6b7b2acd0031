package script

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// expression parses the text of a type, once.
func (r *Resolver) expression(text string) *expr {
	e := r.exprs[text]
	if e == nil {
		e = parseType(text)
		r.exprs[text] = e
	}
	return e
}

// typeText is the type that a text says at a place.
func (r *Resolver) typeText(text string, pl place, owner ref, uses *edges.Uses) *typ {
	if text == "" || text == "?" {
		return nil
	}
	return r.eval(r.expression(text), pl, owner, nil, uses, 0)
}

// local type parameters of a signature that is being evaluated.
type tparams struct {
	list []typeParam
	up   *tparams
	at   ref
}

func (t *tparams) find(name string) (*typeParam, ref) {
	for ; t != nil; t = t.up {
		for i := range t.list {
			if t.list[i].name == name {
				return &t.list[i], t.at
			}
		}
	}
	return nil, ref{}
}

// eval is the type of a type expression. owner is the definition whose text it
// stands in; members of object types in it are declared there.
func (r *Resolver) eval(e *expr, pl place, owner ref, tps *tparams, uses *edges.Uses, depth int) *typ {
	if e == nil || depth > 24 {
		return nil
	}
	sub := func(i int) *typ {
		if i >= len(e.args) {
			return nil
		}
		return r.eval(e.args[i], pl, owner, tps, uses, depth+1)
	}
	switch e.kind {
	case exprName:
		return r.evalName(e, pl, owner, tps, uses, depth)
	case exprArray:
		return listOf(sub(0))
	case exprTuple:
		t := &typ{kind: typeList, name: "tuple"}
		for i := range e.args {
			t.args = append(t.args, sub(i))
		}
		if len(t.args) == 0 {
			t.args = []*typ{nil}
		}
		return t
	case exprUnion, exprIntersection:
		parts := make([]*typ, 0, min(len(e.args), maxParts))
		for i := range e.args {
			if i == maxParts {
				break
			}
			parts = append(parts, sub(i))
		}
		if e.kind == exprUnion {
			return union(typeUnion, parts)
		}
		return union(typeIntersection, parts)
	case exprObject:
		return &typ{kind: typeObject, at: owner, expr: e, place: pl}
	case exprFunction, exprConstructor:
		return &typ{kind: typeSignature, at: owner, expr: e, place: pl}
	case exprTypeof:
		return r.value(steps(e.name), pl, uses)
	case exprKeyof, exprBasic:
		return external
	case exprString:
		return &typ{kind: typeKey, name: e.name}
	case exprIndex:
		return r.indexed(sub(0), sub(1), uses)
	case exprConditional:
		// Either branch can be what it is.
		return unlikely(union(typeUnion, []*typ{sub(2), sub(3)}))
	case exprImport:
		return r.evalImport(e, pl, uses)
	case exprMapped:
		return r.evalMapped(e, pl, owner, tps, uses, depth)
	case exprThis:
		return r.this(pl, uses)
	}
	return nil
}

func (r *Resolver) evalName(e *expr, pl place, owner ref, tps *tparams, uses *edges.Uses, depth int) *typ {
	name := e.name
	args := make([]*typ, len(e.args))
	for i, a := range e.args {
		args[i] = r.eval(a, pl, owner, tps, uses, depth+1)
	}
	if p, at := tps.find(name); p != nil {
		return &typ{kind: typeParameter, at: at, name: name, args: []*typ{r.eval(p.constraint, pl, owner, tps.up, uses, depth+1)}}
	}
	first, rest, dotted := strings.Cut(name, ".")
	f := r.lookup(pl, first, true, uses)
	for dotted && f.kind != foundNothing && f.kind != foundExternal {
		first, rest, dotted = strings.Cut(rest, ".")
		f = r.memberName(f, first, uses)
	}
	switch f.kind {
	case foundParam:
		return f.param
	case foundLocal:
		return r.localType(pl.file, f.binding, f.scope)
	case foundExternal:
		return r.builtinType(name, args, true, uses)
	case foundModule:
		return &typ{kind: typeModule, at: ref{f.doc, -1}}
	case foundSymbols:
		return r.declaredType(f.syms, args, uses)
	}
	return r.builtinType(name, args, false, uses)
}

// memberName is a name inside a module or namespace.
func (r *Resolver) memberName(f found, name string, uses *edges.Uses) found {
	switch f.kind {
	case foundModule:
		return r.export(f.doc, name, uses)
	case foundSymbols:
		var syms []ref
		for _, s := range f.syms {
			if k := r.symbol(s).Kind; k == facts.KindModule || k == facts.KindEnum {
				syms = append(syms, r.members(s, name)...)
			}
		}
		if len(syms) > 0 {
			return found{kind: foundSymbols, syms: dedup(syms), imported: f.imported}
		}
		// import a = require('x'), import a = b.c
		for _, s := range f.syms {
			if t := r.valueOf(s, uses); t != nil && t.kind == typeModule {
				return r.export(t.at.doc, name, uses)
			} else if t != nil && t.kind == typeNamespace {
				if syms := r.members(t.at, name); len(syms) > 0 {
					return found{kind: foundSymbols, syms: syms}
				}
			}
		}
	}
	return found{}
}

func dedup(syms []ref) []ref {
	var out []ref
outer:
	for _, s := range syms {
		for _, o := range out {
			if o == s {
				continue outer
			}
		}
		out = append(out, s)
	}
	return out
}

// declaredType is the type that definitions of one name are.
func (r *Resolver) declaredType(syms []ref, args []*typ, uses *edges.Uses) *typ {
	for _, s := range syms {
		switch r.symbol(s).Kind {
		case facts.KindClass, facts.KindInterface, facts.KindStruct:
			return &typ{kind: typeInstance, at: r.first(s), args: args}
		case facts.KindEnum:
			return &typ{kind: typeInstance, at: r.first(s)}
		case facts.KindType:
			return subst(r.aliasType(s, uses), r.bind(s, args, uses))
		case facts.KindEnumMember:
			return external
		}
	}
	for _, s := range syms {
		// Functions that are constructors, in JavaScript.
		if r.symbol(s).Kind == facts.KindFunction {
			return &typ{kind: typeInstance, at: r.first(s)}
		}
	}
	return nil
}

// first is the definition that stands for all that merge with one.
func (r *Resolver) first(s ref) ref {
	f := r.siblings(s)[0]
	if lead, ok := r.leads[f]; ok {
		return lead
	}
	return f
}

// bind gives arguments to the type parameters of a definition.
func (r *Resolver) bind(at ref, args []*typ, uses *edges.Uses) []binding {
	tps := r.typeParams(at)
	if len(tps) == 0 {
		return nil
	}
	out := make([]binding, 0, len(tps))
	for i := range tps {
		var t *typ
		switch {
		case i < len(args):
			t = args[i]
		case tps[i].init != nil:
			t = r.eval(tps[i].init, place{doc: at.doc, sym: at.sym, scope: -1}, at, nil, uses, 0)
		}
		if t != nil {
			out = append(out, binding{at, tps[i].name, t})
		}
	}
	return out
}

// paramNamed is the type parameter of a definition that has a name.
func (r *Resolver) paramNamed(at ref, name string) *typ {
	for _, p := range r.typeParams(at) {
		if p.name == name {
			return &typ{kind: typeParameter, at: at, name: name}
		}
	}
	return nil
}

// constraint is what a type parameter is known to be at least.
func (r *Resolver) constraint(t *typ, uses *edges.Uses) *typ {
	if len(t.args) > 0 {
		return t.args[0]
	}
	uses.Doc(int(t.at.doc))
	for _, p := range r.typeParams(t.at) {
		if p.name == t.name && p.constraint != nil {
			return r.constraints.Get(paramKey{t.at, t.name}, uses, func(uses *edges.Uses) *typ {
				return r.eval(p.constraint, place{doc: t.at.doc, sym: t.at.sym, scope: -1}, t.at, nil, uses, 0)
			})
		}
	}
	return nil
}

type paramKey struct {
	at   ref
	name string
}

// aliasType is what a type alias stands for, with its type parameters in it.
func (r *Resolver) aliasType(at ref, uses *edges.Uses) *typ {
	return r.aliases.Get(at, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(at.doc))
		s := r.symbol(at)
		if s.Type == "" && s.Init != "" { // import a = b.c
			if f := r.lookupPath(s.Init, place{doc: at.doc, sym: s.Parent, scope: -1}, uses); f.kind == foundSymbols {
				return r.declaredType(f.syms, nil, uses)
			}
			return nil
		}
		if s.Type == "{}" {
			return &typ{kind: typeInstance, at: at, args: r.own(at)}
		}
		return r.typeText(declaredText(s), place{doc: at.doc, sym: at.sym, scope: -1}, at, uses)
	})
}

// own are the type parameters of a definition as arguments.
func (r *Resolver) own(at ref) []*typ {
	var out []*typ
	for _, p := range r.typeParams(at) {
		out = append(out, &typ{kind: typeParameter, at: at, name: p.name})
	}
	return out
}

// lookupPath finds a dotted name of types and namespaces.
func (r *Resolver) lookupPath(path string, pl place, uses *edges.Uses) found {
	first, rest, dotted := strings.Cut(path, ".")
	f := r.lookup(pl, first, true, uses)
	for dotted && f.kind != foundNothing {
		first, rest, dotted = strings.Cut(rest, ".")
		f = r.memberName(f, first, uses)
	}
	return f
}

// builtinType are the types of the language that matter for members.
func (r *Resolver) builtinType(name string, args []*typ, imported bool, uses *edges.Uses) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch {
	case imported && omits[name[strings.LastIndexByte(name, '.')+1:]], name == "Omit":
		return omitting(arg(0), arg(1))
	case imported && wrapping[name[strings.LastIndexByte(name, '.')+1:]]:
		return arg(0)
	case imported && overriding[name[strings.LastIndexByte(name, '.')+1:]]:
		return union(typeIntersection, []*typ{arg(0), arg(1)})
	case imported:
		return external
	case lists[name]:
		return listOf(arg(0))
	case passing[name]:
		return arg(0)
	}
	switch name {
	case "Promise", "PromiseLike":
		return &typ{kind: typePromise, args: []*typ{arg(0)}}
	case "Map", "ReadonlyMap", "WeakMap", "Record":
		return &typ{kind: typeMap, name: name, args: []*typ{arg(0), arg(1)}}
	case "Awaited":
		return awaited(arg(0))
	case "ReturnType":
		return r.result(arg(0), uses)
	case "InstanceType":
		if t := arg(0); t != nil && t.kind == typeClass {
			return &typ{kind: typeInstance, at: t.at}
		}
		return nil
	}
	return external
}

func awaited(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.kind {
	case typePromise:
		return awaited(t.args[0])
	case typeIntersection:
		// A promise that has members of its own.
		for _, p := range t.args {
			if p.kind == typePromise {
				return awaited(p)
			}
		}
	case typeUnion:
		parts := make([]*typ, len(t.args))
		for i, p := range t.args {
			parts[i] = awaited(p)
		}
		return union(typeUnion, parts)
	}
	return t
}

// indexed is T[K].
func (r *Resolver) indexed(t, key *typ, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	if key != nil && key.kind == typeKey {
		return r.memberType(t, key.name, uses)
	}
	return r.element(t, uses)
}

// evalMapped is { [K in keyof T]: … }: the members of T. Others map names to
// values.
func (r *Resolver) evalMapped(e *expr, pl place, owner ref, tps *tparams, uses *edges.Uses, depth int) *typ {
	over := e.args[0]
	if over.kind == exprKeyof && len(e.args) > 1 {
		t := r.eval(over.args[0], pl, owner, tps, uses, depth+1)
		// The values are other ones where they are not T[K].
		if v := e.args[1]; v.kind == exprIndex {
			return t
		}
		return unlikely(t)
	}
	inner := &tparams{list: []typeParam{{name: e.name}}, up: tps, at: owner}
	var v *typ
	if len(e.args) > 1 {
		v = r.eval(e.args[1], pl, owner, inner, uses, depth+1)
	}
	return &typ{kind: typeMap, name: "Record", args: []*typ{nil, v}}
}

// evalImport is import('module').Name.
func (r *Resolver) evalImport(e *expr, pl place, uses *edges.Uses) *typ {
	f := r.importedModule(pl.doc, e.module, uses)
	if e.name == "" || f.kind != foundModule {
		if f.kind == foundModule {
			return &typ{kind: typeModule, at: ref{f.doc, -1}}
		}
		return external
	}
	for part := range strings.SplitSeq(e.name, ".") {
		f = r.memberName(f, part, uses)
	}
	if f.kind == foundSymbols {
		return r.declaredType(f.syms, nil, uses)
	}
	return nil
}

// importedModule is the document that a module specifier of a document leads to,
// where one of its clauses names it.
func (r *Resolver) importedModule(doc int32, module string, uses *edges.Uses) found {
	f := r.p.Files[doc].File
	for i := range f.Imports {
		if f.Imports[i].Module != module {
			continue
		}
		for _, t := range r.p.ImportedDocs(int(doc), i) {
			uses.Doc(t)
			if r.mine(int32(t)) {
				return found{kind: foundModule, doc: int32(t)}
			}
		}
	}
	return found{kind: foundExternal}
}
