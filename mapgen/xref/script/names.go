package script

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// place is where a name or a type is read: in a definition of a document and,
// for the document that is resolved, in a scope of it.
type place struct {
	doc, sym int32
	scope    int32
	file     *detail // nil where only the outline is known
}

// foundKind is what a name leads to.
type foundKind uint8

const (
	foundNothing foundKind = iota
	foundSymbols
	foundModule   // the module of a document
	foundLocal    // a binding of the file that is resolved
	foundParam    // a type parameter
	foundExternal // something outside the revision
)

type found struct {
	kind     foundKind
	syms     []ref
	doc      int32
	binding  int32
	scope    int32 // of a binding
	param    *typ
	imported bool
}

// lookup finds what a name means at a place: scopes from the inside out, the
// definitions around, the file, its imports, what is global. types asks for the
// name of a type.
func (r *Resolver) lookup(pl place, name string, types bool, uses *edges.Uses) found {
	if pl.file != nil && pl.scope >= 0 {
		if f := pl.file.local(r, pl.scope, name, types); f.kind != foundNothing {
			return f
		}
	}
	uses.Doc(int(pl.doc))
	o := r.outline(pl.doc)
	for at := pl.sym; at >= 0; at = o.f.Symbols[at].Parent {
		s := &o.f.Symbols[at]
		if types {
			if t := r.paramNamed(ref{pl.doc, at}, name); t != nil {
				return found{kind: foundParam, param: t}
			}
		}
		switch s.Kind {
		case facts.KindModule, facts.KindEnum:
			if syms := r.members(ref{pl.doc, at}, name); len(syms) > 0 {
				return found{kind: foundSymbols, syms: syms}
			}
		case facts.KindClass, facts.KindInterface, facts.KindType:
		default:
			if syms := r.inner(ref{pl.doc, at}, name); len(syms) > 0 {
				return found{kind: foundSymbols, syms: syms}
			}
		}
	}
	if syms := o.top[name]; len(syms) > 0 {
		return found{kind: foundSymbols, syms: refs(pl.doc, syms)}
	}
	if imp, ok := o.imports[name]; ok {
		f := r.follow(pl.doc, imp, uses)
		f.imported = true
		return f
	}
	return r.global(name, uses)
}

func refs(doc int32, syms []int32) []ref {
	out := make([]ref, len(syms))
	for i, s := range syms {
		out[i] = ref{doc, s}
	}
	return out
}

// inner are the definitions in the body of one that have a name.
func (r *Resolver) inner(at ref, name string) []ref {
	o := r.outline(at.doc)
	var out []ref
	for _, k := range o.kids[at.sym] {
		if s := &o.f.Symbols[k]; s.Name == name && s.Flags&facts.InBody != 0 && lexical(s.Kind) {
			out = append(out, ref{at.doc, k})
		}
	}
	return out
}

// members are the definitions of a name in a namespace or enum and those that
// merge with it.
func (r *Resolver) members(at ref, name string) []ref {
	var out []ref
	for _, part := range r.siblings(at) {
		o := r.outline(part.doc)
		switch o.f.Symbols[part.sym].Kind {
		case facts.KindModule, facts.KindEnum:
			for _, k := range o.kids[part.sym] {
				if o.f.Symbols[k].Name == name {
					out = append(out, ref{part.doc, k})
				}
			}
		}
	}
	return out
}

// follow is what an imported name leads to.
func (r *Resolver) follow(doc int32, imp imported, uses *edges.Uses) found {
	targets := r.p.ImportedDocs(int(doc), int(imp.clause))
	if len(targets) == 0 {
		return r.ambientName(r.p.Files[doc].File.Imports[imp.clause].Module, imp.name, uses)
	}
	for _, t := range targets {
		uses.Doc(t)
		if !r.mine(int32(t)) {
			continue
		}
		if imp.name == "*" {
			uses.Doc(t)
			return found{kind: foundModule, doc: int32(t)}
		}
		if f := r.export(int32(t), imp.name, uses); f.kind != foundNothing {
			return f
		}
	}
	return found{}
}

type exportKey struct {
	doc  int32
	name string
}

type exportAnswer struct {
	found found
	uses  *edges.Uses
}

// export is what a module gives away under a name, through any number of
// re-exports. Circles of modules end where they began.
func (r *Resolver) export(doc int32, name string, uses *edges.Uses) found {
	key := exportKey{doc, name}
	a, known := r.exported[key]
	if !known {
		a.uses = &edges.Uses{}
		a.found = r.findExport(key, map[exportKey]bool{}, a.uses)
		r.exported[key] = a
	}
	uses.Add(a.uses)
	return a.found
}

func (r *Resolver) findExport(key exportKey, seen map[exportKey]bool, uses *edges.Uses) found {
	if seen[key] || !r.mine(key.doc) {
		return found{}
	}
	seen[key] = true
	uses.Doc(int(key.doc))
	o := r.outline(key.doc)
	for _, i := range o.exports[key.name] {
		e := &o.f.Exports[i]
		local := e.Local
		if local == "" {
			local = e.Name
		}
		if e.Module == "" {
			if f := r.exportedLocal(key.doc, local, seen, uses); f.kind != foundNothing {
				return f
			}
			continue
		}
		for _, t := range r.reexported(key.doc, e.Module) {
			if local == "*" {
				uses.Doc(int(t))
				return found{kind: foundModule, doc: t}
			}
			if f := r.findExport(exportKey{t, local}, seen, uses); f.kind != foundNothing {
				return f
			}
		}
	}
	if syms := r.exportedSymbols(o, key.name); len(syms) > 0 {
		return found{kind: foundSymbols, syms: refs(key.doc, syms)}
	}
	for _, i := range o.stars {
		if key.name == "default" && o.f.Language != "javascript" {
			break
		}
		for _, t := range r.reexported(key.doc, o.f.Exports[i].Module) {
			if f := r.findExport(exportKey{t, key.name}, seen, uses); f.kind != foundNothing {
				return f
			}
		}
	}
	return found{}
}

func (r *Resolver) exportedLocal(doc int32, local string, seen map[exportKey]bool, uses *edges.Uses) found {
	o := r.outline(doc)
	if syms := o.top[local]; len(syms) > 0 {
		return found{kind: foundSymbols, syms: refs(doc, syms)}
	}
	imp, ok := o.imports[local]
	if !ok {
		return found{}
	}
	targets := r.p.ImportedDocs(int(doc), int(imp.clause))
	if len(targets) == 0 {
		return found{kind: foundExternal}
	}
	for _, t := range targets {
		if imp.name == "*" {
			uses.Doc(t)
			return found{kind: foundModule, doc: int32(t)}
		}
		if f := r.findExport(exportKey{int32(t), imp.name}, seen, uses); f.kind != foundNothing {
			return f
		}
	}
	return found{}
}

// exportedSymbols are the definitions that carry an export themselves, and, in
// a declaration file, all.
func (r *Resolver) exportedSymbols(o *outline, name string) []int32 {
	var out []int32
	if name == "default" {
		for i := range o.f.Symbols {
			if s := &o.f.Symbols[i]; s.Flags&facts.DefaultExport != 0 && s.Parent < 0 {
				out = append(out, int32(i))
			}
		}
		return out
	}
	exported := false
	for _, i := range o.top[name] {
		s := &o.f.Symbols[i]
		exported = exported || s.Flags&(facts.Exported|facts.Declaration) != 0
	}
	if exported {
		return o.top[name]
	}
	return nil
}

// reexported are the documents of the module that an export clause names.
func (r *Resolver) reexported(doc int32, module string) []int32 {
	f := r.p.Files[doc].File
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Module == module && m.Flags&facts.ImportReexport != 0 {
			var out []int32
			for _, t := range r.p.ImportedDocs(int(doc), i) {
				out = append(out, int32(t))
			}
			return out
		}
	}
	return nil
}

// global finds what scripts and global augmentations declare.
func (r *Resolver) global(name string, uses *edges.Uses) found {
	uses.Key(keyGlobal + name)
	syms := r.globals[name]
	if len(syms) == 0 {
		return found{}
	}
	for _, s := range syms {
		uses.Doc(int(s.doc))
	}
	return found{kind: foundSymbols, syms: syms}
}

// ambientName is what declare module 'x' declares for a module that no file of
// the revision is.
func (r *Resolver) ambientName(module, name string, uses *edges.Uses) found {
	uses.Key(keyAmbient + module)
	var syms []ref
	for _, m := range r.ambient[module] {
		uses.Doc(int(m.doc))
		if name != "default" {
			syms = append(syms, r.members(m, name)...)
			continue
		}
		o := r.outline(m.doc)
		for _, k := range o.kids[m.sym] {
			if o.f.Symbols[k].Flags&facts.DefaultExport != 0 {
				syms = append(syms, ref{m.doc, k})
			}
		}
	}
	if len(syms) == 0 {
		return found{kind: foundExternal}
	}
	return found{kind: foundSymbols, syms: dedup(syms)}
}
