package resolve

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// State is what a run leaves for the next one: what the edges of each document
// depend on. Docs are sorted by path.
type State struct {
	Docs   []DocState
	Groups []Group // sorted by key
}

// DocState is what is kept of a document.
type DocState struct {
	Path string
	// Key identifies its facts, Outline what others can read of them, Version
	// that and where its imports lead.
	Key, Outline, Version Digest
	// Resolved is set where its references were resolved: Uses and Groups are
	// known then.
	Resolved bool
	// Uses are the other documents whose outlines were read, by number, sorted.
	Uses []int32
	// Groups are the groups of files that were searched, by their place in
	// State.Groups, sorted.
	Groups []int32

	groups []Group // until intern
}

// Group is a group of files that was searched.
type Group struct {
	// Key is the name of the resolver, a zero byte and the key it gave.
	Key string
	// Members covers their paths and versions.
	Members Digest
}

// byPath numbers the documents of a state; none for nil.
func (s *State) byPath() map[string]int32 {
	if s == nil {
		return nil
	}
	out := make(map[string]int32, len(s.Docs))
	for i := range s.Docs {
		out[s.Docs[i].Path] = int32(i)
	}
	return out
}

// intern gives the groups of all documents their numbers.
func (s *State) intern() {
	seen := map[string]bool{}
	for i := range s.Docs {
		for _, g := range s.Docs[i].groups {
			if !seen[g.Key] {
				seen[g.Key] = true
				s.Groups = append(s.Groups, g)
			}
		}
	}
	slices.SortFunc(s.Groups, compareGroups)
	number := make(map[string]int32, len(s.Groups))
	for i, g := range s.Groups {
		number[g.Key] = int32(i)
	}
	for i := range s.Docs {
		d := &s.Docs[i]
		for _, g := range d.groups {
			d.Groups = append(d.Groups, number[g.Key])
		}
		slices.Sort(d.Groups)
		d.groups = nil
	}
}

// stateFormat is the first byte of an encoded state. Raise it with the encoding;
// Version of this package stands behind it.
const stateFormat = 1

// Append encodes a state behind dst.
func (s *State) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, stateFormat)
	dst = binary.AppendUvarint(dst, Version)
	dst = binary.AppendUvarint(dst, uint64(len(s.Groups)))
	for _, g := range s.Groups {
		dst = binary.AppendUvarint(dst, uint64(len(g.Key)))
		dst = append(dst, g.Key...)
		dst = append(dst, g.Members[:]...)
	}
	dst = binary.AppendUvarint(dst, uint64(len(s.Docs)))
	for i := range s.Docs {
		d := &s.Docs[i]
		dst = binary.AppendUvarint(dst, uint64(len(d.Path)))
		dst = append(dst, d.Path...)
		dst = append(dst, d.Key[:]...)
		dst = append(dst, d.Outline[:]...)
		dst = append(dst, d.Version[:]...)
		if !d.Resolved {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, 1)
		dst = appendSorted(dst, d.Uses)
		dst = appendSorted(dst, d.Groups)
	}
	return append(dst[:start], sealState(dst[start:])...)
}

// sealState puts the checksum behind an encoded state.
func sealState(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func appendSorted(dst []byte, list []int32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	last := int32(-1)
	for _, v := range list {
		dst = binary.AppendUvarint(dst, uint64(v-last-1))
		last = v
	}
	return dst
}

// DecodeState reads an encoded state of this version. It returns nil for any
// other bytes: a run without a state resolves everything.
func DecodeState(data []byte) *State {
	if len(data) < 5 || data[0] != stateFormat {
		return nil
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return nil
	}
	r := stateReader{b: body[1:]}
	if r.uvarint() != Version {
		return nil
	}
	s := &State{Groups: make([]Group, r.count(17))}
	for i := range s.Groups {
		s.Groups[i].Key = r.str()
		s.Groups[i].Members = r.digest()
	}
	s.Docs = make([]DocState, r.count(50))
	for i := range s.Docs {
		d := &s.Docs[i]
		d.Path = r.str()
		d.Key, d.Outline, d.Version = r.digest(), r.digest(), r.digest()
		if d.Resolved = r.take(1)[0] != 0; d.Resolved {
			d.Uses = r.sorted(len(s.Docs))
			d.Groups = r.sorted(len(s.Groups))
		}
	}
	if r.bad || len(r.b) > 0 {
		return nil
	}
	return s
}

// stateReader reads an encoded state; bad is set behind the end.
type stateReader struct {
	b   []byte
	bad bool
}

func (r *stateReader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *stateReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the length of a list whose elements take so many bytes at least.
func (r *stateReader) count(size int) int {
	n := r.uvarint()
	if n > uint64(len(r.b)/size) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *stateReader) str() string    { return string(r.take(r.count(1))) }
func (r *stateReader) digest() Digest { return Digest(r.take(len(Digest{}))) }

// sorted reads a list of distinct numbers below limit.
func (r *stateReader) sorted(limit int) []int32 {
	out := make([]int32, r.count(1))
	last := int64(-1)
	for i := range out {
		last += 1 + int64(r.uvarint()&math.MaxInt32)
		if last >= int64(limit) {
			r.bad = true
			return nil
		}
		out[i] = int32(last)
	}
	return out
}
