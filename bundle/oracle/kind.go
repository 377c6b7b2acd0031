package oracle

import (
	"slices"
	"strings"
)

// kind is what a question is after.
type kind int

const (
	anything kind = iota
	whereIs
	whoUses
	whoImplements
	whatIn
	whyDoes
	whichTests
	whatChanged
	howDoes
	whatImports
	whoOwns
	whatFaults
	whatBreaks
)

// cues are words that tell a kind, in the order in which they are tried; each is
// a list of alternatives, all of whose words have to stand in the question in
// their order. A star stands for any words, or none.
var cues = []struct {
	kind  kind
	words []string
}{
	{whichTests, []string{"which test", "what test", "which spec", "what spec", "test cover", "tests cover", "test covers", "spec covers", "specs cover", "test for", "tests for", "tests of", "spec for", "specs for", "specs of",
		"tested by", "tests exercise", "specs exercise", "tests reach", "is * tested", "are * tested", "how do we test", "covered by", "test coverage", "is there a test", "are there tests", "are there any tests", "any test", "any spec", "unit test", "tests to run", "tests should i run"}},
	{whereIs, []string{"where does * implement", "where do * implement", "where is * overridden"}},
	{whoImplements, []string{"implements", "implement", "extend", "override", "implementation of", "implementations of", "implementations", "implementers", "implementors", "extends", "subclass", "subclasses", "derive from", "derives from", "derived from", "deriving from", "inheriting", "extending", "implementing",
		"inherit", "inherits", "overrides", "override the", "overridden", "satisfies", "satisfy", "child class", "child classes", "children of class", "descendants of", "subtypes of", "subtype of", "conforms to", "conform to"}},
	{whatBreaks, []string{"what breaks", "what would break", "what will break", "breaks if", "break if", "would break", "if i rename", "if i change", "if i remove", "if i delete", "if i edit", "if i break", "if we rename", "if we change", "if we remove", "if we delete",
		"when i rename", "when i change", "when i remove", "impact of", "blast radius", "affected by", "safe to rename", "safe to change"}},
	{whatImports, []string{"what does * import", "what do * import", "imports of", "list imports", "show imports", "which modules does", "which headers does", "which files does", "what headers does", "dependencies of", "what does * depend on", "depends on what",
		"what does * require", "what does * include", "is imported by", "are imported by", "what's imported by", "whats imported by", "is included by", "are included by", "what's included by", "is required by", "includes of"}},
	{whoUses, []string{"who uses", "what uses", "who calls", "what calls", "who is calling", "what is calling", "who's calling", "who is using", "what is using", "which * use", "which * uses", "which * call", "which * calls", "which * invoke",
		"which * construct", "which * include", "which * includes", "which * reference", "which * throw", "which * raise", "where is * used", "where are * used", "where is * called", "where are * called", "where is * instantiated", "where is * constructed",
		"where is * thrown", "where is * raised", "where is * emitted", "where do we call", "where do we use", "where do * throw", "where do * raise", "where do * emit", "where does * throw", "where does * raise", "where does * use", "where does * call", "where do * construct", "where do * instantiate", "callers", "caller", "callsites", "call sites", "call site", "users of", "usages", "usage", "uses of", "references to", "references of", "find references", "xref", "referenced",
		"calls to", "is * used", "are * used", "used by", "unused", "dead code", "invoke", "invokes", "invoked", "depend on", "depends on", "who imports", "what imports", "which * import", "which * imports", "imported by", "included by", "importers", "imports",
		"anything * call", "anything * use", "anything * require", "anything * import", "anything * include", "anything * depend", "anyone * call", "anyone * use", "anybody * call", "anybody * use", "somebody * call", "somebody * use", "anybody calling", "anyone calling", "anything calling", "anybody using", "anyone using", "anything using",
		"who raises", "who throws", "who emits", "who reads", "who writes", "who creates", "who constructs", "who instantiates", "who includes", "who requires", "who needs", "who references", "who triggers", "who catches",
		"what raises", "what throws", "what emits", "what reads", "what constructs", "what instantiates", "what references", "what triggers",
		"can i delete", "can i remove", "can we delete", "can we remove", "safe to delete", "safe to remove"}},
	{whatFaults, []string{"syntax error", "parse error", "lint", "diagnostics", "warnings in", "errors in", "what warnings", "which warnings", "any warnings", "any errors", "findings", "anything broken", "anything wrong", "what's wrong", "what is wrong", "problems in", "any problems"}},
	{whoOwns, []string{"who owns", "owner of", "owners of", "code owner", "codeowners", "responsible for", "who maintains", "maintainer", "maintained by", "whom do i ask", "who do i ask", "who should review", "who reviews", "reviewers", "which team", "in charge of"}},
	{whatChanged, []string{"what changed", "changed last", "change last", "last change", "last changed", "been changed", "recent change", "recently", "history of", "latest commit", "last commit", "recent commit", "which commit", "what commit", "when was", "when did", "when has", "last modified",
		"last touched", "changes in", "commits touched", "commit touched", "git log", "git blame", "blame", "changelog of", "who last", "who touched", "who changed", "who modified", "who edited", "who added", "who wrote", "what's new", "whats new", "what is new"}},
	{whyDoes, []string{"why", "how come", "reason for", "the reason", "rationale"}},
	{whatIn, []string{"what is in", "what's in", "whats in", "contents of", "what does * contain", "what does * hold", "outline of", "which symbols", "which functions", "which classes", "which methods", "what functions", "what classes", "what methods", "list the",
		"list functions", "list classes", "list methods", "members of", "methods of", "fields of", "what is inside", "what's inside", "whats inside", "which files are in", "what do we have in", "overview of", "summary of", "summarise", "summarize", "tell me about"}},
	{whereIs, []string{"where is", "where are", "where's", "wheres", "where do", "where does", "where can", "which file", "what file", "in which file", "which module", "which package", "which directory", "which folder", "defined", "declared", "definition", "location of", "find the", "locate",
		"show me", "point me to", "jump to", "go to", "where"}},
	{howDoes, []string{"how does", "how do", "how is", "how are", "how to", "how can", "how"}},
	{whatIn, []string{"what is", "what's", "whats", "what are", "what does", "what args", "what arguments", "what parameters", "what params", "what type", "signature", "parameters of", "params of", "arguments of", "args of", "return type", "returns", "docs for", "docs of",
		"documentation of", "documentation for", "describe", "explain"}},
}

// runCues are words that ask for a command, beside those of a task.
var runCues = []string{"how do i", "how do we", "how do you", "how can i", "how can we", "how can you", "how should i", "how to", "how are * run", "how is * run", "how is * built",
	"what command", "which command", "what's the command", "what is the command", "command to", "command for", "commands to", "commands for", "what do i run", "what should i run", "where do i run"}

// asksToRun tells questions for what to type.
func asksToRun(text string) bool {
	words := cueWords(text)
	return slices.ContainsFunc(runCues, func(cue string) bool { return matchesCue(words, cue) })
}

// kindOf tells the kinds of questions apart.
func kindOf(text string) kind {
	words := cueWords(text)
	for _, end := range []string{" imports ", " includes ", " dependencies "} {
		// "lib/a.js imports?" asks for what stands in it.
		if strings.HasSuffix(words, end) && !strings.HasPrefix(words, " who ") {
			return whatImports
		}
	}
	for _, c := range cues {
		for _, w := range c.words {
			if matchesCue(words, w) {
				return c.kind
			}
		}
	}
	return anything
}

// cueWords are the words of a question in lower case, with a blank around each;
// what stands in backticks is a name, whatever words it is made of.
func cueWords(text string) string {
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts) && i+1 < len(parts); i += 2 {
		parts[i] = " x "
	}
	list := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(strings.Join(parts, ""), "’", "'")), func(r rune) bool {
		return !(r == '_' || r == '\'' || r == '.' || r == '/' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80)
	})
	for i, w := range list {
		list[i] = spelled(strings.Trim(w, ".'-"))
	}
	return " " + strings.Join(list, " ") + " "
}

// Words of cues that are often mistyped. What is one slip away from one of them,
// with the same first letter, is taken for it.
var mistyped = []string{"which", "where", "callers", "usages", "implements", "implementation", "implementations", "subclasses", "inherits", "extends", "overrides", "defined", "declared", "imports", "imported", "depends", "dependencies", "references", "history", "signature", "explain", "describe", "maintains", "diagnostics", "changed", "tests"}

// spelled mends a slip in a word that tells a kind.
func spelled(w string) string {
	if len(w) < 4 || isQuestionWord(w) || slices.Contains(mistyped, w) {
		return w
	}
	for _, m := range mistyped {
		if m[0] == w[0] && oneSlip(w, m) {
			return m
		}
	}
	return w
}

// oneSlip tells whether one letter is missing, too many, another one, or two are
// the wrong way round. A final s is no slip: it makes another word.
func oneSlip(a, b string) bool {
	if a+"s" == b || b+"s" == a {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	x, y := a[i:], b[i:]
	switch len(a) - len(b) {
	case -1:
		return x == y[1:]
	case 1:
		return x[1:] == y
	case 0:
		return x != "" && x[1:] == y[1:] || len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]
	}
	return false
}

// matchesCue looks for the parts of a cue, which stars separate, in their order.
func matchesCue(words, cue string) bool {
	for i, part := range strings.Split(cue, " * ") {
		at := strings.Index(words, " "+part+" ")
		if at < 0 && i == 0 && !strings.Contains(cue, "*") {
			// A plural or another form of the last word.
			at = strings.Index(words, " "+part+"s ")
		}
		if at < 0 {
			return false
		}
		words = words[at+len(part)+1:]
	}
	return true
}
