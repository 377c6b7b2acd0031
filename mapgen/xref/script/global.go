package script

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// declareGlobals collects what scripts, global augmentations and module
// augmentations declare.
func (r *Resolver) declareGlobals() {
	type augmentation struct {
		doc int32
		sym int32
	}
	var augmentations []augmentation
	for d := range r.p.Files {
		doc := int32(d)
		if !r.mine(doc) {
			continue
		}
		f := r.p.Files[d].File
		script := isScript(f)
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if s.Parent >= 0 {
				if p := &f.Symbols[s.Parent]; p.Kind == facts.KindModule && p.Name == "global" && p.Parent < 0 && p.Flags&facts.Declaration != 0 {
					r.globals[s.Name] = append(r.globals[s.Name], ref{doc, int32(i)})
				}
				continue
			}
			switch {
			case s.Flags&facts.InBody != 0 || s.Container != "":
			case quotedModule(s):
				augmentations = append(augmentations, augmentation{doc, int32(i)})
				r.ambient[s.Name] = append(r.ambient[s.Name], ref{doc, int32(i)})
				if n := len(r.augmenting); n == 0 || r.augmenting[n-1] != d {
					r.augmenting = append(r.augmenting, d)
				}
			case script:
				r.globals[s.Name] = append(r.globals[s.Name], ref{doc, int32(i)})
			}
		}
	}
	r.joinGlobals()
	for _, a := range augmentations {
		r.augment(a.doc, a.sym)
	}
}

// joinGlobals makes one entity of the global types of a name.
func (r *Resolver) joinGlobals() {
	names := make([]string, 0, len(r.globals))
	for n, syms := range r.globals {
		if len(syms) > 1 {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		lead := ref{-1, -1}
		for _, s := range r.globals[n] {
			switch r.symbol(s).Kind {
			case facts.KindInterface, facts.KindClass, facts.KindModule:
				if lead.sym < 0 {
					lead = s
				} else if s.doc != lead.doc {
					r.join(lead, s)
				}
			}
		}
	}
}

func (r *Resolver) join(lead, part ref) {
	if first := r.siblings(lead)[0]; first != lead {
		lead = first
	}
	r.leads[r.siblings(part)[0]] = lead
	r.extra[lead] = append(r.extra[lead], part)
}

// augment joins what declare module 'x' holds with what the module x exports.
func (r *Resolver) augment(doc, sym int32) {
	name := r.p.Files[doc].File.Symbols[sym].Name
	uses := &edges.Uses{}
	target := r.importedModule(doc, name, uses)
	if target.kind != foundModule && !strings.HasPrefix(name, ".") {
		for d := range r.p.Files {
			if !r.mine(int32(d)) {
				continue
			}
			if target = r.importedModule(int32(d), name, uses); target.kind == foundModule {
				break
			}
		}
	}
	if target.kind != foundModule {
		return
	}
	o := r.outline(doc)
	for _, k := range o.kids[sym] {
		f := r.export(target.doc, o.f.Symbols[k].Name, uses)
		if f.kind != foundSymbols {
			continue
		}
		for _, s := range f.syms {
			switch r.symbol(s).Kind {
			case facts.KindInterface, facts.KindClass, facts.KindModule:
				if s != (ref{doc, k}) && s.doc != doc {
					r.join(r.first(s), ref{doc, k})
				}
			default:
				continue
			}
			break
		}
	}
}

// namesakes are definitions by name, at most one more than may be meant.
type namesakes struct {
	members, exported map[string][]ref
}

func (r *Resolver) namesakes() *namesakes {
	if r.named != nil {
		return r.named
	}
	n := &namesakes{members: map[string][]ref{}, exported: map[string][]ref{}}
	add := func(m map[string][]ref, name string, at ref) {
		if len(m[name]) <= maxNamesakes {
			m[name] = append(m[name], at)
		}
	}
	for d := range r.p.Files {
		if !r.mine(int32(d)) {
			continue
		}
		f := r.p.Files[d].File
		for i := range f.Symbols {
			s := &f.Symbols[i]
			at := ref{int32(d), int32(i)}
			switch s.Kind {
			case facts.KindMethod, facts.KindField, facts.KindProperty:
				if s.Parent >= 0 || s.Container != "" {
					add(n.members, s.Name, at)
				}
			default:
				if s.Parent < 0 && s.Flags&(facts.Exported|facts.DefaultExport) != 0 {
					add(n.exported, s.Name, at)
				}
			}
		}
	}
	r.named = n
	return n
}

// byName adds the edges of a name about which nothing else is known.
func (w *work) byName(i int32, x *facts.Reference, key string) {
	n := w.r.namesakes()
	all, rule := n.members[x.Name], ruleMemberByName
	if key == keyExported {
		all, rule = n.exported[x.Name], ruleByName
	}
	w.uses.Key(key + x.Name)
	if len(all) > maxNamesakes {
		return
	}
	for _, s := range all {
		w.edge(i, s, edges.ByName, rule)
	}
}

// Group lists the documents of a group that was searched.
func (r *Resolver) Group(key string) []int {
	var syms []ref
	switch {
	case key == keyAugment:
		return r.augmenting
	case strings.HasPrefix(key, keyGlobal):
		syms = r.globals[strings.TrimPrefix(key, keyGlobal)]
	case strings.HasPrefix(key, keyAmbient):
		syms = r.ambient[strings.TrimPrefix(key, keyAmbient)]
	case strings.HasPrefix(key, keyMember):
		syms = r.namesakes().members[strings.TrimPrefix(key, keyMember)]
	case strings.HasPrefix(key, keyExported):
		syms = r.namesakes().exported[strings.TrimPrefix(key, keyExported)]
	}
	var out []int
	for _, s := range syms {
		if n := len(out); n == 0 || out[n-1] != int(s.doc) {
			out = append(out, int(s.doc))
		}
	}
	return out
}

// common are members that objects of the language have: their name says nothing.
var common = set(
	"length", "push", "pop", "shift", "unshift", "slice", "splice", "concat", "join", "map", "filter", "forEach", "reduce", "some", "every", "find",
	"findIndex", "includes", "indexOf", "lastIndexOf", "sort", "reverse", "keys", "values", "entries", "has", "get", "set", "add", "delete", "clear",
	"size", "then", "catch", "finally", "toString", "valueOf", "toJSON", "call", "apply", "bind", "prototype", "constructor", "name", "message",
	"stack", "replace", "split", "trim", "match", "test", "exec", "charAt", "charCodeAt", "substring", "substr", "startsWith", "endsWith",
	"toLowerCase", "toUpperCase", "padStart", "padEnd", "repeat", "search", "at", "fill", "flat", "flatMap", "next", "return", "throw", "done",
	"value", "hasOwnProperty", "isPrototypeOf", "log", "warn", "error", "info", "on", "off", "once", "emit", "id", "type", "key", "data", "default",
	"append", "remove", "style", "target", "url", "path", "parse", "stringify", "assign", "create", "freeze", "defineProperty", "index", "input",
	"text", "children", "parent", "className", "textContent", "innerHTML", "appendChild", "addEventListener", "removeEventListener", "querySelector",
	"querySelectorAll", "getAttribute", "setAttribute", "width", "height", "top", "left", "x", "y", "href", "src", "title", "status", "code",
)
