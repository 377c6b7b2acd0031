package script

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// parameter is the type that the n-th parameter of what is called takes.
func (r *Resolver) parameter(t *typ, n int, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	switch t.kind {
	case typeFunction:
		var parts []*typ
		for _, p := range r.siblings(t.at) {
			parts = append(parts, r.declaredParameter(p, n, uses))
		}
		return subst(union(typeUnion, parts), t.bound)
	case typeClass:
		return r.constructorParameter(t, n, uses, 0)
	case typeSignature:
		ms := t.expr.members
		if n >= len(ms) {
			return nil
		}
		return subst(r.eval(ms[n].typ, t.place, t.at, r.signatureParams(t), uses, 0), t.bound)
	case typeUnion, typeIntersection:
		var parts []*typ
		for _, u := range t.args {
			switch u.kind {
			case typeFunction, typeSignature, typeBuiltin, typeObject, typeInstance, typeIntersection:
				parts = append(parts, r.parameter(u, n, uses))
			}
		}
		return union(typeUnion, parts)
	case typeObject:
		for i := range t.expr.members {
			if m := &t.expr.members[i]; m.name == "()" {
				return r.parameter(subst(r.eval(m.typ, t.place, t.at, nil, uses, 0), t.bound), n, uses)
			}
		}
	case typeInstance:
		var parts []*typ
		for _, h := range r.membersOf(t, "()", uses) {
			parts = append(parts, subst(r.declaredParameter(h.at, n, uses), h.bound))
		}
		return union(typeUnion, parts)
	case typeParameter:
		return r.parameter(r.constraint(t, uses), n, uses)
	case typeBuiltin:
		return builtinParameter(t, n)
	}
	return nil
}

func (r *Resolver) declaredParameter(at ref, n int, uses *edges.Uses) *typ {
	uses.Doc(int(at.doc))
	s := r.symbol(at)
	ps := s.Params
	if len(ps) > 0 && ps[0].Name == "this" {
		ps = ps[1:]
	}
	if len(ps) == 0 {
		return nil
	}
	rest := false
	if n >= len(ps)-1 {
		last := ps[len(ps)-1].Name
		rest = last != "" && strings.Contains(s.Signature, "..."+last)
		if n >= len(ps) && !rest {
			return nil
		}
		n = min(n, len(ps)-1)
	}
	t := r.typeText(ps[n].Type, place{doc: at.doc, sym: at.sym, scope: -1}, at, uses)
	if rest {
		return r.element(t, uses)
	}
	if mayBeMissing(s.Signature, &ps[n]) {
		return optional(t)
	}
	return t
}

// mayBeMissing tells whether a parameter is optional or has a default. Of a
// signature that was cut off nobody knows.
func mayBeMissing(signature string, p *facts.Param) bool {
	return strings.HasSuffix(signature, "…") || p.Type != "" && strings.Contains(signature, ": "+p.Type+" =") ||
		p.Name != "" && strings.Contains(signature, p.Name+"?:") || p.Name == "" && strings.Contains(signature, "}?:")
}

func (r *Resolver) constructorParameter(t *typ, n int, uses *edges.Uses, depth int) *typ {
	if depth > 8 {
		return nil
	}
	for _, p := range r.parts(t.at, uses) {
		if ctors := r.constructors(p); len(ctors) > 0 {
			var parts []*typ
			for _, c := range ctors {
				parts = append(parts, r.declaredParameter(c, n, uses))
			}
			return subst(union(typeUnion, parts), r.bind(p, t.args, uses))
		}
	}
	for _, p := range r.parts(t.at, uses) {
		if r.symbol(p).Kind != facts.KindClass {
			continue
		}
		for _, b := range r.bases(p, uses) {
			if b.kind == typeInstance {
				if found := r.constructorParameter(&typ{kind: typeClass, at: b.at, args: b.args}, n, uses, depth+1); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// constructors are the constructors that a class declares itself.
func (r *Resolver) constructors(class ref) []ref {
	o := r.outline(class.doc)
	var out []ref
	for _, k := range o.kids[class.sym] {
		if o.f.Symbols[k].Kind == facts.KindConstructor {
			out = append(out, ref{class.doc, k})
		}
	}
	return out
}

// callback is a function that a method of the language calls with elements.
func builtinParameter(t *typ, n int) *typ {
	if t.name == "callback" {
		if n < len(t.args) {
			return t.args[n]
		}
		return nil
	}
	self := t.self
	if self == nil {
		return nil
	}
	switch self.kind {
	case typeList:
		e := self.args[0]
		switch t.name {
		case "map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap":
			if n == 0 {
				return &typ{kind: typeBuiltin, name: "callback", args: []*typ{e, external, self}}
			}
		case "sort", "toSorted":
			return &typ{kind: typeBuiltin, name: "callback", args: []*typ{e, e}}
		case "reduce", "reduceRight":
			if n == 0 {
				return &typ{kind: typeBuiltin, name: "callback", args: []*typ{nil, e}}
			}
		case "push", "unshift", "add", "includes", "indexOf", "has", "delete":
			return e
		}
	case typeMap:
		switch {
		case t.name == "forEach" && n == 0:
			return &typ{kind: typeBuiltin, name: "callback", args: []*typ{self.args[1], self.args[0], self}}
		case t.name == "set" && n == 1:
			return self.args[1]
		case n == 0:
			return self.args[0]
		}
	case typePromise:
		if t.name == "then" && n == 0 {
			return &typ{kind: typeBuiltin, name: "callback", args: []*typ{self.args[0]}}
		}
	}
	return nil
}

// props is the type of the attributes of a component.
func (r *Resolver) props(t *typ, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	switch t.kind {
	case typeFunction, typeSignature:
		return r.parameter(t, 0, uses)
	case typeClass:
		if p := r.memberType(&typ{kind: typeInstance, at: t.at}, "props", uses); p != nil && p.kind != typeExternal {
			return p
		}
		return r.componentProps(t.at, uses)
	}
	return nil
}

// componentProps are the attributes of class C extends Component<Props>, whose
// base is outside.
func (r *Resolver) componentProps(at ref, uses *edges.Uses) *typ {
	for _, p := range r.parts(at, uses) {
		for _, b := range r.symbol(p).Bases {
			if e := r.expression(b); e.kind == exprName && len(e.args) > 0 && strings.HasSuffix(e.name, "Component") {
				return r.eval(e.args[0], place{doc: p.doc, sym: p.sym, scope: -1}, p, nil, uses, 0)
			}
		}
	}
	return external
}

// applied gives type arguments that are written at a call to what is called.
func (r *Resolver) applied(t *typ, text string, pl place, uses *edges.Uses) *typ {
	if t == nil {
		return nil
	}
	e := r.expression("_" + text)
	var tps []typeParam
	switch t.kind {
	case typeFunction:
		tps = r.typeParams(t.at)
	case typeSignature:
		tps = t.expr.tparams
	default:
		return t
	}
	c := *t
	c.bound = append([]binding(nil), t.bound...)
	for i, a := range e.args {
		if i < len(tps) {
			c.bound = append(c.bound, binding{t.at, tps[i].name, r.eval(a, pl, ref{-1, -1}, nil, uses, 0)})
		}
	}
	return &c
}
