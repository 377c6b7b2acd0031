package extract

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// sniff is how much of a blob decides whether it is text, as git does it.
const sniff = 8000

// decode gives the text of a blob as UTF-8 without a byte order mark. converted
// is set when the bytes changed; ok is false for binary data.
func decode(blob []byte) (text []byte, converted, ok bool) {
	if rest, found := bytes.CutPrefix(blob, []byte("\xef\xbb\xbf")); found {
		blob, converted = rest, true
	}
	head := blob[:min(len(blob), sniff)]
	if order, isWide := wideOrder(head); isWide {
		out, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(blob)
		if err != nil || bytes.IndexByte(out[:min(len(out), sniff)], 0) >= 0 {
			return nil, false, false
		}
		return out, true, true
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, false, false
	}
	if utf8.Valid(blob) {
		return blob, converted, true
	}
	return fromLegacy(blob), true, true
}

// wideOrder recognises UTF-16 by its byte order mark or by NUL bytes that stand
// in every second place.
func wideOrder(head []byte) (unicode.Endianness, bool) {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}) && !bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return unicode.BigEndian, true
	}
	if len(head) < 16 {
		return unicode.LittleEndian, false
	}
	var nul [2]int
	for i, c := range head {
		if c == 0 {
			nul[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case nul[1] > half*9/10 && nul[0] == 0:
		return unicode.LittleEndian, true
	case nul[0] > half*9/10 && nul[1] == 0:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// fromLegacy reads text that is not valid UTF-8: as UTF-8 with broken bytes
// replaced when most of its multi-byte characters are whole, else as Windows
// Latin-1, in which every byte is a character.
func fromLegacy(blob []byte) []byte {
	whole, broken := 0, 0
	for rest := blob; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			broken++
		} else if n > 1 {
			whole++
		}
		rest = rest[n:]
	}
	if whole > broken {
		return bytes.ToValidUTF8(blob, []byte("\uFFFD"))
	}
	out, err := charmap.Windows1252.NewDecoder().Bytes(blob)
	if err != nil {
		return bytes.ToValidUTF8(blob, []byte("\uFFFD"))
	}
	return out
}
