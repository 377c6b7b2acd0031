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
			name: "23 records, inner and anonymous classes of Java",
			files: map[string]string{
				"p/Circle.java": "package p;\nrecord Circle(double radius) { double area() { return radius(); } }\n",
				"p/Use.java":    "package p;\nclass Use {\n  class Inner { void in() {} }\n  void go(Circle c) {\n    c.area();\n    new Inner().in();\n  }\n}\n",
			},
			want: []string{"p/Use.java:5 area -> p/Circle.java Circle.area exact", "p/Use.java:6 in -> p/Use.java Inner.in exact"},
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
