package golang

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Rules, with the mark that each deserves.
const (
	// rulePackage: a name that no scope of the file binds is one of its package.
	// The language has no other place to look, and alternatives that build tags
	// choose between are all meant. Exact.
	rulePackage = "package"
	// ruleLocalType: a type declared in a body, by the scopes of the file. Exact.
	ruleLocalType = "local type"
	// ruleImport: a name behind the name of an imported package. Exact.
	ruleImport = "import"
	// ruleDotImport: a name that the package does not define and one that it
	// imports with a dot does. Exact.
	ruleDotImport = "dot import"
	// ruleField: a field of the type that stands before the dot, as declared or
	// as its initialiser gives it. Go infers from nothing else. Exact.
	ruleField = "field"
	// ruleMethod: a method of the type before the dot. Exact.
	ruleMethod = "method"
	// ruleInterface: a method of the interface before the dot; which type is
	// behind it is another question. Exact.
	ruleInterface = "interface method"
	// ruleConstraint: a method that the constraint of a type parameter has. Exact.
	ruleConstraint = "constraint"
	// rulePromoted: a member of an embedded type, at the least depth. Exact.
	rulePromoted = "promoted"
	// ruleHidden: the same, where a type from outside is embedded less deep, or a
	// file of the package was not parsed: a member of the name may be nearer.
	// Likely.
	ruleHidden = "promoted past an external type"
	// ruleBehind: a member of what such a member gives. Likely, as it is.
	ruleBehind = "behind a promoted member"
	// ruleKey: a key of a struct literal. Exact.
	ruleKey = "literal key"
	// ruleIndex: a key of an array, slice or map literal that is a name of the
	// package. Exact.
	ruleIndex = "literal index"
	// ruleName: the type before the dot is not known, and few members have the
	// name. By name.
	ruleName = "name of a member"
)

// maxGuesses bounds the definitions that one name can be guessed to mean.
const maxGuesses = 5

// reference appends the edges of one reference.
func (r *Resolver) reference(i int32, ref *facts.Reference, out []edges.Edge) []edges.Edge {
	doc := r.local.doc
	add := func(syms []symRef, rule string, mark edges.Mark) {
		for _, s := range syms {
			out = append(out, edges.Edge{Ref: i, Doc: s.doc, Symbol: s.sym, Mark: mark, Rule: rule})
		}
	}
	in := env{doc: doc, owner: symRef{doc, nobody}, local: true, scope: r.local.scopes.At(ref.Start), at: ref.Start}
	if ref.Qualifier == "" {
		syms, rule := r.bare(ref.Name, in)
		add(syms, rule, edges.Exact)
		return out
	}
	key := ref.Kind == facts.RefRead && strings.HasSuffix(ref.Qualifier, "{}")
	r.unsure = false
	t := r.value(r.shape(ref.Qualifier, in))
	if t.kind == pack {
		add(r.visible(t.pkg.names[ref.Name], doc), ruleImport, edges.Exact)
		return out
	}
	m := r.member(t, ref.Name, doc)
	switch {
	case len(m.syms) > 0 && r.unsure:
		add(m.syms, ruleBehind, edges.Likely)
	case len(m.syms) > 0 && m.hidden:
		add(m.syms, ruleHidden, edges.Likely)
	case len(m.syms) > 0:
		if key && m.rule == ruleField {
			m.rule = ruleKey
		}
		add(m.syms, m.rule, edges.Exact)
	case key && m.state != unknown && isIndexed(r.under(t)):
		if syms, _ := r.bare(ref.Name, in); len(syms) > 0 {
			add(syms, ruleIndex, edges.Exact)
		}
	case m.state == unknown && t.kind != basic:
		add(r.guess(ref, doc), ruleName, edges.ByName)
	}
	return out
}

func isIndexed(t *typ) bool { return t.kind == slice || t.kind == mapping }

// bare finds what a name without a qualifier means; nothing for what bodies
// bind.
func (r *Resolver) bare(name string, in env) ([]symRef, string) {
	b, s := r.local.find(in.scope, in.at, name)
	if b >= 0 {
		return nil, ""
	}
	if s >= 0 {
		return []symRef{{in.doc, s}}, ruleLocalType
	}
	if refs := r.visible(r.packageOf(in.doc).names[name], in.doc); len(refs) > 0 {
		return refs, rulePackage
	}
	if !isExported(name) {
		return nil, ""
	}
	for _, d := range r.importsOf(in.doc).dots {
		if p := r.imported(d); p != nil {
			if refs := r.visible(p.names[name], in.doc); len(refs) > 0 {
				return refs, ruleDotImport
			}
		}
	}
	return nil, ""
}

// guess lists the members that have a name, where they are few. Those that are
// not exported are seen in their directory only.
func (r *Resolver) guess(ref *facts.Reference, doc int32) []symRef {
	r.uses.Key(groupMember + ref.Name)
	var out []symRef
	for _, s := range r.membersNamed(ref.Name) {
		if !isExported(ref.Name) && r.sources[s.doc].dir != r.sources[doc].dir {
			continue
		}
		out = append(out, s)
	}
	out = r.visible(out, doc)
	if len(out) > maxGuesses {
		return nil
	}
	return out
}

// Rules lists the names of all rules.
func Rules() []string {
	return []string{rulePackage, ruleLocalType, ruleImport, ruleDotImport, ruleField, ruleMethod, ruleInterface, ruleConstraint,
		rulePromoted, ruleHidden, ruleBehind, ruleKey, ruleIndex, ruleName}
}
