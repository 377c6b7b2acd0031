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
		if f := files[d.Doc].File; f.Family == "c" && s.Container != "" && s.Flags&facts.InBody == 0 && s.Kind == facts.KindMethod {
			return path.Base(files[d.Doc].Path) + " " + s.Container + "." + s.Name
		}
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

// relationCase is a program and the relations that it has.
type relationCase struct{ name, program, want string }

func check(t *testing.T, cases []relationCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(relations(t, c.program), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestRelations(t *testing.T) {
	check(t, []relationCase{
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
Mem > Reader exact
Mem.Read > Reader.Read exact`},
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
		{"Go: packages of types, names of their own, what is not exported", `
-- go.mod --
module m
-- one/one.go --
package one

import (
	"context"
	v1 "m/types/v1"
)

type Getter interface{ Get(ctx context.Context, key string) (*v1.Item, error) }

type hider interface{ hide() }

type Named interface{ Name(f func(v1.Item) any) Alias }

type Alias = v1.Item
-- types/v1/v1.go --
package v1

type Item struct{}
-- types/v2/v2.go --
package v2

type Item struct{}
-- two/two.go --
package two

import (
	stdctx "context"

	"m/types/v1"
	"m/types/v2"
)

type Same struct{}

func (Same) Get(c stdctx.Context, k string) (item *v1.Item, err error) { return nil, nil }
func (Same) hide()                                                     {}
func (Same) Name(f func(item v1.Item) interface{}) v1.Item             { return v1.Item{} }

type Other struct{}

func (Other) Get(c stdctx.Context, k string) (*v2.Item, error) { return nil, nil }
`, `Same > Getter exact
Same > Named exact
Same.Get > Getter.Get exact
Same.Name > Named.Name exact`},
		{"Go: interfaces of the library and of others that are embedded", `
-- go.mod --
module m
-- a/a.go --
package a

import (
	"io"
	"os"
	"io/fs"

	"example.com/billy"
)

type File interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
}

type Failure interface{ error }

type Mem struct{ io.Reader }

func (m *Mem) Write(p []uint8) (n int, err error) { return 0, nil }
func (m *Mem) Close() error                       { return nil }
func (m *Mem) Stat() (os.FileInfo, error)         { return nil, nil }

type Disk struct{ billy.File }

func (Disk) Stat() (os.FileInfo, error) { return nil, nil }

type Less struct{}

func (Less) Stat() (os.FileInfo, error) { return nil, nil }

type Wrapped struct{ File }

type Failed struct{}

func (Failed) Error() string { return "" }
`, `Disk > File likely
Disk.Stat > File.Stat likely
Failed > Failure likely
Mem > File exact
Mem.Stat > File.Stat exact
Wrapped > File exact`},
		{"Java: a class without a name is not the one around it, static methods hide", `
-- p/A.java --
package p;
interface Reader<T> { T read(String key); T read(T key, int at); default int size() { return 0; } }
class Base { static void make() {} void open(int... xs) {} }
enum Kind implements Reader<String> { A; public String read(String key) { return ""; } public String read(String key, int at) { return ""; } }
class Outer {
  class Inner extends Base { void open(int... xs) {} static void make() {} }
  Reader<String> r = new Reader<String>() { public String read(String key) { return ""; } };
}
-- p/B.java --
package p;
class Shown { void show(int x) {} void show(java.lang.String x) {} void show(Object x, String y) {} }
class Louder extends Shown { void show(String x) {} void show(long x) {} void show(Object x, Object y) {} }
`, `Inner.open > Base.open exact
Kind > Reader exact
Kind.read > Reader.read exact
Kind.read > Reader.read exact
Louder > Shown exact
Louder.show > Shown.show exact
Louder.show > Shown.show exact
Outer.Inner > Base exact`},
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
	})
}
