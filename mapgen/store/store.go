// Package store keeps what a run compiled, so that a query reads it in
// milliseconds.
//
// Layout of the store's directory:
//
//	.gitignore        "*": nothing here is ever committed
//	current           name of the generation that readers open
//	gen-<digest>/     manifest.json, catalog, log and references of one generation; for
//	                  the next run, what the references depend on and the
//	                  evidence of other programs
//	names-<digest>/   the symbol index over one set of names
//	lock              taken by writers
//
// A generation is complete before current names it, and the name changes by a
// rename, so a reader sees the old one or the new one. The one before is kept,
// for readers that have just looked it up.
package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/mmap-go"
	"github.com/gofrs/flock"

	"github.com/project-map/project-map/mapgen/symbolindex"
)

// DirName is the base name of the store's directory.
const DirName = ".project-map"

// ErrNone says that there is no store.
var ErrNone = errors.New("there is no store")

const (
	currentName  = "current"
	manifestName = "manifest.json"
	catalogName  = "catalog"
	// dependenciesName is for writers alone: without it, the next run resolves
	// all references anew.
	dependenciesName = "dependencies"
	evidenceName     = "evidence"
	genPrefix        = "gen-"
	namesPrefix      = "names-"
)

// Store is an open generation. Close releases its memory; nothing read from it
// may be used afterwards.
type Store struct {
	Manifest *Manifest
	Catalog  *Catalog

	dir, gen string
	data     mmap.MMap

	refsOnce sync.Once
	refs     *References
	refsErr  error
	refsData mmap.MMap

	logOnce sync.Once
	log     *Log
	logErr  error
}

// Open opens the current generation of the store in dir. Errors wrap ErrNone,
// ErrCorrupt or ErrVersion.
func Open(dir string) (*Store, error) {
	var err error
	// A writer may remove the generation between the look-up and the opening.
	for range 3 {
		var name string
		if name, err = current(dir); err != nil {
			return nil, err
		}
		var s *Store
		if s, err = openGeneration(dir, name); err == nil {
			return s, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("open store: %w: %w", err, ErrCorrupt)
}

func current(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, currentName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("open store %s: %w", dir, ErrNone)
	}
	if err != nil {
		return "", fmt.Errorf("open store: %w", err)
	}
	name := strings.TrimSpace(string(data))
	if !strings.HasPrefix(name, genPrefix) || strings.ContainsAny(name, "/\\") {
		return "", fmt.Errorf("open store: %s names no generation: %w", filepath.Join(dir, currentName), ErrCorrupt)
	}
	return name, nil
}

func openGeneration(dir, name string) (*Store, error) {
	data, err := os.ReadFile(filepath.Join(dir, name, manifestName))
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	m, err := decodeManifest(data)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, name, catalogName))
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < int64(catalogFile.header()) {
		return nil, fmt.Errorf("open store: catalog is cut short: %w", ErrCorrupt)
	}
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("open store: map catalog: %w", err)
	}
	c, err := OpenCatalog(mapped)
	if err != nil {
		_ = mapped.Unmap()
		return nil, err
	}
	return &Store{Manifest: m, Catalog: c, dir: dir, gen: name, data: mapped}, nil
}

// Close releases the memory of the catalog and of the references.
func (s *Store) Close() error {
	var err error
	if s.refsData != nil {
		err = s.refsData.Unmap()
	}
	if s.data != nil {
		err = errors.Join(err, s.data.Unmap())
	}
	return err
}

// Dependencies reads what the writer of the generation left for the next one;
// nil where there is nothing.
func (s *Store) Dependencies() []byte {
	data, err := os.ReadFile(filepath.Join(s.dir, s.gen, dependenciesName))
	if err != nil {
		return nil
	}
	return data
}

// Names opens the symbol index. The caller closes it.
func (s *Store) Names() (*symbolindex.Index, error) {
	x, err := symbolindex.Open(filepath.Join(s.dir, namesPrefix+s.Manifest.Symbols))
	if err != nil {
		return nil, fmt.Errorf("open symbol index: %w", err)
	}
	return x, nil
}

// Evidence reads what other programs found, as it was given to Write; nil where
// there is nothing.
func (s *Store) Evidence() ([]byte, error) {
	if s.Manifest.Evidence == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(s.dir, s.gen, evidenceName))
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return data, nil
}

// Lock keeps other writers out of the store in dir until unlock is called. It
// waits; waiting is called once, before the first wait.
func Lock(ctx context.Context, dir string, waiting func()) (unlock func(), err error) {
	if err := prepare(dir); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "lock")
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		// Opening it would follow a link that a repository can hold.
		return nil, fmt.Errorf("lock store: %s is not a regular file; remove it and run again", file)
	}
	l := flock.New(file)
	ok, err := l.TryLock()
	if err == nil && !ok {
		if waiting != nil {
			waiting()
		}
		_, err = l.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil {
		return nil, fmt.Errorf("lock store: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

// prepare makes the directory of the store, which must not be a symbolic link:
// a repository could have one lead anywhere.
func prepare(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("create store: %w", err)
	}
	err := os.Mkdir(dir, 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create store: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("create store: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("create store: %s is not a directory; remove it and run again", dir)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if data, err := os.ReadFile(ignore); err == nil && bytes.Equal(data, []byte("*\n")) {
		return nil
	}
	return writeFile(ignore, []byte("*\n"))
}

// Contents are what a generation holds beside its manifest.
type Contents struct {
	Catalog []byte
	// Names are the distinct names of its symbols, in byte order.
	Names []string
	// Log is compiled by CompileLog; nil for none.
	Log []byte
	// References are compiled by CompileReferences; nil for none.
	References []byte
	// Dependencies are kept for the next writer; nil for none. They are no part of
	// what a generation promises.
	Dependencies []byte
	// Evidence is what other programs found; nil for nothing.
	Evidence []byte
}

// Write publishes a generation: the manifest, whose digests it fills in, the
// contents and an index over the symbol names. The caller holds the lock.
func Write(dir string, m *Manifest, c Contents) error {
	if err := prepare(dir); err != nil {
		return err
	}
	m.Format = manifestFormat
	m.Catalog, m.Log, m.References, m.Evidence = Digest(c.Catalog), "", "", ""
	if c.Log != nil {
		m.Log = Digest(c.Log)
	}
	if c.Evidence != nil {
		m.Evidence = Digest(c.Evidence)
	}
	if c.References != nil {
		m.References = Digest(c.References)
	}
	m.Symbols = symbolindex.Digest(c.Names)
	encoded, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	encoded = append(encoded, '\n')

	index := filepath.Join(dir, namesPrefix+m.Symbols)
	if !usable(index) {
		tmp, err := os.MkdirTemp(dir, "tmp-names-")
		if err != nil {
			return fmt.Errorf("write symbol index: %w", err)
		}
		defer os.RemoveAll(tmp)
		if err := symbolindex.Build(filepath.Join(tmp, "x"), c.Names); err != nil {
			return fmt.Errorf("write symbol index: %w", err)
		}
		if err := os.RemoveAll(index); err != nil {
			return fmt.Errorf("write symbol index: %w", err)
		}
		if err := os.Rename(filepath.Join(tmp, "x"), index); err != nil {
			return fmt.Errorf("write symbol index: %w", err)
		}
	}

	gen := genPrefix + Digest(encoded)[:24]
	if old, err := openGeneration(dir, gen); err == nil {
		same := old.Manifest.Catalog == m.Catalog && old.Manifest.References == m.References
		if _, err := old.References(); m.References != "" && err != nil {
			same = false
		}
		if _, err := old.Log(); m.Log != "" && err != nil {
			same = false
		}
		if data, err := old.Evidence(); err != nil || m.Evidence != "" && Digest(data) != m.Evidence {
			same = false
		}
		_ = old.Close()
		if same {
			return publish(dir, gen)
		}
	}
	tmp, err := os.MkdirTemp(dir, "tmp-gen-")
	if err != nil {
		return fmt.Errorf("write store: %w", err)
	}
	defer os.RemoveAll(tmp)
	for _, f := range []struct {
		name string
		data []byte
	}{{catalogName, c.Catalog}, {logName, c.Log}, {referencesName, c.References}, {dependenciesName, c.Dependencies}, {evidenceName, c.Evidence}, {manifestName, encoded}} {
		if f.data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(tmp, f.name), f.data, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return fmt.Errorf("write store: %w", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, gen)); err != nil {
		return fmt.Errorf("write store: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, gen)); err != nil {
		return fmt.Errorf("write store: %w", err)
	}
	return publish(dir, gen)
}

// usable tells whether a symbol index opens.
func usable(dir string) bool {
	x, err := symbolindex.Open(dir)
	if err != nil {
		return false
	}
	return x.Close() == nil
}

// publish makes a generation the current one and removes all but it and the
// one before.
func publish(dir, gen string) error {
	before, _ := current(dir)
	if before != gen {
		if err := writeFile(filepath.Join(dir, currentName), []byte(gen+"\n")); err != nil {
			return fmt.Errorf("publish store: %w", err)
		}
	}
	keep := map[string]bool{gen: true, before: true}
	for g := range keep {
		if data, err := os.ReadFile(filepath.Join(dir, g, manifestName)); err == nil {
			if m, err := decodeManifest(data); err == nil {
				keep[namesPrefix+m.Symbols] = true
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("publish store: %w", err)
	}
	for _, e := range entries {
		n := e.Name()
		old := strings.HasPrefix(n, genPrefix) || strings.HasPrefix(n, namesPrefix) || strings.HasPrefix(n, "tmp-")
		if old && !keep[n] {
			// What cannot be removed now is removed by a later run.
			_ = os.RemoveAll(filepath.Join(dir, n))
		}
	}
	return nil
}

// writeFile replaces a file by a rename.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "tmp-file-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Digest is the digest that manifests hold, of any bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Rewrite publishes a generation with a new manifest and the contents of the one
// that is open. The caller holds the lock.
func (s *Store) Rewrite(m *Manifest) error {
	c := Contents{Catalog: s.data, Dependencies: s.Dependencies()}
	index, err := s.Names()
	if err != nil {
		return err
	}
	c.Names, err = index.Names()
	if err := cmp.Or(err, index.Close()); err != nil {
		return fmt.Errorf("read symbol index: %w", err)
	}
	if c.Evidence, err = s.Evidence(); err != nil {
		return err
	}
	if c.Log, err = os.ReadFile(filepath.Join(s.dir, s.gen, logName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read log: %w", err)
	}
	if m.References != "" {
		if _, err := s.References(); err != nil {
			return err
		}
		c.References = s.refsData
	}
	return Write(s.dir, m, c)
}
