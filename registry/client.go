package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	orasregistry "oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
)

// Options of a client. The zero value has no credentials.
type Options struct {
	Credentials *Credentials
	// PlainHTTP allows or forbids connections without encryption; nil allows them
	// to this machine alone, where they are the custom.
	PlainHTTP *bool
	UserAgent string
	// Progress is told how much of an archive has come or gone, in bytes.
	Progress func(done, total int64)
}

// Client pushes and pulls artifacts. It may be used by one goroutine at a time.
type Client struct {
	o         Options
	limits    limits
	transport http.RoundTripper
}

// NewClient makes a client; nothing is contacted yet.
func NewClient(o Options) *Client { return newClient(o, defaultLimits()) }

func newClient(o Options, l limits) *Client {
	return &Client{o: o, limits: l, transport: newTransport(l)}
}

// repository is the connection to one repository.
type repository struct {
	ref    Reference
	client *Client
	auth   *auth.Client
	scheme string
	host   string // that is contacted
	// creds is what was found when the registry asked.
	creds found
}

func (c *Client) repository(r Reference) *repository {
	local := isLoopback(r.Host)
	plain := local
	if c.o.PlainHTTP != nil {
		plain = *c.o.PlainHTTP
	}
	repo := &repository{ref: r, client: c, scheme: "https", host: (orasregistry.Reference{Registry: r.Host}).Host()}
	if plain {
		repo.scheme = "http"
	}
	guard := encrypted{next: c.transport, plain: plain && !local, loopback: plain}
	repo.auth = &auth.Client{
		Client:   &http.Client{Transport: guard, CheckRedirect: checkRedirect},
		Header:   http.Header{"User-Agent": {c.o.UserAgent}},
		Cache:    auth.NewCache(),
		ClientID: "project-map",
		Credential: func(_ context.Context, host string) (auth.Credential, error) {
			if host != repo.host {
				return auth.EmptyCredential, nil
			}
			var err error
			if repo.creds, err = c.o.Credentials.lookup(r); err != nil {
				return auth.EmptyCredential, &ownError{err}
			}
			return repo.creds.credential, nil
		},
	}
	if local {
		repo.auth.BlockedRealmPrefixes = []netip.Prefix{} // its token service may be here, too
	}
	return repo
}

// scoped says what a token is asked for.
func (r *repository) scoped(ctx context.Context, push bool) context.Context {
	actions := []string{auth.ActionPull}
	if push {
		actions = append(actions, auth.ActionPush)
	}
	return auth.AppendRepositoryScope(ctx, orasregistry.Reference{Registry: r.ref.Host, Repository: r.ref.Repository}, actions...)
}

// do sends a request about a manifest or blob. An answer other than 200 is an
// error.
func (r *repository) do(ctx context.Context, method, kind, name string) (*http.Response, error) {
	u := url.URL{Scheme: r.scheme, Host: r.host, Path: "/v2/" + r.ref.Repository + "/" + kind + "/" + name}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.ref, ErrReference)
	}
	if kind == "manifests" {
		// The others are asked for to be told from what is not there.
		req.Header.Set("Accept", strings.Join([]string{ocispec.MediaTypeImageManifest, ocispec.MediaTypeImageIndex,
			"application/vnd.docker.distribution.manifest.v2+json", "application/vnd.docker.distribution.manifest.list.v2+json"}, ", "))
	}
	resp, err := r.auth.Do(req)
	if err != nil {
		return nil, r.explain(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, r.status(resp.StatusCode, nil)
	}
	return resp, nil
}

// Resolve asks which manifest a tag means, with one request that brings no content.
func (c *Client) Resolve(ctx context.Context, ref Reference) (sum string, err error) {
	if ref.Digest != "" {
		return ref.Digest, nil
	}
	r := c.repository(ref)
	sum, err = r.resolve(r.scoped(ctx, false), ref.Tag)
	if err == nil && sum == "" {
		_, sum, err = r.manifest(r.scoped(ctx, false), ref)
	}
	if err != nil {
		return "", fmt.Errorf("ask for %s: %w", ref, err)
	}
	return sum, nil
}

// resolve gives the digest of a tag, "" where the registry does not say.
func (r *repository) resolve(ctx context.Context, tag string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, r.client.limits.metadata)
	defer cancel()
	resp, err := r.do(ctx, http.MethodHead, "manifests", tag)
	if err != nil {
		return "", err
	}
	_ = resp.Body.Close()
	sum := resp.Header.Get("Docker-Content-Digest")
	if !digestText.MatchString(sum) {
		return "", nil
	}
	return sum, nil
}

// manifest fetches a manifest and compares it with the digest of the reference, or
// with the one that the registry says the tag has.
func (r *repository) manifest(ctx context.Context, ref Reference) (data []byte, sum string, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.client.limits.metadata)
	defer cancel()
	name := ref.Digest
	if name == "" {
		name = ref.Tag
	}
	resp, err := r.do(ctx, http.MethodGet, "manifests", name)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	if resp.ContentLength > maxManifest {
		return nil, "", fmt.Errorf("the manifest has %d bytes, more than %d: %w", resp.ContentLength, maxManifest, ErrTooLarge)
	}
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxManifest+1))
	switch {
	case err != nil && errors.Is(err, io.ErrUnexpectedEOF):
		return nil, "", fmt.Errorf("the manifest is cut short: %w", ErrCorrupt)
	case err != nil:
		return nil, "", r.explain(ctx, err)
	case len(data) > maxManifest:
		return nil, "", fmt.Errorf("the manifest has more than %d bytes: %w", maxManifest, ErrTooLarge)
	}
	sum = digestOf(data)
	said := resp.Header.Get("Docker-Content-Digest")
	switch {
	case ref.Digest != "" && sum != ref.Digest:
		return nil, "", fmt.Errorf("the manifest has the digest %s, not the one that was asked for: %w", sum, ErrCorrupt)
	case said != "" && said != sum && digestText.MatchString(said):
		return nil, "", fmt.Errorf("the manifest has the digest %s, not the one that its tag has: %w", sum, ErrCorrupt)
	}
	if kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err == nil {
		switch {
		case strings.HasSuffix(kind, "list.v2+json") || kind == ocispec.MediaTypeImageIndex:
			return nil, "", fmt.Errorf("it is an index of several artifacts: %w", ErrKind)
		case kind != ocispec.MediaTypeImageManifest:
			return nil, "", fmt.Errorf("its manifest is of another format: %w", ErrKind)
		}
	}
	return data, sum, nil
}

// PullOptions say how to pull.
type PullOptions struct {
	// Cache is asked first, and keeps what was fetched; nil for none.
	Cache *Cache
	// Archive is the digest that the archive has to have, "" for any.
	Archive string
	// Signature also fetches the signature.
	Signature bool
}

// Pulled is what Pull gives.
type Pulled struct {
	Artifact
	// Digest is that of the manifest, ArchiveDigest that of the archive.
	Digest, ArchiveDigest string
	// Signed tells whether the artifact has a signature, fetched or not.
	Signed bool
	// Uncached says why the cache could not keep it, nil if it did.
	Uncached error
}

// Pull fetches an artifact. With a cache a digest that it holds needs no request,
// and a tag one that brings no content.
func (c *Client) Pull(ctx context.Context, ref Reference, o PullOptions) (*Pulled, error) {
	p, err := c.pull(ctx, ref, o)
	if err != nil {
		return nil, fmt.Errorf("pull %s: %w", ref, err)
	}
	return p, nil
}

func (c *Client) pull(ctx context.Context, ref Reference, o PullOptions) (*Pulled, error) {
	if ref.Tag == "" && ref.Digest == "" {
		return nil, fmt.Errorf("it names neither a tag nor a digest: %w", ErrReference)
	}
	r := c.repository(ref)
	ctx = r.scoped(ctx, false)
	if o.Cache != nil && ref.Digest == "" {
		var err error
		if ref.Digest, err = r.resolve(ctx, ref.Tag); err != nil {
			return nil, err
		}
	}
	p := &Pulled{Digest: ref.Digest}
	var fresh [][]byte
	data := o.Cache.get(ref.Digest, maxManifest)
	if data == nil {
		var err error
		if data, p.Digest, err = r.manifest(ctx, ref); err != nil {
			return nil, err
		}
		fresh = append(fresh, data)
	}
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	p.ArchiveDigest, p.Signed = string(m.archive.Digest), m.signature != nil
	if o.Archive != "" && o.Archive != p.ArchiveDigest {
		return nil, &OtherArchiveError{Want: o.Archive, Have: p.ArchiveDigest, Manifest: p.Digest}
	}
	take := func(d ocispec.Descriptor, progress func(done, total int64)) ([]byte, error) {
		if data := o.Cache.get(string(d.Digest), d.Size); data != nil && int64(len(data)) == d.Size {
			return data, nil
		}
		data, err := r.blob(ctx, d, progress)
		fresh = append(fresh, data)
		return data, err
	}
	if m.signature != nil && o.Signature {
		if p.Signature, err = take(*m.signature, nil); err != nil {
			return nil, err
		}
	}
	if p.Archive, err = take(m.archive, c.o.Progress); err != nil {
		return nil, err
	}
	if len(fresh) > 0 {
		p.Uncached = o.Cache.put(fresh...)
	}
	return p, nil
}

// OtherArchiveError says that an artifact holds another archive than was asked for.
type OtherArchiveError struct{ Want, Have, Manifest string }

func (e *OtherArchiveError) Error() string {
	return fmt.Sprintf("its archive has the digest %s, not %s", e.Have, e.Want)
}

// blob fetches a layer. A connection that breaks off is tried again.
func (r *repository) blob(ctx context.Context, d ocispec.Descriptor, progress func(done, total int64)) ([]byte, error) {
	for attempt := 0; ; attempt++ {
		data, err := r.blobOnce(ctx, d, progress)
		if err == nil || !errors.Is(err, errCut) || attempt >= r.client.limits.retries || ctx.Err() != nil {
			return data, err
		}
	}
}

// errCut says that a connection ended before all had come.
var errCut = errors.New("the connection ended early")

func (r *repository) blobOnce(ctx context.Context, d ocispec.Descriptor, progress func(done, total int64)) ([]byte, error) {
	ctx, m, stop := watch(ctx, r.client.limits, d.Size, progress)
	defer stop()
	resp, err := r.do(ctx, http.MethodGet, "blobs", string(d.Digest))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.ContentLength >= 0 && resp.ContentLength != d.Size {
		return nil, fmt.Errorf("%d bytes were announced for the %d of %s: %w", resp.ContentLength, d.Size, d.Digest, ErrCorrupt)
	}
	data, err := readExactly(m.reader(resp.Body), d.Size, string(d.Digest))
	switch {
	case err == nil || errors.Is(err, ErrCorrupt):
		return data, err
	case ctx.Err() == nil:
		return nil, fmt.Errorf("%d of the %d bytes of %s came, %w: %w", m.n.Load(), d.Size, d.Digest, errCut, ErrCorrupt)
	}
	return nil, r.explain(ctx, err)
}

// Pushed is what Push did.
type Pushed struct {
	Digest string // of the manifest
	// Tags are all tags that now name it, New those that did not before.
	Tags, New []string
	// Moved are tags that named another manifest, with its digest.
	Moved []Moved
}

// Moved is a tag that named something else.
type Moved struct{ Tag, Was string }

// Push brings an artifact to a repository under tags, of which there has to be one.
// What is there already is not sent again, and nothing is written where all tags
// name the artifact.
func (c *Client) Push(ctx context.Context, ref Reference, tags []string, a *Artifact) (*Pushed, error) {
	p, err := c.push(ctx, ref, tags, a)
	if err != nil {
		return nil, fmt.Errorf("push to %s: %w", ref, err)
	}
	return p, nil
}

func (c *Client) push(ctx context.Context, ref Reference, tags []string, a *Artifact) (*Pushed, error) {
	data, sum, err := a.Manifest()
	if err != nil {
		return nil, err
	}
	if len(a.Archive) > MaxArchive {
		return nil, fmt.Errorf("the archive has %d bytes, more than %d, which pull refuses: %w", len(a.Archive), MaxArchive, ErrTooLarge)
	}
	r := c.repository(ref)
	ctx = r.scoped(ctx, true)
	p := &Pushed{Digest: sum}
	for _, tag := range tags {
		if slices.Contains(p.Tags, tag) {
			continue
		}
		was, err := r.resolve(ctx, tag)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrUnauthorized):
			// Some hide what is not there. What may be written, the push will show.
		case err != nil:
			return nil, err
		}
		p.Tags = append(p.Tags, tag)
		if was == sum {
			continue
		}
		p.New = append(p.New, tag)
		if was != "" {
			p.Moved = append(p.Moved, Moved{tag, was})
		}
	}
	if len(p.New) == 0 {
		return p, nil
	}
	target := &remote.Repository{
		Client: r.auth, PlainHTTP: r.scheme == "http",
		Reference: orasregistry.Reference{Registry: ref.Host, Repository: ref.Repository},
	}
	blobs := []struct {
		data     []byte
		progress func(done, total int64)
	}{{ocispec.DescriptorEmptyJSON.Data, nil}, {a.Archive, c.o.Progress}}
	if a.Signature != nil {
		blobs = append(blobs, blobs[0])
		blobs[2].data = a.Signature
	}
	for _, b := range blobs {
		if err := r.upload(ctx, target, b.data, b.progress); err != nil {
			return nil, err
		}
	}
	d := ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.Digest(sum), Size: int64(len(data))}
	for _, tag := range p.New {
		if err := func() error {
			ctx, cancel := context.WithTimeout(ctx, c.limits.metadata)
			defer cancel()
			if err := target.Manifests().PushReference(ctx, d, bytes.NewReader(data), tag); err != nil {
				return r.explain(ctx, err)
			}
			return nil
		}(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// upload brings a blob to the registry unless it is there.
func (r *repository) upload(ctx context.Context, target *remote.Repository, data []byte, progress func(done, total int64)) error {
	sum := digestOf(data)
	there, err := func() (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, r.client.limits.metadata)
		defer cancel()
		resp, err := r.do(ctx, http.MethodHead, "blobs", sum)
		if err == nil {
			_ = resp.Body.Close()
		}
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrUnauthorized) {
			return false, nil
		}
		return err == nil, err
	}()
	if there || err != nil {
		return err
	}
	ctx, _, stop := watch(ctx, r.client.limits, int64(len(data)), progress)
	defer stop()
	d := ocispec.Descriptor{MediaType: "application/octet-stream", Digest: digest.Digest(sum), Size: int64(len(data))}
	if err := target.Blobs().Push(ctx, d, bytes.NewReader(data)); err != nil {
		return r.explain(ctx, err)
	}
	return nil
}
