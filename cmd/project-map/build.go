package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/project-map/project-map/indexer"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/history"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// build is what a snapshot compiles to, in memory.
type build struct {
	pages    []mapgen.Page
	manifest *store.Manifest
	contents store.Contents
	result   *indexer.Result
	// resolved counts the files whose references were resolved, not taken over.
	resolved int
	evidence []store.EvidenceSummary
}

// buildInput is all that a build depends on.
type buildInput struct {
	snapshot *revision.Snapshot
	name     string // of the revision, as asked for
	config   *config.Config
	text     []byte // of the configuration
	exclude  func(string) bool
	table    *lang.Table
	// placement says where the artifacts go.
	placement string
	// evidence reads what other programs found, encoded, which has a digest and
	// comes from sources; nil and "" for nothing.
	evidence       func() ([]byte, error)
	evidenceDigest string
	sources        []store.Source
}

// directories lists those of the whole snapshot, excluded ones too, where old
// artifacts can lie.
func (in *buildInput) directories() []string {
	paths := make([]string, len(in.snapshot.Entries))
	for i, e := range in.snapshot.Entries {
		paths[i] = e.Path
	}
	return directories(paths)
}

// revision names the snapshot for the manifest.
func (in *buildInput) revision() store.Revision {
	r := store.Revision{Kind: in.snapshot.Kind.String(), Commit: in.snapshot.Commit, Tree: in.snapshot.Tree}
	if in.snapshot.Kind == revision.Commit {
		r.Name = in.name
	}
	return r
}

// digest covers everything the output depends on, so that equal digests need no
// new run: version, configuration, recipes and the selected entries.
func (in *buildInput) digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "project-map %s artifact %d.%d maps %d extract %d codec %d references %d\n", version, artifact.FormatVersion, artifact.FeatureVersion, mapgen.Version, extract.Version, facts.CodecVersion, resolve.Version)
	for _, l := range in.table.All() {
		fmt.Fprintf(h, "%s %d\n", l.Name, l.Version)
	}
	fmt.Fprintf(h, "config %q\n", in.text)
	fmt.Fprintf(h, "evidence %s\n", in.evidenceDigest)
	attrs := in.snapshot.Attributes()
	for _, e := range indexer.Selected(in.snapshot, in.exclude) {
		// Attributes can come from files outside the tree.
		fmt.Fprintf(h, "%s %s %q %v\n", e.Mode, e.Blob, e.Path, attrs.Of(e.Path))
	}
	// A new commit adds to the past that the catalog holds.
	tip, _ := in.snapshot.Tip()
	fmt.Fprintf(h, "past %s\n", tip)
	return hex.EncodeToString(h.Sum(nil))
}

// dirDigests digests the entries of each directory and of all below it.
func dirDigests(entries []revision.Entry) []store.DirState {
	type open struct {
		path string
		h    interface {
			io.Writer
			Sum([]byte) []byte
		}
	}
	var stack []open
	var out []store.DirState
	push := func(p string) { stack = append(stack, open{p, sha256.New()}) }
	pop := func() {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		sum := hex.EncodeToString(top.h.Sum(nil)[:20])
		out = append(out, store.DirState{Path: top.path, Digest: sum})
		if len(stack) > 0 {
			fmt.Fprintf(stack[len(stack)-1].h, "dir %q %s\n", top.path, sum)
		}
	}
	push("")
	for _, e := range entries {
		dir := ""
		if i := strings.LastIndexByte(e.Path, '/'); i >= 0 {
			dir = e.Path[:i]
		}
		for top := stack[len(stack)-1].path; top != "" && dir != top && !strings.HasPrefix(dir, top+"/"); top = stack[len(stack)-1].path {
			pop()
		}
		for top := stack[len(stack)-1].path; top != dir; top = stack[len(stack)-1].path {
			rest := strings.TrimPrefix(strings.TrimPrefix(dir, top), "/")
			first, _, _ := strings.Cut(rest, "/")
			if top == "" {
				push(first)
			} else {
				push(top + "/" + first)
			}
		}
		fmt.Fprintf(stack[len(stack)-1].h, "%s %s %q\n", e.Mode, e.Blob, e.Path)
	}
	for len(stack) > 0 {
		pop()
	}
	slices.SortFunc(out, func(x, y store.DirState) int { return cmp.Compare(x.Path, y.Path) })
	return out
}

// buildOptions adjust a build without changing what it gives.
type buildOptions struct {
	cache    *factstore.Store
	workers  int
	progress func(done, total int)
	// pagesOnly leaves the store out.
	pagesOnly bool
	// catalogOnly leaves the references out of it.
	catalogOnly bool
	// before is the store of an earlier run, to go on from, or nil.
	before *store.Store
}

// compile runs the whole way from a snapshot to pages and catalog.
func compile(ctx context.Context, in *buildInput, opt buildOptions) (*build, error) {
	workers := opt.workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	entries := indexer.Selected(in.snapshot, in.exclude)
	io := indexer.Options{
		Table: in.table, Limits: extract.DefaultLimits, Workers: workers, Cache: opt.cache,
		Exclude: in.exclude, Progress: opt.progress,
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = e.Path
	}
	var catalog *store.Builder
	if !opt.pagesOnly {
		catalog = store.NewBuilder(paths)
		shards := make([]*store.Shard, workers)
		for i := range shards {
			shards[i] = catalog.NewShard()
		}
		io.Terms = func(worker, doc int, text string, counts [facts.NumFields]uint16) {
			shards[worker].AddTerm(doc, text, counts)
		}
	}
	// The past is read while the files are: it waits for the disk, they for
	// the processor.
	var result *indexer.Result
	past := &history.History{}
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		result, err = indexer.Run(gctx, in.snapshot, io)
		return err
	})
	if catalog != nil {
		group.Go(func() (err error) {
			past, err = in.readPast(gctx, opt.cache)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	generated, err := mapgen.Pages(ctx, result.Files, in.config.Written)
	if err != nil {
		return nil, err
	}
	b := &build{pages: generated.Pages, result: result, manifest: in.manifest(result, entries, generated.Pages)}
	if catalog == nil {
		return b, nil
	}
	if err := mapgen.Describe(catalog, result.Files, generated); err != nil {
		return nil, err
	}
	catalog.Meta().Test = in.config.Test
	commits := pastCommits(past, paths)
	catalog.SetCommits(commits)
	if b.contents.Log, err = store.CompileLog(commits); err != nil {
		return nil, err
	}
	b.manifest.Summary.Commits, b.manifest.Summary.HistoryCut = len(past.Commits), past.Cut
	b.contents.Names = catalog.SymbolNames()
	group, gctx = errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		b.contents.Catalog, err = catalog.Bytes()
		return err
	})
	group.Go(func() error {
		if opt.catalogOnly {
			return nil
		}
		return b.resolve(gctx, in, io, generated.Imports, opt)
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return b, nil
}

// resolve leads the references of all files to definitions.
func (b *build) resolve(ctx context.Context, in *buildInput, io indexer.Options, imports [][]xref.Target, opt buildOptions) error {
	set, data, err := in.loadEvidence()
	if err != nil {
		return err
	}
	b.contents.Evidence = data
	details := indexer.NewDetails(in.snapshot, b.result, io)
	defer details.Close()
	r, err := mapgen.ResolveReferences(ctx, mapgen.ReferenceInput{
		Files: b.result.Files, Imports: imports, Workers: io.Workers, Before: opt.before, Evidence: set,
		Keys:    func(doc int) resolve.Digest { return resolve.Digest(b.result.Keys[doc][:len(resolve.Digest{})]) },
		Details: details.Read,
	})
	if err != nil {
		return err
	}
	b.contents.References, b.contents.Dependencies, b.resolved = r.Data, r.Dependencies, r.Resolved
	b.evidence, b.manifest.Summary.References = r.Evidence, r.Count
	return nil
}

func (in *buildInput) manifest(r *indexer.Result, entries []revision.Entry, pages []mapgen.Page) *store.Manifest {
	m := &store.Manifest{
		Tool: version, Input: in.digest(), Placement: in.placement, Revision: in.revision(),
		Sources: in.sources, Dirs: dirDigests(entries), Summary: summarize(r, in.snapshot.Notes),
	}
	if in.placement != placeNone {
		for _, p := range pages {
			m.Artifacts = append(m.Artifacts, pageState(p))
		}
	}
	m.Summary.Directories = len(pages) / 2
	return m
}

func summarize(r *indexer.Result, notes []revision.Note) store.Summary {
	sum := store.Summary{Files: len(r.Files), Bytes: r.Bytes, Languages: []store.LanguageCount{}, Skipped: []store.ReasonCount{}}
	languages := map[string]int{}
	type skip struct{ depth, reason string }
	skipped := map[skip]int{}
	for i := range r.Files {
		f := r.Files[i].File
		switch f.Depth {
		case facts.Parsed:
			sum.Parsed++
			languages[f.Language]++
			sum.Symbols += len(f.Symbols)
			if len(f.Damage) > 0 {
				sum.Damaged++
			}
		case facts.Words:
			sum.WordsOnly++
			skipped[skip{f.Depth.String(), string(f.Reason)}]++
		default:
			sum.Listed++
			skipped[skip{f.Depth.String(), string(f.Reason)}]++
		}
	}
	for l, n := range languages {
		sum.Languages = append(sum.Languages, store.LanguageCount{Language: l, Files: n})
	}
	slices.SortFunc(sum.Languages, func(x, y store.LanguageCount) int {
		return cmp.Or(cmp.Compare(y.Files, x.Files), cmp.Compare(x.Language, y.Language))
	})
	for k, n := range skipped {
		sum.Skipped = append(sum.Skipped, store.ReasonCount{Depth: k.depth, Reason: k.reason, Files: n})
	}
	slices.SortFunc(sum.Skipped, func(x, y store.ReasonCount) int {
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), cmp.Compare(y.Files, x.Files), cmp.Compare(x.Reason, y.Reason))
	})
	for _, n := range notes {
		sum.Notes = append(sum.Notes, store.Note{Path: n.Path, Reason: n.Reason})
	}
	return sum
}
