// Package script resolves references of TypeScript and JavaScript, and of the
// scripts in single-file components, from facts.
//
// Names are looked up the way the language does: scopes, the definitions
// around, the file, its imports through any number of re-exports, globals.
// Members are looked up on types, which are read from the text of declared
// types and from the shapes of initialisers; nothing is inferred from control
// flow. A type that nobody declared and no shape tells is unknown, and a member
// of it leads nowhere or, by its name alone, to the few definitions that have
// the name.
package script

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Rules. Each has one mark.
const (
	// ruleName: the scopes of a file decide what a bare name is.
	ruleName = "name" // Exact
	// ruleImport: import and export clauses name what they bring.
	ruleImport = "import" // Exact
	// ruleImported: a bare name that an import clause made.
	ruleImported = "imported name" // Exact
	// ruleGlobal: a declaration of a script is seen by every file.
	ruleGlobal = "global name" // Exact
	// ruleModule: a member of a module or namespace is one of its exports.
	ruleModule = "module member" // Exact
	// ruleThis: members of the class that code stands in.
	ruleThis = "member of this" // Exact
	// ruleMember: a member of a type that is declared or made by a chain of
	// declared results; also of a union whose parts all have the same member.
	ruleMember = "member" // Exact
	// ruleConstructor: new leads to the constructor of the class.
	ruleConstructor = "constructor" // Exact
	// ruleUnion: which member of a union a value is, control flow decides; types
	// that a conditional type or a contextual parameter gives can be other ones;
	// and of several things that are spread into one object each can have a member.
	ruleUnion = "member of a union" // Likely
	// ruleDeclaredKey: the key of an object literal whose type is declared.
	ruleDeclaredKey = "key of a declared type" // Exact
	// ruleParameterKey: the same where a parameter or result has the type, and
	// nothing else, not even nothing at all, can be handed to it.
	ruleParameterKey = "key of a parameter" // Exact
	// ruleKey: the key of an object literal means the member of the type that the
	// literal is handed to; overloads and inference can choose another one.
	ruleKey = "contextual key" // Likely
	// ruleMemberByName and ruleByName: nothing but the name is known.
	ruleMemberByName = "member by name" // ByName
	ruleByName       = "exported name"  // ByName
)

// maxNamesakes is how many definitions of one name a reference by name may mean.
const maxNamesakes = 5

const (
	keyGlobal   = "script:global:"
	keyAmbient  = "script:ambient:"
	keyMember   = "script:member:"
	keyExported = "script:exported:"
	keyAugment  = "script:augmentations"
)

// Resolver resolves references of one program. It is not safe for concurrent
// use.
type Resolver struct {
	p        *edges.Program
	outlines []*outline
	exprs    map[string]*expr
	exported map[exportKey]exportAnswer
	stack    edges.Stack

	found       edges.Memo[memberKey, []hit]
	extends     edges.Memo[ref, []*typ]
	values      edges.Memo[ref, *typ]
	results     edges.Memo[ref, *typ]
	aliases     edges.Memo[ref, *typ]
	constraints edges.Memo[paramKey, *typ]

	// globals are the definitions that every file sees, by name; ambient those of
	// declare module 'x', by the module.
	globals map[string][]ref
	ambient map[string][]ref
	// augmenting are the documents that add to definitions of others; extra are
	// what they add, by the definition that stands for the whole, and leads that
	// definition for each part of a whole that several documents make.
	augmenting []int
	extra      map[ref][]ref
	leads      map[ref]ref
	// named are members and exported definitions by name, made when first asked.
	named *namesakes
}

// New prepares the global tables of a program from its outlines.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)), exprs: map[string]*expr{}, exported: map[exportKey]exportAnswer{},
		globals: map[string][]ref{}, ambient: map[string][]ref{}, extra: map[ref][]ref{}, leads: map[ref]ref{},
	}
	r.found.Stack, r.extends.Stack, r.values.Stack = &r.stack, &r.stack, &r.stack
	r.results.Stack, r.aliases.Stack, r.constraints.Stack = &r.stack, &r.stack, &r.stack
	r.declareGlobals()
	return r
}

// mine tells whether a document is of this ecosystem.
func (r *Resolver) mine(doc int32) bool {
	f := r.p.Files[doc].File
	return f.Family == "javascript" && f.Outlined()
}

// Resolve appends the edges of a document.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if !r.mine(int32(doc)) {
		return out
	}
	if uses == nil {
		uses = &edges.Uses{}
	}
	w := &work{r: r, d: newDetail(int32(doc), f, uses), uses: uses}
	for i := range f.Refs {
		w.reference(int32(i), &f.Refs[i])
	}
	return append(out, edges.Sort(w.out)...)
}

// work is the resolution of one document.
type work struct {
	r    *Resolver
	d    *detail
	uses *edges.Uses
	out  []edges.Edge
}

func (w *work) edge(i int32, to ref, mark edges.Mark, rule string) {
	w.out = append(w.out, edges.Edge{Ref: i, Doc: to.doc, Symbol: to.sym, Mark: mark, Rule: rule})
}

func (w *work) reference(i int32, x *facts.Reference) {
	pl := place{doc: w.d.doc, sym: x.Enclosing, scope: w.d.scopes.At(x.Start), file: w.d}
	switch {
	case x.Kind == facts.RefImport:
		w.importReference(i, x)
	case x.Name == "super" && x.Qualifier == "":
		w.superCall(i, pl)
	case x.Qualifier == "":
		w.bareName(i, x, pl)
	case x.Qualifier == "?" && x.Kind == facts.RefType:
		w.importType(i, x)
	default:
		w.member(i, x, pl)
	}
}

// importReference resolves a name in an import or re-export clause: the nearest
// clause above that has it.
func (w *work) importReference(i int32, x *facts.Reference) {
	best, name := -1, ""
	for k := range w.d.f.Imports {
		m := &w.d.f.Imports[k]
		if m.Line > x.Line {
			break
		}
		for _, n := range m.Names {
			if n.Name == x.Name || n.Alias == x.Name {
				best, name = k, n.Name
			}
		}
	}
	if best < 0 {
		w.exportReference(i, x)
		return
	}
	f := w.r.follow(w.d.doc, imported{int32(best), name}, w.uses)
	if f.kind == foundSymbols {
		for _, s := range f.syms {
			w.edge(i, s, edges.Exact, ruleImport)
		}
	}
}

// exportReference resolves the new name in export { a as b }.
func (w *work) exportReference(i int32, x *facts.Reference) {
	f := w.r.export(w.d.doc, x.Name, w.uses)
	if f.kind == foundSymbols {
		for _, s := range f.syms {
			w.edge(i, s, edges.Exact, ruleImport)
		}
	}
}

// importType resolves Name of import('module').Name.
func (w *work) importType(i int32, x *facts.Reference) {
	for k := range w.d.f.Imports {
		m := &w.d.f.Imports[k]
		if m.Line > x.Line || m.Flags&facts.ImportDynamic == 0 || !slices.ContainsFunc(m.Names, func(n facts.ImportedName) bool { return n.Name == x.Name }) {
			continue
		}
		if f := w.r.follow(w.d.doc, imported{int32(k), x.Name}, w.uses); f.kind == foundSymbols {
			for _, s := range f.syms {
				w.edge(i, s, edges.Exact, ruleImport)
			}
		}
	}
}

// superCall leads to the constructor of the class that is extended.
func (w *work) superCall(i int32, pl place) {
	t := w.r.super(pl, w.uses)
	if t == nil || t.kind != typeInstance {
		return
	}
	for _, p := range w.r.parts(t.at, w.uses) {
		for _, c := range w.r.constructors(p) {
			w.edge(i, c, edges.Exact, ruleConstructor)
		}
	}
}

func (w *work) bareName(i int32, x *facts.Reference, pl place) {
	f := w.r.lookup(pl, x.Name, x.Kind == facts.RefType, w.uses)
	if x.Kind == facts.RefCall || x.Kind == facts.RefRead {
		f = w.r.asValue(f, x.Name)
	}
	switch f.kind {
	case foundSymbols:
		rule := ruleName
		if f.imported {
			rule = ruleImported
		} else if f.syms[0].doc != w.d.doc {
			rule = ruleGlobal
		}
		for _, s := range f.syms {
			w.named(i, x, s, rule)
		}
	case foundModule:
		// A CommonJS module is the value it exports.
		if (x.Kind == facts.RefCall || w.r.commonJS(w.d.doc)) && w.r.commonJS(f.doc) {
			if d := w.r.export(f.doc, "default", w.uses); d.kind == foundSymbols {
				for _, s := range d.syms {
					w.named(i, x, s, ruleImported)
				}
			}
		}
	case foundNothing:
		if !standard[x.Name] {
			w.byName(i, x, keyExported)
		}
	}
}

// named makes the edge to a definition, or, where a class is called, to its
// constructor.
func (w *work) named(i int32, x *facts.Reference, s ref, rule string) {
	if x.Kind == facts.RefCall && w.r.symbol(s).Kind == facts.KindClass {
		if ctors := w.r.constructors(s); len(ctors) > 0 {
			for _, c := range ctors {
				w.edge(i, c, edges.Exact, ruleConstructor)
			}
			return
		}
	}
	w.edge(i, s, edges.Exact, rule)
}

func (w *work) member(i int32, x *facts.Reference, pl place) {
	shape, contextual := strings.CutSuffix(x.Qualifier, endKey)
	if !contextual {
		if shape, contextual = strings.CutSuffix(x.Qualifier, endShort); contextual {
			w.bareName(i, x, pl)
		}
	}
	if (x.Kind == facts.RefType || x.Kind == facts.RefInherit) && !strings.ContainsAny(shape, "()[]{}# ") {
		if f := w.r.lookupPath(shape+"."+x.Name, pl, w.uses); f.kind == foundSymbols {
			for _, s := range f.syms {
				w.edge(i, s, edges.Exact, ruleModule)
			}
			return
		}
	}
	t := w.d.shape(w.r, shape, pl)
	if t == nil {
		if !contextual && !common[x.Name] {
			w.byName(i, x, keyMember)
		}
		return
	}
	rule := ruleMember
	switch {
	case contextual:
		if rule = ruleDeclaredKey; strings.Contains(strings.ReplaceAll(shape, ".(@is ", ""), ".(@") {
			rule = ruleParameterKey
		}
	case t.kind == typeModule || t.kind == typeNamespace:
		rule = ruleModule
	case x.Qualifier == "this" || x.Qualifier == "super":
		rule = ruleThis
	}
	for _, h := range w.r.membersOf(t, x.Name, w.uses) {
		switch {
		case h.at.sym < 0:
		case contextual && (h.likely || t.partial || t.kind == typeUnion):
			w.edge(i, h.at, edges.Likely, ruleKey)
		case h.likely:
			w.edge(i, h.at, edges.Likely, ruleUnion)
		default:
			w.named(i, x, h.at, rule)
		}
	}
}

// Rules lists the names of the rules, for measuring.
func Rules() []string {
	return []string{
		ruleName, ruleImport, ruleImported, ruleGlobal, ruleModule, ruleThis, ruleMember, ruleConstructor, ruleUnion, ruleDeclaredKey, ruleParameterKey, ruleKey,
		ruleMemberByName, ruleByName,
	}
}
