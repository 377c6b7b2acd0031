// Package jsonlang outlines JSON documents: keys to the second level, scripts
// of package files as targets, and the few deeper values that resolving imports
// needs (path aliases, conditions of the exports and imports of a package). Comments, trailing commas, single quotes and bare keys are tolerated.
package jsonlang

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	// maxValue caps a value that is kept, in bytes.
	maxValue = 120
	// keyLevels is how deep keys are read; what is reported is less.
	keyLevels = 3
	// entryLevels is how deep keys are read below the exports and imports of a
	// package, where conditions stand in conditions.
	entryLevels = 8
	// maxConditions bounds how many of those are reported, besides maxSymbols.
	maxConditions = 4000
)

// Language is the row of JSON.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "json",
		Aliases:    []string{"jsonc", "json5", "json with comments"},
		Version:    2,
		Extensions: []string{".json", ".jsonc", ".json5", ".code-workspace", ".webmanifest"},
		Filenames:  []string{".babelrc", ".jshintrc", ".swcrc", ".watchmanconfig", ".lintstagedrc", ".bowerrc"},
		Extract:    extract,
		Outline:    true,
	}
}

// member is a key of an object whose ancestors are all objects.
type member struct {
	name     string
	parent   int // index, -1 at the top
	level    int // 1 at the top
	span     facts.Span
	nameSpan facts.Span
	value    value
}

type value struct {
	text   string // of a scalar, of the first scalar of an array
	kind   valueKind
	length int // elements of an array that are strings
}

type valueKind uint8

const (
	none valueKind = iota
	str
	literal
	array
	object
)

func extract(b *lang.Builder) {
	d := &document{b: b, members: scan(b.Source)}
	d.describe()
	d.emit()
}

type document struct {
	b       *lang.Builder
	members []member
	keys    map[string]int // top-level keys to their first member
}

func (d *document) top(name string) *member {
	if i, ok := d.keys[name]; ok {
		return &d.members[i]
	}
	return nil
}

// describe finds what kind of document it is and what it says about itself.
func (d *document) describe() {
	d.keys = map[string]int{}
	for i := range d.members {
		m := &d.members[i]
		if _, seen := d.keys[m.name]; m.level == 1 && !seen {
			d.keys[m.name] = i
		}
	}
	if name := d.top("name"); name != nil && name.value.kind == str && d.isPackage() {
		d.b.SetPackage(name.value.text)
	}
	for _, k := range []string{"description", "title"} {
		if m := d.top(k); m != nil && m.value.kind == str {
			d.b.SetSummary(m.value.text)
		}
	}
	// OpenAPI and the like describe themselves one level down.
	for _, k := range []string{"title", "description"} {
		for i := range d.members {
			if m := &d.members[i]; m.level == 2 && m.name == k && m.value.kind == str && d.members[m.parent].name == "info" {
				d.b.SetSummary(m.value.text)
			}
		}
	}
}

func (d *document) isPackage() bool {
	for _, k := range []string{"version", "scripts", "dependencies", "devDependencies", "peerDependencies", "main", "exports", "private", "workspaces", "require", "autoload", "publishConfig"} {
		if d.top(k) != nil {
			return true
		}
	}
	return false
}

// runsCommands tells top-level objects whose members can be run.
func (d *document) runsCommands(m *member) bool {
	if m.level != 1 || m.value.kind != object {
		return false
	}
	switch m.name {
	case "scripts":
		return d.isPackage()
	case "tasks":
		return true // deno.json
	case "targets":
		return d.top("projectType") != nil || d.top("sourceRoot") != nil || d.top("root") != nil // project.json of Nx
	}
	return false
}

func (d *document) emit() {
	// Children follow their parent, and there are at most entryLevels levels.
	children := map[int][]int{}
	for i := range d.members {
		p := d.members[i].parent
		children[p] = append(children[p], i)
	}
	left, conditions := maxSymbols, maxConditions
	var emit func(i int)
	emit = func(i int) {
		m := &d.members[i]
		budget, deep := &left, d.isCondition(m)
		if deep {
			budget = &conditions
		}
		if *budget == 0 || m.name == "" || m.level >= 3 && !deep && !d.isPathAlias(m) {
			return
		}
		*budget--
		s := facts.Symbol{Name: m.name, Kind: facts.KindKey, Span: m.span, NameSpan: m.nameSpan, Init: m.value.text}
		if deep {
			// Only resolving imports needs it; it says nothing to a reader.
			s.Flags = facts.InBody
		}
		if m.value.kind == array && m.level < 3 && !d.isEntry(m) {
			s.Init = ""
		}
		if m.level == 2 && d.runsCommands(&d.members[m.parent]) {
			s.Kind = facts.KindTarget
			s.Signature, s.Init = m.value.text, ""
			if m.value.kind == object {
				s.Signature = d.command(children[i])
			}
		}
		// The first of several is what a config extends.
		if m.level == 1 && m.name == "extends" {
			s.Init = m.value.text
		}
		at := d.b.Symbol(s)
		d.b.Within(at, func() {
			for _, c := range children[i] {
				emit(c)
			}
		})
	}
	for _, i := range children[-1] {
		emit(i)
	}
}

// isCondition tells a key below an entry of a package's exports or imports:
// {"exports": {".": {"import": {"types": "./x.d.ts"}}}} has import and types.
func (d *document) isCondition(m *member) bool {
	if m.level < 3 {
		return false
	}
	entry := m
	for entry.level > 2 {
		entry = &d.members[entry.parent]
	}
	return d.isEntry(entry)
}

// isEntry tells a key of a package's exports ("./path", or a condition where the
// package has but one entry) or imports ("#name").
func (d *document) isEntry(m *member) bool {
	if m.level != 2 || !d.isPackage() {
		return false
	}
	switch d.members[m.parent].name {
	case "exports":
		return true
	case "imports":
		return strings.HasPrefix(m.name, "#")
	}
	return false
}

// isPathAlias tells an entry of compilerOptions.paths.
func (d *document) isPathAlias(m *member) bool {
	p := &d.members[m.parent]
	return m.level == 3 && p.name == "paths" && d.members[p.parent].name == "compilerOptions" && (m.value.kind == array || m.value.kind == str)
}

// command is what a target given as an object runs.
func (d *document) command(members []int) string {
	for _, k := range []string{"command", "executor", "exec", "script", "description"} {
		for _, i := range members {
			if m := &d.members[i]; m.name == k && m.value.kind == str {
				return m.value.text
			}
		}
	}
	return ""
}

// clean cuts a value at a border of characters.
func clean(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
