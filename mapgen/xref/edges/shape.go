package edges

import "strings"

// Step is one step of a shape: how an expression goes on from what stands before
// it. See the shape grammar in the package lang.
type Step struct {
	Op StepOp
	// Name is the identifier of Root and Member, the type expression of Convert,
	// Literal and New.
	Name string
	// N is the number of the result for Result.
	N int
}

// StepOp is the kind of a step.
type StepOp uint8

const (
	// Root starts from an identifier.
	Root StepOp = iota
	Member
	Call
	Index
	SliceOf
	// Convert is a conversion or assertion to a type: x.(T), (T)x.
	Convert
	// Literal starts from a composite literal T{}.
	Literal
	// New starts from a construction new T().
	New
	Address
	Deref
	Await
	// Range is what iteration over the value yields.
	Range
	// Result picks one of several results.
	Result
	// Basic starts from a literal of the language; Name is its shape: "" and so
	// on.
	Basic
	// Unknown is anything else.
	Unknown
)

// ParseShape takes a shape apart into steps, in the order of evaluation: the
// first is Root, Literal, New, Basic or Unknown. A shape that does not follow the
// grammar is one Unknown step.
func ParseShape(s string) []Step {
	p := shapeParser{s: s}
	steps := p.expression()
	if p.bad || p.at != len(p.s) || len(steps) == 0 {
		return []Step{{Op: Unknown}}
	}
	return steps
}

type shapeParser struct {
	s   string
	at  int
	bad bool
}

func (p *shapeParser) take(prefix string) bool {
	if strings.HasPrefix(p.s[p.at:], prefix) {
		p.at += len(prefix)
		return true
	}
	return false
}

func (p *shapeParser) expression() []Step {
	switch {
	case p.take("range "):
		return append(p.expression(), Step{Op: Range})
	case p.take("await "):
		return append(p.expression(), Step{Op: Await})
	case p.take("&"):
		return append(p.expression(), Step{Op: Address})
	case p.take("*"):
		return append(p.expression(), Step{Op: Deref})
	}
	var steps []Step
	switch {
	case p.take("new "):
		t := p.until("(")
		if !p.take("()") {
			p.bad = true
		}
		steps = append(steps, Step{Op: New, Name: t})
	case p.take(`""`):
		steps = append(steps, Step{Op: Basic, Name: `""`})
	default:
		steps = append(steps, p.start())
	}
	for p.at < len(p.s) && !p.bad {
		switch {
		case p.take("()"):
			steps = append(steps, Step{Op: Call})
		case p.take("[:]"):
			steps = append(steps, Step{Op: SliceOf})
		case p.take("[]"):
			steps = append(steps, Step{Op: Index})
		case p.take("#"):
			n, start := 0, p.at
			for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' && n < 1000 {
				n = n*10 + int(p.s[p.at]-'0')
				p.at++
			}
			p.bad = p.bad || p.at == start
			steps = append(steps, Step{Op: Result, N: n})
		case p.take(".("):
			steps = append(steps, Step{Op: Convert, Name: p.bracketed()})
		case p.take("("):
			steps = append(steps, Step{Op: Convert, Name: p.bracketed()})
		case p.take("."):
			steps = append(steps, Step{Op: Member, Name: p.name()})
		default:
			p.bad = true
		}
	}
	return steps
}

// bracketed is what stands up to the bracket that closes the one just taken.
func (p *shapeParser) bracketed() string {
	start, depth := p.at, 1
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				p.at++
				return p.s[start : p.at-1]
			}
		}
	}
	p.bad = true
	return ""
}

func (p *shapeParser) until(mark string) string {
	i := strings.Index(p.s[p.at:], mark)
	if i < 0 {
		p.bad = true
		return ""
	}
	name := p.s[p.at : p.at+i]
	p.at += i
	return name
}

// start reads an identifier, a literal, or a composite literal T{}.
func (p *shapeParser) start() Step {
	rest := p.s[p.at:]
	for _, lit := range []string{"[]", "{}", "0", "true", "nil", "func", "?"} {
		if rest == lit || strings.HasPrefix(rest, lit) && len(rest) > len(lit) && strings.ContainsRune(".[(#", rune(rest[len(lit)])) && lit != "[]" {
			p.at += len(lit)
			if lit == "?" {
				return Step{Op: Unknown}
			}
			return Step{Op: Basic, Name: lit}
		}
	}
	// A composite literal ends in {} and can hold anything before: []T{},
	// map[K]V{}, pkg.T{}.
	if i := strings.Index(rest, "{}"); i > 0 && balanced(rest[:i]) && !strings.ContainsAny(rest[:i], "#") && !strings.Contains(rest[:i], "()") {
		p.at += i + 2
		return Step{Op: Literal, Name: rest[:i]}
	}
	return Step{Op: Root, Name: p.name()}
}

func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
	}
	return depth == 0
}

// name reads an identifier, which can have type arguments: List<A, B[]>.
func (p *shapeParser) name() string {
	start := p.at
	for p.at < len(p.s) && !strings.ContainsRune(".()[]#{} ", rune(p.s[p.at])) {
		if p.s[p.at] == '<' && p.at > start {
			if end := p.arguments(); end > 0 {
				p.at = end
				continue
			}
		}
		p.at++
	}
	p.bad = p.bad || p.at == start
	return p.s[start:p.at]
}

// arguments is where the angle brackets that open here end, or 0.
func (p *shapeParser) arguments() int {
	depth := 0
	for i := p.at; i < len(p.s); i++ {
		switch p.s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
