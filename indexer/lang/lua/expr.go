package lua

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// value is what an expression says about itself.
type value struct {
	shape  string
	start  int
	module string // of require
	member string // of what require gives
	bases  []string
	index  string // of a table
	// protected: the module is the second value, of pcall.
	protected bool
	function  bool
	table     bool
	class     bool
	bodies    int // functions in it
	call      bool
	name      token // last name of a chain
	owner     string
	root      token
}

func (p *parser) exprs() []value {
	var out []value
	for {
		at := p.i
		v := p.expr()
		if p.i == at {
			break
		}
		out = append(out, v)
		if !p.accept(",") {
			break
		}
	}
	return out
}

func (p *parser) isUnary() bool {
	return p.is(p.i, "-") || p.is(p.i, "not") || p.is(p.i, "#") || p.is(p.i, "~")
}

func (p *parser) isBinary() (comparison, ok bool) {
	t := p.at(p.i)
	if t.kind != tokOp && t.kind != tokKeyword {
		return false, false
	}
	switch p.text(t) {
	case "==", "~=", "<", ">", "<=", ">=":
		return true, true
	case "+", "-", "*", "/", "//", "%", "^", "..", "&", "|", "~", "<<", ">>", "and", "or":
		return false, true
	}
	return false, false
}

// expr reads an expression. Its value is that of its first operand.
func (p *parser) expr() value {
	return p.named(definition{})
}

// named reads an expression; d describes the function that it may be.
func (p *parser) named(d definition) value {
	var v value
	for k := 0; ; k++ {
		for p.isUnary() {
			p.i++
		}
		at := p.i
		operand := p.operand(d)
		if k == 0 {
			v = operand
		} else if v.shape == lang.Unknown || v.shape == "" {
			v.shape = operand.shape
		}
		v.bodies += operand.bodies
		if p.i == at {
			return v
		}
		comparison, ok := p.isBinary()
		if !ok {
			return v
		}
		if comparison {
			v.shape = "true"
		}
		if p.is(p.i, "..") {
			v.shape = `""`
		}
		v.function, v.table, v.call = false, false, false
		p.i++
		d = definition{}
	}
}

func (p *parser) operand(d definition) value {
	t := p.at(p.i)
	v := value{shape: lang.Unknown, start: t.start}
	switch {
	case t.kind == tokEOF || p.resync && p.depth > 1 && p.header():
		return v
	case t.kind == tokString:
		p.i++
		v.shape = `""`
		return p.suffixes(v, false)
	case t.kind == tokNumber:
		p.i++
		v.shape = "0"
		return v
	case t.kind == tokKeyword:
		switch p.text(t) {
		case "nil":
			v.shape = "nil"
		case "true", "false":
			v.shape = "true"
		case "function":
			if p.at(p.i+1).kind == tokName {
				return v // a statement: what stood before is damaged
			}
			p.i++
			v.shape, v.function, v.bodies = "func", true, 1
			p.nest(func() { p.body(d) })
			return v
		default:
			return v
		}
		p.i++
		return v
	case p.is(p.i, "..."):
		p.i++
		return v
	case p.is(p.i, "{"):
		v.table, v.shape = true, "{}"
		p.nest(func() { v.bodies, v.index = p.table(d) })
		return v
	case p.is(p.i, "("):
		p.nest(func() {
			p.i++
			inner := p.expr()
			v.shape, v.bodies = inner.shape, inner.bodies
			p.expect(")")
		})
		return p.suffixes(v, true)
	case t.kind == tokName:
		p.i++
		v.shape, v.name, v.root = p.text(t), t, t
		return p.suffixes(v, true)
	}
	return v
}

// nest runs walk one level deeper, or skips a bracket that is too deep.
func (p *parser) nest(walk func()) {
	if p.depth <= maxDepth {
		p.depth++
		walk()
		p.depth--
		return
	}
	if p.is(p.i-1, "function") {
		p.skipBlock()
		p.accept("end")
		return
	}
	depth := 0
	for ; p.at(p.i).kind != tokEOF; p.i++ {
		if p.resync && p.header() {
			return
		}
		if p.at(p.i).kind != tokOp {
			continue
		}
		switch p.text(p.at(p.i)) {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth <= 0 {
				p.i++
				return
			}
		}
	}
	p.unclosed = true
}

// suffixes reads members, indexes and calls behind a name or parenthesis.
func (p *parser) suffixes(v value, callable bool) value {
	for {
		t := p.at(p.i)
		switch {
		case p.is(p.i, ".") && p.at(p.i+1).kind == tokName:
			p.use(v, facts.RefRead)
			p.i++
			v = p.member(v, p.at(p.i))
			p.i++
		case p.is(p.i, "[") && callable:
			p.use(v, facts.RefRead)
			p.i++
			key := p.at(p.i)
			literal := key.kind == tokString && p.is(p.i+1, "]")
			p.nestedExpr()
			p.expect("]")
			if text := ""; literal {
				if text = p.literalOf(key); isName(text) {
					v = p.member(v, token{tokName, key.start + 1, key.start + 1 + len(text)})
					continue
				}
			}
			v.shape, v.name, v.owner = lang.Shape(v.shape+"[]"), token{}, ""
		case p.is(p.i, ":") && p.at(p.i+1).kind == tokName && (p.is(p.i+2, "(") || p.is(p.i+2, "{") || p.at(p.i+2).kind == tokString):
			p.use(v, facts.RefRead)
			p.i++
			v = p.member(v, p.at(p.i))
			p.i++
			v = p.call(v)
		case callable && (p.is(p.i, "(") || p.is(p.i, "{") || t.kind == tokString):
			v = p.call(v)
		default:
			if !v.call {
				p.useEnd(v)
			}
			return v
		}
		callable = true
	}
}

func (p *parser) nestedExpr() {
	if p.depth > maxDepth {
		p.nest(func() {})
		return
	}
	p.depth++
	p.expr()
	p.depth--
}

func (p *parser) member(v value, n token) value {
	if v.module != "" && v.member == "" {
		v.member = p.text(n)
	}
	v.owner, v.name = v.shape, n
	v.shape = lang.Shape(v.shape + "." + p.text(n))
	v.call = false
	return v
}

// useEnd records the read of a whole chain, unless it is about to be assigned.
func (p *parser) useEnd(v value) {
	if p.is(p.i, "=") || p.is(p.i, ",") && p.assigning(p.i) {
		return
	}
	p.use(v, facts.RefRead)
}

// assigning looks a few tokens ahead for the equals sign of a list of targets.
func (p *parser) assigning(i int) bool {
	for k := i; k < i+8 && k < len(p.tokens); k++ {
		switch t := p.at(k); {
		case p.is(k, "="):
			return true
		case t.kind == tokName, p.is(k, ","), p.is(k, "."):
		default:
			return false
		}
	}
	return false
}

// use records a reference to the last name of a chain.
func (p *parser) use(v value, kind facts.RefKind) {
	if !p.report || v.name.end == v.name.start || v.call {
		return
	}
	name := p.text(v.name)
	if v.owner == "" {
		if p.b.Bound(name) || p.imports[name] || name == "self" || name == "_" || isLibrary(name) {
			return
		}
	} else if isLibrary(v.owner) && !p.b.Bound(v.owner) {
		return
	}
	p.b.Reference(kind, name, v.owner, uint32(v.name.start))
}

// call reads arguments. p.i is at the parenthesis, table or string.
func (p *parser) call(v value) value {
	p.use(v, facts.RefCall)
	function := v.shape
	first := p.at(p.i + 1)
	if p.at(p.i).kind == tokString {
		first = p.at(p.i)
	}
	start := p.i
	var args []value
	p.nest(func() {
		switch {
		case p.at(p.i).kind == tokString:
			p.i++
		case p.is(p.i, "{"):
			n, _ := p.table(definition{})
			v.bodies += n
		default:
			p.i++
			args = p.exprs()
			p.expect(")")
		}
	})
	for _, a := range args {
		v.bodies += a.bodies
	}
	out := value{shape: lang.Shape(function + "()"), start: v.start, bodies: v.bodies, call: true, root: v.root}
	switch {
	case function == "require" && first.kind == tokString, (function == "dofile" || function == "loadfile") && first.kind == tokString:
		out.module = p.literalOf(first)
	case function == "pcall" && p.is(start+1, "require") && p.at(start+3).kind == tokString:
		out.module, out.protected = p.literalOf(p.at(start+3)), true
	case function == "setmetatable" && len(args) == 2:
		for _, base := range []string{args[1].index, args[1].shape} {
			if isChain(base) && len(out.bases) == 0 {
				out.bases = []string{base}
			}
		}
		out.class = len(out.bases) > 0
		out.table = true
		if isName(args[0].shape) {
			out.owner = args[0].shape
			out.table = false
		}
	case strings.HasSuffix(function, ".extend") || strings.HasSuffix(function, ".subclass") || strings.HasSuffix(function, ".derive"):
		out.bases, out.class = []string{function[:strings.LastIndexByte(function, '.')]}, true
	case function == "class" || function == "Class" || strings.HasSuffix(function, ".class"):
		out.class = true
		for _, a := range args {
			if isChain(a.shape) {
				out.bases = append(out.bases, a.shape)
			}
		}
	case (function == "describe" || function == "it" || function == "insulate" || function == "context") && p.report && first.kind == tokString:
		p.b.AddTrait(facts.TestCode)
	case function == "module" && first.kind == tokString && p.report:
		p.b.SetPackage(p.literalOf(first))
	}
	if out.module != "" {
		p.pending = append(p.pending, value{module: out.module, start: v.start})
	}
	return out
}

// taken forgets an import that is reported with the name it is given.
func (p *parser) taken(start int) {
	p.pending = slices.DeleteFunc(p.pending, func(v value) bool { return v.start == start })
}

// flush reports the imports of a statement that gives them no name.
func (p *parser) flush() {
	for _, v := range p.pending {
		if p.report {
			p.b.Import(facts.Import{Module: v.module}, uint32(v.start))
		}
	}
	p.pending = p.pending[:0]
}

func isChain(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return false
		}
	}
	return true
}

// isLibrary lists the functions and tables of the standard library.
func isLibrary(name string) bool {
	switch name {
	case "assert", "collectgarbage", "dofile", "error", "getmetatable", "ipairs", "load", "loadfile", "loadstring", "next", "pairs",
		"pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "tonumber", "tostring",
		"type", "unpack", "xpcall", "_G", "_VERSION", "_ENV", "getfenv", "setfenv", "module",
		"string", "table", "math", "io", "os", "coroutine", "debug", "package", "utf8", "bit", "jit", "arg":
		return true
	}
	return false
}
