package rst

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// plain strips inline markup from a text.
func plain(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '\\':
			i++
			if i < len(s) && s[i] != ' ' && s[i] < 0x80 {
				b.WriteByte(s[i])
				i++
			} else if i < len(s) && s[i] == ' ' {
				i++
			}
			continue
		case ':':
			// :role:`text`
			if end := roleEnd(s, i); end > i {
				i = end
				continue
			}
		case '`':
			n := 1
			if strings.HasPrefix(s[i:], "``") {
				n = 2
			}
			k := strings.Index(s[i+n:], s[i:i+n])
			if k < 0 {
				i += n
				continue
			}
			inner := s[i+n : i+n+k]
			i += n + k + n
			if n == 1 {
				for i < len(s) && s[i] == '_' {
					i++
				}
				inner = shown(inner)
			}
			b.WriteString(inner)
			continue
		case '*':
			if i+1 < len(s) && s[i+1] == ' ' && (i == 0 || s[i-1] == ' ') {
				break // a sign, not a mark
			}
			i++
			continue
		case '|':
			// |name| stands for something else, an image most often.
			if k := strings.IndexByte(s[i+1:min(len(s), i+80)], '|'); k > 0 && s[i+1] != ' ' && !strings.Contains(s[i+1:i+1+k], "\n") {
				i += k + 2
				for i < len(s) && s[i] == '_' {
					i++
				}
				continue
			}
		case '_':
			if i > 0 && isWord(s[i-1]) && (i+1 >= len(s) || !isWord(s[i+1])) {
				i++
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// saysSomething tells whether a paragraph holds words of its own, that is, more
// than substitutions and a row of links.
func saysSomething(s string) bool {
	if len(s) > maxText {
		s = s[:maxText]
	}
	letters, closed := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`' || c == '|':
			if k := strings.IndexByte(s[i+1:], c); k > 0 {
				if c == '|' || i+k+2 < len(s) && s[i+k+2] == '_' {
					closed++
				} else {
					letters += k // code or a name
				}
				i += k + 1
			}
		case c > 0x7f || c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		}
	}
	return letters >= 4 && letters >= 6*closed
}

// shown is what a reader sees of "text <target>", "~a.b.c" and "!name".
func shown(s string) string {
	if k := strings.LastIndexByte(s, '<'); k > 0 && strings.HasSuffix(s, ">") {
		return strings.TrimSpace(s[:k])
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok {
		return rest[strings.LastIndexByte(rest, '.')+1:]
	}
	return strings.TrimLeft(s, "!.")
}

// roleEnd is the offset of the backtick behind a role that starts at i, or i.
func roleEnd(s string, i int) int {
	k := i + 1
	for k < len(s) && k-i < 60 && (isWord(s[k]) || s[k] == '-' || s[k] == '.' || s[k] == ':' || s[k] == '+') {
		k++
	}
	if k > i+2 && k < len(s) && s[k] == '`' && s[k-1] == ':' {
		return k
	}
	return i
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// inline reports the roles and links of a line that lead somewhere.
func (d *document) inline(i int) {
	l := d.lines[i]
	raw := d.src[l.start:l.end]
	if len(raw) > 20_000 || bytes.IndexByte(raw, '`') < 0 {
		return
	}
	s := string(raw)
	for k := 0; k < len(s); k++ {
		if s[k] != '`' {
			continue
		}
		n := 1
		if strings.HasPrefix(s[k:], "``") {
			n = 2
		}
		end := strings.Index(s[k+n:], s[k:k+n])
		if end < 0 {
			return
		}
		inner := s[k+n : k+n+end]
		role := ""
		if n == 1 {
			role = roleBefore(s, k)
		}
		after := k + n + end + n
		if n == 1 {
			d.use(role, inner, l.start+k+1, after < len(s) && s[after] == '_')
		}
		k = after - 1
	}
}

// roleBefore is the role that ends at offset k, without its domain.
func roleBefore(s string, k int) string {
	if k < 3 || s[k-1] != ':' {
		return ""
	}
	from := k - 1
	for from > 0 && (isWord(s[from-1]) || s[from-1] == '-' || s[from-1] == ':') {
		from--
	}
	role := strings.Trim(s[from:k], ":")
	return role[strings.LastIndexByte(role, ':')+1:]
}

func (d *document) use(role, inner string, at int, link bool) {
	target := inner
	if k := strings.LastIndexByte(inner, '<'); k >= 0 && strings.HasSuffix(inner, ">") {
		target = inner[k+1 : len(inner)-1]
	} else if role == "" {
		return
	}
	target = strings.TrimSpace(target)
	if target == "" || target[0] == '!' {
		return
	}
	switch role {
	case "doc", "download", "file":
		if role != "file" || strings.Contains(target, "/") {
			d.file(target, at)
		}
	case "":
		if link && !strings.HasSuffix(target, "_") && strings.ContainsAny(target, "./") {
			d.file(target, at)
		}
	case "ref", "numref", "keyword", "option", "envvar", "term", "confval", "setting":
		if !strings.ContainsAny(target, " ") || role == "ref" {
			d.reference(facts.RefRead, target, "", at)
		}
	case "func", "meth", "class", "exc", "mod", "attr", "data", "obj", "const", "decorator", "type", "member", "macro", "struct", "any":
		target = strings.ReplaceAll(strings.TrimLeft(target, "~."), "::", ".")
		if strings.ContainsAny(target, " <>*&") {
			return
		}
		kind := facts.RefRead
		switch role {
		case "func", "meth", "decorator":
			kind = facts.RefCall
		case "class", "exc", "type", "struct":
			kind = facts.RefType
		}
		d.object(kind, target, at)
	}
}
