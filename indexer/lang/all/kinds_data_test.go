package all

import (
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

// symbol finds a definition by its name.
func symbol(t *testing.T, f *facts.File, name string) *facts.Symbol {
	t.Helper()
	for i := range f.Symbols {
		if f.Symbols[i].Name == name {
			return &f.Symbols[i]
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

var kindsOfInput = []kindOfInput{
	{
		name: "01 Go method in another file than its generic type",
		file: "put.go", text: "package q\n\nfunc (s *Queue[T]) Put(v T) { s.grow() }\n",
		defs: []string{"method Queue.Put @3"}, exact: true, refs: []string{"call s.grow in Put"},
	},
	{
		name: "02 Go receiver without a name and type parameters over several lines",
		file: "len.go", text: "package q\n\nfunc (*Queue[T]) Len() int { return 0 }\n\nfunc (q Pair[\n\tK,\n\tV,\n]) Swap() {}\n\nfunc last() {}\n",
		defs: []string{"method Queue.Len @3", "method Pair.Swap @5", "function last @10"}, exact: true,
	},
	{
		name: "03 Go types in one block",
		file: "types.go", text: "package p\n\ntype (\n\tA struct{}\n\tB = string\n\tC interface{ Do(Req) }\n)\n",
		defs: []string{"struct A @4", "type B @5", "interface C @6", "method C.Do @6"}, exact: true, refs: []string{"type Req in Do"},
	},
	{
		name: "04 Go call on a field of a parameter: what its resolution needs",
		file: "call.go", text: "package p\n\ntype client struct{ store *Store }\n\nfunc run(c client) { c.store.Save() }\n",
		refs: []string{"call c.store.Save in run"},
		also: func(t *testing.T, f *facts.File) {
			if s := symbol(t, f, "store"); s.Type != "*Store" || s.Container != "client" {
				t.Errorf("field store has type %q in %q", s.Type, s.Container)
			}
			if i := slices.IndexFunc(f.Bindings, func(b facts.Binding) bool { return b.Name == "c" }); i < 0 || f.Bindings[i].Type != "client" {
				t.Errorf("no typed binding of c in %v", f.Bindings)
			}
		},
	},
	{
		name: "05 Go generic function",
		file: "map.go", text: "package p\n\nfunc Map[T, U any](in []T, f func(T) U) []U { return nil }\n",
		defs: []string{"function Map @3"}, exact: true,
		also: func(t *testing.T, f *facts.File) {
			if s := symbol(t, f, "Map"); len(s.Params) != 2 || s.Type != "[]U" {
				t.Errorf("parameters %v, result %q", s.Params, s.Type)
			}
		},
	},
	{
		name: "06 TypeScript import type in an intersection, then more code",
		file: "r.ts", text: "type R = import('./x').Y & { a: 1 }\nexport class After { run() { return go() } }\nfunction last() {}\n",
		defs: []string{"type R @1", "class After @2", "method After.run @2", "function last @3"}, refs: []string{"call go in run"}, damaged: true,
	},
	{
		name: "07 TypeScript variance annotation, then more code",
		file: "box.ts", text: "interface Box<out T> { get(): T }\ninterface In<in out T> {}\nexport class After { run() {} }\nfunction last() {}\n",
		defs: []string{"interface Box @1", "interface In @2", "class After @3", "method After.run @3", "function last @4"}, damaged: true,
	},
	{
		name: "08 JavaScript comparison that looks like type arguments, before a class",
		file: "ok.js", text: "const ok = 1 > 2 && 2 < 1;\nclass A {\n  run() { return 1 }\n  stop() {}\n}\n",
		defs: []string{"variable ok @1", "class A @2", "method A.run @3", "method A.stop @4"}, exact: true,
	},
	{
		name: "09 JavaScript function expression",
		file: "run.js", text: "var run = function () { log() }\n",
		defs: []string{"function run @1"}, exact: true, refs: []string{"call log in run"},
	},
	{
		name: "10 Python class inside a string",
		file: "x.py", text: "x = dedent(\"\"\"\nclass Fake:\n    def no(self): pass\n\"\"\")\nclass Real:\n    pass\n",
		defs: []string{"variable x @1", "class Real @5"}, exact: true,
	},
	{
		name: "11 C macros around functions and old-style definitions",
		file: "items.c", text: "STACK_OF(ITEM) *get_items(void)\n{\n    return load();\n}\nAPI_EXPORT(int)\nparse(const char *s)\n{\n    return scan(s);\n}\nint old(a, b)\n    int a;\n    char *b;\n{\n    return a;\n}\n",
		defs: []string{"function get_items @1", "function parse @5", "function old @10"}, exact: true,
		refs: []string{"call load in get_items", "call scan in parse"}, damaged: true,
	},
	{
		name: "12 C++ macro before the name of a class",
		file: "foo.hpp", text: "EXPORT_API class Foo : public Bar {\npublic:\n  void run();\n};\nclass LIB_API Baz final : public Foo { int x; };\n",
		defs: []string{"class Foo @1", "method Foo.run @3", "class Baz @5", "field Baz.x @5"}, refs: []string{"inherit Bar in Foo", "inherit Foo in Baz"}, damaged: true,
	},
	{
		name: "13 Rust items inside a macro invocation",
		file: "wrap.rs", text: "wrap! {\n    pub struct S { pub a: u8 }\n    impl S { pub fn go(&self) { helper() } }\n}\nfn last() {}\n",
		defs: []string{"struct S @2", "method S.go @3", "function last @5"}, refs: []string{"call helper in go"},
	},
	{
		name: "14 C call of a function of a second file",
		file: "a.c", text: "#include \"b.h\"\n\nstatic int top = 1;\n\nint caller(int n)\n{\n    return other_file(n) + top;\n}\n",
		defs: []string{"function caller @5"}, refs: []string{"call other_file in caller"},
	},
	{
		name: "15 a method and a function of one name: told apart by what they are called on",
		file: "both.py", text: "def save(): pass\n\nclass Store:\n    def save(self): pass\n\ndef use(store: Store):\n    store.save()\n    save()\n",
		defs: []string{"function save @1", "method Store.save @4"}, refs: []string{"call store.save in use", "call save in use"},
	},
	{
		name: "16 C definitions under conditional compilation",
		file: "cond.c", text: "#ifdef _WIN32\nint open_it(void)\n{\n    return 1;\n}\n#else\nint open_it(void) { return 2; }\n#endif\n",
		defs: []string{"function open_it @2", "function open_it @7"}, exact: true,
		also: func(t *testing.T, f *facts.File) {
			if f.Symbols[0].EndLine != 5 || f.Symbols[1].EndLine != 7 {
				t.Errorf("they end in lines %d and %d", f.Symbols[0].EndLine, f.Symbols[1].EndLine)
			}
		},
	},
	{
		name: "16 Java overloads",
		file: "Over.java", text: "class Over {\n  void add(int a) {}\n  void add(String a) {\n  }\n}\n",
		defs: []string{"class Over @1", "method Over.add @2", "method Over.add @3"}, exact: true,
	},
	{
		name: "17 text outside ASCII before a name",
		file: "names.py", text: "s = '😀 漢字 e\u0301'; t = 'é'\n# 漢字\ndef größe(): return '😀', other()\n\nclass 世界: pass\n",
		defs: []string{"function größe @3", "class 世界 @5"}, refs: []string{"call other in größe"},
		also: func(t *testing.T, f *facts.File) {
			s := symbol(t, f, "größe")
			if got := s.NameSpan.Len(); got != len("größe") {
				t.Errorf("name of %d bytes", got)
			}
		},
	},
	{
		name: "18 re-exports: what following them needs",
		file: "index.ts", text: "export * from './a';\nexport * as deep from './b';\nexport { one as two } from './c';\n",
		also: func(t *testing.T, f *facts.File) {
			want := []facts.Export{{Name: "*", Module: "./a"}, {Name: "deep", Module: "./b"}, {Name: "two", Local: "one", Module: "./c"}}
			for _, w := range want {
				if !slices.ContainsFunc(f.Exports, func(e facts.Export) bool {
					return e.Name == w.Name && e.Module == w.Module && (w.Local == "" || e.Local == w.Local)
				}) {
					t.Errorf("no export %+v in %+v", w, f.Exports)
				}
			}
		},
	},
	{
		name: "21 Vue component",
		file: "A.vue", text: "<template>\n  <b @click=\"save(1)\">{{ label(x) }}</b>\n</template>\n\n<script setup lang=\"ts\">\nimport { x } from './x'\nfunction save(n: number) {}\n</script>\n",
		defs: []string{"function save @7"}, refs: []string{"call save in -", "call label in -"},
		also: func(t *testing.T, f *facts.File) {
			if len(f.Imports) != 1 || f.Imports[0].Line != 6 || f.Refs[0].Line != 2 {
				t.Errorf("imports %v, references %v", f.Imports, f.Refs)
			}
		},
	},
	{
		name: "21 notebook",
		file: "a.ipynb", text: "{\"cells\": [\n {\"cell_type\": \"code\", \"source\": [\n  \"def load():\\n\",\n  \"    return read()\"\n ]}\n]}\n",
		defs: []string{"function load @3"}, exact: true, refs: []string{"call read in load"},
	},
	{
		name: "21 ERB template",
		file: "a.html.erb", text: "<% items.each do |i| %>\n  <%= price(i) %>\n<% end %>\n",
		refs: []string{"call price in -"},
	},
	{
		name: "21 script in a page",
		file: "a.html", text: "<h1 id=\"top\">A</h1>\n<script>\nfunction go() { run() }\n</script>\n",
		defs: []string{"heading A @1", "function go @3"}, refs: []string{"call run in go"},
	},
	{
		name: "21 translations of Qt are no TypeScript",
		file: "de.ts", text: "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\"><context><name>A</name></context></TS>\n",
		also: func(t *testing.T, f *facts.File) {
			if f.Language != "xml" {
				t.Errorf("language %s", f.Language)
			}
		},
	},
	{
		name: "22 Python decorators, type checking imports, overloads, dataclasses, properties",
		file: "m.py", text: `from typing import TYPE_CHECKING, overload
from dataclasses import dataclass
if TYPE_CHECKING:
    from .store import Store

__all__ = ["Item", "load"]

@dataclass
class Item:
    name: str
    size: int = 0

    @property
    def label(self) -> str:
        return self.name

    @label.setter
    def label(self, v): ...

    @staticmethod
    def make(): ...

@overload
def load(a: int) -> int: ...
@overload
def load(a: str) -> str: ...
def load(a):
    def inner(): return helper(a)
    return inner()

def hidden(): ...
`,
		defs: []string{
			"class Item @9", "field Item.name @10", "field Item.size @11", "property Item.label @14", "property Item.label @18",
			"method Item.make @21", "function load @24", "function load @26", "function load @27", "function load.inner @28", "function hidden @31",
		},
		refs: []string{"call helper in inner"},
		also: func(t *testing.T, f *facts.File) {
			if symbol(t, f, "load").Flags&facts.Exported == 0 || symbol(t, f, "hidden").Flags&facts.Exported != 0 {
				t.Error("__all__ does not decide what is exported")
			}
			if symbol(t, f, "inner").Flags&facts.InBody == 0 {
				t.Error("a nested function is not local")
			}
			if i := slices.IndexFunc(f.Imports, func(m facts.Import) bool { return m.Module == ".store" }); i < 0 || f.Imports[i].Flags&facts.ImportTypeOnly == 0 {
				t.Errorf("the import for types only is %+v", f.Imports)
			}
		},
	},
	{
		name: "23 Java records, sealed types, annotations, inner and anonymous classes",
		file: "Shapes.java", text: `package p;
sealed interface Shape permits Circle, Square {}
record Circle(double radius) implements Shape {
  Circle { check(radius); }
  double area() { return radius; }
}
@interface Marker { String value() default "x"; int[] sizes() default {}; }
class Outer {
  class Inner { void in() {} }
  enum Color { RED { void paint() {} }, GREEN; abstract void paint(); }
  Runnable r = new Runnable() { public void run() { go(); } };
}
`,
		defs: []string{
			"interface Shape @2", "class Circle @3", "method Circle.area @5", "interface Marker @7", "class Outer @8", "class Outer.Inner @9",
			"method Inner.in @9", "enum Outer.Color @10", "enum member Color.RED @10", "enum member Color.GREEN @10", "field Outer.r @11",
		},
		refs: []string{"inherit Shape in Circle", "call check in Circle"},
	},
	{
		name: "24 C# file-scoped namespace, partial class, primary constructor, extension method",
		file: "Order.cs", text: `namespace Shop.Orders;

public partial class Order(int id, string name) : Base(id)
{
    public int Total => Sum(id);
    public required string Note { get; init; }
}
public static class Extensions
{
    public static bool IsOpen(this Order o) => o.Total > 0;
}
public record Point(int X, int Y);
public interface ILast { void Run(); }
`,
		defs: []string{
			"class Order @3", "property Order.Total @5", "property Order.Note @6", "class Extensions @8", "interface ILast @13", "method ILast.Run @13",
		},
		refs: []string{"inherit Base in Order"}, damaged: true,
		also: func(t *testing.T, f *facts.File) {
			if f.Package != "Shop.Orders" {
				t.Errorf("namespace %q", f.Package)
			}
			if s := symbol(t, f, "IsOpen"); s.Container != "Extensions" || len(s.Params) != 1 || s.Params[0].Type != "this Order" {
				t.Errorf("the extension method is of %q and takes %v", s.Container, s.Params)
			}
			symbol(t, f, "Point")
		},
	},
}

// 20: what makes a grammar take far more than its text warrants costs that file.
func TestKind20TextThatAParserChokesOn(t *testing.T) {
	for name, text := range map[string]string{
		"deep.js":   strings.Repeat("(", 200_000),
		"deep.py":   strings.Repeat("[", 200_000),
		"deep.c":    "int a = " + strings.Repeat("(", 200_000),
		"deep.rs":   "fn f() { " + strings.Repeat("{", 200_000),
		"sum.java":  "class A { int x = 1" + strings.Repeat(" + 1", 50_000) + "; }",
		"types.ts":  "type A = " + strings.Repeat("A<", 20_000),
		"angles.cs": "class A { " + strings.Repeat("List<", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, name, text)
			if f.Depth == facts.Listed || f.Depth == facts.Words && f.Reason == "" {
				t.Errorf("%s without a reason", f.Depth)
			}
			if g := read(t, "after.go", "package p\n\nfunc After() {}\n"); len(g.Symbols) != 1 {
				t.Errorf("the next file has %d symbols", len(g.Symbols))
			}
		})
	}
}
