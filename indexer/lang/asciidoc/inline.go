package asciidoc

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// include reports the file that a line includes, and tells whether it does.
func (d *document) include(text []byte, start int) bool {
	s := bytes.TrimLeft(text, " \t")
	if bytes.HasPrefix(s, []byte("image::")) {
		s = s[len("image::"):]
		if k := bytes.IndexByte(s, '['); k > 0 {
			target := string(s[:k])
			if dir := d.attributes["imagesdir"]; dir != "" && !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "{") {
				target = strings.TrimSuffix(dir, "/") + "/" + target
			}
			d.file(target, start)
		}
		return true
	}
	rest, ok := bytes.CutPrefix(s, []byte("include::"))
	if !ok {
		// Code includes with the comment marks of its language.
		k := bytes.Index(s[:min(len(s), 40)], []byte("include::"))
		if k < 1 || len(bytes.Trim(s[:k], "/#-*;% <!")) > 0 {
			return false
		}
		rest = s[k+len("include::"):]
	}
	k := bytes.IndexByte(rest, '[')
	if k <= 0 {
		return false
	}
	d.file(string(rest[:k]), start)
	return true
}

// file reports a link to a file of the repository.
func (d *document) file(target string, at int) {
	target = strings.TrimSpace(target)
	for n := 0; n < 5 && strings.Contains(target, "{"); n++ {
		from := strings.IndexByte(target, '{')
		to := strings.IndexByte(target[from:], '}')
		if to < 0 {
			return
		}
		value := ""
		switch name := target[from+1 : from+to]; name {
		case "docdir", "basedir":
			value = "."
		default:
			v, known := d.attributes[name]
			if !known || len(v) > facts.MaxName {
				return // set elsewhere
			}
			value = v
		}
		target = target[:from] + value + target[from+to+1:]
	}
	if k := strings.IndexByte(target, '#'); k >= 0 {
		target = target[:k]
	}
	if target == "" || len(target) > facts.MaxName || len(d.links) >= maxLinks || strings.HasPrefix(target, "//") || strings.ContainsAny(target, "{}$`\"<>|\\*\n\r") {
		return
	}
	if k := strings.IndexByte(target, ':'); k >= 0 && strings.HasPrefix(target[k:], "://") || strings.HasPrefix(target, "mailto:") || strings.HasPrefix(target, "data:") {
		return
	}
	if !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "./") && !strings.HasPrefix(target, "../") {
		target = "./" + target
	}
	if d.links[target] {
		return
	}
	d.links[target] = true
	d.b.Import(facts.Import{Module: target}, uint32(at))
}

// anchors reports [[id]], [#id] and anchor:id[] of a line.
func (d *document) anchors(text []byte, start int) {
	if len(text) > 20_000 {
		return
	}
	for i := 0; i < len(text); i++ {
		var from, to int
		switch {
		case text[i] == '[' && bytes.HasPrefix(text[i:], []byte("[[")):
			from = i + 2
			to = bytes.Index(text[from:], []byte("]]"))
		case text[i] == '[' && i == 0 && bytes.HasPrefix(text, []byte("[#")) && text[len(text)-1] == ']':
			from = i + 2
			to = bytes.IndexAny(text[from:], ",.%]")
		case text[i] == '[' && i == 0 && bytes.HasPrefix(text, []byte("[id=")):
			from = i + 4
			if from < len(text) && (text[from] == '"' || text[from] == '\'') {
				from++
			}
			to = bytes.IndexAny(text[from:], "\"',]")
		case text[i] == 'a' && bytes.HasPrefix(text[i:], []byte("anchor:")) && (i == 0 || !isWord(text[i-1])):
			from = i + len("anchor:")
			to = bytes.IndexByte(text[from:], '[')
		default:
			continue
		}
		if to <= 0 {
			if to < 0 && text[i] == '[' {
				return
			}
			continue
		}
		id := text[from : from+to]
		if k := bytes.IndexByte(id, ','); k >= 0 {
			id = id[:k]
		}
		i = from + to
		if len(id) == 0 || len(id) > facts.MaxName || bytes.ContainsAny(id, " \t{}[]\"") || d.left == 0 {
			continue
		}
		d.left--
		span := facts.Span{Start: uint32(start + from), End: uint32(start + from + len(id))}
		d.nodes = append(d.nodes, node{symbol: facts.Symbol{
			Name: string(id), Kind: facts.KindKey, Signature: "[[" + string(id) + "]]", Span: span, NameSpan: span,
		}})
	}
}

// inline reports the links of a line of text that lead somewhere.
func (d *document) inline(text []byte, start int) {
	if len(text) > 20_000 {
		return
	}
	s := string(text)
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '<' && strings.HasPrefix(s[i:], "<<"):
			to := strings.Index(s[i:], ">>")
			if to < 0 {
				if strings.IndexByte(s[i:], ':') < 0 {
					return
				}
				continue
			}
			target, _, _ := strings.Cut(s[i+2:i+to], ",")
			d.cross(target, start+i+2)
			i += to
		case s[i] == 'x' && strings.HasPrefix(s[i:], "xref:"), s[i] == 'l' && strings.HasPrefix(s[i:], "link:"):
			if i > 0 && isWord(s[i-1]) {
				continue
			}
			to := strings.IndexByte(s[i:], '[')
			if to < 0 {
				return
			}
			target := strings.Trim(s[i+5:i+to], "+ ")
			if s[i] == 'x' {
				d.cross(target, start+i+5)
			} else if !strings.Contains(target, " ") {
				d.file(target, start+i)
			}
			i += to
		}
	}
}

// cross reads the target of a cross reference: a file, or an anchor.
func (d *document) cross(target string, at int) {
	target = strings.TrimSpace(target)
	file, _, hash := strings.Cut(target, "#")
	if file != "" && (hash || strings.HasSuffix(file, ".adoc") || strings.HasSuffix(file, ".asciidoc")) {
		if strings.IndexByte(file[max(0, len(file)-10):], '.') < 0 {
			file += ".adoc" // as AsciiDoc completes it
		}
		d.file(file, at)
		return
	}
	target = strings.TrimPrefix(target, "#")
	if d.refs == 0 || target == "" || len(target) > facts.MaxName || strings.ContainsAny(target, "{}[]<>/") {
		return
	}
	d.refs--
	if d.section < 0 {
		d.b.Reference(facts.RefRead, target, "", uint32(at))
		return
	}
	n := &d.nodes[d.section]
	n.refs = append(n.refs, facts.Reference{Kind: facts.RefRead, Name: target, Start: uint32(at)})
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

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
			continue
		case '`', '*', '+', '#':
			if c != '`' && i+1 < len(s) && s[i+1] == ' ' && (i == 0 || s[i-1] == ' ') || c == '#' && (i == 0 || s[i-1] != '#') && i+1 < len(s) && s[i+1] != '#' || c == '+' && i > 0 && (isWord(s[i-1]) || s[i-1] == '+') {
				break // a sign, not a mark
			}
			i++
			continue
		case '_':
			if i > 0 && isWord(s[i-1]) && i+1 < len(s) && isWord(s[i+1]) {
				break
			}
			i++
			continue
		case '<':
			if strings.HasPrefix(s[i:], "<<") {
				if k := strings.Index(s[i:], ">>"); k > 0 {
					inner := s[i+2 : i+k]
					if c := strings.IndexByte(inner, ','); c >= 0 {
						inner = inner[c+1:]
					}
					b.WriteString(strings.TrimSpace(inner))
					i += k + 2
					continue
				}
			}
		case '[':
			// [[anchor]] and [.role]
			for _, m := range [][2]string{{"[[", "]]"}, {"[.", "]"}, {"[#", "]"}} {
				if strings.HasPrefix(s[i:], m[0]) {
					if k := strings.Index(s[i:], m[1]); k > 0 && k < 200 {
						i += k + len(m[1])
						c = 0
						break
					}
				}
			}
			if c == 0 {
				continue
			}
		default:
			if text, end := inlineMacro(s, i); end > i {
				b.WriteString(text)
				i = end
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

var macros = []string{"https://", "http://", "link:", "xref:", "image:", "kbd:", "footnote:", "anchor:", "menu:", "icon:", "pass:", "btn:", "indexterm:"}

// inlineMacro is what a reader sees of "name:target[text]" at i, and the offset
// behind it; i where there is none.
func inlineMacro(s string, i int) (text string, end int) {
	if i > 0 && isWord(s[i-1]) {
		return "", i
	}
	for _, m := range macros {
		if !strings.HasPrefix(s[i:], m) {
			continue
		}
		stop := i + len(m)
		for stop < len(s) && stop-i < 400 && s[stop] != '[' && s[stop] != ' ' && s[stop] != '\n' {
			stop++
		}
		if stop >= len(s) || s[stop] != '[' {
			return "", i
		}
		k := strings.IndexByte(s[stop:], ']')
		if k < 0 {
			return "", i
		}
		inner := s[stop+1 : stop+k]
		end = stop + k + 1
		if m == "image:" || m == "footnote:" || m == "anchor:" || m == "icon:" || m == "indexterm:" {
			return "", end
		}
		inner, _, _ = strings.Cut(strings.TrimSuffix(inner, "^"), ",role=")
		if inner == "" {
			inner = strings.TrimPrefix(s[i:stop], m)
		}
		return strings.NewReplacer("`", "", "*", "").Replace(strings.Trim(inner, `"`)), end
	}
	return customMacro(s, i)
}

// customMacro is the same for a macro of the project's own, such as
// api:a.b.C[], which shows the last part of its target where it has no text.
func customMacro(s string, i int) (text string, end int) {
	k := i
	for k < len(s) && k-i < 30 && s[k] >= 'a' && s[k] <= 'z' {
		k++
	}
	if k < i+2 || k+1 >= len(s) || s[k] != ':' || !isWord(s[k+1]) {
		return "", i
	}
	from := k + 1
	for k = from; k < len(s) && k-i < 200 && (isWord(s[k]) || s[k] == '.' || s[k] == '-' || s[k] == ':' || s[k] == '/' || s[k] == '#' || s[k] == '(' || s[k] == ')' || s[k] == ','); k++ {
	}
	if k >= len(s) || s[k] != '[' {
		return "", i
	}
	c := strings.IndexByte(s[k:min(len(s), k+200)], ']')
	if c < 0 {
		return "", i
	}
	inner := s[k+1 : k+c]
	if inner == "" || strings.Contains(inner, "=") {
		inner = s[from:k]
		inner = inner[strings.LastIndexAny(inner, "./:")+1:]
	}
	return inner, k + c + 1
}
