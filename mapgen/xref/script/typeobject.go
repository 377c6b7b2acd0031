package script

func (p *typeParser) tuple() *expr {
	t := &expr{kind: exprTuple}
	p.at++
	for p.at < len(p.s) && !p.take("]") {
		p.take("...")
		start := p.at
		// Elements can have names.
		if p.ident() != "" {
			p.take("?")
			if p.peek() != ':' {
				p.at = start
			} else {
				p.at++
			}
		} else {
			p.at = start
		}
		t.args = append(t.args, p.conditional())
		p.take("?")
		if !p.take(",") {
			if !p.take("]") {
				p.at = len(p.s)
			}
			break
		}
	}
	return t
}

func (p *typeParser) quoted() string {
	if p.at >= len(p.s) {
		return ""
	}
	q := p.s[p.at]
	start := p.at + 1
	for p.at++; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '\\':
			p.at++
		case q:
			p.at++
			return p.s[start : p.at-1]
		}
	}
	p.at = len(p.s)
	return p.s[min(start, len(p.s)):]
}

// object reads an object type or a mapped type.
func (p *typeParser) object() *expr {
	p.at++
	t := &expr{kind: exprObject}
	for p.at < len(p.s) && !p.take("}") {
		before := p.at
		if mapped := p.objectMember(t); mapped != nil {
			return mapped
		}
		for p.take(";") || p.take(",") {
		}
		if p.at == before {
			p.at = len(p.s)
		}
	}
	return t
}

func (p *typeParser) objectMember(t *expr) *expr {
	p.take("-")
	p.take("+")
	for _, w := range []string{"readonly", "get", "set"} {
		start := p.at
		if p.word(w) && (inName(p.peek()) || p.peek() == '[' || p.peek() == '"' || p.peek() == '\'') {
			continue
		}
		p.at = start
	}
	m := member{}
	switch c := p.peek(); {
	case c == '[':
		p.at++
		name := p.ident()
		if p.word("in") {
			t := &expr{kind: exprMapped, name: name, args: []*expr{p.conditional()}}
			if p.word("as") {
				p.conditional()
			}
			p.take("]")
			p.take("-")
			p.take("+")
			p.take("?")
			value := unknownExpr
			if p.take(":") {
				value = p.conditional()
			}
			p.take(";")
			p.take("}")
			t.args = append(t.args, value)
			return t
		}
		if p.take(":") {
			p.conditional()
			m.name = "[]" // an index signature
		} else {
			p.dotted(name)
		}
		p.take("]")
	case c == '"' || c == '\'':
		m.name = p.quoted()
	case c == '(' || c == '<':
		m.name = "()" // a call signature
	default:
		m.name = p.ident()
	}
	p.take("?")
	if c := p.peek(); c == '(' || c == '<' {
		f := &expr{kind: exprFunction, tparams: p.typeParams(), members: p.params(), args: []*expr{unknownExpr}}
		if p.take(":") {
			f.args[0] = p.conditional()
		}
		m.typ = f
	} else if p.take(":") {
		m.typ = p.conditional()
	}
	if m.name != "" {
		t.members = append(t.members, m)
	}
	return nil
}
