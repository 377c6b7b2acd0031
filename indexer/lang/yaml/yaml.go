// Package yaml outlines YAML documents: keys to the third level, jobs and steps
// of CI definitions and tasks as targets, operations of API descriptions and
// resources of Kubernetes by their names.
//
// A scanner of lines and indentation reads the structure; it resolves no
// anchors, tags or merge keys and takes templates (Helm, Jinja) as they come.
package yaml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	// maxThird is the number of keys over which the third level is left out:
	// such a file is data.
	maxThird = 400
	maxValue = 120
	maxSteps = 60 // named steps of one job
)

// Language is the row of YAML.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "yaml",
		Aliases:    []string{"yml"},
		Version:    1,
		Extensions: []string{".yaml", ".yml", ".clang-format", ".clang-tidy"},
		Filenames:  []string{".clang-format", ".clang-tidy", ".yamllint", "CITATION.cff"},
		Extract:    extract,
		Outline:    true,
	}
}

func extract(b *lang.Builder) {
	s := newScanner(b.Source)
	s.scan()
	d := &document{b: b, nodes: s.nodes, left: maxSymbols}
	d.third = d.countTo(3) <= maxThird
	for _, doc := range s.documents {
		d.root(doc)
	}
	b.SetSummary(s.header)
	if name := d.child(0, "name"); name >= 0 {
		b.SetSummary(d.nodes[name].value)
	}
}

type document struct {
	b     *lang.Builder
	nodes []node
	left  int
	third bool
}

func (d *document) countTo(level int) int {
	n := 0
	for i := range d.nodes {
		if !d.nodes[i].item && !d.nodes[i].inList && d.nodes[i].level <= level {
			n++
		}
	}
	return n
}

// children lists the nodes directly below one, in order.
func (d *document) children(i int) []int {
	var out []int
	for c := d.nodes[i].firstChild; c > 0; c = d.nodes[c].next {
		out = append(out, c)
	}
	return out
}

// child is the first member of a name, or -1.
func (d *document) child(i int, name string) int {
	if i < 0 || i >= len(d.nodes) {
		return -1
	}
	for c := d.nodes[i].firstChild; c > 0; c = d.nodes[c].next {
		if d.nodes[c].name == name && !d.nodes[c].item {
			return c
		}
	}
	return -1
}

func (d *document) value(i int, name string) string {
	if c := d.child(i, name); c >= 0 {
		return d.nodes[c].value
	}
	return ""
}

func (d *document) has(i int, names ...string) bool {
	for _, n := range names {
		if d.child(i, n) < 0 {
			return false
		}
	}
	return true
}

// root emits one document of the stream; i is its node.
func (d *document) root(i int) {
	d.b.SetSummary(d.value(i, "description"))
	if info := d.child(i, "info"); info >= 0 {
		d.b.SetSummary(d.value(info, "title"))
	}
	if d.has(i, "kind", "metadata") {
		if name := d.child(d.child(i, "metadata"), "name"); name >= 0 && d.nodes[name].value != "" {
			n := d.nodes[name]
			if strings.Contains(n.value, "{{") { // filled in by a template
				n = d.nodes[d.child(i, "kind")]
			}
			at := d.symbol(facts.Symbol{
				Name: n.value, Kind: facts.KindKey, Signature: "kind: " + d.value(i, "kind"),
				Span: d.nodes[i].span, NameSpan: n.valueSpan, Doc: d.nodes[i].doc,
			})
			d.b.Within(at, func() {
				for _, c := range d.children(i) {
					if m := d.nodes[c].name; m != "apiVersion" && m != "kind" && m != "metadata" {
						d.keys(c, 2)
					}
				}
			})
			return
		}
	}
	form := d.formOf(i)
	for _, c := range d.children(i) {
		d.topLevel(c, form)
	}
}

func (d *document) symbol(s facts.Symbol) int32 {
	if d.left == 0 || s.Name == "" {
		return -1
	}
	d.left--
	return d.b.Symbol(s)
}

// key makes the symbol of a mapping's key.
func (d *document) key(i int, kind facts.Kind) facts.Symbol {
	n := &d.nodes[i]
	return facts.Symbol{Name: n.name, Kind: kind, Doc: n.doc, Span: n.span, NameSpan: n.nameSpan}
}

// keys emits a key and what lies below it down to the third level.
func (d *document) keys(i, level int) {
	n := &d.nodes[i]
	if n.item || n.name == "<<" || level > 3 || level == 3 && !d.third {
		return
	}
	s := d.key(i, facts.KindKey)
	if level <= 2 {
		s.Init = n.value
	}
	at := d.symbol(s)
	if at < 0 {
		return
	}
	d.b.Within(at, func() {
		for _, c := range d.children(i) {
			d.keys(c, level+1)
		}
	})
}

// form is what a document is for, as its structure shows.
type form uint8

const (
	plain    form = iota
	jobs          // top-level "jobs" hold targets: GitHub, CircleCI, Azure
	gitlab        // every top-level key with a script is a target
	taskfile      // "tasks" hold targets
	action        // a composite action of GitHub with steps
	openAPI       // "paths" hold operations
	compose       // "services" hold images
)

func (d *document) formOf(i int) form {
	switch {
	case d.has(i, "jobs") && (d.has(i, "on") || d.has(i, "true") || d.has(i, "workflows") || d.has(i, "version") || d.has(i, "trigger") || d.has(i, "pool")):
		return jobs
	case d.has(i, "tasks", "version"):
		return taskfile
	case d.has(i, "runs") && d.has(d.child(i, "runs"), "using"):
		return action
	case d.has(i, "paths") && (d.has(i, "openapi") || d.has(i, "swagger")):
		return openAPI
	case d.has(i, "services") && d.child(i, "kind") < 0:
		return compose
	}
	for _, c := range d.children(i) {
		if d.has(c, "script") || d.has(c, "stage") && (d.has(c, "extends") || d.has(c, "trigger")) {
			return gitlab
		}
	}
	return plain
}

func (d *document) topLevel(i int, f form) {
	n := &d.nodes[i]
	switch {
	case f == jobs && n.name == "jobs":
		d.group(i, d.job)
	case f == action && n.name == "runs":
		at := d.symbol(d.key(i, facts.KindKey))
		d.b.Within(at, func() { d.steps(d.child(i, "steps")) })
	case f == taskfile && n.name == "tasks":
		d.group(i, d.task)
	case f == openAPI && n.name == "paths":
		d.group(i, d.path)
	case f == compose && n.name == "services":
		d.group(i, d.service)
	case f == gitlab && (d.has(i, "script") || d.has(i, "trigger") || d.has(i, "extends")) && n.name != "default":
		s := d.key(i, facts.KindTarget)
		s.Signature = d.commandOf(d.child(i, "script"))
		d.symbol(s)
	default:
		d.keys(i, 1)
	}
}

// group emits a key whose members are emitted in a way of their own.
func (d *document) group(i int, each func(int)) {
	at := d.symbol(d.key(i, facts.KindKey))
	d.b.Within(at, func() {
		for _, c := range d.children(i) {
			if d.nodes[c].name != "<<" {
				each(c)
			}
		}
	})
}

func (d *document) job(i int) {
	n := &d.nodes[i]
	if n.item { // Azure: - job: name
		for _, k := range []string{"job", "deployment", "template"} {
			if c := d.child(i, k); c >= 0 {
				s := d.key(i, facts.KindTarget)
				s.Name, s.NameSpan, s.Signature = d.nodes[c].value, d.nodes[c].valueSpan, d.value(i, "displayName")
				at := d.symbol(s)
				d.b.Within(at, func() { d.steps(d.child(i, "steps")) })
				return
			}
		}
		return
	}
	s := d.key(i, facts.KindTarget)
	s.Signature = d.value(i, "name")
	if s.Signature == "" {
		if uses := d.value(i, "uses"); uses != "" {
			s.Signature = "uses: " + uses
		}
	}
	at := d.symbol(s)
	if at >= 0 {
		d.b.Within(at, func() { d.steps(d.child(i, "steps")) })
	}
}

// steps emits the named steps of a job.
func (d *document) steps(i int) {
	if i < 0 {
		return
	}
	for k, c := range d.children(i) {
		if k >= maxSteps {
			return
		}
		for _, key := range []string{"name", "displayName"} {
			name := d.child(c, key)
			if name < 0 || d.nodes[name].value == "" {
				continue
			}
			n := &d.nodes[name]
			s := facts.Symbol{Name: n.value, Kind: facts.KindTarget, Span: d.nodes[c].span, NameSpan: n.valueSpan}
			for _, what := range []string{"run", "script", "bash", "uses", "task"} {
				if x := d.child(c, what); x >= 0 {
					if v := d.commandOf(x); v != "" {
						s.Signature = what + ": " + v
						break
					}
				}
			}
			d.symbol(s)
			break
		}
	}
}

// commandOf is the first command of a node: its text, or that of its first
// item.
func (d *document) commandOf(i int) string {
	if i < 0 {
		return ""
	}
	if v := d.nodes[i].value; v != "" {
		return v
	}
	for _, c := range d.children(i) {
		if v := d.nodes[c].value; v != "" {
			return v
		}
		if v := d.value(c, "cmd"); v != "" {
			return v
		}
	}
	return ""
}

func (d *document) task(i int) {
	if d.nodes[i].item {
		return
	}
	s := d.key(i, facts.KindTarget)
	if desc := d.value(i, "desc"); desc != "" {
		s.Doc = desc
	}
	s.Signature = d.commandOf(d.child(i, "cmd"))
	if s.Signature == "" {
		s.Signature = d.commandOf(d.child(i, "cmds"))
	}
	if s.Signature == "" {
		s.Signature = d.commandOf(i)
	}
	d.symbol(s)
}

func (d *document) path(i int) {
	at := d.symbol(d.key(i, facts.KindKey))
	if at < 0 {
		return
	}
	d.b.Within(at, func() {
		for _, c := range d.children(i) {
			switch d.nodes[c].name {
			case "get", "put", "post", "delete", "patch", "head", "options", "trace":
				s := d.key(c, facts.KindKey)
				s.Signature = d.value(c, "operationId")
				if sum := d.value(c, "summary"); sum != "" {
					s.Doc = sum
				}
				d.symbol(s)
			}
		}
	})
}

func (d *document) service(i int) {
	if d.nodes[i].item {
		return
	}
	s := d.key(i, facts.KindKey)
	for _, k := range []string{"image", "build"} {
		if v := d.value(i, k); v != "" {
			s.Signature = k + ": " + v
			break
		}
		if d.child(i, k) >= 0 && s.Signature == "" {
			s.Signature = strings.TrimSuffix(k+": "+d.value(d.child(i, k), "context"), ": ")
		}
	}
	d.symbol(s)
}
