package hierarchy_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/hierarchy"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// relations lists those of a program as "Derived > Base mark".
func relations(t *testing.T, program string) []string {
	t.Helper()
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var files []facts.Entry
	for _, f := range txtar.Parse([]byte(program)).Files {
		files = append(files, facts.Entry{Path: f.Name, File: x.Extract(f.Data, extract.Plan{Language: table.ByPath(f.Name), Extension: strings.ToLower(path.Ext(f.Name))})})
	}
	slices.SortFunc(files, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	p := edges.NewProgram(files)
	out, err := resolve.Run(t.Context(), resolve.Input{
		Program: p, Workers: 1, Keys: func(int) resolve.Digest { return resolve.Digest{} },
		Details: func(doc int) (*facts.File, error) { return files[doc].File, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	name := func(d hierarchy.Definition) string {
		s := &files[d.Doc].File.Symbols[d.Symbol]
		if s.Container != "" {
			return s.Container + "." + s.Name
		}
		return s.Name
	}
	var list []string
	for _, r := range hierarchy.Relations(p, out.Sites) {
		list = append(list, fmt.Sprintf("%s > %s %s", name(r.Derived), name(r.Base), r.Mark))
	}
	slices.Sort(list)
	return list
}

func TestRelations(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"Go: methods make an implementation, embedded ones too", `
-- go.mod --
module m
-- a/a.go --
package a

type Saver interface {
	Save(name string) (n int, err error)
	Close() error
}

type Reader interface{ Read() Item }

type Both interface {
	Saver
	Reader
}

type Item struct{}

type Base struct{}

func (b *Base) Close() error { return nil }

type File struct{ *Base }

func (f *File) Save(path string) (int, error) { return 0, nil }

type Wrong struct{ Base }

func (w Wrong) Save(path []byte) (int, error) { return 0, nil }
-- b/b.go --
package b

import "m/a"

type Mem struct{}

func (Mem) Read() a.Item { return a.Item{} }
`, `Base.Close > Saver.Close exact
Both > Reader exact
Both > Saver exact
File > Saver exact
File.Save > Saver.Save exact
Mem > Reader likely
Mem.Read > Reader.Read likely`},
		{"Java: the nearest override, by the number of parameters", `
-- p/Shape.java --
package p;
interface Shape { double area(); double area(int unit); }
-- p/Base.java --
package p;
abstract class Base implements Shape { public double area() { return 0; } private void own() {} }
-- p/Circle.java --
package p;
class Circle extends Base { public double area() { return 1; } public double area(int unit) { return 1; } private void own() {} }
`, `Base > Shape exact
Base.area > Shape.area exact
Circle > Base exact
Circle.area > Base.area exact
Circle.area > Shape.area exact`},
		{"Python: a diamond, and a type argument that is no base", `
-- a.py --
from typing import Generic, TypeVar

class Item: pass
class Root:
    def go(self): pass
class Left(Root):
    def go(self): pass
class Right(Root):
    pass
class Both(Left, Right):
    def go(self): pass
class Box(list[Item]):
    def go(self): pass
`, `Both > Left exact
Both > Right exact
Both.go > Left.go exact
Both.go > Root.go exact
Left > Root exact
Left.go > Root.go exact
Right > Root exact`},
		{"TypeScript: interfaces and classes across files", `
-- a.ts --
export interface Plugin<T> { run(x: T): void }
export class Options { }
-- b.ts --
import { Plugin as P, Options } from './a'
export class Mine implements P<Options> { run(x: Options) {} static run2() {} }
`, `Mine > Plugin exact
Mine.run > Plugin.run exact`},
		{"a circle of bases ends", `
-- a.py --
class A(B):
    def go(self): pass
class B(A):
    def go(self): pass
`, `A > B exact
A.go > B.go exact
B > A exact
B.go > A.go exact`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(relations(t, c.program), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
