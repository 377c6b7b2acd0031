package mapgen

import (
	"cmp"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// precise lays what other programs found over what the resolvers found. What a
// precise index says of a file holds for all of it: a place where it has nothing,
// or a symbol of a library, leads nowhere in the revision. Only where the
// definition that it means lies in a file that has changed since does the
// resolver's answer stay.
type precise struct {
	p   *edges.Program
	set *evidence.Set
	// used are the files of the set whose blobs are those of the revision, with
	// the numbers of their documents.
	used []usedFile
	// definitions of each symbol of the set, in files that are used.
	definitions [][]store.Definition
	extras      [][]store.Extra
}

type usedFile struct {
	*evidence.File
	doc int
}

func newPrecise(p *edges.Program, set *evidence.Set) *precise {
	x := &precise{p: p, set: set, definitions: make([][]store.Definition, len(set.Symbols)), extras: make([][]store.Extra, len(p.Files))}
	covered := map[int]bool{}
	for i := range set.Files {
		f := &set.Files[i]
		doc, ok := p.ByPath[f.Path]
		if !ok || p.Files[doc].Blob != f.Blob || p.Files[doc].File == nil {
			continue
		}
		u := usedFile{f, doc}
		// Of several indexes of one file the first counts.
		if len(f.Occurrences) > 0 && covered[doc] {
			c := *f
			c.Occurrences = nil
			u.File = &c
		}
		covered[doc] = covered[doc] || len(f.Occurrences) > 0
		x.used = append(x.used, u)
	}
	for _, u := range x.used {
		x.define(u)
	}
	return x
}

// define finds the definitions that an index names among the symbols of the file;
// those that are not there become extras.
func (x *precise) define(u usedFile) {
	f := x.p.Files[u.doc].File
	at := make(map[uint32]int, len(f.Symbols))
	for i := range f.Symbols {
		if _, taken := at[f.Symbols[i].NameSpan.Start]; !taken {
			at[f.Symbols[i].NameSpan.Start] = i
		}
	}
	for _, o := range u.Occurrences {
		if !o.Definition {
			continue
		}
		n, ok := at[o.Start]
		if !ok {
			s := &x.set.Symbols[o.Symbol]
			n = len(f.Symbols) + len(x.extras[u.doc])
			x.extras[u.doc] = append(x.extras[u.doc], store.Extra{Name: s.Name, Kind: s.Kind, Container: s.Container, Start: o.Start, Line: o.Line})
			at[o.Start] = n
		}
		d := store.Definition{Doc: u.doc, Symbol: n}
		if !slices.Contains(x.definitions[o.Symbol], d) {
			x.definitions[o.Symbol] = append(x.definitions[o.Symbol], d)
		}
	}
}

// sites replaces the sites of the files that a precise index is about.
func (x *precise) sites(found [][]edges.Site) [][]edges.Site {
	out := slices.Clone(found)
	for _, u := range x.used {
		if len(u.Occurrences) == 0 {
			continue
		}
		kinds := map[uint32]facts.RefKind{}
		resolved := map[uint32][]edges.Site{}
		for _, s := range found[u.doc] {
			kinds[s.Start] = s.Kind
			resolved[s.Start] = append(resolved[s.Start], s)
		}
		var sites []edges.Site
		for _, o := range u.Occurrences {
			if o.Definition {
				continue
			}
			if len(x.definitions[o.Symbol]) == 0 {
				sites = append(sites, resolved[o.Start]...)
				continue
			}
			kind, ok := kinds[o.Start]
			switch {
			case ok:
			case o.Import:
				kind = facts.RefImport
			case o.Call:
				kind = facts.RefCall
			default:
				kind = facts.RefRead
			}
			for _, d := range x.definitions[o.Symbol] {
				sites = append(sites, edges.Site{Start: o.Start, Line: o.Line, Kind: kind, Mark: edges.Precise, Doc: int32(d.Doc), Symbol: int32(d.Symbol)})
			}
		}
		edges.SortSites(sites)
		out[u.doc] = slices.CompactFunc(sites, func(a, b edges.Site) bool {
			return a.Start == b.Start && a.Doc == b.Doc && a.Symbol == b.Symbol
		})
	}
	return out
}

// describe adds to the input of the references what stands beside the sites.
func (x *precise) describe(in *store.ReferenceInput) {
	in.Extras = x.extras
	in.Notes = make([][]store.SymbolNote, len(x.p.Files))
	files := make([]int, len(x.set.Sources))
	for _, u := range x.used {
		files[u.Source]++
		if len(u.Occurrences) > 0 {
			in.Resolutions[u.doc] = store.ByIndex
		}
		for _, f := range u.Findings {
			in.Findings[u.doc] = append(in.Findings[u.doc], store.Finding{
				Line: f.Line, EndLine: f.EndLine, Level: f.Level, Tool: f.Tool, Rule: f.Rule, Message: f.Message, Suppressed: f.Suppressed,
			})
		}
	}
	for doc := range in.Findings {
		l := in.Findings[doc]
		slices.SortFunc(l, func(a, b store.Finding) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Level, b.Level))
		})
		in.Findings[doc] = slices.Compact(l)
	}
	for i := range x.set.Symbols {
		s := &x.set.Symbols[i]
		for _, d := range x.definitions[i] {
			if s.Signature != "" || s.Doc != "" {
				in.Notes[d.Doc] = append(in.Notes[d.Doc], store.SymbolNote{Symbol: d.Symbol, Signature: s.Signature, Doc: s.Doc})
			}
			for _, base := range s.Implements {
				for _, b := range x.definitions[base] {
					in.Relations = append(in.Relations, store.RelationInput{Derived: d, Base: b, Mark: edges.Precise})
				}
			}
		}
	}
	for doc := range in.Notes {
		slices.SortStableFunc(in.Notes[doc], func(a, b store.SymbolNote) int { return cmp.Compare(a.Symbol, b.Symbol) })
		in.Notes[doc] = slices.CompactFunc(in.Notes[doc], func(a, b store.SymbolNote) bool { return a.Symbol == b.Symbol })
	}
	for i, s := range x.set.Sources {
		sum := store.EvidenceSummary{Name: s.Name, Kind: s.Kind, Tool: s.Tool, Digest: s.Digest, Revision: s.Revision, Files: files[i], Used: s.Accepted}
		for _, f := range x.set.Files {
			if int(f.Source) == i {
				sum.Changed++
			}
		}
		sum.Changed -= files[i]
		for _, r := range s.Refused {
			sum.Refused = append(sum.Refused, store.Refused{Reason: r.Reason, Count: r.Count, Samples: r.Samples})
		}
		in.Evidence = append(in.Evidence, sum)
	}
}
