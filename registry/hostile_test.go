package registry

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/project-map/project-map/registry/registrytest"
)

const manifestType = ocispec.MediaTypeImageManifest

// endless writes until the client leaves; it gives up after so many bytes.
func endless(w http.ResponseWriter, most int) {
	block := make([]byte, 64<<10)
	for n := 0; n < most; n += len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// TestHostileRegistry: whatever a registry answers, the error is the right one, is
// there soon, costs little memory and repeats nothing that the server said.
func TestHostileRegistry(t *testing.T) {
	a := sampleArtifact(3000)
	manifest, sum, err := a.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	// edited gives a manifest with something else in it.
	edited := func(change func(m *ocispec.Manifest)) []byte {
		var m ocispec.Manifest
		if err := json.Unmarshal(manifest, &m); err != nil {
			t.Fatal(err)
		}
		change(&m)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	type fault = func(w http.ResponseWriter, r *http.Request) bool
	onBlob := func(f func(w http.ResponseWriter, r *http.Request)) fault {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "/blobs/") {
				f(w, r)
				return true
			}
			return false
		}
	}
	onManifest := func(f func(w http.ResponseWriter, r *http.Request)) fault {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "/manifests/") {
				f(w, r)
				return true
			}
			return false
		}
	}
	status := func(code int) fault {
		return func(w http.ResponseWriter, r *http.Request) bool {
			http.Error(w, `{"errors":[{"code":"said by the server","message":"said by the server"}]}`, code)
			return true
		}
	}
	for _, c := range []struct {
		name      string
		manifest  []byte
		mediaType string
		pinned    bool
		fault     fault
		want      error
		says      string
	}{
		{name: "no such tag", fault: status(404), want: ErrNotFound, says: "404 Not Found"},
		{name: "an error", fault: status(500), want: ErrServer, says: "500 Internal Server Error"},
		{name: "too many requests", fault: status(429), want: ErrServer, says: "429"},
		{name: "forbidden", fault: status(403), want: ErrUnauthorized, says: "there are no credentials for"},
		{name: "unauthorized for ever", fault: status(401), want: ErrUnauthorized},
		{name: "a code nobody knows", fault: status(299), want: ErrServer, says: "299"},
		{name: "a strange challenge", want: ErrUnauthorized, fault: func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Www-Authenticate", `Digest said="by the server"`)
			w.WriteHeader(401)
			return true
		}},
		{name: "a realm that is no address", want: ErrServer, fault: func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Www-Authenticate", `Bearer realm="file:///said/by/the/server"`)
			w.WriteHeader(401)
			return true
		}},
		{name: "a realm in the clear elsewhere", want: ErrPlainHTTP, says: "to elsewhere.invalid", fault: func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Www-Authenticate", `Bearer realm="http://elsewhere.invalid/t"`)
			w.WriteHeader(401)
			return true
		}},
		{name: "a token of nothing", want: ErrServer, fault: func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" {
				endless(w, 50<<20)
				return true
			}
			w.Header().Set("Www-Authenticate", `Bearer realm="http://`+r.Host+`/token"`)
			w.WriteHeader(401)
			return true
		}},
		{name: "an index", manifest: []byte(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}`),
			mediaType: ocispec.MediaTypeImageIndex, want: ErrKind, says: "an index of several artifacts"},
		{name: "an index under the type of a manifest", manifest: []byte(`{"schemaVersion":2,"mediaType":"` + manifestType + `","manifests":[{"manifests":[{}]}]}`),
			want: ErrKind, says: "an index of several artifacts"},
		{name: "an image of docker", manifest: []byte(`{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json"}`),
			mediaType: "application/vnd.docker.distribution.manifest.v2+json", want: ErrKind, says: "another format"},
		{name: "a page", manifest: []byte(`<html>said by the server</html>`), mediaType: "text/html", want: ErrKind},
		{name: "no JSON", manifest: []byte(`{"schemaVersion":2,`), want: ErrKind, says: "not JSON"},
		{name: "deep JSON", manifest: []byte(strings.Repeat(`{"a":`, 10_000)), want: ErrKind, says: "not JSON"},
		{name: "another artifact", manifest: edited(func(m *ocispec.Manifest) { m.ArtifactType = "application/vnd.said-by-the-server" }), want: ErrKind, says: "of another type"},
		{name: "a configuration", manifest: edited(func(m *ocispec.Manifest) { m.Config.MediaType = ocispec.MediaTypeImageConfig }), want: ErrKind, says: "holds more"},
		{name: "a subject", manifest: edited(func(m *ocispec.Manifest) { m.Subject = &m.Config }), want: ErrKind, says: "holds more"},
		{name: "no layers", manifest: edited(func(m *ocispec.Manifest) { m.Layers = nil }), want: ErrKind, says: "has no archive"},
		{name: "a signature alone", manifest: edited(func(m *ocispec.Manifest) { m.Layers = m.Layers[1:] }), want: ErrKind, says: "has no archive"},
		{name: "two archives", manifest: edited(func(m *ocispec.Manifest) { m.Layers[1] = m.Layers[0] }), want: ErrKind, says: "other layers"},
		{name: "two signatures", manifest: edited(func(m *ocispec.Manifest) { m.Layers = append(m.Layers, m.Layers[1]) }), want: ErrKind, says: "other layers"},
		{name: "a layer more", manifest: edited(func(m *ocispec.Manifest) { m.Layers = append(m.Layers, m.Config) }), want: ErrKind, says: "other layers"},
		{name: "a layer elsewhere", manifest: edited(func(m *ocispec.Manifest) { m.Layers[0].URLs = []string{"http://elsewhere.invalid/"} }), want: ErrKind},
		{name: "a layer of another digest", manifest: edited(func(m *ocispec.Manifest) { m.Layers[0].Digest = "sha256:../../x" }), want: ErrKind},
		{name: "a negative size", manifest: edited(func(m *ocispec.Manifest) { m.Layers[0].Size = -1 }), want: ErrKind},
		{name: "a huge archive", manifest: edited(func(m *ocispec.Manifest) { m.Layers[0].Size = 1 << 40 }), want: ErrTooLarge},
		{name: "a huge signature", manifest: edited(func(m *ocispec.Manifest) { m.Layers[1].Size = 1 << 30 }), want: ErrTooLarge},
		{name: "a huge manifest", manifest: make([]byte, maxManifest+1), want: ErrTooLarge},
		{name: "an endless manifest", want: ErrTooLarge, fault: onManifest(func(w http.ResponseWriter, r *http.Request) { endless(w, 500<<20) })},
		{name: "a manifest cut short", want: ErrCorrupt, says: "cut short", fault: onManifest(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(manifest[:500])
		})},
		{name: "another manifest than was asked for", pinned: true, want: ErrCorrupt, says: "not the one that was asked for", fault: onManifest(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", manifestType)
			_, _ = w.Write(append(manifest, ' '))
		})},
		{name: "another manifest than the tag's", want: ErrCorrupt, says: "not the one that its tag has", fault: onManifest(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", manifestType)
			w.Header().Set("Docker-Content-Digest", someDigest)
			_, _ = w.Write(manifest)
		})},
		{name: "another digest", want: ErrCorrupt, says: "it is not sha256:", fault: onBlob(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, 3000)) })},
		{name: "another length", want: ErrCorrupt, says: "bytes were announced", fault: onBlob(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, 200)) })},
		{name: "an endless layer", want: ErrCorrupt, says: "there is more than", fault: onBlob(func(w http.ResponseWriter, r *http.Request) { endless(w, 500<<20) })},
		{name: "a layer cut short", want: ErrCorrupt, says: "1000 of the 3000 bytes", fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "3000")
			_, _ = w.Write(a.Archive[:1000])
		})},
		{name: "a layer that ends early", want: ErrCorrupt, says: "1000 of the 3000 bytes", fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).Flush()
			_, _ = w.Write(a.Archive[:1000])
		})},
		{name: "a compressed layer", want: ErrCorrupt, fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(a.Archive)
			_ = z.Close()
		})},
		{name: "a compressed manifest", want: ErrKind, fault: onManifest(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", manifestType)
			z := gzip.NewWriter(w)
			_, _ = z.Write(manifest)
			_ = z.Close()
		})},
		{name: "no layer", want: ErrNotFound, fault: onBlob(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404) })},
		{name: "one byte at a time", want: ErrUnreachable, says: "the transfer stalls", fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "3000")
			for i := range 3000 {
				if _, err := w.Write(a.Archive[i : i+1]); err != nil || http.NewResponseController(w).Flush() != nil || r.Context().Err() != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		})},
		{name: "a manifest one byte at a time", want: ErrUnreachable, says: "no answer in time", fault: onManifest(func(w http.ResponseWriter, r *http.Request) {
			for range 1000 {
				if _, err := w.Write([]byte{' '}); err != nil || http.NewResponseController(w).Flush() != nil || r.Context().Err() != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		})},
		{name: "no answer", want: ErrUnreachable, says: "no answer in time", fault: func(w http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}},
		{name: "a connection that ends", want: ErrUnreachable, fault: func(w http.ResponseWriter, r *http.Request) bool {
			panic(http.ErrAbortHandler)
		}},
		{name: "no HTTP", want: ErrServer, fault: func(w http.ResponseWriter, r *http.Request) bool {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, "220 said by the server\r\n")
				_ = conn.Close()
			}
			return true
		}},
		{name: "endless headers", want: ErrServer, fault: func(w http.ResponseWriter, r *http.Request) bool {
			for i := range 5000 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
			}
			return true
		}},
		{name: "redirects in a circle", want: ErrServer, says: "redirects more than", fault: func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path+"?secret=said-by-the-server", http.StatusTemporaryRedirect)
			return true
		}},
		{name: "a redirect in the clear", want: ErrPlainHTTP, says: "to elsewhere.invalid", fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.invalid/?secret=said-by-the-server", http.StatusTemporaryRedirect)
		})},
		{name: "a redirect to no host", want: ErrUnreachable, says: "elsewhere.invalid", fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.invalid/?secret=said-by-the-server", http.StatusTemporaryRedirect)
		})},
		{name: "a redirect to a file", want: ErrPlainHTTP, fault: onBlob(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusTemporaryRedirect)
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.New(false)
			defer s.Close()
			s.PutBlob(a.Archive)
			s.PutBlob(a.Signature)
			data, kind := manifest, manifestType
			if c.manifest != nil {
				data = c.manifest
			}
			if c.mediaType != "" {
				kind = c.mediaType
			}
			s.PutManifest("m", "t", kind, data)
			s.Fault(c.fault)
			name := "m:t"
			if c.pinned {
				name = "m@" + sum
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			p, err := newClient(Options{}, quick()).Pull(context.Background(), at(t, s, name), PullOptions{})
			runtime.ReadMemStats(&after)
			if p != nil || !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v does not say %q", err, c.says)
			}
			for _, bad := range []string{"said", "http://", "https://", "secret"} {
				if strings.Contains(err.Error(), bad) {
					t.Errorf("the error repeats %q: %v", bad, err)
				}
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("it takes %v", d)
			}
			// Other tests run beside this one.
			if n := after.TotalAlloc - before.TotalAlloc; n > 100<<20 {
				t.Errorf("it takes %d bytes of memory", n)
			}
		})
	}
}

// TestBrokenConnections: what breaks off is tried again, and not for ever.
func TestBrokenConnections(t *testing.T) {
	s := start(t)
	a := sampleArtifact(3000)
	c := newClient(Options{}, quick())
	if _, err := c.Push(context.Background(), at(t, s, "m"), []string{"t"}, a); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	for _, failures := range []int64{1, 2} {
		asked.Store(0)
		s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, digestOf(a.Archive)) || asked.Add(1) > failures {
				return false
			}
			w.Header().Set("Content-Length", "3000")
			_, _ = w.Write(a.Archive[:10])
			return true
		})
		_, err := c.Pull(context.Background(), at(t, s, "m:t"), PullOptions{})
		if failures == 1 && err != nil || failures == 2 && !errors.Is(err, ErrCorrupt) || asked.Load() != 2 {
			t.Errorf("%d failures, asked %d times: %v", failures, asked.Load(), err)
		}
	}
	// A registry that is busy once.
	asked.Store(0)
	s.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if asked.Add(1) > 1 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	if _, err := c.Pull(context.Background(), at(t, s, "m:t"), PullOptions{}); err != nil {
		t.Errorf("busy once: %v", err)
	}
}

// TestHostilePush: what a registry answers to a push is not trusted either.
func TestHostilePush(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(w http.ResponseWriter, r *http.Request) bool
		want  error
	}{
		"an upload elsewhere": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost {
				return false
			}
			w.Header().Set("Location", "https://elsewhere.invalid/upload?secret=said-by-the-server")
			w.WriteHeader(http.StatusAccepted)
			return true
		}, ErrServer},
		"no place": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusAccepted)
			}
			return r.Method == http.MethodPost
		}, ErrServer},
		"denied": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusForbidden)
			}
			return r.Method == http.MethodPost
		}, ErrUnauthorized},
		"too large": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
			}
			return r.Method == http.MethodPut
		}, ErrTooLarge},
		"another digest": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "manifests") {
				return false
			}
			w.Header().Set("Docker-Content-Digest", someDigest)
			w.WriteHeader(http.StatusCreated)
			return true
		}, ErrServer},
		"no artifacts": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "manifests") {
				return false
			}
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"errors":[{"code":"MANIFEST_INVALID","message":"said by the server"}]}`)
			return true
		}, ErrServer},
		"a body that nobody reads": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut {
				return false
			}
			select {
			case <-r.Context().Done():
			case <-time.After(time.Second):
			}
			return true
		}, ErrUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.New(false)
			defer s.Close()
			s.Fault(c.fault)
			size := 1000
			if c.want == ErrUnreachable {
				size = 16 << 20 // more than the buffers of a connection
			}
			begin := time.Now()
			_, err := newClient(Options{}, quick()).Push(context.Background(), at(t, s, "m"), []string{"t"}, sampleArtifact(size))
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			for _, bad := range []string{"said", "http://", "https://", "secret"} {
				if strings.Contains(err.Error(), bad) {
					t.Errorf("the error repeats %q: %v", bad, err)
				}
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("it takes %v", d)
			}
		})
	}
}

func TestTLS(t *testing.T) {
	s := registrytest.New(true)
	t.Cleanup(s.Close)
	encryptedOnly, plain := false, true
	pull := func(o Options, ref string) error {
		r, err := ParseReference(ref)
		if err != nil {
			t.Fatal(err)
		}
		_, err = newClient(o, quick()).Pull(context.Background(), r, PullOptions{})
		return err
	}
	if err := pull(Options{PlainHTTP: &encryptedOnly}, "oci://"+s.Host()+"/m:t"); !errors.Is(err, ErrTLS) || !strings.Contains(err.Error(), "unknown authority") {
		t.Errorf("an unknown certificate: %v", err)
	}
	http := start(t)
	if err := pull(Options{PlainHTTP: &encryptedOnly}, "oci://"+http.Host()+"/m:t"); !errors.Is(err, ErrTLS) || !strings.Contains(err.Error(), "speaks without encryption") {
		t.Errorf("no TLS where it has to be: %v", err)
	}
	if err := pull(Options{}, "oci://"+http.Host()+"/m:t"); !errors.Is(err, ErrNotFound) {
		t.Errorf("this machine is not asked in the clear: %v", err)
	}
	// Elsewhere the flag decides. The name is of no host, so that nothing leaves.
	if r := newClient(Options{}, quick()).repository(Reference{Host: "h.invalid", Repository: "m"}); r.scheme != "https" {
		t.Error("another host is asked in the clear")
	}
	if r := newClient(Options{PlainHTTP: &plain}, quick()).repository(Reference{Host: "h.invalid", Repository: "m"}); r.scheme != "http" {
		t.Error("the flag does nothing")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := l.Addr().String()
	_ = l.Close()
	if err := pull(Options{}, "oci://"+gone+"/m:t"); !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("nobody there: %v", err)
	}
}
