package archive

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

// sample is an archive with two directories, one of them with a hostile name.
func sample(t testing.TB) *Archive {
	t.Helper()
	b := store.NewBuilder([]string{"a.go", "b\xff/b.go"})
	b.Set(0, &facts.Entry{File: &facts.File{Symbols: []facts.Symbol{{Name: "Put", Kind: facts.KindFunction, Line: 1, EndLine: 1}, {Name: "Take\n\x01", Line: 2}}}})
	b.Set(1, &facts.Entry{File: &facts.File{}})
	names := b.SymbolNames()
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	log, err := store.CompileLog(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &Archive{
		Manifest: &store.Manifest{
			Tool: "test", Input: "x", Placement: Placement, Revision: store.Revision{Kind: "commit", Commit: "c0ffee"},
			Summary: store.Summary{Notes: []store.Note{{Path: "b\xff", Reason: "<no> UTF-8"}}},
		},
		Contents: store.Contents{Catalog: data, Names: names, Log: log, Dependencies: []byte("left out")},
	}
	for _, d := range []string{"", "b\xff", `"quoted`, strings.Repeat("long/", 80) + "é"} {
		a.Pages = append(a.Pages,
			Page{artifact.IndexPath(d), artifact.RenderIndex(&artifact.Index{Dir: d, Summary: "s"}, artifact.Limits{})},
			Page{artifact.MapPath(d), artifact.RenderMap(&artifact.Map{Dir: d}, artifact.Limits{})})
	}
	slices.SortFunc(a.Pages, func(x, y Page) int { return strings.Compare(x.Path, y.Path) })
	return a
}

func pack(t testing.TB, a *Archive) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, a); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func compress(t testing.TB, tar []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(tar, nil)
}

func decompress(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	a := sample(t)
	data := pack(t, a)
	got, err := Read(bytes.NewReader(data), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if again := pack(t, got); !bytes.Equal(again, data) {
		t.Error("an archive that is read and written again has other bytes")
	}
	if !slices.EqualFunc(got.Pages, a.Pages, func(x, y Page) bool { return x.Path == y.Path && bytes.Equal(x.Data, y.Data) }) {
		t.Error("the pages differ")
	}
	c := got.Contents
	if !bytes.Equal(c.Catalog, a.Contents.Catalog) || !bytes.Equal(c.Log, a.Contents.Log) || !slices.Equal(c.Names, a.Contents.Names) ||
		c.References != nil || c.Evidence != nil || c.Dependencies != nil {
		t.Error("the contents differ")
	}
	if got.Manifest.Revision != a.Manifest.Revision || got.Manifest.Catalog != store.Digest(c.Catalog) {
		t.Errorf("%+v", got.Manifest)
	}
}

// TestSameBytes: nothing but the contents shows.
func TestSameBytes(t *testing.T) {
	want := pack(t, sample(t))
	a := sample(t)
	slices.Reverse(a.Pages)
	a.Manifest.Catalog, a.Manifest.Format = "other", 77
	if !bytes.Equal(pack(t, a), want) {
		t.Error("the order of pages shows")
	}
	a.Pages[0].Data = append(slices.Clone(a.Pages[0].Data), 'x')
	if bytes.Equal(pack(t, a), want) {
		t.Error("a page does not show")
	}
}

// TestStoreManifest: the manifest of an archive is what the store would write.
func TestStoreManifest(t *testing.T) {
	a, err := Read(bytes.NewReader(pack(t, sample(t))), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), store.DirName)
	m := *a.Manifest
	if err := store.Write(dir, &m, a.Contents); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "gen-*", "manifest.json"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	got, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if want, err := encodeStoreManifest(a.Manifest); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the store writes\n%s\nthe archive has\n%s", got, want)
	}
}

// entries reads a tar into headers and contents.
type entry struct {
	h    tar.Header
	data []byte
}

func entries(t testing.TB, data []byte) (out []entry) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, entry{*header(h.Name, h.Size), content})
	}
}

func lay(t testing.TB, list []entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := range list {
		h := list[i].h
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(list[i].data))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write(list[i].data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// relist makes manifest.json say what the entries behind it are.
func relist(t testing.TB, list []entry) {
	t.Helper()
	m := manifest{Format: format, Tool: "test"}
	for _, e := range list[1:] {
		m.Files = append(m.Files, fileState{e.h.Name, int64(len(e.data)), store.Digest(e.data)})
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	list[0].data = append(data, '\n')
}

func TestHostile(t *testing.T) {
	good := decompress(t, pack(t, sample(t)))
	if _, err := readTar(bytes.NewReader(lay(t, entries(t, good))), DefaultLimits); err != nil {
		t.Fatalf("the helpers of this test change a good archive: %v", err)
	}
	// change makes an archive whose manifest agrees with what was changed.
	change := func(f func(list []entry) []entry) []byte {
		list := f(entries(t, good))
		slices.SortStableFunc(list[1:], func(x, y entry) int { return strings.Compare(x.h.Name, y.h.Name) })
		relist(t, list)
		return lay(t, list)
	}
	// raw changes an archive without telling its manifest.
	raw := func(f func(list []entry) []entry) []byte { return lay(t, f(entries(t, good))) }
	find := func(list []entry, name string) *entry {
		i := slices.IndexFunc(list, func(e entry) bool { return e.h.Name == name })
		return &list[i]
	}
	extra := func(h tar.Header, data string) func([]entry) []entry {
		return func(list []entry) []entry { return append(list, entry{h, []byte(data)}) }
	}
	plain := func(name string) func([]entry) []entry { return extra(*header(name, 0), "x") }
	without := func(name string) func([]entry) []entry {
		return func(list []entry) []entry {
			return slices.DeleteFunc(list, func(e entry) bool { return e.h.Name == name })
		}
	}
	header0 := func(f func(h *tar.Header)) []byte {
		return raw(func(list []entry) []entry { f(&list[1].h); return list })
	}
	cases := map[string]struct {
		data []byte
		want error
	}{
		"nothing":           {nil, ErrInvalid},
		"another file":      {plainTar(t, "hello.txt"), ErrInvalid},
		"climbs":            {change(plain("maps/../../evil")), ErrInvalid},
		"climbs to a page":  {change(plain("maps/../.pi-map.md")), ErrInvalid},
		"climbs inside":     {change(plain("maps/a/../../../.pi-map.md")), ErrInvalid},
		"absolute":          {change(plain("maps//etc/.pi-map.md")), ErrInvalid},
		"root":              {change(plain("/maps/.pi-map.md")), ErrInvalid},
		"no page":           {change(plain("maps/.bashrc")), ErrInvalid},
		"a hook":            {change(plain("maps/.git/hooks/.pi-map.md")), ErrInvalid},
		"another store":     {change(plain("maps/x/.project-map/.pi-map.md")), ErrInvalid},
		"a store by case":   {change(plain("maps/.Project-Map./.pi-map.md")), ErrInvalid},
		"below a page":      {change(plain("maps/.pi-map.md/.pi-map.md")), ErrInvalid},
		"quoted climb":      {change(plain(`maps/"../\xff/.pi-map.md"`)), ErrInvalid},
		"quoted needlessly": {change(plain(`maps/"a/.pi-map.md"`)), ErrInvalid},
		"badly quoted":      {change(plain(`maps/"a/.pi-map.md`)), ErrInvalid},
		"unknown part":      {change(plain("store/lock")), ErrInvalid},
		"unknown place":     {change(plain("zzz")), ErrInvalid},
		"names twice":       {change(plain("store/names")), ErrInvalid},
		"link":              {raw(extra(tar.Header{Typeflag: tar.TypeSymlink, Name: "maps/x", Linkname: "/etc"}, "")), ErrInvalid},
		"link as a page": {raw(func(list []entry) []entry {
			list[1].h = tar.Header{Typeflag: tar.TypeSymlink, Name: list[1].h.Name, Linkname: "/etc/passwd"}
			return list
		}), ErrInvalid},
		"hard link as a page": {raw(func(list []entry) []entry {
			list[1].h = tar.Header{Typeflag: tar.TypeLink, Name: list[1].h.Name, Linkname: "manifest.json"}
			return list
		}), ErrInvalid},
		"device":              {raw(extra(tar.Header{Typeflag: tar.TypeChar, Name: "maps/x"}, "")), ErrInvalid},
		"directory":           {raw(extra(tar.Header{Typeflag: tar.TypeDir, Name: "maps/"}, "")), ErrInvalid},
		"mode":                {header0(func(h *tar.Header) { h.Mode = 0o4755 }), ErrInvalid},
		"owner":               {header0(func(h *tar.Header) { h.Uid = 1000; h.Uname = "me" }), ErrInvalid},
		"time":                {header0(func(h *tar.Header) { h.ModTime = time.Unix(1, 0) }), ErrInvalid},
		"attributes":          {header0(func(h *tar.Header) { h.PAXRecords = map[string]string{"SCHILY.xattr.user.x": "y"} }), ErrInvalid},
		"other order":         {raw(func(list []entry) []entry { list[1], list[2] = list[2], list[1]; return list }), ErrInvalid},
		"one file more":       {raw(plain("maps/.pi-map.md")), ErrInvalid},
		"one file less":       {raw(func(list []entry) []entry { return list[:len(list)-1] }), ErrInvalid},
		"a byte changed":      {raw(func(list []entry) []entry { list[2].data[5] ^= 1; return list }), ErrInvalid},
		"behind the end":      {append(slices.Clone(good), make([]byte, 512)...), ErrInvalid},
		"cut short":           {good[:len(good)-512], ErrInvalid},
		"no catalog":          {change(without("store/catalog")), ErrInvalid},
		"no names":            {change(without("store/names")), ErrInvalid},
		"no manifest":         {change(without("store/manifest.json")), ErrInvalid},
		"log left out":        {change(without("store/log")), ErrInvalid},
		"evidence slipped in": {change(plain("store/evidence")), ErrInvalid},
		"damaged catalog": {change(func(list []entry) []entry {
			e := find(list, "store/catalog")
			e.data[len(e.data)-1] ^= 1
			return list
		}), ErrInvalid},
		"other names": {change(func(list []entry) []entry {
			find(list, "store/names").data = encodeNames([]string{"Other"})
			return list
		}), ErrInvalid},
		"names out of order": {change(func(list []entry) []entry {
			find(list, "store/names").data = encodeNames([]string{"b", "a"})
			return list
		}), ErrInvalid},
		"names cut short": {change(func(list []entry) []entry {
			find(list, "store/names").data = []byte{200, 200}
			return list
		}), ErrInvalid},
		"format of the store": {change(func(list []entry) []entry {
			e := find(list, "store/manifest.json")
			e.data = bytes.Replace(e.data, []byte(`"format": 1`), []byte(`"format": 2`), 1)
			return list
		}), ErrVersion},
		"format": {raw(func(list []entry) []entry {
			list[0].data = bytes.Replace(list[0].data, []byte(`"format": 1`), []byte(`"format": 2`), 1)
			return list
		}), ErrVersion},
		"manifest with more": {raw(func(list []entry) []entry {
			list[0].data = bytes.Replace(list[0].data, []byte(`"format": 1`), []byte(`"format": 1, "x": 1`), 1)
			return list
		}), ErrInvalid},
		"negative size": {raw(func(list []entry) []entry {
			list[0].data = []byte("{\n \"format\": 1,\n \"tool\": \"\",\n \"files\": [\n  {\n   \"path\": \"a\",\n   \"size\": -1,\n   \"sha256\": \"\"\n  }\n ]\n}\n")
			return list
		}), ErrInvalid},
		"claims to be huge": {raw(func(list []entry) []entry {
			list[0].data = []byte(fmt.Sprintf("{\n \"format\": 1,\n \"tool\": \"\",\n \"files\": [\n  {\n   \"path\": \"a\",\n   \"size\": %d,\n   \"sha256\": %q\n  }\n ]\n}\n", int64(1)<<62, store.Digest(nil)))
			return list
		}), ErrTooLarge},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a, err := Read(bytes.NewReader(compress(t, c.data)), DefaultLimits)
			if !errors.Is(err, c.want) || a != nil {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// plainTar is a tar with one small file.
func plainTar(t *testing.T, name string) []byte {
	return lay(t, []entry{{*header(name, 0), []byte("x")}})
}

func TestEveryFlippedByte(t *testing.T) {
	good := pack(t, sample(t))
	for i := 0; i < len(good); i += 5 {
		bad := slices.Clone(good)
		bad[i] ^= 0x41
		a, err := Read(bytes.NewReader(bad), DefaultLimits)
		// Bytes of the frame's header that change nothing may stay unnoticed, but
		// then the contents are the same.
		if err == nil && !bytes.Equal(pack(t, a), good) {
			t.Fatalf("byte %d: another archive came out", i)
		}
	}
	for n := 0; n < len(good); n += 11 {
		if _, err := Read(bytes.NewReader(good[:n]), DefaultLimits); err == nil {
			t.Fatalf("%d of %d bytes are taken for an archive", n, len(good))
		}
	}
}

func TestLimits(t *testing.T) {
	data := pack(t, sample(t))
	size := int64(0)
	for _, e := range entries(t, decompress(t, data)) {
		size += int64(len(e.data))
	}
	for _, c := range []struct {
		l    Limits
		want error
	}{
		{Limits{Total: size, Files: 12}, nil},
		{Limits{Total: size - 1, Files: 12}, ErrTooLarge},
		{Limits{Total: size, Files: 11}, ErrTooLarge},
		{Limits{Total: 10, Files: 12}, ErrTooLarge},
	} {
		if _, err := Read(bytes.NewReader(data), c.l); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.l, err)
		}
	}
	// Zeros in little space, where the manifest should be: what the header says is
	// refused before any of it is read.
	var bomb bytes.Buffer
	w := tar.NewWriter(&bomb)
	if err := w.WriteHeader(header(manifestName, 1<<40)); err != nil {
		t.Fatal(err)
	}
	r := &counter{r: io.MultiReader(&bomb, zeros{})}
	if _, err := readTar(r, DefaultLimits); !errors.Is(err, ErrTooLarge) || r.n > 1<<16 {
		t.Errorf("a bomb: %v after %d bytes", err, r.n)
	}
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestUnpack(t *testing.T) {
	a := sample(t)
	// Some file systems refuse names that are no UTF-8.
	a.Pages = slices.DeleteFunc(a.Pages, func(p Page) bool { return strings.Contains(p.Path, "\xff") })
	a, err := Read(bytes.NewReader(pack(t, a)), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "x", "maps")
	check := func() {
		t.Helper()
		for _, p := range a.Pages {
			if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.Path))); err != nil || !bytes.Equal(got, p.Data) {
				t.Errorf("%s: %v", p.Path, err)
			}
		}
		s, err := store.Open(filepath.Join(dir, store.DirName))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		names, err := s.Names()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := names.Names(); err != nil || !slices.Equal(got, a.Contents.Names) {
			t.Errorf("names %q, %v", got, err)
		}
		_ = names.Close()
		left, err := os.ReadDir(filepath.Dir(dir))
		if err != nil || len(left) != 1 {
			t.Errorf("beside it: %v, %v", left, err)
		}
	}
	for range 2 {
		if err := a.Unpack(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		check()
	}
	// What goes wrong leaves everything as it was.
	bad := *a
	bad.Pages = append(slices.Clone(a.Pages), Page{"a/../b/.pi-map.md", nil})
	if err := bad.Unpack(t.Context(), dir); !errors.Is(err, safefs.ErrInvalidPath) {
		t.Errorf("a climbing page: %v", err)
	}
	check()
	canceled := *a
	if err := canceled.Unpack(canceledContext{t.Context()}, dir); err == nil {
		t.Error("an interrupt is not noticed")
	}
	check()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := a.Unpack(t.Context(), dir); !errors.Is(err, ErrOccupied) {
		t.Errorf("a directory with something else: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mine")); errors.Is(err, fs.ErrNotExist) {
		t.Error("what was there is gone")
	}
}

func FuzzRead(f *testing.F) {
	good := decompress(f, pack(f, sample(f)))
	f.Add(good)
	f.Add(good[:700])
	list := entries(f, good)
	f.Add(lay(f, append(list, entry{tar.Header{Typeflag: tar.TypeSymlink, Name: "maps/x", Linkname: "/"}, nil})))
	limits := Limits{Total: 1 << 20, Files: 100}
	f.Fuzz(func(t *testing.T, data []byte) {
		// As it comes, and as the contents of the compression.
		if _, err := Read(bytes.NewReader(data), limits); err == nil {
			return // an archive by chance: the other half checks such
		}
		a, err := readTar(bytes.NewReader(data), limits)
		if err != nil {
			if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		for _, p := range a.Pages {
			if err := checkPage(p.Path); err != nil {
				t.Error(err)
			}
		}
		if again := decompress(t, pack(t, a)); !bytes.Equal(again, data) {
			t.Error("what is accepted is not what would be written")
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add(encodeNames([]string{"", "a", "b\x00"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		names, err := decodeNames(data)
		if err != nil {
			return
		}
		again, err := decodeNames(encodeNames(names))
		if err != nil || !slices.Equal(again, names) {
			t.Errorf("%q, %v", again, err)
		}
	})
}
