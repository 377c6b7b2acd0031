package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/project-map/project-map/bundle/pack"
)

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func logOf(t testing.TB, s *Store, id pack.SessionID) *Log {
	t.Helper()
	l, err := s.Log(id, pack.NewEventCodec())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func events(session pack.SessionID, ids ...pack.ContextPackID) []pack.Event {
	var out []pack.Event
	for _, id := range ids {
		out = append(out,
			pack.ContextBuildingStartedEvent{SessionID: session, StageID: "t"},
			pack.CompressionAppliedEvent{ContextPackID: id, Layer: "L1", EntriesRemoved: 3, StrategyApplied: "toolLog"},
			pack.ContextPackBuiltEvent{ContextPackID: id, SessionID: session, StageID: "t", BudgetUsed: 1, BudgetLimit: 2})
	}
	return out
}

func TestAppendAndRead(t *testing.T) {
	s := open(t)
	l := logOf(t, s, "one")
	if _, err := l.Read(); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	want := events("one", "a", "b")
	for _, e := range want {
		if torn, err := l.Append(context.Background(), e); torn != nil || err != nil {
			t.Fatal(torn, err)
		}
	}
	r, err := l.Read()
	if err != nil || r.Torn != nil || !slices.Equal(r.Events, want) {
		t.Errorf("%+v, %v", r, err)
	}
	if info, err := os.Stat(l.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, ".gitignore")); err != nil || string(data) != "*\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestEveryTruncation cuts a log at every byte: what is read is a beginning of
// what was written, at most one event is lost, and appending mends the log.
func TestEveryTruncation(t *testing.T) {
	s := open(t)
	l := logOf(t, s, "one")
	all := events("one", "a", "b")
	if _, err := l.Append(context.Background(), all...); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	more := pack.ContextBuildingStartedEvent{SessionID: "one", StageID: "more"}
	for n := range len(whole) + 1 {
		if err := os.WriteFile(l.Path(), whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := l.Read()
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		lines := bytes.Count(whole[:n], []byte("\n"))
		got := len(r.Events)
		if !slices.Equal(r.Events, all[:got]) || got < lines || got > lines+1 {
			t.Fatalf("cut at %d: %d events of %d lines", n, got, lines)
		}
		if ended := n == 0 || whole[n-1] == '\n'; (r.Torn != nil) != (!ended && got == lines) {
			t.Fatalf("cut at %d: torn %v, %d events of %d lines", n, r.Torn, got, lines)
		}
		if r.Torn != nil && r.Torn.Line != lines+1 {
			t.Fatalf("cut at %d: %v", n, r.Torn)
		}
		torn, err := l.Append(context.Background(), more)
		if err != nil || !reflect.DeepEqual(torn, r.Torn) {
			t.Fatalf("cut at %d: the writer says %v, the reader %v, %v", n, torn, r.Torn, err)
		}
		r, err = l.Read()
		if err != nil || r.Torn != nil || !slices.Equal(r.Events, append(slices.Clone(all[:got]), more)) {
			t.Fatalf("cut at %d: after mending %+v, %v", n, r, err)
		}
	}
}

func TestLongTails(t *testing.T) {
	s := open(t)
	l := logOf(t, s, "one")
	if _, err := l.Append(context.Background(), events("one", "a")...); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	tail := strings.Repeat("\x00", 200_000)
	if _, err := f.WriteString(tail); err != nil {
		t.Fatal(err)
	}
	f.Close()
	torn, err := l.Append(context.Background(), events("one", "b")...)
	if err != nil || torn == nil || *torn != (Torn{4, len(tail)}) {
		t.Errorf("%v, %v", torn, err)
	}
	if r, err := l.Read(); err != nil || len(r.Events) != 6 {
		t.Errorf("%v, %v", r, err)
	}
}

func TestDamageIsSaid(t *testing.T) {
	s := open(t)
	l := logOf(t, s, "one")
	if _, err := l.Append(context.Background(), events("one", "a", "b")...); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(l.Path())
	for _, x := range []struct {
		old, new, want string
		is             error
	}{
		{`"layer":"L1"`, `"layer":`, `read the log of session "one": the log is damaged: line 2: decode event: invalid character`, ErrCorrupt},
		{`CompressionAppliedEvent`, `SomethingElseEvent`, `read the log of session "one": the log is damaged: line 2: decode event: unknown type of event "SomethingElseEvent"; known are`, pack.ErrUnknownEvent},
		{`"sessionId":"one"`, `"sessionId":"two"`, `read the log of session "one": line 1: the event belongs to another session, "two"`, ErrForeign},
	} {
		if err := os.WriteFile(l.Path(), bytes.Replace(whole, []byte(x.old), []byte(x.new), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Read(); err == nil || !strings.HasPrefix(err.Error(), x.want) || !errors.Is(err, x.is) {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
	// A whole event that only a newer program knows is not taken for remains.
	later := `{"type":"LaterEvent"}`
	if err := os.WriteFile(l.Path(), append(bytes.Clone(whole), later...), 0o600); err != nil {
		t.Fatal(err)
	}
	if torn, err := l.Append(context.Background(), events("one", "c")...); torn != nil || err != nil {
		t.Error(torn, err)
	}
	if data, _ := os.ReadFile(l.Path()); !bytes.Contains(data, []byte(later+"\n{")) {
		t.Errorf("%s", data)
	}
}

// TestSessionsAreApart: names that look alike, or try to lead elsewhere, have
// logs of their own below the store, and none holds another's events.
func TestSessionsAreApart(t *testing.T) {
	s := open(t)
	names := []pack.SessionID{"a", "A", "a-", "../a", "a/b", "a\\b", "a b", "ä", "..", ".", "CON", "a.jsonl", pack.SessionID(strings.Repeat("x", 256)), pack.SessionID(strings.Repeat("x", 255)), "🙂"}
	seen := map[string]pack.SessionID{}
	for _, n := range names {
		l := logOf(t, s, n)
		lower := strings.ToLower(l.Path())
		if other, twice := seen[lower]; twice {
			t.Errorf("%q and %q share %s", n, other, l.Path())
		}
		seen[lower] = n
		if filepath.Dir(l.Path()) != filepath.Join(s.dir, "events") {
			t.Errorf("%q leads to %s", n, l.Path())
		}
		if _, err := l.Append(context.Background(), events(n, pack.ContextPackID(n))...); err != nil {
			t.Errorf("%q: %v", n, err)
		}
	}
	for _, n := range names {
		l := logOf(t, s, n)
		repository := pack.NewContextRepository(pack.Replayer[pack.ContextState]{Source: Source{Log: l}, Projection: pack.NewContextProjector()})
		got, err := repository.ContextState(n)
		if want := (pack.ContextState{BuiltPackIDs: []pack.ContextPackID{pack.ContextPackID(n)}}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", n, got, err)
		}
		if _, err := repository.ContextState("elsewhere"); !errors.Is(err, ErrForeign) {
			t.Errorf("%q reaches another session: %v", n, err)
		}
	}
	if _, err := logOf(t, s, "a").Append(context.Background(), events("b", "x")...); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
	for _, bad := range []pack.SessionID{"", "a\nb", "a\x00", "\xff", pack.SessionID(strings.Repeat("x", 257))} {
		if _, err := s.Log(bad, pack.NewEventCodec()); !errors.Is(err, pack.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestConcurrentAppends(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	const writers, batches = 6, 15
	for w := range writers {
		group.Go(func() {
			s, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			l, err := s.Log("one", pack.NewEventCodec())
			if err != nil {
				t.Error(err)
				return
			}
			for i := range batches {
				if torn, err := l.Append(context.Background(), events("one", pack.ContextPackID(fmt.Sprint(w, "-", i)))...); torn != nil || err != nil {
					t.Error(torn, err)
				}
			}
		})
	}
	group.Wait()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := logOf(t, s, "one").Read()
	if err != nil || len(r.Events) != 3*writers*batches {
		t.Fatalf("%v", err)
	}
	for i := 0; i < len(r.Events); i += 3 { // batches stay together
		a, b := r.Events[i+1].(pack.CompressionAppliedEvent), r.Events[i+2].(pack.ContextPackBuiltEvent)
		if a.ContextPackID != b.ContextPackID {
			t.Fatalf("event %d is of %s, the next of %s", i+1, a.ContextPackID, b.ContextPackID)
		}
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	s := open(t)
	victim := filepath.Join(filepath.Dir(s.dir), "victim.go")
	if err := os.WriteFile(victim, []byte("package x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".jsonl", ".lock"} {
		l := logOf(t, s, pack.SessionID("linked"+ext))
		link := filepath.Join(l.dir, l.name+ext)
		if err := os.Symlink("../../victim.go", link); err != nil {
			t.Skip(err)
		}
		if _, err := l.Append(context.Background(), events("linked"+pack.SessionID(ext), "a")...); err == nil {
			t.Errorf("%s: appended through a link", ext)
		}
		if _, err := l.Read(); err == nil {
			t.Errorf("%s: read through a link", ext)
		}
	}
	if data, _ := os.ReadFile(victim); string(data) != "package x\n" {
		t.Errorf("%q", data)
	}
	for _, name := range []string{"events", "packs", ""} {
		dir := t.TempDir()
		elsewhere := t.TempDir()
		if name != "" {
			if err := os.Mkdir(filepath.Join(dir, storeName), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(elsewhere, filepath.Join(dir, storeName, name)); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(dir); err == nil {
			s.Close()
			t.Errorf("opened through a link at %q", name)
		}
		if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
			t.Errorf("%q: wrote %v", name, left)
		}
	}
}

func keep(t testing.TB, s *Store, name string, lines ...string) Input {
	t.Helper()
	k := s.Keep(name)
	for _, l := range lines {
		k.Line([]byte(l))
	}
	in, err := k.Close()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func manyLines(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("{\"line\":%d,\"text\":%q}\n", i, strings.Repeat(fmt.Sprint(i*7919), 60))
	}
	return out
}

func TestInputsAreKept(t *testing.T) {
	s := open(t)
	for name, lines := range map[string][]string{
		"empty": nil, "one": {"x\n"}, "no line break": {"x\n", "y"}, "many": manyLines(3000), "long line": {strings.Repeat("x", 3<<20) + "\n", "y\n"}, "bytes": {"\xff\x00\n"},
	} {
		in := keep(t, s, name, lines...)
		got, err := s.ReadInput(in)
		if err != nil || string(got) != strings.Join(lines, "") {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// TestGrowingInputsShareTheirBeginning: a session that is kept with every pack
// costs about what it grows by.
func TestGrowingInputsShareTheirBeginning(t *testing.T) {
	s := open(t)
	lines := manyLines(4000)
	pieces := map[string]bool{}
	total := 0
	for n := 3000; n <= 4000; n += 100 {
		in := keep(t, s, "entries", lines[:n]...)
		for _, p := range in.Pieces {
			pieces[p] = true
		}
		total += len(in.Pieces)
		// Lines that leave at the beginning do not change the pieces at the end.
		shifted := keep(t, s, "entries", lines[100:n]...)
		same := 0
		for _, p := range shifted.Pieces {
			if pieces[p] {
				same++
			}
		}
		if same < len(shifted.Pieces)-4 {
			t.Errorf("%d lines: %d of %d pieces are shared", n, same, len(shifted.Pieces))
		}
	}
	if len(pieces) > total/3 {
		t.Errorf("%d pieces, %d of them different", total, len(pieces))
	}
}

func TestMissingAndAlteredInputsAreNamed(t *testing.T) {
	s := open(t)
	in := keep(t, s, "entries", manyLines(1000)...)
	if len(in.Pieces) < 3 {
		t.Fatalf("%d pieces", len(in.Pieces))
	}
	file := filepath.Join(s.dir, filepath.FromSlash(piecePath(in.Pieces[1])))
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(what string, in Input, sentinel error, want string) {
		t.Helper()
		if _, err := s.ReadInput(in); !errors.Is(err, sentinel) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := 0; i < len(good); i += 1 + len(good)/50 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if err := os.WriteFile(file, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if data, err := s.ReadInput(in); err == nil && string(data) != strings.Join(manyLines(1000), "") {
			t.Errorf("byte %d: the change went unnoticed", i)
		}
	}
	if err := os.WriteFile(file, good[:len(good)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	expect("cut", in, ErrAltered, fmt.Sprintf(`the input "entries" was altered: piece 2 of %d, .project-map/packs/`, len(in.Pieces)))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	expect("removed", in, ErrMissing, fmt.Sprintf(`the input "entries" is missing: piece 2 of %d, .project-map/packs/`, len(in.Pieces)))
	// Keeping the same input again mends it.
	if again := keep(t, s, "entries", manyLines(1000)...); !reflect.DeepEqual(again, in) {
		t.Errorf("%+v", again)
	}
	if _, err := s.ReadInput(in); err != nil {
		t.Error(err)
	}
	expect("another name", Input{Name: "x", Pieces: []string{"../../etc/passwd"}}, ErrAltered, `the input "x" was altered: piece 1 of 1`)
	short := in
	short.Pieces = short.Pieces[1:]
	expect("a piece less", short, ErrAltered, `the input "entries" was altered: `)
}

func TestRecords(t *testing.T) {
	s := open(t)
	id := pack.ContextPackID("pack-" + strings.Repeat("0a", 16))
	want := &Record{PackID: id, SessionID: "s", StageID: "t", Budget: 5, Tokenizer: "estimate", Inputs: []Input{keep(t, s, "x", "y\n")}, PackSHA256: "z"}
	if _, err := s.Recorded(id); !errors.Is(err, ErrNoRecord) {
		t.Errorf("%v", err)
	}
	if err := s.Record(want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Recorded(id); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	file := filepath.Join(s.dir, filepath.FromSlash(recordPath(id)))
	data, _ := os.ReadFile(file)
	for _, x := range []struct {
		data string
		want error
	}{
		{strings.Replace(string(data), "pack-0a", "pack-1a", 1), ErrAltered},
		{string(data[:20]), ErrAltered},
	} {
		if err := os.WriteFile(file, []byte(x.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Recorded(id); !errors.Is(err, x.want) {
			t.Errorf("%v", err)
		}
	}
	if _, err := s.Recorded("../../x"); !errors.Is(err, ErrNoRecord) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), `"version": 1`, `"version": 2`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Recorded(id); err == nil || !strings.Contains(err.Error(), "newer program") {
		t.Errorf("%v", err)
	}
}

func FuzzLog(f *testing.F) {
	s, err := Open(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	l, err := s.Log("one", pack.NewEventCodec())
	if err != nil {
		f.Fatal(err)
	}
	var log []byte
	for _, e := range events("one", "a", "b") {
		line, _ := l.codec.Encode(e)
		log = append(append(log, line...), '\n')
	}
	f.Add(log)
	f.Add(log[:len(log)-9])
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := l.decode(data)
		if err == nil && len(r.Events) > bytes.Count(data, []byte{'\n'})+1 {
			t.Errorf("%d events", len(r.Events))
		}
	})
}
