package jvm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// variable is the field, property or constant that a bare name means, and by
// which rule.
func (c *context) variable(name string) (found, string, bool) {
	rule, weak := ruleOwn, false
	for _, l := range c.levels() {
		for _, m := range c.memberAt(l, name) {
			if isVariable(c.r.symbol(m.def).Kind) {
				m.weak = m.weak || weak
				return m, ruleOfLevel(l, rule), true
			}
		}
		weak = weak || c.openLevel(l)
		if l.class != noDef {
			rule = ruleOuter
		}
	}
	for _, d := range c.r.imported(c.doc, name, c.uses) {
		if isVariable(c.r.symbol(d).Kind) {
			return found{def: d, owner: ancestor{class: noDef}, weak: weak}, ruleImported, true
		}
	}
	return found{}, "", false
}

func ruleOfLevel(l level, rule string) string {
	switch {
	case l.class != noDef:
		return rule
	case l.owner < 0:
		return ruleReceiver
	}
	return ruleAnonymous
}

// methods are those that a bare call can mean, and by which rule.
func (c *context) methods(name string) ([]found, string) {
	rule, weak := ruleOwn, false
	for _, l := range c.levels() {
		var out []found
		for _, m := range c.memberAt(l, name) {
			if isMethod(c.r.symbol(m.def).Kind) || c.isAccessor(m.def, name) {
				m.weak = m.weak || weak || l.class == noDef && l.owner < 0
				out = append(out, m)
			}
		}
		if len(out) > 0 {
			return out, ruleOfLevel(l, rule)
		}
		weak = weak || c.openLevel(l)
		if l.class != noDef {
			rule = ruleOuter
		}
	}
	var out []found
	for _, d := range c.r.imported(c.doc, name, c.uses) {
		if isMethod(c.r.symbol(d).Kind) {
			out = append(out, found{def: d, owner: ancestor{class: noDef}, weak: weak})
		}
	}
	return out, ruleImported
}

// isAccessor tells whether a field stands for the accessor of a record.
func (c *context) isAccessor(d def, name string) bool {
	s := c.r.symbol(d)
	if s.Kind != facts.KindField || s.Parent < 0 || c.r.file(d.doc).Language != java {
		return false
	}
	p := &c.r.file(d.doc).Symbols[s.Parent]
	for i := range p.Params {
		if isType(p.Kind) && p.Params[i].Name == name {
			return true
		}
	}
	return false
}

// membersOfValue are the members of a name that a value has.
func (c *context) membersOfValue(t *typ, name string) []found {
	t = c.r.erased(t, c.uses)
	var out []found
	switch t.kind {
	case instance, classOf:
		for _, m := range c.r.members(t.def, name, c.uses) {
			if t.super && m.def.doc == t.def.doc && c.r.symbol(m.def).Parent == t.def.sym {
				continue
			}
			out = append(out, m)
		}
	case anonymous:
		for _, l := range c.levels() {
			if l.class == noDef && l.owner == t.def.sym {
				out = c.memberAt(l, name)
				break
			}
		}
	case packageOf:
		for _, d := range c.r.top(c.doc, joined(t.name, name), c.uses) {
			out = append(out, found{def: d, owner: ancestor{class: noDef}})
		}
	}
	if t.weak {
		out = append([]found(nil), out...)
		for i := range out {
			out[i].weak = true
		}
	}
	return out
}

// methodsOf are the methods of a name that a value has.
func (c *context) methodsOf(t *typ, name string) []found {
	var out []found
	for _, m := range c.membersOfValue(t, name) {
		if isMethod(c.r.symbol(m.def).Kind) || c.isAccessor(m.def, name) {
			out = append(out, m)
		}
	}
	return out
}

// variableOf is the field of a name that a value has.
func (c *context) variableOf(t *typ, name string) (found, bool) {
	for _, m := range c.membersOfValue(t, name) {
		if isVariable(c.r.symbol(m.def).Kind) {
			return m, true
		}
	}
	return found{}, false
}

// accessor is the property of Kotlin that getName means in Java, or the method
// getName of Java that name means in Kotlin.
func (c *context) accessor(t *typ, name string) []found {
	if c.r.file(c.doc).Language == kotlin {
		first, size := utf8.DecodeRuneInString(name)
		upper := string(unicode.ToUpper(first)) + name[size:]
		for _, n := range []string{"get" + upper, name, "is" + upper} {
			for _, m := range c.methodsOf(t, n) {
				if c.r.file(m.def.doc).Language == java && len(c.r.symbol(m.def).Params) == 0 && (n != name || strings.HasPrefix(name, "is")) {
					m.weak = true
					return []found{m}
				}
			}
		}
		return nil
	}
	for _, p := range []string{"get", "set", "is"} {
		rest, ok := strings.CutPrefix(name, p)
		if !ok || rest == "" {
			continue
		}
		first, size := utf8.DecodeRuneInString(rest)
		for _, n := range []string{string(unicode.ToLower(first)) + rest[size:], name} {
			if m, ok := c.variableOf(t, n); ok && c.r.file(m.def.doc).Language == kotlin {
				m.weak = true
				return []found{m}
			}
		}
	}
	return nil
}

// extensions are those of Kotlin by a name that a value of a type has.
func (c *context) extensions(t *typ, name string) []found {
	if c.r.file(c.doc).Language != kotlin {
		return nil
	}
	t = c.r.erased(t, c.uses)
	var names []string
	switch t.kind {
	case instance:
		for _, a := range c.r.order(t.def, c.uses) {
			if a.class == noDef {
				names = append(names, a.name)
				continue
			}
			names = append(names, c.r.symbol(a.class).Name)
		}
	case basic:
		names = kotlinNumbers(t.name)
	case external:
		if t.name != "" {
			names = []string{t.name}
		}
	case packageOf, classOf:
		return nil
	}
	var out []found
	for _, d := range c.r.imported(c.doc, name, c.uses) {
		s := c.r.symbol(d)
		if s.Container == "" || s.Parent >= 0 && s.Container == c.r.file(d.doc).Symbols[s.Parent].Name {
			continue
		}
		fits := names == nil
		for _, n := range names {
			fits = fits || n == s.Container || supposed(n, s.Container)
		}
		if fits {
			out = append(out, found{def: d, owner: ancestor{class: noDef}, weak: true})
		}
	}
	return out
}

// kotlinNumbers are the names in Kotlin of a number or truth value.
func kotlinNumbers(name string) []string {
	switch name {
	case "0":
		return []string{"Int", "Long", "Double", "Float", "Number"}
	case "":
		return nil
	}
	return []string{strings.ToUpper(name[:1]) + name[1:]}
}

// supposed tells whether a library type can be taken for another one.
func supposed(name, as string) bool {
	return as == "Any" || as == "T" || name == "String" && as == "CharSequence" || isCollection(name) && isCollection(as) || isMap(name) && isMap(as)
}
