package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// text is a type expression: a dotted name with arguments, and how many
// dimensions of arrays are around it. A path of length 0 says nothing.
type text struct {
	path []string
	args []text
	dims int
}

// maxTypeDepth bounds how deep type arguments are read.
const maxTypeDepth = 8

// typeText takes a type expression of Java or Kotlin apart, once.
func (r *Resolver) typeText(s string) text {
	t, ok := r.texts[s]
	if !ok {
		t = parseType(s, 0)
		r.texts[s] = t
	}
	return t
}

func parseType(s string, depth int) text {
	s = strings.TrimSpace(s)
	if depth > maxTypeDepth {
		return text{}
	}
	for again := true; again; {
		again = false
		if rest, ok := strings.CutPrefix(s, "?"); ok {
			s, again = strings.TrimSpace(rest), true
		}
		if strings.HasPrefix(s, "@") {
			_, s, again = strings.Cut(s, " ")
		}
		for _, p := range []string{"extends ", "super ", "out ", "in ", "suspend ", "final ", "reified "} {
			if rest, ok := strings.CutPrefix(s, p); ok {
				s, again = strings.TrimSpace(rest), true
			}
		}
	}
	var t text
	if rest, ok := strings.CutPrefix(s, "vararg "); ok {
		s = rest
		t.dims++
	}
	for {
		switch {
		case strings.HasSuffix(s, "[]"):
			s = s[:len(s)-2]
			t.dims++
		case strings.HasSuffix(s, "..."):
			s = s[:len(s)-3]
			t.dims++
		case strings.HasSuffix(s, "?"), strings.HasSuffix(s, " "):
			s = s[:len(s)-1]
		default:
			return t.named(s, depth)
		}
	}
}

func (t text) named(s string, depth int) text {
	if strings.HasPrefix(s, "(") || strings.Contains(s, "->") {
		return text{} // a function type
	}
	for s != "" {
		i := strings.IndexAny(s, ".<& ")
		if i < 0 {
			t.path = append(t.path, s)
			break
		}
		if name := s[:i]; name != "" {
			t.path = append(t.path, name)
		}
		switch s[i] {
		case '.':
			s = strings.TrimSpace(s[i+1:])
		case '<':
			end := closing(s, i)
			t.args = nil
			for _, a := range splitTop(s[i+1 : max(i+1, end)]) {
				t.args = append(t.args, parseType(a, depth+1))
			}
			if end+1 >= len(s) {
				return t
			}
			s = s[end+1:]
		case ' ':
			rest := strings.TrimSpace(s[i:])
			if i > 0 && !strings.HasPrefix(rest, ".") {
				return t
			}
			s = rest
		default:
			return t // the first of several bounds
		}
	}
	return t
}

// closing is where the bracket at an index ends, or the length of the text.
func closing(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && s[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// splitTop parts a list at the commas that stand in no bracket.
func splitTop(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// typeParam is a type parameter with its first bound.
type typeParam struct{ name, bound string }

// typeParams reads the type parameters of a definition out of its signature.
func (r *Resolver) typeParams(d def) []typeParam {
	list, ok := r.vars[d]
	if !ok {
		list = readTypeParams(r.symbol(d))
		r.vars[d] = list
	}
	return list
}

func readTypeParams(s *facts.Symbol) []typeParam {
	sig := s.Signature
	at := -1
	if isType(s.Kind) || s.Kind == facts.KindType {
		if i := strings.Index(sig, " "+s.Name+"<"); i >= 0 {
			at = i + len(s.Name) + 1
		} else if i := strings.Index(sig, " "+s.Name+" <"); i >= 0 {
			at = i + len(s.Name) + 2
		}
	} else if isMethod(s.Kind) || s.Kind == facts.KindConstructor || s.Kind == facts.KindProperty {
		// They stand before the result in Java, behind fun in Kotlin.
		if i := strings.IndexByte(sig, '<'); i >= 0 && (i == 0 || sig[i-1] == ' ' || strings.HasSuffix(sig[:i], "fun")) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	end := closing(sig, at)
	var out []typeParam
	for _, p := range splitTop(sig[at+1 : end]) {
		p = strings.TrimSpace(p)
		for strings.HasPrefix(p, "@") {
			_, rest, _ := strings.Cut(p, " ")
			p = strings.TrimSpace(rest)
		}
		for _, w := range []string{"reified ", "out ", "in "} {
			p = strings.TrimPrefix(p, w)
		}
		name, bound := p, ""
		if i := strings.IndexAny(p, " :"); i >= 0 {
			name = p[:i]
			bound = strings.TrimSpace(strings.TrimLeft(p[i:], " :"))
			bound = strings.TrimSpace(strings.TrimPrefix(bound, "extends "))
		}
		out = append(out, typeParam{name, bound})
	}
	return out
}
