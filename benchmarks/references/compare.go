package main

import (
	"cmp"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// comparison holds a program against the truth.
type comparison struct {
	ours  *program
	truth *truth
	// refs are the references of the truth to symbols that count.
	refs map[place][]*truthSymbol
	// faulty are places where the truth is not believed: neither it nor we are
	// counted there.
	faulty map[place]bool
	// cleaned counts references of the truth that were taken out, by rule.
	cleaned map[string]int
	// before is the number of references before cleaning.
	before int
	// redefined are definitions of ours where the truth has a reference to the
	// same name: it keeps the first definition only.
	redefined map[place]bool
	// unread are the definitions of each file that the tool did not read.
	unread map[int][]facts.Span
}

// inUnread tells whether a place lies in code that the tool did not read.
func (c *comparison) inUnread(p place) bool {
	return slices.ContainsFunc(c.unread[p.doc], func(s facts.Span) bool { return int(s.Start) <= p.at && p.at < int(s.End) })
}

// compareAll cleans the truth and holds us against it.
func compareAll(p *program, t *truth, f *family) *result {
	c := &comparison{ours: p, truth: t, refs: t.references(), faulty: map[place]bool{}, cleaned: map[string]int{}, redefined: map[place]bool{}, unread: map[int][]facts.Span{}}
	for _, l := range c.refs {
		c.before += len(l)
	}
	c.mergeRedefinitions()
	if f.clean != nil {
		f.clean(c)
	}
	c.leaveUnread()
	return &result{Repository: p.name, Commit: p.commit, Family: p.family, Tool: t.tool,
		Files: len(t.indexed), Definitions: c.definitions(), Edges: c.edges(),
		Cleaned: c.cleaned, Repaired: t.repaired, TruthBefore: c.before, RefusedDocuments: t.refusedDocuments, RefusedOccurrences: t.refusedOccurrences,
		Lines: p.lines, ResolveMillis: float64(p.resolve.Microseconds()) / 1000}
}

// drop takes the references at a place out of the count.
func (c *comparison) drop(p place, rule string) {
	c.cleaned[rule] += len(c.refs[p])
	c.faulty[p] = true
	delete(c.refs, p)
}

// ratio is a share.
type ratio struct{ Right, All int }

func (r *ratio) add(right bool) {
	r.All++
	if right {
		r.Right++
	}
}

// symbolPlace is where the name of a symbol of ours stands.
func (c *comparison) symbolPlace(doc int, s *facts.Symbol) place {
	return c.ours.place(doc, int(s.NameSpan.Start))
}

// sample is a place to look at.
type sample struct {
	At   place
	Name string
	Rule string
	// Note says what is there; To where it should lead, Got where we lead.
	Note    string
	To, Got []place
}

// ours of an edge against the truth.
type verdict struct {
	edge     edges.Edge
	at, to   place
	kind     string // of the target in the truth, or notDefined
	right    bool
	why      string // where it is wrong
	unstated bool   // the truth has nothing at the place of the reference
}

const notDefined = "no definition"

// edgeResult is the comparison of edges.
type edgeResult struct {
	// Sets are all edges, those at least likely, and the exact ones; Marks each
	// alone.
	Sets, Marks []edgeSet
	Kinds       []edgeKind
	Rules       []edgeRule
	Misses      []group
	Wrong       []group
	// NotCounted edges of ours, by reason.
	NotCounted map[string]int
}

type edgeSet struct {
	Name string
	// Precision and Recall count pairs of reference and definition.
	Precision, Recall ratio
	// Stated leaves out edges where the truth says nothing at the reference.
	Stated ratio
	// PlacePrecision and PlaceRecall count places of references.
	PlacePrecision, PlaceRecall ratio
}

type edgeKind struct {
	Kind              string
	Precision, Recall ratio
}

type edgeRule struct {
	Rule, Mark string
	Precision  ratio
	Stated     ratio
}

func (c *comparison) edges() edgeResult {
	out := edgeResult{NotCounted: map[string]int{}}
	all := c.verdicts(out.NotCounted)
	at := func(least, most edges.Mark) []verdict {
		return slices.DeleteFunc(slices.Clone(all), func(v verdict) bool { return v.edge.Mark < least || v.edge.Mark > most })
	}
	for _, m := range []edges.Mark{edges.ByName, edges.Likely, edges.Exact} {
		name := "all"
		if m > edges.ByName {
			name = "at least " + m.String()
		}
		out.Sets = append(out.Sets, c.set(name, at(m, edges.Exact)))
		out.Marks = append(out.Marks, c.set("only "+m.String(), at(m, m)))
	}
	out.Kinds = c.byKind(all)
	out.Rules = byRule(all)
	out.Wrong = c.wrong(all)
	out.Misses = c.misses(all)
	return out
}

// verdicts judges the edges that count.
func (c *comparison) verdicts(notCounted map[string]int) []verdict {
	var out []verdict
	type pair struct{ at, to place }
	for doc := range c.ours.Files {
		if !c.truth.indexed[doc] {
			continue
		}
		f := c.ours.Files[doc].File
		seen := map[pair]int{}
		for _, e := range c.ours.edges[doc] {
			v := verdict{edge: e, at: c.ours.place(doc, int(f.Refs[e.Ref].Start)), kind: notDefined}
			v.to = c.symbolPlace(int(e.Doc), &c.ours.Files[e.Doc].File.Symbols[e.Symbol])
			switch target := c.ours.Files[e.Doc].File; {
			case c.inUnread(v.at), c.inUnread(v.to):
				notCounted["in or to code that the tool did not read"]++
				continue
			case c.faulty[v.at]:
				notCounted["at a fault of the truth"]++
				continue
			case c.keyWithoutType(v.at, f.Refs[e.Ref].Qualifier, target.Symbols[e.Symbol].Kind):
				notCounted["from a key of an object literal that the truth relates to no type"]++
				continue
			case anonymousDefault(target, &target.Symbols[e.Symbol]):
				notCounted["to an anonymous default export"]++
				continue
			}
			if !c.truth.indexed[int(e.Doc)] {
				notCounted["to a file without a document"]++
				continue
			}
			if defs := c.definitionsAt(v.to); len(defs) > 0 {
				v.kind = defs[0].kind
			} else if c.redefined[v.to] {
				v.kind = c.redefinedKind(v.to)
			}
			if !countedKind(v.kind) && v.kind != notDefined {
				notCounted["to a "+v.kind]++
				continue
			}
			if k, ok := seen[pair{v.at, v.to}]; ok {
				if out[k].edge.Mark < e.Mark {
					out[k].edge = e
				}
				continue
			}
			seen[pair{v.at, v.to}] = len(out)
			for _, s := range c.refs[v.at] {
				v.right = v.right || s.definedAt(v.to)
			}
			if !v.right {
				v.why, v.unstated = c.why(v)
			}
			out = append(out, v)
		}
	}
	return out
}

func (c *comparison) redefinedKind(p place) string {
	for _, s := range c.truth.symbols {
		if s.definedAt(p) {
			return s.kind
		}
	}
	return notDefined
}

// why says what the truth has at the reference of a wrong edge.
func (c *comparison) why(v verdict) (string, bool) {
	if l := c.refs[v.at]; len(l) > 0 {
		if v.kind == notDefined {
			return "the definition is none; another " + l[0].kind + " is meant", false
		}
		return "another " + l[0].kind + " is meant", false
	}
	l := c.truth.at[v.at]
	if len(l) == 0 {
		return "the truth has nothing there", true
	}
	for _, o := range l {
		if !o.definition {
			return "the truth has " + article(o.symbol.kind) + " there", false
		}
	}
	return "the truth has a definition there: " + l[0].symbol.kind, false
}

func article(s string) string {
	if s[0] == 'e' || s[0] == 'o' {
		return "an " + s
	}
	return "a " + s
}

func (c *comparison) set(name string, l []verdict) edgeSet {
	out := edgeSet{Name: name}
	found := c.found(l)
	places := map[place]bool{}
	for _, v := range l {
		out.Precision.add(v.right)
		if !v.unstated {
			out.Stated.add(v.right)
		}
		places[v.at] = places[v.at] || v.right
	}
	for _, right := range places {
		out.PlacePrecision.add(right)
	}
	for p, l := range c.refs {
		any := false
		for _, s := range l {
			hit := slices.Contains(found[p], s)
			out.Recall.add(hit)
			any = any || hit
		}
		out.PlaceRecall.add(any)
	}
	return out
}

// found lists the symbols that right edges lead to, by reference.
func (c *comparison) found(l []verdict) map[place][]*truthSymbol {
	out := map[place][]*truthSymbol{}
	for _, v := range l {
		if !v.right {
			continue
		}
		for _, s := range c.refs[v.at] {
			if s.definedAt(v.to) && !slices.Contains(out[v.at], s) {
				out[v.at] = append(out[v.at], s)
			}
		}
	}
	return out
}

func (c *comparison) byKind(l []verdict) []edgeKind {
	found := c.found(l)
	var out []edgeKind
	for _, k := range append(slices.Clone(countedKinds), notDefined) {
		e := edgeKind{Kind: k}
		for _, v := range l {
			if v.kind == k {
				e.Precision.add(v.right)
			}
		}
		for p, l := range c.refs {
			for _, s := range l {
				if s.kind == k {
					e.Recall.add(slices.Contains(found[p], s))
				}
			}
		}
		out = append(out, e)
	}
	return out
}

func byRule(l []verdict) []edgeRule {
	type id struct {
		rule string
		mark edges.Mark
	}
	m := map[id]*edgeRule{}
	for _, v := range l {
		k := id{v.edge.Rule, v.edge.Mark}
		r := m[k]
		if r == nil {
			r = &edgeRule{Rule: k.rule, Mark: k.mark.String()}
			m[k] = r
		}
		r.Precision.add(v.right)
		if !v.unstated {
			r.Stated.add(v.right)
		}
	}
	out := make([]edgeRule, 0, len(m))
	for _, r := range m {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b edgeRule) int {
		return cmp.Or(cmp.Compare(b.Precision.All, a.Precision.All), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Mark, b.Mark))
	})
	return out
}

// group is misses or wrong edges of one sort.
type group struct {
	What    string
	Count   int
	Samples []sample
}

func groups(m map[string][]sample) []group {
	var out []group
	for what, l := range m {
		out = append(out, group{what, len(l), l})
	}
	slices.SortFunc(out, func(a, b group) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What)) })
	return out
}

func (c *comparison) wrong(l []verdict) []group {
	m := map[string][]sample{}
	for _, v := range l {
		if v.right {
			continue
		}
		s := sample{At: v.at, Name: c.ours.wordAt(v.at), Rule: v.edge.Rule, Got: []place{v.to}}
		for _, o := range c.truth.at[v.at] {
			s.Note = o.symbol.id
			if !o.definition && countedKind(o.symbol.kind) {
				s.To = append(s.To, o.symbol.defs...)
			}
		}
		what := v.edge.Mark.String() + ", " + v.edge.Rule + ": " + v.why
		m[what] = append(m[what], s)
	}
	return groups(m)
}

// misses groups the references of the truth that no edge gets right.
func (c *comparison) misses(l []verdict) []group {
	found := c.found(l)
	byPlace := map[place][]verdict{}
	for _, v := range l {
		byPlace[v.at] = append(byPlace[v.at], v)
	}
	refs, defs := map[place]*facts.Reference{}, map[place]bool{}
	for doc := range c.ours.Files {
		if !c.truth.indexed[doc] {
			continue
		}
		f := c.ours.Files[doc].File
		for i := range f.Refs {
			refs[c.ours.place(doc, int(f.Refs[i].Start))] = &f.Refs[i]
		}
		for i := range f.Symbols {
			defs[c.symbolPlace(doc, &f.Symbols[i])] = true
		}
	}
	m := map[string][]sample{}
	for _, p := range sortedPlaces(c.refs) {
		for _, s := range c.refs[p] {
			if slices.Contains(found[p], s) {
				continue
			}
			r := refs[p]
			what := s.kind
			if r != nil {
				what += ", " + r.Kind.String()
				if r.Qualifier != "" {
					what += " of a member"
				}
			}
			out := sample{At: p, Name: c.ours.wordAt(p), Note: s.kind, To: s.defs}
			switch {
			case r == nil:
				what += ": no reference in the facts"
			case !slices.ContainsFunc(s.defs, func(d place) bool { return defs[d] }):
				what += ": no definition in the facts"
			case len(byPlace[p]) > 0:
				what += ": leads elsewhere"
				for _, v := range byPlace[p] {
					out.Rule = v.edge.Rule
					out.Got = append(out.Got, v.to)
				}
			default:
				what += ": no edge"
			}
			if r != nil && r.Qualifier != "" {
				out.Name = r.Qualifier + "." + out.Name
			}
			m[what] = append(m[what], out)
		}
	}
	return groups(m)
}
