package mapgen

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/hierarchy"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// ReferenceInput is what the references of a revision are made from.
type ReferenceInput struct {
	Files   []facts.Entry
	Imports [][]xref.Target
	// Keys identify the facts of each file.
	Keys func(doc int) resolve.Digest
	// Details reads the references, scopes and bindings of a file. Several
	// goroutines call it at once.
	Details func(doc int) (*facts.File, error)
	Workers int
	// Evidence is what other programs found, or nil.
	Evidence *evidence.Set
	// Before is the store of an earlier run, or nil: what is still true of its
	// references is taken over.
	Before *store.Store
}

// References is what the references of a revision compile to.
type References struct {
	// Data goes into the store, Dependencies beside it for the next run.
	Data, Dependencies []byte
	// Resolved counts the files whose references were resolved, not taken over.
	Resolved int
	// Evidence says what became of what other programs found.
	Evidence []store.EvidenceSummary
	Count    store.ReferenceCount
}

// ResolveReferences leads the references of all files to definitions.
func ResolveReferences(ctx context.Context, in ReferenceInput) (*References, error) {
	p := edges.WithTargets(in.Files, in.Imports)
	run := resolve.Input{Program: p, Keys: in.Keys, Details: in.Details, Workers: in.Workers}
	run.Before, run.SitesBefore = before(in.Before)
	out, err := resolve.Run(ctx, run)
	if err != nil {
		return nil, err
	}
	compiled := &store.ReferenceInput{Sites: out.Sites, Resolutions: make([]store.Resolution, len(in.Files)), Findings: ownFindings(in.Files, in.Imports)}
	for i := range in.Files {
		switch rules, known := resolve.ByRules(in.Files[i].File); {
		case rules && known:
			compiled.Resolutions[i] = store.ByRules
		case known:
			compiled.Resolutions[i] = store.ByNames
		}
	}
	dependencies := out.State.Append(nil)
	dependencies = append(binary.AppendUvarint(nil, uint64(len(dependencies))), dependencies...)
	if in.Evidence != nil {
		// The next run goes on from what the resolvers found.
		raw, err := store.CompileReferences(compiled)
		if err != nil {
			return nil, fmt.Errorf("references: %w", err)
		}
		dependencies = append(dependencies, raw...)
		x := newPrecise(p, in.Evidence)
		compiled.Sites = x.sites(out.Sites)
		x.describe(compiled)
	}
	for _, r := range hierarchy.Relations(p, compiled.Sites) {
		compiled.Relations = append(compiled.Relations, store.RelationInput{
			Derived: store.Definition{Doc: int(r.Derived.Doc), Symbol: int(r.Derived.Symbol)},
			Base:    store.Definition{Doc: int(r.Base.Doc), Symbol: int(r.Base.Symbol)},
			Mark:    r.Mark,
		})
	}
	data, err := store.CompileReferences(compiled)
	if err != nil {
		return nil, fmt.Errorf("references: %w", err)
	}
	r := &References{Data: data, Dependencies: dependencies, Resolved: out.Resolved, Evidence: compiled.Evidence}
	for _, list := range compiled.Sites {
		if len(list) > 0 {
			r.Count.Files++
		}
		r.Count.Sites += len(list)
		for _, s := range list {
			switch s.Mark {
			case edges.Precise:
				r.Count.Precise++
			case edges.ByName:
				r.Count.ByName++
			}
		}
	}
	return r, nil
}

// before reads what an earlier run left: the state, and the sites as the
// resolvers found them. There is none in a store that is damaged or of another
// version.
func before(s *store.Store) (*resolve.State, func(doc int) []edges.Site) {
	if s == nil {
		return nil, nil
	}
	refs, err := s.References()
	if err != nil {
		return nil, nil
	}
	data := s.Dependencies()
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)-k) {
		return nil, nil
	}
	state := resolve.DecodeState(data[k : k+int(n)])
	if state == nil || len(state.Docs) != refs.NumDocs() {
		return nil, nil
	}
	if raw := data[k+int(n):]; len(raw) > 0 {
		if refs, err = store.OpenReferences(raw, refs.NumDocs()); err != nil {
			return nil, nil
		}
	}
	return state, refs.Sites
}
