package syntax_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/syntax"
)

func TestProbe2(t *testing.T) {
	if os.Getenv("PROBE2") == "" {
		t.Skip()
	}
	n := 1 << 20
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	half := func(a, mid, b string) string {
		k := n / (len(a) + len(b))
		return strings.Repeat(a, k) + mid + strings.Repeat(b, k)
	}
	inputs := map[string]string{
		"parens": fill("("), "brackets": fill("["), "braces": fill("{"), "lt": fill("<"), "generic": fill("a<"), "generic2": fill("a<b,"), "tern": fill("a?b:"),
		"tern2": fill("a?"), "arrow": fill("a=>"), "parenarrow": fill("(a)=>"), "parenarrow2": fill("(a,"), "index": fill("a["), "quote": fill("\""), "squote": fill("'a "), "tick": fill("`${"),
		"comment": fill("/*"), "slashes": fill("/ "), "regex": fill("/[ "), "hash": fill("#"), "at": fill("@a "), "balanced": half("(", "x", ")"), "balbr": half("[", "", "]"), "balcurly": half("{", "", "}"), "balgeneric": half("a<", "b", ">"),
		"triple": fill("\"\"\" "), "fstring": fill("f\"{"), "lambda": fill("lambda:"), "if": fill("if a:\n"), "func": fill("func "), "funclit": fill("func(){"), "go types": fill("[]map[a]"), "chan": fill("<-chan "), "star": fill("*"), "minus": fill("-"), "dots": fill("a."), "comma": fill("a,"), "indent": indentDeep(1400), "dedent": fill("  a:\n b\n"), "words": fill("lorem ipsum dolor sit amet "), "binary": fill("\u0001\u0002\u00ff%&$"), "jsx": fill("<a>"), "jsx2": half("<a>", "", "</a>"), "jsxattr": fill("<a b={"), "template": fill("template<class T, "), "heredoc": fill("<<A\n"), "unclosedtpl": fill("`a"), "newlines": fill("\n"), "cond": fill("a<b>(c)?"), "as": fill("a as b<"), "asyncarrow": fill("async(a=>"), "destruct": fill("({a:"), "typeparens": "type A = " + fill("(a:"), "typeparens2": "type A = " + fill("(("), "classbody": "class A {" + fill("a(){"), "goarr": "package p\nvar x = " + fill("a[b]{"), "goparen": "package p\nfunc f() {" + fill("if x := a; b {"), "pydict": fill("{a:"), "pycall": fill("a(b="), "pysub": fill("a[b:"), "match": fill("match a:\n case "), "print": fill("print "), "exec": fill("exec a in "), "semicolon": fill(";"),
		"uni": fill("名 "), "go mix": fill("a < b > (c) * d "), "csv": fill("1,2.5,abc\n"), "c code": fill("static int f(struct foo *a, int b) { return a->x[b] + g(b); }\n"), "jsmin": fill("function a(b){return b?c(b+1):d.e(f=>f*2)};"), "json": fill(`{"a":[1,2,{"b":null}]},`), "css": fill(".a>b{color:red;margin:0 1px}"), "html": fill("<div class=\"a\">it's <b>x</b> & y</div>\n"),
	}
	only := os.Getenv("PROBE2")
	table := all.Table()
	for _, l := range table.All() {
		g := table.GrammarOf(l)
		if g == nil || only != "all" && only != l.Name {
			continue
		}
		for name, src := range inputs {
			start := time.Now()
			fmt.Println("start", l.Name, name)
			tree, u, err := syntax.ParseMeasured(g, []byte(src))
			d := time.Since(start)
			k := 0
			if tree != nil {
				k = tree.Len()
			}
			if d > 1500*time.Millisecond || err != nil || float64(u.Allocated)/float64(len(src)) > 200 {
				fmt.Printf("%s %s: %v %.0f B/B %.1f reads/chunk nodes %d err %v\n", l.Name, name, d.Round(time.Millisecond), float64(u.Allocated)/float64(len(src)), float64(u.Reads)/(float64(len(src))/4096), k, err)
			}
		}
	}
}

func indentDeep(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String()
}
