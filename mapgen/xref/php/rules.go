package php

// Rules of edges. All are exact, where the rule does not say otherwise, but
// likely where a step on the way was weak: a parent outside of the revision
// comes first, which may have such a member too; a variable that was of another
// class before; only one of the classes of a union has the member; one of
// several files that define a name.
const (
	// ruleImport: a name in a use clause, which says outright what it means.
	ruleImport = "import"
	// ruleClass: a class by its name.
	ruleClass = "class"
	// ruleConstructor: the constructor that a construction runs.
	ruleConstructor = "constructor"
	// ruleFunction and ruleConstant: one of a use clause, the namespace or none.
	ruleFunction = "function"
	ruleConstant = "constant"
	// ruleUser: what a trait uses of itself and does not have, in the classes
	// that use it. Likely: a class outside may use it too, or not have it.
	ruleUser = "member of user of trait"
	// ruleMixin: a member of a class that the documentation says is mixed in.
	// Likely: how calls are passed on is up to the program.
	ruleMixin = "member of mixin"
	// ruleDocumented: a member that only the documentation of the class defines.
	// Likely: what runs is elsewhere.
	ruleDocumented = "documented member"
	// ruleUnion: a member of several classes, of which a value may be each.
	// Likely.
	ruleUnion = "member of union"
	// ruleByName: a member of a value of which nothing is known, where few
	// classes have such a member. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge.
const (
	viaThis        = "this"
	viaParent      = "parent"
	viaClass       = "class"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "property"
	viaElement     = "element"
	viaAnonymous   = "anonymous class"
	viaEnum        = "enum case"
	// viaArgument: the class that a call names gives, as containers and makers of
	// doubles do. Likely.
	viaArgument = "class argument"
	// viaClosure: what a function says that it hands to a closure. Likely.
	viaClosure = "parameter of closure"
)

func ruleOf(via string) string {
	if via == "" {
		via = viaDeclared
	}
	return "member of " + via
}

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{
		ruleImport, ruleClass, ruleConstructor, ruleFunction, ruleConstant, ruleUser, ruleMixin, ruleDocumented, ruleUnion, ruleByName,
	}
	for _, via := range []string{viaThis, viaParent, viaClass, viaDeclared, viaConstructed, viaResult, viaField, viaElement, viaAnonymous, viaEnum, viaArgument, viaClosure} {
		out = append(out, ruleOf(via))
	}
	return out
}
