package golang_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/golang"
)

// The standard library's own parser is the oracle: in every file that it reads,
// this package finds the same definitions with the same kinds, containers and
// lines.
func TestSameDefinitionsAsTheGoParser(t *testing.T) {
	if os.Getenv("GO_ORACLE_TREES") != "" {
		for dir := range strings.SplitSeq(os.Getenv("GO_ORACLE_TREES"), ":") {
			compareTree(t, dir, -1)
		}
		return
	}
	src := filepath.Join(build.Default.GOROOT, "src")
	if _, err := os.Stat(filepath.Join(src, "fmt")); err != nil {
		t.Skip("the sources of the standard library are not here")
	}
	for _, pkg := range []string{"fmt", "go/ast", "go/types", "net/url", "slices", "iter", "sync", "encoding/json", "internal/types/testdata/fixedbugs"} {
		compareTree(t, filepath.Join(src, pkg), 120)
	}
}

func compareTree(t *testing.T, dir string, limit int) {
	t.Helper()
	l := golang.Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	files, definitions, wrong := 0, 0, 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" || limit >= 0 && files >= limit {
			return err
		}
		source, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		want := fromAST(source)
		if want == nil {
			return nil
		}
		f := x.Extract(source, extract.Plan{Language: l, Extension: ".go"})
		if f.Depth != facts.Parsed {
			return nil
		}
		files++
		definitions += len(want)
		got := map[string]int{}
		for i := range f.Symbols {
			got[describe(f, i)]++
		}
		for k, n := range want {
			if got[k] != n {
				wrong++
				if wrong < 40 {
					t.Errorf("%s: %s found %d times, want %d", p, k, got[k], n)
				}
			}
		}
		for k := range got {
			if want[k] == 0 {
				wrong++
				if wrong < 40 {
					t.Errorf("%s: %s is no definition", p, k)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d files, %d definitions, %d wrong", dir, files, definitions, wrong)
}

func describe(f *facts.File, i int) string {
	s := &f.Symbols[i]
	return fmt.Sprintf("%s %s in %q @%d-%d", s.Kind, s.Name, s.Container, s.Line, s.EndLine)
}

// fromAST lists the definitions of a file as describe does; nil when the file
// does not parse.
func fromAST(source []byte) map[string]int {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "x.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	out := map[string]int{}
	line := func(p token.Pos) int { return set.PositionFor(p, false).Line }
	add := func(kind facts.Kind, name, container string, node ast.Node) {
		out[fmt.Sprintf("%s %s in %q @%d-%d", kind, name, container, line(node.Pos()), line(node.End()-1))]++
	}
	kindOf := func(typ ast.Expr) facts.Kind {
		switch typ.(type) {
		case *ast.StructType:
			return facts.KindStruct
		case *ast.InterfaceType:
			return facts.KindInterface
		}
		return facts.KindType
	}
	// within lists what stands inside a node; container is the definition that
	// encloses it, local tells that variables are bindings there.
	var within func(n ast.Node, container string, local bool)
	members := func(fields []*ast.Field, owner string, local bool) {
		for _, f := range fields {
			if len(f.Names) == 0 {
				add(facts.KindField, baseName(f.Type), owner, f)
			}
			inner := innermostExpr(f.Type)
			nested := len(f.Names) > 0 && kindOf(inner) != facts.KindType
			for i, n := range f.Names {
				add(facts.KindField, n.Name, owner, f)
				if nested && i == 0 { // of one type; its members stand once
					within(inner, n.Name, local)
				}
			}
			if !nested {
				within(f.Type, owner, local)
			}
		}
	}
	group := func(g *ast.GenDecl, container string, local bool) {
		for _, spec := range g.Specs {
			var node ast.Node = spec
			if !g.Lparen.IsValid() {
				node = g
			}
			switch s := spec.(type) {
			case *ast.TypeSpec:
				add(kindOf(s.Type), s.Name.Name, container, node)
				if s.TypeParams != nil {
					within(s.TypeParams, s.Name.Name, local)
				}
				within(s.Type, s.Name.Name, local)
			case *ast.ValueSpec:
				kind := facts.KindVariable
				if g.Tok == token.CONST {
					kind = facts.KindConstant
				}
				owner := ""
				for _, n := range s.Names {
					if n.Name != "_" && !local {
						add(kind, n.Name, container, node)
						if owner == "" {
							owner = n.Name
						}
					}
				}
				if owner == "" {
					owner = container
				}
				if s.Type != nil {
					within(s.Type, owner, local)
				}
				for _, v := range s.Values {
					within(v, owner, local)
				}
			}
		}
	}
	within = func(n ast.Node, container string, local bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				group(n, container, true)
				return false
			case *ast.StructType:
				members(n.Fields.List, container, local)
				return false
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, name := range m.Names {
						add(facts.KindMethod, name.Name, container, m)
						within(m.Type, name.Name, local)
					}
					if len(m.Names) == 0 {
						within(m.Type, container, local)
					}
				}
				return false
			}
			return true
		})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			kind, container := facts.KindFunction, ""
			if d.Recv != nil && len(d.Recv.List) > 0 {
				kind, container = facts.KindMethod, baseName(d.Recv.List[0].Type)
			}
			add(kind, d.Name.Name, container, d)
			within(d.Type, d.Name.Name, true)
			if d.Body != nil {
				within(d.Body, d.Name.Name, true)
			}
		case *ast.GenDecl:
			group(d, "", false)
		}
	}
	return out
}

func innermostExpr(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ArrayType:
			e = x.Elt
		case *ast.ChanType:
			e = x.Value
		case *ast.MapType:
			e = x.Value
		default:
			return e
		}
	}
}

func baseName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.SelectorExpr:
			return x.Sel.Name
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
