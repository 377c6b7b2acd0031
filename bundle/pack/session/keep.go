package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/project-map/project-map/bundle/pack"
)

var (
	// ErrNoRecord says that a pack was not recorded here.
	ErrNoRecord = errors.New("there is no record of the pack")
	// ErrMissing and ErrAltered say that a kept input is not what it was.
	ErrMissing = errors.New("is missing")
	ErrAltered = errors.New("was altered")
	// ErrDiffers says that the inputs no longer give the same pack.
	ErrDiffers = errors.New("the rebuilt pack differs from the recorded one")
)

// recordVersion changes when an older program would misread a record.
const recordVersion = 1

// Record is what a pack was built from. Entries are the lines of the inputs, in
// their order.
type Record struct {
	Version   int                `json:"version"`
	PackID    pack.ContextPackID `json:"packId"`
	SessionID pack.SessionID     `json:"sessionId"`
	StageID   pack.StageID       `json:"stageId"`
	Budget    int                `json:"budget"`
	Tokenizer string             `json:"tokenizer"`
	Framing   pack.Framing       `json:"framing"`
	KeepTurns int                `json:"keepTurns"`
	// Recount is set when the estimates of the entries were not believed.
	Recount bool    `json:"recount"`
	Inputs  []Input `json:"inputs"`
	// PackSHA256 is the digest of the pack's JSON.
	PackSHA256 string `json:"packSha256"`
}

// Input is a kept text. It is stored in pieces, which texts that begin alike
// share: a session that grows is not stored anew with every pack.
type Input struct {
	Name   string   `json:"name"`
	Bytes  int64    `json:"bytes"`
	Pieces []string `json:"pieces"` // SHA-256 of each
}

// Digest is what records call bytes by.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Sizes of pieces in bytes. Where a piece ends is decided by the line that ends
// it, so that what stands before a place decides nothing behind it for long.
const (
	minPiece  = 64 << 10
	maxPiece  = 1 << 20
	pieceMask = 1<<6 - 1 // one line in 64 ends a piece
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Keeper keeps an input as it is read. Write and Close are called in turn, by
// one goroutine; the work is done by another.
type Keeper struct {
	input Input
	piece []byte
	sum   hash.Hash
	work  chan []byte
	done  chan error
}

// Keep starts to keep an input under a name, which messages use.
func (s *Store) Keep(name string) *Keeper {
	k := &Keeper{input: Input{Name: name, Pieces: []string{}}, sum: sha256.New(), work: make(chan []byte, 4), done: make(chan error, 1)}
	go func() {
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		for piece := range k.work {
			if err == nil {
				err = s.keepPiece(&k.input, enc, piece)
			}
		}
		k.done <- err
	}()
	return k
}

// Line adds a line with its line break; the last one may lack it. The bytes are
// copied.
func (k *Keeper) Line(line []byte) {
	k.input.Bytes += int64(len(line))
	k.piece = append(k.piece, line...)
	if n := len(k.piece); n >= maxPiece || n >= minPiece && crc32.Checksum(line, castagnoli)&pieceMask == 0 {
		k.flush()
	}
}

func (k *Keeper) flush() {
	if len(k.piece) > 0 {
		k.work <- k.piece
		k.piece = make([]byte, 0, minPiece*2)
	}
}

// Close ends the input and gives its record.
func (k *Keeper) Close() (Input, error) {
	k.flush()
	close(k.work)
	if err := <-k.done; err != nil {
		return Input{}, fmt.Errorf("keep the input %q: %w", k.input.Name, err)
	}
	return k.input, nil
}

// piecePath is where a piece is, relative to the store.
func piecePath(digest string) string { return packsName + "/" + digest[:2] + "/" + digest + ".zst" }

func (s *Store) keepPiece(in *Input, enc *zstd.Encoder, piece []byte) error {
	digest := Digest(piece)
	in.Pieces = append(in.Pieces, digest)
	rel := storeName + "/" + piecePath(digest)
	if info, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(piecePath(digest)))); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if got, err := s.readPiece(digest); err == nil && len(got) == len(piece) {
			return nil
		}
	}
	if err := s.root.MkdirAll(path.Dir(rel)); err != nil {
		return err
	}
	_, err := s.root.WriteFile(rel, enc.EncodeAll(piece, nil))
	return err
}

func isDigest(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// readPiece reads a piece and checks it.
func (s *Store) readPiece(digest string) ([]byte, error) {
	if !isDigest(digest) {
		return nil, ErrAltered
	}
	packed, err := s.root.ReadFile(storeName + "/" + piecePath(digest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	// The largest piece is one line, which may be long; a bomb ends here.
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	data, err := dec.DecodeAll(packed, nil)
	if err != nil || Digest(data) != digest {
		return nil, ErrAltered
	}
	return data, nil
}

func recordPath(id pack.ContextPackID) string { return packsName + "/" + string(id) + ".json" }

// Record keeps the record of a pack.
func (s *Store) Record(r *Record) error {
	r.Version = recordVersion
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("record pack: %w", err)
	}
	if _, err := s.root.WriteFile(storeName+"/"+recordPath(r.PackID), b.Bytes()); err != nil {
		return fmt.Errorf("record pack: %w", err)
	}
	return nil
}

// Recorded reads the record of a pack. Errors wrap ErrNoRecord or ErrAltered.
func (s *Store) Recorded(id pack.ContextPackID) (*Record, error) {
	if !id.Valid() {
		return nil, fmt.Errorf("%w %q", ErrNoRecord, id)
	}
	data, err := s.root.ReadFile(storeName + "/" + recordPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w %s", ErrNoRecord, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", id, err)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("the record of %s (%s) %w: %v", id, recordPath(id), ErrAltered, err)
	}
	switch {
	case r.Version > recordVersion:
		return nil, fmt.Errorf("the record of %s is of a newer program (version %d)", id, r.Version)
	case r.PackID != id:
		return nil, fmt.Errorf("the record of %s (%s) %w: it is of %s", id, recordPath(id), ErrAltered, r.PackID)
	}
	return &r, nil
}

// ReadInput gives an input as it was. Errors name it and wrap ErrMissing or
// ErrAltered.
func (s *Store) ReadInput(in Input) ([]byte, error) {
	var out []byte
	for i, digest := range in.Pieces {
		data, err := s.readPiece(digest)
		if err != nil {
			where := "its name is no digest"
			if isDigest(digest) {
				where = storeName + "/" + piecePath(digest)
			}
			return nil, fmt.Errorf("the input %q %w: piece %d of %d, %s", in.Name, err, i+1, len(in.Pieces), where)
		}
		out = append(out, data...)
	}
	if int64(len(out)) != in.Bytes {
		return nil, fmt.Errorf("the input %q %w: %d bytes instead of %d", in.Name, ErrAltered, len(out), in.Bytes)
	}
	return out, nil
}
