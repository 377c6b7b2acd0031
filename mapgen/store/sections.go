package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
)

// sectionFile is a file of a generation that is read in place: a magic and the
// format version in its last byte, a checksum of everything behind, and a table
// of where each section lies.
type sectionFile struct {
	name     string // for errors
	magic    string
	format   byte
	sections int
	// exclude says what to leave out of a file that becomes too large.
	exclude string
}

var (
	catalogFile    = sectionFile{"catalog", catalogMagic, catalogFormat, numSections, "data files"}
	referencesFile = sectionFile{"references", referencesMagic, referencesFormat, numRefSections, "files"}
)

// header is the size of what stands before the sections.
func (k *sectionFile) header() int { return 8 + 4 + k.sections*8 }

// assemble lays sections out, which are as many as the file has.
func (k *sectionFile) assemble(sec [][]byte) ([]byte, error) {
	size := uint64(k.header())
	for _, s := range sec {
		size += uint64(len(s))
	}
	if size > math.MaxUint32 {
		return nil, fmt.Errorf("compile %s: %d bytes are more than the format holds; exclude %s with .projectmapignore", k.name, size, k.exclude)
	}
	out := make([]byte, k.header(), size)
	copy(out, k.magic)
	out[7] = k.format
	for i, s := range sec {
		binary.LittleEndian.PutUint32(out[12+8*i:], uint32(len(out)))
		binary.LittleEndian.PutUint32(out[16+8*i:], uint32(len(s)))
		out = append(out, s...)
	}
	seal(out)
	return out, nil
}

// open finds the sections of a file. The error wraps ErrCorrupt or ErrVersion.
func (k *sectionFile) open(data []byte, sec [][]byte) error {
	if len(data) < k.header() || !strings.HasPrefix(string(data[:8]), k.magic) {
		return fmt.Errorf("open %s: %w", k.name, ErrCorrupt)
	}
	if data[7] != k.format {
		return fmt.Errorf("open %s: format %d, this program reads %d: %w", k.name, data[7], k.format, ErrVersion)
	}
	if checksum(data) != binary.LittleEndian.Uint32(data[8:]) {
		return fmt.Errorf("open %s: checksum: %w", k.name, ErrCorrupt)
	}
	for i := range sec {
		off, n := uint64(binary.LittleEndian.Uint32(data[12+8*i:])), uint64(binary.LittleEndian.Uint32(data[16+8*i:]))
		if off < uint64(k.header()) || off+n > uint64(len(data)) {
			return fmt.Errorf("open %s: section %d: %w", k.name, i, ErrCorrupt)
		}
		sec[i] = data[off : off+n : off+n]
	}
	return nil
}

func checksum(file []byte) uint32 {
	return crc32.Checksum(file[12:], crc32.MakeTable(crc32.Castagnoli))
}

func seal(file []byte) { binary.LittleEndian.PutUint32(file[8:], checksum(file)) }
