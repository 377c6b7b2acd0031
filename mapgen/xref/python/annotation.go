package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// annotation is the type of what an annotation describes.
func (r *Resolver) annotation(at scopeAt, text string, uses *edges.Uses) *typ {
	if text == "" {
		return unknownType
	}
	p := annotationParser{r: r, at: at, s: text, uses: uses}
	t := p.union()
	if p.bad {
		return unknownType
	}
	return t
}

// headOf is the dotted name that an annotation starts with.
func headOf(text string) string {
	i := strings.IndexAny(text, "[( |")
	if i < 0 {
		return text
	}
	return text[:i]
}

// maxAnnotation bounds the nesting of an annotation, and of the aliases in it.
const maxAnnotation = 24

type annotationParser struct {
	r     *Resolver
	at    scopeAt
	s     string
	i     int
	depth int
	bad   bool
	uses  *edges.Uses
}

func (p *annotationParser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t') {
		p.i++
	}
}

func (p *annotationParser) peek() byte {
	p.space()
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *annotationParser) take(c byte) bool {
	if p.peek() == c && p.i < len(p.s) {
		p.i++
		return true
	}
	return false
}

func (p *annotationParser) union() *typ {
	if p.depth++; p.depth > maxAnnotation {
		p.bad = true
		return unknownType
	}
	defer func() { p.depth-- }()
	t := p.primary()
	for !p.bad && p.take('|') {
		t = union(t, p.primary())
	}
	return t
}

func (p *annotationParser) primary() *typ {
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		return p.quoted(c)
	case c == '[' || c == '(':
		shut := byte(']')
		if c == '(' {
			shut = ')'
		}
		p.i++
		args := p.list(shut)
		if c == '(' && len(args) == 1 {
			return args[0]
		}
		return externalType // parameters of a callable
	case c == '*':
		p.i++
		return p.primary()
	case c == '.' || c >= '0' && c <= '9' || c == '-':
		for p.i < len(p.s) && strings.IndexByte("-.0123456789", p.s[p.i]) >= 0 {
			p.i++
		}
		return externalType
	case isWord(c):
	default:
		p.bad = true
		return unknownType
	}
	start := p.i
	for p.i < len(p.s) && (isWord(p.s[p.i]) || p.s[p.i] == '.') {
		p.i++
	}
	name := p.s[start:p.i]
	if p.i < len(p.s) && (p.s[p.i] == '"' || p.s[p.i] == '\'') && len(name) < 3 {
		return p.quoted(p.s[p.i]) // a prefix of a string
	}
	switch p.peek() {
	case '[':
		p.i++
		if lastPart(name) == "Literal" {
			p.skip(']')
			return externalType
		}
		return p.applied(name, p.list(']'))
	case '(':
		p.i++
		p.skip(')')
		if l := lastPart(name); l == "namedtuple" || l == "NamedTuple" || l == "TypedDict" {
			return externalType
		}
		return unknownType
	}
	return p.named(name)
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// quoted reads an annotation in quotes.
func (p *annotationParser) quoted(quote byte) *typ {
	p.i++
	end := strings.IndexByte(p.s[p.i:], quote)
	if end < 0 {
		p.bad = true
		return unknownType
	}
	inner := annotationParser{r: p.r, at: p.at, s: p.s[p.i : p.i+end], depth: p.depth, uses: p.uses}
	p.i += end + 1
	t := inner.union()
	if inner.bad {
		return unknownType
	}
	return t
}

// list reads arguments up to a bracket.
func (p *annotationParser) list(shut byte) []*typ {
	var out []*typ
	for !p.bad {
		if p.take(shut) {
			return out
		}
		out = append(out, p.union())
		if !p.take(',') && p.peek() != shut {
			p.bad = true
		}
	}
	return out
}

// skip passes over everything up to the bracket that closes.
func (p *annotationParser) skip(shut byte) {
	open := byte('[')
	if shut == ')' {
		open = '('
	}
	for depth := 1; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				p.i++
				return
			}
		}
	}
	p.bad = true
}

// named is the type that a dotted name means.
func (p *annotationParser) named(name string) *typ {
	switch lastPart(name) {
	case "None":
		return noneType
	case "Self":
		return &typ{kind: selfType}
	}
	t := p.r.dotted(p.at, name, p.uses)
	switch t.kind {
	case external:
		if basicTypes[name] {
			return basicType
		}
		return externalType
	case functionOf, moduleOf:
		return unknownType
	}
	return ofType(t)
}

// ofType is what a name in an annotation describes: instances of a class; an
// alias has been followed before.
func ofType(t *typ) *typ {
	if t.kind == classOf {
		return &typ{kind: instanceOf, def: t.def, via: viaDeclared, weak: t.weak}
	}
	return t
}

// applied is a type with arguments: what it means follows from its name where
// it comes from outside.
func (p *annotationParser) applied(name string, args []*typ) *typ {
	t := p.r.dotted(p.at, name, p.uses)
	if t.kind == classOf {
		return ofType(t)
	}
	if t.kind != external && t.kind != unknown {
		return ofType(t)
	}
	if len(args) == 0 {
		return unknownType
	}
	last := args[len(args)-1]
	switch lastPart(name) {
	case "Optional", "ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "InitVar", "Unpack":
		return args[0]
	case "Union":
		return union(args...)
	case "List", "list", "Set", "set", "Sequence", "Iterable", "Iterator", "Generator", "FrozenSet", "frozenset", "Collection", "deque", "Deque",
		"AsyncIterator", "AsyncIterable", "AsyncGenerator", "MutableSequence", "AbstractSet", "MutableSet", "KeysView", "ValuesView", "Counter", "Reversible",
		"ContextManager", "AbstractContextManager", "AsyncContextManager", "AbstractAsyncContextManager", "Container", "WeakSet":
		return container(iterableOf, args[0])
	case "Tuple", "tuple":
		if len(args) == 2 && strings.HasSuffix(strings.TrimRight(p.s[:p.i], "] "), "...") {
			return container(iterableOf, args[0])
		}
		return container(tupleOf, args...)
	case "Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict", "WeakValueDictionary", "WeakKeyDictionary", "ChainMap":
		if len(args) == 2 {
			return container(mappingOf, args...)
		}
	case "ItemsView":
		if len(args) == 2 {
			return container(iterableOf, container(tupleOf, args...))
		}
	case "Type", "type":
		return classesOf(args[0])
	case "Callable":
		return container(callableOf, last)
	case "Awaitable", "Coroutine":
		return container(awaitable, last)
	case "ContextVar", "ReferenceType", "ref":
		return container(boxOf, args[0])
	case "TypeGuard", "TypeIs":
		return externalType
	}
	return externalType
}

// classesOf turns instances into their classes.
func classesOf(t *typ) *typ {
	switch t.kind {
	case instanceOf:
		return &typ{kind: classOf, def: t.def, via: viaDeclared, weak: t.weak}
	case unionOf:
		var parts []*typ
		for _, a := range t.args {
			parts = append(parts, classesOf(a))
		}
		return union(parts...)
	case external, basic:
		return externalType
	}
	return unknownType
}

// dotted is what a dotted name means: a class, a module, what an alias stands
// for (instances), or something outside.
func (r *Resolver) dotted(at scopeAt, name string, uses *edges.Uses) *typ {
	first, rest, more := strings.Cut(name, ".")
	found, _ := r.lookup(at, first, uses)
	if len(found) == 0 {
		if builtin(first) {
			return externalType
		}
		return unknownType
	}
	if !more {
		return r.typeNamed(found, uses)
	}
	t := r.value(found, uses)
	for more {
		first, rest, more = strings.Cut(rest, ".")
		if t.kind == moduleOf {
			list := r.attribute(t.module, first, -1, uses)
			if len(list) == 0 {
				return unknownType
			}
			if !more {
				return r.typeNamed(list, uses)
			}
			t = r.value(list, uses)
			continue
		}
		if t.kind == classOf && !more {
			if m := r.classMember(t.def, noDef, first, uses); len(m.defs) > 0 {
				return r.typeNamed(targetsOf(m.defs), uses)
			}
		}
		t = r.attributeOf(t, first, uses)
	}
	return t
}

func targetsOf(defs []def) []target {
	out := make([]target, len(defs))
	for i, d := range defs {
		out[i] = target{def: d}
	}
	return out
}

// typeNamed is what a name means in an annotation. Aliases and type variables
// stand for what they describe.
func (r *Resolver) typeNamed(found []target, uses *edges.Uses) *typ {
	for _, t := range found {
		if t.def == noDef {
			continue
		}
		switch s := r.symbol(t.def); {
		case isClass(s.Kind):
			return classType(t.def)
		case s.Kind == facts.KindType:
			return r.alias(t.def, uses)
		}
	}
	v := r.value(found, uses)
	if v.kind == instanceOf || v.kind == iterableOf || v.kind == mappingOf || v.kind == tupleOf {
		return unknownType // a variable is no type
	}
	return v
}

// alias is what a type alias, a new type or a type variable describes.
func (r *Resolver) alias(d def, uses *edges.Uses) *typ {
	return some(r.types.Get(d, uses, func(uses *edges.Uses) *typ {
		s := r.symbol(d)
		uses.Doc(int(d.doc))
		at := scopeAt{d.doc, s.Parent, true, s.Span.Start}
		if s.Type == "" || s.Init == "TypeVar()" || strings.HasSuffix(s.Init, ".TypeVar()") {
			if of := boundOf(s.Signature); of != "" {
				return weakened(r.annotation(at, of, uses))
			}
			return unknownType
		}
		return r.annotation(at, s.Type, uses)
	}))
}

// boundOf is the bound of a type variable, read from its signature.
func boundOf(signature string) string {
	_, rest, ok := strings.Cut(signature, "bound=")
	if !ok {
		return ""
	}
	depth := 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '[', '(':
			depth++
		case ']':
			depth--
		case ')', ',':
			if depth == 0 {
				return rest[:i]
			}
			if rest[i] == ')' {
				depth--
			}
		}
	}
	return ""
}
