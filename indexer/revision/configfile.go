package revision

import (
	"fmt"
	"strings"
)

// configEntry is one variable of a git configuration file.
type configEntry struct {
	section    string // in lower case
	subsection string // as written; "" if none
	key        string // in lower case
	value      string
	bare       bool // no "=": true for a boolean
}

// configFile is a parsed configuration file, in its order.
type configFile struct{ entries []configEntry }

// parseConfig parses the format of git-config(1), all of it: the parser of
// go-git rejects files that git takes.
func parseConfig(data []byte) (*configFile, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	p := configParser{text: strings.ReplaceAll(text, "\r\n", "\n"), line: 1}
	var file configFile
	section, subsection := "", ""
	for {
		c, ok := p.next()
		switch {
		case !ok:
			return &file, nil
		case isConfigSpace(c):
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if section, subsection, ok = p.header(); !ok {
				return nil, p.bad("section header")
			}
		case isAlpha(c) && section != "":
			e := configEntry{section: section, subsection: subsection}
			p.pos--
			if !p.variable(&e) {
				return nil, p.bad("variable")
			}
			file.entries = append(file.entries, e)
		default:
			return nil, p.bad("line")
		}
	}
}

type configParser struct {
	text string
	pos  int
	line int
}

func (p *configParser) bad(what string) error {
	return fmt.Errorf("malformed %s near line %d", what, p.line)
}

func (p *configParser) next() (byte, bool) {
	if p.pos >= len(p.text) {
		return 0, false
	}
	c := p.text[p.pos]
	p.pos++
	if c == '\n' {
		p.line++
	}
	return c, true
}

func (p *configParser) skipLine() {
	if i := strings.IndexByte(p.text[p.pos:], '\n'); i >= 0 {
		p.pos += i
	} else {
		p.pos = len(p.text)
	}
}

// header reads what follows "[": a name, and perhaps a quoted subsection or one
// after a dot, as old versions of git wrote.
func (p *configParser) header() (section, subsection string, ok bool) {
	start := p.pos
	for {
		c, ok := p.next()
		switch {
		case !ok:
			return "", "", false
		case c == ']':
			name := strings.ToLower(p.text[start : p.pos-1])
			section, subsection, _ = strings.Cut(name, ".")
			return section, subsection, section != ""
		case c == ' ' || c == '\t':
			section = strings.ToLower(p.text[start : p.pos-1])
			subsection, ok = p.quoted()
			return section, subsection, ok && section != ""
		case !isAlpha(c) && !isDigit(c) && c != '-' && c != '.':
			return "", "", false
		}
	}
}

func (p *configParser) quoted() (string, bool) {
	p.pos += len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], " \t"))
	if c, _ := p.next(); c != '"' {
		return "", false
	}
	var b strings.Builder
	for {
		c, ok := p.next()
		if c == '\\' && ok {
			c, ok = p.next()
		} else if c == '"' && ok {
			c, _ = p.next()
			return b.String(), c == ']'
		}
		if !ok || c == '\n' {
			return "", false
		}
		b.WriteByte(c)
	}
}

func (p *configParser) variable(e *configEntry) bool {
	start := p.pos
	for p.pos < len(p.text) && (isAlpha(p.text[p.pos]) || isDigit(p.text[p.pos]) || p.text[p.pos] == '-') {
		p.pos++
	}
	e.key = strings.ToLower(p.text[start:p.pos])
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
	c, ok := p.next()
	if !ok || c == '\n' {
		e.bare = true
		return true
	}
	if c != '=' {
		return false
	}
	e.value, ok = p.value()
	return ok
}

// value reads to the end of the line: quotes group, a backslash escapes and
// continues lines, surrounding space and comments are dropped.
func (p *configParser) value() (string, bool) {
	var b strings.Builder
	quoted, spaces := false, 0
	for {
		c, ok := p.next()
		if !ok || c == '\n' {
			return b.String(), !quoted
		}
		if !quoted {
			if isConfigSpace(c) {
				if b.Len() > 0 {
					spaces++
				}
				continue
			}
			if c == '#' || c == ';' {
				p.skipLine()
				continue
			}
		}
		for ; spaces > 0; spaces-- {
			b.WriteByte(' ')
		}
		switch c {
		case '"':
			quoted = !quoted
			continue
		case '\\':
			switch c, _ = p.next(); c {
			case '\n':
				continue
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'n':
				c = '\n'
			case '\\', '"':
			default:
				return "", false
			}
		}
		b.WriteByte(c)
	}
}

func isConfigSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
