package oracle

import (
	"github.com/project-map/project-map/ranker"
	"slices"
	"strings"
	"testing"
)

// TestKindOf tells questions apart as people and agents write them.
func TestKindOf(t *testing.T) {
	names := map[kind]string{
		anything: "anything", whereIs: "whereIs", whoUses: "whoUses", whoImplements: "whoImplements", whatIn: "whatIn", whyDoes: "whyDoes",
		whichTests: "whichTests", whatChanged: "whatChanged", howDoes: "howDoes", whatImports: "whatImports", whoOwns: "whoOwns", whatFaults: "whatFaults", whatBreaks: "whatBreaks",
	}
	for _, c := range []struct {
		want  kind
		texts []string
	}{
		{whereIs, []string{
			"Where is parseHeader defined?", "where's the config for retries", "wheres parse_header", "which file sets the default for MAX_RETRIES", "in which module does Router live",
			"location of Foo::bar", "locate `Store.Save`", "find the class Walker", "show me StateMachine", "wich file has the http client", "where can I find the entry point",
			"what file declares Level", "definition of a->b", "where does the cache get created", "point me to the parser", "which module defines Level?",
			"What is the default value of timeout and where is it set?", "jump to definition Foo", "Is there anything named Foo, and where is it?",
		}},
		{whoUses, []string{
			"callers of canonicalizePath?", "who calls findWildcard", "usages of X pls", "ZSTD_seqToCodes usages pls", "Foo - who uses that", "StackLocked: who raises it", "who throws NilStatusError?",
			"is `Foo` dead code?", "is X used anywhere", "is anybody calling X?", "does anything still use Foo", "Is Foo unused?",
			"which functions invoke Foo", "references to Foo", "all call sites of foo()", "who is calling Foo", "which places construct Foo", "where is Foo instantiated", "can I delete foo safely?", "who imports lib/a.js",
			"what depends on lib/a.js", "which files include pool.h", "who reads Settings.debug", "Foo: who calls it", "negotiateLocale callers", "used by?  Foo", "who emits the closed event",
			"Does anybody call WithMaxOpen?", "is lib/a.js imported by anything?", "which files import lib/a.js", "find usages Foo", "safe to remove Foo?", "does anything require lib/a.js", "where do we throw FooError", "does anything still depend on Foo", "xref Foo",
		}},
		{whatBreaks, []string{"what breaks if I rename Foo.bar", "what would break when I remove Foo", "impact of changing Foo", "what happens if I change the signature of Foo", "is it safe to rename foo()?", "blast radius of Foo", "what else is affected by a change of Foo"}},
		{whoImplements, []string{
			"list subclasses of AbstractHandler", "what inherits from `HealthMetrics`", "which types implement Verifier?", "implementations of Store", "interface Foo implementations", "any implementaton of IRateGovernor", "implementors of X",
			"what extends Base", "who overrides Foo#call", "classes derived from Foo", "children of class Foo", "Which classes satisfy the Reader interface?", "what conforms to Codable here", "descendants of Foo", "subtypes of Foo",
		}},
		{whichTests, []string{
			"tests for src/a.py", "wich tests cover Foo#bar", "which specs exercise Foo", "how is Foo tested", "is Foo covered by tests?", "is Foo tested", "what should I run after editing Foo: which tests", "test coverage of Foo",
			"Which tests exercise numpy_supports?", "are there any specs for Foo", "unit tests of Foo", "where is Foo tested", "which test would fail if I break Foo",
		}},
		{whatImports, []string{
			"what is imported by lib/a.js", "what does lib/a.js import", "imports of a.py", "what is included by lib/hist.c", "dependencies of a.rs", "which headers does hist.c include", "what does a.rb require", "what does the package store depend on", "list imports a.py", "src/a.py imports?", "lib/a.js dependencies",
		}},
		{whatChanged, []string{
			"when did src/a.php last change and why", "what changed in src/a", "last commit to a.go", "history of Foo", "who last changed a.go", "why did a.go change last", "when was Foo added", "recent changes in lib", "git log a.go", "who touched lib/a.js last", "changelog of a.go", "git blame Foo",
			"when has Foo been changed last", "what's new in lib/a.js", "which commit introduced Foo",
		}},
		{whyDoes, []string{"why does Foo retry", "why was src/sanitize.rs introduced?", "Why is v2 treated as create", "reason for the lock in Foo", "rationale behind Foo", "what's the reason Foo is not exported", "how come Foo is slow"}},
		{whoOwns, []string{"who maintains src/a.go", "who owns lib", "owner of lib/a.js", "code owners of src", "whom do I ask about lib/a.js", "which team is responsible for lib", "maintainer of lib?", "who should review changes to lib/a.js"}},
		{whatFaults, []string{"any errors in lib?", "syntax errors in lib", "lint findings lib/a.js", "diagnostics for src/**", "is anything broken in lib", "what warnings are there in lib"}},
		{whatIn, []string{
			"what is in src/filter", "explain class StateMachineMatcher", "signature of Foo.bar", "what does Foo return", "what args does Foo take", "outline of a.go", "describe Foo", "methods of Foo", "members of class Foo",
			"tell me about src/fs", "summarize lib/a.js", "what is Foo", "whats inside lib", "which methods has Foo", "parameters of Foo", "docs for Foo", "what type is Foo", "list functions in a.go", "What are the fields of Foo?", "return type of Foo",
		}},
		{howDoes, []string{"how does the router match", "how do I add a handler", "how are errors formatted", "how to run it", "how can a plugin hook in"}},
		{anything, []string{"Foo", "rate limiting", "lib/view.js:197", "retry policy jitter"}},
	} {
		for _, q := range c.texts {
			if got := kindOf(q); got != c.want {
				t.Errorf("%q is told to be %s, not %s", q, names[got], names[c.want])
			}
			if got := kindOf(strings.ToUpper(q)); got != c.want {
				t.Errorf("%q in capitals is told to be %s, not %s", q, names[got], names[c.want])
			}
		}
	}
}

// TestNamesIn finds what a question names, the surest first.
func TestNamesIn(t *testing.T) {
	for _, c := range []struct{ text, names, pointed string }{
		{"who calls parse", "parse", "parse"},
		{"who calls the parse function in the lexer", "parse lexer", "parse"},
		{"who calls find?", "find", "find"},
		{"callers of set", "set", "set"},
		{"where is delete", "delete", ""},
		{"who uses it", "", ""},
		{"who calls this function", "", ""},
		{"what breaks if I rename Store.Save", "Store.Save", ""},
		{"where is `is empty` and fooBar", "is empty fooBar empty", ""},
		{"is Monolog\\Utils::substr dead code", "Monolog\\Utils::substr", ""},
		{"What implements the authz Verifier interface?", "Verifier authz", "Verifier authz"},
		{"signature of walk", "walk", "walk"},
		{"explain class Walker please", "Walker", "Walker"},
		{"Foo's callers", "Foo", ""},
		{"what does res->send() return", "res->send", ""},
		{"the default adapter", "adapter", ""},
		{"", "", ""},
	} {
		names, pointed := namesIn(c.text, nil)
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%q names %q, not %q", c.text, got, c.names)
		}
		if got := strings.Join(pointed, " "); got != c.pointed {
			t.Errorf("%q points at %q, not %q", c.text, got, c.pointed)
		}
	}
}

func TestSpelled(t *testing.T) {
	for in, want := range map[string]string{
		"wich": "which", "whcih": "which", "implementaton": "implementation", "calers": "callers", "explian": "explain", "store": "store", "there": "there", "testing": "testing", "caller": "caller", "refined": "refined", "hisotry": "history", "x": "x", "": "",
	} {
		if got := spelled(in); got != want {
			t.Errorf("%q is spelled %q, not %q", in, got, want)
		}
	}
}

func TestSplitName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Save", "Save"},
		{"Store.Save", "Store|Save"},
		{"pkg/store.Store.Save()", "pkg|store|Store|Save"},
		{"Monolog\\Utils::expand($val)", "Monolog|Utils|expand"},
		{"\\Monolog\\Logger", "Monolog|Logger"},
		{"A#b", "A|b"},
		{"a->b", "a|b"},
		{"(*Store).Save", "Store|Save"},
		{"`Foo::bar`", "Foo|bar"},
		{"deep_merge!", "deep_merge!"},
		{"ready?", "ready?"},
		{"Outer$Inner", "Outer|Inner"},
		{"vec<int>::push_back", "vec|push_back"},
		{"List<String>", "List"},
		{"Map[string, int].Get", "Map|Get"},
		{"*Store", "Store"},
		{"&value", "value"},
		{"@app.route", "app|route"},
		{"$store", "store"},
		{"operator==", "operator=="},
		{"~Foo", "~Foo"},
		{"  spaced  ", "spaced"},
		{"", ""},
		{"::", ""},
		{"()", ""},
		{"<>", ""},
		{"a..b", "a|b"},
	} {
		q, last := splitName(c.name)
		if got := strings.Join(append(slices.Clone(q), last), "|"); got != c.want {
			t.Errorf("%q is taken apart into %q, not %q", c.name, got, c.want)
		}
	}
}

func FuzzSplitName(f *testing.F) {
	f.Add("a::b->c.d#e(f)")
	f.Add("(*T).M")
	f.Add("<<>>[")
	f.Fuzz(func(t *testing.T, s string) {
		q, last := splitName(s)
		if last == "" && len(q) > 0 {
			t.Errorf("%q has qualifiers %q of nothing", s, q)
		}
		for _, p := range append(q, last) {
			if strings.ContainsAny(p, "./\\#$") || strings.Contains(p, "::") || strings.Contains(p, "->") {
				t.Errorf("%q leaves a separator in %q", s, p)
			}
		}
		kindOf(s)
	})
}

func TestOwnerMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"*", "a.go", true},
		{"*", "dir/deep/a.go", true},
		{"*.js", "dir/a.js", true},
		{"*.js", "dir/a.jsx", false},
		{"/build/logs/", "build/logs/x/y.txt", true},
		{"/build/logs/", "dir/build/logs/y.txt", false},
		{"docs/*", "docs/a.md", true},
		{"docs/*", "docs/sub/a.md", false},
		{"docs/**", "docs/sub/a.md", true},
		{"apps/", "x/apps/a.go", true},
		{"apps/", "apps.go", false},
		{"/docs/", "docs/a.md", true},
		{"/docs/", "x/docs/a.md", false},
		{"**/logs", "deep/logs/a", true},
		{"/apps/github", "apps/github", true},
		{"/apps/github", "apps/github/x", true},
		{"/apps/github", "apps/githubber", false},
		{"/a.go", "a.go", true},
		{"/a.go", "x/a.go", false},
		{"src/a.go", "src/a.go", true},
		{"src/a.go", "x/src/a.go", false},
		{"/", "a.go", false},
		{"[", "a.go", false},
		{"", "a.go", false},
	} {
		if got := ownerMatches(c.pattern, c.path); got != c.want {
			t.Errorf("%q on %q: %v, not %v", c.pattern, c.path, got, c.want)
		}
	}
}

func TestOwnerRule(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"*.go @a @b", "*.go|@a|@b"},
		{"# comment", ""},
		{"", ""},
		{"[Section]", ""},
		{"^[Optional] @a", ""},
		{"/x @a # why", "/x|@a"},
		{"/nobody", "/nobody"},
	} {
		pattern, who := ownerRule(c.line)
		got := pattern
		if len(who) > 0 {
			got += "|" + strings.Join(who, "|")
		}
		if got != c.want {
			t.Errorf("%q: %q, not %q", c.line, got, c.want)
		}
	}
}

func TestStemOf(t *testing.T) {
	for p, want := range map[string]string{
		"a/store_test.go": "store", "tests/test_store.py": "store", "spec/faraday/response_spec.rb": "response", "Tests/RetryHelperTests.cs": "retryhelper",
		"src/store.spec.ts": "store", "a/index.js": "", "a/__init__.py": "", "test.go": "test",
		"test/Specs.cs": "specs", "test/StoreSpecs.cs": "store",
	} {
		if got := ranker.Stem(p); got != want {
			t.Errorf("%s: %q, not %q", p, got, want)
		}
	}
}
