// Package safejson makes JSON safe to print.
package safejson

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// EscapeInvisible writes characters that a terminal would hide or act on as
// escapes. In JSON such characters stand inside strings only, where an escape
// means the same. Line breaks and tabs between values stay.
func EscapeInvisible(data []byte) []byte {
	const hex = "0123456789abcdef"
	var out []byte // nil as long as nothing was escaped
	escape := func(u uint16) {
		out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r < 0x7f || !plaintext.Invisible(r):
			if out != nil {
				out = append(out, data[i:i+n]...)
			}
			i += n
			continue
		case out == nil:
			out = append(make([]byte, 0, len(data)+64), data[:i]...)
		}
		if r >= 0x10000 {
			a, b := utf16.EncodeRune(r)
			escape(uint16(a))
			escape(uint16(b))
		} else {
			escape(uint16(r))
		}
		i += n
	}
	if out == nil {
		return data
	}
	return out
}
