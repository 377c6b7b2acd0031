package revision

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/blevesearch/mmap-go"
)

// packIndex is a pack's .idx file (version 2), mapped and never copied: the
// index of a large repository has hundreds of thousands of rows, of which a
// snapshot touches a few thousand. It is safe for concurrent use.
//
// Layout: magic and version (8 bytes), fanout (256 x uint32), ids (n x 20),
// CRC-32 (n x 4), offsets (n x 4, high bit: row of the 64-bit table), 64-bit
// offsets, two checksums.
type packIndex struct {
	packFile string
	data     []byte
	unmap    func() error
	count    int

	byOffsetOnce sync.Once
	byOffset     []uint32 // rows in pack order
}

const (
	idxHeader = 8
	idxFanout = idxHeader + 256*4
	idxMinLen = idxFanout + 2*20
)

func openPackIndex(idxFile string) (*packIndex, error) {
	f, err := os.Open(idxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < idxMinLen {
		return nil, fmt.Errorf("%w: pack index %s is too short; run `git fsck`", ErrCorrupt, idxFile)
	}
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("map pack index %s: %w", idxFile, err)
	}
	p, err := parsePackIndex(m)
	if err != nil {
		m.Unmap()
		return nil, fmt.Errorf("pack index %s: %w", idxFile, err)
	}
	p.packFile = strings.TrimSuffix(idxFile, ".idx") + ".pack"
	p.unmap = m.Unmap
	return p, nil
}

// parsePackIndex checks everything that later arithmetic relies on.
func parsePackIndex(data []byte) (*packIndex, error) {
	if len(data) < idxMinLen || !bytes.Equal(data[:idxHeader], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return nil, fmt.Errorf("%w: not an index of version 2; rewrite the packs with `git repack -ad`", ErrCorrupt)
	}
	p := &packIndex{data: data}
	var last uint32
	for i := range 256 {
		n := p.fanout(i)
		if n < last {
			return nil, fmt.Errorf("%w: fanout table is not sorted; run `git fsck`", ErrCorrupt)
		}
		last = n
	}
	if uint64(len(data)) < idxMinLen+uint64(last)*28 {
		return nil, fmt.Errorf("%w: file is truncated; run `git fsck`", ErrCorrupt)
	}
	p.count = int(last)
	return p, nil
}

func (p *packIndex) fanout(i int) uint32 {
	return binary.BigEndian.Uint32(p.data[idxHeader+4*i:])
}

func (p *packIndex) id(row int) []byte {
	return p.data[idxFanout+20*row:][:20]
}

// offset returns where the object of a row starts in the pack, -1 if damaged.
func (p *packIndex) offset(row int) int64 {
	table := idxFanout + 24*p.count
	v := binary.BigEndian.Uint32(p.data[table+4*row:])
	if v&(1<<31) == 0 {
		return int64(v)
	}
	at := uint64(table+4*p.count) + 8*uint64(v&^(1<<31))
	if at+8 > uint64(len(p.data)-40) {
		return -1
	}
	return int64(binary.BigEndian.Uint64(p.data[at:]))
}

// rows returns the half-open range of rows whose id may start with this byte.
func (p *packIndex) rows(first byte) (lo, hi int) {
	if first > 0 {
		lo = int(p.fanout(int(first) - 1))
	}
	return lo, int(p.fanout(int(first)))
}

// find returns the offset of an object, -1 if it is not in the pack.
func (p *packIndex) find(id ID) int64 {
	lo, hi := p.rows(id[0])
	row := lo + sort.Search(hi-lo, func(i int) bool { return bytes.Compare(p.id(lo+i), id[:]) >= 0 })
	if row >= hi || !bytes.Equal(p.id(row), id[:]) {
		return -1
	}
	return p.offset(row)
}

// prefix appends the ids between lo and hi inclusive; both share a first byte.
func (p *packIndex) prefix(ids []ID, lo, hi ID) []ID {
	first, last := p.rows(lo[0])
	row := first + sort.Search(last-first, func(i int) bool { return bytes.Compare(p.id(first+i), lo[:]) >= 0 })
	for ; row < last && bytes.Compare(p.id(row), hi[:]) <= 0; row++ {
		ids = append(ids, ID(p.id(row)))
	}
	return ids
}

// at returns the id of the object that starts at an offset of the pack.
func (p *packIndex) at(offset int64) (ID, bool) {
	p.byOffsetOnce.Do(p.sortOffsets)
	i, ok := slices.BinarySearchFunc(p.byOffset, offset, func(row uint32, o int64) int {
		return cmp.Compare(p.offset(int(row)), o)
	})
	if !ok {
		return ID{}, false
	}
	return ID(p.id(int(p.byOffset[i]))), true
}

// sortOffsets takes the order from git's .rev file where there is one, and
// sorts otherwise.
func (p *packIndex) sortOffsets() {
	p.byOffset = make([]uint32, p.count)
	if p.readRev() {
		return
	}
	for i := range p.byOffset {
		p.byOffset[i] = uint32(i)
	}
	slices.SortFunc(p.byOffset, func(a, b uint32) int {
		return cmp.Compare(p.offset(int(a)), p.offset(int(b)))
	})
}

// readRev reads the .rev file: a 12-byte header, the rows in pack order, two
// checksums. It reports false unless the rows are in range and in order.
func (p *packIndex) readRev() bool {
	if p.packFile == "" {
		return false
	}
	rev, err := os.ReadFile(strings.TrimSuffix(filepath.Clean(p.packFile), ".pack") + ".rev")
	if err != nil || len(rev) != 12+4*p.count+40 || !bytes.Equal(rev[:12], []byte("RIDX\x00\x00\x00\x01\x00\x00\x00\x01")) {
		return false
	}
	last := int64(-1)
	for i := range p.byOffset {
		row := binary.BigEndian.Uint32(rev[12+4*i:])
		if row >= uint32(p.count) {
			return false
		}
		o := p.offset(int(row))
		if o <= last {
			return false
		}
		last = o
		p.byOffset[i] = row
	}
	return true
}
