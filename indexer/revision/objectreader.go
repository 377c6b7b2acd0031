package revision

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// deltaCacheSize holds the bases of delta chains; larger ones gain nothing.
const deltaCacheSize = 24 << 20

// maxDeltaChain is git's own limit on the length of delta chains. A damaged
// pack can hold a cycle.
const maxDeltaChain = 4096

// objectReader decodes objects. It belongs to one goroutine and must be closed.
type objectReader struct {
	db    *objectDB
	packs []*openPack
	gen   int
	cache cache.Object
}

// openPack is a pack with the file handle and decoder of one reader; both are
// opened on first use.
type openPack struct {
	*packIndex
	file    *os.File
	decoder *packfile.Packfile
	steps   int // lookups while decoding one object

	inflater io.ReadCloser // of packedSize
}

func (db *objectDB) reader() *objectReader {
	r := &objectReader{db: db, cache: cache.NewObjectLRU(deltaCacheSize)}
	r.refresh()
	return r
}

func (r *objectReader) refresh() {
	packs, gen := r.db.snapshot()
	for _, p := range packs[len(r.packs):] {
		r.packs = append(r.packs, &openPack{packIndex: p})
	}
	r.gen = gen
}

func (r *objectReader) Close() error {
	var errs []error
	for _, p := range r.packs {
		if p.file != nil {
			errs = append(errs, p.file.Close())
			p.file, p.decoder = nil, nil
		}
	}
	r.packs, r.cache = nil, cache.NewObjectLRU(0)
	return errors.Join(errs...)
}

// read returns an object's type and bytes. limit bounds the size, 0 for none.
// The errors are ErrMissing, ErrTooLarge and ErrCorrupt.
func (r *objectReader) read(id ID, limit int64) (plumbing.ObjectType, []byte, error) {
	t, data, err := r.lookup(id, limit)
	if errors.Is(err, ErrMissing) {
		// Perhaps git has repacked since the last scan.
		if _, scanErr := r.db.rescan(); scanErr != nil {
			return 0, nil, scanErr
		}
		if _, gen := r.db.snapshot(); gen != r.gen {
			r.refresh()
			t, data, err = r.lookup(id, limit)
		}
	}
	if err != nil {
		return 0, nil, err
	}
	if objectID(t.String(), data) != id {
		return 0, nil, fmt.Errorf("object %s: %w: its content has another hash; run `git fsck`", id, ErrCorrupt)
	}
	return t, data, nil
}

// readAs is read with a demanded type.
func (r *objectReader) readAs(want plumbing.ObjectType, id ID, limit int64) ([]byte, error) {
	t, data, err := r.read(id, limit)
	if err == nil && t != want {
		err = fmt.Errorf("object %s is a %s, not a %s: %w", id, t.String(), want.String(), ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (r *objectReader) lookup(id ID, limit int64) (plumbing.ObjectType, []byte, error) {
	for i, p := range r.packs {
		off := p.find(id)
		if off < 0 {
			continue
		}
		t, data, err := p.read(id, off, limit, r.cache)
		if errors.Is(err, fs.ErrNotExist) {
			continue // repacked away; the object is elsewhere
		}
		// Neighbouring paths mostly share a pack: try it first next time.
		if i > 0 {
			r.packs[0], r.packs[i] = r.packs[i], r.packs[0]
		}
		return t, data, err
	}
	for _, dir := range r.db.dirs {
		t, data, err := readLoose(dir, id, limit)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return t, data, err
	}
	return 0, nil, fmt.Errorf("object %s: %w", id, ErrMissing)
}

func readLoose(dir string, id ID, limit int64) (_ plumbing.ObjectType, _ []byte, err error) {
	hex := id.String()
	f, err := os.Open(filepath.Join(dir, hex[:2], hex[2:]))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	damaged := func(err error) error {
		return fmt.Errorf("loose object %s: %w: %v; run `git fsck`", id, ErrCorrupt, err)
	}
	defer recoverCorrupt(&err, id)
	or, err := objfile.NewReader(f)
	if err != nil {
		return 0, nil, damaged(err)
	}
	defer or.Close()
	t, size, err := or.Header()
	if err != nil {
		return 0, nil, damaged(err)
	}
	if limit > 0 && size > limit {
		return 0, nil, tooLarge(id, size, limit)
	}
	data, err := readAllLimited(or, size+1)
	if err != nil {
		return 0, nil, damaged(err)
	}
	return t, data, nil
}

func tooLarge(id ID, size, limit int64) error {
	return fmt.Errorf("object %s has %d bytes, limit %d: %w", id, size, limit, ErrTooLarge)
}

// recoverCorrupt turns a panic of a decoder fed with damaged data into an error.
func recoverCorrupt(err *error, id ID) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("object %s: %w: %v; run `git fsck`", id, ErrCorrupt, p)
	}
}

func (p *openPack) read(id ID, off, limit int64, c cache.Object) (_ plumbing.ObjectType, _ []byte, err error) {
	defer recoverCorrupt(&err, id)
	if p.file == nil {
		f, err := os.Open(p.packFile)
		if err != nil {
			return 0, nil, err
		}
		p.file = f
		p.decoder = packfile.NewPackfileWithCache(goGitIndex{p}, nil, packHandle{f}, c, 0)
	}
	if limit > 0 {
		size, err := packedSize(p.file, off, &p.inflater)
		if err != nil {
			return 0, nil, fmt.Errorf("object %s in %s: %w: %v; run `git fsck`", id, p.packFile, ErrCorrupt, err)
		}
		if size > uint64(limit) {
			return 0, nil, tooLarge(id, int64(min(size, 1<<62)), limit)
		}
	}
	p.steps = 0
	obj, err := p.decoder.Get(plumbing.Hash(id))
	if err != nil {
		return 0, nil, fmt.Errorf("object %s in %s: %w: %v; run `git fsck`", id, p.packFile, ErrCorrupt, err)
	}
	or, err := obj.Reader()
	if err != nil {
		return 0, nil, fmt.Errorf("object %s: %w", id, err)
	}
	defer or.Close()
	data := make([]byte, obj.Size())
	if _, err := io.ReadFull(or, data); err != nil {
		return 0, nil, fmt.Errorf("object %s: %w: %v", id, ErrCorrupt, err)
	}
	return obj.Type(), data, nil
}

// packedSize returns the size of the object at an offset without decoding it:
// for a delta, the size stands in its first bytes.
//
// inflater is kept for the next call: it holds buffers of 40 KB, and a history
// has hundreds of thousands of deltas.
func packedSize(f io.ReaderAt, off int64, inflater *io.ReadCloser) (uint64, error) {
	var buf [512]byte
	n, err := f.ReadAt(buf[:], off)
	if n == 0 {
		return 0, err
	}
	b := buf[:n]
	kind := plumbing.ObjectType(b[0] >> 4 & 7)
	size, shift := uint64(b[0]&15), 4
	i := 1
	for b[i-1]&0x80 != 0 {
		if i >= len(b) || shift > 57 {
			return 0, errors.New("bad object header")
		}
		size |= uint64(b[i]&0x7f) << shift
		shift += 7
		i++
	}
	switch kind {
	case plumbing.OFSDeltaObject:
		for i < len(b) && b[i]&0x80 != 0 {
			i++
		}
		i++
	case plumbing.REFDeltaObject:
		i += 20
	default:
		return size, nil
	}
	if i >= len(b) {
		return 0, errors.New("bad delta header")
	}
	if *inflater == nil {
		*inflater, err = zlib.NewReader(bytes.NewReader(b[i:]))
	} else {
		err = (*inflater).(zlib.Resetter).Reset(bytes.NewReader(b[i:]), nil)
	}
	if err != nil {
		*inflater = nil
		return 0, err
	}
	zr := *inflater
	// Two numbers of at most ten bytes: the sizes of the base and the result.
	var head [20]byte
	n, err = io.ReadFull(zr, head[:])
	if n == 0 {
		return 0, err
	}
	_, used := binary.Uvarint(head[:n])
	if used <= 0 {
		return 0, errors.New("bad delta header")
	}
	size, used = binary.Uvarint(head[used:n])
	if used <= 0 {
		return 0, errors.New("bad delta header")
	}
	return size, nil
}

// goGitIndex shows a pack's index to go-git's decoder, which needs lookups only.
type goGitIndex struct{ p *openPack }

var errDeltaChain = errors.New("delta chain is cyclic or too long")

func (x goGitIndex) step() error {
	if x.p.steps++; x.p.steps > 2*maxDeltaChain {
		return errDeltaChain
	}
	return nil
}

func (x goGitIndex) FindOffset(h plumbing.Hash) (int64, error) {
	if err := x.step(); err != nil {
		return 0, err
	}
	if off := x.p.find(ID(h)); off >= 0 {
		return off, nil
	}
	return 0, plumbing.ErrObjectNotFound
}

func (x goGitIndex) FindHash(off int64) (plumbing.Hash, error) {
	if err := x.step(); err != nil {
		return plumbing.ZeroHash, err
	}
	if id, ok := x.p.at(off); ok {
		return plumbing.Hash(id), nil
	}
	return plumbing.ZeroHash, plumbing.ErrObjectNotFound
}

func (x goGitIndex) Contains(h plumbing.Hash) (bool, error) { return x.p.find(ID(h)) >= 0, nil }
func (x goGitIndex) Count() (int64, error)                  { return int64(x.p.count), nil }

var errNotNeeded = errors.New("not implemented")

func (x goGitIndex) FindCRC32(plumbing.Hash) (uint32, error)     { return 0, errNotNeeded }
func (x goGitIndex) Entries() (idxfile.EntryIter, error)         { return nil, errNotNeeded }
func (x goGitIndex) EntriesByOffset() (idxfile.EntryIter, error) { return nil, errNotNeeded }

// packHandle makes an os.File a billy.File; the locking methods are not used.
type packHandle struct{ *os.File }

var _ billy.File = packHandle{}

func (packHandle) Lock() error   { return errNotNeeded }
func (packHandle) Unlock() error { return errNotNeeded }
