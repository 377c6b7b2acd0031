package script

import (
	"fmt"
	"strings"
	"testing"
)

// written prints a type expression in one form.
func written(e *expr) string {
	list := func(l []*expr) string {
		var out []string
		for _, a := range l {
			out = append(out, written(a))
		}
		return strings.Join(out, " ")
	}
	members := func(l []member) string {
		var out []string
		for _, m := range l {
			t := "?"
			if m.typ != nil {
				t = written(m.typ)
			}
			out = append(out, m.name+":"+t)
		}
		return strings.Join(out, " ")
	}
	switch e.kind {
	case exprName:
		if len(e.args) == 0 {
			return e.name
		}
		return e.name + "<" + list(e.args) + ">"
	case exprObject:
		return "{" + members(e.members) + "}"
	case exprFunction, exprConstructor:
		return "(" + members(e.members) + ")=>" + list(e.args)
	case exprString:
		return "'" + e.name + "'"
	case exprTypeof:
		return "typeof " + e.name
	case exprImport:
		return "import " + e.module + " " + e.name
	case exprThis:
		return "this"
	case exprBasic:
		return "basic"
	case exprUnknown:
		return "?"
	}
	word := map[exprKind]string{exprArray: "array", exprTuple: "tuple", exprUnion: "or", exprIntersection: "and", exprKeyof: "keyof", exprIndex: "index", exprConditional: "if", exprMapped: "mapped"}[e.kind]
	return fmt.Sprintf("%s(%s)", word, list(e.args))
}

func TestParseType(t *testing.T) {
	for text, want := range map[string]string{
		"Foo":                                     "Foo",
		"a.b.C<D, E[]>":                           "a.b.C<D array(E)>",
		"A | B & C":                               "or(A and(B C))",
		"| 'a' | 'b'":                             "or('a' 'b')",
		"readonly A[][]":                          "array(array(A))",
		"readonly":                                "readonly",
		"[a: A, b?: B, ...rest: C[]]":             "tuple(A B array(C))",
		"(A | B)[]":                               "array(or(A B))",
		"(a: A, b?: B, ...c: C[]) => D":           "(a:A b:B c:array(C))=>D",
		"<T extends A>(this: X, { y }: T) => T":   "(:T)=>T",
		"new () => A":                             "()=>A",
		"abstract new (x: B) => A":                "(x:B)=>A",
		"keyof typeof x.y":                        "keyof(typeof x.y)",
		"A['b'][number]":                          "index(index(A 'b') basic)",
		"T extends (infer U)[] ? U : never":       "if(T array(?) U basic)",
		"import('./x').Y<Z>":                      "import ./x Y",
		"typeof import('./x')":                    "import ./x ",
		"{ a: A; readonly b?: B, get(): C }":      "{a:A b:B get:()=>C}",
		"{ get a(): A; 'b-c': B; [k: string]: C}": "{a:()=>A b-c:B []:C}",
		"{ -readonly [K in keyof T]?: T[K] }":     "mapped(keyof(T) index(T K))",
		"x is Foo":                                "basic",
		"asserts x is Foo":                        "basic",
		"this":                                    "this",
		"Map<string, () => void>":                 "Map<basic ()=>basic>",
		"A<B<C>>":                                 "A<B<C>>",
		"{ (x: A): B; new (y: C): D }":            "{():(x:A)=>B new:(y:C)=>D}",
		"Foo<Bar, {a: …":                          "Foo<Bar {a:…}>",
		"":                                        "?",
	} {
		if got := written(parseType(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"A<B[]>", "{a: (x: T) => U; [K in keyof T]: V}", "((((", "<<<<", "[...[", "new new new", "import('"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if parseType(s) == nil {
			t.Error("no type")
		}
		parseTypeParams(s)
	})
}
