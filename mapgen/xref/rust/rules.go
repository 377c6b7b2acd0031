package rust

// Rules of edges. All are exact, where the rule does not say otherwise, but
// likely where a step on the way was weak.
const (
	// ruleImport: a name in a use clause, which says outright what it means.
	ruleImport = "import"
	// ruleType: a type or trait by its name or path, by the rules of scope.
	ruleType = "type"
	// ruleName: a function, constant, static or variant by its bare name.
	ruleName = "name"
	// rulePath: one of these behind the path of a module or enum.
	rulePath = "path"
	// ruleAssociated: an associated item behind the path of a type or trait.
	ruleAssociated = "associated item"
	// ruleLiteral: a field in a literal or pattern of a struct or variant.
	ruleLiteral = "field of literal"
	// ruleMacro: a macro that is imported, of the file, or of the one file of the
	// crate that defines it. Likely, where several files do: the order of texts
	// decides.
	ruleMacro = "macro"
	// ruleTrait: a method of a trait in scope on a value whose own type is not
	// known to have it. Likely: a blanket implementation is taken to be there.
	ruleTrait = "trait in scope"
	// ruleSeveral: an item that a type has by several blocks of traits. By name:
	// the types of arguments would tell which one.
	ruleSeveral = "one of several traits"
	// ruleByName: a member of a value of which nothing is known, where few
	// definitions have the name. By name.
	ruleByName = "member by name"
)

// How the type of a receiver was learned. "member of " with one of these is the
// rule of an edge.
const (
	viaSelf        = "self"
	viaDeclared    = "declared type"
	viaConstructed = "constructed value"
	viaResult      = "result"
	viaField       = "field"
	viaVariant     = "variant"
	viaBound       = "bound"
)

func ruleOf(via string) string { return "member of " + via }

// Rules lists the rules that edges can name.
func Rules() []string {
	out := []string{ruleImport, ruleType, ruleName, rulePath, ruleAssociated, ruleLiteral, ruleMacro, ruleTrait, ruleSeveral, ruleByName}
	for _, via := range []string{viaSelf, viaDeclared, viaConstructed, viaResult, viaField, viaVariant, viaBound} {
		out = append(out, ruleOf(via))
	}
	return out
}
