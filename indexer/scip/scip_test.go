package scip

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	bindings "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"github.com/project-map/project-map/indexer/facts"
)

const method = "scip-go gomod example.com/shop v0 `example.com/shop/store`/Store#Save()."

// marshal writes an index as tools do: the metadata first.
func marshal(t testing.TB, tool string, docs ...*bindings.Document) []byte {
	t.Helper()
	out, err := proto.Marshal(&bindings.Index{
		Metadata:        &bindings.Metadata{ToolInfo: &bindings.ToolInfo{Name: tool, Version: "1.2"}, ProjectRoot: "file:///x"},
		Documents:       docs,
		ExternalSymbols: []*bindings.SymbolInformation{{Symbol: "scip-go gomod std v1 fmt/Println()."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readAll(data []byte, limits Limits) (docs []*Document, r *Reader, err error) {
	if r, err = NewReader("test.scip", bytes.NewReader(data), limits); err != nil {
		return nil, nil, err
	}
	for d, err := range r.Documents() {
		if err != nil {
			return docs, r, err
		}
		docs = append(docs, d)
	}
	return docs, r, nil
}

func must(t *testing.T, data []byte) []*Document {
	t.Helper()
	docs, _, err := readAll(data, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// scip-go writes typed ranges in UTF-8, kinds, names and signatures.
func TestReadsWhatScipGoWrites(t *testing.T) {
	docs := must(t, marshal(t, "scip-go", &bindings.Document{
		Language: "go", RelativePath: "store/./store.go", PositionEncoding: bindings.PositionEncoding_UTF8CodeUnitOffsetFromLineStart,
		Occurrences: []*bindings.Occurrence{{
			TypedRange:          bindings.Range{Start: bindings.Position{Line: 1, Character: 5}, End: bindings.Position{Line: 1, Character: 9}}.AsTypedRange(),
			TypedEnclosingRange: bindings.Range{Start: bindings.Position{Line: 1}, End: bindings.Position{Line: 2, Character: 1}}.AsTypedEnclosingRange(),
			Symbol:              method, SymbolRoles: int32(bindings.SymbolRole_Definition),
			Diagnostics: []*bindings.Diagnostic{{Severity: bindings.Severity_Warning, Code: "SA1", Message: "no", Source: "lint"}},
		}},
		Symbols: []*bindings.SymbolInformation{{
			Symbol: method, Kind: bindings.SymbolInformation_MethodSpecification, DisplayName: "Save",
			SignatureDocumentation: &bindings.Signature{Text: "func (*Store).Save()"}, Documentation: []string{"Save writes."},
			Relationships: []*bindings.Relationship{{Symbol: "x", IsImplementation: true, IsReference: true}, {Symbol: "y", IsTypeDefinition: true}, {Symbol: "z", IsDefinition: true}},
		}},
	}))
	if len(docs) != 1 {
		t.Fatalf("%d documents", len(docs))
	}
	d := docs[0]
	d.Convert([]byte("package store\nfunc Save() {\n}\n"))
	if start, end := d.Span(d.Occurrences[0].Range); start != 19 || end != 23 {
		t.Errorf("span %d to %d", start, end)
	}
	d.text = nil
	want := &Document{Path: "store/store.go", Language: "go", Encoding: UTF8,
		Occurrences: []Occurrence{{Range: Range{Position{1, 5}, Position{1, 9}}, Enclosing: Range{Position{1, 0}, Position{2, 1}}, Symbol: method,
			Roles: RoleDefinition, Diagnostics: []Diagnostic{{SeverityWarning, "SA1", "no", "lint"}}}},
		Symbols: []SymbolInfo{{Symbol: method, Kind: facts.KindMethod, DisplayName: "Save", Signature: "func (*Store).Save()", Documentation: []string{"Save writes."},
			Relationships: []Relationship{{Symbol: "x", Implementation: true, Reference: true}, {Symbol: "y", TypeDefinition: true}, {Symbol: "z", Definition: true}}}},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got\n%+v, want\n%+v", d, want)
	}
}

// The others write plain ranges in UTF-16 without saying so, and the signature
// as a fenced block.
func TestReadsWhatScipTypescriptAndPythonWrite(t *testing.T) {
	const symbol = "scip-typescript npm shop 1.0 src/`a.ts`/Shop#open()."
	for _, tool := range []string{"scip-typescript", "scip-python"} {
		docs := must(t, marshal(t, tool, &bindings.Document{RelativePath: "src/a.ts",
			Occurrences: []*bindings.Occurrence{
				{Range: []int32{1, 3, 7}, Symbol: symbol, SymbolRoles: 1},
				{Range: []int32{0, 0, 1, 1}, Symbol: "local 4"},
				{Range: []int32{5, 0, 1}, Symbol: "beyond the text"},
				{Range: []int32{1}, Symbol: "no range"},
				{Range: []int32{1, 5, 2}, Symbol: "backwards"},
				{Range: []int32{-1, 5, 7}, Symbol: "negative"},
			},
			Symbols: []*bindings.SymbolInformation{{Symbol: symbol, Documentation: []string{"```ts\n(method) open(): void\n```", "Opens."}},
				{Symbol: "local 4", Documentation: []string{"```python\nx = 1\n```\n\nAbout x."}}},
		}))
		d := docs[0]
		if d.Encoding != UTF16 || d.Dropped != 3 {
			t.Errorf("encoding %d, dropped %d", d.Encoding, d.Dropped)
		}
		text := []byte("\xef\xbb\xbfa\r\u00e4\U0001F600open()\n")
		d.Convert(text)
		if len(d.Occurrences) != 2 || d.Dropped != 4 {
			t.Fatalf("%d occurrences, dropped %d", len(d.Occurrences), d.Dropped)
		}
		start, end := d.Span(d.Occurrences[0].Range)
		if got := string(text[start:end]); got != "open" || d.Occurrences[0].Range.Start != (Position{1, 6}) {
			t.Errorf("%s: %q at %v", tool, got, d.Occurrences[0].Range)
		}
		s := d.Symbols[0]
		if s.Signature != "(method) open(): void" || s.Kind != facts.KindMethod || !reflect.DeepEqual(s.Documentation, []string{"Opens."}) {
			t.Errorf("symbol %+v", s)
		}
		if s = d.Symbols[1]; s.Signature != "x = 1" || s.Kind != facts.KindUnknown || !reflect.DeepEqual(s.Documentation, []string{"About x."}) {
			t.Errorf("symbol %+v", s)
		}
	}
}

func TestColumns(t *testing.T) {
	text := "a\u00e4\U0001F600b\nx\u2028y"
	for _, c := range []struct {
		at   Position
		enc  Encoding
		br   breaks
		want int // offset, -1 for none
	}{
		{Position{0, 0}, UTF8, lineFeeds, 0}, {Position{0, 3}, UTF8, lineFeeds, 3}, {Position{0, 2}, UTF8, lineFeeds, -1}, {Position{0, 8}, UTF8, lineFeeds, 8}, {Position{0, 9}, UTF8, lineFeeds, -1},
		{Position{0, 2}, UTF16, lineFeeds, 3}, {Position{0, 3}, UTF16, lineFeeds, -1}, {Position{0, 4}, UTF16, lineFeeds, 7}, {Position{0, 5}, UTF16, lineFeeds, 8}, {Position{0, 6}, UTF16, lineFeeds, -1},
		{Position{0, 3}, UTF32, lineFeeds, 7}, {Position{0, 4}, UTF32, lineFeeds, 8}, {Position{0, 5}, UTF32, lineFeeds, -1},
		{Position{1, 2}, UTF16, lineFeeds, 13}, {Position{2, 0}, UTF16, lineFeeds, -1}, {Position{2, 0}, UTF16, separators, 13}, {Position{2, 1}, UTF16, separators, 14}, {Position{3, 0}, UTF16, separators, -1},
	} {
		table := newLineTable([]byte(text), c.br)
		got := -1
		if column, ok := table.column(c.at, c.enc); ok {
			got = table.offset(Position{c.at.Line, column})
		}
		if got != c.want {
			t.Errorf("%v in encoding %d with breaks %d is %d, want %d", c.at, c.enc, c.br, got, c.want)
		}
	}
}

// What the official bindings write, this package reads the same.
func TestAgreesWithTheBindings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		in := &bindings.Document{RelativePath: "a/b.go", Language: "go", PositionEncoding: bindings.PositionEncoding(1 + r.IntN(3))}
		for range r.IntN(6) {
			o := &bindings.Occurrence{Symbol: fmt.Sprint("s", r.IntN(3)), SymbolRoles: r.Int32N(128), SyntaxKind: bindings.SyntaxKind(r.IntN(5))}
			span := bindings.Range{Start: bindings.Position{Line: r.Int32N(300), Character: r.Int32N(300)}}
			span.End = bindings.Position{Line: span.Start.Line + r.Int32N(2), Character: 300 + r.Int32N(300)}
			if r.IntN(2) == 0 {
				//lint:ignore SA1019 tools still write it
				o.Range = span.SCIPRange()
			} else {
				o.SetSourceRange(span)
			}
			if r.IntN(2) == 0 {
				//lint:ignore SA1019 tools still write it
				o.EnclosingRange = span.SCIPRange()
			}
			in.Occurrences = append(in.Occurrences, o)
		}
		d := must(t, marshal(t, "tool", in))[0]
		if len(d.Occurrences) != len(in.Occurrences) || int32(d.Encoding) != int32(in.PositionEncoding) {
			t.Fatalf("got %+v of %v", d, in)
		}
		same := func(a Range, b bindings.Range) bool {
			return a == Range{Position{b.Start.Line, b.Start.Character}, Position{b.End.Line, b.End.Character}}
		}
		for i, o := range in.Occurrences {
			got := d.Occurrences[i]
			span, _ := o.SourceRange()
			enclosing, _ := o.EnclosingSourceRange()
			if !same(got.Range, span) || !same(got.Enclosing, enclosing) || got.Symbol != o.Symbol || int32(got.Roles) != o.SymbolRoles {
				t.Fatalf("got %+v of %v", got, o)
			}
		}
	}
}

func TestKindsHaveTheNumbersOfTheSchema(t *testing.T) {
	for n := range kindByNumber {
		if _, ok := bindings.SymbolInformation_Kind_name[int32(n)]; !ok {
			t.Errorf("kind %d is in no schema", n)
		}
	}
	for name, want := range map[string]facts.Kind{"Class": facts.KindClass, "Struct": facts.KindStruct, "Interface": facts.KindInterface, "Trait": facts.KindInterface,
		"Mixin": facts.KindClass, "Protocol": facts.KindInterface, "Function": facts.KindFunction, "Method": facts.KindMethod, "StaticMethod": facts.KindMethod,
		"Constructor": facts.KindConstructor, "Field": facts.KindField, "StaticField": facts.KindField, "Property": facts.KindProperty, "Getter": facts.KindProperty,
		"Enum": facts.KindEnum, "EnumMember": facts.KindEnumMember, "Constant": facts.KindConstant, "Variable": facts.KindVariable, "Macro": facts.KindMacro,
		"TypeAlias": facts.KindType, "Type": facts.KindType, "Union": facts.KindStruct, "Package": facts.KindModule, "Namespace": facts.KindModule, "Module": facts.KindModule,
		"Parameter": facts.KindUnknown, "TypeParameter": facts.KindUnknown} {
		n, ok := bindings.SymbolInformation_Kind_value[name]
		if got := kindByNumber[uint64(n)]; !ok || got != want {
			t.Errorf("%s (%d) is %s, want %s", name, n, got, want)
		}
	}
}

func TestRefusesPathsOutsideTheRepository(t *testing.T) {
	bad := []string{"", "/etc/passwd", "../x.go", "a/../../x", "..", ".", `C:\x.go`, "c:/x.go", `\\host\x`, `..\x`, `a\..\..\x`, "file:///x", "a\x00b", "a\nb", ".git/config", "x/../.git"}
	var docs []*bindings.Document
	for _, p := range append(bad, "ok.go", "a//b/../c.go", "./d.go", "..x/y") {
		docs = append(docs, &bindings.Document{RelativePath: p})
	}
	got, r, err := readAll(marshal(t, "tool", docs...), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, d := range got {
		paths = append(paths, d.Path)
	}
	if want := []string{"ok.go", "a/c.go", "d.go", "..x/y"}; !reflect.DeepEqual(paths, want) {
		t.Errorf("paths %q, want %q", paths, want)
	}
	if n, sample := r.Refused(); n != len(bad) || !reflect.DeepEqual(sample, bad) {
		t.Errorf("refused %d %q", n, sample)
	}
}

func TestForeignFiles(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"empty":     {"", "empty"},
		"JSON":      {`{"id":1,"type":"vertex"}`, "JSON"},
		"gzip":      {"\x1f\x8b\x08\x00\x00", "gzip"},
		"zstd":      {"\x28\xb5\x2f\xfd\x00", "zstd"},
		"zip":       {"PK\x03\x04\x00", "zip"},
		"LFS":       {"version https://git-lfs.github.com/spec/v1\n", "LFS"},
		"ELF":       {"\x7fELF\x02\x01", "metadata"},
		"text":      {"\nhello there", "ends in the middle"},
		"text 2":    {"\n\x05hello there", "metadata"},
		"metadata":  {"\x0a\x00", "no tool"},
		"a number":  {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "64 bits"},
		"long tail": {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "larger than"},
	} {
		_, _, err := readAll([]byte(c.data), DefaultLimits)
		if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrLimit) {
			t.Errorf("%s: error %v", name, err)
		} else if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "test.scip") {
			t.Errorf("%s: error %q does not say %q", name, err, c.says)
		}
	}
}

// full is a small index with every field that is read.
func full(t testing.TB) []byte {
	return marshal(t, "scip-go",
		&bindings.Document{RelativePath: "a.go", Language: "go", Occurrences: []*bindings.Occurrence{
			{Range: []int32{1, 2, 3}, Symbol: method, Diagnostics: []*bindings.Diagnostic{{Message: "m"}}},
			{TypedRange: bindings.Range{Start: bindings.Position{Line: 1, Character: 1}, End: bindings.Position{Line: 2}}.AsTypedRange(), Symbol: "local 1"}}},
		&bindings.Document{RelativePath: "b.go", Symbols: []*bindings.SymbolInformation{{Symbol: method, Kind: 7, Documentation: []string{"d"},
			SignatureDocumentation: &bindings.Signature{Text: "t"}, Relationships: []*bindings.Relationship{{Symbol: "x", IsReference: true}}}}})
}

// An index that ends early gives an error or, cut between two messages, the
// documents before.
func TestTruncated(t *testing.T) {
	data := full(t)
	whole := 0
	for n := range len(data) {
		docs, r, err := readAll(data[:n], DefaultLimits)
		switch {
		case err == nil:
			whole++
		case !errors.Is(err, ErrFormat):
			t.Errorf("cut at %d: %v", n, err)
		case len(docs) > 2:
			t.Errorf("cut at %d: %d documents", n, len(docs))
		}
		if r != nil {
			if _, again := r.Next(); err != nil && again.Error() != err.Error() || err == nil && again != io.EOF {
				t.Errorf("cut at %d: after %v comes %v", n, err, again)
			}
		}
	}
	if whole > 3 {
		t.Errorf("%d of %d cuts are not noticed", whole, len(data))
	}
}

func TestDamagedBytes(t *testing.T) {
	data := full(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		b := bytes.Clone(data)
		for range 1 + r.IntN(3) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		docs, _, err := readAll(b, DefaultLimits)
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrLimit) {
			t.Fatalf("%x: %v", b, err)
		}
		for _, d := range docs {
			d.Convert([]byte("one\ntwo\n"))
		}
	}
}

func TestLimits(t *testing.T) {
	data := full(t)
	for name, change := range map[string]func(*Limits){
		"index": func(l *Limits) { l.Index = 60 }, "message": func(l *Limits) { l.Message = 50 }, "documents": func(l *Limits) { l.Documents = 1 },
		"occurrences": func(l *Limits) { l.Occurrences = 1 }, "symbols": func(l *Limits) { l.Symbols = 0 }, "details": func(l *Limits) { l.Details = 0 },
		"string": func(l *Limits) { l.String = 10 }, "prose": func(l *Limits) { l.Prose = 0 },
	} {
		l := DefaultLimits
		change(&l)
		if _, _, err := readAll(data, l); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "test.scip") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless repeats a document for a number of bytes.
type endless struct {
	head, body []byte
	at         int
	left       int
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.head) > 0 {
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	if e.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.body[e.at:])
	if e.at += n; e.at == len(e.body) {
		e.at = 0
		e.left--
	}
	return n, nil
}

// Memory depends on the largest document, not on the index.
func TestMemoryIsBounded(t *testing.T) {
	doc := &bindings.Document{RelativePath: "a.go"}
	for i := range int32(5000) {
		//lint:ignore SA1019 tools still write it
		doc.Occurrences = append(doc.Occurrences, &bindings.Occurrence{Range: []int32{i, 1, 2}, Symbol: fmt.Sprint("scip-go gomod x v0 `x`/", i%500, "().")})
	}
	body, err := proto.Marshal(&bindings.Index{Documents: []*bindings.Document{doc}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader("big.scip", &endless{head: marshal(t, "scip-go"), body: body, left: 400}, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for d, err := range r.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			if grown := int64(now.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
				t.Fatalf("after %d documents of %d bytes the heap has grown by %d", n, len(body), grown)
			}
		}
		runtime.KeepAlive(d)
	}
	if n != 400 {
		t.Errorf("%d documents", n)
	}
}

// A length that is not there is not allocated.
func TestClaimedLengthCostsNothing(t *testing.T) {
	data := append(marshal(t, "scip-go"), 0x12, 0xff, 0xff, 0xff, 0x1f) // a document of 64 MB
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := readAll(data, DefaultLimits)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("allocated %d bytes", n)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestErrorsOfTheDiskAreKept(t *testing.T) {
	if _, err := NewReader("x", broken{}, DefaultLimits); err == nil || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "disk on fire") {
		t.Error(err)
	}
	r, err := NewReader("x", io.MultiReader(bytes.NewReader(full(t)), broken{}), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err = r.Next(); err != nil {
			break
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "disk on fire") {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(full(f), []byte("package a\n\nfunc f() {}\n"))
	f.Add([]byte("\n\x02\x12\x00"), []byte{})
	small := DefaultLimits
	small.Message, small.Occurrences = 1<<16, 1000
	f.Fuzz(func(t *testing.T, data, text []byte) {
		docs, _, err := readAll(data, small)
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		for _, d := range docs {
			if c, ok := cleanPath(d.Path); !ok || c != d.Path {
				t.Fatalf("path %q", d.Path)
			}
			d.Convert(text)
			for _, o := range d.Occurrences {
				if start, end := d.Span(o.Range); start > end || end > len(text) {
					t.Fatalf("span %d to %d of %d", start, end, len(text))
				}
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	doc := &bindings.Document{RelativePath: "a.go"}
	for i := range int32(5000) {
		//lint:ignore SA1019 tools still write it
		doc.Occurrences = append(doc.Occurrences, &bindings.Occurrence{Range: []int32{i, 1, 2}, Symbol: fmt.Sprint("scip-go gomod x v0 `x`/", i%500, "().")})
	}
	data := marshal(b, "scip-go", doc)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := readAll(data, DefaultLimits); err != nil {
			b.Fatal(err)
		}
	}
}
