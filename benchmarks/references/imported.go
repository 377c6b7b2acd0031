package main

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/indexer/evidence"
	"github.com/project-map/project-map/indexer/facts"
	kinds "github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// importInto gives a program the references that a store has of it after the
// index was imported, in place of those of the resolver.
func importInto(p *program, repo *lab.Repo, index string) error {
	r, err := revision.Open(repo.Dir)
	if err != nil {
		return err
	}
	defer r.Close()
	ctx := context.Background()
	snapshot, err := r.Snapshot(ctx, revision.Options{Kind: revision.Commit, Rev: "HEAD"})
	if err != nil {
		return err
	}
	set, err := evidence.Import(ctx, []evidence.Request{{Kind: kinds.KindSCIP, Path: index, Snapshot: snapshot}})
	if err != nil {
		return err
	}
	for i := range p.Files {
		if e, ok := snapshot.Find(p.Files[i].Path); ok {
			p.Files[i].Blob = facts.BlobID(e.Blob)
		}
	}
	made, err := mapgen.ResolveReferences(ctx, mapgen.ReferenceInput{
		Files: p.Files, Imports: p.Targets, Workers: 1, Evidence: set,
		Keys: func(doc int) resolve.Digest {
			sum := sha256.Sum256([]byte(p.Files[doc].Path))
			return resolve.Digest(sum[:16])
		},
		Details: func(doc int) (*facts.File, error) { return p.Files[doc].File, nil },
	})
	if err != nil {
		return err
	}
	refs, err := store.OpenReferences(made.Data, len(p.Files))
	if err != nil {
		return err
	}
	for doc := range p.Files {
		f := *p.Files[doc].File
		for _, x := range refs.Extras(doc) {
			f.Symbols = append(f.Symbols[:len(f.Symbols):len(f.Symbols)], facts.Symbol{
				Name: x.Name, Kind: x.Kind, Parent: -1, NameSpan: facts.Span{Start: x.Start, End: x.Start + uint32(len(x.Name))}, Line: x.Line,
			})
		}
		f.Refs = nil
		var out []edges.Edge
		for i, s := range refs.Sites(doc) {
			f.Refs = append(f.Refs, facts.Reference{Name: p.wordAt(place{doc, int(s.Start)}), Kind: s.Kind, Enclosing: -1, Start: s.Start, Line: s.Line})
			out = append(out, edges.Edge{Ref: int32(i), Doc: s.Doc, Symbol: s.Symbol, Mark: min(s.Mark, edges.Exact), Rule: "imported"})
		}
		p.Files[doc].File = &f
		p.edges[doc] = out
	}
	for _, e := range made.Evidence {
		fmt.Printf("%s: %d occurrences in %d files\n", e.Name, e.Used, e.Files)
		for _, x := range e.Refused {
			fmt.Printf("  %d refused: %s, such as %v\n", x.Count, x.Reason, x.Samples)
		}
	}
	return nil
}
