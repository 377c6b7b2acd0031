package cfamily

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// entity is what may be meant by a name: one function or variable with its
// declarations and definitions, or all variants of a type or macro.
type entity struct {
	// like is a declaration or definition that tells the parameters.
	like def
	// targets are the definitions that edges lead to.
	targets []def
}

const (
	// maxVariants bounds the definitions of one entity.
	maxVariants = 12
	// maxLinked bounds the definitions of a name elsewhere that are looked at.
	maxLinked = 40
)

// entities parts definitions of one name by what they are.
func (r *Resolver) entities(doc int32, list []def, uses *edges.Uses) []entity {
	if len(list) == 1 && r.symbol(list[0]).Flags&facts.Declaration == 0 {
		return []entity{{list[0], list}}
	}
	type group struct {
		key  string
		list []def
	}
	var groups []group
	loose := slices.ContainsFunc(list, func(d def) bool { return r.plainC(d.doc) })
	for _, d := range list {
		key := "other"
		if s := r.symbol(d); isFunction(s.Kind) && !loose {
			key = "f" + r.parameters(d)
		} else if isFunction(s.Kind) || isVariable(s.Kind) {
			key = "linked"
		}
		i := slices.IndexFunc(groups, func(g group) bool { return g.key == key })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{key: key})
		}
		groups[i].list = append(groups[i].list, d)
	}
	var out []entity
	for _, g := range groups {
		targets := g.list
		if g.key != "other" {
			targets = r.definitions(doc, g.list, uses)
		}
		if len(targets) > maxVariants {
			continue
		}
		out = append(out, entity{g.list[0], targets})
	}
	return out
}

// definitions are those among the declarations of one function or variable, or
// else those linked with it, or else its first declaration.
func (r *Resolver) definitions(doc int32, list []def, uses *edges.Uses) []def {
	var out, real []def
	for _, d := range list {
		if r.symbol(d).Flags&facts.Declaration == 0 {
			real = append(real, d)
		}
	}
	for _, d := range real {
		if !r.specialised(d) {
			out = append(out, d)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(real) > 0 {
		return real
	}
	first := list[0]
	s, o := r.symbol(first), r.outlines[first.doc]
	if o.places[first.sym] == inClass {
		if l := r.outOfClass(first, uses); len(l) > 0 {
			return l
		}
		return list[:1]
	}
	uses.Key(topKey + s.Name)
	space := o.spaces[first.sym]
	fits := func(d def) bool {
		x := r.symbol(d)
		return x.Flags&facts.Declaration == 0 && isFunction(x.Kind) == isFunction(s.Kind) && isVariable(x.Kind) == isVariable(s.Kind) &&
			x.Visibility != facts.Private && (r.plainC(d.doc) || r.plainC(first.doc) || r.parameters(d) == r.parameters(first))
	}
	for _, d := range r.tops[s.Name] {
		if len(out) < maxLinked && r.outlines[d.doc].spaces[d.sym] == space && fits(d) {
			out = append(out, d)
		}
	}
	if space != "" && !r.plainC(first.doc) {
		key := space[strings.LastIndexByte(space, ':')+1:] + "." + s.Name
		uses.Key(outerKey + key)
		for _, d := range r.outer[key] {
			if len(out) < maxLinked && fits(d) {
				out = append(out, d)
			}
		}
	}
	if len(out) > 1 {
		var linked []def
		for _, d := range out {
			seen := r.visible(d.doc, uses)
			if slices.ContainsFunc(list, func(x def) bool { return x.doc != d.doc && seen.has(x.doc) }) {
				linked = append(linked, d)
			}
		}
		if len(linked) > 0 {
			out = linked
		} else {
			out = r.nearest(doc, out, uses)
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

// outOfClass are the definitions of a member that its class only declares.
func (r *Resolver) outOfClass(member def, uses *edges.Uses) []def {
	s := r.symbol(member)
	if s.Parent < 0 {
		return nil
	}
	class := &r.file(member.doc).Symbols[s.Parent]
	key := class.Name + "." + s.Name
	uses.Key(outerKey + key)
	overloads := 0
	for _, c := range r.children(def{member.doc, s.Parent}, s.Name, uses) {
		if isFunction(r.file(member.doc).Symbols[c].Kind) {
			overloads++
		}
	}
	var same, all []def
	for _, d := range r.outer[key] {
		if len(all) >= maxLinked {
			break
		}
		if d.doc != member.doc && !r.visible(d.doc, uses).has(member.doc) {
			continue
		}
		if o := r.owner(d, uses); o != noDef && o != (def{member.doc, s.Parent}) {
			continue
		}
		all = append(all, d)
		if r.parameters(d) == r.parameters(member) && !r.specialised(d) {
			same = append(same, d)
		}
	}
	if len(same) == 0 && overloads <= 1 {
		same = all
	}
	if len(same) > maxVariants {
		return nil
	}
	return same
}

// constMark ends the key of a method that is const.
const constMark = "const"

// parameters is the key by which declarations of one function are known: the
// types of its parameters without what can be written in several ways.
func (r *Resolver) parameters(d def) string {
	key, ok := r.keys[d]
	if ok {
		return key
	}
	var out strings.Builder
	s := r.symbol(d)
	for _, p := range s.Params {
		words := strings.FieldsFunc(p.Type, func(c rune) bool { return c == ' ' })
		for _, w := range words {
			switch w {
			case "const", "struct", "class", "enum", "typename":
				continue
			}
			// Without the scopes before a name.
			for {
				i := strings.Index(w, "::")
				if i < 0 {
					break
				}
				j := i
				for j > 0 && (w[j-1] == '_' || word(w[j-1:j]) != "") {
					j--
				}
				w = w[:j] + w[i+2:]
			}
			out.WriteString(w)
		}
		out.WriteByte(',')
	}
	if i := strings.LastIndexByte(s.Signature, ')'); i >= 0 && strings.HasPrefix(strings.TrimLeft(s.Signature[i+1:], " "), "const") {
		out.WriteString(constMark)
	}
	r.keys[d] = out.String()
	return r.keys[d]
}
