package mapgen

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
	"github.com/project-map/project-map/mapgen/xref"
)

// Imports that can only mean a file of the repository and lead nowhere are
// findings; those of libraries, of generated files and of a file itself are none.
func TestOwnFindings(t *testing.T) {
	const program = `
-- go.mod --
module example.org/m
-- a.go --
package m

import (
	"fmt"
	"example.org/m/there"
	"example.org/m/gone"
	"example.org/mother"
)
-- there/there.go --
package there
-- web/a.ts --
import { b } from './b'
import { c } from './gone'
import { d } from '../dist/d'
import e from 'library'
import './style.css'
import { f } from './self.js'
export * from './a'
-- web/b.ts --
export const b = 1
-- web/self.ts --
export const f = 1
-- src/d.ts --
export const d = 1
-- web/style.css --
a { color: red }
-- py/__init__.py --
-- py/a.py --
from .b import x
from .gone import y
from . import b
import gone
-- py/b.py --
x = 1
-- c/a.c --
#include "a.h"
#include "../gone.h"
#include "gone.h"
#include <stdio.h>
-- c/a.h --
int a(void);
-- broken.ts --
export const ok = 1
export function (((
`
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var files []facts.Entry
	for _, f := range txtar.Parse([]byte(program)).Files {
		files = append(files, facts.Entry{Path: f.Name, File: x.Extract(f.Data, extract.Plan{Language: table.ByPath(f.Name), Extension: strings.ToLower(path.Ext(f.Name))})})
	}
	slices.SortFunc(files, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	var got []string
	for i, list := range ownFindings(files, xref.Imports(files)) {
		for _, f := range list {
			if f.Rule == ruleSyntax {
				got = append(got, files[i].Path+" syntax")
				continue
			}
			got = append(got, fmt.Sprintf("%s:%d %s", files[i].Path, f.Line, f.Message))
		}
	}
	want := []string{
		"a.go:6 example.org/m/gone leads to no file of the repository",
		"broken.ts syntax",
		"c/a.c:2 ../gone.h leads to no file of the repository",
		"py/a.py:2 .gone leads to no file of the repository",
		"web/a.ts:2 ./gone leads to no file of the repository",
		"web/a.ts:3 ../dist/d leads to no file of the repository",
	}
	if !slices.Equal(slices.Compact(got), want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
