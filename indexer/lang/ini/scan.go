package ini

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// dialect is how a kind of file writes values that go on over several lines,
// and what starts a comment.
type dialect struct {
	indented  bool // deeper lines go on with the value
	backslash bool // "\" at the end of a line does
	quoted    bool // a quoted value may hold line ends
	bang      bool // "!" starts a comment
	blank     bool // white space may separate key and value
	colon     bool // ":" may
	strict    bool // a key is one word; blocks in braces are passed over
	sections  bool // "[" starts a section
}

func dialectOf(extension string) dialect {
	switch extension {
	case ".properties":
		return dialect{backslash: true, bang: true, blank: true, colon: true}
	case ".env", ".example", ".local", ".development", ".production", ".test", ".sample", ".template", ".dist", ".staging", ".defaults", ".ci":
		return dialect{quoted: true, strict: true}
	case ".conf", ".cnf":
		return dialect{backslash: true, strict: true, sections: true}
	case ".ini", ".cfg", ".flake8", ".pylintrc", ".coveragerc", "":
		return dialect{indented: true, colon: true, sections: true}
	case ".service", ".socket", ".timer", ".mount", ".automount", ".target", ".slice", ".network", ".netdev", ".container", ".nspawn",
		".gitconfig", ".gitmodules", ".hgrc":
		return dialect{backslash: true, sections: true}
	}
	return dialect{sections: true}
}

// section is a header with the keys below it. The first one has no header.
type section struct {
	name     string
	span     facts.Span
	nameSpan facts.Span
	doc      string
	keys     []pair
}

type pair struct {
	name     string
	span     facts.Span
	nameSpan facts.Span
	value    string // on its own line, without quotes
	doc      string
	// more are the lines that the value goes on over.
	more []facts.Span
}

func (s *section) value(key string) string {
	for i := range s.keys {
		if strings.EqualFold(s.keys[i].name, key) {
			return s.keys[i].value
		}
	}
	return ""
}

// maxPairs bounds what is remembered of one file.
const maxPairs = 20_000

type scanner struct {
	src      []byte
	d        dialect
	sections []section
	pairs    int
	header   string

	comment facts.Span // comment lines directly above
	above   bool
}

// line gives the line at an offset without its end, and the offset of the next.
func line(src []byte, at int) (text []byte, next int) {
	k := bytes.IndexByte(src[at:], '\n')
	if k < 0 {
		return src[at:], len(src)
	}
	return bytes.TrimSuffix(src[at:at+k], []byte("\r")), at + k + 1
}

func indentOf(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// scan reads a document in one pass. A line that is neither section nor key is
// passed over.
func (s *scanner) scan() {
	s.sections = append(s.sections, section{})
	started := false
	braces := 0
	keyIndent := -1 // of the last key, whose value deeper lines go on with
	for at := 0; at < len(s.src); {
		start := at
		text, next := line(s.src, at)
		at = next
		indent := indentOf(text)
		body := bytes.TrimRight(text[indent:], " \t")
		if len(body) == 0 {
			if !started && s.above {
				s.takeHeader()
			}
			s.above = false
			continue
		}
		if c := body[0]; c == '#' || c == ';' || c == '!' && s.d.bang {
			if !s.above {
				s.comment.Start = uint32(start)
			}
			s.comment.End, s.above = uint32(start+indent+len(body)), true
			continue
		}
		if s.d.strict && s.block(body, &braces) {
			s.above = false
			continue
		}
		if s.d.indented && keyIndent >= 0 && indent > keyIndent {
			s.goOn(facts.Span{Start: uint32(start + indent), End: uint32(start + indent + len(body))})
			s.above = false
			continue
		}
		started = true
		if s.d.sections && body[0] == '[' {
			if s.section(start+indent, body) {
				keyIndent = -1
			}
			s.above = false
			continue
		}
		if s.pair(start+indent, body, &at) {
			keyIndent = indent
		}
		s.above = false
	}
	s.endSection()
}

// block follows the braces of files that are no lists of keys, such as those of
// web servers, and tells whether a line is part of such a file.
func (s *scanner) block(body []byte, braces *int) bool {
	inside := *braces > 0
	switch body[len(body)-1] {
	case '{':
		*braces++
		return true
	case ';', '>':
		return true
	}
	if body[0] == '}' {
		*braces = max(0, *braces-1)
		return true
	}
	return inside || body[0] == '<'
}

func (s *scanner) takeHeader() {
	if text := s.commentText(); s.header == "" && !lang.LooksLikeLicense(text) {
		s.header = text
	}
}

func (s *scanner) commentText() string {
	raw := strings.ToValidUTF8(string(s.src[s.comment.Start:min(s.comment.End, s.comment.Start+1500)]), "")
	var out []string
	for l := range strings.Lines(raw) {
		out = append(out, strings.Trim(strings.TrimSpace(l), "#;!-=* "))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func (s *scanner) doc() string {
	if !s.above {
		return ""
	}
	if text := s.commentText(); !lang.LooksLikeLicense(text) && !isSetting(text) {
		return text
	}
	return ""
}

// isSetting tells a comment that is a setting which was switched off.
func isSetting(text string) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	k := strings.IndexByte(last, '=')
	return k > 0 && !strings.Contains(strings.TrimSpace(last[:k]), " ")
}

// endSection ends the last section with its last key.
func (s *scanner) endSection() {
	t := &s.sections[len(s.sections)-1]
	if n := len(t.keys); n > 0 && t.name != "" {
		t.span.End = max(t.span.End, t.keys[n-1].span.End)
	}
}

func (s *scanner) section(start int, body []byte) bool {
	k := bytes.LastIndexByte(body, ']')
	// Behind the header only a comment may stand.
	for k > 0 {
		rest := bytes.TrimLeft(body[k+1:], " \t")
		if len(rest) == 0 || rest[0] == '#' || rest[0] == ';' {
			break
		}
		k = bytes.LastIndexByte(body[:k], ']')
	}
	if c := bytes.IndexAny(body, "#;"); c > 0 && k > c {
		if first := bytes.IndexByte(body, ']'); first > 0 && first < c {
			k = first
		}
	}
	if k < 2 || k > 500 {
		return false
	}
	name := bytes.TrimSpace(body[1:k])
	if len(name) == 0 || len(s.sections) >= maxPairs {
		return false
	}
	at := start + bytes.Index(body, name)
	s.endSection()
	s.sections = append(s.sections, section{
		name: string(name), doc: s.doc(), span: facts.Span{Start: uint32(start), End: uint32(start + k + 1)},
		nameSpan: facts.Span{Start: uint32(at), End: uint32(at + len(name))},
	})
	return true
}

// goOn adds a line to the value of the last key.
func (s *scanner) goOn(l facts.Span) {
	t := &s.sections[len(s.sections)-1]
	if len(t.keys) == 0 {
		return
	}
	p := &t.keys[len(t.keys)-1]
	p.span.End = l.End
	if len(p.more) < 1000 {
		p.more = append(p.more, l)
	}
}

// pair reads a key with its value; next is moved behind the lines that the
// value goes on over.
func (s *scanner) pair(start int, body []byte, next *int) bool {
	offset := 0
	if s.d.quoted {
		if rest, ok := bytes.CutPrefix(body, []byte("export ")); ok {
			offset = len(body) - len(bytes.TrimLeft(rest, " \t"))
		}
	}
	nameEnd, valueAt := s.separator(body[offset:])
	if nameEnd < 0 {
		return false
	}
	name := body[offset : offset+nameEnd]
	valueAt += offset
	trimmed := bytes.Trim(bytes.TrimRight(name, " \t"), `"'`)
	if len(trimmed) == 0 || len(trimmed) > facts.MaxName || s.d.strict && !isKey(trimmed) {
		return false
	}
	at := start + offset + bytes.Index(name, trimmed)
	p := pair{
		name: key(string(trimmed)), nameSpan: facts.Span{Start: uint32(at), End: uint32(at + len(trimmed))}, doc: s.doc(),
	}
	value := bytes.TrimSpace(body[valueAt:])
	end := start + len(body)
	switch {
	case s.d.backslash:
		for continued(s.src[start:end]) && *next < len(s.src) {
			text, after := line(s.src, *next)
			from := *next + indentOf(text)
			end = *next + len(bytes.TrimRight(text, " \t"))
			*next = after
			if end <= from {
				end = from
				break
			}
			if len(p.more) < 1000 {
				p.more = append(p.more, facts.Span{Start: uint32(from), End: uint32(end)})
			}
			start = from
		}
		value = bytes.TrimRight(value, `\ `)
	case s.d.quoted && len(value) > 0 && (value[0] == '"' || value[0] == '\'') && bytes.IndexByte(value[1:], value[0]) < 0:
		// Only a value whose end is found goes on over lines.
		q := value[0]
		for n, from := 0, *next; n < 200 && from < len(s.src); n++ {
			text, after := line(s.src, from)
			if k := bytes.IndexByte(text, q); k >= 0 {
				end, *next = from+k+1, after
				p.more = append(p.more, facts.Span{Start: uint32(from), End: uint32(end)})
				break
			}
			if k := bytes.IndexByte(text, '='); k > 0 && isKey(text[:k]) {
				break
			}
			from = after
		}
	}
	p.value = clip(unquote(withoutComment(string(value))), maxValue)
	p.span = facts.Span{Start: p.nameSpan.Start, End: uint32(end)}
	if s.pairs >= maxPairs {
		return true
	}
	s.pairs++
	t := &s.sections[len(s.sections)-1]
	t.keys = append(t.keys, p)
	return true
}

// continued tells a line that ends with an odd number of backslashes.
func continued(text []byte) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// separator finds the end of the key and the start of the value; -1 where the
// line is no pair. A single word is a key without value inside a section.
func (s *scanner) separator(body []byte) (nameEnd, valueAt int) {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\' && s.d.bang:
			i++
		case c == '=':
			end := i
			// "+=" and "?=" of the odd dialect.
			for end > 0 && (body[end-1] == '+' || body[end-1] == '?') {
				end--
			}
			return end, i + 1
		case c == ':' && s.d.colon:
			if s.d.indented && i+1 < len(body) && body[i+1] == ':' {
				i++ // a qualified name
				continue
			}
			return i, i + 1
		case (c == ' ' || c == '\t') && s.d.blank:
			rest := bytes.TrimLeft(body[i:], " \t")
			at := len(body) - len(rest)
			if len(rest) > 0 && (rest[0] == '=' || rest[0] == ':') {
				at++
			}
			return i, at
		}
	}
	if (len(s.sections) > 1 || s.d.blank) && isKey(body) {
		return len(body), len(body)
	}
	return -1, -1
}

func isKey(name []byte) bool {
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80:
		case c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '@' || c == '*':
		default:
			return false
		}
	}
	return len(name) > 0
}

// key undoes the escapes of properties.
func key(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.NewReplacer(`\:`, ":", `\=`, "=", `\ `, " ", `\#`, "#", `\!`, "!").Replace(s)
}

// withoutComment cuts a comment behind a value, which needs white space before
// it.
func withoutComment(s string) string {
	for _, mark := range []string{" #", " ;", "\t#", "\t;"} {
		if k := strings.Index(s, mark); k >= 0 {
			s = strings.TrimSpace(s[:k])
		}
	}
	if strings.HasPrefix(s, "# ") {
		return ""
	}
	return s
}

func unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
