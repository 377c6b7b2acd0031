package golang

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// form is the form of a type expression.
type form uint8

const (
	formBad form = iota
	formName
	formPointer
	formSlice // arrays too
	formMap
	formChan
	formFunc
	formStruct
	formInterface
	formUnion // ~A | B
)

// expr is a type expression as the facts hold it, without meaning.
type expr struct {
	form      form
	pkg, name string
	args      []*expr // type arguments, members of a union
	elem, key *expr
	params    []param
	results   []param
	// start and end are the bytes that a struct or interface spans in its file;
	// both 0 where its members are the children of the symbol.
	start, end uint32
}

type param struct {
	name     string
	typ      *expr
	variadic bool
}

// maxNesting bounds the recursion into type expressions and shapes.
const maxNesting = 60

type typeParser struct {
	s     string
	at    int
	depth int
}

// parseType reads a whole type expression; nil where it is none.
func parseType(s string) *expr {
	p := typeParser{s: s}
	e := p.typ()
	p.space()
	if e == nil || p.at != len(p.s) {
		return nil
	}
	return e
}

func (p *typeParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t' || p.s[p.at] == '\n' || p.s[p.at] == '\r') {
		p.at++
	}
}

func (p *typeParser) take(mark string) bool {
	if strings.HasPrefix(p.s[p.at:], mark) {
		p.at += len(mark)
		return true
	}
	return false
}

// word takes a keyword that ends there.
func (p *typeParser) word(w string) bool {
	if !strings.HasPrefix(p.s[p.at:], w) || p.at+len(w) < len(p.s) && isWordByte(p.s[p.at+len(w)]) {
		return false
	}
	p.at += len(w)
	return true
}

func isWordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (p *typeParser) identifier() string {
	start := p.at
	for p.at < len(p.s) && isWordByte(p.s[p.at]) {
		p.at++
	}
	return p.s[start:p.at]
}

// skip passes a balanced bracket that opens at the position; a text that was cut
// short ends it as well.
func (p *typeParser) skip() {
	depth := 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				p.at++
				return
			}
		case '`', '"':
			if end := strings.IndexByte(p.s[p.at+1:], p.s[p.at]); end >= 0 {
				p.at += end + 1
			}
		}
	}
}

func (p *typeParser) typ() *expr {
	if p.depth > maxNesting {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	p.space()
	if p.at >= len(p.s) {
		return nil
	}
	elem := func(e *expr, to **expr) *expr {
		if *to = p.typ(); *to == nil {
			return nil
		}
		return e
	}
	switch {
	case p.take("*"):
		e := &expr{form: formPointer}
		return elem(e, &e.elem)
	case p.take("("):
		e := p.typ()
		if p.space(); e == nil || !p.take(")") {
			return nil
		}
		return e
	case p.s[p.at] == '[':
		p.skip()
		e := &expr{form: formSlice}
		return elem(e, &e.elem)
	case p.take("<-"):
		p.space()
		if !p.word("chan") {
			return nil
		}
		e := &expr{form: formChan}
		return elem(e, &e.elem)
	case p.word("chan"):
		p.space()
		p.take("<-")
		e := &expr{form: formChan}
		return elem(e, &e.elem)
	case p.take("map["):
		e := &expr{form: formMap}
		if e.key = p.typ(); e.key == nil {
			return nil
		}
		if p.space(); !p.take("]") {
			return nil
		}
		return elem(e, &e.elem)
	case p.word("func"):
		return p.function()
	case p.word("struct"):
		return p.literal(&expr{form: formStruct})
	case p.word("interface"):
		return p.literal(&expr{form: formInterface})
	}
	e := &expr{form: formName, name: p.identifier()}
	if e.name == "" {
		return nil
	}
	if p.at < len(p.s) && p.s[p.at] == '.' && p.at+1 < len(p.s) && isWordByte(p.s[p.at+1]) {
		p.at++
		e.pkg, e.name = e.name, p.identifier()
	}
	if p.at < len(p.s) && p.s[p.at] == '[' {
		e.args = p.arguments()
		if e.args == nil {
			return nil
		}
	}
	return e
}

// arguments reads [A, B]; nil where it holds something else than types.
func (p *typeParser) arguments() []*expr {
	p.at++
	var out []*expr
	for {
		a := p.typ()
		if a == nil {
			return nil
		}
		out = append(out, a)
		p.space()
		if p.take(",") {
			if p.space(); !p.take("]") {
				continue
			}
			return out
		}
		if p.take("]") {
			return out
		}
		return nil
	}
}

// literal reads what stands behind struct or interface: nothing, a place, or the
// members, which are symbols anyway.
func (p *typeParser) literal(e *expr) *expr {
	if p.take("@") {
		start, _ := strconv.ParseUint(p.identifier(), 10, 32)
		if !p.take(":") {
			return nil
		}
		end, _ := strconv.ParseUint(p.identifier(), 10, 32)
		e.start, e.end = uint32(start), uint32(end)
		return e
	}
	at := p.at
	p.space()
	if p.at < len(p.s) && p.s[p.at] == '{' && !strings.HasPrefix(p.s[at:], "{}") {
		p.skip()
		return e
	}
	p.at = at
	// struct{} is the type; the braces of struct{}{} that follow are the value.
	p.take("{}")
	return e
}

// function reads what stands behind func. An empty list behind the parameters is
// taken for a call, which is what shapes mean by it.
func (p *typeParser) function() *expr {
	e := &expr{form: formFunc}
	if p.space(); p.at >= len(p.s) || p.s[p.at] != '(' {
		return nil
	}
	var ok bool
	if e.params, ok = p.list(); !ok {
		return nil
	}
	at := p.at
	p.space()
	switch {
	case p.at >= len(p.s) || strings.HasPrefix(p.s[p.at:], "()"):
		p.at = at
	case p.s[p.at] == '(':
		if e.results, ok = p.list(); !ok {
			return nil
		}
	default:
		start := p.at
		if r := p.typ(); r != nil {
			e.results = []param{{typ: r}}
		} else if p.at = at; start == at {
			return e
		}
	}
	return e
}

// list reads a parenthesised list of parameters or results.
func (p *typeParser) list() ([]param, bool) {
	p.at++
	var out []param
	named := false
	for {
		p.space()
		if p.take(")") {
			break
		}
		item, ok := p.item()
		if !ok {
			return nil, false
		}
		named = named || item.name != "" && item.typ != nil
		out = append(out, item)
		p.space()
		if !p.take(",") && !strings.HasPrefix(p.s[p.at:], ")") {
			return nil, false
		}
	}
	if !named {
		return out, true
	}
	// a, b int: a stands there like a type without a name.
	var last *expr
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].name == "" {
			if out[i].typ.form == formName {
				out[i].name = out[i].typ.name
			}
			out[i].typ = last
		}
		last = out[i].typ
	}
	return out, true
}

// item reads "T", "...T", "name T" or "name ...T".
func (p *typeParser) item() (param, bool) {
	if p.take("...") {
		t := p.typ()
		return param{typ: t, variadic: true}, t != nil
	}
	t := p.typ()
	if t == nil {
		return param{}, false
	}
	p.space()
	if p.at < len(p.s) && p.s[p.at] != ',' && p.s[p.at] != ')' && t.form == formName && t.pkg == "" {
		name := t.name
		if t.args != nil { // name [n]T reads like an instantiation
			return param{}, false
		}
		variadic := p.take("...")
		t = p.typ()
		return param{name: name, typ: t, variadic: variadic}, t != nil
	}
	return param{typ: t}, true
}

// parseResults reads the declared result of a function: nothing, a type, or a
// list in parentheses.
func parseResults(s string) []param {
	if s == "" {
		return nil
	}
	p := typeParser{s: s}
	if s[0] == '(' {
		if out, ok := p.list(); ok && p.at == len(s) {
			return out
		}
		p.at = 0
	}
	if t := p.typ(); t != nil {
		return []param{{typ: t}}
	}
	return nil
}

// typeParam is a type parameter with its constraint.
type typeParam struct {
	name       string
	constraint *expr
}

// parseTypeParams reads the type parameters that stand behind a name in a
// signature: "func Map[T, U any](in []T)", "type Set[T comparable] struct".
func parseTypeParams(signature, name string) []typeParam {
	i := strings.Index(signature, name+"[")
	if i < 0 {
		return nil
	}
	p := typeParser{s: signature, at: i + len(name) + 1}
	var out []typeParam
	pending := 0
	for {
		p.space()
		id := p.identifier()
		if id == "" {
			return nil
		}
		out = append(out, typeParam{name: id})
		p.space()
		if p.take(",") {
			continue
		}
		if p.at >= len(p.s) || p.s[p.at] == ']' {
			return nil // type Buffer [n]byte
		}
		c := p.union()
		if c == nil {
			return nil
		}
		for ; pending < len(out); pending++ {
			out[pending].constraint = c
		}
		p.space()
		if p.take("]") {
			return out
		}
		if !p.take(",") {
			return nil
		}
		if p.space(); p.take("]") {
			return out
		}
	}
}

// union reads A | ~B.
func (p *typeParser) union() *expr {
	var out []*expr
	for {
		p.space()
		p.take("~")
		t := p.typ()
		if t == nil {
			return nil
		}
		out = append(out, t)
		if p.space(); !p.take("|") {
			break
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return &expr{form: formUnion, args: out}
}

func parseConstraint(s string) *expr {
	p := typeParser{s: s}
	e := p.union()
	if e == nil || p.at != len(s) {
		return nil
	}
	return e
}

// receiverParams are the names that a method gives to the type parameters of its
// receiver: func (s *Set[T]) M().
func receiverParams(signature string) []string {
	rest, ok := strings.CutPrefix(signature, "func (")
	if !ok {
		rest, ok = strings.CutPrefix(signature, "func(")
	}
	open := strings.IndexAny(rest, "[)")
	if !ok || open < 0 || rest[open] == ')' {
		return nil
	}
	end := strings.IndexByte(rest[open:], ']')
	if end < 0 {
		return nil
	}
	var out []string
	for name := range strings.SplitSeq(rest[open+1:open+end], ",") {
		out = append(out, strings.TrimSpace(name))
	}
	return out
}
