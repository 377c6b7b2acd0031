package markdown

import (
	"bytes"
	"html"
	"net/url"
	"strings"
	"unicode"

	"github.com/project-map/project-map/indexer/facts"
)

// plain strips the marks of inline Markdown and HTML from a text.
func plain(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '\\':
			if i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!|<>~", s[i+1]) >= 0 {
				b.WriteByte(s[i+1])
				i += 2
				continue
			}
		case '`':
			n := 0
			for i+n < len(s) && s[i+n] == '`' {
				n++
			}
			if k := strings.Index(s[i+n:], s[i:i+n]); k >= 0 {
				b.WriteString(strings.TrimSpace(s[i+n : i+n+k]))
				i += n + k + n
				continue
			}
			i += n
			continue
		case '!':
			if i+1 < len(s) && s[i+1] == '[' {
				if _, end, ok := link(s, i+1); ok {
					i = end
					continue
				}
			}
		case '[':
			if text, end, ok := link(s, i); ok {
				// The text of a link may hold marks and images, no links.
				b.WriteString(marks(text))
				i = end
				continue
			}
		case '<':
			if end := tag(s, i); end > i {
				i = end
				continue
			}
		case '*', '~':
			if (i > 0 && s[i-1] == ' ' || i == 0) && i+1 < len(s) && s[i+1] == ' ' {
				break // a sign, not a mark
			}
			i++
			continue
		case '_':
			if wordAt(s, i-1) && wordAt(s, i+1) {
				break
			}
			i++
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// marks strips what can stand in the text of a link.
func marks(s string) string {
	for {
		k := strings.Index(s, "![")
		if k < 0 {
			break
		}
		_, end, ok := link(s, k+1)
		if !ok {
			break
		}
		s = s[:k] + s[end:]
	}
	return strings.NewReplacer("`", "", "**", "", "__", "").Replace(s)
}

func wordAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= 0x80 || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}

// Bounds in bytes, which keep malformed text from costing more than its length:
// of a part of a link, of a line that is searched for links, of a heading.
const (
	maxInline = 1000
	maxLine   = 20_000
	maxText   = 2000
)

// link reads [text](target), [text][id], [text] at i.
func link(s string, i int) (text string, end int, ok bool) {
	closing := bracket(s, i, '[', ']')
	if closing < 0 {
		return "", i, false
	}
	text = s[i+1 : closing]
	end = closing + 1
	if end < len(s) {
		switch s[end] {
		case '(':
			if k := bracket(s, end, '(', ')'); k >= 0 {
				return text, k + 1, true
			}
		case '[':
			if k := bracket(s, end, '[', ']'); k >= 0 {
				return text, k + 1, true
			}
		}
	}
	// A bare pair of brackets is text, with its brackets.
	return "", i, false
}

// bracket is the offset of the bracket that closes the one at i, or -1.
func bracket(s string, i int, open, closed byte) int {
	depth := 0
	for k := i; k < len(s) && k-i < maxInline; k++ {
		switch s[k] {
		case '\\':
			k++
		case open:
			depth++
		case closed:
			depth--
			if depth == 0 {
				return k
			}
		}
	}
	return -1
}

// tag is the offset behind an HTML tag or comment at i, or i. What stands
// between angle brackets and is an address stays.
func tag(s string, i int) int {
	if i+1 >= len(s) {
		return i
	}
	if strings.HasPrefix(s[i:], "<!--") {
		if k := strings.Index(s[i:], "-->"); k >= 0 {
			return i + k + 3
		}
		return len(s)
	}
	if c := s[i+1]; c != '/' && (c|0x20 < 'a' || c|0x20 > 'z') {
		return i
	}
	k := strings.IndexByte(s[i:min(len(s), i+maxInline)], '>')
	if k < 0 || strings.Contains(s[i:i+k], "://") && !strings.ContainsAny(s[i:i+k], " =") {
		return i
	}
	return i + k + 1
}

// saysSomething tells whether a paragraph holds text of its own, that is, more
// than badges, images, markup and a row of links.
func saysSomething(s string) bool {
	if len(s) > maxText {
		s = s[:maxText]
	}
	var own strings.Builder
	links := 0
	for i := 0; i < len(s); {
		switch {
		case s[i] == '!' && i+1 < len(s) && s[i+1] == '[':
			if _, end, ok := link(s, i+1); ok {
				i = end
				continue
			}
		case s[i] == '[':
			if _, end, ok := link(s, i); ok {
				links++
				i = end
				continue
			}
		case s[i] == '<':
			if strings.HasPrefix(s[i:], "<a ") {
				links++
				if k := strings.Index(s[i:], "</a>"); k >= 0 {
					i += k + 4
					continue
				}
			}
			if end := tag(s, i); end > i {
				i = end
				continue
			}
		}
		own.WriteByte(s[i])
		i++
	}
	letters, fields := 0, len(strings.Fields(own.String()))
	wide := false
	for _, r := range own.String() {
		if unicode.IsLetter(r) {
			letters++
			wide = wide || r >= 0x2E80
		}
	}
	if wide {
		return letters >= 4
	}
	if links > 0 && fields < 2*links+2 {
		return false
	}
	return letters >= 3
}

// linksOf reports the links of a line to files of the repository.
func (d *document) linksOf(start int, text []byte) {
	if len(d.links) >= maxLinks || len(text) > maxLine || bytes.IndexByte(text, ']') < 0 {
		return
	}
	s := string(text)
	if body := strings.TrimLeft(s, " \t"); body != "" && body[0] == '[' {
		if k := strings.Index(body, "]:"); k > 1 && body[1] != '^' {
			d.target(strings.TrimSpace(body[k+2:]), start+len(s)-len(body))
			return
		}
	}
	code := 0 // length of the open run of backticks
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '`':
			n := 0
			for i+n < len(s) && s[i+n] == '`' {
				n++
			}
			if code == 0 && strings.Contains(s[i+n:], s[i:i+n]) {
				code = n
			} else if n == code {
				code = 0
			}
			i += n - 1
		case code > 0:
		case s[i] == '!' && i+1 < len(s) && s[i+1] == '[':
			if _, end, ok := link(s, i+1); ok {
				i = end - 1
			}
		case s[i] == ']' && i+1 < len(s) && s[i+1] == '(':
			if k := bracket(s, i+1, '(', ')'); k >= 0 {
				d.target(strings.TrimSpace(s[i+2:k]), start+i)
				i = k
			}
		}
	}
}

func (d *document) target(t string, at int) {
	if rest, ok := strings.CutPrefix(t, "<"); ok {
		t, _, _ = strings.Cut(rest, ">")
	} else if k := strings.IndexAny(t, " \t"); k >= 0 {
		t = t[:k] // a title follows
	}
	if k := strings.IndexAny(t, "#?"); k >= 0 {
		t = t[:k]
	}
	if t == "" || len(t) > facts.MaxName || strings.HasPrefix(t, "//") || strings.ContainsAny(t, "{}$`\"<>|\\") {
		return
	}
	if k := strings.IndexByte(t, ':'); k >= 0 && !strings.Contains(t[:k], "/") {
		return // has a scheme
	}
	if u, err := url.PathUnescape(t); err == nil && !strings.ContainsAny(u, "\x00\n\r") {
		t = u
	}
	if !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, "./") && !strings.HasPrefix(t, "../") {
		t = "./" + t
	}
	if d.links[t] {
		return
	}
	d.links[t] = true
	d.b.Import(facts.Import{Module: t}, uint32(at))
}

// module reports the module of an import or export line of MDX.
func (d *document) module(body []byte, start int) {
	s := string(body)
	k := strings.LastIndexAny(strings.TrimRight(s, "; "), "'\"")
	if k <= 0 {
		return
	}
	from := strings.LastIndexByte(s[:k], s[k])
	if from < 0 || !strings.HasSuffix(strings.TrimRight(s[:from], " "), "from") && strings.TrimSpace(s[:from]) != "import" {
		return
	}
	m := s[from+1 : k]
	if m != "" && len(m) <= facts.MaxName && !d.links[m] {
		d.links[m] = true
		d.b.Import(facts.Import{Module: m}, uint32(start))
	}
}
