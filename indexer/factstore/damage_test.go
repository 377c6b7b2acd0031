package factstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// segmentBytes returns a small sound segment and its name.
func segmentBytes(t testing.TB) (name string, data []byte) {
	t.Helper()
	dir := t.TempDir()
	w, err := newWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{dir: dir, pending: w, now: time.Now, bad: map[Key]bool{}}
	for i := 1; i < 8; i++ {
		if err := s.Put(key(i), val(i)); err != nil {
			t.Fatal(err)
		}
	}
	if name, err = w.publish(); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	return name, data
}

// readAll opens data as a segment and reads every record; it returns how many
// are good.
func readAll(data []byte) (good int, err error) {
	seg, err := openSegment("x", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0, err
	}
	for i := range seg.len() {
		if _, err := seg.value(seg.entry(i)); err == nil {
			good++
		}
	}
	return good, nil
}

// TestEveryFlippedByteIsNoticed damages each byte in turn: the segment is
// refused, or exactly the record that holds the byte is lost.
func TestEveryFlippedByteIsNoticed(t *testing.T) {
	_, data := segmentBytes(t)
	if good, err := readAll(data); good != 7 || err != nil {
		t.Fatalf("sound segment: %d records, %v", good, err)
	}
	for i := range data {
		if i >= 12 && i < headerSize {
			continue // reserved
		}
		bad := bytes.Clone(data)
		bad[i] ^= 0x41
		if good, err := readAll(bad); err == nil && good != 6 {
			t.Errorf("byte %d flipped: %d good records, want an error or 6", i, good)
		}
	}
	for n := range data {
		if _, err := readAll(data[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: opened", n, len(data))
		}
	}
	if _, err := readAll(append(bytes.Clone(data), 0)); err == nil {
		t.Error("a byte appended: opened")
	}
}

func TestDamagedSegmentsAreIgnored(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, 0, 20)
	commit(t, s)
	_, data := segmentBytes(t)
	future := bytes.Clone(data)
	future[8] = 9
	files := map[string][]byte{
		"truncated.facts": data[:len(data)/2],
		"foreign.facts":   []byte("hello, this is some other file that ended up here somehow, it is long enough"),
		"empty.facts":     nil,
		"future.facts":    future,
		"notes.txt":       []byte("not a segment"),
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.facts"), 0o755); err != nil {
		t.Fatal(err)
	}
	s2 := open(t, dir)
	wantRange(t, s2, 0, 20, 22)
	if got := s2.Problems(); len(got) != 5 {
		t.Errorf("problems: %v, want 5", got)
	}
	if rep, err := Check(dir); err != nil || rep.Segments != 1 || rep.Records != 20 || len(rep.Problems) != 5 {
		t.Errorf("Check = %+v, %v", rep, err)
	}
	if _, err := s2.Compact(nil, 0); err != nil {
		t.Fatal(err)
	}
	for name, gone := range map[string]bool{
		"truncated.facts": true, "foreign.facts": false, "future.facts": false, "notes.txt": false, "folder.facts": false,
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, os.ErrNotExist) != gone {
			t.Errorf("%s after Compact: %v, want gone %v", name, err, gone)
		}
	}
}

func TestDamagedRecordIsAMissAndMended(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, 0, 20)
	commit(t, s)
	k := key(7)
	e, _ := s.segments[0].find(&k)
	f, err := os.OpenFile(segmentFiles(t, dir)[0], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{0xff, 0xff}, e.off+1); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}

	s2 := open(t, dir)
	if _, ok, err := s2.Get(key(7)); ok || err != nil {
		t.Fatalf("damaged record: found %v, error %v; want a miss", ok, err)
	}
	if p := s2.Problems(); len(p) != 1 || !strings.Contains(p[0].String(), "checksum") {
		t.Errorf("problems: %v", p)
	}
	if s2.Has(key(7)) {
		t.Error("Has a record known to be damaged")
	}
	put(t, s2, 7, 8)
	wantRange(t, s2, 0, 20, 20)
	commit(t, s2)
	wantRange(t, open(t, dir), 0, 20, 20)
	if rep, err := Check(dir); err != nil || len(rep.Problems) != 1 || rep.Records != 20 {
		t.Errorf("Check = %+v, %v; want the damaged record and 20 good ones", rep, err)
	}
}

func TestRenamedSegmentIsReported(t *testing.T) {
	dir := t.TempDir()
	_, data := segmentBytes(t)
	if err := os.WriteFile(filepath.Join(dir, strings.Repeat("0", 32)+segmentExt), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if rep, err := Check(dir); err != nil || len(rep.Problems) != 1 {
		t.Errorf("Check = %+v, %v; want one problem", rep, err)
	}
}

func FuzzOpenSegment(f *testing.F) {
	_, data := segmentBytes(f)
	f.Add(data)
	f.Add(data[:len(data)-footerSize])
	f.Add([]byte(magic))
	empty := appendHeader(nil)
	f.Add(appendFooter(empty, headerSize, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		good, err := readAll(data)
		if err != nil && good > 0 {
			t.Error("records from a refused segment")
		}
	})
}

// FuzzRecord feeds records whose checksum is right but whose content is not.
func FuzzRecord(f *testing.F) {
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1})
	f.Add([]byte{5, 16, 'h', 'e', 'l', 'l', 'o'})
	f.Fuzz(func(t *testing.T, stored []byte) {
		if value, err := decodeRecord(stored); err == nil && len(value) > MaxRecord {
			t.Errorf("a value of %d bytes", len(value))
		}
	})
}
