package ecmascript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
	"github.com/project-map/project-map/indexer/lang/javascript"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/tsx"
	"github.com/project-map/project-map/indexer/lang/typescript"
)

var rows = []*lang.Language{typescript.Language(), tsx.Language(), javascript.Language()}

// reader reads sources of the three rows with a parse limit high enough for
// generated input.
func reader() func(l *lang.Language, source string) *facts.File {
	x := extract.New(lang.NewTable(rows...), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 1 << 20})
	return func(l *lang.Language, source string) *facts.File {
		return x.Extract([]byte(source), extract.Plan{Language: l, Extension: l.Extensions[0]})
	}
}

func find(f *facts.File, name string) *facts.Symbol {
	for i := range f.Symbols {
		if f.Symbols[i].Name == name {
			return &f.Symbols[i]
		}
	}
	return nil
}

// Generated input of great depth or length is read in bounded time and stack,
// and what follows it is found.
func TestDeepAndLong(t *testing.T) {
	// Lines stay short, or the text would pass for minified.
	rep := func(s string, n int) string {
		return strings.Repeat(strings.Repeat(s, 5)+"\n", n/5)
	}
	cases := map[string]string{
		"parentheses":    "const x = " + rep("(", 20_000) + "1" + rep(")", 20_000) + ";\n",
		"arrays":         "const x = " + rep("[", 20_000) + rep("]", 20_000) + ";\n",
		"sum":            "const x = a" + rep("+b", 50_000) + ";\n",
		"else if":        "if (a) {}" + rep(" else if (b) { c() }", 20_000) + "\n",
		"promise chain":  "const x = p" + rep(".then((v) => v.go())", 10_000) + ";\n",
		"nested calls":   "f(" + rep("g(", 5_000) + rep(")", 5_000) + ");\n",
		"nested arrows":  "const x = " + rep("() => ", 5_000) + "1;\n",
		"nested blocks":  rep("{ let a = 1;", 5_000) + rep("}", 5_000) + "\n",
		"nested objects": "const x = " + rep("{a:", 10_000) + "1" + rep("}", 10_000) + ";\n",
		"assignments":    rep("a = ", 10_000) + "1;\n",
		"entries":        "const x = {" + rep("key: 'value',\n", 100_000) + "};\n",
		"functions":      rep("function f() {", 3_000) + rep("}", 3_000) + "\n",
	}
	read := reader()
	for name, source := range cases {
		for i, l := range rows {
			if name == "entries" && i > 0 {
				continue // slow, and no different in the others
			}
			t.Run(name+"/"+l.Name, func(t *testing.T) {
				start := time.Now()
				f := read(l, source+"\nfunction after() { use() }\n")
				if d := time.Since(start); d > langtest.TimeLimit(10*time.Second) {
					t.Errorf("took %v", d)
				} else {
					t.Logf("%v", d)
				}
				if f.Depth != facts.Parsed {
					if f.Reason != facts.ReasonParserLimit {
						t.Errorf("not parsed: %s", f.Reason)
					}
					return
				}
				if s := find(f, "after"); s == nil || s.Parent >= 0 {
					t.Errorf("what follows is lost")
				}
			})
		}
	}
}

func TestRoles(t *testing.T) {
	for path, want := range map[string]facts.Role{
		"src/a.ts":                      0,
		"src/a.test.ts":                 facts.RoleTest,
		"src/a.spec.jsx":                facts.RoleTest,
		"cypress/login.cy.js":           facts.RoleTest,
		"app/login.e2e.ts":              facts.RoleTest,
		"src/__tests__/a.js":            facts.RoleTest,
		"src/__mocks__/fs.js":           facts.RoleTest,
		"src/__tests__/index.test.tsx":  facts.RoleTest,
		"src/Button.stories.tsx":        facts.RoleExample,
		"types/a.d.ts":                  facts.RoleDeclaration,
		"types/a.d.mts":                 facts.RoleDeclaration,
		"types/index.d.ts":              facts.RoleDeclaration | facts.RolePackageInit,
		"src/index.ts":                  facts.RolePackageInit,
		"index.mjs":                     facts.RolePackageInit,
		"vite.config.ts":                facts.RoleConfig,
		"jest.config.cjs":               facts.RoleConfig,
		".eslintrc.js":                  facts.RoleConfig,
		"dist/lib.min.js":               facts.RoleGenerated,
		"src/test.ts":                   0,
		"src/config.ts":                 0,
		"src/minimum.js":                0,
		"src/indexer.ts":                0,
		"src/contest.spec/a.ts":         0,
		"packages/d.ts/src/generate.ts": 0,
	} {
		if got := ecmascript.Roles(path); got != want {
			t.Errorf("%s: %v, want %v", path, got.Names(), want.Names())
		}
	}
}

func TestResync(t *testing.T) {
	for line, want := range map[string]bool{
		"export default {": true, "export{a}": true, "function f() {": true, "class A {": true, "interface A {": true,
		"type A = {": true, "const enum E {": true, "enum E {": true, "const x = 1": true, "let x": true, "namespace N {": true,
		"declare module 'x' {": true, "abstract class A {": true, "async function f() {": true, "import x from 'y'": true,
		"@Component({": true, "module.exports = {": true, "exports.x = 1": true,
		"  function f() {": false, "}": false, "typeof x": false, "classes.push(1)": false, "constant = 1": false,
		"letter()": false, "": false, "// class A": false,
	} {
		if got := ecmascript.Resync([]byte(line + "\n")); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// The common part of the three grammars gives the same facts in all of them.
func TestSameFactsInAllRows(t *testing.T) {
	read := reader()
	for _, source := range []string{
		"export function f(a, b = 1) { return a.g(b) }\n",
		"import a, { b as c } from './m';\nexport * from './n';\nexport class A extends B { m() { return super.m() } get x() { return 1 } }\n",
		"const { a, b: [c] } = require('./m').x;\nmodule.exports = { a, f() {} };\n",
		"for (const x of xs) { if (x) y(); else z() }\nvar run = function () { log() };\n",
	} {
		want := ""
		for _, l := range rows {
			f := read(l, source)
			f.Language = ""
			got := langtest.Dump(f)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s reads %q differently:\n%s\nwant:\n%s", l.Name, source, got, want)
			}
		}
	}
}

// What stands inside a function changes nothing that is seen outside.
func TestBodyEditsKeepOutline(t *testing.T) {
	read := reader()
	outline := func(source string) string {
		f := read(typescript.Language(), source)
		f.Refs, f.Bindings, f.Scopes = nil, nil, nil
		kept := f.Symbols[:0]
		for _, s := range f.Symbols {
			if s.Flags&facts.InBody == 0 {
				s.Span, s.Line, s.EndLine = facts.Span{}, 0, 0
				kept = append(kept, s)
			}
		}
		f.Symbols = kept
		var imports []facts.Import
		for _, i := range f.Imports {
			if i.Flags&facts.ImportInBody == 0 {
				imports = append(imports, i)
			}
		}
		f.Imports = imports
		return langtest.Dump(f)
	}
	const frame = `export function f(cb = () => {%[1]s}): void {%[1]s}
export const g = memo(function () {%[1]s}), h = async () => {%[1]s}
export class A { m() {%[1]s} x = () => {%[1]s}; constructor(private y: Y = (() => {%[1]s})()) {%[1]s} get z() {%[1]s} static {%[1]s} }
export default { a() {%[1]s}, b: { c: function () {%[1]s} } }
describe('x', () => {%[1]s})
`
	want := outline(fmt.Sprintf(frame, ""))
	for _, body := range []string{
		"call()", "const x = 1; let y = () => x", "class Local { m() {} }", "import('./lazy').then(m => m.x)",
		"function nested() { return 1 }", "var deep = { a() {} }", "this.q = function () {}", "const z = require('./z')",
		"exports2.a = function () {}", "interface I { a: string }", "type T = string", "enum E { A }",
	} {
		if got := outline(fmt.Sprintf(frame, body)); got != want {
			t.Errorf("body %q changes the outline:\n%s\nwant:\n%s", body, got, want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, pattern := range []string{"../typescript/testdata/cases/*/input.*", "../tsx/testdata/cases/*/input.*", "../javascript/testdata/cases/*/input.*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(source)
		}
	}
	x := extract.New(lang.NewTable(rows...), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, l := range rows {
			first := x.Extract(source, extract.Plan{Language: l, Extension: l.Extensions[0]})
			if first.Depth != facts.Parsed {
				continue
			}
			for i, s := range first.Symbols {
				if s.Parent >= int32(i) || s.Span.Start > s.Span.End || s.NameSpan.Start > s.NameSpan.End {
					t.Fatalf("%s: symbol %d %q: parent %d, spans %v %v", l.Name, i, s.Name, s.Parent, s.Span, s.NameSpan)
				}
			}
			again := x.Extract(source, extract.Plan{Language: l, Extension: l.Extensions[0]})
			if langtest.Dump(first) != langtest.Dump(again) {
				t.Fatalf("%s: two reads differ", l.Name)
			}
		}
	})
}
