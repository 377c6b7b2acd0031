package hcl

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// top reads an item of the level of the file.
func (r *reader) top(it *item) {
	if !it.block {
		r.attribute(it)
		return
	}
	labels := make([]string, len(it.labels))
	for i, l := range it.labels {
		labels[i] = r.text(l)
	}
	n := len(labels)
	s := facts.Symbol{Kind: facts.KindVariable}
	inner := r.items(it.from, it.to)
	switch {
	case (it.name == "resource" || it.name == "ephemeral") && n == 2:
		s.Name = labels[0] + "." + labels[1]
		if it.name == "ephemeral" {
			s.Container = it.name
		}
	case (it.name == "data" || it.name == "source") && n == 2:
		s.Name, s.Container = labels[0]+"."+labels[1], it.name
	case it.name == "variable" && n == 1:
		s.Name, s.Container = labels[0], "var"
		s.Type = r.written(find(inner, "type"))
		s.Init = r.short(find(inner, "default"))
		s.Doc = r.string(find(inner, "description"))
	case it.name == "output" && n == 1:
		s.Name, s.Container = labels[0], "output"
		s.Init = r.short(find(inner, "value"))
		s.Doc = r.string(find(inner, "description"))
	case it.name == "module" && n == 1:
		s.Name, s.Container, s.Kind = labels[0], "module", facts.KindModule
		r.source(inner, labels[0])
	case it.name == "provider" && n == 1:
		s.Name, s.Container = labels[0], "provider"
		if a := r.string(find(inner, "alias")); a != "" {
			s.Name += "." + a
		}
	case it.name == "locals" && n == 0:
		for i := range inner {
			if !inner[i].block {
				r.local(&inner[i])
			}
		}
		return
	case it.name == "local" && n == 1:
		s.Name, s.Container, s.Kind = labels[0], "local", facts.KindConstant
	case it.name == "terraform" || it.name == "packer":
		r.settings(it, inner)
		return
	case it.name == "build" && n <= 1:
		r.build(it, inner, labels)
		return
	case it.name == "target" && n == 1 || it.name == "group" && n == 1:
		s.Name, s.Kind = labels[0], facts.KindTarget
		s.Doc = r.string(find(inner, "description"))
		r.put(s, it, it.labels[0], func() { r.bake(inner) })
		return
	case it.name == "function" && n == 1:
		s.Name, s.Kind = labels[0], facts.KindFunction
		if p := find(inner, "params"); p != nil {
			for k := p.from; k < p.to; k++ {
				if r.tokens[k].kind == tokenName {
					s.Params = append(s.Params, facts.Param{Name: r.word(k)})
				}
			}
		}
	case it.name == "run" && n == 1:
		s.Name, s.Kind = labels[0], facts.KindTarget
		r.source(blocksOf(r, inner, "module"), labels[0])
		r.b.AddTrait(facts.TestCode)
	case it.name == "job" && n == 1:
		s.Name, s.Kind = labels[0], facts.KindTarget
		r.put(s, it, it.labels[0], func() { r.nested(inner, 0) })
		return
	case it.name == "dependency" && n == 1:
		s.Name, s.Container, s.Kind = labels[0], "dependency", facts.KindModule
		if p := find(inner, "config_path"); p != nil {
			r.path(p, labels[0])
		}
	case it.name == "include":
		if p := find(inner, "path"); p != nil && n == 1 {
			r.path(p, labels[0])
		}
		s.Kind = facts.KindKey
		s.Name = strings.Join(append([]string{"include"}, labels...), ".")
	case it.name == "moved" || it.name == "removed" || it.name == "import" || it.name == "generate":
		r.references(it.from, it.to)
		return
	default:
		// A configuration of another kind: its keys to the second level.
		s.Name, s.Kind = strings.Join(append([]string{it.name}, labels...), "."), facts.KindKey
		if n > 0 {
			s.Doc = r.string(find(inner, "description"))
		}
		r.put(s, it, it.first, func() {
			for i := range inner {
				r.second(&inner[i])
			}
		})
		return
	}
	name := it.first
	if n > 0 {
		name = it.labels[n-1]
	}
	r.put(s, it, name, func() { r.references(it.from, it.to) })
}

// put adds the symbol of a block and walks its inside.
func (r *reader) put(s facts.Symbol, it *item, name int, walk func()) {
	if s.Signature == "" {
		start, end := r.tokens[it.first].start, it.end
		if it.block {
			end = r.tokens[it.open].start
		}
		s.Signature = strings.ToValidUTF8(string(r.src[start:min(end, start+2*facts.MaxSignature)]), "")
	}
	r.b.Within(r.add(s, it, name), walk)
}

func (r *reader) add(s facts.Symbol, it *item, name int) int32 {
	if r.left == 0 {
		return -1
	}
	r.left--
	n := &r.tokens[name]
	s.NameSpan = facts.Span{Start: uint32(n.start), End: uint32(n.end)}
	if n.kind == tokenString && n.end-n.start >= 2 && r.src[n.end-1] == '"' {
		s.NameSpan.Start++
		s.NameSpan.End--
	}
	s.Span = facts.Span{Start: uint32(r.tokens[it.first].start), End: uint32(max(it.end, n.end))}
	if s.Doc == "" {
		s.Doc = comments.Above(r.src, r.tokens[it.first].start)
	}
	return r.b.Symbol(s)
}

// attribute reads a key of the level of the file.
func (r *reader) attribute(it *item) {
	s := facts.Symbol{Name: it.name, Kind: facts.KindKey, Init: r.short(it)}
	r.keyed(s, it)
}

func (r *reader) keyed(s facts.Symbol, it *item) {
	r.b.Within(r.add(s, it, it.first), func() { r.references(it.from, it.to) })
}

// second reads an item inside a block of an unknown kind.
func (r *reader) second(it *item) {
	if !it.block {
		r.attribute(it)
		return
	}
	s := facts.Symbol{Name: it.name, Kind: facts.KindKey}
	for _, l := range it.labels {
		s.Name += "." + r.text(l)
	}
	r.put(s, it, it.first, func() { r.references(it.from, it.to) })
}

func (r *reader) local(it *item) {
	s := facts.Symbol{Name: it.name, Container: "local", Kind: facts.KindConstant, Init: r.short(it)}
	if s.Init != "" {
		s.Signature = it.name + " = " + s.Init
	}
	r.keyed(s, it)
}

// settings reads terraform and packer blocks: where providers, plugins and the
// state come from.
func (r *reader) settings(it *item, inner []item) {
	for i := range inner {
		in := &inner[i]
		switch {
		case !in.block && in.name == "source":
			r.path(in, "") // Terragrunt
		case in.name == "required_providers" || in.name == "required_plugins":
			from, to := in.from, in.to
			for _, p := range r.items(from, to) {
				module := r.string(&p)
				if p.from < p.to && r.is(p.from, '{') {
					module = r.string(find(r.items(p.from+1, p.to), "source"))
				} else if module != "" {
					module = p.name // a version alone
				}
				if module == "" {
					module = p.name
				}
				r.importing(facts.Import{Module: module, Alias: p.name}, p.first)
			}
		case in.block && (in.name == "backend" || in.name == "cloud"):
			s := facts.Symbol{Name: in.name, Kind: facts.KindKey}
			for _, l := range in.labels {
				s.Name += "." + r.text(l)
			}
			r.put(s, in, in.first, func() {})
		case !in.block && in.name == "required_version":
			r.attribute(in)
		}
	}
	r.references(it.from, it.to)
}

// build reads what Packer builds.
func (r *reader) build(it *item, inner []item, labels []string) {
	s := facts.Symbol{Kind: facts.KindTarget, Name: "build"}
	name := it.first
	if len(labels) > 0 {
		s.Name, name = labels[0], it.labels[0]
	}
	if n := find(inner, "name"); n != nil && r.string(n) != "" {
		s.Name, name = r.string(n), n.from
	}
	s.Doc = r.string(find(inner, "description"))
	r.put(s, it, name, func() {
		r.references(it.from, it.to)
		if n := find(inner, "sources"); n != nil {
			for k := n.from; k < n.to; k++ {
				if t := r.text(k); r.tokens[k].kind == tokenString && strings.HasPrefix(t, "source.") {
					r.reference(facts.RefRead, t[len("source."):], "source", r.tokens[k].start+1+len("source."))
				}
			}
		}
		for i := range inner {
			for _, key := range []string{"script", "scripts", "playbook_file"} {
				if p := find(r.items(inner[i].from, inner[i].to), key); p != nil && inner[i].block {
					r.paths(p)
				}
			}
		}
	})
}

// bake reads the inside of a target or group of a bake file.
func (r *reader) bake(inner []item) {
	for i := range inner {
		in := &inner[i]
		switch in.name {
		case "inherits", "targets":
			kind := facts.RefInherit
			if in.name == "targets" {
				kind = facts.RefCall
			}
			for k := in.from; k < in.to; k++ {
				if r.tokens[k].kind == tokenString && !strings.Contains(r.text(k), "${") {
					r.reference(kind, r.text(k), "", r.tokens[k].start+1)
				}
			}
		case "dockerfile":
			r.path(in, "")
		case "contexts":
			for k := in.from; k < in.to; k++ {
				if t := r.text(k); r.tokens[k].kind == tokenString && strings.HasPrefix(t, "target:") {
					r.reference(facts.RefRead, t[len("target:"):], "", r.tokens[k].start+1+len("target:"))
				}
			}
		}
		r.references(in.from, in.to)
	}
}

// nested reads the groups and tasks of a job.
func (r *reader) nested(inner []item, depth int) {
	for i := range inner {
		in := &inner[i]
		if in.block && len(in.labels) == 1 && depth < maxDepth && (in.name == "group" || in.name == "task" || in.name == "service") {
			s := facts.Symbol{Name: r.text(in.labels[0]), Kind: facts.KindTarget}
			if in.name == "service" {
				s.Kind = facts.KindKey
			}
			r.put(s, in, in.labels[0], func() { r.nested(r.items(in.from, in.to), depth+1) })
			continue
		}
		r.references(in.from, in.to)
	}
}

func find(items []item, name string) *item {
	for i := range items {
		if items[i].name == name {
			return &items[i]
		}
	}
	return nil
}

// blocksOf are the items inside the first block of a type.
func blocksOf(r *reader, items []item, name string) []item {
	if it := find(items, name); it != nil && it.block {
		return r.items(it.from, it.to)
	}
	return nil
}

// string is the value of an attribute that is a string alone.
func (r *reader) string(it *item) string {
	if it == nil || it.block || it.from >= it.to || r.tokens[it.from].kind != tokenString {
		return ""
	}
	return r.text(it.from)
}

// written is a value as written, without what makes a long object.
func (r *reader) written(it *item) string {
	if it == nil || it.block || it.from >= it.to {
		return ""
	}
	start, end := r.tokens[it.from].start, it.end
	if end <= start {
		return ""
	}
	return lang.Collapse(strings.ToValidUTF8(string(r.src[start:min(end, start+2*facts.MaxSignature)]), ""))
}

// short is a value that fits on a line, or "".
func (r *reader) short(it *item) string {
	if it == nil || it.block || it.from >= it.to || it.end-r.tokens[it.from].start > maxInit {
		return ""
	}
	return r.written(it)
}

// source adds what a module is made of.
func (r *reader) source(inner []item, alias string) {
	if it := find(inner, "source"); it != nil {
		r.path(it, alias)
	}
}

// path adds the file, directory or module that an attribute names.
func (r *reader) path(it *item, alias string) {
	if p := r.string(it); p != "" && !strings.Contains(p, "${") {
		if it.name == "dockerfile" && !strings.HasPrefix(p, ".") && !strings.HasPrefix(p, "/") {
			p = "./" + p
		}
		r.importing(facts.Import{Module: p, Alias: alias}, it.first)
	}
}

func (r *reader) paths(it *item) {
	for k := it.from; k < it.to; k++ {
		if t := r.text(k); r.tokens[k].kind == tokenString && !strings.ContainsAny(t, "${*") && t != "" {
			if !strings.HasPrefix(t, ".") && !strings.HasPrefix(t, "/") {
				t = "./" + t
			}
			r.importing(facts.Import{Module: t}, k)
		}
	}
}

// references adds the uses of variables, modules and resources in expressions.
func (r *reader) references(from, to int) {
	for i := from; i < to; i++ {
		if r.tokens[i].kind != tokenName || r.is(i-1, '.') {
			continue
		}
		parts := []int{i}
		for k := i; len(parts) < 4 && r.is(k+1, '.') && k+2 < to && r.tokens[k+2].kind == tokenName; k += 2 {
			parts = append(parts, k+2)
		}
		r.traversal(parts)
	}
}

func (r *reader) traversal(parts []int) {
	name := func(i int) string { return r.word(parts[i]) }
	first := name(0)
	if len(parts) == 1 {
		if r.plain[first] {
			r.reference(facts.RefRead, first, "", r.tokens[parts[0]].start)
		}
		return
	}
	second := r.tokens[parts[1]].start
	switch first {
	case "var", "local", "module", "dependency":
		r.reference(facts.RefRead, name(1), first, second)
	case "data", "source", "ephemeral":
		if len(parts) > 2 {
			r.reference(facts.RefRead, name(1)+"."+name(2), first, second)
		}
	case "run", "target":
		r.reference(facts.RefRead, name(1), "", second)
	case "each", "count", "self", "path", "terraform", "provider", "build":
	default:
		// Types of resources have the provider before an underscore.
		if strings.Contains(first, "_") && first[0] != '_' && !r.locals[first] && !r.is(parts[0]+1, '(') && !r.is(parts[0]-1, '.') {
			r.reference(facts.RefRead, first+"."+name(1), "", r.tokens[parts[0]].start)
		}
	}
}

func (r *reader) reference(kind facts.RefKind, name, qualifier string, at int) {
	if r.refs > 0 {
		r.refs--
		r.b.Reference(kind, name, qualifier, uint32(at))
	}
}

func (r *reader) importing(i facts.Import, token int) {
	if r.imports > 0 {
		r.imports--
		r.b.Import(i, uint32(r.tokens[token].start))
	}
}
