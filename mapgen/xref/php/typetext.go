package php

import "strings"

// text is a type expression taken apart.
type text struct {
	// op is '|' or '&' for parts joined by it, '[' for a list of parts[0], '(' for
	// what is called with parts, 0 for a name.
	op    byte
	name  string // "" for what is no name
	parts []text // of op, or the type arguments of a name
}

const (
	// maxTextDepth bounds how deep type expressions are read, maxParts how many
	// types one joins or takes.
	maxTextDepth = 12
	maxParts     = 24
)

// typeText reads a type expression, once.
func (r *Resolver) typeText(s string) text {
	t, ok := r.texts[s]
	if !ok {
		p := typeParser{s: s}
		t = p.joined(0)
		if p.bad {
			t = text{}
		}
		r.texts[s] = t
	}
	return t
}

// typeParser reads types of the language and of documentation comments. What
// stands behind a whole type is left alone.
type typeParser struct {
	s   string
	at  int
	bad bool
}

func (p *typeParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t') {
		p.at++
	}
}

func (p *typeParser) take(c byte) bool {
	p.space()
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *typeParser) joined(depth int) text {
	if depth > maxTextDepth {
		p.bad = true
		return text{}
	}
	t := p.part(depth)
	for _, op := range []byte{'&', '|'} {
		if p.bad || !p.take(op) {
			continue
		}
		out := text{op: op, parts: []text{t}}
		for {
			next := p.part(depth)
			for op == '|' && !p.bad && p.take('&') {
				next = text{op: '&', parts: []text{next, p.part(depth)}}
			}
			if len(out.parts) < maxParts {
				out.parts = append(out.parts, next)
			}
			if p.bad || !p.take(op) {
				break
			}
		}
		t = out
	}
	return t
}

func (p *typeParser) part(depth int) text {
	if depth > maxTextDepth {
		p.bad = true
		return text{}
	}
	var t text
	for p.take('.') { // of a variadic parameter
	}
	switch {
	case p.take('?'):
		return p.part(depth + 1)
	case p.take('('):
		t = p.joined(depth + 1)
		if !p.take(')') {
			// A type that depends on a condition: ($x is T ? A : B).
			p.skip('(', ')')
			t = text{}
		}
	case p.take('\''), p.take('"'):
		quote := p.s[p.at-1]
		end := strings.IndexByte(p.s[p.at:], quote)
		if end < 0 {
			p.bad = true
			return text{}
		}
		p.at += end + 1
	default:
		t.name = p.word()
		if t.name == "" {
			p.bad = true
			return text{}
		}
		switch {
		case p.take('<'):
			for {
				arg := p.joined(depth + 1)
				if len(t.parts) < maxParts {
					t.parts = append(t.parts, arg)
				}
				if p.bad || !p.take(',') {
					break
				}
			}
			if !p.take('>') {
				p.bad = true
			}
		case p.take('{'):
			p.skip('{', '}')
			t = text{name: "array"}
		case p.take('('):
			t = text{op: '(', parts: p.arguments(depth)}
			if p.take(':') {
				p.part(depth + 1)
			}
		}
	}
	for p.at+1 < len(p.s) && p.s[p.at] == '[' && p.s[p.at+1] == ']' {
		p.at += 2
		if depth++; depth > maxTextDepth {
			p.bad = true
			return text{}
		}
		t = text{op: '[', parts: []text{t}}
	}
	return t
}

// arguments reads the types that a callable takes, up to its bracket; names of
// parameters may stand behind them.
func (p *typeParser) arguments(depth int) []text {
	var out []text
	for !p.take(')') {
		arg := p.joined(depth + 1)
		if len(out) < maxParts {
			out = append(out, arg)
		}
		for p.take('&') || p.take('.') || p.take('=') {
		}
		p.space()
		if p.at < len(p.s) && p.s[p.at] == '$' {
			p.word()
		}
		if p.bad || !p.take(',') && (p.at >= len(p.s) || p.s[p.at] != ')') {
			p.bad = true
			return nil
		}
	}
	return out
}

// word reads a name: letters, digits, backslashes, and the marks of the types
// that only documentation knows (class-string, int<0, max>, Foo::BAR_*, $this).
func (p *typeParser) word() string {
	p.space()
	start := p.at
	for p.at < len(p.s) && (inWord(p.s[p.at]) || p.at > start && p.colons(start)) {
		p.at++
	}
	return p.s[start:p.at]
}

func inWord(c byte) bool {
	return c == '_' || c == '\\' || c == '-' || c == '$' || c == '*' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// colons tells whether one of the two colons of Foo::BAR stands here.
func (p *typeParser) colons(start int) bool {
	rest := p.s[p.at:]
	return strings.HasPrefix(rest, "::") || rest[0] == ':' && p.at-1 > start && p.s[p.at-1] == ':'
}

// skip goes behind the bracket that closes one just taken.
func (p *typeParser) skip(open, shut byte) {
	for depth := 1; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				p.at++
				return
			}
		}
	}
	p.bad = true
}
