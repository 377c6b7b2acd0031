package csharp

// Rules of edges. All are exact, where the rule does not say otherwise, but
// likely where a step on the way was weak: a base outside of the revision comes
// first, which may have such a member too; a type argument of a library type
// that is known by its name only; one of several projects that define a name.
const (
	// ruleImport: a type in a using directive, which says outright what it means.
	ruleImport = "import"
	// ruleType: a type by its name, by the rules of scope.
	ruleType = "type"
	// ruleAttribute: an attribute by its name, with or without its ending.
	ruleAttribute = "attribute"
	// ruleProject: a type that is not imported by the file, but the only one of
	// its name in its project and those that this references. Likely: projects can
	// import namespaces for all their files in ways that only their build knows.
	ruleProject = "type of project"
	// ruleStatic: a member by using static.
	ruleStatic = "static import"
	// ruleOwn: a member of the class around, its bases included.
	ruleOwn = "own member"
	// ruleOuter: a member of a class around the class around.
	ruleOuter = "member of outer class"
	// ruleLocal: a function inside the function around.
	ruleLocal = "local function"
	// ruleConstructor: a constructor that fits the arguments.
	ruleConstructor = "constructor"
	// ruleOverload: a choice of overloads by the types of arguments. Likely:
	// conversions and inference are only known roughly.
	ruleOverload = "overload"
	// ruleAmbiguous: one of several overloads of which nothing tells which. By
	// name.
	ruleAmbiguous = "one of overloads"
	// ruleExtension: an extension method of a namespace that is imported or
	// around.
	ruleExtension = "extension"
	// ruleByName: a member of a value of which nothing is known, where few
	// classes have such a member. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge.
const (
	viaThis        = "this"
	viaBase        = "base"
	viaClass       = "class"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "field"
	viaBound       = "constraint"
	// viaLambda: a parameter of a lambda, by what it is passed to.
	viaLambda = "lambda parameter"
	// viaElement: what iteration or an index gives.
	viaElement = "element"
)

func ruleOf(via string) string { return "member of " + via }

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{
		ruleImport, ruleType, ruleAttribute, ruleProject, ruleStatic, ruleOwn, ruleOuter, ruleLocal, ruleConstructor, ruleOverload, ruleAmbiguous, ruleExtension, ruleByName,
	}
	for _, via := range []string{viaThis, viaBase, viaClass, viaDeclared, viaConstructed, viaResult, viaField, viaBound, viaLambda, viaElement} {
		out = append(out, ruleOf(via))
	}
	return out
}
