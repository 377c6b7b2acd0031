// Package evidence imports what other programs found: SCIP indexes of compilers
// and type checkers, SARIF reports of linters and scanners.
//
// An index can be of another state than the one that is indexed, or made up.
// So an occurrence counts only where the text at its range is the name of its
// symbol, in the blob that the path has at the revision that the index is of;
// and whoever uses it later asks for that very blob. What is refused is counted
// with its reason.
package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/indexer/revision"
)

// Request names a file to import.
type Request struct {
	Kind string // evidence.KindSCIP or KindSARIF
	Path string
	// Revision is the commit whose files it is about, "" for the state that is
	// indexed. Snapshot is that state.
	Revision string
	Snapshot *revision.Snapshot
	// Prefixes are directories of the repository that paths in the file may be
	// relative to, beside its root: where the file lies, for example.
	Prefixes []string
	// Roots are absolute directories that stand for the repository in URIs.
	Roots []string
}

// Open opens a file that must be a regular one.
func (q *Request) open() (*os.File, error) {
	f, err := os.Open(q.Path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", q.Path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// DigestOf covers the bytes of a file.
func DigestOf(path string) (string, error) {
	q := Request{Path: path}
	f, err := q.open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Import reads files into one set. Any file that is damaged, foreign or over a
// limit is an error, and then there is no set.
func Import(ctx context.Context, requests []Request) (*evidence.Set, error) {
	b := &builder{numbers: map[string]int32{}, set: &evidence.Set{}}
	for i := range requests {
		q := &requests[i]
		digest, err := DigestOf(q.Path)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", q.Path, err)
		}
		files, err := newSources(q.Snapshot)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", q.Path, err)
		}
		b.source = int32(len(b.set.Sources))
		b.set.Sources = append(b.set.Sources, evidence.Source{Kind: q.Kind, Name: filepath.Base(q.Path), Digest: digest, Revision: q.Revision})
		b.refused = map[string]*evidence.Refusal{}
		if q.Kind == evidence.KindSCIP {
			err = b.scip(ctx, q, files)
		} else {
			err = b.sarif(ctx, q, files)
		}
		files.close()
		if err != nil {
			return nil, err
		}
		b.finish()
	}
	b.set.Prune()
	return b.set, nil
}

// builder collects a set.
type builder struct {
	set     *evidence.Set
	numbers map[string]int32 // of symbols, by their ids
	source  int32
	refused map[string]*evidence.Refusal
}

// maxSamples bounds the samples of a refusal.
const maxSamples = 5

func (b *builder) refuse(reason, sample string, n int) {
	if n == 0 {
		return
	}
	r := b.refused[reason]
	if r == nil {
		r = &evidence.Refusal{Reason: reason}
		b.refused[reason] = r
	}
	r.Count += n
	if sample != "" && len(r.Samples) < maxSamples && !slices.Contains(r.Samples, sample) {
		r.Samples = append(r.Samples, sample)
	}
}

func (b *builder) finish() {
	s := &b.set.Sources[b.source]
	for _, r := range b.refused {
		s.Refused = append(s.Refused, *r)
	}
	slices.SortFunc(s.Refused, func(x, y evidence.Refusal) int { return strings.Compare(x.Reason, y.Reason) })
}

// sources reads the files of the state that evidence is about.
type sources struct {
	s      *revision.Snapshot
	reader revision.Reader
	dirs   map[string]bool
}

func newSources(s *revision.Snapshot) (*sources, error) {
	r, err := s.Reader(revision.WithMaxSize(extract.DefaultLimits.Read))
	if err != nil {
		return nil, fmt.Errorf("open objects: %w", err)
	}
	out := &sources{s: s, reader: r, dirs: map[string]bool{"": true}}
	for _, e := range s.Entries {
		for d := facts.DirOf(e.Path); !out.dirs[d]; d = facts.DirOf(d) {
			out.dirs[d] = true
		}
	}
	return out, nil
}

func (f *sources) close() { _ = f.reader.Close() }

// has tells whether a path is a file of the state.
func (f *sources) has(path string) bool {
	e, ok := f.s.Find(path)
	return ok && e.Mode <= revision.Executable
}

// read gives the blob of a path and its bytes; ok is false where it cannot be
// read, or is no text as it stands.
func (f *sources) read(path string) (facts.BlobID, []byte, bool) {
	e, ok := f.s.Find(path)
	if !ok || e.Mode > revision.Executable || e.Blob.IsZero() {
		return facts.BlobID{}, nil, false
	}
	text, err := f.reader.Read(e)
	if err != nil {
		return facts.BlobID{}, nil, false
	}
	return facts.BlobID(e.Blob), text, true
}

// prefixOf finds the directory that the paths of a file are relative to: of the
// candidates the one below which most of the sampled paths are files.
func (f *sources) prefixOf(candidates, sample []string) string {
	best, most := "", -1
	for _, c := range candidates {
		n := 0
		for _, p := range sample {
			if f.has(joined(c, p)) {
				n++
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

func joined(dir, path string) string {
	if dir == "" {
		return path
	}
	return dir + "/" + path
}

// below lists the directories of the state that a root on some machine can stand
// for: the root of the repository, and those that its path ends in.
func (f *sources) below(root string) []string {
	out := []string{""}
	parts := strings.Split(strings.Trim(filepath.ToSlash(root), "/"), "/")
	for i := len(parts) - 1; i >= 0 && len(out) < 16; i-- {
		d := strings.Join(parts[i:], "/")
		if d != "" && f.dirs[d] {
			out = append(out, d)
		}
	}
	return out
}
