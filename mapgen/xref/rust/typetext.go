package rust

import "strings"

// text is a type expression. Exactly one of path, tuple and bounds says
// something, or none: then nothing is known.
type text struct {
	path []string // of names; "" first where it starts with colons
	args []*text  // of the last name, in the order of the parameters
	// assoc are the bindings among the arguments: Item = T.
	assoc []assocText
	tuple []*text
	// bounds are the traits of dyn A + B and impl A + B.
	bounds []*text
	// self is the type of <T as Trait>::Name, where the path is that of the trait
	// with the name behind it.
	self *text
	// result is what fn(…) -> T and Fn(…) -> T give.
	result *text
	slice  bool // [T] and [T; N], of args[0]
	ref    bool // or a pointer
}

type assocText struct {
	name string
	text *text
}

// maxTypeDepth bounds how deep type expressions are read.
const maxTypeDepth = 8

// typeText takes a type expression apart, once.
func (r *Resolver) typeText(s string) *text {
	t, ok := r.texts[s]
	if !ok {
		t = parseType(s)
		r.texts[s] = t
	}
	return t
}

func parseType(s string) *text {
	p := &typeParser{s: s}
	return p.typ(0)
}

type typeParser struct {
	s  string
	at int
}

func (p *typeParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t' || p.s[p.at] == '\n') {
		p.at++
	}
}

func (p *typeParser) peek() byte {
	p.space()
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

// take reads a mark if it comes next.
func (p *typeParser) take(mark string) bool {
	p.space()
	if strings.HasPrefix(p.s[p.at:], mark) {
		p.at += len(mark)
		return true
	}
	return false
}

// word reads a word if it comes next.
func (p *typeParser) word(w string) bool {
	p.space()
	if rest, ok := strings.CutPrefix(p.s[p.at:], w); ok && (rest == "" || !isNameByte(rest[0])) {
		p.at += len(w)
		return true
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (p *typeParser) name() string {
	p.space()
	p.take("r#")
	from := p.at
	for p.at < len(p.s) && isNameByte(p.s[p.at]) {
		p.at++
	}
	return p.s[from:p.at]
}

func (p *typeParser) lifetime() bool {
	if p.peek() != '\'' {
		return false
	}
	p.at++
	p.name()
	return true
}

func (p *typeParser) typ(depth int) *text {
	t := &text{}
	if depth > maxTypeDepth {
		p.skip()
		return t
	}
	for {
		switch {
		case p.take("&"), p.take("*const "), p.take("*mut "):
			t.ref = true
		case p.word("mut"), p.lifetime():
		case p.word("dyn"), p.word("impl"):
			t.bounds = p.bounds(depth)
			return t
		case p.word("for"):
			if p.take("<") {
				p.closeAngle()
			}
		case p.take("?"), p.take("~const "), p.take("[const] "), p.word("unsafe"), p.word("async"):
		case p.word("extern"):
			if p.take(`"`) {
				if i := strings.IndexByte(p.s[p.at:], '"'); i >= 0 {
					p.at += i + 1
				}
			}
		default:
			p.atom(t, depth)
			return t
		}
	}
}

func (p *typeParser) bounds(depth int) []*text {
	var out []*text
	for {
		if !p.lifetime() && p.peek() != 0 {
			paren := p.take("(")
			before := p.at
			out = append(out, p.typ(depth+1))
			if paren {
				p.take(")")
			}
			if p.at == before {
				return out
			}
		}
		if !p.take("+") {
			return out
		}
	}
}

func (p *typeParser) atom(t *text, depth int) {
	switch {
	case p.take("("):
		list := p.list(')', depth)
		if len(list) == 1 && !strings.HasSuffix(strings.TrimSpace(p.s[:max(p.at-1, 0)]), ",") {
			ref := t.ref
			*t = *list[0]
			t.ref = t.ref || ref
			return
		}
		t.tuple = list
		if t.tuple == nil {
			t.tuple = []*text{}
		}
	case p.take("["):
		t.slice = true
		t.args = []*text{p.typ(depth + 1)}
		p.until(']')
	case p.take("<"):
		t.self = p.typ(depth + 1)
		if p.word("as") {
			trait := p.typ(depth + 1)
			t.path = trait.path
		}
		p.until('>')
		for p.take("::") {
			t.path = append(t.path[:len(t.path):len(t.path)], p.name())
		}
	case p.word("fn"):
		if p.take("(") {
			t.args = p.list(')', depth)
		}
		t.path = []string{"fn"}
		if p.take("->") {
			t.result = p.typ(depth + 1)
		}
	default:
		p.named(t, depth)
	}
}

func (p *typeParser) named(t *text, depth int) {
	if p.take("::") {
		t.path = append(t.path, "")
	}
	for {
		name := p.name()
		if name == "" {
			return
		}
		t.path = append(t.path, name)
		if p.peek() == '(' && strings.HasPrefix(name, "Fn") {
			p.at++
			t.args = p.list(')', depth)
			if p.take("->") {
				t.result = p.typ(depth + 1)
			}
			return
		}
		more := p.take("::")
		if p.take("<") {
			t.args, t.assoc = nil, nil
			p.arguments(t, depth)
			more = p.take("::")
		}
		if !more {
			return
		}
	}
}

// arguments reads what stands between angle brackets.
func (p *typeParser) arguments(t *text, depth int) {
	for p.at < len(p.s) {
		before := p.at
		switch {
		case p.take(">"):
			return
		case p.take(","):
			continue
		case p.lifetime():
			continue
		case p.take("{"):
			p.until('}')
			continue
		}
		a := p.typ(depth + 1)
		if p.peek() == '=' && len(a.path) == 1 {
			p.at++
			t.assoc = append(t.assoc, assocText{a.path[0], p.typ(depth + 1)})
		} else if p.take(":") {
			t.assoc = append(t.assoc, assocText{joinPath(a.path), &text{bounds: p.bounds(depth + 1)}})
		} else {
			t.args = append(t.args, a)
		}
		if p.at == before {
			p.at++
		}
	}
}

// list reads types up to a closing bracket.
func (p *typeParser) list(end byte, depth int) []*text {
	var out []*text
	for p.at < len(p.s) {
		before := p.at
		switch {
		case p.peek() == end:
			p.at++
			return out
		case p.take(","):
			continue
		}
		t := p.typ(depth + 1)
		if p.peek() == ':' && !strings.HasPrefix(p.s[p.at:], "::") {
			p.at++ // the name of a parameter
			t = p.typ(depth + 1)
		}
		out = append(out, t)
		if p.at == before {
			p.at++
		}
	}
	return out
}

// until skips to a closing bracket, and over it.
func (p *typeParser) until(end byte) {
	depth := 0
	for ; p.at < len(p.s); p.at++ {
		switch c := p.s[p.at]; {
		case c == end && depth == 0:
			p.at++
			return
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == '>' && p.at > 0 && p.s[p.at-1] == '-':
		case c == ')' || c == ']' || c == '}' || c == '>':
			depth--
		}
	}
}

func (p *typeParser) closeAngle() { p.until('>') }

// skip leaves an expression that is too deep unread.
func (p *typeParser) skip() {
	for p.at < len(p.s) && !strings.ContainsRune(",>)]", rune(p.s[p.at])) {
		p.at++
	}
}
