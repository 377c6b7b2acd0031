// Package registry keeps archives of maps in OCI registries: it pushes one as an
// artifact and fetches it back. It is the only package of the program that talks
// to a network, and it does so only when a caller names a [Reference].
//
// An artifact is an image manifest with the empty configuration and one layer, the
// archive as it is; a second layer holds its signature where there is one. See
// [Artifact] for the annotations. The same artifact always has the same manifest,
// and so the same digest.
//
// A registry is not trusted. Sizes are bounded before memory is used, every byte
// is compared with the digest that was asked for, nothing is decompressed, and a
// manifest of another shape is refused. Whether an archive is what its author
// published is for a signature, or a digest from elsewhere, to say.
//
// Nothing is executed, so credential helpers are not asked. Credentials go to the
// host that they are for, and to the token service that this host names. No error
// holds a credential, a full URL (those of redirects can be secret) or text that a
// server sent.
package registry

import (
	"errors"
	"time"
)

// Media types of an artifact.
const (
	ArtifactType       = "application/vnd.project-map.archive.v1"
	ArchiveMediaType   = "application/vnd.project-map.archive.v1.tar+zstd"
	SignatureMediaType = "application/vnd.project-map.signature.v1.minisig"
)

// Bounds of what a registry may send, in bytes.
const (
	// MaxArchive bounds the layer of an archive.
	MaxArchive = 1 << 30
	// maxManifest bounds a manifest; ours has about a thousand bytes.
	maxManifest = 64 << 10
	// maxSignature bounds the layer of a signature.
	maxSignature = 64 << 10
)

// Errors that callers branch on.
var (
	// ErrReference says that a text is no reference.
	ErrReference = errors.New("not a reference to a registry")
	// ErrNotFound says that the registry answers and has no such artifact.
	ErrNotFound = errors.New("there is no such artifact in the registry")
	// ErrUnauthorized says that the registry wants other credentials.
	ErrUnauthorized = errors.New("the registry refuses access")
	// ErrHelper says so where the credentials are in a helper program.
	ErrHelper = errors.New("the credentials are kept by a helper program, which is not run")
	// ErrCredentials says that the environment or a file with credentials is wrong.
	ErrCredentials = errors.New("the credentials cannot be used")
	// ErrUnreachable says that no answer came, or not in time.
	ErrUnreachable = errors.New("the registry cannot be reached")
	// ErrTLS says that the connection is not to be trusted.
	ErrTLS = errors.New("the connection to the registry is not secure")
	// ErrPlainHTTP says that a connection without encryption was refused.
	ErrPlainHTTP = errors.New("a connection without encryption is refused")
	// ErrServer says that the registry answers with an error of its own.
	ErrServer = errors.New("the registry failed")
	// ErrKind says that an artifact is there and is no archive of maps.
	ErrKind = errors.New("not an archive of maps")
	// ErrTooLarge says that an artifact exceeds the limits.
	ErrTooLarge = errors.New("the artifact is too large")
	// ErrCorrupt says that what came is not what was named: another digest, or cut
	// short.
	ErrCorrupt = errors.New("the registry sent something else than its digest says")
)

// limits bound how long the client waits.
type limits struct {
	dial     time.Duration // for a connection, and for its handshake
	response time.Duration // for the head of an answer: some registries copy a large upload first
	metadata time.Duration // for one request about a manifest, retries included
	// A transfer has to bring stallBytes in each span of stall.
	stall      time.Duration
	stallBytes int64
	retries    int // of one request
	wait       time.Duration
}

func defaultLimits() limits {
	return limits{
		dial: 10 * time.Second, response: 3 * time.Minute, metadata: time.Minute,
		stall: 30 * time.Second, stallBytes: 64 << 10, retries: 2, wait: 3 * time.Second,
	}
}
