package jvm

import "strings"

// fit says how well an argument fits a parameter; what is between the steps is
// how near a conversion is.
type fit int8

const (
	never  fit = 0
	loose  fit = 10 // Object takes it
	maybe  fit = 20 // nobody knows
	near   fit = 60 // by a conversion
	surely fit = 100
)

// maxOverloads bounds how many overloads that take as many arguments are told
// apart. Where more are left, nothing is known.
const maxOverloads = 32

// choose picks, of several methods or constructors, those that fit the arguments
// of a call, and tells whether their types had a say. Without arguments known,
// all of them stay.
func (c *context) choose(list []found, args []*typ, told bool) (picked []found, byTypes bool) {
	if !told || len(list) == 0 {
		return list[:min(len(list), maxOverloads)], false
	}
	for _, m := range list {
		if c.takes(m.def, len(args)) {
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
	}
	var fitting []candidate
	fixed := false
	for _, m := range picked {
		k := candidate{m, make([]fit, len(args))}
		ok := true
		for i, a := range args {
			k.fits[i] = c.fits(a, c.parameter(m.def, i, len(args)))
			ok = ok && k.fits[i] > never
		}
		if ok {
			fitting = append(fitting, k)
			fixed = fixed || !c.variadic(m.def)
		}
	}
	if len(fitting) == 0 {
		return picked, true
	}
	// One with dots counts only where no other fits; one that fits worse than
	// another in some argument and better in none does not count.
	picked = nil
	for i, k := range fitting {
		worse := fixed && c.variadic(k.m.def)
		for o := range fitting {
			worse = worse || o != i && !(fixed && c.variadic(fitting[o].m.def)) && dominates(fitting[o].fits, k.fits)
		}
		if !worse {
			picked = append(picked, k.m)
		}
	}
	return picked, true
}

func dominates(a, b []fit) bool {
	better := false
	for i := range a {
		if a[i] < b[i] {
			return false
		}
		better = better || a[i] > b[i]
	}
	return better
}

// variadic tells whether the last parameter of a method takes any number.
func (c *context) variadic(d def) bool {
	s := c.r.symbol(d)
	return len(s.Params) > 0 && !isVariable(s.Kind) && variadic(s.Params[len(s.Params)-1].Type)
}

// takes tells whether a method can be called with a number of arguments.
func (c *context) takes(d def, n int) bool {
	s := c.r.symbol(d)
	if isVariable(s.Kind) {
		return n == 0
	}
	c.uses.Doc(int(d.doc))
	k := len(s.Params)
	if k > 0 && variadic(s.Params[k-1].Type) {
		return n >= k-1
	}
	if c.r.file(d.doc).Language == kotlin {
		return n <= k+1 // defaults, and the receiver of an extension
	}
	return n == k
}

func variadic(t string) bool { return strings.HasSuffix(t, "...") || strings.HasPrefix(t, "vararg ") }

// parameter is the type of the parameter that takes the i-th of n arguments.
func (c *context) parameter(d def, i, n int) *typ {
	s := c.r.symbol(d)
	k := len(s.Params)
	if k == 0 || isVariable(s.Kind) {
		return externalType
	}
	at := min(i, k-1)
	t := c.r.typeOf(d.doc, d.sym, s.Params[at].Type, c.uses)
	if t.kind == arrayOf && i >= k-1 && variadic(s.Params[k-1].Type) && n != k {
		return t.args[0]
	}
	return t
}

func (c *context) fits(arg, param *typ) fit {
	if param.kind == variable {
		if arg.kind == lambda {
			return maybe
		}
		bound := c.r.erased(param, c.uses)
		if bound.kind == external && bound.name == "" && arg.kind != unknown {
			return loose
		}
		return min(maybe, c.fits(arg, bound))
	}
	arg = c.r.erased(arg, c.uses)
	// Several arguments or an array may fill a parameter with dots.
	if param.kind == arrayOf && arg.kind != arrayOf {
		switch arg.kind {
		case basic, lambda, instance:
			return never
		case external:
			if arg.name == "String" {
				return never
			}
		}
		return maybe
	}
	switch arg.kind {
	case null:
		if param.kind == basic {
			return never
		}
		return maybe
	case lambda:
		if param.kind == basic || param.name == "String" || param.name == "Object" || param.name == "Class" {
			return never
		}
		return maybe
	case basic:
		return fitsBasic(arg.name, param)
	case arrayOf:
		switch {
		case param.kind == arrayOf:
			if !known(arg.args[0]) {
				return maybe
			}
			if same(arg.args[0], param.args[0]) {
				return surely
			}
			if arg.args[0].kind == basic || param.args[0].kind == basic {
				return never
			}
			return maybe
		case param.kind == external && param.name == "Object":
			return loose
		case param.kind == external && param.name == "":
			return maybe
		}
		return never
	case instance, anonymous:
		return c.fitsClass(arg, param)
	case external:
		switch {
		case arg.name == "":
			return maybe
		case param.kind == external && param.name == arg.name:
			return surely
		case param.kind == external && param.name != "" && looksLikeStream(param.name) && looksLikeStream(arg.name):
			// StringWriter is a Writer, by the habit of the library.
			if strings.HasSuffix(arg.name, param.name) {
				return near
			}
			return never
		case param.kind == basic:
			if boxOf(param.name) == arg.name {
				return maybe
			}
			if arg.name == "String" || looksLikeStream(arg.name) {
				return never
			}
			return maybe
		case arg.name == "String":
			switch {
			case param.kind == instance || param.kind == external && !stringBase(param.name):
				return never
			case param.name == "CharSequence":
				return near
			case param.name != "":
				return loose
			}
		case param.kind == external && param.name == "String":
			return never
		}
		return maybe
	}
	return maybe
}

func looksLikeStream(name string) bool {
	return strings.HasSuffix(name, "Stream") || strings.HasSuffix(name, "Reader") || strings.HasSuffix(name, "Writer") || name == "File" || name == "URL"
}

func stringBase(name string) bool {
	return name == "" || name == "CharSequence" || name == "Object" || name == "Comparable" || name == "Serializable" || name == "Any"
}

func (c *context) fitsClass(arg, param *typ) fit {
	base := arg
	if arg.kind == anonymous {
		if base = c.r.erased(arg.base, c.uses); base.kind != instance {
			return maybe
		}
	}
	switch param.kind {
	case instance:
		switch {
		case param.def == base.def:
			return surely
		case c.r.derives(base.def, param.def, c.uses):
			return near - fit(min(c.distance(base.def, param.def), 30))
		case c.r.open(base.def, c.uses):
			return maybe
		}
		return never
	case external:
		if param.name == "Object" || param.name == "Any" {
			return loose
		}
		if param.name == "String" {
			return never
		}
		if param.name == "" || c.r.open(base.def, c.uses) {
			return maybe
		}
		for _, a := range c.r.order(base.def, c.uses) {
			if a.class == noDef && a.name == param.name {
				return maybe
			}
		}
		return never
	case basic:
		return never
	}
	return maybe
}

// distance is how far behind a class one of its bases stands in its order.
func (c *context) distance(class, base def) int {
	for i, a := range c.r.order(class, c.uses) {
		if a.class == base {
			return i
		}
	}
	return 0
}

func fitsBasic(name string, param *typ) fit {
	switch param.kind {
	case basic:
		switch {
		case name == param.name:
			return surely
		case (name == "boolean") != (param.name == "boolean"):
			return never
		case name == "0":
			return maybe // int, char, float: a literal does not say
		case width(name) > width(param.name) || param.name == "char":
			return never
		}
		return near - fit(width(param.name)-width(name))
	case external:
		switch param.name {
		case "Object", "Any", "Number", "Comparable", "Serializable":
			return loose
		case "":
			return maybe
		}
		if b := boxOf(name); b == param.name || name == "0" && boxed(param.name) {
			return maybe
		}
		return never
	}
	return never
}

func width(name string) int {
	switch name {
	case "byte":
		return 1
	case "short", "char":
		return 2
	case "int":
		return 3
	case "long":
		return 4
	case "float":
		return 5
	}
	return 6
}

func boxOf(name string) string {
	switch name {
	case "int":
		return "Integer"
	case "char":
		return "Character"
	case "":
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func boxed(name string) bool {
	switch name {
	case "Integer", "Long", "Short", "Byte", "Character", "Float", "Double":
		return true
	}
	return false
}
