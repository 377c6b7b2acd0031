package script

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// ref is a definition: a document and the index of a symbol in it.
type ref struct{ doc, sym int32 }

// outline is what the resolver looks up in one document, derived from its
// symbols, imports and exports alone.
type outline struct {
	f *facts.File
	// kids are the symbols inside each symbol.
	kids [][]int32
	// top are the definitions at the level of the file by name; owned are
	// members put into something that is known by its name only (methods of a
	// prototype), by that name.
	top, owned map[string][]int32
	// imports are the local names of imports.
	imports map[string]imported
	// exports are the export clauses that give a name, stars those that give all.
	exports map[string][]int32
	stars   []int32
	// script: what stands at the level of the file is seen by every file.
	script bool
	params map[int32][]typeParam
}

// imported is a local name that an import clause makes.
type imported struct {
	clause int32
	name   string // "*" for the whole module
}

// outline prepares a document when it is first looked at.
func (r *Resolver) outline(doc int32) *outline {
	if o := r.outlines[doc]; o != nil {
		return o
	}
	f := r.p.Files[doc].File
	o := &outline{
		f: f, kids: make([][]int32, len(f.Symbols)), top: map[string][]int32{}, owned: map[string][]int32{},
		imports: map[string]imported{}, exports: map[string][]int32{}, script: isScript(f), params: map[int32][]typeParam{},
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		switch {
		case s.Parent >= 0:
			o.kids[s.Parent] = append(o.kids[s.Parent], int32(i))
		case s.Flags&facts.InBody != 0:
		case s.Container != "":
			o.owned[s.Container] = append(o.owned[s.Container], int32(i))
		default:
			o.top[s.Name] = append(o.top[s.Name], int32(i))
		}
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Flags&facts.ImportReexport != 0 {
			continue
		}
		if m.Alias != "" {
			o.imports[m.Alias] = imported{int32(i), "*"}
		}
		if m.Flags&facts.ImportDynamic != 0 {
			continue
		}
		for _, n := range m.Names {
			local := n.Name
			if n.Alias != "" {
				local = n.Alias
			}
			o.imports[local] = imported{int32(i), n.Name}
		}
	}
	for i := range f.Exports {
		if e := &f.Exports[i]; e.Name == "*" {
			o.stars = append(o.stars, int32(i))
		} else {
			o.exports[e.Name] = append(o.exports[e.Name], int32(i))
		}
	}
	r.outlines[doc] = o
	return o
}

// isScript tells a file without imports and exports, whose definitions are
// global. Single-file components are modules always.
func isScript(f *facts.File) bool {
	switch f.Language {
	case "javascript", "typescript", "tsx":
	default:
		return false
	}
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Flags&facts.ImportDynamic == 0 && !inAmbientModule(f, m.Line) {
			return false
		}
	}
	if len(f.Exports) > 0 {
		return false
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Parent < 0 && s.Flags&(facts.Exported|facts.DefaultExport) != 0 {
			return false
		}
	}
	return true
}

// inAmbientModule tells whether a line stands in declare module 'x'.
func inAmbientModule(f *facts.File, line uint32) bool {
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Parent < 0 && quotedModule(s) && s.Line < line && line <= s.EndLine {
			return true
		}
	}
	return false
}

// declaredText is the declared type of a definition as it was written, in full.
func declaredText(s *facts.Symbol) string {
	if len(s.Params) > 0 && s.Params[0].Name == "=" {
		return s.Params[0].Type
	}
	return s.Type
}

func (r *Resolver) symbol(s ref) *facts.Symbol { return &r.p.Files[s.doc].File.Symbols[s.sym] }

// lexical tells whether a definition in a body is a name of its scope, not a
// member of something.
func lexical(k facts.Kind) bool {
	switch k {
	case facts.KindFunction, facts.KindClass, facts.KindInterface, facts.KindType, facts.KindEnum, facts.KindModule, facts.KindVariable, facts.KindConstant:
		return true
	}
	return false
}

// quotedModule tells the name of declare module 'x' from that of a namespace.
func quotedModule(s *facts.Symbol) bool {
	return s.Kind == facts.KindModule && (strings.Contains(s.Signature, "module '") || strings.Contains(s.Signature, `module "`))
}

// siblings are the definitions that merge with one: those of the same name in
// the same place, itself included.
func (r *Resolver) siblings(at ref) []ref {
	o := r.outline(at.doc)
	s := r.symbol(at)
	var list []int32
	switch {
	case s.Parent >= 0:
		list = o.kids[s.Parent]
	case s.Flags&facts.InBody != 0:
		return []ref{at}
	case s.Container != "":
		list = o.owned[s.Container]
	default:
		list = o.top[s.Name]
	}
	var out []ref
	for _, i := range list {
		if t := &o.f.Symbols[i]; t.Name == s.Name && (s.Parent < 0 || t.Flags&facts.Static == s.Flags&facts.Static) {
			out = append(out, ref{at.doc, i})
		}
	}
	return out
}

// typeParams are the type parameters of a definition, read from its signature.
func (r *Resolver) typeParams(at ref) []typeParam {
	o := r.outline(at.doc)
	if tps, known := o.params[at.sym]; known {
		return tps
	}
	var tps []typeParam
	s := &o.f.Symbols[at.sym]
	if i := strings.IndexByte(s.Signature, '<'); i >= 0 {
		if k := strings.Index(s.Signature, s.Name); k >= 0 && k < i {
			between := strings.TrimSpace(s.Signature[k+len(s.Name) : i])
			switch strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(between, "?!=: "), "async")) {
			case "", "function":
				if !strings.HasPrefix(between, ":") {
					tps = parseTypeParams(s.Signature[i:])
				}
			}
		}
	}
	o.params[at.sym] = tps
	return tps
}
