package cfamily

// Rules of edges. All are exact, where the rule does not say otherwise, but
// likely where a step on the way was weak: a base outside of the revision, which
// may have such a member too; a type that was inferred or found by its name only.
const (
	// ruleScope: a name in a namespace around, in a file that is included; its
	// definition, or the one linked with its declaration.
	ruleScope = "scope"
	// ruleLocal: a definition in the body of a function around.
	ruleLocal = "local definition"
	// ruleOwn: a member of the class around or of its bases.
	ruleOwn = "own member"
	// ruleSpace: a name in the only other namespace that has it, of a file that is
	// included. Likely: what names it, a using directive or the type of an
	// argument, is not followed.
	ruleSpace = "other namespace"
	// ruleProgram: a name that no included file has, in the nearest file that has
	// it. Likely: what includes this file may include that one, or the build may
	// name it.
	ruleProgram = "not included"
	// ruleQualified: a name behind a namespace, class or enumeration.
	ruleQualified = "qualified"
	// ruleImport: a name that a using declaration names.
	ruleImport = "using"
	// ruleConstructor: a constructor that fits the number of arguments.
	ruleConstructor = "constructor"
	// ruleOverload: an overload that the types of arguments chose. Likely:
	// conversions and templates are only known roughly.
	ruleOverload = "overload"
	// ruleOverloads: one of several overloads or specialisations that the facts do
	// not tell apart. By name.
	ruleOverloads = "overloads"
	// ruleOnly: a member of a value of which nothing is known, where only one class
	// in the files included has such a member. Likely.
	ruleOnly = "only member of the name"
	// ruleByName: the same where few classes have. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge.
const (
	viaThis        = "this"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "field"
)

func ruleOf(via string) string { return "member of " + via }

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{
		ruleScope, ruleLocal, ruleOwn, ruleSpace, ruleProgram, ruleQualified, ruleImport, ruleConstructor, ruleOverload, ruleOverloads,
		ruleOnly, ruleByName,
	}
	for _, via := range []string{viaThis, viaDeclared, viaConstructed, viaResult, viaField} {
		out = append(out, ruleOf(via))
	}
	return out
}
