// Package registrytest is a small OCI registry in memory, with faults on demand, for
// tests of those that talk to one.
package registrytest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Server is a registry on loopback.
type Server struct {
	*httptest.Server

	mu        sync.Mutex
	blobs     map[string][]byte // by digest
	manifests map[string]manifest
	requests  []Request
	// User and Password are asked for as basic credentials unless User is "".
	user, password string
	// bearer makes the server ask for a token of its own service.
	bearer bool
	fault  func(http.ResponseWriter, *http.Request) bool
}

type manifest struct {
	mediaType string
	data      []byte
}

// Request is what a server was asked.
type Request struct{ Method, Path, Authorization string }

// token is what the token service gives.
const token = "registrytest-token"

// New starts a registry; the caller closes it. With tls its certificate is that of
// httptest.
func New(tls bool) *Server {
	s := &Server{blobs: map[string][]byte{}, manifests: map[string]manifest{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if tls {
		s.StartTLS()
	} else {
		s.Start()
	}
	return s
}

// Host is the host and port of the server.
func (s *Server) Host() string { return s.Listener.Addr().String() }

// Protect makes the server ask for credentials, with a token service if bearer.
func (s *Server) Protect(user, password string, bearer bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user, s.password, s.bearer = user, password, bearer
}

// Fault sets what sees each request first; it returns true if it has answered.
func (s *Server) Fault(f func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Requests are those since the last call, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

// PutBlob stores a blob and returns its digest.
func (s *Server) PutBlob(data []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := digestOf(data)
	s.blobs[sum] = data
	return sum
}

// PutManifest stores a manifest under a tag and its digest, which it returns.
func (s *Server) PutManifest(repository, tag, mediaType string, data []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := digestOf(data)
	s.manifests[repository+"@"+sum] = manifest{mediaType, data}
	if tag != "" {
		s.manifests[repository+"@"+tag] = manifest{mediaType, data}
	}
	return sum
}

// Manifest gives the manifest under a tag or digest, nil for none.
func (s *Server) Manifest(repository, name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manifests[repository+"@"+name].data
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, Request{r.Method, r.URL.Path, r.Header.Get("Authorization")})
	fault := s.fault
	s.mu.Unlock()
	if fault != nil && fault(w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/token" {
		if u, p, ok := r.BasicAuth(); !ok || u != s.user || p != s.password {
			http.Error(w, `{"errors":[{"code":"UNAUTHORIZED"}]}`, http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, `{"token":%q}`, token)
		return
	}
	if !s.allowed(w, r) {
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/v2/")
	if i := strings.LastIndex(path, "/manifests/"); ok && i > 0 {
		s.manifest(w, r, path[:i], path[i+len("/manifests/"):])
		return
	}
	if i := strings.LastIndex(path, "/blobs/"); ok && i > 0 {
		s.blob(w, r, path[:i], path[i+len("/blobs/"):])
		return
	}
	fail(w, http.StatusNotFound, "NAME_UNKNOWN")
}

func fail(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"errors":[{"code":%q,"message":"said by the server"}]}`, code)
}

func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	if s.user == "" {
		return true
	}
	if s.bearer {
		if r.Header.Get("Authorization") == "Bearer "+token {
			return true
		}
		w.Header().Set("Www-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="test"`, s.URL))
	} else {
		if u, p, ok := r.BasicAuth(); ok && u == s.user && p == s.password {
			return true
		}
		w.Header().Set("Www-Authenticate", `Basic realm="test"`)
	}
	fail(w, http.StatusUnauthorized, "UNAUTHORIZED")
	return false
}

func (s *Server) manifest(w http.ResponseWriter, r *http.Request, repository, name string) {
	if r.Method == http.MethodPut {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			fail(w, http.StatusBadRequest, "MANIFEST_INVALID")
			return
		}
		m := manifest{r.Header.Get("Content-Type"), data}
		s.manifests[repository+"@"+name] = m
		s.manifests[repository+"@"+digestOf(data)] = m
		w.Header().Set("Docker-Content-Digest", digestOf(data))
		w.WriteHeader(http.StatusCreated)
		return
	}
	m, ok := s.manifests[repository+"@"+name]
	if !ok {
		fail(w, http.StatusNotFound, "MANIFEST_UNKNOWN")
		return
	}
	w.Header().Set("Content-Type", m.mediaType)
	w.Header().Set("Docker-Content-Digest", digestOf(m.data))
	send(w, r, m.data)
}

func send(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(data)
	}
}

func (s *Server) blob(w http.ResponseWriter, r *http.Request, repository, name string) {
	switch r.Method {
	case http.MethodPost:
		w.Header().Set("Location", "/v2/"+repository+"/blobs/uploads/1")
		w.WriteHeader(http.StatusAccepted)
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Query().Get("digest") != digestOf(data) {
			fail(w, http.StatusBadRequest, "DIGEST_INVALID")
			return
		}
		s.blobs[digestOf(data)] = data
		w.WriteHeader(http.StatusCreated)
	default:
		data, ok := s.blobs[name]
		if !ok {
			fail(w, http.StatusNotFound, "BLOB_UNKNOWN")
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		send(w, r, data)
	}
}
