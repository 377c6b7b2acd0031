package jvm

// Rules of edges. All are exact, where the rule does not say otherwise, but
// likely where a step on the way was weak: a base outside of the revision comes
// first, which may have such a member too; a type argument of a library type
// that is known by its name only; one of several files that define a name.
const (
	// ruleImport: a name in an import clause, which says outright what it means.
	ruleImport = "import"
	// ruleType: a type by its name, by the rules of scope.
	ruleType = "type"
	// ruleImported: a member or function by a single import, an import of all or
	// the package (Kotlin).
	ruleImported = "imported member"
	// ruleOwn: a member of the class around, its bases included.
	ruleOwn = "own member"
	// ruleOuter: a member of a class around the class around.
	ruleOuter = "member of outer class"
	// ruleAnonymous: a member of the anonymous class around or of its base.
	ruleAnonymous = "member of anonymous class"
	// ruleReceiver: a member of the receiver of an extension around. Likely: the
	// receiver is known by its simple name.
	ruleReceiver = "member of receiver"
	// ruleConstructor: a constructor that fits the arguments.
	ruleConstructor = "constructor"
	// ruleOverload: one of several overloads, or a choice by the types of
	// arguments. Likely: conversions and inference are only known roughly.
	ruleOverload = "overload"
	// ruleLabel: a constant of the enum that a switch looks at.
	ruleLabel = "switch label"
	// ruleElement: an element of an annotation, by its name.
	ruleElement = "annotation element"
	// ruleAccessor: a property by the name of its accessor in the other language,
	// or an accessor by that of its property. Likely: a convention.
	ruleAccessor = "accessor of property"
	// ruleExtension: an extension of Kotlin that is imported or of the package.
	// Likely: the type of the receiver is matched by its simple name.
	ruleExtension = "extension"
	// ruleByName: a member of a value of which nothing is known, where few
	// classes have such a member. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge.
const (
	viaThis        = "this"
	viaSuper       = "super"
	viaClass       = "class"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "field"
	viaEnum        = "enum constant"
	viaBound       = "bound"
	// viaInferred: the initialiser of a Kotlin property without a type. Likely.
	viaInferred = "inferred type"
)

func ruleOf(via string) string { return "member of " + via }

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{
		ruleImport, ruleType, ruleImported, ruleOwn, ruleOuter, ruleAnonymous, ruleReceiver, ruleConstructor, ruleOverload,
		ruleLabel, ruleElement, ruleAccessor, ruleExtension, ruleByName,
	}
	for _, via := range []string{viaThis, viaSuper, viaClass, viaDeclared, viaConstructed, viaResult, viaField, viaEnum, viaBound, viaInferred} {
		out = append(out, ruleOf(via))
	}
	return out
}
