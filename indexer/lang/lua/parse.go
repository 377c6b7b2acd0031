package lua

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxDepth bounds the nesting of blocks and brackets; what is nested deeper is
// skipped.
const maxDepth = 150

// parser walks the tokens of a file. Only the pass with report set tells the
// builder what it finds.
type parser struct {
	b      *lang.Builder
	src    []byte
	tokens []token
	i      int
	depth  int
	report bool
	// unclosed: the file ended inside a block. resync: it does, so a function
	// that starts in the first column ends all blocks.
	unclosed, resync bool
	modules          map[string]bool // tables that functions are put into
	returned         map[string]bool // what the file returns, by local name
	defined          map[string]bool // "container.name" of what has a symbol
	imports          map[string]bool
	comments         map[uint32]span // by the line on which they end
	headed           bool            // the comment on line 1 describes the file
	code             bool
	bodies           int     // functions entered
	class            string  // container of the method entered
	pending          []value // imports of the statement
}

func (p *parser) run() {
	p.i = 0
	for p.tokens[p.i].kind != tokEOF {
		at := p.i
		p.block()
		if p.i == at || p.is(p.i, "end") || p.is(p.i, "until") || p.is(p.i, "else") || p.is(p.i, "elseif") {
			p.i++ // closes nothing
		}
		if p.i >= len(p.tokens) {
			p.i = len(p.tokens) - 1
		}
	}
}

func (p *parser) text(t token) string { return string(p.src[t.start:t.end]) }

func (p *parser) at(i int) token { return p.tokens[min(i, len(p.tokens)-1)] }

func (p *parser) is(i int, text string) bool {
	t := p.at(i)
	return t.kind != tokString && t.end-t.start == len(text) && string(p.src[t.start:t.end]) == text
}

func (p *parser) accept(text string) bool {
	if p.is(p.i, text) {
		p.i++
		return true
	}
	return false
}

// expect is accept for what closes something.
func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.unclosed = true
	}
}

// end is the end of the token before.
func (p *parser) end() int {
	if p.i == 0 {
		return 0
	}
	return p.at(p.i - 1).end
}

// header tells whether a function starts here in the first column.
func (p *parser) header() bool {
	t := p.at(p.i)
	if t.start > 0 && p.src[t.start-1] != '\n' {
		return false
	}
	return p.is(p.i, "function") && p.at(p.i+1).kind == tokName || p.is(p.i, "local") && p.is(p.i+1, "function")
}

func (p *parser) within(symbol int32, walk func()) {
	if p.report {
		p.b.Within(symbol, walk)
	} else {
		walk()
	}
}

// scope runs walk in a scope that starts at an offset and ends where the
// tokens that walk reads end.
func (p *parser) scope(start int, body bool, walk func()) {
	if !p.report {
		walk()
		return
	}
	// The span is needed before its end is known: skip ahead for it.
	span := facts.Span{Start: uint32(start), End: uint32(p.blockEnd())}
	if body {
		p.b.Body(span, walk)
	} else {
		p.b.Scope(span, walk)
	}
}

// blockEnd finds the end of the block that starts here. Beyond a bound of
// tokens the end of the file stands for it.
func (p *parser) blockEnd() int {
	depth := 0
	for k := p.i; k < len(p.tokens) && k < p.i+20000; k++ {
		t := p.tokens[k]
		if t.kind != tokKeyword {
			continue
		}
		switch p.text(t) {
		case "function", "if", "do", "repeat":
			depth++
		case "end", "until":
			if depth == 0 {
				return t.end
			}
			depth--
		case "else", "elseif":
			if depth == 0 {
				return t.start
			}
		}
	}
	return len(p.src)
}

// block reads statements up to what ends a block.
func (p *parser) block() {
	if p.depth > maxDepth {
		p.skipBlock()
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	for {
		t := p.at(p.i)
		if t.kind == tokEOF || p.is(p.i, "end") || p.is(p.i, "else") || p.is(p.i, "elseif") || p.is(p.i, "until") {
			return
		}
		if p.resync && p.depth > 1 && p.header() {
			return
		}
		at := p.i
		p.statement()
		p.flush()
		if p.i == at {
			p.unclosed = true
			p.i++
		}
	}
}

// skipBlock skips what is nested too deep.
func (p *parser) skipBlock() {
	depth := 0
	for ; p.at(p.i).kind != tokEOF; p.i++ {
		if p.at(p.i).kind != tokKeyword {
			continue
		}
		switch p.text(p.at(p.i)) {
		case "function", "if", "do", "repeat":
			depth++
		case "end", "until":
			if depth == 0 {
				return
			}
			depth--
		}
		if p.resync && p.header() {
			return
		}
	}
}

// top tells whether the walk stands outside of functions.
func (p *parser) top() bool { return p.bodies == 0 }

func (p *parser) statement() {
	t := p.at(p.i)
	if t.kind == tokKeyword {
		switch p.text(t) {
		case "function":
			if p.at(p.i+1).kind == tokName {
				p.function(t.start, false)
				return
			}
		case "local":
			p.i++
			if p.accept("function") {
				p.i--
				p.function(t.start, true)
				return
			}
			p.local(t.start)
			return
		case "if":
			p.i++
			p.expr()
			p.expect("then")
			p.scope(t.start, false, p.block)
			for {
				if p.accept("elseif") {
					p.expr()
					p.expect("then")
				} else if !p.accept("else") {
					break
				}
				p.scope(p.end(), false, p.block)
			}
			p.expect("end")
			return
		case "while":
			p.i++
			p.expr()
			p.expect("do")
			p.scope(t.start, false, p.block)
			p.expect("end")
			return
		case "do":
			p.i++
			p.scope(t.start, false, p.block)
			p.expect("end")
			return
		case "repeat":
			p.i++
			p.scope(t.start, false, p.block)
			p.expect("until")
			p.expr()
			return
		case "for":
			p.loop(t.start)
			return
		case "return":
			p.i++
			p.returns()
			return
		case "break":
			p.i++
			return
		}
	}
	switch {
	case p.accept(";"):
		return
	case p.is(p.i, "::"):
		p.i++
		if p.at(p.i).kind == tokName {
			p.i++
		}
		p.accept("::")
		return
	case p.is(p.i, "goto") && p.at(p.i+1).kind == tokName && p.b.Line(uint32(t.start)) == p.b.Line(uint32(p.at(p.i+1).start)):
		p.i += 2
		return
	}
	p.assignment()
}

func (p *parser) loop(start int) {
	p.i++
	var names []token
	for p.at(p.i).kind == tokName {
		names = append(names, p.at(p.i))
		p.i++
		if !p.accept(",") {
			break
		}
	}
	init := "0"
	if p.accept("=") || p.accept("in") {
		generic := p.is(p.i-1, "in")
		values := p.exprs()
		if generic && len(values) > 0 {
			init = lang.Shape("range " + values[0].shape)
		}
	}
	p.expect("do")
	p.scope(start, false, func() {
		for k, n := range names {
			shape := init
			if init != "0" {
				shape = lang.Shape(init + "#" + string(rune('0'+min(k, 9))))
			}
			p.bind(n, "", shape)
		}
		p.block()
	})
	p.expect("end")
}

func (p *parser) bind(n token, typ, init string) {
	if p.report {
		p.b.Bind(p.text(n), uint32(n.start), typ, init)
	}
}

// returns reads what follows return. What a file returns is public.
func (p *parser) returns() {
	start := p.i
	top := p.top() && p.depth == 1
	values := p.exprs()
	p.accept(";")
	if !top || len(values) == 0 {
		return
	}
	v := values[0]
	if isName(v.shape) {
		p.returned[v.shape] = true
	}
	for k := start; k < p.i; k++ { // { name = name }, setmetatable(M, ...)
		if p.at(k).kind == tokName && (p.is(k-1, "=") || p.is(k-1, "(") || p.is(k-1, "{") || p.is(k-1, ",")) &&
			(p.is(k+1, ",") || p.is(k+1, "}") || p.is(k+1, ";") || p.is(k+1, ")")) && v.bodies == 0 {
			p.returned[p.text(p.at(k))] = true
		}
	}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) || i == 0 && isDigit(s[0]) {
			return false
		}
	}
	return s != "" && !isKeyword(s)
}

// function reads a function statement. p.i is at the keyword.
func (p *parser) function(start int, local bool) {
	p.i++
	var path []token
	method := false
	for p.at(p.i).kind == tokName {
		path = append(path, p.at(p.i))
		p.i++
		if p.accept(":") {
			method = true
		} else if !p.accept(".") {
			break
		}
	}
	if len(path) == 0 {
		return
	}
	name := path[len(path)-1]
	var container []string
	for _, t := range path[:len(path)-1] {
		container = append(container, p.text(t))
	}
	if local {
		p.bindInBody(name, "func")
	}
	p.body(definition{start: start, name: name, container: strings.Join(container, "."), method: method, local: local})
}

// bindInBody binds a name that is no symbol of the file's level.
func (p *parser) bindInBody(n token, init string) {
	if !p.top() {
		p.bind(n, "", init)
	}
}

// definition is a function that is about to be read; p.i is at its parameters.
type definition struct {
	start         int
	name          token // the zero token for an anonymous function
	container     string
	method, local bool
}

// body reads parameters and body of a function.
func (p *parser) body(d definition) {
	var names []token
	if p.accept("(") {
		for {
			switch t := p.at(p.i); {
			case t.kind == tokName:
				names = append(names, t)
				p.i++
				if p.accept(":") { // a type of Luau
					for p.at(p.i).kind == tokName || p.is(p.i, ".") || p.is(p.i, "?") {
						p.i++
					}
				}
			case p.is(p.i, "..."):
				names = append(names, t)
				p.i++
			}
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	} else {
		p.unclosed = true
	}
	headEnd := p.end()
	symbol := int32(-1)
	t := tags{}
	named := d.name.end > d.name.start
	if named {
		p.modules[first(d.container)] = true
	}
	if named && p.report {
		symbol, t = p.functionSymbol(d, names, headEnd)
	}
	p.bodies++
	class := p.class
	if d.method || d.container != "" {
		p.class = d.container
	}
	p.within(symbol, func() {
		p.scope(headEnd, true, func() {
			if d.method {
				if p.report {
					p.b.Bind("self", uint32(d.name.start), d.container, "")
				}
			}
			for _, n := range names {
				if p.text(n) != "..." {
					p.bind(n, t.types[p.text(n)], "")
				}
			}
			p.block()
		})
	})
	p.class = class
	p.bodies--
	p.expect("end")
	if symbol >= 0 {
		s := p.b.At(symbol)
		s.Span.End = uint32(max(p.end(), headEnd))
		s.EndLine = p.b.Line(max(s.Span.Start, s.Span.End-1))
	}
}

func (p *parser) functionSymbol(d definition, names []token, headEnd int) (int32, tags) {
	t := p.above(d.start)
	name := p.text(d.name)
	s := facts.Symbol{
		Name: name, Kind: facts.KindFunction, Container: d.container, Doc: t.doc, Type: t.result,
		Signature: string(p.src[d.start:headEnd]),
		Span:      facts.Span{Start: uint32(d.start), End: uint32(headEnd)}, NameSpan: facts.Span{Start: uint32(d.name.start), End: uint32(d.name.end)},
	}
	if d.method {
		s.Kind = facts.KindMethod
	}
	if name == "new" && d.container != "" {
		s.Kind = facts.KindConstructor
	}
	owner := first(d.container)
	switch {
	case t.private, d.container == "" && d.local && !p.returned[name], strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__"):
		s.Visibility = facts.Private
	case d.container != "" && len(p.returned) > 0 && !p.returned[owner] && p.defined["local "+owner]:
		s.Visibility = facts.Private
	}
	if d.local && p.returned[name] || p.returned[owner] && owner != "" {
		s.Flags |= facts.Exported
	}
	if s.Visibility == facts.Private {
		s.Flags &^= facts.Exported
	}
	if t.obsolete {
		s.Flags |= facts.Obsolete
	}
	for _, n := range names {
		s.Params = append(s.Params, facts.Param{Name: p.text(n), Type: t.types[p.text(n)]})
	}
	return p.b.Symbol(s), t
}

func first(container string) string {
	name, _, _ := strings.Cut(container, ".")
	return name
}

// literalOf is the text of a string token without its quotes.
func (p *parser) literalOf(t token) string {
	s := p.src[t.start:t.end]
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') {
		return string(bytes.TrimSuffix(s[1:], s[:1]))
	}
	return strings.Trim(string(s), "[]=")
}
