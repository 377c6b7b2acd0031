package script

import "strings"

// exprKind is the form of a type expression.
type exprKind uint8

const (
	exprUnknown exprKind = iota
	exprName             // a.b.C<args>
	exprArray            // args[0][]
	exprTuple
	exprUnion
	exprIntersection
	exprObject      // members
	exprFunction    // (params) => args[0]
	exprConstructor // new (params) => args[0]
	exprTypeof      // typeof name
	exprKeyof
	exprIndex  // args[0][args[1]]
	exprString // a literal, name is its text
	exprBasic  // keywords, numbers, predicates
	exprConditional
	exprImport // import('module').name
	exprMapped // { [K in args[0]]: args[1] }
	exprThis
)

// expr is a type expression as it is written.
type expr struct {
	kind    exprKind
	name    string
	module  string // of exprImport
	args    []*expr
	members []member // of exprObject, parameters of functions
	tparams []typeParam
}

// member is a member of an object type or a parameter of a function type.
type member struct {
	name string
	typ  *expr
}

// typeParam is a declared type parameter.
type typeParam struct {
	name             string
	constraint, init *expr // nil when not written
}

var unknownExpr = &expr{}

// maxNesting bounds the recursion of the parser.
const maxNesting = 60

// parseType reads a type expression. What follows no known form, or was cut off,
// is unknown; what could be read before it stays.
func parseType(s string) *expr {
	p := &typeParser{s: s}
	return p.conditional()
}

// parseTypeParams reads the list that starts with an angle bracket.
func parseTypeParams(s string) []typeParam {
	p := &typeParser{s: s}
	return p.typeParams()
}

type typeParser struct {
	s     string
	at    int
	depth int
}

func (p *typeParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t' || p.s[p.at] == '\n' || p.s[p.at] == '\r') {
		p.at++
	}
}

func (p *typeParser) take(mark string) bool {
	p.space()
	if !strings.HasPrefix(p.s[p.at:], mark) {
		return false
	}
	p.at += len(mark)
	return true
}

// word takes a keyword.
func (p *typeParser) word(w string) bool {
	p.space()
	rest := p.s[p.at:]
	if !strings.HasPrefix(rest, w) || len(rest) > len(w) && inName(rest[len(w)]) {
		return false
	}
	p.at += len(w)
	return true
}

func inName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *typeParser) ident() string {
	p.space()
	start := p.at
	if p.at < len(p.s) && p.s[p.at] == '#' {
		p.at++
	}
	for p.at < len(p.s) && inName(p.s[p.at]) {
		p.at++
	}
	return p.s[start:p.at]
}

func (p *typeParser) conditional() *expr {
	if p.depth++; p.depth > maxNesting {
		p.at = len(p.s)
	}
	defer func() { p.depth-- }()
	t := p.union()
	if !p.word("extends") {
		return t
	}
	c := &expr{kind: exprConditional, args: []*expr{t, p.union()}}
	if p.take("?") {
		c.args = append(c.args, p.conditional())
		if p.take(":") {
			c.args = append(c.args, p.conditional())
		}
	}
	return c
}

func (p *typeParser) union() *expr {
	return p.list("|", exprUnion, func() *expr { return p.list("&", exprIntersection, p.postfix) })
}

func (p *typeParser) list(mark string, kind exprKind, part func() *expr) *expr {
	p.take(mark)
	first := part()
	var all []*expr
	for p.take(mark) {
		if all == nil {
			all = append(all, first)
		}
		all = append(all, part())
	}
	if all == nil {
		return first
	}
	return &expr{kind: kind, args: all}
}

func (p *typeParser) postfix() *expr {
	t := p.primary()
	for {
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != '[' {
			return t
		}
		p.at++
		if p.take("]") {
			t = &expr{kind: exprArray, args: []*expr{t}}
			continue
		}
		t = &expr{kind: exprIndex, args: []*expr{t, p.conditional()}}
		if !p.take("]") {
			return t
		}
	}
}

func (p *typeParser) primary() *expr {
	p.space()
	if p.at >= len(p.s) {
		return unknownExpr
	}
	switch c := p.s[p.at]; {
	case c == '(':
		if p.arrowFollows() {
			return p.function(exprFunction, nil)
		}
		p.at++
		t := p.conditional()
		p.take(")")
		return t
	case c == '<':
		return p.function(exprFunction, p.typeParams())
	case c == '{':
		return p.object()
	case c == '[':
		return p.tuple()
	case c == '"' || c == '\'' || c == '`':
		return &expr{kind: exprString, name: p.quoted()}
	case c == '-' || c >= '0' && c <= '9':
		p.at++
		p.ident()
		if p.take(".") {
			p.ident()
		}
		return &expr{kind: exprBasic}
	}
	if !inName(p.s[p.at]) {
		return unknownExpr
	}
	switch w := p.ident(); w {
	case "readonly", "unique":
		if next := p.peek(); inName(next) || next == '[' || next == '(' || next == '{' {
			return p.postfix()
		}
		return &expr{kind: exprName, name: w}
	case "keyof":
		return &expr{kind: exprKeyof, args: []*expr{p.postfix()}}
	case "infer":
		p.ident()
		return unknownExpr
	case "typeof":
		if p.word("import") {
			t := p.imported()
			return &expr{kind: exprImport, module: t.module, name: t.name}
		}
		name := p.dotted(p.ident())
		p.arguments()
		return &expr{kind: exprTypeof, name: name}
	case "abstract":
		if p.word("new") {
			return p.function(exprConstructor, p.typeParams())
		}
	case "new":
		return p.function(exprConstructor, p.typeParams())
	case "import":
		return p.imported()
	case "asserts":
		if inName(p.peek()) {
			p.ident()
			if p.word("is") {
				p.conditional()
			}
			return &expr{kind: exprBasic}
		}
	case "string", "number", "boolean", "any", "unknown", "never", "void", "object", "symbol", "bigint", "null", "undefined", "true", "false":
		return &expr{kind: exprBasic, name: w}
	case "this":
		if p.word("is") {
			p.conditional()
			return &expr{kind: exprBasic}
		}
		return &expr{kind: exprThis}
	default:
		if p.word("is") {
			p.conditional()
			return &expr{kind: exprBasic}
		}
		t := &expr{kind: exprName, name: p.dotted(w)}
		t.args = p.arguments()
		return t
	}
	return unknownExpr
}

func (p *typeParser) peek() byte {
	p.space()
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

func (p *typeParser) dotted(name string) string {
	for p.peek() == '.' && !strings.HasPrefix(p.s[p.at:], "..") {
		p.at++
		name += "." + p.ident()
	}
	return name
}

func (p *typeParser) imported() *expr {
	t := &expr{kind: exprImport}
	if p.take("(") {
		p.space()
		t.module = p.quoted()
		p.take(")")
	}
	if p.take(".") {
		t.name = p.dotted(p.ident())
	}
	t.args = p.arguments()
	return t
}

// arguments reads type arguments, if there are any.
func (p *typeParser) arguments() []*expr {
	if p.peek() != '<' {
		return nil
	}
	p.at++
	var out []*expr
	for p.at < len(p.s) {
		if p.take(">") {
			break
		}
		before := p.at
		out = append(out, p.conditional())
		if p.take(",") {
			continue
		}
		if !p.take(">") && p.at == before {
			p.at = len(p.s)
			break
		}
		if p.at > 0 && p.s[p.at-1] == '>' {
			break
		}
	}
	return out
}

func (p *typeParser) typeParams() []typeParam {
	if p.peek() != '<' {
		return nil
	}
	p.at++
	var out []typeParam
	for p.at < len(p.s) && !p.take(">") {
		name := p.ident()
		for name == "const" || name == "in" || name == "out" {
			name = p.ident()
		}
		t := typeParam{name: name}
		if p.word("extends") {
			t.constraint = p.conditional()
		}
		if p.take("=") {
			t.init = p.conditional()
		}
		if name == "" {
			break
		}
		out = append(out, t)
		if !p.take(",") {
			p.take(">")
			break
		}
	}
	return out
}

// arrowFollows tells whether the brackets that open here are parameters.
func (p *typeParser) arrowFollows() bool {
	depth := 0
	for i := p.at; i < len(p.s); i++ {
		switch p.s[i] {
		case '(', '[', '{':
			depth++
		case '"', '\'', '`':
			if end := strings.IndexByte(p.s[i+1:], p.s[i]); end >= 0 {
				i += end + 1
			}
		case ')', ']', '}':
			if depth--; depth == 0 {
				return strings.HasPrefix(strings.TrimLeft(p.s[i+1:], " "), "=>")
			}
		}
	}
	return false
}

func (p *typeParser) function(kind exprKind, tps []typeParam) *expr {
	t := &expr{kind: kind, tparams: tps, members: p.params()}
	result := unknownExpr
	if p.take("=>") {
		result = p.conditional()
	}
	t.args = []*expr{result}
	return t
}

// params reads parameters in brackets.
func (p *typeParser) params() []member {
	var out []member
	if !p.take("(") {
		return nil
	}
	for p.at < len(p.s) && !p.take(")") {
		p.take("...")
		m := member{}
		if c := p.peek(); c == '{' || c == '[' {
			p.skip()
		} else {
			m.name = p.ident()
		}
		p.take("?")
		if p.take(":") {
			m.typ = p.conditional()
		}
		if m.name != "this" {
			out = append(out, m)
		}
		if !p.take(",") {
			if !p.take(")") {
				p.at = len(p.s)
			}
			break
		}
	}
	return out
}

// skip passes over what is in the brackets that open here.
func (p *typeParser) skip() {
	depth := 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				p.at++
				return
			}
		}
	}
}
