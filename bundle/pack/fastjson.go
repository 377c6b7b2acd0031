package pack

import (
	"bytes"
	"unicode/utf8"
)

// decodePlain reads an entry from a flat JSON object of strings and a number,
// which is what most lines are, several times as fast as the general decoder.
// ok is false for everything else, right or wrong: the general decoder then
// reads it and explains what is wrong. A fuzz test compares the two.
func decodePlain(line []byte) (x entryJSON, ok bool) {
	p := plainParser{line, 0}
	if !p.skip('{') {
		return x, false
	}
	seen := [numFields]bool{}
	for {
		f := p.field()
		if f == noField || seen[f] || !p.skip(':') {
			return x, false
		}
		seen[f] = true
		if f == fieldTokens {
			if x.TokenEstimate, ok = p.number(); !ok {
				return x, false
			}
		} else {
			s, ok := p.text()
			if !ok {
				return x, false
			}
			switch f {
			case fieldID:
				x.ID = ContextEntryID(s)
			case fieldLayer:
				l := new(ContextLayer)
				if l.UnmarshalText([]byte(s)) != nil {
					return x, false
				}
				x.Layer = l
			case fieldContent:
				x.Content = &s
			case fieldType:
				x.SourceType = SourceType(s)
			case fieldSource:
				x.SourceID = s
			}
		}
		if p.skip(',') {
			continue
		}
		return x, p.skip('}') && p.end()
	}
}

const (
	noField = iota
	fieldID
	fieldLayer
	fieldContent
	fieldType
	fieldSource
	fieldTokens

	numFields
)

type plainParser struct {
	data []byte
	at   int
}

func (p *plainParser) blanks() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

func (p *plainParser) end() bool {
	p.blanks()
	return p.at == len(p.data)
}

// skip takes a character, with the blanks before it, if it is there.
func (p *plainParser) skip(c byte) bool {
	p.blanks()
	if p.at < len(p.data) && p.data[p.at] == c {
		p.at++
		return true
	}
	return false
}

// field takes the name of a field of an entry.
func (p *plainParser) field() int {
	if !p.skip('"') {
		return noField
	}
	n := plainEnd(p.data[p.at:])
	name := p.data[p.at : p.at+n]
	if p.at += n; p.at == len(p.data) || p.data[p.at] != '"' {
		return noField
	}
	p.at++
	switch string(name) {
	case "id":
		return fieldID
	case "layer":
		return fieldLayer
	case "content":
		return fieldContent
	case "sourceType":
		return fieldType
	case "sourceId":
		return fieldSource
	case "tokenEstimate":
		return fieldTokens
	}
	return noField
}

// number takes a whole number of few digits.
func (p *plainParser) number() (n int, ok bool) {
	p.blanks()
	from := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		n = 10*n + int(p.data[p.at]-'0')
		if p.at++; p.at-from > 9 {
			return 0, false
		}
	}
	digits := p.at - from
	return n, digits > 0 && (digits == 1 || p.data[from] != '0')
}

// text takes a string of valid UTF-8. Escapes by number are left to the general
// decoder, but for those of ASCII.
func (p *plainParser) text() (string, bool) {
	if !p.skip('"') {
		return "", false
	}
	rest := p.data[p.at:]
	end := plainEnd(rest)
	if end < len(rest) && rest[end] == '"' {
		p.at += end + 1
		return string(rest[:end]), utf8.Valid(rest[:end])
	}
	out := make([]byte, 0, end+len(rest)/8+16)
	for {
		out = append(out, rest[:end]...)
		if end == len(rest) || rest[end] < ' ' {
			return "", false
		}
		if rest[end] == '"' {
			p.at = len(p.data) - len(rest) + end + 1
			return string(out), utf8.Valid(out)
		}
		if end+1 == len(rest) {
			return "", false
		}
		switch c := rest[end+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			c, ok := asciiEscape(rest[end+2:])
			if !ok {
				return "", false
			}
			out = append(out, c)
			end += 4
		default:
			return "", false
		}
		rest = rest[end+2:]
		end = plainEnd(rest)
	}
}

// plainEnd finds the first quote, back slash or control character.
func plainEnd(s []byte) int {
	for i, c := range s {
		if c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return len(s)
}

func asciiEscape(hex []byte) (byte, bool) {
	if len(hex) < 4 || hex[0] != '0' || hex[1] != '0' || hex[2] < '0' || hex[2] > '7' {
		return 0, false
	}
	low := bytes.IndexByte([]byte("0123456789abcdefABCDEF"), hex[3])
	if low < 0 {
		return 0, false
	}
	if low > 15 {
		low -= 6
	}
	return (hex[2]-'0')<<4 | byte(low), true
}
