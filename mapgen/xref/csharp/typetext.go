package csharp

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// text is a type expression: a dotted name whose parts have arguments, or the
// elements of a tuple with their names, and how many arrays are around it. One
// with neither says nothing.
type text struct {
	path  []segment
	tuple []text
	names []string
	dims  int
}

type segment struct {
	name string
	args []text
}

// maxTypeDepth bounds how deep type arguments are read, maxArity how many.
const (
	maxTypeDepth = 8
	maxArity     = 24
)

// typeText takes a type expression apart, once.
func (r *Resolver) typeText(s string) text {
	t, ok := r.texts[s]
	if !ok {
		t = parseType(s, 0)
		r.texts[s] = t
	}
	return t
}

func parseType(s string, depth int) text {
	var t text
	if depth > maxTypeDepth {
		return t
	}
	s = strings.TrimSpace(s)
	for again := true; again; {
		again = false
		for _, p := range []string{"ref ", "in ", "out ", "params ", "this ", "scoped ", "readonly ", "global::"} {
			if rest, ok := strings.CutPrefix(s, p); ok {
				s, again = strings.TrimSpace(rest), true
			}
		}
	}
	for s != "" {
		switch s[len(s)-1] {
		case '?', '*', ' ':
			s = s[:len(s)-1]
			continue
		case ']':
			open := strings.LastIndexByte(s, '[')
			if open < 0 {
				return text{}
			}
			s = s[:open]
			t.dims++
			continue
		}
		break
	}
	if strings.HasPrefix(s, "(") {
		end := closing(s, 0)
		if end != len(s)-1 {
			return text{}
		}
		for _, e := range splitTop(s[1:end]) {
			typ, name := e, ""
			if i := strings.LastIndexByte(e, ' '); i > 0 && !strings.ContainsAny(e[i:], ">)],") {
				typ, name = e[:i], e[i+1:]
			}
			t.tuple = append(t.tuple, parseType(typ, depth+1))
			t.names = append(t.names, name)
		}
		return t
	}
	return t.named(s, depth)
}

func (t text) named(s string, depth int) text {
	for s != "" {
		i := strings.IndexAny(s, ".<:")
		if i < 0 {
			t.path = append(t.path, segment{name: strings.TrimPrefix(strings.TrimSpace(s), "@")})
			break
		}
		seg := segment{name: strings.TrimPrefix(strings.TrimSpace(s[:i]), "@")}
		rest := s[i:]
		if rest[0] == '<' {
			end := closing(rest, 0)
			if end >= len(rest) {
				return text{}
			}
			seg.args = parseArguments(rest[:end+1], depth+1)
			rest = strings.TrimSpace(rest[end+1:])
		}
		if seg.name != "" {
			t.path = append(t.path, seg)
		}
		s = strings.TrimSpace(strings.TrimLeft(rest, ".:"))
		if len(t.path) > maxTypeDepth || rest != "" && rest[0] != '.' && rest[0] != ':' {
			break
		}
	}
	return t
}

// parseArguments reads <A, B>; of <,> it gives two that say nothing.
func parseArguments(s string, depth int) []text {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">")
	var out []text
	for _, a := range splitTop(s) {
		if len(out) < maxArity {
			out = append(out, parseType(a, depth))
		}
	}
	return out
}

// closing is where the bracket at an index ends, or the length of the text.
func closing(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			if s[i] == '>' && i > 0 && s[i-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// splitTop parts a list at the commas that stand in no bracket; an empty text is
// a list of one.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			if s[i] != '>' || i == 0 || s[i-1] != '=' {
				depth--
			}
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// typeParam is a type parameter with its first constraint that is a type.
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
	if !isType(s.Kind) && !isMethod(s.Kind) {
		return nil
	}
	at := nameEnd(s)
	if at < 0 || at >= len(s.Signature) || s.Signature[at] != '<' {
		return nil
	}
	end := closing(s.Signature, at)
	if end >= len(s.Signature) {
		return nil
	}
	var out []typeParam
	for _, p := range splitTop(s.Signature[at+1 : end]) {
		p = strings.TrimPrefix(strings.TrimPrefix(p, "out "), "in ")
		if len(out) < maxArity {
			out = append(out, typeParam{name: p})
		}
	}
	for _, clause := range strings.Split(s.Signature[end:], " where ")[1:] {
		name, list, _ := strings.Cut(clause, ":")
		for i := range out {
			if out[i].name == strings.TrimSpace(name) {
				out[i].bound = firstBound(list)
			}
		}
	}
	return out
}

func firstBound(list string) string {
	for _, b := range splitTop(list) {
		switch strings.TrimSuffix(b, "?") {
		case "class", "struct", "notnull", "unmanaged", "new()", "default", "":
		default:
			if strings.HasSuffix(b, "…") {
				return ""
			}
			return b
		}
	}
	return ""
}

// nameEnd is where the name of a definition ends in its signature, or -1.
func nameEnd(s *facts.Symbol) int {
	for from := 0; ; {
		i := strings.Index(s.Signature[from:], s.Name)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(s.Name)
		if i == 0 || strings.IndexByte(" .@", s.Signature[i-1]) >= 0 {
			switch {
			case end == len(s.Signature):
				return end
			case isType(s.Kind) && s.Kind != facts.KindType && strings.IndexByte("<( :", s.Signature[end]) >= 0:
				return end
			case s.Signature[end] == '(':
				return end
			case s.Signature[end] == '<':
				// Of a result Name<…> Name<…>(…) the last one counts.
				if c := closing(s.Signature, end); c+1 < len(s.Signature) && s.Signature[c+1] == '(' {
					return end
				}
			}
		}
		from = end
	}
}

// optional tells which parameters have defaults, as far as the signature goes.
func (r *Resolver) optional(d def, i int) bool {
	s := r.symbol(d)
	at := nameEnd(s)
	if at < 0 {
		return false
	}
	open := strings.IndexByte(s.Signature[at:], '(')
	if open < 0 {
		return true
	}
	if at < len(s.Signature) && s.Signature[at] == '<' {
		if c := closing(s.Signature, at); c+1 < len(s.Signature) {
			open = c + 1 - at
		}
	}
	list := splitTop(s.Signature[at+open+1 : max(at+open+1, min(closing(s.Signature, at+open), len(s.Signature)))])
	if i >= len(list) {
		return strings.HasSuffix(s.Signature, "…")
	}
	return strings.Contains(list[i], "=") || strings.HasSuffix(list[i], "…")
}
