package store

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxLineStep is the distance of lines from which on it takes bytes of its own.
const maxLineStep = 7

// ReferenceInput is what references are compiled from; all slices are parallel
// to the documents.
type ReferenceInput struct {
	Resolutions []Resolution
	// Sites are ordered by place.
	Sites [][]edges.Site
	// Relations lead from what implements or overrides to what is.
	Relations []RelationInput
	Extras    [][]Extra      // may be nil
	Findings  [][]Finding    // may be nil
	Notes     [][]SymbolNote // may be nil, sorted by symbol
	Evidence  []EvidenceSummary
}

// RelationInput says that one definition implements or overrides another.
type RelationInput struct {
	Derived, Base Definition
	Mark          edges.Mark
}

// CompileReferences gives the bytes of a file of references, the same for the
// same input.
func CompileReferences(in *ReferenceInput) ([]byte, error) {
	docs := len(in.Sites)
	var sec [numRefSections][]byte
	sec[refResolutions] = make([]byte, docs)
	counts := map[string]int{}
	for i, r := range in.Resolutions {
		sec[refResolutions][i] = byte(r)
	}
	users := make([][]uint64, docs)
	sites := newListSection(docs)
	var buf []byte
	for doc, list := range in.Sites {
		buf = appendSites(buf[:0], doc, list)
		sites.add(buf)
		for _, s := range list {
			counts[s.Mark.String()]++
			users[s.Doc] = append(users[s.Doc], uint64(s.Symbol)<<32|uint64(doc))
		}
	}
	sec[refSites] = sites.bytes()
	list := newListSection(docs)
	for _, u := range users {
		buf = appendUsers(buf[:0], u)
		list.add(buf)
	}
	sec[refUsers] = list.bytes()
	sec[refBases] = compileRelations(docs, in.Relations, false)
	sec[refDerived] = compileRelations(docs, in.Relations, true)
	for _, part := range []struct {
		section int
		of      func(doc int) any
	}{{refExtras, listOf(in.Extras)}, {refFindings, listOf(in.Findings)}, {refNotes, listOf(in.Notes)}} {
		l := newListSection(docs)
		for doc := range docs {
			var data []byte
			if v := part.of(doc); v != nil {
				var err error
				if data, err = json.Marshal(v); err != nil {
					return nil, fmt.Errorf("compile references: %w", err)
				}
			}
			l.add(data)
		}
		sec[part.section] = l.bytes()
	}
	meta, err := json.Marshal(&ReferenceMeta{Evidence: in.Evidence, Sites: counts})
	if err != nil {
		return nil, fmt.Errorf("compile references: %w", err)
	}
	sec[refMeta] = meta
	return referencesFile.assemble(sec[:])
}

// listOf gives the list of a document, nil where it is empty.
func listOf[T any](lists [][]T) func(int) any {
	return func(doc int) any {
		if doc >= len(lists) || len(lists[doc]) == 0 {
			return nil
		}
		return lists[doc]
	}
}

// listSection collects the lists of documents, in their order. A section without
// a byte in any list is empty.
type listSection struct {
	docs, n int
	data    []byte
}

func newListSection(docs int) *listSection {
	return &listSection{docs: docs, data: make([]byte, 4*(docs+1))}
}

func (l *listSection) add(list []byte) {
	binary.LittleEndian.PutUint32(l.data[4*l.n:], uint32(len(l.data)))
	l.n++
	l.data = append(l.data, list...)
}

func (l *listSection) bytes() []byte {
	if len(l.data) == 4*(l.docs+1) {
		return nil
	}
	for ; l.n <= l.docs; l.n++ {
		binary.LittleEndian.PutUint32(l.data[4*l.n:], uint32(len(l.data)))
	}
	return l.data
}

// appendSites encodes what a document refers to: for each site a byte with kind,
// mark and distance of lines, the distance in bytes, and the number that the
// definition has in this list, which is spelled out where it is new.
func appendSites(dst []byte, doc int, sites []edges.Site) []byte {
	if len(sites) == 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(sites)))
	numbers := make(map[Definition]int)
	before := doc
	var at edges.Site
	for _, s := range sites {
		line := s.Line - at.Line
		dst = append(dst, byte(s.Kind)&7|byte(s.Mark)&3<<3|byte(min(line, maxLineStep))<<5)
		if line >= maxLineStep {
			dst = binary.AppendUvarint(dst, uint64(line-maxLineStep))
		}
		dst = binary.AppendUvarint(dst, uint64(s.Start-at.Start))
		d := Definition{int(s.Doc), int(s.Symbol)}
		k, ok := numbers[d]
		if !ok {
			k = len(numbers)
			numbers[d] = k
		}
		dst = binary.AppendUvarint(dst, uint64(k))
		if !ok {
			dst = binary.AppendVarint(dst, int64(d.Doc-before))
			dst = binary.AppendUvarint(dst, uint64(d.Symbol))
			before = d.Doc
		}
		at = s
	}
	return dst
}

// appendUsers encodes which documents refer to the symbols of one; users are
// symbol << 32 | document.
func appendUsers(dst []byte, users []uint64) []byte {
	slices.Sort(users)
	users = slices.Compact(users)
	last := int64(-1)
	for i := 0; i < len(users); {
		symbol := int64(users[i] >> 32)
		n := i
		for n < len(users) && int64(users[n]>>32) == symbol {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(symbol-last-1))
		last = symbol
		dst = binary.AppendUvarint(dst, uint64(n-i))
		doc := int64(-1)
		for ; i < n; i++ {
			dst = binary.AppendUvarint(dst, uint64(int64(uint32(users[i]))-doc-1))
			doc = int64(uint32(users[i]))
		}
	}
	return dst
}

// compileRelations lists relations by the document of one end.
func compileRelations(docs int, relations []RelationInput, byBase bool) []byte {
	type end struct {
		from, to Definition
		mark     edges.Mark
	}
	of := make([][]end, docs)
	for _, r := range relations {
		e := end{r.Derived, r.Base, r.Mark}
		if byBase {
			e.from, e.to = e.to, e.from
		}
		of[e.from.Doc] = append(of[e.from.Doc], e)
	}
	l := newListSection(docs)
	var buf []byte
	for _, list := range of {
		slices.SortFunc(list, func(a, b end) int {
			return cmp.Or(cmp.Compare(a.from.Symbol, b.from.Symbol), cmp.Compare(a.to.Doc, b.to.Doc), cmp.Compare(a.to.Symbol, b.to.Symbol), cmp.Compare(b.mark, a.mark))
		})
		list = slices.CompactFunc(list, func(a, b end) bool { return a.from == b.from && a.to == b.to })
		buf = buf[:0]
		last := -1
		for i := 0; i < len(list); {
			n := i
			for n < len(list) && list[n].from == list[i].from {
				n++
			}
			buf = binary.AppendUvarint(buf, uint64(list[i].from.Symbol-last-1))
			last = list[i].from.Symbol
			buf = binary.AppendUvarint(buf, uint64(n-i))
			doc := list[i].from.Doc
			for ; i < n; i++ {
				buf = append(buf, byte(list[i].mark)&3)
				buf = binary.AppendVarint(buf, int64(list[i].to.Doc-doc))
				buf = binary.AppendUvarint(buf, uint64(list[i].to.Symbol))
				doc = list[i].to.Doc
			}
		}
		l.add(buf)
	}
	return l.bytes()
}
