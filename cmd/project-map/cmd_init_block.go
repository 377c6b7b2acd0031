package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/safefs"
)

// A marked block is the part of a file of others that is ours. It stands
// between two comment lines; the first says how many bytes of line ends were
// put before it and whether the file was made for it, so that taking it out
// again leaves every other byte as it was.

// comment is how a kind of file writes the comment lines.
type comment struct{ open, close string }

var (
	htmlComment = comment{"<!-- ", " -->"}
	hashComment = comment{"# ", ""}
)

var (
	errDamagedBlock = errors.New("the marks of project-map in it are damaged")
	errNotOurs      = errors.New("was not written by project-map")
)

func (k comment) begin(gap int, created bool) string {
	s := k.open + "project-map: begin gap=" + strconv.Itoa(gap)
	if created {
		s += " created"
	}
	return s + k.close
}

func (k comment) end() string { return k.open + "project-map: end" + k.close }

var beginLine = regexp.MustCompile(`^[ \t]*(?:<!-- |# )project-map: begin gap=([0-4])( created)?(?: -->)?$`)

// block is where a marked block stands in a text.
type block struct {
	start, end int // of the lines, the last line end included
	gap        int
	created    bool
}

// findBlock finds the one marked block of a text, nil if there is none.
func (k comment) findBlock(text []byte) (*block, error) {
	var found *block
	closed := false
	at := 0
	for line := range bytes.Lines(text) {
		next := at + len(line)
		s := strings.TrimRight(string(line), "\r\n")
		m := beginLine.FindStringSubmatch(s)
		switch {
		case m != nil && found != nil, strings.TrimSpace(s) == k.end() && (found == nil || closed):
			return nil, errDamagedBlock
		case m != nil:
			gap, _ := strconv.Atoi(m[1])
			found = &block{start: at, gap: gap, created: m[2] != ""}
		case strings.TrimSpace(s) == k.end():
			found.end, closed = next, true
		}
		at = next
	}
	if found != nil && !closed {
		return nil, errDamagedBlock
	}
	return found, nil
}

// lineEnd is what ends the lines of a text.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// setBlock puts a body into the marked block of a text: in place where there is
// one, otherwise at an offset (the end if negative). created says that the file
// is made for it; text is then what the file begins with.
func (k comment) setBlock(text []byte, created bool, body, indent string, at int) ([]byte, error) {
	b, err := k.findBlock(text)
	if err != nil {
		return nil, err
	}
	nl := lineEnd(text)
	gap := ""
	var head, tail []byte
	if b != nil {
		first := text[b.start:]
		nl = lineEnd(first)
		indent, created = string(first[:len(first)-len(bytes.TrimLeft(first, " \t"))]), b.created
		head, tail = text[:b.start], text[b.end:]
	} else {
		if at < 0 {
			at = len(text)
		}
		head, tail = text[:at], text[at:]
		if len(head) > 0 && !bytes.HasSuffix(head, []byte("\n")) {
			gap = nl
		}
		if len(head) > 0 && indent == "" {
			gap += nl
		}
	}
	n := len(gap)
	if b != nil {
		n = b.gap
	}
	var out bytes.Buffer
	out.Write(head)
	out.WriteString(gap)
	lines := append([]string{k.begin(n, created)}, strings.Split(strings.TrimSuffix(body, "\n"), "\n")...)
	for _, line := range append(lines, k.end()) {
		if line != "" {
			out.WriteString(indent)
		}
		out.WriteString(line + nl)
	}
	out.Write(tail)
	return out.Bytes(), nil
}

// dropBlock takes the marked block out. empty says that nothing is left of a
// file that was made for it, but what init made it begin with.
func (k comment) dropBlock(text []byte) (rest []byte, found, empty bool, err error) {
	b, err := k.findBlock(text)
	if err != nil || b == nil {
		return text, false, false, err
	}
	head := text[:b.start]
	for range b.gap {
		if !bytes.HasSuffix(head, []byte("\n")) && !bytes.HasSuffix(head, []byte("\r")) {
			break
		}
		head = head[:len(head)-1]
	}
	rest = append(append([]byte{}, head...), text[b.end:]...)
	begun := len(rest) == 0 || string(rest) == hookShebang || string(rest) == preCommitHead
	return rest, true, b.created && begun, nil
}

// readOptional reads a file below a root, nil if there is none.
func readOptional(root *safefs.Root, rel string) ([]byte, error) {
	data, err := root.ReadFile(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, safefs.ErrSymlink):
		return nil, withHint(err, "put a file in its place, or add what init writes by hand where it points")
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// damaged names the file in the error of a block.
func damaged(rel string, err error) error {
	return withHint(fmt.Errorf("%s: %w", rel, err), "take out the lines of project-map, or put the begin and end marks back, and run again")
}
