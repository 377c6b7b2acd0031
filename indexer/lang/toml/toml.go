// Package toml outlines TOML documents: tables and keys, scripts and tasks of
// package files as targets, and what a package file says about its package.
package toml

import (
	"cmp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxValue   = 120
)

// Language is the row of TOML.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "toml",
		Aliases:    []string{"conf-toml"},
		Version:    3,
		Extensions: []string{".toml"},
		Filenames:  []string{"Pipfile", "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", ".taplo"},
		Extract:    extract,
		Outline:    true,
	}
}

// table is a [header] with the keys below it. The first one has no header.
type table struct {
	path     []string // parts of its name
	array    bool     // [[name]]
	span     facts.Span
	nameSpan facts.Span
	doc      string
	keys     []pair
}

type pair struct {
	name     string
	span     facts.Span
	nameSpan facts.Span
	value    string // of a string without quotes, or as written
	isString bool
	// renamed is the package of a dependency that is given another name, as in
	// foo = { package = "bar" }, and the span of that entry.
	renamed     string
	renamedSpan facts.Span
	valueSpan   facts.Span
	nested      bool // an array or inline table
	doc         string
	// first is the first part of a dotted key, "" of a plain one, and firstLen
	// the bytes in which it is written.
	first    string
	firstLen uint32
}

func (t *table) name() string { return strings.Join(t.path, ".") }

func (t *table) string(key string) string {
	for i := range t.keys {
		if t.keys[i].name == key && t.keys[i].isString {
			return t.keys[i].value
		}
	}
	return ""
}

func extract(b *lang.Builder) {
	s := &scanner{src: b.Source}
	s.scan()
	d := &document{b: b, left: maxSymbols}
	for i := range s.tables {
		d.describe(&s.tables[i])
	}
	b.SetSummary(s.header)
	for i := range s.tables {
		d.emit(&s.tables[i])
	}
}

type document struct {
	b    *lang.Builder
	left int
}

// describe takes name and description from the tables that describe a package.
func (d *document) describe(t *table) {
	switch t.name() {
	case "package", "project", "tool.poetry", "workspace.package":
		d.b.SetPackage(t.string("name"))
		d.b.SetSummary(t.string("description"))
	}
}

func (d *document) emit(t *table) {
	if len(t.path) == 0 {
		for i := range t.keys {
			d.key(&t.keys[i], facts.KindKey)
		}
		return
	}
	kind := facts.KindKey
	last := t.path[len(t.path)-1]
	s := facts.Symbol{Name: t.name(), Kind: kind, Span: t.span, NameSpan: t.nameSpan, Doc: t.doc}
	if name := t.key("name"); t.array && name != nil && name.isString {
		// [[bin]] name = "x": what Cargo builds and runs; other arrays of
		// tables are told apart by their names.
		s.Name, s.NameSpan, s.Signature = name.value, name.valueSpan, "[["+t.name()+"]]"
		if len(t.path) == 1 && (last == "bin" || last == "example" || last == "bench" || last == "test") {
			s.Kind = facts.KindTarget
			if p := t.string("path"); p != "" {
				s.Signature += " " + p
			}
		}
	}
	if len(t.path) > 1 && (t.path[len(t.path)-2] == "tasks" || t.path[len(t.path)-2] == "scripts") {
		if c := t.command(); c != "" {
			s.Kind, s.Name, s.Signature = facts.KindTarget, last, c
			s.Doc = cmp.Or(s.Doc, t.string("help"), t.string("description"))
		}
	}
	targets, dependencies := isScripts(t.path), isDependencies(t.path)
	at := d.symbol(s)
	if at < 0 {
		return
	}
	keys := t.keys
	if targets {
		keys = joinTasks(keys)
	}
	d.b.Within(at, func() {
		for i := range keys {
			kind := facts.KindKey
			if targets {
				kind = facts.KindTarget
			}
			p := &keys[i]
			key := d.key(p, kind)
			if !dependencies || p.renamed == "" || key < 0 {
				continue
			}
			// As the key of [dependencies.foo], but nothing that a reader looks for.
			d.b.Within(key, func() {
				name := facts.Span{Start: p.renamedSpan.Start, End: p.renamedSpan.Start + uint32(len("package"))}
				d.symbol(facts.Symbol{Name: "package", Kind: facts.KindKey, Flags: facts.InBody, Init: p.renamed, Span: p.renamedSpan, NameSpan: name})
			})
		}
	})
}

// isDependencies tells tables of Cargo whose keys are names of packages.
func isDependencies(path []string) bool {
	return strings.HasSuffix(path[len(path)-1], "dependencies")
}

// isScripts tells tables whose keys are commands.
func isScripts(path []string) bool {
	switch path[len(path)-1] {
	case "scripts", "gui-scripts", "gui_scripts":
		return len(path) > 1 || path[0] == "scripts"
	case "tasks":
		return true // mise, pixi, poe, taskipy
	}
	return false
}

// joinTasks makes one pair of the dotted keys of a task, so that test.cmd and
// test.help are the task test: its value is the command, its documentation the
// help. What is dotted otherwise stays.
func joinTasks(keys []pair) []pair {
	var out []pair
	at := map[string]int{} // in out, of the tasks with dotted keys
	for _, p := range keys {
		if p.first == "" {
			out = append(out, p)
			continue
		}
		k, seen := at[p.first]
		if !seen {
			k = len(out)
			at[p.first] = k
			q := p
			q.name, q.value, q.isString, q.nested = p.first, "", false, true
			q.nameSpan.End = q.nameSpan.Start + p.firstLen
			out = append(out, q)
		}
		q := &out[k]
		if k == len(out)-1 { // else another task lies between
			q.span.End = p.span.End
		}
		switch p.name[min(len(p.name), len(p.first)+1):] {
		case "command", "cmd", "run", "script", "shell", "call":
			q.value = p.value
		case "help", "description":
			if p.isString {
				q.doc = cmp.Or(q.doc, p.value)
			}
		}
	}
	return out
}

func (t *table) key(name string) *pair {
	for i := range t.keys {
		if t.keys[i].name == name {
			return &t.keys[i]
		}
	}
	return nil
}

// command is what a table that describes a task runs.
func (t *table) command() string {
	for _, k := range []string{"command", "cmd", "run", "script", "shell"} {
		if p := t.key(k); p != nil {
			return p.value
		}
	}
	return ""
}

func (d *document) key(p *pair, kind facts.Kind) int32 {
	s := facts.Symbol{Name: p.name, Kind: kind, Span: p.span, NameSpan: p.nameSpan, Doc: p.doc}
	if kind == facts.KindTarget {
		s.Signature = p.value
	} else if !p.nested {
		s.Init = p.value
	}
	return d.symbol(s)
}

func (d *document) symbol(s facts.Symbol) int32 {
	if d.left == 0 || s.Name == "" {
		return -1
	}
	d.left--
	return d.b.Symbol(s)
}
