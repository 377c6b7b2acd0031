package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// value is the type of what a name means.
func (r *Resolver) value(found []target, uses *edges.Uses) *typ {
	var parts []*typ
	lost := false
	var functions []def
	for _, t := range found {
		switch {
		case t.outside:
			parts = append(parts, externalType)
		case t.def == noDef:
			parts = append(parts, &typ{kind: moduleOf, module: t.module})
		case isFunction(r.symbol(t.def).Kind):
			functions = append(functions, t.def)
		default:
			if v := r.symbolType(t.def, uses); known(v) {
				parts = append(parts, v)
			} else {
				lost = true
			}
		}
	}
	if len(functions) > 0 {
		parts = append(parts, &typ{kind: functionOf, defs: functions})
	}
	if len(parts) == 0 {
		return unknownType
	}
	if v := union(parts...); !lost {
		return v
	} else {
		return weakened(v)
	}
}

// symbolType is the type of the value that a definition names.
func (r *Resolver) symbolType(d def, uses *edges.Uses) *typ {
	s := r.symbol(d)
	switch {
	case isClass(s.Kind):
		return classType(d)
	case s.Kind == facts.KindType:
		if s.Init != "" && s.Type == "" {
			return externalType
		}
		if t := r.alias(d, uses); t.kind == instanceOf {
			return classesOf(t)
		}
		return unknownType
	case isFunction(s.Kind):
		return &typ{kind: functionOf, defs: []def{d}}
	}
	return some(r.types.Get(d, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		f := r.p.Files[d.doc].File
		if s.Kind == facts.KindEnumMember && s.Parent >= 0 {
			return instance(def{d.doc, s.Parent}, viaEnum)
		}
		// An attribute that a method sets has its value from the names of the
		// method, one of a class body from those of the class.
		sym := s.Parent
		inMethod := setByMethod(f, s)
		method := int32(-1)
		if inMethod {
			method = methodAt(f, d.sym)
		}
		if s.Type != "" {
			if t := strings.TrimSpace(s.Type); lastPart(t) != "Final" && lastPart(t) != "ClassVar" && lastPart(t) != "Any" {
				return r.annotation(scopeAt{d.doc, sym, true, s.Span.Start}, t, uses)
			} else if lastPart(t) == "Any" {
				return externalType
			}
		}
		if s.Init == "" {
			return unknownType
		}
		if s.Init == "nil" {
			return noneType
		}
		c := &context{r: r, scopeAt: scopeAt{d.doc, sym, true, s.Span.Start}, uses: uses}
		if method >= 0 {
			c.sym, c.method = method, true
		}
		return c.eval(r.shape(s.Init))
	}))
}

// result is what a call of a function gives. Self stays in it.
func (r *Resolver) result(d def, uses *edges.Uses) *typ {
	return some(r.results.Get(d, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		s := r.symbol(d)
		if s.Type == "" {
			return unknownType
		}
		at := scopeAt{d.doc, s.Parent, true, s.Span.Start}
		if v := strings.Trim(s.Type, `"'`); isIdentifier(v) {
			// A type variable that the first parameter has, too, is Self.
			if len(s.Params) > 0 && s.Parent >= 0 {
				switch p := strings.Trim(s.Params[0].Type, `"'`); {
				case p == v, p == "type["+v+"]", p == "Type["+v+"]", strings.HasSuffix(p, ".Type["+v+"]"):
					return &typ{kind: selfType}
				}
			}
		}
		t := r.annotation(at, s.Type, uses)
		t = learned(t, viaResult)
		if s.Flags&facts.Async != 0 && !generates(s.Type) {
			return container(awaitable, t)
		}
		return t
	}))
}

// generates tells an asynchronous generator by what it declares to give.
func generates(annotation string) bool {
	head := lastPart(headOf(strings.Trim(annotation, `"'`)))
	return head == "AsyncIterator" || head == "AsyncGenerator" || head == "AsyncIterable"
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != ""
}

// called is what a call of a value gives.
func (r *Resolver) called(t *typ, uses *edges.Uses) *typ {
	switch t.kind {
	case external, basic:
		return externalType
	case classOf:
		return &typ{kind: instanceOf, def: t.def, via: viaConstructed, weak: t.weak}
	case functionOf:
		var parts []*typ
		lost := false
		for _, d := range t.defs {
			if got := bound(r.result(d, uses), t.recv, 0); known(got) {
				parts = append(parts, got)
			} else {
				lost = true
			}
		}
		if len(parts) == 0 {
			return unknownType
		}
		got := union(parts...)
		if t.weak || lost && got.kind != none {
			return weakened(got)
		}
		return got
	case callableOf, boxOf:
		return t.args[0]
	case instanceOf:
		if m := r.attributeOf(t, "__call__", uses); m.kind == functionOf {
			return r.called(m, uses)
		}
	case unionOf:
		return r.each(t, func(a *typ) *typ { return r.unless(a, r.called(a, uses), uses, "__call__") })
	}
	return unknownType
}

// hit is what an attribute of a value leads to.
type hit struct {
	defs     []def
	via      string
	weak     bool
	byModule bool
}

// attributeOf is the type of an attribute of a value.
func (r *Resolver) attributeOf(t *typ, name string, uses *edges.Uses) *typ {
	_, v := r.access(t, name, uses)
	return v
}

// access finds an attribute of a value: the definitions that it means, and what
// type it has.
func (r *Resolver) access(t *typ, name string, uses *edges.Uses) ([]hit, *typ) {
	switch t.kind {
	case external:
		return nil, externalType
	case moduleOf:
		list := r.attribute(t.module, name, -1, uses)
		if len(list) == 0 {
			return nil, externalType
		}
		var defs []def
		for _, x := range list {
			if x.def != noDef {
				defs = append(defs, x.def)
			}
		}
		v := r.value(list, uses)
		if len(defs) == 0 {
			return nil, v
		}
		return []hit{{defs: defs, byModule: true}}, v
	case classOf, instanceOf, superOf:
		return r.accessMember(t, name, uses)
	case mappingOf:
		return nil, r.mappingMember(t, name)
	case iterableOf:
		switch name {
		case "pop", "popleft", "__next__":
			return nil, container(callableOf, t.args[0])
		case "copy", "__iter__", "union", "difference", "intersection":
			return nil, container(callableOf, t)
		case "__enter__":
			return nil, container(callableOf, t.args[0])
		case "__aenter__":
			return nil, container(callableOf, container(awaitable, t.args[0]))
		}
		return nil, externalType
	case boxOf:
		if name == "get" {
			return nil, container(callableOf, t.args[0])
		}
		return nil, externalType
	case awaitable:
		return r.access(t.args[0], name, uses)
	case unionOf:
		return r.accessUnion(t, name, uses)
	case unknown:
		return nil, unknownType
	}
	return nil, externalType
}

func (r *Resolver) mappingMember(t *typ, name string) *typ {
	switch name {
	case "get", "pop", "setdefault", "__getitem__":
		return container(callableOf, t.args[1])
	case "values":
		return container(callableOf, container(iterableOf, t.args[1]))
	case "keys":
		return container(callableOf, container(iterableOf, t.args[0]))
	case "items":
		return container(callableOf, container(iterableOf, container(tupleOf, t.args[0], t.args[1])))
	case "popitem":
		return container(callableOf, container(tupleOf, t.args[0], t.args[1]))
	case "copy":
		return container(callableOf, t)
	}
	return externalType
}

func (r *Resolver) accessMember(t *typ, name string, uses *edges.Uses) ([]hit, *typ) {
	class, behind := t.def, noDef
	recv := t
	if t.kind == superOf {
		behind = t.def
		recv = t.recv
		class = recv.def
	}
	m := r.classMember(class, behind, name, uses)
	if len(m.defs) == 0 {
		switch {
		case name == "__enter__" && t.kind == instanceOf:
			return nil, container(callableOf, weakened(t))
		case name == "__aenter__" && t.kind == instanceOf:
			return nil, container(callableOf, container(awaitable, weakened(t)))
		case name == "__class__" && t.kind == instanceOf:
			return nil, &typ{kind: classOf, def: t.def, via: t.via, weak: t.weak}
		case m.open:
			if base := r.containerBase(class, uses); base != nil {
				return r.access(base, name, uses)
			}
			return nil, externalType
		}
		return nil, unknownType
	}
	via := t.via
	if m.owner != t.def && t.kind != superOf {
		via = inherited(via)
	}
	h := hit{defs: m.defs, via: via, weak: t.weak || m.behindExternal}
	v := r.memberType(m, recv, name, uses)
	if m.declared != noDef && isVariable(r.symbol(m.declared).Kind) {
		if d := bound(r.symbolType(m.declared, uses), recv, 0); known(d) {
			v = learned(d, viaField)
		}
	}
	if h.weak {
		v = weakened(v)
	}
	return []hit{h}, v
}

// memberType is the type of a member that was found in a class.
func (r *Resolver) memberType(m member, recv *typ, name string, uses *edges.Uses) *typ {
	var functions []def
	var parts []*typ
	property := false
	for _, d := range m.defs {
		s := r.symbol(d)
		switch {
		case s.Kind == facts.KindProperty:
			property = true
			if s.Flags&facts.Setter == 0 && recv.kind == instanceOf {
				if s.Init != "" {
					continue
				}
				parts = append(parts, bound(r.result(d, uses), recv, 0))
			}
		case isFunction(s.Kind):
			functions = append(functions, d)
		case isClass(s.Kind):
			parts = append(parts, classType(d))
		default:
			if v := bound(r.symbolType(d, uses), recv, 0); known(v) {
				parts = append(parts, learned(v, viaOf(s)))
			}
		}
	}
	if len(functions) > 0 && !property {
		f := &typ{kind: functionOf, defs: functions, recv: recv}
		if name == "__enter__" || name == "__aenter__" {
			if !known(r.called(f, uses)) && recv.kind == instanceOf {
				back := weakened(recv)
				if name == "__aenter__" {
					back = container(awaitable, back)
				}
				return container(callableOf, back)
			}
		}
		return f
	}
	var kept []*typ
	for _, v := range parts {
		if known(v) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		return unknownType
	}
	return union(kept...)
}

// viaOf says how the value of a member is known.
func viaOf(s *facts.Symbol) string {
	if s.Kind == facts.KindEnumMember {
		return viaEnum
	}
	return viaField
}
