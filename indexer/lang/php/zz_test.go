package php
import ("testing";"os";"fmt";"strings"
g "github.com/smacker/go-tree-sitter/php"
"github.com/project-map/project-map/indexer/syntax")
func TestZZ(t *testing.T){ f:=os.Getenv("ZZ"); if f=="" {t.Skip()}
 src,_:=os.ReadFile(f); tr,err:=syntax.Parse(syntax.NewGrammar(g.GetLanguage()),src); if err!=nil {t.Fatal(err)}
 var rec func(n syntax.Node, d int); rec=func(n syntax.Node,d int){ fn:=n.FieldName(); if fn!=""{fn+=": "}; tx:=""; if n.IsLeaf(){tx=fmt.Sprintf(" %q",n.Text())}; if n.IsNamed()|| fn!="" {fmt.Println(strings.Repeat("  ",d)+fn+n.Kind()+tx)}; n.Children(func(c syntax.Node)bool{rec(c,d+1);return true})}
 rec(tr.Root(),0)}
