package registry

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// Artifact is what is pushed and pulled.
type Artifact struct {
	Archive []byte
	// Signature is a minisign signature of the archive, nil for none.
	Signature []byte
	// Revision is the full id of the commit, Created its time. They are annotations
	// (org.opencontainers.image.revision and created), for people who look into a
	// registry; nothing is decided by them. Pull does not fill them in.
	Revision string
	Created  time.Time
}

// Titles are the file names that general clients give to the layers.
const (
	archiveTitle   = "maps.tar.zst"
	signatureTitle = archiveTitle + ".minisig"
)

// Manifest is the manifest of an artifact, always the same bytes, and its digest.
func (a *Artifact) Manifest() (data []byte, sum string, err error) {
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		ArtifactType: ArtifactType, Config: ocispec.DescriptorEmptyJSON,
		Layers:      []ocispec.Descriptor{layer(ArchiveMediaType, archiveTitle, a.Archive)},
		Annotations: map[string]string{},
	}
	if a.Signature != nil {
		m.Layers = append(m.Layers, layer(SignatureMediaType, signatureTitle, a.Signature))
	}
	if a.Revision != "" {
		m.Annotations[ocispec.AnnotationRevision] = a.Revision
	}
	if !a.Created.IsZero() {
		m.Annotations[ocispec.AnnotationCreated] = a.Created.UTC().Format(time.RFC3339)
	}
	// Maps are encoded in the order of their keys.
	if data, err = json.Marshal(m); err != nil {
		return nil, "", fmt.Errorf("encode manifest: %w", err)
	}
	return data, digestOf(data), nil
}

func layer(mediaType, title string, data []byte) ocispec.Descriptor {
	return ocispec.Descriptor{
		MediaType: mediaType, Digest: digest.Digest(digestOf(data)), Size: int64(len(data)),
		Annotations: map[string]string{ocispec.AnnotationTitle: title},
	}
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// layers are the layers of a manifest that was checked.
type layers struct {
	archive   ocispec.Descriptor
	signature *ocispec.Descriptor
}

// readManifest checks a manifest: it has the shape that Manifest gives, whatever
// the annotations are.
func readManifest(data []byte) (*layers, error) {
	if len(data) > maxManifest {
		return nil, fmt.Errorf("the manifest has more than %d bytes: %w", maxManifest, ErrTooLarge)
	}
	var m struct {
		ocispec.Manifest
		// An index has these instead of layers.
		Manifests []json.RawMessage `json:"manifests"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("its manifest is not JSON of a manifest: %w", ErrKind)
	}
	switch {
	case m.MediaType == ocispec.MediaTypeImageIndex || m.Manifests != nil:
		return nil, fmt.Errorf("it is an index of several artifacts: %w", ErrKind)
	case m.SchemaVersion != 2 || m.MediaType != ocispec.MediaTypeImageManifest:
		return nil, fmt.Errorf("its manifest is of another format: %w", ErrKind)
	case m.ArtifactType != ArtifactType:
		return nil, fmt.Errorf("it is an artifact of another type: %w", ErrKind)
	case m.Config.MediaType != ocispec.MediaTypeEmptyJSON || m.Config.Digest != ocispec.DescriptorEmptyJSON.Digest || m.Subject != nil:
		return nil, fmt.Errorf("its manifest holds more than an archive: %w", ErrKind)
	}
	var out layers
	found := false
	for _, l := range m.Layers {
		if !digestText.MatchString(string(l.Digest)) || l.Size < 0 || len(l.URLs) > 0 {
			return nil, fmt.Errorf("a layer of its manifest is not as it is written: %w", ErrKind)
		}
		switch {
		case l.MediaType == ArchiveMediaType && !found:
			out.archive, found = l, true
		case l.MediaType == SignatureMediaType && out.signature == nil:
			out.signature = &l
		default:
			return nil, fmt.Errorf("its manifest has other layers than one archive and its signature: %w", ErrKind)
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("its manifest has no archive: %w", ErrKind)
	case out.archive.Size > MaxArchive:
		return nil, fmt.Errorf("the archive has %d bytes, more than %d: %w", out.archive.Size, MaxArchive, ErrTooLarge)
	case out.signature != nil && out.signature.Size > maxSignature:
		return nil, fmt.Errorf("the signature has %d bytes, more than %d: %w", out.signature.Size, maxSignature, ErrTooLarge)
	}
	return &out, nil
}

// readExactly reads what a descriptor promises and compares size and digest. Memory
// grows with what comes, whatever was promised.
func readExactly(r io.Reader, size int64, sum string) ([]byte, error) {
	var buf bytes.Buffer
	n, err := io.Copy(&buf, io.LimitReader(r, size+1))
	switch {
	case err != nil:
		return nil, err
	case n > size:
		return nil, fmt.Errorf("there is more than the %d bytes of %s: %w", size, sum, ErrCorrupt)
	case n < size:
		return nil, fmt.Errorf("%d of the %d bytes of %s came: %w", n, size, sum, ErrCorrupt)
	case digestOf(buf.Bytes()) != sum:
		return nil, fmt.Errorf("it is not %s: %w", sum, ErrCorrupt)
	}
	return buf.Bytes(), nil
}
