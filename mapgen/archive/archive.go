// Package archive packs the maps and the store of a revision into one file that
// can be published, and unpacks it where the repository is not.
//
// An archive is a tar in zstd. The same contents always give the same bytes:
//
//	manifest.json        format, and path, size and digest of every file below
//	maps/PATH            the artifacts, by their path in the repository
//	store/manifest.json  the manifest of the store's generation
//	store/catalog        its catalog
//	store/evidence       what other programs found, where there is anything
//	store/log            its log, where there is one
//	store/names          the names of the symbol index: lengths and bytes
//	store/references     its references, where there are any
//
// in this order, as plain files of mode 0644, owner 0 and time 0. The symbol index
// travels as its names, because its own files differ from build to build; it is
// built again on arrival.
//
// An archive is not trusted. [Read] accepts exactly what [Write] writes: the tar is
// laid out again from what was read of it and has to come out the same, which rules
// out links, devices, odd modes, repeated names and anything before, between or
// behind the files. Paths are those of artifacts, so whatever an archive holds, no
// other file can come of it. Sizes are bounded before memory is used.
package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
)

// Extension is what names of archives end with by convention.
const Extension = ".tar.zst"

// format changes when an older program would misread an archive.
const format = 1

// storeFormat is the format of the store's manifest that archives hold.
const storeFormat = 1

var (
	// ErrInvalid says that a file is no archive, or was damaged or forged.
	ErrInvalid = errors.New("not a whole archive of project-map")
	// ErrVersion says that another version of the program wrote the archive.
	ErrVersion = errors.New("the archive is of another version of project-map")
	// ErrTooLarge says that an archive exceeds the limits.
	ErrTooLarge = errors.New("the archive is too large")
)

// Limits bound what [Read] takes into memory.
type Limits struct {
	// Total is the size of all files, in bytes.
	Total int64
	// Files is their number.
	Files int
}

// DefaultLimits hold the archive of a repository of some hundred thousand files.
var DefaultLimits = Limits{Total: 2 << 30, Files: 2_000_000}

const (
	// maxManifest is the size of manifest.json that is read, in bytes.
	maxManifest = 256 << 20
	// maxWindow is how far back the compression of an archive may reach, in bytes.
	maxWindow = 32 << 20
)

// Page is an artifact.
type Page struct {
	Path string // in the repository, slash separated
	Data []byte
}

// Archive is what an archive holds.
type Archive struct {
	Pages    []Page // sorted by path
	Manifest *store.Manifest
	// Contents without Dependencies, which are no part of what a generation
	// promises.
	Contents store.Contents
}

// manifest is manifest.json.
type manifest struct {
	Format int         `json:"format"`
	Tool   string      `json:"tool"`
	Files  []fileState `json:"files"`
}

type fileState struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Digest string `json:"sha256"`
}

// file is one file of the tar.
type file struct {
	name string
	data []byte
}

// Names of the files.
const (
	manifestName   = "manifest.json"
	mapsPrefix     = "maps/"
	storeManifest  = "store/manifest.json"
	catalogName    = "store/catalog"
	evidenceName   = "store/evidence"
	logName        = "store/log"
	namesName      = "store/names"
	referencesName = "store/references"
)

// Write writes an archive. Digests in the store's manifest are filled in.
func Write(w io.Writer, a *Archive) error {
	files, err := a.files()
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	// One thread: how the work is divided shows in the bytes.
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithWindowSize(8<<20), zstd.WithEncoderCRC(true))
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		if err := writeFile(t, f.name, f.data); err != nil {
			return fmt.Errorf("write archive: %s: %w", f.name, err)
		}
	}
	if err := errors.Join(t.Close(), z.Close()); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return nil
}

func writeFile(t *tar.Writer, name string, data []byte) error {
	if err := t.WriteHeader(header(name, int64(len(data)))); err != nil {
		return err
	}
	_, err := t.Write(data)
	return err
}

// header is the one way in which a file stands in an archive.
func header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: time.Unix(0, 0)}
}

// files lays an archive out, the manifest first.
func (a *Archive) files() ([]file, error) {
	var files []file
	for _, p := range a.Pages {
		if err := checkPage(p.Path); err != nil {
			return nil, err
		}
		files = append(files, file{mapsPrefix + encodePath(p.Path), p.Data})
	}
	m := *a.Manifest
	m.Format = storeFormat
	m.Catalog, m.Log, m.References, m.Evidence = digests(&a.Contents)
	m.Symbols = namesDigest(a.Contents.Names)
	encoded, err := encodeStoreManifest(&m)
	if err != nil {
		return nil, err
	}
	files = append(files, file{storeManifest, encoded}, file{catalogName, a.Contents.Catalog}, file{namesName, encodeNames(a.Contents.Names)})
	for _, part := range []file{{evidenceName, a.Contents.Evidence}, {logName, a.Contents.Log}, {referencesName, a.Contents.References}} {
		if part.data != nil {
			files = append(files, part)
		}
	}
	slices.SortFunc(files, func(x, y file) int { return strings.Compare(x.name, y.name) })
	list := manifest{Format: format, Tool: m.Tool, Files: make([]fileState, len(files))}
	for i, f := range files {
		list.Files[i] = fileState{f.name, int64(len(f.data)), store.Digest(f.data)}
	}
	encoded, err = json.MarshalIndent(list, "", " ")
	if err != nil {
		return nil, err
	}
	return append([]file{{manifestName, append(encoded, '\n')}}, files...), nil
}

func digests(c *store.Contents) (catalog, log, references, evidence string) {
	of := func(data []byte) string {
		if data == nil {
			return ""
		}
		return store.Digest(data)
	}
	return of(c.Catalog), of(c.Log), of(c.References), of(c.Evidence)
}

// encodeStoreManifest encodes a manifest so that it comes out the same when it is
// read and encoded again: bytes that are no UTF-8 are replaced before.
func encodeStoreManifest(m *store.Manifest) ([]byte, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var valid store.Manifest
	if err := json.Unmarshal(data, &valid); err != nil {
		return nil, err
	}
	data, err = json.MarshalIndent(&valid, "", " ")
	return append(data, '\n'), err
}

// encodePath writes a path so that JSON can hold it: one that is no UTF-8 is
// quoted.
func encodePath(p string) string {
	if !utf8.ValidString(p) || strings.HasPrefix(p, `"`) {
		return strconv.QuoteToASCII(p)
	}
	return p
}

func decodePath(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	p, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("path %s: %w", s, ErrInvalid)
	}
	return p, nil
}

// checkPage accepts the paths that artifacts can have, and no others.
func checkPage(p string) error {
	parts := strings.Split(p, "/")
	last := parts[len(parts)-1]
	ok := (last == artifact.IndexName || last == artifact.MapName) && len(p) < 1<<15 && path.Clean(p) == p && p[0] != '/'
	for _, name := range parts[:len(parts)-1] {
		switch strings.ToLower(strings.TrimRight(name, ". ")) {
		case "", ".git", store.DirName, artifact.IndexName, artifact.MapName:
			ok = false
		}
		if strings.ContainsRune(name, 0) {
			ok = false
		}
	}
	if !ok {
		return fmt.Errorf("%q is not the path of an artifact: %w", p, ErrInvalid)
	}
	return nil
}

// encodeNames writes names with their lengths: they may hold any byte.
func encodeNames(names []string) []byte {
	out := []byte{}
	for _, n := range names {
		out = binary.AppendUvarint(out, uint64(len(n)))
		out = append(out, n...)
	}
	return out
}

func decodeNames(data []byte) ([]string, error) {
	var out []string
	for len(data) > 0 {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, fmt.Errorf("%s is cut short: %w", namesName, ErrInvalid)
		}
		name := string(data[size : size+int(n)])
		if len(out) > 0 && out[len(out)-1] >= name {
			return nil, fmt.Errorf("%s is not sorted: %w", namesName, ErrInvalid)
		}
		out = append(out, name)
		data = data[size+int(n):]
	}
	return out, nil
}

// Read reads and checks an archive.
func Read(r io.Reader, limits Limits) (*Archive, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("read archive: %w: %w", err, ErrInvalid)
	}
	defer z.Close()
	a, err := readTar(z, limits)
	if err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	return a, nil
}

// readTar reads what is in the compression.
func readTar(r io.Reader, limits Limits) (*Archive, error) {
	theirs, ours := sha256.New(), sha256.New()
	in := io.TeeReader(r, theirs)
	t := tar.NewReader(in)
	again := tar.NewWriter(ours)
	next := func(want string, limit int64) ([]byte, error) {
		h, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", want, err, ErrInvalid)
		}
		if h.Name != want || h.Typeflag != tar.TypeReg {
			return nil, fmt.Errorf("%q stands where %s should: %w", h.Name, want, ErrInvalid)
		}
		if h.Size > limit {
			return nil, fmt.Errorf("%s has %d bytes, more than %d: %w", want, h.Size, limit, ErrTooLarge)
		}
		var buf bytes.Buffer // grows with what is there, whatever the header says
		if _, err := io.Copy(&buf, t); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", want, err, ErrInvalid)
		}
		if err := writeFile(again, want, buf.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", want, err, ErrInvalid)
		}
		return buf.Bytes(), nil
	}
	data, err := next(manifestName, min(maxManifest, limits.Total))
	if err != nil {
		return nil, err
	}
	list, err := decodeManifest(data, limits)
	if err != nil {
		return nil, err
	}
	var b builder
	for _, f := range list.Files {
		data, err := next(f.Path, f.Size)
		if err != nil {
			return nil, err
		}
		if int64(len(data)) != f.Size || store.Digest(data) != f.Digest {
			return nil, fmt.Errorf("%s is not what the manifest says: %w", f.Path, ErrInvalid)
		}
		if err := b.add(f.Path, data); err != nil {
			return nil, err
		}
	}
	if _, err := t.Next(); err != io.EOF {
		return nil, fmt.Errorf("there is more than the manifest says: %w", ErrInvalid)
	}
	if n, err := io.CopyN(io.Discard, in, 1); n > 0 || err != io.EOF {
		return nil, fmt.Errorf("there is something behind the end: %w", ErrInvalid)
	}
	if err := again.Close(); err != nil {
		return nil, err
	}
	if !bytes.Equal(theirs.Sum(nil), ours.Sum(nil)) {
		return nil, fmt.Errorf("it is not laid out as archives are: %w", ErrInvalid)
	}
	return b.finish(list.Tool)
}

func decodeManifest(data []byte, limits Limits) (*manifest, error) {
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", manifestName, err, ErrInvalid)
	}
	if m.Format != format {
		return nil, fmt.Errorf("format %d, this program reads %d: %w", m.Format, format, ErrVersion)
	}
	if again, err := json.MarshalIndent(m, "", " "); err != nil || !bytes.Equal(append(again, '\n'), data) {
		return nil, fmt.Errorf("%s is not as it is written: %w", manifestName, ErrInvalid)
	}
	if len(m.Files) > limits.Files {
		return nil, fmt.Errorf("it holds %d files, more than %d: %w", len(m.Files), limits.Files, ErrTooLarge)
	}
	total := int64(len(data))
	for i, f := range m.Files {
		if f.Size < 0 || i > 0 && m.Files[i-1].Path >= f.Path {
			return nil, fmt.Errorf("%s: %q: %w", manifestName, f.Path, ErrInvalid)
		}
		if digest, err := hex.DecodeString(f.Digest); err != nil || len(digest) != sha256.Size {
			return nil, fmt.Errorf("%s: digest of %q: %w", manifestName, f.Path, ErrInvalid)
		}
		if f.Size > limits.Total-total {
			return nil, fmt.Errorf("its files have more than %d bytes: %w", limits.Total, ErrTooLarge)
		}
		total += f.Size
	}
	return &m, nil
}

// builder collects the files of an archive.
type builder struct {
	a     Archive
	names []byte
	state []byte
}

func (b *builder) add(name string, data []byte) error {
	if page, ok := strings.CutPrefix(name, mapsPrefix); ok {
		p, err := decodePath(page)
		if err != nil {
			return err
		}
		if encodePath(p) != page {
			return fmt.Errorf("path %q: %w", page, ErrInvalid)
		}
		b.a.Pages = append(b.a.Pages, Page{p, data})
		return checkPage(p)
	}
	if data == nil {
		data = []byte{}
	}
	switch name {
	case storeManifest:
		b.state = data
	case catalogName:
		b.a.Contents.Catalog = data
	case evidenceName:
		b.a.Contents.Evidence = data
	case logName:
		b.a.Contents.Log = data
	case namesName:
		b.names = data
	case referencesName:
		b.a.Contents.References = data
	default:
		return fmt.Errorf("%q is no file of an archive: %w", name, ErrInvalid)
	}
	return nil
}

// finish checks that the parts belong together and can be read.
func (b *builder) finish(tool string) (*Archive, error) {
	a, c := &b.a, &b.a.Contents
	if b.state == nil || c.Catalog == nil || b.names == nil {
		return nil, fmt.Errorf("parts of the store are missing: %w", ErrInvalid)
	}
	a.Manifest = &store.Manifest{}
	if err := json.Unmarshal(b.state, a.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", storeManifest, err, ErrInvalid)
	}
	if a.Manifest.Format != storeFormat {
		return nil, fmt.Errorf("store of format %d, this program reads %d: %w", a.Manifest.Format, storeFormat, ErrVersion)
	}
	if again, err := encodeStoreManifest(a.Manifest); err != nil || !bytes.Equal(again, b.state) || a.Manifest.Tool != tool {
		return nil, fmt.Errorf("%s is not as it is written: %w", storeManifest, ErrInvalid)
	}
	var err error
	if c.Names, err = decodeNames(b.names); err != nil {
		return nil, err
	}
	m := *a.Manifest
	m.Catalog, m.Log, m.References, m.Evidence = digests(c)
	m.Symbols = namesDigest(c.Names)
	if encoded, err := encodeStoreManifest(&m); err != nil || !bytes.Equal(encoded, b.state) {
		return nil, fmt.Errorf("the parts of the store do not belong together: %w", ErrInvalid)
	}
	// By path, not by how it is written.
	slices.SortFunc(a.Pages, func(x, y Page) int { return strings.Compare(x.Path, y.Path) })
	return a, openParts(c)
}

// openParts reads the parts as queries will.
func openParts(c *store.Contents) error {
	catalog, err := store.OpenCatalog(c.Catalog)
	if err == nil && c.Log != nil {
		_, err = store.OpenLog(c.Log)
	}
	if err == nil && c.References != nil {
		_, err = store.OpenReferences(c.References, catalog.NumDocs())
	}
	switch {
	case errors.Is(err, store.ErrVersion):
		return fmt.Errorf("%w: %w", err, ErrVersion)
	case err != nil:
		return fmt.Errorf("%w: %w", err, ErrInvalid)
	}
	return nil
}
