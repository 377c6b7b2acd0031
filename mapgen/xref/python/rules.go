package python

// Rules of edges.
const (
	// ruleImport: a name in an import clause. Import clauses say outright which
	// module they mean. Exact.
	ruleImport = "import"
	// ruleFile: a name that the module defines. Exact by the rules of scope.
	ruleFile = "name of file"
	// ruleImported: a name that an import brought in. Exact, as the clause is.
	ruleImported = "imported name"
	// ruleFallback: a name that an import from outside binds too, so that this
	// definition holds only where that import fails. Likely.
	ruleFallback = "fallback of import"
	// ruleNested: a name that a function around defines. Exact.
	ruleNested = "nested name"
	// ruleClassBody: a name of the class, used in its body. Exact.
	ruleClassBody = "name of class body"
	// ruleModule: an attribute of a module. Exact.
	ruleModule = "attribute of module"
	// ruleKeyword: a keyword argument of a class without a constructor of its
	// own, which is a field then. Exact; likely where a class outside comes
	// first, whose constructor can take anything, and for cls(…), which can be a
	// class that derives from this one.
	ruleKeyword = "keyword of class"
	// ruleByName: a member of a value of which nothing is known, where few
	// classes have such a member. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge; all are exact, but likely where a step on the way was weak:
// one of several alternatives of a union, a class outside that comes first in the
// order of the class, a variable with several values, a context manager that is taken to
// give itself, the bound of a type variable.
const (
	viaSelf        = "self"
	viaSuper       = "super"
	viaClass       = "class"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "field"
	viaEnum        = "enum member"
	viaElement     = "element"
	viaUnion       = "union"
	// viaEvery: all alternatives of a union that can have the member have the same
	// definition: classes with one base, or one class beside lists, strings and
	// classes that certainly lack it. Exact.
	viaEvery = "every alternative"
)

const inheritedSuffix = ", inherited"

func inherited(via string) string {
	switch via {
	case viaSelf:
		return viaSelf + inheritedSuffix
	case viaClass:
		return viaClass + inheritedSuffix
	case viaDeclared:
		return viaDeclared + inheritedSuffix
	case viaConstructed:
		return viaConstructed + inheritedSuffix
	case viaResult:
		return viaResult + inheritedSuffix
	case viaField:
		return viaField + inheritedSuffix
	}
	return via
}

func ruleOf(via string) string {
	if via == "" {
		return "member"
	}
	return "member of " + via
}

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{ruleImport, ruleFile, ruleImported, ruleFallback, ruleNested, ruleClassBody, ruleModule, ruleKeyword, ruleByName}
	for _, via := range []string{viaSelf, viaClass, viaDeclared, viaConstructed, viaResult, viaField} {
		out = append(out, ruleOf(via), ruleOf(inherited(via)))
	}
	for _, via := range []string{viaSuper, viaEnum, viaElement, viaUnion, viaEvery} {
		out = append(out, ruleOf(via))
	}
	return out
}
