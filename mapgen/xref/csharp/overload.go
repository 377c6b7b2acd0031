package csharp

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// fit says how well an argument fits a parameter; what is between the steps is
// how near a conversion is.
type fit int8

const (
	never  fit = 0
	loose  fit = 10 // object takes it
	maybe  fit = 20 // nobody knows
	near0  fit = 30 // by a conversion, however far
	near   fit = 60
	surely fit = 100
)

// maxOverloads bounds how many overloads that take as many arguments are told
// apart. Where more are left, nothing is known.
const maxOverloads = 48

// choose picks, of several methods or constructors, those that fit the arguments
// of a call, and tells whether their types had a say.
func (c *context) choose(list []found, args []argument, recv *typ, written []*typ) (picked []found, byTypes bool) {
	generics := len(written)
	for _, m := range list {
		if generics > 0 && isMethod(c.r.symbol(m.def).Kind) && len(c.r.typeParams(m.def)) != generics {
			continue
		}
		if c.takes(m, args) && (generics > 0 || c.inferable(m.def)) {
			picked = append(picked, m)
		}
	}
	if len(picked) < 2 {
		return picked, false
	}
	if len(picked) > maxOverloads {
		return nil, true
	}
	type candidate struct {
		m    found
		fits []fit
		// expanded: several arguments fill params; filled: defaults do.
		expanded, filled bool
	}
	var fitting []candidate
	for _, m := range picked {
		k := candidate{m: m, fits: make([]fit, len(args))}
		k.expanded, k.filled = c.expands(m, args), c.defaults(m, args)
		ok := true
		for i := range args {
			p := c.parameterOf(m, i, args)
			if p < 0 {
				k.fits[i] = never
			} else {
				k.fits[i] = c.fitsArgument(&args[i], subst(c.memberType(m, p, recv, len(args)), m.def, written))
			}
			ok = ok && k.fits[i] > never
		}
		if m.extends {
			k.fits = append(k.fits, c.fits(recv, c.parameterType(m.def, 0)))
		}
		if ok {
			fitting = append(fitting, k)
		}
	}
	if len(fitting) == 0 {
		return picked, true
	}
	var left []candidate
	for i, k := range fitting {
		if !slices.ContainsFunc(fitting, func(o candidate) bool { return !(o.expanded && !k.expanded) && dominates(o.fits, k.fits) }) {
			left = append(left, fitting[i])
		}
	}
	fewest := maxArguments
	for _, k := range left {
		fewest = min(fewest, c.nullables(k.m.def))
	}
	// Of several that fit as well the one that needs no params counts, then the one
	// without defaults, then the one that is not generic, then the one that does not
	// take null too.
	for _, worse := range []func(candidate) bool{
		func(k candidate) bool { return k.expanded },
		func(k candidate) bool { return k.filled },
		func(k candidate) bool { return generics == 0 && len(c.r.typeParams(k.m.def)) > 0 },
		func(k candidate) bool { return c.nullables(k.m.def) > fewest },
	} {
		if kept := slices.DeleteFunc(slices.Clone(left), worse); len(kept) > 0 {
			left = kept
		}
	}
	picked = nil
	for _, k := range left {
		picked = append(picked, k.m)
	}
	return picked, true
}

// nullables counts the parameters that take null too.
func (c *context) nullables(d def) int {
	n := 0
	for _, p := range c.r.symbol(d).Params {
		if strings.HasSuffix(p.Type, "?") {
			n++
		}
	}
	return n
}

// inferable tells whether each type parameter of a method occurs in the type of a
// parameter, without which a call must name it.
func (c *context) inferable(d def) bool {
	s := c.r.symbol(d)
	if !isMethod(s.Kind) {
		return true
	}
	for _, p := range c.r.typeParams(d) {
		if !slices.ContainsFunc(s.Params, func(q facts.Param) bool { return mentions(q.Type, p.name) }) {
			return false
		}
	}
	return true
}

// mentions tells whether a type expression has a name in it.
func mentions(t, name string) bool {
	for word := range strings.FieldsFuncSeq(t, func(r rune) bool { return strings.ContainsRune("<>[](),?* .", r) }) {
		if word == name {
			return true
		}
	}
	return false
}

func dominates(a, b []fit) bool {
	if len(a) != len(b) {
		return false
	}
	better := false
	for i := range a {
		if a[i] < b[i] {
			return false
		}
		better = better || a[i] > b[i]
	}
	return better
}

// shift is how many parameters the receiver fills.
func shift(m found) int {
	if m.extends {
		return 1
	}
	return 0
}

// variadic tells whether the last parameter of a method takes any number.
func variadic(s *facts.Symbol) bool {
	return len(s.Params) > 0 && strings.HasPrefix(s.Params[len(s.Params)-1].Type, "params ")
}

// takes tells whether a method can be called with so many arguments of these
// names.
func (c *context) takes(m found, args []argument) bool {
	c.uses.Doc(int(m.def.doc))
	s := c.r.symbol(m.def)
	params := s.Params[min(shift(m), len(s.Params)):]
	n := len(args)
	if n > len(params) && !variadic(s) {
		return false
	}
	given := map[string]bool{}
	for i := range args {
		if args[i].name == "" {
			if i < len(params) {
				given[params[i].Name] = true
			}
			continue
		}
		if !slices.ContainsFunc(params, func(p facts.Param) bool { return p.Name == args[i].name }) {
			return false
		}
		given[args[i].name] = true
	}
	for i, p := range params {
		if !given[p.Name] && !(variadic(s) && i == len(params)-1) && !c.r.optional(m.def, i+shift(m)) {
			return false
		}
	}
	return true
}

// expands tells whether arguments fill a parameter with params one by one.
func (c *context) expands(m found, args []argument) bool {
	s := c.r.symbol(m.def)
	if !variadic(s) {
		return false
	}
	n := len(s.Params) - shift(m)
	if len(args) != n {
		return true
	}
	last := c.r.typeOf(m.def.doc, m.def.sym, s.Params[len(s.Params)-1].Type, c.uses)
	return last.kind == arrayOf && args[n-1].t.kind != arrayOf && args[n-1].t.kind != null && known(args[n-1].t)
}

func (c *context) defaults(m found, args []argument) bool {
	s := c.r.symbol(m.def)
	return len(args) < len(s.Params)-shift(m) && !(variadic(s) && len(args) == len(s.Params)-shift(m)-1)
}

// parameterOf is the number of the parameter that takes an argument, or -1.
func (c *context) parameterOf(m found, i int, args []argument) int {
	s := c.r.symbol(m.def)
	if args[i].name != "" {
		return slices.IndexFunc(s.Params, func(p facts.Param) bool { return p.Name == args[i].name })
	}
	k := i + shift(m)
	if k >= len(s.Params) {
		if !variadic(s) {
			return -1
		}
		k = len(s.Params) - 1
	}
	return k
}

// parameterType is the type of a parameter as declared.
func (c *context) parameterType(d def, k int) *typ {
	s := c.r.symbol(d)
	if k >= len(s.Params) {
		return unknownType
	}
	c.uses.Doc(int(d.doc))
	return c.r.typeOf(d.doc, d.sym, s.Params[k].Type, c.uses)
}

// parameterAt is the type that one of n arguments for a parameter must have.
func (c *context) parameterAt(d def, k, n int) *typ {
	t := c.parameterType(d, k)
	s := c.r.symbol(d)
	if variadic(s) && k == len(s.Params)-1 && t.kind == arrayOf && n != len(s.Params) {
		return t.args[0]
	}
	return t
}
