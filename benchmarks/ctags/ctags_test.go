package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func TestParseTags(t *testing.T) {
	out := strings.Join([]string{
		"!_TAG_FILE_FORMAT\t2\t/extended/",
		"Store\ta/b.cs\t12;\"\tkind:class\tline:12\tnamespace:N",
		"__anon1234567890ab\ta/b.cs\t13;\"\tkind:class\tline:13",
		`App\\Models` + "\tc.php\t3;\"\tnamespace\tline:3",
		"Get\ta/b.cs\t14;\"\tmethod\tline:14\tclass:N.Store",
	}, "\n")
	got, err := parseTags([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	want := []tag{
		{"a/b.cs", "Store", "class", 12}, {"c.php", `App\Models`, "namespace", 3}, {"a/b.cs", "Get", "method", 14},
	}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("tag %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestBareName(t *testing.T) {
	for in, want := range map[string]string{
		"M.handlers.get": "get", "Class:method": "method", `App\Models\User`: "User", "$name": "name",
		"`with blanks`": "with blanks", "operator ==": "operator==", "operator []": "operator[]",
		"IList<T>.Count": "Count", "~Store": "~Store", "name=": "name=", "a..": "a..", "": "", "Box<T>": "Box",
	} {
		if got := bareName(in); got != want {
			t.Errorf("bareName(%q) = %q, want %q", in, got, want)
		}
	}
}

// source makes a file whose definitions stand where their names first occur.
func source(text string, symbols ...facts.Symbol) *file {
	f := &facts.File{Depth: facts.Parsed, Symbols: symbols}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		at := uint32(strings.Index(text, s.Name))
		s.NameSpan = facts.Span{Start: at, End: at + uint32(len(s.Name))}
		if s.Line == 0 {
			s.Line = uint32(1 + strings.Count(text[:at], "\n"))
			s.EndLine = s.Line
		}
	}
	return newFile("f", []byte(text), f)
}

func TestCompare(t *testing.T) {
	f := source("int a;\nint b;\nvoid run() {\n}\nM(c)\nint d;\n",
		facts.Symbol{Name: "a"}, facts.Symbol{Name: "run", Line: 2, EndLine: 4}, facts.Symbol{Name: "d"})
	l := &language{why: func(_ *corpus, _ *file, t tag) verdict {
		if t.name == "M" {
			return verdict{noDefinition, "a macro"}
		}
		return verdict{}
	}}
	c := compare(l, []*file{f}, []tag{
		{"f", "a", "v", 1}, {"f", "b", "v", 2}, {"f", "run", "f", 4}, {"f", "run", "f", 2}, {"f", "M", "f", 5},
	})
	want := []outcome{found, unexplained, found, noDefinition, noDefinition} // the second run: its line has no such word
	for i, v := range c.given {
		if v.outcome != want[i] {
			t.Errorf("%s: got %v, want %v", c.tags[i].name, v.outcome, want[i])
		}
	}
	if c.exact != 1 || c.symbols != 3 {
		t.Errorf("exact %d, symbols %d", c.exact, c.symbols)
	}
	if len(c.extra) != 1 || c.extra[0].symbol.Name != "d" || !strings.HasPrefix(c.extra[0].verdict.reason, "behind what ctags") {
		t.Errorf("only here: %+v", c.extra)
	}
	g := c.all()
	if g.definitions() != 3 || g.found != 2 {
		t.Errorf("definitions %d, found %d", g.definitions(), g.found)
	}
}

func TestUnreadFilesDoNotCount(t *testing.T) {
	f := source("int a;\n")
	f.facts.Depth, f.facts.Reason = facts.Words, facts.ReasonGenerated
	c := compare(&language{}, []*file{f}, []tag{{"f", "a", "v", 1}})
	if g := c.all(); g.unread != 1 || g.definitions() != 0 || g.recall() != 1 {
		t.Errorf("got %+v", g)
	}
}

func TestMasks(t *testing.T) {
	for _, x := range []struct {
		mask           func(string) string
		text           string
		keeps, notThat string
	}{
		{maskCSharp, "var a = \"in\\\"side\"; code();", "code", "side"},
		{maskCSharp, "var a = @\"in\"\"side\nmore\"; code();", "code", "more"},
		{maskCSharp, "// comment\ncode(); /* more */", "code", "more"},
		{maskCSharp, "var a = \"\"\"raw \" text\"\"\"; code('\"');", "code", "text"},
		{maskLua, "--[[ function f()\n]] code()", "code", "function"},
		{maskLua, "local s = [==[ text ]] more ]==] code()", "code", "more"},
		{maskLua, "-- comment\ncode('text')", "code", "text"},
		{maskLua, "t[a[1]] = code", "t[a[1]] = code", "never"},
	} {
		got := x.mask(x.text)
		if len(got) != len(x.text) || strings.Count(got, "\n") != strings.Count(x.text, "\n") {
			t.Errorf("%q changed its shape: %q", x.text, got)
		}
		if !strings.Contains(got, x.keeps) || strings.Contains(got, x.notThat) {
			t.Errorf("%q: got %q", x.text, got)
		}
	}
}

func TestHeredocLines(t *testing.T) {
	lines := strings.Split("a = <<~RUBY\n  def m; end\nRUBY\nb(<<-ONE, <<-'TWO')\n1\nONE\n2\nTWO\ndef real; end\n# <<~NO\ndef more; end", "\n")
	got := heredocLines(lines)
	for n := range lines {
		if want := n+1 == 2 || n+1 == 5 || n+1 == 7; got[n+1] != want {
			t.Errorf("line %d: got %v, want %v", n+1, got[n+1], want)
		}
	}
}

func TestOtherBranch(t *testing.T) {
	lines := strings.Split("#if A\nx\n#else\ny\n#endif\nz\n#if 0\nw\n#endif\nv", "\n")
	for n := range lines {
		if got, want := otherBranch(lines, n+1), n+1 == 3 || n+1 == 4 || n+1 == 7 || n+1 == 8; got != want {
			t.Errorf("line %d: got %v, want %v", n+1, got, want)
		}
	}
}

func TestMacroInvocations(t *testing.T) {
	text := "cfg! { fn a() {} } fn b() { vec![1] }"
	got := macroInvocations(text)
	if len(got) != 2 || text[got[0][0]:got[0][1]+1] != "{ fn a() {} }" || text[got[1][0]:got[1][1]+1] != "[1]" {
		t.Errorf("got %v", got)
	}
}

func TestReasons(t *testing.T) {
	for _, x := range []struct {
		language, text string
		tag            tag
		want           outcome
	}{
		{"C", "TEST_BEGIN(a) {", tag{"f", "TEST_BEGIN", "function", 1}, noDefinition},
		{"C", "int missed(void) {", tag{"f", "missed", "function", 1}, unexplained},
		{"C++", "static_assert(size() == 0);", tag{"f", "size", "prototype", 1}, noDefinition},
		{"C#", "string s = \"a B \";", tag{"f", "B", "property", 1}, noDefinition},
		{"C#", "void IDisposable.Dispose()", tag{"f", "IDisposable.Dispose", "method", 1}, unexplained},
		{"Java", "boolean lenient() default false;", tag{"f", "false", "field", 1}, noDefinition},
		{"Java", "int missed;", tag{"f", "missed", "field", 1}, unexplained},
		{"Kotlin", "  companion object {", tag{"f", "Companion", "object", 1}, left},
		{"Bash", "LIST=()", tag{"f", "LIST=", "function", 1}, noDefinition},
		{"Bash", "eval '\n  made() {", tag{"f", "made", "function", 2}, left},
		{"Bash", "missed() {", tag{"f", "missed", "function", 1}, unexplained},
		{"Lua", "if a ~= b then return function() end end", tag{"f", "~", "function", 1}, noDefinition},
		{"Lua", "local function missed()", tag{"f", "missed", "function", 1}, unexplained},
		{"Lua", "t[name .. 'x'] = function()", tag{"f", "t[name .. 'x']", "function", 1}, noDefinition},
		{"PHP", "public static $missed = 1;", tag{"f", "missed", "variable", 1}, unexplained},
		{"Ruby", "KEY => 1", tag{"f", "KEY", "constant", 1}, noDefinition},
		{"Ruby", "def missed", tag{"f", "missed", "method", 1}, unexplained},
		{"Rust", "let a: &'static str = 1;", tag{"f", "str", "variable", 1}, noDefinition},
		{"Rust", "impl A for B {", tag{"f", "B", "implementation", 1}, noDefinition},
		{"TypeScript", "const missed = 1", tag{"f", "missed", "constant", 1}, unexplained},
	} {
		f := source(x.text)
		if got := languageNamed(x.language).onlyCtags(newCorpus([]*file{f}), f, x.tag); got.outcome != x.want {
			t.Errorf("%s, %q: got %+v, want %v", x.language, x.text, got, x.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	f := source("int a;\nint b;\nint c;\n", facts.Symbol{Name: "a"}, facts.Symbol{Name: "c"})
	f.facts.Damage = []facts.Span{{Start: 7, End: 13}}
	l := languageNamed("C")
	r := report{repo: "owner/name", commit: "0123456789", language: l, files: []*file{f}, list: 5, sample: 5,
		result: compare(l, []*file{f}, []tag{{"f", "a", "variable", 1}, {"f", "b", "variable", 2}})}
	got := r.markdown()
	for _, want := range []string{
		"## C: owner/name at 0123456789", "| recall | 50.00 % |", "| files with damage | 1 (100.0 %) |",
		"| on damaged lines: found | 0 of 1 |", "- `b` f:2: `int b;`", "Only here, 1 of 1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestHoldsFunction(t *testing.T) {
	for line, want := range map[string]bool{
		"  get: function () {": true, "  get: async function () {": true, "  'get': (a, b = c()) => {": true, "  get: a => a + 1,": true,
		"  get: list.map((a) => a),": false, "  get: (async function () {": false, "  get: other || ['x'].some(function (a) {": false,
	} {
		if got := holdsFunction(line, "get"); got != want {
			t.Errorf("holdsFunction(%q) = %v", line, got)
		}
	}
}

func TestBehindMacro(t *testing.T) {
	for text, want := range map[string]bool{
		"DECLARE(x)\n\n/* text */\nint y;": true, "OP\n#undef OP\nlast": true, "DECLARE(x)\nstatic int\nf(void) {": true,
		"int x;\nint y;": false, "}\nint y;": false, "DECLARE(x);\nint y;": false, "int y;": false,
	} {
		f := source(text)
		if got := behindMacro(f, len(f.lines)); got != want {
			t.Errorf("behindMacro(%q) = %v", text, got)
		}
	}
}

func TestAloneExplainsWhatCtagsFindsByItself(t *testing.T) {
	if _, err := exec.LookPath("ctags"); err != nil {
		t.Skip("no ctags")
	}
	text := "DECLARE(x)\nint y;\nint z;\n"
	f := source(text, facts.Symbol{Name: "int y", Kind: facts.KindVariable}, facts.Symbol{Name: "z", Kind: facts.KindVariable})
	for i := range f.facts.Symbols {
		s := &f.facts.Symbols[i]
		s.Span = facts.Span{Start: uint32(strings.Index(text, "int "+s.Name[len(s.Name)-1:])), End: s.NameSpan.End + 1}
		s.Line, s.Parent = uint32(2+i), -1
	}
	f.path = "f.c"
	c := &comparison{extra: []extra{
		{f, &f.facts.Symbols[0], 2, verdict{outcome: unexplained}}, {f, &f.facts.Symbols[1], 3, verdict{outcome: unexplained}},
	}}
	if err := c.alone(languageNamed("C")); err != nil {
		t.Fatal(err)
	}
	if c.extra[0].verdict.outcome != unexplained || c.extra[1].verdict.outcome != left {
		t.Errorf("got %+v and %+v", c.extra[0].verdict, c.extra[1].verdict)
	}
}
