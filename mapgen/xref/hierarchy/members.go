package hierarchy

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// Families whose rules differ from the others'.
const (
	cFamily      = "c"
	csharpFamily = "csharp"
	javaFamily   = "java"
	pythonFamily = "python"
	scriptFamily = "javascript"
	rubyFamily   = "ruby"
	rustFamily   = "rust"
)

// member is one that may override others.
type member struct {
	f *facts.File
	s *facts.Symbol
	// overloaded: its type has others of its name with as many parameters.
	overloaded bool
}

// overloadKey is the name of a member with the number of its parameters.
func overloadKey(s *facts.Symbol) string {
	return s.Name + "/" + string(rune('0'+min(len(s.Params), 200)))
}

// overrides tells whether a member of a type can override one of a base, for all
// that itself says.
func overrides(f *facts.File, s *facts.Symbol) bool {
	if !isMember(f, s) {
		return false
	}
	if f.Language == "kotlin" {
		return says(s, "override")
	}
	return s.Flags&facts.Static == 0 || f.Family != cFamily && f.Family != javaFamily
}

// isMember tells what takes part in overriding: what is seen below its type.
func isMember(f *facts.File, s *facts.Symbol) bool {
	switch s.Kind {
	case facts.KindMethod, facts.KindFunction, facts.KindProperty:
	case facts.KindField:
		if f.Family != scriptFamily {
			return false
		}
	default:
		return false
	}
	if s.Flags&facts.InBody != 0 {
		return false
	}
	switch f.Family {
	case cFamily, rubyFamily:
		return true // private methods are overridden, too
	case pythonFamily:
		return !strings.HasPrefix(s.Name, "__") || strings.HasSuffix(s.Name, "__")
	case scriptFamily:
		// A name can begin with an underscore, and a class can be private itself.
		return !strings.HasPrefix(s.Name, "#") && !says(s, "private")
	case csharpFamily:
		// An interface can be implemented for those only who know it.
		return s.Visibility != facts.Private || strings.Contains(s.Signature, "."+s.Name)
	}
	return s.Visibility != facts.Private
}

// canOverride tells whether a member can override one of its name in a base,
// whatever their parameters.
func (m member) canOverride(base, b *facts.Symbol, static bool) bool {
	if !isMember(m.f, b) {
		return false
	}
	if m.f.Language != "kotlin" && static != (b.Flags&facts.Static != 0) {
		return false // members of an object of Kotlin count as static
	}
	switch m.f.Family {
	case cFamily:
		return says(b, "virtual") || says(b, "override") || says(b, "final") || says(m.s, "override") || says(m.s, "final")
	case csharpFamily:
		return base.Kind == facts.KindInterface || !static && says(m.s, "override")
	}
	return true
}

// says tells whether a word stands in the declaration of a member.
func says(s *facts.Symbol, word string) bool {
	rest := s.Signature
	for {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !isWord(rest[i-1])) && (end == len(rest) || !isWord(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// overloads tells whether members of one name are told apart by their parameters.
func overloads(f *facts.File) bool {
	switch f.Family {
	case javaFamily, csharpFamily, cFamily, "swift":
		return true
	}
	return false
}

// sameParameters tells whether a member takes the same as one of a base. A type
// parameter of either can stand for anything.
func (m member) sameParameters(base, b *facts.Symbol) bool {
	if m.f.Family == cFamily && isConst(m.s) != isConst(b) {
		return false
	}
	open := append(typeParameters(base), typeParameters(b)...)
	own := typeParameters(m.s)
	for i := range b.Params {
		want, have := plainType(b.Params[i].Type), plainType(m.s.Params[i].Type)
		if want != have && !mentions(want, open) && !mentions(have, own) {
			return false
		}
	}
	return true
}

// isConst tells a function of C++ that leaves its object as it is.
func isConst(s *facts.Symbol) bool {
	return says(&facts.Symbol{Signature: s.Signature[strings.LastIndexByte(s.Signature, ')')+1:]}, "const")
}

// plainType is a type expression without space, qualifiers, annotations and
// marks of what can be null.
func plainType(t string) string {
	var b strings.Builder
	for _, word := range words(t) {
		switch word {
		case "final", "const", "this", "params", "in", "?":
			continue
		}
		b.WriteString(word)
	}
	return b.String()
}

// words splits a type expression into names without their qualifiers and single
// marks.
func words(t string) []string {
	var out []string
	for i := 0; i < len(t); {
		switch c := t[i]; {
		case isWord(c):
			k := i
			for k < len(t) && isWord(t[k]) {
				k++
			}
			out = append(out, t[i:k])
			i = k
		case (c == '.' || c == ':') && len(out) > 0 && isWord(out[len(out)-1][0]) && (i+1 == len(t) || t[i+1] != '.'):
			out = out[:len(out)-1]
			i++
			if c == ':' && i < len(t) && t[i] == ':' {
				i++
			}
		case c == ' ' || c == '\t' || c == '@':
			i++
		default:
			out = append(out, string(c))
			i++
		}
	}
	return out
}

// typeParameters are the names between the angle brackets that follow the name of
// a definition, or template at its start.
func typeParameters(s *facts.Symbol) []string {
	list := s.Signature
	if rest, ok := strings.CutPrefix(list, "template"); ok {
		list = strings.TrimLeft(rest, " ")
	} else if i := strings.Index(list, s.Name+"<"); i >= 0 {
		list = list[i+len(s.Name):]
	} else if i := strings.IndexByte(list, '<'); i >= 0 && i < strings.Index(list, s.Name) {
		list = list[i:] // of a method, as in public <T> void add(T x)
	}
	if !strings.HasPrefix(list, "<") {
		return nil
	}
	var out []string
	depth, fresh := 0, false
	for _, w := range words(list) {
		switch w {
		case "<":
			depth++
			fresh = true
		case ">":
			if depth--; depth == 0 {
				return out
			}
		case ",":
			fresh = true
		case "class", "typename", "in", "out", "reified":
		default:
			if fresh && depth == 1 && isWord(w[0]) {
				out = append(out, w)
			}
			fresh = false
		}
	}
	return out
}

func mentions(t string, names []string) bool {
	return len(names) > 0 && slices.ContainsFunc(words(t), func(w string) bool { return slices.Contains(names, w) })
}
