package script

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// steps takes a shape apart. The number sign of private names means something
// else in shapes.
func steps(shape string) []edges.Step {
	if !strings.Contains(shape, ".#") {
		return edges.ParseShape(shape)
	}
	const sign = "\uff03"
	out := edges.ParseShape(strings.ReplaceAll(shape, ".#", "."+sign))
	for i := range out {
		if rest, ok := strings.CutPrefix(out[i].Name, sign); ok && out[i].Op == edges.Member {
			out[i].Name = "#" + rest
		}
	}
	return out
}

// value is the type of an expression by its shape.
func (r *Resolver) value(shape []edges.Step, pl place, uses *edges.Uses) *typ {
	var t *typ
	for i := range shape {
		s := &shape[i]
		switch s.Op {
		case edges.Root:
			t = r.root(s.Name, pl, uses)
		case edges.Member:
			t = r.memberType(t, s.Name, uses)
		case edges.Call:
			t = r.result(t, uses)
		case edges.Index, edges.Range:
			t = r.element(t, uses)
		case edges.SliceOf, edges.Address, edges.Deref:
		case edges.Result:
			t = nil
		case edges.Convert:
			t = r.converted(t, s.Name, pl, uses)
		case edges.Literal:
			t = r.typeText(s.Name, pl, ref{-1, -1}, uses)
		case edges.New:
			t = r.constructed(s.Name, pl, uses)
		case edges.Await:
			t = awaited(t)
		case edges.Basic:
			switch s.Name {
			case "[]":
				t = listOf(nil)
			case "nil":
				t = nil
			default:
				t = external
			}
		default:
			return nil
		}
		if t == nil && i+1 < len(shape) && shape[i+1].Op != edges.Convert {
			return nil
		}
	}
	return t
}

func (r *Resolver) root(name string, pl place, uses *edges.Uses) *typ {
	switch name {
	case "this":
		return r.this(pl, uses)
	case "super":
		return r.super(pl, uses)
	}
	f := r.asValue(r.lookup(pl, name, false, uses), name)
	switch f.kind {
	case foundSymbols:
		return r.valueOfAll(f.syms, uses)
	case foundModule:
		return &typ{kind: typeModule, at: ref{f.doc, -1}}
	case foundLocal:
		return r.localType(pl.file, f.binding, f.scope)
	case foundExternal:
		return external
	}
	if standard[name] {
		return external
	}
	return nil
}

// asValue is what a name means where it stands for a value: a type is none, so
// that type Error leaves the Error of the language what it is.
func (r *Resolver) asValue(f found, name string) found {
	if f.kind != foundSymbols || !standard[name] {
		return f
	}
	for _, s := range f.syms {
		if k := r.symbol(s).Kind; k != facts.KindInterface && k != facts.KindType || r.symbol(s).Init != "" {
			return f
		}
	}
	return found{kind: foundExternal}
}

// valueOfAll is the type of the value that definitions of one name make.
func (r *Resolver) valueOfAll(syms []ref, uses *edges.Uses) *typ {
	best, rank := ref{-1, -1}, 9
	for _, s := range syms {
		k := 9
		switch r.symbol(s).Kind {
		case facts.KindClass:
			k = 0
		case facts.KindEnum:
			k = 1
		case facts.KindFunction, facts.KindMethod:
			k = 2
		case facts.KindVariable, facts.KindConstant, facts.KindField, facts.KindProperty:
			k = 3
		case facts.KindModule:
			k = 4
		case facts.KindEnumMember, facts.KindType:
			k = 5
		}
		if k < rank {
			best, rank = s, k
		}
	}
	if best.sym < 0 {
		return nil
	}
	return r.valueOf(best, uses)
}

// valueOf is the type of the value of a definition.
func (r *Resolver) valueOf(at ref, uses *edges.Uses) *typ {
	return r.values.Get(at, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(at.doc))
		return r.findValue(at, uses)
	})
}

func (r *Resolver) findValue(at ref, uses *edges.Uses) *typ {
	s := r.symbol(at)
	here := place{doc: at.doc, sym: at.sym, scope: -1}
	switch s.Kind {
	case facts.KindClass, facts.KindEnum:
		return &typ{kind: typeClass, at: r.first(at)}
	case facts.KindModule:
		return &typ{kind: typeNamespace, at: at}
	case facts.KindEnumMember:
		return external
	case facts.KindFunction, facts.KindMethod:
		if declaresType(s) {
			return r.typeText(s.Type, here, at, uses)
		}
		return &typ{kind: typeFunction, at: at}
	case facts.KindProperty:
		return r.accessor(at, here, uses)
	case facts.KindVariable, facts.KindConstant, facts.KindField:
		if s.Type != "" && s.Type != "{}" {
			if strings.HasPrefix(s.Type, "unique ") {
				return external
			}
			return r.typeText(declaredText(s), here, at, uses)
		}
		if s.Init == "" {
			return nil
		}
		if s.Init == "{}" || len(r.outline(at.doc).kids[at.sym]) > 0 {
			if v := r.value(steps(s.Init), place{doc: at.doc, sym: s.Parent, scope: -1}, uses); v == nil || v.kind == typeExternal {
				return &typ{kind: typeValue, at: at}
			}
		}
		return r.value(steps(s.Init), place{doc: at.doc, sym: s.Parent, scope: -1}, uses)
	case facts.KindType:
		if s.Type == "" && s.Init != "" {
			if imp, ok := r.outline(at.doc).imports[s.Name]; ok {
				if f := r.follow(at.doc, imp, uses); f.kind == foundModule {
					return &typ{kind: typeModule, at: ref{f.doc, -1}}
				}
			}
			return r.value(steps(s.Init), place{doc: at.doc, sym: s.Parent, scope: -1}, uses)
		}
	}
	return nil
}

// declaresType tells whether the type of a function is that of the variable or
// field it is the value of, not of its result.
func declaresType(s *facts.Symbol) bool {
	if s.Type == "" {
		return false
	}
	i := strings.Index(s.Signature, s.Name)
	if i < 0 {
		return false
	}
	rest := strings.TrimLeft(s.Signature[i+len(s.Name):], "'\"?! ")
	return strings.HasPrefix(rest, ":")
}

// accessor is the type of a property with a getter or setter.
func (r *Resolver) accessor(at ref, here place, uses *edges.Uses) *typ {
	for _, p := range r.siblings(at) {
		if s := r.symbol(p); s.Flags&facts.Getter != 0 {
			return r.resultOf(p, uses)
		}
	}
	if s := r.symbol(at); len(s.Params) > 0 {
		return r.typeText(s.Params[0].Type, here, at, uses)
	}
	return nil
}

// result is what a call of a value gives.
func (r *Resolver) result(t *typ, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	var out *typ
	switch t.kind {
	case typeFunction:
		out = subst(r.resultOf(t.at, uses), t.bound)
		if out != nil && out.kind == typeBuiltin && out.name == "this" {
			out = t.self
		}
	case typeSignature:
		e := t.expr.args[0]
		if e.kind == exprThis {
			out = t.self
			break
		}
		out = subst(r.eval(e, t.place, t.at, r.signatureParams(t), uses, 0), t.bound)
	case typeUnion, typeIntersection:
		for _, u := range t.args {
			switch u.kind {
			case typeFunction, typeSignature, typeBuiltin, typeObject, typeInstance, typeIntersection:
				out = r.result(u, uses)
			}
			if out != nil {
				break
			}
		}
	case typeBuiltin:
		out = builtinResult(t)
	case typeModule:
		if d := r.export(t.at.doc, "default", uses); d.kind == foundSymbols {
			out = r.result(r.valueOfAll(d.syms, uses), uses)
		}
	case typeObject:
		for i := range t.expr.members {
			if m := &t.expr.members[i]; m.name == "()" {
				out = r.result(subst(r.eval(m.typ, t.place, t.at, nil, uses, 0), t.bound), uses)
				break
			}
		}
	case typeInstance:
		for _, h := range r.membersOf(t, "()", uses) {
			if out = subst(r.resultOf(h.at, uses), h.bound); out != nil {
				break
			}
		}
	case typeExternal:
		return external
	case typeParameter:
		out = r.result(r.constraint(t, uses), uses)
	}
	if t.likely {
		return unlikely(out)
	}
	return out
}

func (r *Resolver) signatureParams(t *typ) *tparams {
	if len(t.expr.tparams) == 0 {
		return nil
	}
	return &tparams{list: t.expr.tparams, at: t.at}
}

// resultOf is what a function that is a definition gives, with its type
// parameters in it. Of several overloads the first that says so counts.
func (r *Resolver) resultOf(at ref, uses *edges.Uses) *typ {
	return r.results.Get(at, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(at.doc))
		all := r.siblings(at)
		for _, p := range all {
			s := r.symbol(p)
			if s.Type == "" || declaresType(s) || s.Flags&facts.Setter != 0 {
				continue
			}
			if s.Type == "this" {
				return &typ{kind: typeBuiltin, name: "this"}
			}
			return r.typeText(s.Type, place{doc: p.doc, sym: p.sym, scope: -1}, p, uses)
		}
		s := r.symbol(at)
		if s.Init == "" {
			return nil
		}
		if s.Init == "this" {
			return &typ{kind: typeBuiltin, name: "this"}
		}
		if s.Init == "{}" {
			return promised(s, &typ{kind: typeResult, at: at})
		}
		t := r.value(steps(s.Init), place{doc: at.doc, sym: at.sym, scope: -1}, uses)
		return promised(s, t)
	})
}

func promised(s *facts.Symbol, t *typ) *typ {
	if s.Flags&facts.Async == 0 || t == nil {
		return t
	}
	return &typ{kind: typePromise, args: []*typ{awaited(t)}}
}

// this is the object that code at a place belongs to.
func (r *Resolver) this(pl place, uses *edges.Uses) *typ {
	if pl.file != nil && pl.scope >= 0 {
		if t, ok := pl.file.thisParam(r, pl.scope); ok {
			return t
		}
	}
	o := r.outline(pl.doc)
	for at := pl.sym; at >= 0; at = o.f.Symbols[at].Parent {
		s := &o.f.Symbols[at]
		switch s.Kind {
		case facts.KindClass, facts.KindInterface:
			return &typ{kind: typeInstance, at: r.first(ref{pl.doc, at}), args: r.own(ref{pl.doc, at})}
		}
		if s.Parent < 0 {
			if s.Container != "" && s.Flags&facts.InBody == 0 {
				return r.containerThis(pl, s, uses)
			}
			if s.Kind == facts.KindFunction {
				return &typ{kind: typeInstance, at: r.first(ref{pl.doc, at})}
			}
			return nil
		}
		p := &o.f.Symbols[s.Parent]
		switch p.Kind {
		case facts.KindClass:
			if s.Flags&facts.Static != 0 {
				return &typ{kind: typeClass, at: r.first(ref{pl.doc, s.Parent})}
			}
		case facts.KindVariable, facts.KindConstant, facts.KindField:
			if s.Kind == facts.KindMethod || s.Kind == facts.KindProperty {
				return unlikely(r.valueOf(ref{pl.doc, s.Parent}, uses))
			}
		}
	}
	return nil
}

// containerThis is this in a function that is put into something known by name.
func (r *Resolver) containerThis(pl place, s *facts.Symbol, uses *edges.Uses) *typ {
	f := r.lookup(place{doc: pl.doc, sym: -1, scope: -1}, s.Container, false, uses)
	if f.kind != foundSymbols {
		return nil
	}
	switch at := f.syms[0]; r.symbol(at).Kind {
	case facts.KindFunction, facts.KindClass:
		if s.Flags&facts.Static == 0 {
			return &typ{kind: typeInstance, at: r.first(at)}
		}
		return r.valueOfAll(f.syms, uses)
	}
	return unlikely(r.valueOfAll(f.syms, uses))
}

// super is what a class extends, as an instance or, in static members, itself.
func (r *Resolver) super(pl place, uses *edges.Uses) *typ {
	t := r.this(pl, uses)
	if t == nil || t.kind != typeInstance && t.kind != typeClass {
		return nil
	}
	for _, p := range r.parts(t.at, uses) {
		if r.symbol(p).Kind != facts.KindClass {
			continue
		}
		for _, b := range r.bases(p, uses) {
			if t.kind == typeClass && b.kind == typeInstance {
				return &typ{kind: typeClass, at: b.at, args: b.args}
			}
			return b
		}
	}
	return nil
}

// constructed is what new makes.
func (r *Resolver) constructed(text string, pl place, uses *edges.Uses) *typ {
	e := r.expression(text)
	if e.kind != exprName {
		return nil
	}
	t := r.value(steps(e.name), pl, uses)
	if t != nil {
		var args []*typ
		for _, a := range e.args {
			args = append(args, r.eval(a, pl, ref{-1, -1}, nil, uses, 0))
		}
		switch t.kind {
		case typeClass, typeFunction:
			return &typ{kind: typeInstance, at: r.first(t.at), args: args, likely: t.likely}
		case typeModule:
			if d := r.export(t.at.doc, "default", uses); d.kind == foundSymbols {
				return &typ{kind: typeInstance, at: r.first(d.syms[0])}
			}
		case typeSignature:
			return r.result(t, uses)
		case typeExternal:
			return r.eval(e, pl, ref{-1, -1}, nil, uses, 0)
		}
		return nil
	}
	return nil
}
