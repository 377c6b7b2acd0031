package facts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// CodecVersion changes whenever the bytes of an encoded File change. It is part
// of every recipe.
const CodecVersion = 2

// ErrCorrupt says that bytes are no encoded File of this version.
var ErrCorrupt = errors.New("not an encoded file of facts")

// Encoded form of a File:
//
//	byte     CodecVersion
//	uvarint  length of the outline in bytes
//	outline  header, symbols, imports, exports, damage, field lengths
//	detail   terms, references, scopes, bindings
//
// so that a reader of outlines skips the detail, which is most of the bytes.
// Lists are their length and their items; fields stand in the order in which
// Append writes them.
//
//	integer  uvarint
//	index    uvarint, plus one, for -1 is common
//	offset   signed varint, the distance from the one before of its list
//	span     start, then length
//	string   uvarint: 0 and then length and bytes of a new string, or the
//	         number of an earlier string of the same section, from 1
//	term     length and bytes of the text, a byte with a bit for each field
//	         that has a count, the counts

// Append encodes a File at the end of dst.
func Append(dst []byte, f *File) []byte {
	var o writer
	o.str(f.Language)
	o.str(f.Family)
	o.u(uint64(f.Nature))
	o.u(uint64(f.Depth))
	o.str(string(f.Reason))
	o.u(uint64(f.Traits))
	o.u(uint64(f.Size))
	o.u(uint64(f.Lines))
	o.str(f.Package)
	o.str(f.Summary)
	o.u(uint64(len(f.Symbols)))
	at := uint32(0)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		o.str(s.Name)
		o.u(uint64(s.Kind))
		o.u(uint64(s.Visibility))
		o.u(uint64(s.Flags))
		o.i(s.Parent)
		o.str(s.Container)
		o.str(s.Signature)
		o.str(s.Doc)
		o.delta(&at, s.Span.Start)
		o.u(uint64(s.Span.End - s.Span.Start))
		o.zigzag(int64(s.NameSpan.Start) - int64(s.Span.Start))
		o.u(uint64(s.NameSpan.End - s.NameSpan.Start))
		o.u(uint64(s.Line))
		o.u(uint64(s.EndLine - s.Line))
		o.str(s.Type)
		o.u(uint64(len(s.Params)))
		for _, p := range s.Params {
			o.str(p.Name)
			o.str(p.Type)
		}
		o.strs(s.Bases)
		o.str(s.Init)
	}
	o.u(uint64(len(f.Imports)))
	for _, m := range f.Imports {
		o.str(m.Module)
		o.str(m.Alias)
		o.u(uint64(len(m.Names)))
		for _, n := range m.Names {
			o.str(n.Name)
			o.str(n.Alias)
		}
		o.u(uint64(m.Flags))
		o.u(uint64(m.Line))
	}
	o.u(uint64(len(f.Exports)))
	for _, e := range f.Exports {
		o.str(e.Name)
		o.str(e.Local)
		o.str(e.Module)
	}
	o.u(uint64(len(f.Damage)))
	for _, d := range f.Damage {
		o.u(uint64(d.Start))
		o.u(uint64(d.End - d.Start))
	}
	for _, n := range f.FieldLengths {
		o.u(uint64(n))
	}

	var d writer
	d.u(uint64(len(f.Terms)))
	for i := range f.Terms {
		t := &f.Terms[i]
		d.u(uint64(len(t.Text)))
		d.b = append(d.b, t.Text...)
		mask := byte(0)
		for k, n := range t.Counts {
			if n > 0 {
				mask |= 1 << k
			}
		}
		d.b = append(d.b, mask)
		for _, n := range t.Counts {
			if n > 0 {
				d.u(uint64(n))
			}
		}
	}
	d.u(uint64(len(f.Refs)))
	at = 0
	line := uint32(0)
	for i := range f.Refs {
		r := &f.Refs[i]
		d.str(r.Name)
		d.u(uint64(r.Kind))
		d.str(r.Qualifier)
		d.i(r.Enclosing)
		d.delta(&at, r.Start)
		d.delta(&line, r.Line)
	}
	d.u(uint64(len(f.Scopes)))
	for _, s := range f.Scopes {
		d.u(uint64(s.Span.Start))
		d.u(uint64(s.Span.End - s.Span.Start))
		d.i(s.Parent)
		d.i(s.Symbol)
	}
	d.u(uint64(len(f.Bindings)))
	at = 0
	for i := range f.Bindings {
		b := &f.Bindings[i]
		d.str(b.Name)
		d.i(b.Scope)
		d.delta(&at, b.Start)
		d.str(b.Type)
		d.str(b.Init)
	}

	dst = append(dst, CodecVersion)
	dst = binary.AppendUvarint(dst, uint64(len(o.b)))
	dst = append(dst, o.b...)
	return append(dst, d.b...)
}

// Decode reads a whole File. The result shares no memory with data.
func Decode(data []byte) (*File, error) {
	var terms []Term
	f, err := decode(data, func(text string, counts [NumFields]uint16) {
		terms = append(terms, Term{string([]byte(text)), counts})
	})
	if err != nil {
		return nil, err
	}
	f.Terms = terms
	return f, nil
}

// DecodeReferences reads a File without its terms.
func DecodeReferences(data []byte) (*File, error) {
	return decode(data, func(string, [NumFields]uint16) {})
}

func decode(data []byte, term func(text string, counts [NumFields]uint16)) (*File, error) {
	f, detail, err := outline(data)
	if err != nil {
		return nil, err
	}
	d := reader{b: detail}
	d.terms(term)
	f.Refs = make([]Reference, 0, d.count(6))
	at, line := uint32(0), uint32(0)
	for range cap(f.Refs) {
		var r Reference
		r.Name = d.str()
		r.Kind = RefKind(d.n(math.MaxUint8))
		r.Qualifier = d.str()
		r.Enclosing = d.i()
		r.Start = d.delta(&at)
		r.Line = d.delta(&line)
		f.Refs = append(f.Refs, r)
	}
	f.Scopes = make([]Scope, 0, d.count(4))
	for range cap(f.Scopes) {
		var s Scope
		s.Span.Start = d.u32()
		s.Span.End = d.length(s.Span.Start)
		s.Parent = d.i()
		s.Symbol = d.i()
		f.Scopes = append(f.Scopes, s)
	}
	f.Bindings = make([]Binding, 0, d.count(5))
	at = 0
	for range cap(f.Bindings) {
		var b Binding
		b.Name = d.str()
		b.Scope = d.i()
		b.Start = d.delta(&at)
		b.Type = d.str()
		b.Init = d.str()
		f.Bindings = append(f.Bindings, b)
	}
	if d.bad || len(d.b) != 0 {
		return nil, fmt.Errorf("decode facts: detail: %w", ErrCorrupt)
	}
	f.tidy()
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

// DecodeOutline reads a File without its terms, references, scopes and
// bindings.
func DecodeOutline(data []byte) (*File, error) {
	f, _, err := outline(data)
	if err != nil {
		return nil, err
	}
	f.tidy()
	return f, f.check()
}

// DecodeTerms calls yield for every term of an encoded File; of a damaged one it
// yields none. The text is only valid during the call.
func DecodeTerms(data []byte, yield func(text string, counts [NumFields]uint16)) error {
	d, err := sections(data)
	if err != nil {
		return err
	}
	r := reader{b: d[1]}
	r.terms(func(string, [NumFields]uint16) {})
	if r.bad {
		return fmt.Errorf("decode terms: %w", ErrCorrupt)
	}
	r = reader{b: d[1]}
	r.terms(yield)
	return nil
}

func sections(data []byte) (s [2][]byte, err error) {
	if len(data) < 2 || data[0] != CodecVersion {
		return s, fmt.Errorf("decode facts: %w", ErrCorrupt)
	}
	n, k := binary.Uvarint(data[1:])
	if k <= 0 || n > uint64(len(data)-1-k) {
		return s, fmt.Errorf("decode facts: %w", ErrCorrupt)
	}
	rest := data[1+k:]
	return [2][]byte{rest[:n], rest[n:]}, nil
}

func outline(data []byte) (*File, []byte, error) {
	s, err := sections(data)
	if err != nil {
		return nil, nil, err
	}
	o := reader{b: s[0]}
	f := &File{}
	f.Language = o.str()
	f.Family = o.str()
	f.Nature = Nature(o.n(math.MaxUint8))
	f.Depth = Depth(o.n(math.MaxUint8))
	f.Reason = Reason(o.str())
	f.Traits = Traits(o.n(math.MaxUint16))
	f.Size = o.u32()
	f.Lines = o.u32()
	f.Package = o.str()
	f.Summary = o.str()
	f.Symbols = make([]Symbol, 0, o.count(16))
	at := uint32(0)
	for range cap(f.Symbols) {
		var s Symbol
		s.Name = o.str()
		s.Kind = Kind(o.n(math.MaxUint8))
		s.Visibility = Visibility(o.n(math.MaxUint8))
		s.Flags = SymbolFlags(o.n(math.MaxUint16))
		s.Parent = o.i()
		s.Container = o.str()
		s.Signature = o.str()
		s.Doc = o.str()
		s.Span.Start = o.delta(&at)
		s.Span.End = o.length(s.Span.Start)
		name := s.Span.Start
		s.NameSpan.Start = o.delta(&name)
		s.NameSpan.End = o.length(s.NameSpan.Start)
		s.Line = o.u32()
		s.EndLine = o.length(s.Line)
		s.Type = o.str()
		for range o.count(2) {
			s.Params = append(s.Params, Param{o.str(), o.str()})
		}
		s.Bases = o.strs()
		s.Init = o.str()
		f.Symbols = append(f.Symbols, s)
	}
	for range o.count(5) {
		var m Import
		m.Module = o.str()
		m.Alias = o.str()
		for range o.count(2) {
			m.Names = append(m.Names, ImportedName{o.str(), o.str()})
		}
		m.Flags = ImportFlags(o.n(math.MaxUint8))
		m.Line = o.u32()
		f.Imports = append(f.Imports, m)
	}
	for range o.count(3) {
		f.Exports = append(f.Exports, Export{o.str(), o.str(), o.str()})
	}
	for range o.count(2) {
		start := o.u32()
		f.Damage = append(f.Damage, Span{start, o.length(start)})
	}
	for i := range f.FieldLengths {
		f.FieldLengths[i] = o.u32()
	}
	if o.bad || len(o.b) != 0 {
		return nil, nil, fmt.Errorf("decode facts: outline: %w", ErrCorrupt)
	}
	return f, s[1], nil
}

// tidy makes empty slices nil, so that decoding gives back what was encoded.
func (f *File) tidy() {
	if len(f.Symbols) == 0 {
		f.Symbols = nil
	}
	if len(f.Refs) == 0 {
		f.Refs = nil
	}
	if len(f.Scopes) == 0 {
		f.Scopes = nil
	}
	if len(f.Bindings) == 0 {
		f.Bindings = nil
	}
}

// check refuses indexes that point nowhere, so that readers need not.
func (f *File) check() error {
	bad := f.Depth > Parsed || f.Nature >= natureCount
	for i := range f.Symbols {
		s := &f.Symbols[i]
		bad = bad || s.Parent < -1 || s.Parent >= int32(i) || s.Kind >= kindCount || s.Visibility > Private ||
			s.Span.End < s.Span.Start || s.NameSpan.End < s.NameSpan.Start
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		bad = bad || r.Enclosing < -1 || int(r.Enclosing) >= len(f.Symbols) || r.Kind >= refKindCount
	}
	for i := range f.Scopes {
		s := &f.Scopes[i]
		bad = bad || s.Parent < -1 || s.Parent >= int32(i) || s.Symbol < -1 || int(s.Symbol) >= len(f.Symbols)
	}
	for i := range f.Bindings {
		b := &f.Bindings[i]
		bad = bad || b.Scope < 0 || int(b.Scope) >= len(f.Scopes)
	}
	if bad {
		return fmt.Errorf("decode facts: index out of range: %w", ErrCorrupt)
	}
	return nil
}

type writer struct {
	b    []byte
	seen map[string]uint64
}

func (w *writer) u(v uint64)     { w.b = binary.AppendUvarint(w.b, v) }
func (w *writer) i(v int32)      { w.u(uint64(v + 1)) }
func (w *writer) zigzag(v int64) { w.b = binary.AppendVarint(w.b, v) }

// delta stores the distance from the last value; values mostly rise.
func (w *writer) delta(last *uint32, v uint32) {
	w.zigzag(int64(v) - int64(*last))
	*last = v
}

func (w *writer) str(s string) {
	if n, ok := w.seen[s]; ok {
		w.u(n)
		return
	}
	if w.seen == nil {
		w.seen = make(map[string]uint64)
	}
	w.seen[s] = uint64(len(w.seen) + 1)
	w.u(0)
	w.u(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) strs(s []string) {
	w.u(uint64(len(s)))
	for _, x := range s {
		w.str(x)
	}
}

type reader struct {
	b    []byte
	seen []string
	bad  bool
}

func (r *reader) fail() {
	r.bad = true
	r.b = nil
}

func (r *reader) u() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// u32 and n read an unsigned integer that must fit 32 bits, or a smaller bound.
func (r *reader) u32() uint32 { return uint32(r.n(math.MaxUint32)) }

func (r *reader) n(most uint64) uint64 {
	v := r.u()
	if v > most {
		r.fail()
		return 0
	}
	return v
}

func (r *reader) i() int32 { return int32(r.n(math.MaxInt32)) - 1 }

// length reads the length of a span that starts at an offset.
func (r *reader) length(start uint32) uint32 {
	return start + uint32(r.n(uint64(math.MaxUint32-start)))
}

func (r *reader) zigzag() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) delta(last *uint32) uint32 {
	v := int64(*last) + r.zigzag()
	if v < 0 || v > math.MaxUint32 {
		r.fail()
		return 0
	}
	*last = uint32(v)
	return *last
}

// count reads the length of a list whose items take at least size bytes.
func (r *reader) count(size int) int {
	n := r.u()
	if n > uint64(len(r.b)/size) {
		if n > 0 {
			r.fail()
		}
		return 0
	}
	return int(n)
}

func (r *reader) str() string {
	n := r.u()
	if n > 0 {
		if n > uint64(len(r.seen)) {
			r.fail()
			return ""
		}
		return r.seen[n-1]
	}
	s := string(r.bytes())
	if !r.bad {
		r.seen = append(r.seen, s)
	}
	return s
}

func (r *reader) bytes() []byte {
	n := r.u()
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

func (r *reader) strs() []string {
	var out []string
	for range r.count(1) {
		out = append(out, r.str())
	}
	return out
}

func (r *reader) terms(yield func(string, [NumFields]uint16)) {
	for range r.count(3) {
		text := r.bytes()
		if r.bad || len(r.b) == 0 {
			r.fail()
			return
		}
		mask := r.b[0]
		r.b = r.b[1:]
		var counts [NumFields]uint16
		for k := range counts {
			if mask&(1<<k) != 0 {
				counts[k] = uint16(r.n(math.MaxUint16))
			}
		}
		if mask>>NumFields != 0 {
			r.fail()
		}
		if r.bad {
			return
		}
		yield(unsafe.String(unsafe.SliceData(text), len(text)), counts)
	}
}
