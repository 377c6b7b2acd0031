package ranker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var weightInDoc = regexp.MustCompile(`Weight (-?[0-9.]*[0-9])`)

// TestWeightsAreExplained: every signal stands in a signal_*.go file, and the
// comment of its function gives the weight that the table has, with a reason.
func TestWeightsAreExplained(t *testing.T) {
	files, err := filepath.Glob("signal_*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no signals: %v", err)
	}
	fset := token.NewFileSet()
	docs := map[string]string{}
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				docs[fn.Name.Name] = strings.Join(strings.Fields(fn.Doc.Text()), " ")
			}
		}
	}
	table, err := parser.ParseFile(fset, "weights.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	weights := signalTable()
	row := 0
	ast.Inspect(table, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Type != nil || len(lit.Elts) != 5 || row == len(weights) {
			return true
		}
		fn, ok := lit.Elts[3].(*ast.Ident)
		if !ok {
			return true
		}
		s := weights[row]
		row++
		doc, ok := docs[fn.Name]
		if !ok {
			t.Errorf("%s: %s is in no signal file", s.name, fn.Name)
			return true
		}
		m := weightInDoc.FindStringSubmatch(doc)
		if m == nil {
			t.Errorf("%s: the comment of %s does not explain the weight", s.name, fn.Name)
			return true
		}
		if v, err := strconv.ParseFloat(m[1], 64); err != nil || v != s.weight {
			t.Errorf("%s: the comment of %s says %s, the table %g", s.name, fn.Name, m[1], s.weight)
		}
		return true
	})
	if row != len(weights) {
		t.Errorf("found %d of %d rows", row, len(weights))
	}
}
