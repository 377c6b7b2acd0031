package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/registry/registrytest"
)

// quick are limits with which faults are noticed at once.
func quick() limits {
	return limits{
		dial: 2 * time.Second, response: 300 * time.Millisecond, metadata: time.Second,
		stall: 300 * time.Millisecond, stallBytes: 1000, retries: 1, wait: time.Millisecond,
	}
}

func sampleArtifact(n int) *Artifact {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return &Artifact{Archive: data, Signature: []byte("untrusted comment: x\n"), Revision: repeat("ab", 20), Created: time.Unix(1577836800, 0)}
}

func start(t *testing.T) *registrytest.Server {
	t.Helper()
	s := registrytest.New(false)
	t.Cleanup(s.Close)
	return s
}

func at(t *testing.T, s *registrytest.Server, rest string) Reference {
	t.Helper()
	r, err := ParseReference(Scheme + s.Host() + "/" + rest)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// paths lists the requests as METHOD KIND.
func paths(s *registrytest.Server) (out []string) {
	for _, r := range s.Requests() {
		kind := "other"
		for _, k := range []string{"manifests", "blobs", "uploads", "token"} {
			if strings.Contains(r.Path, "/"+k) {
				kind = k
			}
		}
		out = append(out, r.Method+" "+kind)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	s := start(t)
	var last, total int64
	c := newClient(Options{Progress: func(d, n int64) { last, total = d, n }}, quick())
	a := sampleArtifact(100_000)
	ctx := context.Background()
	pushed, err := c.Push(ctx, at(t, s, "owner/maps"), []string{"one", "main", "one"}, a)
	if err != nil {
		t.Fatal(err)
	}
	if last != 100_000 || total != 100_000 {
		t.Errorf("progress ended with %d of %d", last, total)
	}
	if !slices.Equal(pushed.Tags, []string{"one", "main"}) || len(pushed.New) != 2 || pushed.Moved != nil {
		t.Errorf("%+v", pushed)
	}
	manifest, sum, err := a.Manifest()
	if err != nil || sum != pushed.Digest || !bytes.Equal(s.Manifest("owner/maps", "one"), manifest) || !bytes.Equal(s.Manifest("owner/maps", sum), manifest) {
		t.Errorf("%s, %v: %s", sum, err, manifest)
	}
	const want = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.project-map.archive.v1",` +
		`"config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2,"data":"e30="},` +
		`"layers":[{"mediaType":"application/vnd.project-map.archive.v1.tar+zstd",`
	if !strings.HasPrefix(string(manifest), want) || !strings.Contains(string(manifest), `"org.opencontainers.image.created":"2020-01-01T00:00:00Z"`) {
		t.Errorf("the manifest is %s", manifest)
	}
	s.Requests()

	// Again: nothing is sent. A tag that named something else is told.
	again, err := c.Push(ctx, at(t, s, "owner/maps"), []string{"one", "main"}, a)
	if err != nil || again.Digest != sum || len(again.New) != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	if got := paths(s); !slices.Equal(got, []string{"HEAD manifests", "HEAD manifests"}) {
		t.Errorf("a second push asks %q", got)
	}
	other := sampleArtifact(10)
	other.Signature = nil
	moved, err := c.Push(ctx, at(t, s, "owner/maps"), []string{"main"}, other)
	if err != nil || len(moved.Moved) != 1 || moved.Moved[0] != (Moved{"main", sum}) {
		t.Errorf("%+v, %v", moved, err)
	}

	for _, name := range []string{"owner/maps:one", "owner/maps@" + sum, "owner/maps:main@" + sum} {
		p, err := c.Pull(ctx, at(t, s, name), PullOptions{Signature: true})
		if err != nil {
			t.Fatal(err)
		}
		if p.Digest != sum || p.ArchiveDigest != digestOf(a.Archive) || !p.Signed || !bytes.Equal(p.Archive, a.Archive) || !bytes.Equal(p.Signature, a.Signature) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p, err := c.Pull(ctx, at(t, s, "owner/maps:main"), PullOptions{Signature: true}); err != nil || p.Signed || p.Signature != nil || len(p.Archive) != 10 {
		t.Errorf("%+v, %v", p, err)
	}
	s.Requests()
	var wrong *OtherArchiveError
	if _, err := c.Pull(ctx, at(t, s, "owner/maps:one"), PullOptions{Archive: someDigest}); !errors.As(err, &wrong) || wrong.Manifest != sum {
		t.Errorf("another archive: %v", err)
	}
	if got := paths(s); !slices.Equal(got, []string{"GET manifests"}) {
		t.Errorf("another archive was fetched: %q", got)
	}
	if sum, err := c.Resolve(ctx, at(t, s, "owner/maps:one")); err != nil || sum != pushed.Digest {
		t.Errorf("%s, %v", sum, err)
	}
	if _, err := c.Pull(ctx, at(t, s, "owner/maps"), PullOptions{}); !errors.Is(err, ErrReference) {
		t.Errorf("neither tag nor digest: %v", err)
	}
}

func TestSameManifest(t *testing.T) {
	a := sampleArtifact(50)
	_, want, err := a.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	b := sampleArtifact(50)
	b.Created = b.Created.In(time.FixedZone("elsewhere", 3600))
	if _, got, err := b.Manifest(); err != nil || got != want {
		t.Errorf("another zone gives %s, %v, not %s", got, err, want)
	}
	for name, change := range map[string]func(*Artifact){
		"archive":   func(a *Artifact) { a.Archive[0]++ },
		"signature": func(a *Artifact) { a.Signature = nil },
		"revision":  func(a *Artifact) { a.Revision = repeat("cd", 20) },
		"time":      func(a *Artifact) { a.Created = a.Created.Add(time.Second) },
	} {
		b := sampleArtifact(50)
		change(b)
		if _, got, err := b.Manifest(); err != nil || got == want {
			t.Errorf("another %s gives the same digest (%v)", name, err)
		}
	}
}

func TestCache(t *testing.T) {
	s := start(t)
	c := newClient(Options{}, quick())
	ctx := context.Background()
	a := sampleArtifact(5000)
	pushed, err := c.Push(ctx, at(t, s, "m"), []string{"t"}, a)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "not", "there")
	cache := NewCache(dir, 20_000)
	pull := func(name string, want ...string) {
		t.Helper()
		s.Requests()
		p, err := c.Pull(ctx, at(t, s, name), PullOptions{Cache: cache})
		if err != nil || p.Uncached != nil || !bytes.Equal(p.Archive, a.Archive) || p.Digest != pushed.Digest {
			t.Fatalf("%+v, %v", p, err)
		}
		if got := paths(s); !slices.Equal(got, want) {
			t.Errorf("%s asks %q, want %q", name, got, want)
		}
	}
	pinned := "m@" + pushed.Digest
	pull("m:t", "HEAD manifests", "GET manifests", "GET blobs")
	pull("m:t", "HEAD manifests")
	pull(pinned)
	pull("m:t@" + pushed.Digest)
	// A registry that does not say what a tag is.
	s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusOK)
		}
		return r.Method == http.MethodHead
	})
	pull("m:t", "HEAD manifests", "GET manifests")
	s.Fault(nil)

	// Damage is noticed and mended.
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pull(pinned, "GET manifests", "GET blobs")
	pull(pinned)

	// A link is not followed.
	blob := filepath.Join(dir, cacheName(digestOf(a.Archive)))
	outside := filepath.Join(t.TempDir(), "x")
	if err := errors.Join(os.Rename(blob, outside), os.Symlink(outside, blob)); err != nil {
		t.Fatal(err)
	}
	pull(pinned, "GET blobs")

	// What is too large for it is used and not kept.
	small := NewCache(filepath.Join(t.TempDir(), "small"), 4000)
	for range 2 {
		if p, err := c.Pull(ctx, at(t, s, pinned), PullOptions{Cache: small}); err != nil || len(p.Archive) != 5000 {
			t.Errorf("%v", err)
		}
	}
	// A cache that cannot be written costs a remark, not the answer.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := c.Pull(ctx, at(t, s, pinned), PullOptions{Cache: NewCache(file, 1<<20)}); err != nil || p.Uncached == nil {
		t.Errorf("%+v, %v", p, err)
	}
	// With the registry away the digest still answers, and the tag does not.
	s.Close()
	if _, err := c.Pull(ctx, at(t, s, "m:t"), PullOptions{Cache: cache}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a tag without its registry: %v", err)
	}
	if p, err := c.Pull(ctx, at(t, s, pinned), PullOptions{Cache: cache}); err != nil || !bytes.Equal(p.Archive, a.Archive) {
		t.Errorf("a digest without its registry: %v", err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	c := NewCache(dir, 1000)
	content := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 300) }
	for _, name := range []string{"tmp-old", "tmp-new", "mine.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * tempAge)
	if err := os.Chtimes(filepath.Join(dir, "tmp-old"), past, past); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := c.put(content(i)); err != nil {
			t.Fatal(err)
		}
		then := past.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, cacheName(digestOf(content(i)))), then, then); err != nil {
			t.Fatal(err)
		}
	}
	// The first is used, so the second is the one that leaves.
	if c.get(digestOf(content(0)), 300) == nil {
		t.Fatal("it is not kept")
	}
	if err := c.put(content(3)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true, true} {
		if got := c.get(digestOf(content(i)), 300) != nil; got != want {
			t.Errorf("content %d: %v", i, got)
		}
	}
	if c.get(digestOf(content(0)), 299) != nil || c.get("sha256:../../x", 300) != nil {
		t.Error("more than was allowed, or another name, is read")
	}
	for name, want := range map[string]bool{"tmp-old": false, "tmp-new": true, "mine.txt": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEnds(t *testing.T) {
	s := start(t)
	c := newClient(Options{}, quick())
	ctx, cancel := context.WithCancel(context.Background())
	s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		cancel()
		<-r.Context().Done()
		return true
	})
	begin := time.Now()
	if _, err := c.Pull(ctx, at(t, s, "m:t"), PullOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if d := time.Since(begin); d > 200*time.Millisecond {
		t.Errorf("an interrupt takes %v", d)
	}
}

func Example() {
	r, err := ParseReference("oci://registry.example.com/owner/maps:main")
	fmt.Println(r.Host, r.Repository, r.Tag, err)
	// Output: registry.example.com owner/maps main <nil>
}
