package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/project-map/project-map/indexer/facts/secrets"
	"github.com/project-map/project-map/mapgen/plaintext"
)

// The log of a generation names the commits of the past, in the order in which
// the catalog numbers them. It is read only when an answer cites one.
//
//	magic     "PMLOG", two zero bytes and the format version, a byte
//	checksum  uint32, CRC-32C of everything after it
//	count     uint32
//	commits   count times (id, 20 bytes; end of the subject, uint32)
//	subjects
const (
	logMagic  = "PMLOG\x00\x00"
	logFormat = 1
	logName   = "log"
	logHeader = 8 + 4 + 4
	logRow    = 20 + 4
)

// maxSubject bounds the first line of a message, in bytes.
const maxSubject = 120

// CompileLog gives the bytes of a log of commits, newest first.
func CompileLog(commits []PastCommit) ([]byte, error) {
	out := append([]byte(logMagic), logFormat, 0, 0, 0, 0)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(commits)))
	var subjects []byte
	for i := range commits {
		line, _, _ := strings.Cut(commits[i].Message, "\n")
		text, _ := secrets.Mask([]byte(line))
		subjects = append(subjects, plaintext.Line(string(text), maxSubject)...)
		if len(subjects) > math.MaxUint32 {
			return nil, errors.New("compile log: the subjects of the commits are more than the format holds")
		}
		out = append(out, commits[i].ID[:]...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(subjects)))
	}
	out = append(out, subjects...)
	seal(out)
	return out, nil
}

// Log is an open log. Safe for concurrent use.
type Log struct {
	rows, subjects []byte
}

// Log opens the log of the generation, once. The error wraps ErrNone where it has
// none, ErrCorrupt or ErrVersion.
func (s *Store) Log() (*Log, error) {
	s.logOnce.Do(func() { s.log, s.logErr = s.openLog() })
	return s.log, s.logErr
}

func (s *Store) openLog() (*Log, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, s.gen, logName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open log: %w", ErrNone)
	}
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return OpenLog(data)
}

// OpenLog opens the bytes of a log.
func OpenLog(data []byte) (*Log, error) {
	if len(data) < logHeader || !bytes.HasPrefix(data, []byte(logMagic)) {
		return nil, fmt.Errorf("open log: %w", ErrCorrupt)
	}
	if data[7] != logFormat {
		return nil, fmt.Errorf("open log: format %d, this program reads %d: %w", data[7], logFormat, ErrVersion)
	}
	if checksum(data) != binary.LittleEndian.Uint32(data[8:]) {
		return nil, fmt.Errorf("open log: checksum: %w", ErrCorrupt)
	}
	n := uint64(binary.LittleEndian.Uint32(data[12:]))
	if logHeader+n*logRow > uint64(len(data)) {
		return nil, fmt.Errorf("open log: cut short: %w", ErrCorrupt)
	}
	end := logHeader + int(n)*logRow
	return &Log{rows: data[logHeader:end], subjects: data[end:]}, nil
}

// Len is the number of commits.
func (l *Log) Len() int { return len(l.rows) / logRow }

// Entry is the id of a commit and the first line of its message, on one line.
func (l *Log) Entry(commit int) (id [20]byte, subject string) {
	row := l.rows[commit*logRow:]
	copy(id[:], row)
	from, to := uint32(0), binary.LittleEndian.Uint32(row[20:])
	if commit > 0 {
		from = binary.LittleEndian.Uint32(l.rows[commit*logRow-4:])
	}
	if from > to || uint64(to) > uint64(len(l.subjects)) {
		return id, ""
	}
	return id, string(l.subjects[from:to])
}
