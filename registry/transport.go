package registry

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"oras.land/oras-go/v2/registry/remote/retry"
)

// newTransport makes the transport of a client: proxies by the environment, the
// certificates of the system (or SSL_CERT_FILE), always verified.
func newTransport(l limits) http.RoundTripper {
	base := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: l.dial}).DialContext,
		TLSHandshakeTimeout:    l.dial,
		ResponseHeaderTimeout:  l.response,
		IdleConnTimeout:        l.response,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		// Bytes are compared with digests as they come.
		DisableCompression: true,
	}
	policy := &retry.GenericPolicy{
		Retryable: retry.DefaultPredicate, Backoff: retry.DefaultBackoff,
		MinWait: min(200*time.Millisecond, l.wait), MaxWait: l.wait, MaxRetry: l.retries,
	}
	return &retry.Transport{Base: metered{base}, Policy: func() retry.Policy { return policy }}
}

// encrypted refuses requests without encryption: those of a redirect, of a token
// service and of an upload, too, whose addresses a registry chooses.
type encrypted struct {
	next http.RoundTripper
	// plain allows all, loopback those to this machine.
	plain, loopback bool
}

func (t encrypted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !t.plain && !(t.loopback && isLoopback(r.URL.Host)) {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, ownf("to %s: %w", r.URL.Host, ErrPlainHTTP)
	}
	return t.next.RoundTrip(r)
}

// checkRedirect bounds redirects and keeps them from leading to less: from an
// encrypted connection to none, or from elsewhere to this machine.
func checkRedirect(r *http.Request, via []*http.Request) error {
	const most = 5
	first := via[0].URL
	switch {
	case len(via) > most:
		return ownf("it redirects more than %d times: %w", most, ErrServer)
	case via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https":
		return ownf("it redirects to %s: %w", r.URL.Host, ErrPlainHTTP)
	case isLoopback(r.URL.Host) && !isLoopback(first.Host):
		return ownf("it redirects to this machine: %w", ErrServer)
	}
	return nil
}

// meter counts the bytes of a transfer and ends one that brings too few.
type meter struct {
	n        atomic.Int64
	total    int64
	progress func(done, total int64)
}

type meterKey struct{}

// errStalled is the cause of a context that a meter ended.
var errStalled = errors.New("the transfer stalls")

// watch starts a meter for a transfer of so many bytes. The transport counts what
// is sent with this context; reader counts what comes.
func watch(ctx context.Context, l limits, total int64, progress func(done, total int64)) (context.Context, *meter, func()) {
	m := &meter{total: total, progress: progress}
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, meterKey{}, m))
	tick := time.NewTicker(l.stall)
	go func() {
		defer tick.Stop()
		for before := int64(0); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				now := m.n.Load()
				// Less than before is another attempt.
				if now < total && now >= before && now-before < l.stallBytes {
					cancel(errStalled)
					return
				}
				before = now
			}
		}
	}()
	return ctx, m, func() { cancel(nil) }
}

func (m *meter) reader(r io.Reader) io.Reader { return &countingReader{r: r, m: m} }

type countingReader struct {
	r io.Reader
	m *meter
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if n > 0 {
		done := c.m.n.Add(int64(n))
		if c.m.progress != nil {
			c.m.progress(min(done, c.m.total), c.m.total)
		}
	}
	return n, err
}

// metered counts the bodies of requests whose context has a meter.
type metered struct{ next http.RoundTripper }

func (t metered) RoundTrip(r *http.Request) (*http.Response, error) {
	m, ok := r.Context().Value(meterKey{}).(*meter)
	if !ok || r.Body == nil || r.Body == http.NoBody {
		return t.next.RoundTrip(r)
	}
	m.n.Store(0) // of an attempt before
	again := r.Clone(r.Context())
	again.Body = struct {
		io.Reader
		io.Closer
	}{m.reader(r.Body), r.Body}
	return t.next.RoundTrip(again)
}
