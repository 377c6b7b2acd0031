package symbolindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/mapping"
)

const (
	fieldFold  = "fold"
	fieldWords = "words"

	// placeholder is the id of a document without fields that stands in an
	// index of no names, because the library cannot build an empty one. No name
	// that is kept is empty, so the NUL keeps it apart from them in practice and
	// Build refuses it as a name.
	placeholder = "\x00empty"

	// batchSize is the number of names the builder holds in memory at once.
	// Larger batches build faster and take more memory.
	batchSize = 20_000

	manifestName = "names.json"
	maxManifest  = 1 << 20
)

// document is what is indexed of a name.
type document struct {
	Fold  string   `json:"fold"`
	Words []string `json:"words"`
}

// indexMapping declares the two fields: terms and posting lists, nothing else.
func indexMapping() mapping.IndexMapping {
	field := func() *mapping.FieldMapping {
		f := bleve.NewTextFieldMapping()
		f.Analyzer = keyword.Name
		f.Store = false
		f.IncludeTermVectors = false
		f.IncludeInAll = false
		f.DocValues = false
		f.SkipFreqNorm = true
		return f
	}
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt(fieldFold, field())
	doc.AddFieldMappingsAt(fieldWords, field())
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	m.DefaultAnalyzer = keyword.Name
	m.StoreDynamic = false
	m.IndexDynamic = false
	m.DocValuesDynamic = false
	return m
}

// Build writes an index of names into dir, which has to be empty or missing.
// Order and repetitions of names do not matter; an empty name is left out. The
// index is complete once Build returns nil; the caller moves it to its place.
// After an error dir holds nothing that Open accepts.
func Build(dir string, names []string) (err error) {
	names = unique(names)
	if _, reserved := slices.BinarySearch(names, placeholder); reserved {
		return fmt.Errorf("build symbol index: %q is reserved", placeholder)
	}
	if entries, err := os.ReadDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("build symbol index: %w", err)
	} else if len(entries) > 0 {
		return fmt.Errorf("build symbol index: %s is not empty; build into a new directory", dir)
	}
	if err := buildIndex(dir, names); err != nil {
		return fmt.Errorf("build symbol index in %s: %w", dir, err)
	}
	return nil
}

func buildIndex(dir string, names []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the index library failed: %v", p)
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// The builder moves its segments into place by rename, so they have to be
	// on the same file system.
	scratch := filepath.Join(dir, "build")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	b, err := bleve.NewBuilder(dir, indexMapping(), map[string]any{
		"batchSize":       batchSize,
		"buildPathPrefix": scratch,
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err = b.Index(name, document{fold(name), splitWords(name)}); err != nil {
			break
		}
	}
	if len(names) == 0 {
		err = b.Index(placeholder, struct{}{})
	}
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err := b.Close(); err != nil {
		return err
	}
	if err := os.RemoveAll(scratch); err != nil {
		return err
	}
	return writeManifest(dir, names)
}

// manifest describes a complete index.
type manifest struct {
	FormatVersion int            `json:"formatVersion"`
	Names         int            `json:"names"`
	Digest        string         `json:"digest"`
	Files         []manifestFile `json:"files"` // sorted by path
}

type manifestFile struct {
	Path string `json:"path"` // below the index directory, with slashes
	Size int64  `json:"size"`
	CRC  uint32 `json:"crc32c"`
}

// writeManifest flushes every file to the disk and describes it. The manifest
// comes last, so a directory without one is unfinished.
func writeManifest(dir string, names []string) error {
	m := manifest{FormatVersion: FormatVersion, Names: len(names), Digest: digestSorted(names)}
	paths, err := indexFiles(dir)
	if err != nil {
		return err
	}
	for _, p := range paths {
		f, err := checksum(dir, p, true)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, manifestName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// indexFiles lists the files of the library, sorted.
func indexFiles(dir string) ([]string, error) {
	var paths []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && p != manifestName {
			paths = append(paths, p)
		}
		return err
	})
	return paths, err
}

func checksum(dir, rel string, sync bool) (manifestFile, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return manifestFile{}, err
	}
	defer f.Close()
	if sync {
		// Some systems refuse to flush a file opened for reading; the library's
		// own flushing then has to do.
		_ = f.Sync()
	}
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, make([]byte, 256<<10))
	return manifestFile{rel, n, h.Sum32()}, err
}

func readManifest(dir string) (m manifest, err error) {
	f, err := os.Open(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, statErr := os.Stat(dir); statErr != nil {
			return m, statErr
		}
		return m, fmt.Errorf("%w: it was not completed (no %s)", ErrCorrupt, manifestName)
	}
	if err != nil {
		return m, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%w: %s: %w", ErrCorrupt, manifestName, err)
	}
	if m.FormatVersion != FormatVersion {
		return m, fmt.Errorf("%w: %d, this program reads %d", ErrVersion, m.FormatVersion, FormatVersion)
	}
	return m, nil
}

// verifyFiles checks that exactly the files of the manifest are there and hold
// what they held when they were built.
func (m manifest) verifyFiles(dir string) error {
	paths, err := indexFiles(dir)
	if err != nil {
		return err
	}
	i := 0
	for _, p := range paths {
		if i == len(m.Files) || m.Files[i].Path != p {
			return fmt.Errorf("%w: the files are not those it was built with (at %s)", ErrCorrupt, p)
		}
		f, err := checksum(dir, p, false)
		if err != nil {
			return err
		}
		if f != m.Files[i] {
			return fmt.Errorf("%w: %s was changed or cut", ErrCorrupt, p)
		}
		i++
	}
	if i < len(m.Files) || i == 0 {
		return fmt.Errorf("%w: files are missing", ErrCorrupt)
	}
	return nil
}
