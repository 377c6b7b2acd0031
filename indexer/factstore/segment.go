package factstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sort"

	"github.com/klauspost/compress/s2"
)

const (
	formatVersion = 1

	magic      = "pmfacts\n"
	headerSize = 16
	entrySize  = KeySize + 16
	footerSize = 32

	segmentExt = ".facts"
	tempPrefix = "tmp-"
	lockName   = "lock"
)

// MaxRecord is the largest value in bytes that the store takes. It bounds what
// a damaged length can make a reader allocate.
const MaxRecord = 256 << 20

var (
	errVersion = errors.New("written in another format version")
	errForeign = errors.New("not a fact segment")
	errDamaged = errors.New("damaged")

	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// entry locates one record of a segment.
type entry struct {
	key Key
	off int64
	len uint32
	sum uint32
}

func recordSum(key *Key, stored []byte) uint32 {
	return crc32.Update(crc32.Checksum(key[:], castagnoli), castagnoli, stored)
}

func appendHeader(b []byte) []byte {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, formatVersion)
	return binary.LittleEndian.AppendUint32(b, 0)
}

// appendIndex appends the index block of entries, which it sorts by key.
func appendIndex(b []byte, entries []entry) []byte {
	sort.Slice(entries, func(i, j int) bool {
		return bytes.Compare(entries[i].key[:], entries[j].key[:]) < 0
	})
	for i := range entries {
		e := &entries[i]
		b = append(b, e.key[:]...)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.off))
		b = binary.LittleEndian.AppendUint32(b, e.len)
		b = binary.LittleEndian.AppendUint32(b, e.sum)
	}
	return b
}

func appendFooter(b []byte, indexOff int64, index []byte) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(indexOff))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(index)/entrySize))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(index, castagnoli))
	b = binary.LittleEndian.AppendUint32(b, formatVersion)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
	return append(b, magic...)
}

// segmentName derives a segment's file name from its index block. The block
// holds a checksum of every record, so equal names mean equal content and two
// writers that publish the same records replace each other's file by a copy.
func segmentName(index []byte) string {
	sum := sha256.Sum256(index)
	return hex.EncodeToString(sum[:16]) + segmentExt
}

// segment is an opened, verified segment. It is immutable and safe for
// concurrent use; records are read with ReadAt.
type segment struct {
	name  string
	r     io.ReaderAt
	size  int64
	index []byte
}

// openSegment verifies the frame and index of a segment of size bytes.
func openSegment(name string, r io.ReaderAt, size int64) (*segment, error) {
	if size < headerSize+footerSize {
		return nil, fmt.Errorf("%w: %d bytes", errForeign, size)
	}
	var header [headerSize]byte
	if err := readFull(r, header[:], 0); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	if string(header[:8]) != magic {
		return nil, errForeign
	}
	// The version is looked at before anything else is, because another
	// version may arrange everything else differently.
	if v := binary.LittleEndian.Uint32(header[8:]); v != formatVersion {
		return nil, fmt.Errorf("%w (%d, this program reads %d)", errVersion, v, formatVersion)
	}
	var footer [footerSize]byte
	if err := readFull(r, footer[:], size-footerSize); err != nil {
		return nil, fmt.Errorf("read footer: %w", err)
	}
	le := binary.LittleEndian
	switch {
	case string(footer[24:]) != magic:
		return nil, fmt.Errorf("%w: no footer at the end", errDamaged)
	case le.Uint32(footer[20:]) != crc32.Checksum(footer[:20], castagnoli):
		return nil, fmt.Errorf("%w: footer checksum does not match", errDamaged)
	case le.Uint32(footer[16:]) != formatVersion:
		return nil, fmt.Errorf("%w: header and footer disagree on the format version", errDamaged)
	}
	count := int64(le.Uint32(footer[8:]))
	indexOff := le.Uint64(footer[0:])
	if indexOff < headerSize || indexOff > math.MaxInt64 ||
		int64(indexOff) != size-footerSize-count*entrySize {
		return nil, fmt.Errorf("%w: file size does not match the footer", errDamaged)
	}
	index := make([]byte, count*entrySize)
	if err := readFull(r, index, int64(indexOff)); err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	if le.Uint32(footer[12:]) != crc32.Checksum(index, castagnoli) {
		return nil, fmt.Errorf("%w: index checksum does not match", errDamaged)
	}
	s := &segment{name: name, r: r, size: size, index: index}
	for i := 0; i < s.len(); i++ {
		if i > 0 && bytes.Compare(s.rawKey(i-1), s.rawKey(i)) >= 0 {
			return nil, fmt.Errorf("%w: index entry %d is out of order", errDamaged, i)
		}
		off := le.Uint64(index[i*entrySize+KeySize:])
		n := uint64(le.Uint32(index[i*entrySize+KeySize+8:]))
		if off < headerSize || off > indexOff || n > indexOff-off {
			return nil, fmt.Errorf("%w: index entry %d points outside the records", errDamaged, i)
		}
	}
	return s, nil
}

func (s *segment) len() int { return len(s.index) / entrySize }

func (s *segment) rawKey(i int) []byte { return s.index[i*entrySize : i*entrySize+KeySize] }

func (s *segment) entry(i int) entry {
	b := s.index[i*entrySize : (i+1)*entrySize]
	e := entry{
		off: int64(binary.LittleEndian.Uint64(b[KeySize:])),
		len: binary.LittleEndian.Uint32(b[KeySize+8:]),
		sum: binary.LittleEndian.Uint32(b[KeySize+12:]),
	}
	copy(e.key[:], b)
	return e
}

func (s *segment) find(key *Key) (entry, bool) {
	i := sort.Search(s.len(), func(i int) bool { return bytes.Compare(s.rawKey(i), key[:]) >= 0 })
	if i == s.len() || !bytes.Equal(s.rawKey(i), key[:]) {
		return entry{}, false
	}
	return s.entry(i), true
}

// value reads, verifies and decompresses one record.
func (s *segment) value(e entry) ([]byte, error) {
	stored, err := readStored(s.r, e, nil)
	if err != nil {
		return nil, err
	}
	return decodeRecord(stored)
}

func (s *segment) close() {
	if c, ok := s.r.(io.Closer); ok {
		_ = c.Close()
	}
}

// readStored reads the compressed bytes of a record and verifies its checksum.
func readStored(r io.ReaderAt, e entry, buf []byte) ([]byte, error) {
	if cap(buf) < int(e.len) {
		buf = make([]byte, e.len)
	}
	buf = buf[:e.len]
	if err := readFull(r, buf, e.off); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if recordSum(&e.key, buf) != e.sum {
		return nil, errors.New("record checksum does not match")
	}
	return buf, nil
}

func decodeRecord(stored []byte) ([]byte, error) {
	n, err := s2.DecodedLen(stored)
	if err != nil {
		return nil, fmt.Errorf("decode record: %w", err)
	}
	if n > MaxRecord {
		return nil, fmt.Errorf("decode record: %d bytes are more than a record may have", n)
	}
	value, err := s2.Decode(nil, stored)
	if err != nil {
		return nil, fmt.Errorf("decode record: %w", err)
	}
	return value, nil
}

// readFull is ReadAt for a whole buffer, with truncation as an error of its own.
func readFull(r io.ReaderAt, buf []byte, off int64) error {
	n, err := r.ReadAt(buf, off)
	if n == len(buf) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
