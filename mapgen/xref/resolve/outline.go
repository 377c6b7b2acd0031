package resolve

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref"
)

// Digest identifies something that answers depend on.
type Digest [16]byte

// outlineDigest covers what a resolver can read of another document: all that
// its outline says but documentation and places. Of places only their order
// counts, and how near a definition follows the start of the function around it,
// so that an edit inside a body, which moves whatever stands below, is no change.
func outlineDigest(f *facts.File) Digest {
	w := digestWriter{h: sha256.New()}
	w.strs(f.Language, f.Family, f.Package)
	w.ints(int(f.Depth), int(f.Traits), int(f.Nature))
	rank := ranks(f)
	w.ints(len(f.Symbols))
	for i := range f.Symbols {
		s := &f.Symbols[i]
		w.strs(s.Name, s.Container, s.Signature, s.Type, s.Init)
		w.ints(int(s.Kind), int(s.Visibility), int(s.Flags), int(s.Parent))
		w.ints(rank[at{s.Span.Start, false}], rank[at{s.Span.End, false}], rank[at{s.NameSpan.Start, false}], rank[at{s.NameSpan.End, false}])
		w.ints(rank[at{s.Line, true}], rank[at{s.EndLine, true}])
		if s.Parent >= 0 {
			// A type literal in a signature or in the body.
			if p := &f.Symbols[s.Parent]; p.Kind == facts.KindFunction || p.Kind == facts.KindMethod {
				w.ints(int(min(s.Span.Start-p.Span.Start, facts.MaxSignature+1)))
			}
		}
		w.ints(len(s.Params))
		for _, p := range s.Params {
			w.strs(p.Name, p.Type)
		}
		w.ints(len(s.Bases))
		w.strs(s.Bases...)
	}
	w.ints(len(f.Imports))
	for i := range f.Imports {
		m := &f.Imports[i]
		w.strs(m.Module, m.Alias)
		w.ints(int(m.Flags), rank[at{m.Line, true}], len(m.Names))
		for _, n := range m.Names {
			w.strs(n.Name, n.Alias)
		}
	}
	w.ints(len(f.Exports))
	for _, e := range f.Exports {
		w.strs(e.Name, e.Local, e.Module)
	}
	return w.sum()
}

// at is a place of a file: a byte or a line.
type at struct {
	n    uint32
	line bool
}

// ranks numbers the places of a file in their order, bytes and lines apart.
func ranks(f *facts.File) map[at]int {
	var bytes, lines []uint32
	for i := range f.Symbols {
		s := &f.Symbols[i]
		bytes = append(bytes, s.Span.Start, s.Span.End, s.NameSpan.Start, s.NameSpan.End)
		lines = append(lines, s.Line, s.EndLine)
	}
	for i := range f.Imports {
		lines = append(lines, f.Imports[i].Line)
	}
	out := make(map[at]int, len(bytes)+len(lines))
	for _, l := range []struct {
		places []uint32
		line   bool
	}{{bytes, false}, {lines, true}} {
		slices.Sort(l.places)
		for i, n := range slices.Compact(l.places) {
			out[at{n, l.line}] = i
		}
	}
	return out
}

// version covers all that answers about other documents can depend on of a
// document: its outline, its role, and where its import clauses lead.
func version(outline Digest, e *facts.Entry, targets []xref.Target, files []facts.Entry) Digest {
	w := digestWriter{h: sha256.New()}
	w.h.Write(outline[:])
	w.ints(int(e.Role), len(targets))
	for _, t := range targets {
		w.ints(t.Import)
		if t.Doc >= 0 {
			w.strs(files[t.Doc].Path)
		}
		w.strs(t.Dir)
	}
	return w.sum()
}

// digestWriter writes values so that different ones give different bytes.
type digestWriter struct {
	h   hash.Hash
	buf []byte
}

func (w *digestWriter) ints(values ...int) {
	w.buf = w.buf[:0]
	for _, v := range values {
		w.buf = binary.AppendVarint(w.buf, int64(v))
	}
	w.h.Write(w.buf)
}

func (w *digestWriter) strs(values ...string) {
	w.buf = w.buf[:0]
	for _, v := range values {
		w.buf = binary.AppendUvarint(w.buf, uint64(len(v)))
		w.buf = append(w.buf, v...)
	}
	w.h.Write(w.buf)
}

func (w *digestWriter) sum() Digest { return Digest(w.h.Sum(nil)[:16]) }
