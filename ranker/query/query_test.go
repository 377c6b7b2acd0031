package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// showPath renders a mention as "source path:line" with the marks the tests
// look at: "/" for a directory.
func showPath(m PathMention) string {
	s := m.Source.String() + " " + m.Path
	if m.Dir {
		s += "/"
	}
	if m.Line > 0 {
		s += fmt.Sprintf(":%d", m.Line)
	}
	return s
}

func showPaths(q *Query) []string {
	var out []string
	for _, m := range q.Paths {
		out = append(out, showPath(m))
	}
	return out
}

func showNames(q *Query) []string {
	var out []string
	for _, n := range q.Names {
		out = append(out, n.String())
	}
	return out
}

func identifier(q *Query, name string) (Identifier, bool) {
	for _, id := range q.Identifiers {
		if id.Name == name {
			return id, true
		}
	}
	return Identifier{}, false
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ name, text, title, prose string }{
		{"plain", "Crash on empty file\n\nIt dies.", "Crash on empty file", "It dies."},
		{"one line", "fix the lexer", "fix the lexer", ""},
		{"title label", "Title: Crash on empty file\nBody.", "Crash on empty file", "Body."},
		{"bold title label", "**Title: `cacheKey` not cleared **\n\nBody.", "cacheKey not cleared", "Body."},
		{"title heading", "## Title\nPlugin accepts bad ids\n\n## Problem Description\nBody.", "Plugin accepts bad ids", "Body."},
		{"bug report heading", "### Bug report\n\n# Lexer loops\nBody.", "Lexer loops", "Body."},
		{"bug tag", "[BUG] builder loses docs\nBody.", "builder loses docs", "Body."},
		{"subject tag", "[lexer] loops\nBody.", "[lexer] loops", "Body."},
		{"quoted", "\"Lexer loops\"\n\nBody.", "Lexer loops", "Body."},
		{"starts with error", "ValueError: no rows in table\n\nBody.", "ValueError: no rows in table", "Body."},
		{"starts with import", "import fails on Windows\n\nBody.", "import fails on Windows", "Body."},
		{"after comment", "<!-- fill in\nthis form -->\n\nLexer loops\nBody.", "Lexer loops", "Body."},
		{"after check list", "- [x] I have read the guide\n\nLexer loops\nBody.", "Lexer loops", "Body."},
		{"after image", "![logo](https://x.org/a.png)\nLexer loops", "Lexer loops", ""},
		{"crlf", "Lexer loops\r\n\r\nBody.\r\n", "Lexer loops", "Body."},
		{"bom", "\ufeffLexer loops\nBody.", "Lexer loops", "Body."},
		{"trace only", "Traceback (most recent call last):\n  File \"a/b.py\", line 3, in f\n    g()\nKeyError: 'x'", "KeyError: 'x'", ""},
		{"long paragraph", "The lexer loops for ever when the input ends inside of a comment. " + strings.Repeat("More words follow here. ", 10),
			"The lexer loops for ever when the input ends inside of a comment.", strings.TrimSpace(strings.Repeat("More words follow here. ", 10))},
		{"template word alone is a query", "description", "description", ""},
		{"blank", " \n\t\n", "", ""},
		{"escaped onto one line", `"Lexer loops\n\nBody."`, "Lexer loops", "Body."},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := Parse(c.text)
			if q.Title != c.title {
				t.Errorf("title %q, want %q", q.Title, c.title)
			}
			if got := strings.TrimSpace(q.Segments[Prose]); got != c.prose {
				t.Errorf("prose %q, want %q", got, c.prose)
			}
		})
	}
}

// TestShortKinds checks that queries of a few words keep what they name.
func TestShortKinds(t *testing.T) {
	q := Parse("    at Parser.next (/srv/app/src/parser.js:12:7)")
	if q.Title == "" || q.Segments[Title] == "" || !slices.Equal(showPaths(q), []string{"trace srv/app/src/parser.js:12"}) {
		t.Errorf("a frame alone: %+v", q)
	}
	q = Parse("Lexer.next")
	if !slices.Equal(showNames(q), []string{"Lexer.next"}) || q.Title != "Lexer.next" {
		t.Errorf("a symbol alone: %+v", q)
	}
	q = Parse("where is the retry policy?")
	if _, ok := identifier(q, "retry"); !ok || q.Title != "where is the retry policy?" || !q.Short {
		t.Errorf("a question: %+v", q)
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]bool{
		"parse":                               true,
		"src/lexer/token.go":                  true,
		"fix the lexer":                       true,
		" one two three four five six seven ": true,
		"1 2 3 4 5 6 7 8 9":                   false,
		"two\nlines":                          false,
		"":                                    false,
	} {
		if got := Parse(text).Short; got != want {
			t.Errorf("Short of %q is %v, want %v", text, got, want)
		}
	}
}

// TestSegments checks where lines go; an absent segment must be empty.
func TestSegments(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       [NumSegments]string
	}{
		{"fence", "a word\n```go\nfunc f() {}\n```\nmore", [NumSegments]string{Prose: "a word\nmore", Code: "func f() {}"}},
		{"tilde fence", "~~~\nx := 1\n```\n~~~\nmore", [NumSegments]string{Prose: "more", Code: "x := 1\n```"}},
		{"unclosed fence", "a word\n```\nx = 1\n\ny = 2", [NumSegments]string{Prose: "a word", Code: "x = 1\ny = 2"}},
		{"fence in quote", "> a word\n> ```\n> x = 1\n> ```\n> more", [NumSegments]string{Prose: "a word\nmore", Code: "x = 1"}},
		{"pre", "<pre>\nx = 1\n</pre>\nmore", [NumSegments]string{Prose: "more", Code: "x = 1"}},
		{"indented", "a word\n\n    x = frob(1)\n\nmore", [NumSegments]string{Prose: "a word\nmore", Code: "    x = frob(1)"}},
		{"list continuation is prose", "- a word\n\n    still prose here", [NumSegments]string{Prose: "- a word\nstill prose here"}},
		{"inline", "call `frob(x)` twice", [NumSegments]string{Prose: "call twice", Inline: "frob(x)"}},
		{"double backticks", "call ``a`b`` twice", [NumSegments]string{Prose: "call twice", Inline: "a`b"}},
		{"html code", "call <code>frob</code> <b>now</b> &amp; then", [NumSegments]string{Prose: "call now  & then", Inline: "frob"}},
		{"python repl", "a word\n>>> frob(1)\n... x", [NumSegments]string{Prose: "a word", Code: "frob(1)\nx"}},
		{"ipython", "In [1]: frob(1)\nOut[1]: 7", [NumSegments]string{Code: "frob(1)\n7"}},
		{"irb", "irb(main):001:0> frob 1", [NumSegments]string{Code: "frob 1"}},
		{"shell", "run this\n\n$ tool --all x", [NumSegments]string{Prose: "run this", Code: "tool --all x"}},
		{"pasted json", "the file is\n\n{\n  \"rows\": 3,\n  \"cols\": [\n    1\n  ]\n}", [NumSegments]string{Prose: "the file is", Code: "{\n  \"rows\": 3,\n  \"cols\": [\n    1\n  ]\n}"}},
		{"pasted yaml", "the file is\n\nrepos:\n  - repo: local\n    hooks:\n      - id: fmt", [NumSegments]string{Prose: "the file is", Code: "repos:\n  - repo: local\n    hooks:\n      - id: fmt"}},
		{"pasted ini", "the file is\n\n[tool:rules]\npolicy = upper\nmax_rows = 3", [NumSegments]string{Prose: "the file is", Code: "[tool:rules]\npolicy = upper\nmax_rows = 3"}},
		{"plain version heading", "It loops.\n\nVersions\nUbuntu LTS", [NumSegments]string{Prose: "It loops."}},
		{"question of a form", "It loops.\n\nWhat version are you using (`tool version`)?\ntool version 1.2.3", [NumSegments]string{Prose: "It loops."}},
		{"log line of level error", "It prints\n\n2024-03-01 12:00:00 ERROR o.a.Main - boot failed", [NumSegments]string{Prose: "It prints", Inline: "2024-03-01 12:00:00 ERROR o.a.Main - boot failed"}},
		{"statement", "use it so:\nfrom pkg.mod import frob", [NumSegments]string{Prose: "use it so:", Code: "from pkg.mod import frob"}},
		{"comment", "a <!-- hidden --> word\n<!-- hidden\nhidden -->\nmore", [NumSegments]string{Prose: "a   word\nmore"}},
		{"comment in code stays", "```html\n<!-- kept -->\n```", [NumSegments]string{Code: "<!-- kept -->"}},
		{"unclosed comment is text", "a <!-- word", [NumSegments]string{Prose: "a <!-- word"}},
		{"template headings", "### Describe the bug\nIt loops.\n**Expected behavior**\nIt ends.\n\nSteps to reproduce:\n1. run", [NumSegments]string{Prose: "It loops.\nIt ends.\n1. run"}},
		{"label before text", "**Actual behaviour**: it loops", [NumSegments]string{Prose: "it loops"}},
		{"own heading stays", "## Lexer state machine\nIt loops.", [NumSegments]string{Prose: "Lexer state machine\nIt loops."}},
		{"version list", "It loops.\n\n- python: 3.9.1\n- tool==2.0.1\n- OS: macOS-10.15.7\n", [NumSegments]string{Prose: "It loops."}},
		{"version section", "It loops.\n### Environment\nUbuntu LTS\nlatest main\n### Additional context\nonly sometimes", [NumSegments]string{Prose: "It loops.\nonly sometimes"}},
		{"sentence with version stays", "It works with the old release 1.2.3 but loops now", [NumSegments]string{Prose: "It works with the old release 1.2.3 but loops now"}},
		{"consent", "It loops.\n### Code of Conduct\n- [X] I agree to follow it", [NumSegments]string{Prose: "It loops."}},
		{"own task list", "- [ ] add rows to table.go", [NumSegments]string{Prose: "add rows to table.go"}},
		{"no response", "It loops.\n\n_No response_", [NumSegments]string{Prose: "It loops."}},
		{"error message", "It prints\n\nValueError: no rows", [NumSegments]string{Prose: "It prints", Inline: "ValueError: no rows"}},
		{"generic error", "It prints\n\nError: boom", [NumSegments]string{Prose: "It prints", Inline: "Error: boom"}},
		{"form after trace", "It prints\n\n    at f (/a/b.js:1:2)\n\n### Environment\nnode 18", [NumSegments]string{Prose: "It prints", Trace: "a/b.js f"}},
		{"url", "see https://example.org/a?b=c. Then", [NumSegments]string{Prose: "see  . Then"}},
		{"terminal colours", "a \x1b[31mred\x1b[0m word", [NumSegments]string{Prose: "a red word"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := Parse("Some title of it\n\n" + c.body)
			for i := 1; i < NumSegments; i++ {
				if got := trimLines(q.Segments[i]); got != c.want[i] {
					t.Errorf("%v is %q, want %q", Segment(i), got, c.want[i])
				}
			}
		})
	}
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"file", "broken since lexer.py changed", []string{"text lexer.py"}},
		{"with directory", "broken in src/lex/lexer.py.", []string{"text src/lex/lexer.py"}},
		{"line", "look at src/lexer.go:12 please", []string{"text src/lexer.go:12"}},
		{"line and column", "look at src/lexer.go:12:7 please", []string{"text src/lexer.go:12"}},
		{"range", "look at src/lexer.go#L10-L20 please", []string{"text src/lexer.go:10"}},
		{"line word", "the call in lexer.py, line 40, loops", []string{"text lexer.py:40"}},
		{"line in parentheses", "the call in lexer.php(40) loops", []string{"text lexer.php:40"}},
		{"unknown extension", "the file grammar/rules.xyz loops", []string{"text grammar/rules.xyz"}},
		{"unknown extension in code", "the file `grammar/rules.xyz` loops", []string{"text grammar/rules.xyz"}},
		{"backslashes", `the file src\lex\Lexer.cs loops`, []string{"text src/lex/Lexer.cs"}},
		{"drive", `the file C:\code\lex\Lexer.cs loops`, []string{"text code/lex/Lexer.cs"}},
		{"dot slash", "run ./scripts/build.sh and ../x/y.js", []string{"text scripts/build.sh", "text x/y.js"}},
		{"quotes", `open "src/a.c" and 'src/b.c' and <src/c.c>`, []string{"text src/a.c", "text src/b.c", "text src/c.c"}},
		{"directory", "everything below src/foo/ and packages/core", []string{"text src/foo/", "text packages/core"}},
		{"deep directory", "the part under core/store/disk is slow", []string{"text core/store/disk"}},
		{"alternatives are none", "read/write and client/server and/or n/a 1/2 TCP/IP", nil},
		{"media type", "sends `application/json` there", nil},
		{"special files", "the Makefile and Dockerfile", []string{"text Makefile", "text Dockerfile"}},
		{"hidden", "see .github/workflows/ci.yml and .eslintrc and .eslintrc.json", []string{"text .github/workflows/ci.yml", "text .eslintrc", "text .eslintrc.json"}},
		{"method is no dot file", "call `.map(x)` and `.unwrap()`", nil},
		{"call is no file", "use response.json() here", nil},
		{"member is no file", "use `rows.items.map` there", nil},
		{"home of another user", "see ~joe/src/a.go there", []string{"text joe/src/a.go"}},
		{"receiver is no file", "set `self.h` there", nil},
		{"route", "page app/[slug]/(group)/page.tsx loops", []string{"text app/[slug]/(group)/page.tsx"}},
		{"non-ASCII", "the file docs/übersicht/größe.md loops", []string{"text docs/übersicht/größe.md"}},
		{"glued to prose", "修改src/lexer.goの処理", []string{"text 修改src/lexer.go", "text src/lexer.go"}},
		{"blob", "see https://github.com/o/r/blob/main/src/a.go#L10-L20.", []string{"url src/a.go:10"}},
		{"tree", "see [it](https://github.com/o/r/tree/main/src/foo)", []string{"url src/foo/"}},
		{"raw", "see https://raw.githubusercontent.com/o/r/main/src/a.go", []string{"url src/a.go"}},
		{"raw with refs", "see https://raw.githubusercontent.com/o/r/refs/heads/main/src/a.go", []string{"url src/a.go"}},
		{"gitlab", "see https://git.example.org/g/s/r/-/blob/v1.0/lib/a.rb#L7", []string{"url lib/a.rb:7"}},
		{"bitbucket", "see https://bitbucket.org/o/r/src/abc123/lib/a.rb#lines-7", []string{"url lib/a.rb:7"}},
		{"url without scheme", "see github.com/o/r/blob/main/src/a.go and blob/main/src/b.go", []string{"url src/a.go", "url src/b.go"}},
		{"glob and device", "all `*.sql.j2` to `/dev/null` at `3 MB/s`", nil},
		{"elided head", "in .../lex/lexer.py there", []string{"text lex/lexer.py"}},
		{"escaped url", "see https://github.com/o/r/blob/main/my%20dir/a.go", []string{"url my dir/a.go"}},
		{"other url", "see https://example.org/docs/guide.html", nil},
		{"diff", "```diff\n--- a/src/a.go\n+++ b/src/b.go\n```", []string{"text src/a.go", "text src/b.go"}},
		{"fence info", "```ts src/a.ts\nx\n```", []string{"text src/a.ts"}},
		{"merged", "src/a.go and src/a.go and src/a.go:3", []string{"text src/a.go", "text src/a.go:3"}},
		{"relative import", "```js\nimport x from './lib/frob'\n```", []string{"text lib/frob"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := Parse("Some title of it\n\n" + c.text)
			if got := showPaths(q); !slices.Equal(got, c.want) {
				t.Errorf("paths %q, want %q", got, c.want)
			}
		})
	}
	t.Run("lone fragment", func(t *testing.T) {
		for text, want := range map[string]string{
			"indexer/facts": "text indexer/facts", "facts/": "text facts/", "a/b.zig": "text a/b.zig", "lexer.go": "text lexer.go",
			"x.c:7": "text x.c:7",
		} {
			if got := showPaths(Parse(text)); !slices.Equal(got, []string{want}) {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	})
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"dotted", "the value of pkg.mod.Class is lost", []string{"pkg.mod.Class"}},
		{"c++", "calls `ns::Class::method(x)`", []string{"ns.Class.method"}},
		{"templates", "calls `ns::Vec<int, A<B>>::push`", []string{"ns.Vec.push"}},
		{"turbofish", "calls `iter.collect::<Vec<_>>`", []string{"iter.collect"}},
		{"destructor", "calls `Foo::~Foo`", []string{"Foo.Foo"}},
		{"ruby", "calls Array#flatten here", []string{"Array.flatten"}},
		{"php", `calls App\Http\Kernel::handle here`, []string{"App.Http.Kernel.handle"}},
		{"doubled backslash", `calls App\\Http\\Kernel here`, []string{"App.Http.Kernel"}},
		{"escape is no namespace", `prints "foo\nbar"`, nil},
		{"arrow", "reads `ctx->state->flags`", []string{"ctx.state.flags"}},
		{"php this", "calls `$this->frob->run()`", []string{"frob.run"}},
		{"self dropped", "calls self.lexer.next here", []string{"lexer.next"}},
		{"single after self", "calls self.lexer here", nil},
		{"prototype", "calls Foo.prototype.bar here", []string{"Foo.bar"}},
		{"go receiver", "calls (*Lexer).next here", []string{"Lexer.next"}},
		{"go package receiver", "calls lex.(*Lexer).next here", []string{"lex.Lexer.next"}},
		{"optional chain", "calls `a1?.bar` and `a2&.baz`", []string{"a1.bar", "a2.baz"}},
		{"abbreviations", "e.g. this, i.e. that", nil},
		{"sentences", "It ended.Then it began", nil},
		{"from import", "from a.b import c, d as e", []string{"a.b", "a.b.c", "a.b.d"}},
		{"relative from import", "from .foo import bar", []string{"foo.bar"}},
		{"from import over lines", "```\nfrom a.b import (\n    c,\n    d,\n)\nxs.ys\n```", []string{"a.b", "a.b.c", "a.b.d", "xs.ys"}},
		{"import", "```\nimport x.y as z\n```", []string{"x.y"}},
		{"java import", "```\nimport static a.b.C.d;\nimport a.b.*;\n```", []string{"a.b.C.d", "a.b"}},
		{"rust use", "```\nuse a::b::{c, d::{e, f as g}, self};\n```", []string{"a.b.c", "a.b.d.e", "a.b.d.f", "a.b"}},
		{"rust use over lines", "```\nuse a::b::{\n    c,\n    d,\n};\n```", []string{"a.b.c", "a.b.d"}},
		{"php use", "```\nuse A\\B\\{C, D};\n```", []string{"A.B.C", "A.B.D"}},
		{"crate root dropped", "```\nuse crate::lex::Lexer;\n```", []string{"lex.Lexer"}},
		{"file is no name", "the file lexer.py loops", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := Parse("Some title of it\n\n" + c.text)
			if got := showNames(q); !slices.Equal(got, c.want) {
				t.Errorf("names %q, want %q", got, c.want)
			}
		})
	}
	q := Parse("pkg.mod.f fails\n\ncall `pkg.mod.f` or\n\n```\nfrom pkg.mod import f\n```")
	n := q.Names[0]
	if n.String() != "pkg.mod.f" || n.Segment != Title || !n.Import || n.Counts != [NumSegments]int{Title: 1, Inline: 1, Code: 1} {
		t.Errorf("merged name is %+v", n)
	}
}

func TestIdentifiers(t *testing.T) {
	q := Parse("readFile hangs\n\nThe parse_args function and frob(x) and größe use `id` with The HTTPServer.\n\n```\nlet id = fetch\n```\nplain d5c688e8ae8959 ok 关于parseRow函数")
	for name, want := range map[string]struct {
		code   bool
		counts [NumSegments]int
	}{
		"readFile":   {true, [NumSegments]int{Title: 1}},
		"hangs":      {false, [NumSegments]int{Title: 1}},
		"parse_args": {true, [NumSegments]int{Prose: 1}},
		"frob":       {true, [NumSegments]int{Prose: 1}},
		"größe":      {false, [NumSegments]int{Prose: 1}},
		"id":         {true, [NumSegments]int{Inline: 1, Code: 1}},
		"HTTPServer": {true, [NumSegments]int{Prose: 1}},
		"fetch":      {true, [NumSegments]int{Code: 1}},
		"plain":      {false, [NumSegments]int{Prose: 1}},
		"parseRow":   {true, [NumSegments]int{Prose: 1}},
	} {
		id, ok := identifier(q, name)
		if !ok || id.CodeLike != want.code || id.Counts != want.counts {
			t.Errorf("%s is %+v (found %v), want %+v", name, id, ok, want)
		}
	}
	for _, name := range []string{"The", "let", "and", "function", "ok", "d5c688e8ae8959"} {
		if id, ok := identifier(q, name); ok {
			t.Errorf("%q is an identifier: %+v", name, id)
		}
	}
}
