package csharp

import (
	"slices"
	"strings"
)

// outsideOf is what a member gives that a class of the revision was not found to
// have: one of a base outside.
func (c *context) outsideOf(t *typ, name string) *typ {
	for _, a := range c.r.order(t.class, c.uses) {
		if a.class == noClass {
			base := subst(a.out, c.r.owner(t.class), t.args)
			if got := library(base, name); got != nil {
				return got
			}
			if got := keeper(base, name); got != nil {
				return got
			}
		}
	}
	if got := library(externalType, name); got != nil {
		return got
	}
	if c.r.open(t.class, c.uses) {
		return externalType
	}
	return unknownType
}

// keeper is what a method of a generic base outside gives that keeps values of
// one type, by the habit of its name, or nil.
func keeper(t *typ, name string) *typ {
	if t.kind != external || len(t.args) != 1 || t.args[0].kind != instance {
		return nil
	}
	verb, async := strings.CutSuffix(name, "Async")
	got := t.args[0]
	switch {
	case strings.HasPrefix(verb, "List"), strings.HasPrefix(verb, "GetAll"), strings.HasPrefix(verb, "FindAll"):
		got = named("List", got)
	case !slices.ContainsFunc([]string{"Get", "First", "Single", "Find", "Load"}, func(p string) bool { return strings.HasPrefix(verb, p) }):
		return nil
	}
	if async {
		got = named("Task", got)
	}
	return weakened(got)
}

// outsideCall is what a call of a method gives that the revision does not
// define, or of a delegate that a property holds.
func (c *context) outsideCall(t *typ, name string, generics []*typ, args []argument) *typ {
	switch t.kind {
	case unknown, null, group:
		return unknownType
	case namespace:
		if got := c.staticOutside(t.name[strings.LastIndexByte(t.name, '.')+1:], name, args); known(got) {
			return got
		}
		return c.byGeneric(t, name, generics)
	case instance, classOf:
		if m, ok := c.variableOf(t, name); ok {
			return c.invoked(c.typeOfMember(m, t))
		}
		if name == "Invoke" {
			if _, result, ok := c.delegate(t); ok {
				return result
			}
		}
		if e := c.elementOutside(t); e != nil {
			if got := library(named("IEnumerable", e), name); got != nil {
				return got
			}
		}
		return c.outsideOf(t, name)
	case external:
		if got := c.staticOutside(t.name, name, args); known(got) {
			return got
		}
	}
	if name == "Select" && elementOf(t) != nil && len(args) == 1 && args[0].lambda {
		return weakened(named("IEnumerable", c.body(&args[0])))
	}
	if name == "GroupBy" && elementOf(t) != nil && len(args) == 1 && args[0].lambda {
		return weakened(named("IEnumerable", named("IGrouping", c.body(&args[0]), elementOf(t))))
	}
	if name == "SelectMany" && elementOf(t) != nil && len(args) == 1 && args[0].lambda {
		return weakened(named("IEnumerable", c.element(c.body(&args[0]))))
	}
	if got := library(t, name); got != nil {
		return got
	}
	return c.byGeneric(t, name, generics)
}

// byGeneric is what a generic method of the library gives: with one type argument
// mostly that.
func (c *context) byGeneric(t *typ, name string, generics []*typ) *typ {
	if len(generics) != 1 {
		return externalType
	}
	switch name {
	case "OfType", "Cast", "GetServices", "GetCustomAttributes", "Repeat", "Empty":
		return weakened(named("IEnumerable", generics[0]))
	}
	for _, p := range []string{"Get", "Resolve", "Create", "Deserialize", "Should", "Throw", "Is", "For", "Require", "Read", "Value", "Find", "To"} {
		if strings.HasPrefix(name, p) {
			if strings.HasSuffix(name, "Async") {
				return weakened(named("Task", generics[0]))
			}
			return weakened(generics[0])
		}
	}
	return externalType
}

// staticOutside is what the best known static methods of the library give.
func (c *context) staticOutside(class, name string, args []argument) *typ {
	switch {
	case isTask(class) && name == "FromResult" && len(args) == 1:
		return named(class, args[0].t)
	case class == "Enumerable" && name == "Range":
		return named("IEnumerable", intType)
	}
	if got := library(externalType, name); got != nil && name != "Equals" {
		return got
	}
	for _, p := range []string{"From", "New", "Parse"} {
		if strings.HasPrefix(name, p) && !isTask(class) && class != "Enumerable" {
			return weakened(named(class))
		}
	}
	return unknownType
}

// constant tells static members of library types that are of their type.
func constant(name string) bool {
	switch name {
	case "MaxValue", "MinValue", "Empty", "Zero", "One", "None", "Now", "UtcNow", "Default", "Today", "InvariantCulture", "CurrentCulture", "Ordinal", "OrdinalIgnoreCase":
		return true
	}
	return false
}
