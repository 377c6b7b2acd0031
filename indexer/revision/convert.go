package revision

import (
	"bytes"
	"strings"
)

// conversion is what git does to line endings when it stores a file. Clean
// filters, ident and working-tree-encoding are not applied: a modified file
// that has them gets the id of its bytes on disk.
type conversion uint8

const (
	convertNone conversion = iota
	convertText            // CRLF becomes LF
	convertAuto            // likewise, if the file looks like text
)

// conversion follows gitattributes(5): text decides, then its old name crlf,
// then eol, then core.autocrlf.
func (r *Repository) conversion(a *Attributes, path string) conversion {
	autocrlf, _ := r.config.get("core", "autocrlf")
	undecided := convertNone
	if strings.EqualFold(autocrlf, "input") || r.config.bool("core", "autocrlf", false) {
		undecided = convertAuto
	}
	if a.empty() {
		return undecided
	}
	values := a.values(path)
	text := values["text"]
	if !decidesText(text) {
		text = values["crlf"]
	}
	switch {
	case text.State == Unset:
		return convertNone
	case text.State == HasValue && text.Text == "auto":
		return convertAuto
	case decidesText(text):
		return convertText
	}
	if eol := values["eol"]; eol.State == HasValue && (eol.Text == "lf" || eol.Text == "crlf") {
		return convertText
	}
	return undecided
}

func decidesText(v AttrValue) bool {
	return v.State == Set || v.State == Unset || v.State == HasValue && (v.Text == "auto" || v.Text == "input")
}

// normalise returns the bytes git would store.
func normalise(data []byte, c conversion) []byte {
	switch {
	case c == convertNone || !bytes.Contains(data, []byte("\r\n")):
		return data
	case c == convertAuto && looksBinary(data):
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// hasTextCRLF reports whether a stored blob is text with CRLF line endings.
func hasTextCRLF(data []byte) bool {
	return bytes.Contains(data, []byte("\r\n")) && !looksBinary(data)
}

// looksBinary is git's heuristic: NUL bytes, lone carriage returns, or more
// than one unprintable byte to 128 printable ones.
func looksBinary(data []byte) bool {
	var printable, unprintable int
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\r':
			if i+1 >= len(data) || data[i+1] != '\n' {
				return true
			}
			i++
		case c == '\n':
		case c == 0:
			return true
		case c == '\b' || c == '\t' || c == '\x1b' || c == '\f':
			printable++
		case c < ' ' || c == 0x7f:
			unprintable++
		default:
			printable++
		}
	}
	if len(data) > 0 && data[len(data)-1] == 0x1a { // DOS end of file
		unprintable--
	}
	return printable>>7 < unprintable
}
