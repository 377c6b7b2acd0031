package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/hierarchy"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// measureEdits times what follows an edit of one file: resolving what can have
// changed, and compiling the references of all files. It prints the median over
// n random files of all languages, for edits inside a body and for new
// definitions, beside a run from nothing.
func measureEdits(p *program, n int) error {
	r := rand.New(rand.NewPCG(1, 2))
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	full := make([]*facts.File, len(p.Files))
	keys := make([]resolve.Digest, len(p.Files))
	outlines := slices.Clone(p.Files)
	var sources int64
	set := func(doc int, f *facts.File, text []byte) {
		full[doc] = f
		o := *f
		o.Refs, o.Scopes, o.Bindings, o.Terms = nil, nil, nil, nil
		outlines[doc].File = &o
		sum := sha256.Sum256(append([]byte(p.Files[doc].Path), text...))
		keys[doc] = resolve.Digest(sum[:16])
	}
	var editable []int
	for doc := range p.Files {
		set(doc, p.Files[doc].File, p.texts[doc])
		sources += int64(len(p.texts[doc]))
		if rules, known := resolve.ByRules(p.Files[doc].File); rules && known && len(p.Files[doc].File.Symbols) > 0 {
			editable = append(editable, doc)
		}
	}
	run := func(before *resolve.Output) (*resolve.Output, []byte, time.Duration, error) {
		targets := xref.Imports(outlines) // a run needs them for the maps, too
		start := time.Now()
		in := resolve.Input{
			Program: edges.WithTargets(outlines, targets), Workers: 1,
			Keys:    func(doc int) resolve.Digest { return keys[doc] },
			Details: func(doc int) (*facts.File, error) { return full[doc], nil },
		}
		if before != nil {
			in.Before = before.State
			in.SitesBefore = func(doc int) []edges.Site { return slices.Clone(before.Sites[doc]) }
		}
		out, err := resolve.Run(context.Background(), in)
		if err != nil {
			return nil, nil, 0, err
		}
		c := &store.ReferenceInput{Sites: out.Sites, Resolutions: make([]store.Resolution, len(outlines))}
		for _, rel := range hierarchy.Relations(in.Program, out.Sites) {
			c.Relations = append(c.Relations, store.RelationInput{
				Derived: store.Definition{Doc: int(rel.Derived.Doc), Symbol: int(rel.Derived.Symbol)},
				Base:    store.Definition{Doc: int(rel.Base.Doc), Symbol: int(rel.Base.Symbol)}, Mark: rel.Mark,
			})
		}
		data, err := store.CompileReferences(c)
		return out, data, time.Since(start), err
	}
	before, data, cold, err := run(nil)
	if err != nil {
		return err
	}
	sites := 0
	for _, s := range before.Sites {
		sites += len(s)
	}
	fmt.Printf("| %s | |\n|---|---|\n| files, resolved, edges | %d, %d, %d |\n", p.name, len(p.Files), before.Resolved, sites)
	fmt.Printf("| references / sources | %.3f |\n| from nothing, one processor | %d ms |\n", float64(len(data))/float64(sources), cold.Milliseconds())
	for _, kind := range []string{"inside a body", "a new definition"} {
		var times []time.Duration
		resolved := 0
		for range n {
			doc := editable[r.IntN(len(editable))]
			text := edited(p.Files[doc].File, p.texts[doc], kind == "inside a body", r)
			path := p.Files[doc].Path
			set(doc, x.Extract(text, extract.Plan{Language: table.ByPath(path), Extension: strings.ToLower(filepath.Ext(path))}), text)
			out, _, took, err := run(before)
			if err != nil {
				return err
			}
			times = append(times, took)
			resolved += out.Resolved
			set(doc, p.Files[doc].File, p.texts[doc])
		}
		slices.Sort(times)
		fmt.Printf("| one file edited, %s: median, 90 %% | %d, %d ms |\n| files resolved again, in the mean | %.1f |\n", kind,
			times[n/2].Milliseconds(), times[n*9/10].Milliseconds(), float64(resolved)/float64(n))
	}
	return nil
}

// edited doubles a line inside a definition, or adds a copy of a definition under
// another name behind the file.
func edited(f *facts.File, text []byte, body bool, r *rand.Rand) []byte {
	s := &f.Symbols[r.IntN(len(f.Symbols))]
	for range 20 {
		if s.EndLine > s.Line+1 {
			break
		}
		s = &f.Symbols[r.IntN(len(f.Symbols))]
	}
	if body {
		cut := int(s.Span.End)
		for cut > int(s.NameSpan.End) && text[cut-1] != '\n' {
			cut--
		}
		out := append(slices.Clone(text[:cut]), '\n')
		return append(out, text[cut:]...)
	}
	part := string(text[s.Span.Start:s.Span.End])
	return append(append(slices.Clone(text), '\n'), strings.Replace(part, s.Name, s.Name+"Again", 1)+"\n"...)
}
