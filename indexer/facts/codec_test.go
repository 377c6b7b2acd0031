package facts

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func randomFile(r *rand.Rand) *File {
	word := func() string {
		return []string{"", "a", "Store", "store", "名前", "x\x00y", "func f(a int) error", "*Queue[T]"}[r.IntN(8)]
	}
	f := &File{
		Language: word(), Depth: Depth(r.IntN(3)), Reason: Reason(word()), Traits: Traits(r.IntN(64)),
		Size: r.Uint32(), Lines: r.Uint32(), Package: word(), Summary: word(),
	}
	for i := range r.IntN(6) {
		start, name := uint32(r.IntN(1000)), uint32(r.IntN(1000))
		s := Symbol{
			Name: word(), Kind: Kind(r.IntN(int(kindCount))), Visibility: Visibility(r.IntN(3)), Flags: SymbolFlags(r.IntN(1 << 12)),
			Parent: int32(r.IntN(i+1)) - 1, Container: word(), Signature: word(), Doc: word(),
			Span: Span{start, start + uint32(r.IntN(50))}, NameSpan: Span{name, name + uint32(r.IntN(9))},
			Line: uint32(r.IntN(99)), Type: word(), Init: word(),
		}
		s.EndLine = s.Line + uint32(r.IntN(9))
		for range r.IntN(3) {
			s.Params = append(s.Params, Param{word(), word()})
			s.Bases = append(s.Bases, word())
		}
		f.Symbols = append(f.Symbols, s)
	}
	for range r.IntN(4) {
		m := Import{Module: word(), Alias: word(), Flags: ImportFlags(r.IntN(16)), Line: uint32(r.IntN(99))}
		for range r.IntN(3) {
			m.Names = append(m.Names, ImportedName{word(), word()})
		}
		f.Imports = append(f.Imports, m)
		f.Exports = append(f.Exports, Export{word(), word(), word()})
		f.Damage = append(f.Damage, Span{3, 3 + uint32(r.IntN(9))})
		f.Terms = append(f.Terms, Term{word(), [NumFields]uint16{uint16(r.IntN(3)), 0, uint16(r.IntN(70000)), 1}})
		f.Refs = append(f.Refs, Reference{Name: word(), Kind: RefKind(r.IntN(int(refKindCount))), Qualifier: word(), Enclosing: int32(r.IntN(len(f.Symbols)+1)) - 1, Start: uint32(r.IntN(999)), Line: uint32(r.IntN(99))})
		f.Scopes = append(f.Scopes, Scope{Span{1, 1 + uint32(r.IntN(9))}, int32(len(f.Scopes)) - 1, -1})
		f.Bindings = append(f.Bindings, Binding{word(), int32(r.IntN(len(f.Scopes))), uint32(r.IntN(99)), word(), word()})
	}
	for i := range f.FieldLengths {
		f.FieldLengths[i] = r.Uint32()
	}
	return f
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		f := randomFile(r)
		data := Append(nil, f)
		got, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, f) {
			t.Fatalf("got  %+v\nwant %+v", got, f)
		}
		outline, err := DecodeOutline(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(outline.Symbols, f.Symbols) || !reflect.DeepEqual(outline.Imports, f.Imports) || outline.Terms != nil {
			t.Fatalf("outline differs: %+v", outline)
		}
		n := 0
		if err := DecodeTerms(data, func(text string, counts [NumFields]uint16) {
			if f.Terms[n].Text != text || f.Terms[n].Counts != counts {
				t.Fatalf("term %d: %q %v, want %v", n, text, counts, f.Terms[n])
			}
			n++
		}); err != nil || n != len(f.Terms) {
			t.Fatalf("%d terms of %d, %v", n, len(f.Terms), err)
		}
		for cut := range len(data) {
			if _, err := Decode(data[:cut]); err == nil {
				t.Fatalf("decoded %d of %d bytes without an error", cut, len(data))
			}
		}
	}
}

func TestKindNamesRoundTrip(t *testing.T) {
	for k := range kindCount {
		if got := ParseKind(k.String()); got != k {
			t.Errorf("ParseKind(%q) = %v", k, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		f.Add(Append(nil, randomFile(r)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(Append(nil, got))
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("re-encoding changed the facts: %v", err)
		}
	})
}

// Numbers that do not fit their field are damage, not other facts.
func TestDecodeRefusesNumbersOutOfRange(t *testing.T) {
	f := &File{Language: "go", Depth: Parsed, Symbols: []Symbol{{Name: "a", Kind: KindFunction, Parent: -1, Line: 1, EndLine: 1}}}
	data := Append(nil, f)
	accepted := 0
	for at := 2; at < len(data); at++ {
		// A varint of ten bytes in place of a byte.
		long := append(append(append([]byte{}, data[:at]...), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01), data[at+1:]...)
		long[1] = data[1] + 9
		got, err := Decode(long)
		if err == nil {
			accepted++
			if again, err := Decode(Append(nil, got)); err != nil || !reflect.DeepEqual(got, again) {
				t.Errorf("byte %d: accepted facts that do not encode: %v", at, err)
			}
		}
	}
	if accepted > len(data)/4 {
		t.Errorf("%d of %d damaged encodings were accepted", accepted, len(data))
	}
}

func benchmarkFile() *File {
	r := rand.New(rand.NewPCG(3, 4))
	f := randomFile(r)
	for range 60 {
		more := randomFile(r)
		for _, s := range more.Symbols {
			s.Parent = -1
			f.Symbols = append(f.Symbols, s)
		}
		f.Terms = append(f.Terms, more.Terms...)
		for _, x := range more.Refs {
			x.Enclosing = -1
			f.Refs = append(f.Refs, x)
		}
	}
	return f
}

func BenchmarkAppend(b *testing.B) {
	f := benchmarkFile()
	var buf []byte
	for b.Loop() {
		buf = Append(buf[:0], f)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecode(b *testing.B) {
	data := Append(nil, benchmarkFile())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeOutline(b *testing.B) {
	data := Append(nil, benchmarkFile())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := DecodeOutline(data); err != nil {
			b.Fatal(err)
		}
	}
}
