package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/project-map/project-map/indexer/scip"
)

// place is a byte of a file, by the number of the file.
type place struct{ doc, at int }

// truth is what an index says of the files that it and we know.
type truth struct {
	tool string
	// indexed tells which files have a document.
	indexed map[int]bool
	symbols map[string]*truthSymbol
	// at holds the occurrences that begin at a place.
	at map[place][]occurrence
	// namesOfFiles are the symbols that are defined at an empty range: files and
	// modules as a whole.
	namesOfFiles map[string]bool
	// refused counts documents and occurrences that could not be used.
	refusedDocuments, refusedOccurrences int
	// repaired counts references that were mended.
	repaired int
}

type occurrence struct {
	symbol     *truthSymbol
	end        int
	definition bool
}

// truthSymbol is a symbol of the index; local ones carry the name of their file.
type truthSymbol struct {
	id   string
	kind string
	name string
	defs []place
}

// definedAt tells whether a definition of the symbol stands at a place.
func (s *truthSymbol) definedAt(p place) bool { return slices.Contains(s.defs, p) }

// readTruth reads an index of the files of ours.
func readTruth(path string, ours *program, f *family) (*truth, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	defer in.Close()
	r, err := scip.NewReader(path, in, scip.DefaultLimits)
	if err != nil {
		return nil, err
	}
	t := &truth{tool: r.Metadata().Tool, indexed: map[int]bool{}, symbols: map[string]*truthSymbol{}, at: map[place][]occurrence{}, namesOfFiles: map[string]bool{}}
	kinds := map[string]scip.SymbolInfo{}
	for d, err := range r.Documents() {
		if err != nil {
			return nil, err
		}
		doc, ok := ours.ByPath[d.Path]
		if !ok || !ours.counted(doc) {
			t.refusedDocuments++
			continue
		}
		d.Convert(ours.texts[doc])
		t.refusedOccurrences += d.Dropped
		t.indexed[doc] = true
		for _, s := range d.Symbols {
			kinds[key(d.Path, s.Symbol)] = s
		}
		for _, o := range d.Occurrences {
			start, end := d.Span(o.Range)
			if o.Symbol == "" || start == end {
				if o.Roles.Has(scip.RoleDefinition) {
					t.namesOfFiles[o.Symbol] = true
				}
				continue
			}
			k := key(d.Path, o.Symbol)
			s := t.symbols[k]
			if s == nil {
				s = &truthSymbol{id: o.Symbol}
				t.symbols[k] = s
			}
			p := ours.place(doc, start)
			def := o.Roles.Has(scip.RoleDefinition)
			if def && !s.definedAt(p) {
				s.defs = append(s.defs, p)
			}
			t.at[p] = append(t.at[p], occurrence{s, end, def})
		}
	}
	n, _ := r.Refused()
	t.refusedDocuments += n
	for k, s := range t.symbols {
		s.name, s.kind = f.classify(s.id, kinds[k])
		if len(s.defs) == 0 && s.kind != kindLocal {
			s.kind = kindExternal
		}
	}
	if f.repair != nil {
		t.repaired = f.repair(t, ours)
	}
	if len(t.indexed) == 0 {
		return nil, fmt.Errorf("no document of %s is a file of %s that we read: is it an index of this checkout?", path, filepath.Base(ours.dir))
	}
	return t, nil
}

// replace makes all occurrences of a symbol those of another and counts them.
func (t *truth) replace(old, by *truthSymbol) int {
	n := 0
	for _, l := range t.at {
		for i := range l {
			if l[i].symbol == old {
				l[i].symbol = by
				n++
			}
		}
	}
	return n
}

// key makes local symbols of several files differ.
func key(path, symbol string) string {
	if scip.IsLocal(symbol) {
		return path + "\x00" + symbol
	}
	return symbol
}

// Kinds of the truth. The first ones count.
const (
	kindFunction = "function"
	kindType     = "type"
	kindMethod   = "method"
	kindField    = "field"
	kindVariable = "variable"

	kindLocal         = "local"
	kindParameter     = "parameter"
	kindTypeParameter = "type parameter"
	kindModule        = "module"
	kindKey           = "object key"
	kindExternal      = "external"
)

var countedKinds = []string{kindFunction, kindType, kindMethod, kindField, kindVariable}

func countedKind(k string) bool { return slices.Contains(countedKinds, k) }

// references lists the places with references to symbols that count, with the
// symbols.
func (t *truth) references() map[place][]*truthSymbol {
	out := map[place][]*truthSymbol{}
	for p, l := range t.at {
		for _, o := range l {
			if !o.definition && countedKind(o.symbol.kind) && !slices.Contains(out[p], o.symbol) {
				out[p] = append(out[p], o.symbol)
			}
		}
	}
	return out
}

func sortedPlaces[V any](m map[place]V) []place {
	out := make([]place, 0, len(m))
	for p := range m {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].doc < out[j].doc || out[i].doc == out[j].doc && out[i].at < out[j].at
	})
	return out
}
