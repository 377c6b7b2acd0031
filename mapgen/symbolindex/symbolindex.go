// Package symbolindex finds symbol names by what a person remembers of them:
// the exact name, another letter case, the beginning, some of its words, or a
// misspelling.
//
// It indexes unique names, not occurrences; the catalog maps a name to where
// it is defined. The index is a bleve (scorch) index, whose types do not leave
// this package. Each name is one document whose id is the name. Nothing else is
// stored; two fields are searchable:
//
//	fold   the name with letter case folded: exact, prefix and fuzzy search
//	words  the words of the name (parseHTTPHeader: parse, http, header)
//
// Scoring of the library is not used. A search reads the term dictionaries and
// posting lists, and orders what it finds by a total order of its own, so the
// answer is a function of the set of names and the query alone. The files are
// not: two builds of the same names differ in bytes.
//
// Beside the library's files stands a manifest (names.json) with the format
// version, the number of names, their digest, and the size and CRC-32C of every
// file. Open verifies all of it before the library sees a byte, because the
// library maps its files into memory and trusts them.
package symbolindex

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2"
	index "github.com/blevesearch/bleve_index_api"
)

// FormatVersion is raised by any change of what is indexed or how words are
// split: an index of another version cannot be opened.
const FormatVersion = 1

var (
	// ErrCorrupt is wrapped by the errors of an index that is incomplete,
	// damaged or not an index at all. Building it again mends it.
	ErrCorrupt = errors.New("symbol index is damaged")
	// ErrVersion is wrapped when the index has another format version. Building
	// it again mends it.
	ErrVersion = errors.New("symbol index has another format version")
	// ErrClosed is returned by searches of a closed index.
	ErrClosed = errors.New("symbol index is closed")
)

// How says in which way a name matches a query, best first.
type How int

const (
	Exact     How = iota + 1 // the query itself
	ExactFold                // the query in another letter case
	Prefix                   // begins with the query in any letter case
	Words                    // has every word of the query as a word, in any order
	Fuzzy                    // a misspelling of the query in any letter case
)

func (h How) String() string {
	switch h {
	case Exact:
		return "exact"
	case ExactFold:
		return "exact, other case"
	case Prefix:
		return "prefix"
	case Words:
		return "words"
	case Fuzzy:
		return "fuzzy"
	}
	return fmt.Sprintf("How(%d)", int(h))
}

// Match is a name that was found.
type Match struct {
	Name string
	How  How
	// Score is in (0, 1], 1 for Exact, and never rises along a result. It
	// depends on How and closeness only, so scores of different queries compare.
	Score float64
}

// Options adjusts a search.
type Options struct {
	Limit int // number of matches; DefaultLimit if <= 0
}

// DefaultLimit is the number of matches returned when no limit is given.
const DefaultLimit = 20

const (
	// minPrefix is the length in bytes from which a query also matches as a
	// prefix: three Latin letters, two of most other alphabets, one CJK character.
	minPrefix = 3
	// A query of minFuzzy1 letters may have one edit, one of minFuzzy2 two. An
	// edit inserts, deletes or replaces a letter, or swaps neighbours.
	minFuzzy1, minFuzzy2 = 4, 8
	// maxFuzzy bounds the letters of a query that is matched fuzzily, since the
	// automaton grows with it.
	maxFuzzy = 64
	// maxQuery bounds the bytes of a query; no useful name is longer.
	maxQuery = 4096
)

// Digest identifies a set of names, whatever their order and repetitions. An
// index whose Digest is equal need not be built again.
func Digest(names []string) string { return digestSorted(unique(names)) }

func digestSorted(names []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "symbolindex %d\n", FormatVersion)
	for _, name := range names {
		fmt.Fprintf(h, "%d:", len(name))
		h.Write([]byte(name))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// unique returns the names sorted, each once, without the empty one.
func unique(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 0 && names[0] == "" {
		names = names[1:]
	}
	return names
}

// Index is an opened index. It is safe for concurrent use, and any number of
// processes may have it open.
type Index struct {
	manifest manifest

	mu    sync.RWMutex // held for reading during a search, so that Close waits
	bleve bleve.Index  // nil once closed
}

// Open verifies and opens the index in dir for reading. It fails with
// ErrCorrupt, ErrVersion or an error of the file system.
func Open(dir string) (x *Index, err error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("open symbol index %s: %w", dir, err)
	}
	if err := m.verifyFiles(dir); err != nil {
		return nil, fmt.Errorf("open symbol index %s: %w", dir, err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer guard(&err)
	b, err := bleve.OpenUsing(dir, map[string]any{
		"read_only": true,
		// A reader never waits for a lock: nobody writes a published index.
		"bolt_timeout": "5s",
	})
	if err != nil {
		return nil, fmt.Errorf("open symbol index %s: %w: %w", dir, ErrCorrupt, err)
	}
	x = &Index{manifest: m, bleve: b}
	// The library opens as empty what it cannot load.
	want := uint64(max(m.Names, 1))
	if n, err := b.DocCount(); err != nil || n != want {
		_ = x.Close()
		return nil, fmt.Errorf("open symbol index %s: %w: %d names of %d could be loaded", dir, ErrCorrupt, n, m.Names)
	}
	return x, nil
}

// guard turns a panic of the library, a fault on a mapped file included, into
// ErrCorrupt.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrCorrupt, p)
	}
}

// Len returns the number of names.
func (x *Index) Len() int { return x.manifest.Names }

// Digest returns what Digest returned for the names the index was built of.
func (x *Index) Digest() string { return x.manifest.Digest }

// Close releases the index after the searches under way have ended. It may be
// called more than once.
func (x *Index) Close() (err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.bleve == nil {
		return nil
	}
	b := x.bleve
	x.bleve = nil
	defer guard(&err)
	return b.Close()
}

// Search returns the best matches of query: by How, then by closeness (for
// fuzzy matches the number of edits, then for all the difference in length),
// then by name bytewise. A name is returned once, as its best How. An empty
// query, or one of more than 4,096 bytes, matches nothing.
func (x *Index) Search(query string, opts Options) (matches []Match, err error) {
	limit := opts.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	if query == "" || len(query) > maxQuery {
		return nil, nil
	}
	err = x.read(func(r index.IndexReader) error {
		s := searcher{reader: r, query: query, fold: fold(query), limit: limit, seen: map[string]bool{}}
		err := s.run()
		matches = s.matches
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search symbol index: %w", err)
	}
	return matches, nil
}

// read calls f with a reader of the index.
func (x *Index) read(f func(index.IndexReader) error) (err error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.bleve == nil {
		return ErrClosed
	}
	// A file that was cut short while mapped faults when it is touched.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer guard(&err)
	adv, err := x.bleve.Advanced()
	if err != nil {
		return err
	}
	r, err := adv.Reader()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, r.Close()) }()
	return f(r)
}

// Verify reads the whole index and compares it with its manifest: the files,
// and the set of names in each field.
func (x *Index) Verify() error {
	err := x.read(func(r index.IndexReader) error {
		names, err := allNames(r)
		if err != nil {
			return err
		}
		if len(names) != x.manifest.Names || digestSorted(names) != x.manifest.Digest {
			return fmt.Errorf("%w: it holds other names than its manifest says", ErrCorrupt)
		}
		want := map[string]uint64{}
		for _, name := range names {
			want[fold(name)]++
		}
		return verifyDict(r, fieldFold, want)
	})
	if err != nil {
		return fmt.Errorf("verify symbol index: %w", err)
	}
	return nil
}

// Names returns every name, sorted bytewise: the canonical export.
func (x *Index) Names() (names []string, err error) {
	err = x.read(func(r index.IndexReader) error {
		names, err = allNames(r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list symbol index: %w", err)
	}
	return names, nil
}

func allNames(r index.IndexReader) ([]string, error) {
	ids, err := r.DocIDReaderAll()
	if err != nil {
		return nil, err
	}
	defer ids.Close()
	var names []string
	for {
		id, err := ids.Next()
		if err != nil {
			return nil, err
		}
		if id == nil {
			break
		}
		name, err := r.ExternalID(id)
		if err != nil {
			return nil, err
		}
		if name != placeholder {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// verifyDict compares the dictionary of a field with the expected numbers of
// names a term.
func verifyDict(r index.IndexReader, field string, want map[string]uint64) error {
	dict, err := r.FieldDict(field)
	if err != nil {
		return err
	}
	defer dict.Close()
	n := 0
	for {
		e, err := dict.Next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		if want[e.Term] != e.Count {
			return fmt.Errorf("%w: field %s has %d names for %q, want %d", ErrCorrupt, field, e.Count, e.Term, want[e.Term])
		}
		n++
	}
	if n != len(want) {
		return fmt.Errorf("%w: field %s has %d terms, want %d", ErrCorrupt, field, n, len(want))
	}
	return nil
}
