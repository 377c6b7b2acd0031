package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/registry"
)

// What commands share that name an archive in a registry. They are the only ones
// that talk to a network, and only where the call has such a name.

const referenceForm = registry.Scheme + "HOST[:PORT]/REPOSITORY[:TAG][@sha256:DIGEST]"

func plainHTTPFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plain-http", Usage: "talk to a registry without encryption (the custom on this machine: =false forbids it there)"}
}

// parseReference reads a reference of the call. The argument itself is not
// repeated: somebody may have put a password into it.
func parseReference(what, s string) (registry.Reference, error) {
	r, err := registry.ParseReference(s)
	if err != nil {
		return r, usagef("%s: %v; give %s", what, err, referenceForm)
	}
	return r, nil
}

// namedReference reads a reference that has to name an artifact.
func namedReference(what, s string) (registry.Reference, error) {
	r, err := parseReference(what, s)
	if err == nil && r.Tag == "" && r.Digest == "" {
		return r, usagef("%s %s: name a tag, which is the full id of the commit unless publish was given another, or a digest", what, r)
	}
	return r, err
}

func registryClient(c *cli.Context, con *console, doing string) *registry.Client {
	o := registry.Options{
		Credentials: registry.NewCredentials(os.Getenv), UserAgent: "project-map/" + version,
		Progress: func(done, total int64) { con.transfer(doing, done, total) },
	}
	if c.IsSet("plain-http") {
		plain := c.Bool("plain-http")
		o.PlainHTTP = &plain
	}
	return registry.NewClient(o)
}

// fetched is an archive that came from a registry.
type fetched struct {
	archive *archive.Archive
	// name is the reference with the digest of the manifest.
	name     registry.Reference
	digest   string // of the archive, without sha256:
	manifest string
	signed   bool
}

// fetchArchive pulls an archive and checks all of it.
func fetchArchive(c *cli.Context, con *console, ref registry.Reference, key *archive.PublicKey, o registry.PullOptions) (*fetched, error) {
	o.Signature = key != nil
	p, err := registryClient(c, con, "fetching").Pull(c.Context, ref, o)
	con.end()
	if err != nil {
		return nil, registryError(err)
	}
	if p.Uncached != nil {
		con.say("%s will be fetched again next time: %v", ref, p.Uncached)
	}
	name := ref.Pinned(p.Digest)
	if key != nil && !p.Signed {
		return nil, withHint(fmt.Errorf("%s: it has no signature: %w", name, archive.ErrSignature), "publish it with --key, or leave --key out here")
	}
	if err := verifySignature(name.String(), p.Archive, p.Signature, key); err != nil {
		return nil, err
	}
	a, err := decodeArchive(p.Archive)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &fetched{archive: a, name: name, digest: strings.TrimPrefix(p.ArchiveDigest, "sha256:"), manifest: p.Digest, signed: p.Signed}, nil
}

// archiveCache is where archives that questions fetch are kept; nil where the user
// has no place for it.
func archiveCache() *registry.Cache {
	dir := registry.UserCacheDir()
	if dir == "" {
		return nil
	}
	return registry.NewCache(dir, registry.DefaultCacheSize)
}

// registryError says what to do about an error of a registry.
func registryError(err error) error {
	var other *registry.OtherArchiveError
	if errors.As(err, &other) {
		if other.Want == other.Manifest {
			return withHint(err, "that is the digest of the manifest; give it behind the name, as @%s", other.Want)
		}
		return withHint(err, "nothing was fetched; correct --digest, or name the artifact that has it")
	}
	const variables = registry.EnvHost + ", " + registry.EnvUser + " and " + registry.EnvPassword
	for _, h := range []struct {
		err  error
		hint string
	}{
		{registry.ErrHelper, "give the credentials in " + variables + ", or in the file itself"},
		{registry.ErrUnauthorized, "look at the name and at what the account may do; log in with docker or podman login, or set " + variables},
		{registry.ErrCredentials, "correct it; without credentials only public artifacts can be had"},
		{registry.ErrNotFound, "look at the name and the tag; publish --push puts it there"},
		{registry.ErrUnreachable, "look at the host, the network and HTTPS_PROXY; what a question fetched before needs no network when it is named with its @sha256: digest"},
		{registry.ErrTLS, "name the certificates of your own authority in SSL_CERT_FILE; --plain-http talks without encryption"},
		{registry.ErrPlainHTTP, "--plain-http allows it; then anybody on the way can read what is sent, credentials too"},
		{registry.ErrServer, "try again later, or ask those who run it; nothing of the answer was used"},
		{registry.ErrKind, "name what publish --push put there"},
		{registry.ErrTooLarge, "nothing of it was used"},
		{registry.ErrCorrupt, "nothing of it was used; try again, and do not trust the registry if it stays so"},
	} {
		if errors.Is(err, h.err) {
			return withHint(err, "%s", h.hint)
		}
	}
	return err
}
