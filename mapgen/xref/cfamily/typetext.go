package cfamily

import "strings"

// text is a type expression.
type text struct {
	path []string // a::b::c; nothing for what is no name
	args []text   // of the last name
	// stars counts pointers and arrays; references do not count.
	stars int
	// function tells a function or a pointer to one; the rest is its result.
	function bool
	tag      string // struct, union, enum, class
	basic    bool   // a built-in type
	constant bool   // what it is or points to is const
}

const (
	maxTypeDepth = 8
	maxTypeArgs  = 8
)

// typeText reads a type expression, once.
func (r *Resolver) typeText(s string) text {
	t, ok := r.texts[s]
	if !ok {
		p := typeParser{s: s}
		t = p.expression(0)
		r.texts[s] = t
	}
	return t
}

type typeParser struct {
	s  string
	at int
}

// expression reads up to a comma or closing bracket.
func (p *typeParser) expression(depth int) text {
	var t text
	qualified := false
	for p.at < len(p.s) {
		c := p.s[p.at]
		name := word(p.s[p.at:])
		switch {
		case name != "":
			p.at += len(name)
			switch name {
			case "const":
				t.constant = t.constant || t.stars == 0
			case "volatile", "typename", "static", "inline", "constexpr", "mutable", "register", "extern", "restrict", "__restrict", "template", "final", "thread_local":
			case "struct", "union", "enum", "class":
				t.tag = name
			case "unsigned", "signed", "int", "char", "short", "long", "float", "double", "bool", "_Bool", "void", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128":
				t.basic = true
			case "auto", "decltype", "typeof", "__typeof__", "operator":
				t.path, t.args, t.basic = nil, nil, false
				p.skip()
				return t
			default:
				if !qualified {
					t.path = nil
				}
				t.path, t.args, qualified = append(t.path, name), nil, false
			}
			continue
		case c == ':' && strings.HasPrefix(p.s[p.at:], "::"):
			p.at += 2
			qualified = true
			continue
		case c == '<':
			p.at++
			t.args = nil
			for p.at < len(p.s) && p.s[p.at] != '>' {
				before := p.at
				if depth >= maxTypeDepth {
					p.skip()
				} else if a := p.expression(depth + 1); len(t.args) < maxTypeArgs {
					t.args = append(t.args, a)
				}
				if p.at < len(p.s) && p.s[p.at] == ',' || p.at == before {
					p.at++
				}
			}
		case c == '>' || c == ',' || c == ')' || c == ']':
			return t
		case c == '*' || c == '^':
			t.stars++
		case c == '[':
			t.stars++
			p.at++
			p.skip()
		case c == '(':
			t.function = true
			p.skip()
			return t
		}
		p.at++
	}
	return t
}

// skip goes to the next comma or to the end of what the brackets around hold.
func (p *typeParser) skip() {
	depth := 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '(', '[', '<', '{':
			depth++
		case ')', ']', '>', '}':
			if depth--; depth < 0 {
				return
			}
		case ',':
			if depth == 0 {
				return
			}
		}
	}
}

// templateParams are the names of the parameters of a template, from its head.
func templateParams(signature string) []string {
	rest, ok := strings.CutPrefix(signature, "template")
	if !ok {
		return nil
	}
	rest = strings.TrimLeft(rest, " ")
	if !strings.HasPrefix(rest, "<") {
		return nil
	}
	var out []string
	depth, last, given := 0, "", false
	for i := 0; i < len(rest); i++ {
		if name := word(rest[i:]); name != "" {
			if depth == 1 && !given {
				last = name
			}
			i += len(name) - 1
			continue
		}
		switch rest[i] {
		case '<', '(':
			depth++
		case '=':
			given = given || depth == 1
		case ',', '>', ')':
			if depth == 1 && rest[i] != ')' {
				switch last {
				case "", "typename", "class", "int", "bool", "size_t":
					last = "?"
				}
				out = append(out, last)
				last, given = "", false
			}
			if rest[i] != ',' {
				if depth--; depth == 0 {
					return out
				}
			}
		}
	}
	return out
}
