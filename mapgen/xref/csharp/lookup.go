package csharp

import (
	"github.com/project-map/project-map/indexer/facts"
)

// variable is the field, property or constant that a bare name means, and by
// which rule.
func (c *context) variable(name string) (found, string, bool) {
	list, rule := c.bare(name, func(d def) bool { return isVariable(c.r.symbol(d).Kind) })
	if len(list) == 0 {
		return found{}, "", false
	}
	return list[0], rule, true
}

// methods are those that a bare call can mean, and by which rule.
func (c *context) methods(name string) ([]found, string) {
	if c.job != nil {
		f := c.r.file(c.doc)
		for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
			if i, ok := c.job.functions[innerName{s, name}]; ok {
				return []found{{def: def{c.doc, i}, owner: ancestor{class: noClass}}}, ruleLocal
			}
		}
	}
	return c.bare(name, func(d def) bool { return isMethod(c.r.symbol(d).Kind) })
}

// bare are the members that a bare name means.
func (c *context) bare(name string, want func(def) bool) ([]found, string) {
	rule, weak := ruleOwn, false
	for _, l := range c.levels() {
		var out []found
		for _, m := range c.r.members(l, name, c.uses) {
			if want(m.def) {
				m.weak = m.weak || weak
				out = append(out, m)
			}
		}
		if len(out) > 0 {
			return out, rule
		}
		weak = weak || c.r.open(l, c.uses)
		rule = ruleOuter
	}
	out := c.injected(name, want)
	if len(out) > 0 {
		return out, ruleOwn
	}
	for _, n := range c.r.env(c.doc, c.uses).statics {
		for _, class := range c.r.typePath(c.doc, -1, c.r.typeText(n).path, c.uses) {
			for _, m := range c.r.members(class, name, c.uses) {
				if s := c.r.symbol(m.def); want(m.def) && (s.Flags&facts.Static != 0 || s.Kind == facts.KindEnumMember) {
					m.weak = m.weak || weak
					out = append(out, m)
				}
			}
		}
	}
	return out, ruleStatic
}

// membersOf are the members of a name that a value has.
func (c *context) membersOf(t *typ, name string) []found {
	t = c.r.erased(t, c.uses)
	if t.kind != instance && t.kind != classOf {
		return nil
	}
	var out []found
	for _, m := range c.r.members(t.class, name, c.uses) {
		m.weak = m.weak || t.weak
		out = append(out, m)
	}
	return out
}

// methodsOf are the methods of a name that a value has.
func (c *context) methodsOf(t *typ, name string) []found {
	var out []found
	for _, m := range c.membersOf(t, name) {
		if isMethod(c.r.symbol(m.def).Kind) {
			out = append(out, m)
		}
	}
	return out
}

// variableOf is the field or property of a name that a value has.
func (c *context) variableOf(t *typ, name string) (found, bool) {
	for _, m := range c.membersOf(t, name) {
		if isVariable(c.r.symbol(m.def).Kind) {
			return m, true
		}
	}
	return found{}, false
}
