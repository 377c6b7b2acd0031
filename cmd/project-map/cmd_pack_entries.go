package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/project-map/project-map/bundle/pack"
)

// maxEntryLine is the longest line of an entry in bytes. It fits into memory
// several times over.
const maxEntryLine = 32 << 20

// add takes entries that the program made and keeps them as an input.
func (a *assembly) add(name string, entries []pack.ContextEntry) error {
	if len(entries) == 0 {
		return nil
	}
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for i := range entries {
		if err := e.Encode(&entries[i]); err != nil {
			return fmt.Errorf("keep the input %q: %w", name, err)
		}
	}
	k := a.store.Keep(name)
	for line := range bytes.Lines(lines.Bytes()) {
		k.Line(line)
	}
	in, err := k.Close()
	if err != nil {
		return err
	}
	a.record.Inputs = append(a.record.Inputs, in)
	a.entries = append(a.entries, entries...)
	return nil
}

// readEntries reads JSON Lines and keeps them as they came.
func (a *assembly) readEntries(r io.Reader) error {
	k := a.store.Keep("entries")
	decoder := newEntryDecoder(a.con)
	err := eachLine(r, func(n int, line []byte) error {
		k.Line(line)
		return decoder.line(n, line)
	})
	in, keepErr := k.Close()
	if err != nil {
		return err
	}
	if keepErr != nil {
		return keepErr
	}
	a.record.Inputs = append(a.record.Inputs, in)
	a.entries = append(a.entries, decoder.entries...)
	return nil
}

// eachLine gives the lines of r with their numbers and line breaks. A line is
// valid until the next one.
func eachLine(r io.Reader, yield func(n int, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	var long []byte
	for n := 1; ; {
		part, err := in.ReadSlice('\n')
		line := part
		if len(long) > 0 || errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			line = long
		}
		if len(line) > maxEntryLine {
			return usagef("standard input, line %d: an entry may have %d MB at most; split it, or name its file in place of its text", n, maxEntryLine>>20)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read entries from standard input: %w", err)
		}
		if len(line) > 0 {
			if err := yield(n, line); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
		long = long[:0]
		n++
	}
}

// entryDecoder collects the entries of lines.
type entryDecoder struct {
	con     *console // nil: no remarks
	entries []pack.ContextEntry
	seen    map[pack.SourceType]bool
	lines   map[pack.ContextEntryID]int // by the ids that were given
}

func newEntryDecoder(con *console) *entryDecoder {
	return &entryDecoder{con: con, seen: map[pack.SourceType]bool{}, lines: map[pack.ContextEntryID]int{}}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (d *entryDecoder) line(n int, line []byte) error {
	if n == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	e, err := pack.DecodeEntry(line)
	if err != nil {
		return usagef("standard input, line %d: %v", n, err)
	}
	if e.ID != "" {
		if first, twice := d.lines[e.ID]; twice {
			return usagef("standard input, line %d: the id %q was given in line %d already; give each entry its own, or leave ids out", n, e.ID, first)
		}
		d.lines[e.ID] = n
	}
	d.entries = append(d.entries, e)
	if d.con != nil {
		d.remark(n, e.SourceType)
	}
	return nil
}

// remark says, once for each, that a source type is probably misspelt: it would
// be a plain entry, which can be dropped.
func (d *entryDecoder) remark(n int, t pack.SourceType) {
	if d.seen[t] {
		return
	}
	d.seen[t] = true
	for _, k := range pack.DefaultStrategies(0).Types() {
		if t != k && plainLetters(string(t)) == plainLetters(string(k)) {
			d.con.say("line %d: the source type %q has no rules of its own; %q has", n, t, k)
		}
	}
}

func plainLetters(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}
