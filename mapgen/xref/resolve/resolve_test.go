package resolve

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// edgesOf resolves the references of every file of a small program, and lists
// "file:line name -> file container.name mark".
func edgesOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var entries []facts.Entry
	for p, text := range files {
		entries = append(entries, facts.Entry{Path: p, File: x.Extract([]byte(text), extract.Plan{
			Language: table.ByPath(p), Extension: strings.ToLower(path.Ext(p)),
		})})
	}
	slices.SortFunc(entries, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	p := edges.NewProgram(entries)
	resolvers := map[string]edges.Resolver{}
	var out []string
	for doc := range entries {
		f := entries[doc].File
		r := resolvers[f.Family]
		if r == nil {
			if r = For(p, f.Family); r == nil {
				continue
			}
			resolvers[f.Family] = r
		}
		for _, e := range r.Resolve(doc, f, &edges.Uses{}, nil) {
			ref, s := &f.Refs[e.Ref], &entries[e.Doc].File.Symbols[e.Symbol]
			name := s.Name
			if s.Container != "" {
				name = s.Container + "." + name
			}
			out = append(out, fmt.Sprintf("%s:%d %s -> %s %s %s", entries[doc].Path, ref.Line, ref.Name, entries[e.Doc].Path, name, e.Mark))
		}
	}
	return out
}

// What a reference leads to, for the kinds of input that break tools of this
// sort; their definitions have a test in lang/all.
func TestKindsOfInput(t *testing.T) {
	for _, k := range []struct {
		name  string
		files map[string]string
		want  []string
		not   []string
	}{
		{
			name: "04 Go call on a field of a parameter",
			files: map[string]string{
				"go.mod":         "module example.org/m\n\ngo 1.22\n",
				"app/run.go":     "package app\n\nimport \"example.org/m/store\"\n\ntype client struct{ store *store.Store }\n\nfunc run(c client) { c.store.Save() }\n",
				"store/store.go": "package store\n\ntype Store struct{}\n\nfunc (s *Store) Save() {}\n\ntype Other struct{}\n\nfunc (o *Other) Save() {}\n",
			},
			want: []string{"app/run.go:7 Save -> store/store.go Store.Save exact", "app/run.go:7 store -> app/run.go client.store exact"},
			not:  []string{"Other.Save"},
		},
		{
			name: "11 a macro around a function of C, and the types in its head",
			files: map[string]string{
				"item.h": "typedef struct ITEM { int n; } ITEM;\n#define STACK_OF(t) t\nSTACK_OF(ITEM) *get_items(void);\n",
				"a.c":    "#include \"item.h\"\nSTACK_OF(ITEM) *get_items(void) { return 0; }\nint n(void) { return get_items()->n; }\n",
			},
			want: []string{"a.c:2 STACK_OF -> item.h STACK_OF exact", "a.c:3 get_items -> a.c get_items exact"},
		},
		{
			name: "12 a macro that wraps a class of C++",
			files: map[string]string{
				"a.h":  "#define EXPORT_API\nclass Bar { public: int size() const; };\nclass EXPORT_API Foo : public Bar { public: void go(); };\n",
				"a.cc": "#include \"a.h\"\nvoid Foo::go() { size(); }\nvoid use(Foo &f) { f.go(); f.size(); }\n",
			},
			want: []string{"a.h:3 Bar -> a.h Bar exact", "a.h:3 EXPORT_API -> a.h EXPORT_API exact", "a.cc:2 size -> a.h Bar.size exact", "a.cc:3 go -> a.cc Foo.go exact"},
		},
		{
			name: "14 C: a function calls another one in a second file",
			files: map[string]string{
				"a.c": "#include \"b.h\"\nvoid run(struct store *s) { save(s); s->count++; }\n",
				"b.h": "struct store { int count; };\nvoid save(struct store *s);\n",
				"b.c": "#include \"b.h\"\nstatic void helper(void) {}\nvoid save(struct store *s) { helper(); }\n",
				"c.c": "static void save(int n) {}\nstatic void helper(void) { save(1); }\n",
			},
			want: []string{"a.c:2 save -> b.c save exact", "a.c:2 count -> b.h store.count exact", "b.c:3 helper -> b.c helper exact", "c.c:2 save -> c.c save exact"},
		},
		{
			name: "15 a method and a function of one name, both called: Python",
			files: map[string]string{
				"a.py": "def save(): pass\n\nclass Store:\n    def save(self): pass\n\ndef use(store: Store):\n    store.save()\n    save()\n",
			},
			want: []string{"a.py:7 save -> a.py Store.save exact", "a.py:8 save -> a.py save exact"},
		},
		{
			name: "15 a method and a function of one name, both called: Go",
			files: map[string]string{
				"go.mod": "module example.org/m\n",
				"a.go":   "package a\n\nfunc Save() {}\n\ntype Store struct{}\n\nfunc (Store) Save() {}\n\nfunc use(s Store) {\n\ts.Save()\n\tSave()\n}\n",
			},
			want: []string{"a.go:10 Save -> a.go Store.Save exact", "a.go:11 Save -> a.go Save exact"},
		},
		{
			name: "15 a method and a function of one name, both called: TypeScript",
			files: map[string]string{
				"a.ts": "export function save() {}\nexport class Store { save() {} }\nexport function use(s: Store) {\n  s.save()\n  save()\n}\n",
			},
			want: []string{"a.ts:4 save -> a.ts Store.save exact", "a.ts:5 save -> a.ts save exact"},
		},
		{
			name: "15 a method and a function of one name, both called: Kotlin",
			files: map[string]string{
				"Store.kt": "package a\n\nclass Store { fun save() {} }\n\nfun save() {}\n",
				"Use.kt":   "package a\n\nfun use(s: Store) {\n  s.save()\n  save()\n}\n",
			},
			want: []string{"Use.kt:4 save -> Store.kt Store.save exact", "Use.kt:5 save -> Store.kt save exact"},
		},
		{
			name: "15 a method and a function of one name, both called: Ruby",
			files: map[string]string{
				"store.rb": "class Store\n  def save; end\nend\n\ndef save; end\n",
				"use.rb":   "def use\n  store = Store.new\n  store.save\n  save\nend\n",
			},
			want: []string{"use.rb:3 save -> store.rb Store.save exact", "use.rb:4 save -> store.rb save likely"},
			not:  []string{"use.rb:4 save -> store.rb Store", "use.rb:3 save -> store.rb save"},
		},
		{
			name: "21 a template of ERB uses a class and its helper",
			files: map[string]string{
				"lib/tag.rb":    "class Tag\n  def open_up; end\nend\n\nmodule Helper\n  def frame_of(x); end\nend\n",
				"page.html.erb": "<b>\n<% t = Tag.new %>\n<%= t.open_up %>\n<%= frame_of(t) %>\n</b>\n",
			},
			want: []string{
				"page.html.erb:2 Tag -> lib/tag.rb Tag exact", "page.html.erb:3 open_up -> lib/tag.rb Tag.open_up exact",
				"page.html.erb:4 frame_of -> lib/tag.rb Helper.frame_of likely",
			},
		},
		{
			name: "15 a method and a function of one name, both called: PHP",
			files: map[string]string{
				"src/Store.php": "<?php\nnamespace A;\nclass Store { public function save() {} }\nfunction save() {}\n",
				"use.php":       "<?php\nuse A\\Store;\nuse function A\\save;\nfunction run(Store $s) {\n  $s->save();\n  save();\n}\n",
			},
			want: []string{"use.php:5 save -> src/Store.php Store.save exact", "use.php:6 save -> src/Store.php save exact"},
			not:  []string{"use.php:5 save -> src/Store.php save", "use.php:6 save -> src/Store.php Store"},
		},
		{
			name: "16 two definitions of one function of PHP",
			files: map[string]string{
				"a.php": "<?php\nif (PHP_VERSION_ID > 80000) {\n  function old() {}\n} else {\n  function old() {}\n}\nold();\n",
			},
			want: []string{"a.php:7 old -> a.php old exact"},
		},
		{
			name: "23 records, inner and anonymous classes of Java",
			files: map[string]string{
				"p/Circle.java": "package p;\nrecord Circle(double radius) { double area() { return radius(); } }\n",
				"p/Use.java":    "package p;\nclass Use {\n  class Inner { void in() {} }\n  void go(Circle c) {\n    c.area();\n    new Inner().in();\n  }\n}\n",
			},
			want: []string{"p/Use.java:5 area -> p/Circle.java Circle.area exact", "p/Use.java:6 in -> p/Use.java Inner.in exact"},
		},
		{
			name: "24 C#: partial classes over files, primary constructors, extension methods",
			files: map[string]string{
				"Store.cs":      "namespace Shop;\n\npublic partial class Store(Log log)\n{\n    public void Save() { Touch(); log.Write(); }\n}\n",
				"Store.More.cs": "namespace Shop;\n\npublic partial class Store\n{\n    void Touch() { Save(); }\n}\n",
				"Log.cs":        "namespace Shop.Logging;\n\npublic class Log { public void Write() { } }\n\npublic static class More { public static Log Twice(this Log l) => l; }\n",
				"Usings.cs":     "global using Shop.Logging;\n",
				"Use.cs":        "using Shop;\n\nclass Use\n{\n    void Go(Store s, Log l)\n    {\n        s.Save();\n        l.Twice().Write();\n    }\n}\n",
			},
			want: []string{
				"Store.cs:5 Touch -> Store.More.cs Store.Touch exact", "Store.cs:5 Write -> Log.cs Log.Write exact", "Store.More.cs:5 Save -> Store.cs Store.Save exact",
				"Use.cs:5 Store -> Store.cs Store exact", "Use.cs:5 Store -> Store.More.cs Store exact", "Use.cs:7 Save -> Store.cs Store.Save exact",
				"Use.cs:8 Twice -> Log.cs More.Twice exact", "Use.cs:8 Write -> Log.cs Log.Write exact",
			},
		},
		{
			name: "18 three hops of export * from",
			files: map[string]string{
				"index.ts": "export * from './one'\n", "one.ts": "export * from './two'\n", "two.ts": "export * from './leaf'\n",
				"leaf.ts": "export function leaf() {}\nexport class Thing { go() {} }\n",
				"use.ts":  "import { leaf, Thing } from './index'\nleaf()\nexport const t = new Thing()\nt.go()\n",
			},
			want: []string{"use.ts:2 leaf -> leaf.ts leaf exact", "use.ts:4 go -> leaf.ts Thing.go exact"},
		},
		{
			name: "19 paths of a tsconfig.json that extends another, across packages",
			files: map[string]string{
				"package.json":               `{"name": "root", "version": "1.0.0", "workspaces": ["packages/*"]}`,
				"packages/cfg/package.json":  `{"name": "@acme/cfg", "version": "1.0.0"}`,
				"packages/cfg/base.json":     `{"compilerOptions": {"paths": {"~core/*": ["../core/src/*"]}}}`,
				"packages/web/tsconfig.json": `{"extends": "@acme/cfg/base.json"}`,
				"packages/core/src/sum.ts":   "export function sum() {}\n",
				"packages/web/page.ts":       "import { sum } from '~core/sum'\nsum()\n",
			},
			want: []string{"packages/web/page.ts:2 sum -> packages/core/src/sum.ts sum exact"},
		},
		{
			name: "21 script parts: a component uses a module, its markup the script",
			files: map[string]string{
				"lib.ts": "export function format(n: number) { return '' + n }\n",
				"A.vue":  "<template>\n  <b>{{ format(1) }}</b>\n</template>\n<script setup lang=\"ts\">\nimport { format } from './lib'\nformat(2)\n</script>\n",
			},
			want: []string{"A.vue:2 format -> lib.ts format exact", "A.vue:6 format -> lib.ts format exact"},
		},
		{
			name: "21 a notebook uses a module",
			files: map[string]string{
				"tools.py": "def clean(x): return x\n",
				"a.ipynb":  "{\"cells\": [\n {\"cell_type\": \"code\", \"source\": [\n  \"from tools import clean\\n\",\n  \"clean(1)\"\n ]}\n]}\n",
			},
			want: []string{"a.ipynb:4 clean -> tools.py clean exact"},
		},
		{
			name: "22 TYPE_CHECKING imports, properties and dataclass fields of Python",
			files: map[string]string{
				"store.py": "from dataclasses import dataclass\n\n@dataclass\nclass Item:\n    name: str\n\n    @property\n    def label(self) -> str:\n        return self.name\n",
				"use.py":   "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from store import Item\n\ndef show(item: 'Item'):\n    return item.label + item.name\n",
			},
			want: []string{"use.py:6 label -> store.py Item.label exact", "use.py:6 name -> store.py Item.name exact", "store.py:9 name -> store.py Item.name exact"},
		},
		{
			name: "13 Rust: a struct inside a macro invocation block, used from another file",
			files: map[string]string{
				"Cargo.toml":    "[package]\nname = \"a\"\n",
				"src/lib.rs":    "mod use_it;\nmacro_rules! wrap { ($($i:item)*) => { $($i)* } }\nwrap! { pub struct S { pub n: u8 } impl S { pub fn go(&self) {} } }\n",
				"src/use_it.rs": "use crate::S;\nfn run(s: &S) -> u8 {\n    s.go();\n    s.n\n}\n",
			},
			want: []string{"src/use_it.rs:1 S -> src/lib.rs S exact", "src/use_it.rs:3 go -> src/lib.rs S.go exact", "src/use_it.rs:4 n -> src/lib.rs S.n exact"},
		},
		{
			name: "15 a method and a function of one name, both called: Rust",
			files: map[string]string{
				"Cargo.toml": "[package]\nname = \"a\"\n",
				"src/lib.rs": "pub fn save() {}\npub struct Store;\nimpl Store { pub fn save(&self) {} }\nfn run(s: Store) {\n    s.save();\n    save();\n}\n",
			},
			want: []string{"src/lib.rs:5 save -> src/lib.rs Store.save exact", "src/lib.rs:6 save -> src/lib.rs save exact"},
		},
		{
			name: "18 reexports of Rust: pub use through modules and a glob",
			files: map[string]string{
				"Cargo.toml": "[package]\nname = \"a\"\n",
				"src/lib.rs": "pub mod one;\npub mod two;\npub use one::*;\n", "src/one.rs": "pub use crate::two::inner::Leaf as Renamed;\n",
				"src/two.rs":   "pub mod inner { pub struct Leaf; impl Leaf { pub fn go(&self) {} } }\n",
				"src/bin/b.rs": "use a::Renamed;\nfn main() {\n    let r: Renamed = todo!();\n    r.go();\n}\n",
			},
			want: []string{"src/bin/b.rs:3 Renamed -> src/two.rs inner.Leaf exact", "src/bin/b.rs:4 go -> src/two.rs Leaf.go exact"},
		},
	} {
		t.Run(k.name, func(t *testing.T) {
			got := edgesOf(t, k.files)
			for _, want := range k.want {
				if !slices.Contains(got, want) {
					t.Errorf("no edge %q in\n\t%s", want, strings.Join(got, "\n\t"))
				}
			}
			for _, not := range k.not {
				for _, e := range got {
					if strings.Contains(e, not) {
						t.Errorf("edge %q", e)
					}
				}
			}
		})
	}
}
