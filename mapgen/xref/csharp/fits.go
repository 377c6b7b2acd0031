package csharp

import (
	"github.com/project-map/project-map/indexer/facts"
	"strings"
)

func (c *context) fitsArgument(a *argument, param *typ) fit {
	if !a.lambda {
		if param.kind == arrayOf && a.t.kind != arrayOf && a.t.kind != null && known(a.t) && a.t != externalType {
			// One of several that fill params, which expands saw.
			return max(never, c.fits(a.t, param.args[0])-1)
		}
		return c.fits(a.t, param)
	}
	p := c.r.erased(param, c.uses)
	params, result, ok := c.delegate(p)
	switch {
	case !ok && p.kind == external && !isCollection(p.name) && p.name != "" && param.kind != variable:
		if p.name == "Delegate" || strings.HasSuffix(p.name, "Delegate") || strings.HasSuffix(p.name, "Callback") || strings.HasSuffix(p.name, "Handler") {
			return maybe
		}
		return never
	case !ok && p.kind == external && param.kind != variable:
		return maybe
	case !ok:
		return never
	case len(params) != a.params && !(a.params < 0):
		return never
	}
	gives := result.kind != basic || result.name != "void"
	switch {
	case a.block && a.shape == "" && gives:
		// A block that gives nothing: of an async lambda that is a task.
		if a.async && result.kind == external && isTask(result.name) && len(result.args) == 0 {
			return surely
		}
		return never
	case a.block && a.shape == "":
		if a.async {
			return near
		}
		return surely
	case a.block && !gives:
		return never
	case !gives:
		if a.async || strings.HasPrefix(a.shape, "@") && c.body(a) == voidType {
			return near
		}
		if a.shape == "?" || strings.HasPrefix(a.shape, "await ") || strings.Contains(a.shape, "@") || strings.HasPrefix(a.shape, "new ") {
			return loose
		}
		return never
	}
	if a.async {
		if result.kind == external && isTask(result.name) {
			return surely
		}
		return never
	}
	return near
}

// fits says how well a value of a type fills a parameter.
func (c *context) fits(arg, param *typ) fit {
	if param.kind == variable {
		bound := c.r.erased(param, c.uses)
		if bound.kind == external && bound.name == "" {
			return maybe
		}
		return min(maybe, c.fits(arg, bound))
	}
	arg = c.r.erased(arg, c.uses)
	if arg.kind == group {
		if _, _, ok := c.delegate(param); ok {
			return near
		}
		if param.kind == unknown || param == externalType || param.kind == external && strings.HasPrefix(param.name, "Delegate") {
			return maybe
		}
		return never
	}
	if param.kind == unknown || arg.kind == unknown || arg == externalType || param == externalType {
		return maybe
	}
	if param.kind == basic && (param.name == "object" || param.name == "dynamic") {
		return loose
	}
	switch arg.kind {
	case null:
		if param.kind == basic && param.name != "string" || param.kind == external && param.name == "CancellationToken" {
			return never
		}
		return maybe
	case basic:
		return fitsBasic(arg.name, param)
	case arrayOf, tuple:
		switch {
		case param.kind == arg.kind:
			if len(param.args) != len(arg.args) {
				return never
			}
			if same(arg, param) {
				return surely
			}
			return maybe
		case param.kind == external && arg.kind == arrayOf && (isCollection(param.name) || param.name == "IEnumerable" || param.name == "Array"):
			if len(param.args) == 1 && !c.alike(arg.args[0], param.args[0], 0) {
				return never
			}
			return near
		case param.kind == external && isMap(param.name) && arg.kind == arrayOf && !known(arg.args[0]):
			return near // [] makes any collection
		}
		return never
	case instance:
		return c.fitsClass(arg, param)
	case external, namespace:
		return c.fitsOutside(arg, param)
	case classOf:
		return never
	}
	return maybe
}

func (c *context) fitsOutside(arg, param *typ) fit {
	switch {
	case arg.kind == namespace:
		return maybe // a static member of something outside
	case param.kind == external && param.name == arg.name && len(param.args) == len(arg.args):
		out := surely
		for i := range param.args {
			if !c.alike(arg.args[i], param.args[i], 0) {
				return never
			}
			if !same(arg.args[i], param.args[i]) {
				out = near + 5
			}
		}
		return out
	case param.kind == external && (isDelegate(arg.name) || isDelegate(param.name)):
		return never
	case param.kind == external && isCollection(param.name) && isCollection(arg.name):
		// A list is a sequence, not the other way round.
		if len(param.args) == 1 && len(arg.args) == 1 && !c.alike(arg.args[0], param.args[0], 0) {
			return never
		}
		if arg.name == "IEnumerable" {
			return never
		}
		return near
	case param.kind == external && isTask(param.name) != isTask(arg.name), param.kind == arrayOf, param.kind == tuple:
		return never
	case param.kind == instance:
		// What is outside does not know the classes of the revision, but a class may
		// convert.
		if k := c.r.kindOf(param.class); k == facts.KindEnum || k == facts.KindType {
			return never
		}
		return loose
	case param.kind == basic:
		return never
	}
	return maybe
}

// alike tells whether one type argument can stand for another: the same type, or
// one that derives from it, for what only gives it.
func (c *context) alike(a, b *typ, depth int) bool {
	switch {
	case depth > maxTypeDepth || !known(a) || !known(b) || a.kind == variable || b.kind == variable || a == externalType || b == externalType:
		return true
	case b.kind == basic && b.name == "object":
		return true
	case a.kind == instance && b.kind == instance:
		if a.class != b.class {
			return c.r.distance(a.class, b.class, c.uses) > 0
		}
	case a.kind == instance && b.kind == external:
		return c.fitsClass(a, b) > never
	case a.kind != b.kind || a.name != b.name:
		return false
	}
	for i := range min(len(a.args), len(b.args)) {
		if !c.alike(a.args[i], b.args[i], depth+1) {
			return false
		}
	}
	return true
}

func (c *context) fitsClass(arg, param *typ) fit {
	switch param.kind {
	case instance:
		switch d := c.r.distance(arg.class, param.class, c.uses); {
		case d == 0:
			if !same(arg, param) && len(arg.args) == len(param.args) {
				for i := range arg.args {
					if !c.alike(arg.args[i], param.args[i], 0) {
						return never
					}
				}
			}
			return surely
		case d > 0:
			return near - fit(min(d, 30))
		case c.r.open(arg.class, c.uses):
			return maybe
		}
		return never
	case external:
		for _, a := range c.r.order(arg.class, c.uses) {
			if a.class == noClass && (a.out.name == param.name) {
				return near - 30
			}
		}
		if c.r.open(arg.class, c.uses) || param.name == "" {
			return maybe
		}
		if strings.HasSuffix(param.name, "Exception") && c.r.open(arg.class, c.uses) {
			return maybe
		}
		for _, a := range c.r.order(arg.class, c.uses) {
			// What an interface or exception outside derives from is not known.
			if a.class == noClass && a.out.kind == external {
				return maybe
			}
		}
		return never
	}
	return never
}

func fitsBasic(name string, param *typ) fit {
	switch param.kind {
	case basic:
		switch {
		case name == param.name:
			return surely
		case name == "string" || param.name == "string" || (name == "bool") != (param.name == "bool"):
			if name == "object" || name == "dynamic" {
				return maybe
			}
			return never
		case width(name) > width(param.name) || param.name == "char":
			if name == "int" && param.name != "char" {
				return near0 // a literal may be short enough
			}
			return never
		}
		return near - fit(width(param.name)-width(name))
	case external:
		switch {
		case name == "object" || name == "dynamic" || param.name == "":
			return maybe
		case isDelegate(param.name) || isTask(param.name) || isMap(param.name) || param.name == "Type" || strings.HasSuffix(param.name, "Exception") || param.name == "CancellationToken" || param.name == "TimeSpan":
			return never
		case isCollection(param.name):
			if name == "string" && len(param.args) == 1 && param.args[0].name == "char" {
				return near0
			}
			return never
		case name == "string" && (param.name == "StringSegment" || strings.HasPrefix(param.name, "I")):
			return near0
		case strings.HasPrefix(param.name, "IComparable") || strings.HasPrefix(param.name, "IFormattable") || strings.HasPrefix(param.name, "IEquatable") || strings.HasPrefix(param.name, "IConvertible"):
			return near0
		}
		return never
	case instance:
		return never
	}
	return never
}

func width(name string) int {
	switch name {
	case "byte", "sbyte":
		return 1
	case "short", "ushort", "char":
		return 2
	case "int":
		return 3
	case "uint":
		return 4
	case "long":
		return 5
	case "ulong":
		return 6
	case "float":
		return 7
	case "double":
		return 8
	}
	return 9
}
