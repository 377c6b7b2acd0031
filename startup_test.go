package projectmap_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A process starts without compiling a pattern: each is kept by lazyregexp until
// it is used, and since nobody would notice a wrong one before that, all of them
// are compiled here.
func TestPatternsAreCompiledWhenUsed(t *testing.T) {
	kept := 0
	for _, root := range []string{"indexer", "mapgen", "ranker", "bundle"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			p, err := readPatterns(name, nil)
			if err != nil {
				return err
			}
			for _, problem := range p.problems {
				t.Error(problem)
			}
			kept += len(p.kept)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if kept < 100 {
		t.Errorf("only %d patterns were found: does this test still know how they are written?", kept)
	}
}

// patterns are the regular expressions of a file.
type patterns struct {
	kept     []string // compiled when used
	problems []string
}

// readPatterns reads a file of Go; source is nil for the one on disk.
func readPatterns(name string, source any) (patterns, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return patterns{}, err
	}
	var out patterns
	// calls visits the calls of pkg.fn below a node, leaving out bodies of
	// functions where only what runs at the start counts.
	calls := func(n ast.Node, bodies bool, visit func(fn string, call *ast.CallExpr)) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return bodies
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok {
					if p, ok := s.X.(*ast.Ident); ok {
						visit(p.Name+"."+s.Sel.Name, n)
					}
				}
			}
			return true
		})
	}
	report := func(call *ast.CallExpr, format string, args ...any) {
		out.problems = append(out.problems, fmt.Sprintf("%s: %s", files.Position(call.Pos()), fmt.Sprintf(format, args...)))
	}
	for _, d := range file.Decls {
		if v, ok := d.(*ast.GenDecl); ok && v.Tok == token.VAR {
			calls(v, false, func(fn string, call *ast.CallExpr) {
				if strings.HasPrefix(fn, "regexp.") {
					report(call, "%s at the start of every process: use lazyregexp.New", fn)
				}
			})
		}
		calls(d, true, func(fn string, call *ast.CallExpr) {
			if fn != "lazyregexp.New" {
				return
			}
			expr, ok := constantString(call.Args[0])
			if !ok {
				report(call, "a pattern that is no constant: use regexp")
				return
			}
			if _, err := regexp.Compile(expr); err != nil {
				report(call, "%v", err)
			}
			out.kept = append(out.kept, expr)
		})
	}
	return out, nil
}

// constantString evaluates literals that are joined.
func constantString(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		return constant.StringVal(v), v.Kind() == constant.String
	case *ast.ParenExpr:
		return constantString(e.X)
	case *ast.BinaryExpr:
		x, isX := constantString(e.X)
		y, isY := constantString(e.Y)
		return x + y, isX && isY && e.Op == token.ADD
	}
	return "", false
}

// TestReadPatterns tests the checker itself.
func TestReadPatterns(t *testing.T) {
	for source, want := range map[string]string{
		"var x = lazyregexp.New(`a` + (\"b\"))":                                            `["ab"] []`,
		"func f() { y := regexp.MustCompile(z) }":                                          `[] []`,
		"var x = func() bool { return regexp.MustCompile(`a`) != nil }":                    `[] []`,
		"var x = regexp.MustCompile(`a`)":                                                  `[] ["f.go:2:9: regexp.MustCompile at the start of every process: use lazyregexp.New"]`,
		"var x = []*regexp.Regexp{regexp.MustCompilePOSIX(`a`)}":                           `[] ["f.go:2:26: regexp.MustCompilePOSIX at the start of every process: use lazyregexp.New"]`,
		"var x = lazyregexp.New(`(`)":                                                      `["("] ["f.go:2:9: error parsing regexp: missing closing ): ` + "`(`" + `"]`,
		"func f() { lazyregexp.New(name) }":                                                `[] ["f.go:2:12: a pattern that is no constant: use regexp"]`,
		"var x, y = 1, map[string]*lazyregexp.Regexp{`a`: lazyregexp.New(`b`)}\nvar z = 2": `["b"] []`,
	} {
		p, err := readPatterns("f.go", "package f\n"+source)
		if got := fmt.Sprintf("%q %q", p.kept, p.problems); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", source, got, err, want)
		}
	}
}
