package ruby

// Rules of edges. Those that are exact are likely where a step on the way was
// weak: an ancestor outside of the revision comes first, which may have such a
// method too; a type was guessed.
const (
	// ruleConstant: a constant by the rules of scope, or a path of constants.
	// Exact: Ruby looks there first, too.
	ruleConstant = "constant"
	// ruleConstructor: initialize of a class that is constructed. Exact.
	ruleConstructor = "constructor"
	// ruleOwn: a method that an object calls on itself. Exact: a subclass can
	// override it, which every language's callers must expect.
	ruleOwn = "own method"
	// ruleSuper: the method that super means. Exact.
	ruleSuper = "super"
	// ruleVariable: an instance or class variable where the class or an ancestor
	// first assigns it. Exact.
	ruleVariable = "instance variable"
	// ruleAccessor: an instance variable that only an accessor names. Likely: the
	// accessor's name is the convention's.
	ruleAccessor = "variable of accessor"
	// ruleClass: a method of a class or module that is named. Exact.
	ruleClass = "method of class"
	// ruleConstructed: a method of a value that is constructed beside the call, or
	// whose variable is assigned only so. Exact.
	ruleConstructed = "method of constructed value"
	// ruleValue: a method of a value whose class follows from documentation, from
	// an instance variable or from the plain result of a method. Likely: a
	// variable can be assigned elsewhere, a method overridden.
	ruleValue = "method of value"
	// ruleNamed: a method of a value that is called like its class, which has such
	// a method. Likely: a convention, which the method confirms.
	ruleNamed = "method of value by its name"
	// ruleSymbol: a method that a symbol names, in send or a declaration of the
	// class. Likely: other symbols are only words.
	ruleSymbol = "symbol"
	// ruleHeir: a method that only classes have which mix in the module or inherit
	// from the class that calls it, and one definition is all there is. Likely.
	ruleHeir = "method of heirs"
	// ruleHeirs: the same with several definitions. By name.
	ruleHeirs = "methods of heirs"
	// ruleFunction: a method at the level of a file. Exact in the file itself,
	// likely from others.
	ruleFunction = "function"
	// ruleHelper: a method of the only module that has one of the name, called
	// without a receiver in a block at the level of a file, such as an example of a
	// test, into which modules are mixed. Likely; by name where several have it.
	ruleHelper = "helper"
	// ruleByName: a method of a value of which nothing is known, where few
	// classes have such a method. By name.
	ruleByName = "method by name"
)

// Rules lists the rules that edges can name.
func Rules() []string {
	return []string{
		ruleConstant, ruleConstructor, ruleOwn, ruleSuper, ruleVariable, ruleAccessor, ruleClass, ruleConstructed, ruleValue, ruleNamed,
		ruleSymbol, ruleHeir, ruleHeirs, ruleFunction, ruleHelper, ruleByName,
	}
}
