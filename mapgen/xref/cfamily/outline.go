package cfamily

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// outline indexes one file.
type outline struct {
	// inner are the definitions inside a class, function or enumeration, by its
	// number and their name.
	inner map[innerName][]int32
	// spaces are the namespaces that the symbols stand in, as a::b, and places how
	// they stand there.
	spaces []string
	places []place
}

type innerName struct {
	sym  int32
	name string
}

type place uint8

const (
	atTop   place = iota
	outside       // a member defined outside of its class
	inClass
	inBody
)

func joined(space, name string) string {
	if space == "" {
		return name
	}
	return space + "::" + name
}

// index enters a file into the tables.
func (r *Resolver) index(doc int32, f *facts.File) {
	o := &outline{inner: map[innerName][]int32{}, spaces: make([]string, len(f.Symbols)), places: make([]place, len(f.Symbols))}
	r.outlines[doc] = o
	c := f.Language == "c"
	for k := range f.Symbols {
		s := &f.Symbols[k]
		d := def{doc, int32(k)}
		holder := s.Parent
		// Members of an enumeration are names of what the enumeration stands in,
		// and in C the types in a structure are, too.
		for holder >= 0 {
			h := &f.Symbols[holder]
			if h.Kind == facts.KindEnum && !scoped(h) || c && isClass(h.Kind) && (isType(s.Kind) || s.Kind == facts.KindEnumMember) {
				o.inner[innerName{holder, s.Name}] = append(o.inner[innerName{holder, s.Name}], d.sym)
				holder = h.Parent
				continue
			}
			break
		}
		in := atTop
		if holder >= 0 {
			o.spaces[k] = o.spaces[holder]
			switch h := &f.Symbols[holder]; {
			case h.Kind == facts.KindModule:
				o.spaces[k] = joined(o.spaces[holder], h.Name)
			case isClass(h.Kind) || h.Kind == facts.KindEnum:
				in = inClass
			default:
				in = inBody
			}
			if o.places[holder] == inBody {
				in = inBody
			}
		}
		if s.Flags&facts.InBody != 0 && s.Kind != facts.KindMacro {
			in = inBody
		}
		if in == atTop && s.Container != "" && (holder < 0 || f.Symbols[holder].Name != s.Container) && s.Kind != facts.KindEnumMember && !isType(s.Kind) {
			in = outside
		}
		if in == atTop && s.Kind == facts.KindField { // of a structure without a name
			in = inBody
		}
		o.places[k] = in
		if s.Name == "" {
			continue
		}
		if in != atTop && in != outside {
			o.inner[innerName{holder, s.Name}] = append(o.inner[innerName{holder, s.Name}], d.sym)
		}
		switch {
		case in == atTop || in == inClass && s.Kind == facts.KindFunction:
			r.tops[s.Name] = append(r.tops[s.Name], d)
		case in == outside:
			key := s.Container + "." + s.Name
			r.outer[key] = append(r.outer[key], d)
		case in == inClass && holder >= 0 && isClass(f.Symbols[holder].Kind) && (s.Kind == facts.KindField || s.Kind == facts.KindMethod):
			r.fields[s.Name] = append(r.fields[s.Name], d)
		}
		if s.Kind == facts.KindModule && strings.Contains(s.Name, "::") {
			for _, part := range strings.Split(s.Name, "::") {
				r.tops[part] = append(r.tops[part], d)
			}
		}
		if s.Kind == facts.KindMacro && len(s.Params) == 0 {
			// A macro that opens a namespace.
			rest := s.Signature
			for {
				var ok bool
				if _, rest, ok = strings.Cut(rest, "namespace "); !ok {
					break
				}
				if name := word(rest); name != "" && name != s.Name {
					r.tops[opened+name] = append(r.tops[opened+name], d)
				}
			}
		}
	}
}

// opened stands before a name of a namespace that a macro opens.
const opened = "namespace "

func word(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
			return s[:i]
		}
	}
	return s
}

// scoped tells an enum class.
func scoped(s *facts.Symbol) bool {
	return strings.HasPrefix(s.Signature, "enum class ") || strings.HasPrefix(s.Signature, "enum struct ")
}

// children are the definitions of a name inside a definition. Their document is
// read.
func (r *Resolver) children(d def, name string, uses *edges.Uses) []int32 {
	uses.Doc(int(d.doc))
	return r.outlines[d.doc].inner[innerName{d.sym, name}]
}

// scopeChain is what stands around a place: classes and functions from the inside
// out, then namespaces.
type scopeChain struct {
	levels []level
	spaces []string // a::b, a, ""
}

// level is a class, or a definition whose body holds others.
type level struct {
	def   def
	class bool
}

// chain is what stands around the inside of a definition (-1 for the level of the
// file).
func (r *Resolver) chain(at def, uses *edges.Uses) *scopeChain {
	c := r.around.Get(at, uses, func(uses *edges.Uses) *scopeChain { return r.chainOf(at, uses) })
	if c == nil { // too deep
		return &scopeChain{spaces: []string{""}}
	}
	return c
}

func (r *Resolver) chainOf(at def, uses *edges.Uses) *scopeChain {
	uses.Doc(int(at.doc))
	f, o := r.file(at.doc), r.outlines[at.doc]
	c := &scopeChain{}
	space := ""
	for s := at.sym; s >= 0; s = f.Symbols[s].Parent {
		d := def{at.doc, s}
		switch k := f.Symbols[s].Kind; {
		case k == facts.KindModule:
			space = cmp.Or(space, joined(o.spaces[s], f.Symbols[s].Name))
		case isClass(k):
			if f.Language != "c" { // no scope there
				c.levels = append(c.levels, level{d, true})
			}
		case o.places[s] == outside:
			c.levels = append(c.levels, level{def: d})
			class := r.owner(d, uses)
			if class == noDef {
				space = joined(o.spaces[s], f.Symbols[s].Container)
			}
			for class.sym >= 0 {
				if isClass(r.symbol(class).Kind) {
					c.levels = append(c.levels, level{class, true})
				}
				class.sym = r.symbol(class).Parent
			}
		default:
			c.levels = append(c.levels, level{def: d})
		}
	}
	for space != "" {
		c.spaces = append(c.spaces, space)
		space = space[:max(strings.LastIndex(space, "::"), 0)]
	}
	c.spaces = append(c.spaces, "")
	return c
}

// owner is the class of a member that is defined outside of it, or noDef.
func (r *Resolver) owner(member def, uses *edges.Uses) def {
	return r.owners.Get(member, uses, func(uses *edges.Uses) def {
		s := r.symbol(member)
		for _, d := range r.typeDefs(def{member.doc, s.Parent}, scopePath(s), "", uses) {
			if isClass(r.symbol(d).Kind) {
				return d
			}
		}
		return noDef
	})
}

// scopePath is the path of the class in front of a member that is defined outside
// of it: a and b for a::b<T>::name. The signature has all of it.
func scopePath(s *facts.Symbol) []string {
	short := []string{s.Container}
	end := strings.LastIndex(s.Signature, "::"+s.Name)
	if end < 0 {
		return short
	}
	var path []string
	for text := s.Signature[:end]; ; {
		text = strings.TrimRight(text, " ")
		if strings.HasSuffix(text, ">") {
			depth, i := 0, len(text)-1
			for ; i >= 0; i-- {
				if text[i] == '>' {
					depth++
				} else if text[i] == '<' {
					if depth--; depth == 0 {
						break
					}
				}
			}
			text = strings.TrimRight(text[:max(i, 0)], " ")
		}
		i := len(text)
		for i > 0 && word(text[i-1:i]) != "" {
			i--
		}
		if i == len(text) || len(path) == maxScopes {
			return short
		}
		path = append(path, text[i:])
		var more bool
		if text, more = strings.CutSuffix(strings.TrimRight(text[:i], " "), "::"); !more || strings.TrimSpace(text) == "" {
			break
		}
	}
	slices.Reverse(path)
	if path[len(path)-1] != s.Container {
		return short
	}
	return path
}

// maxScopes bounds the scopes in front of a name.
const maxScopes = 16
