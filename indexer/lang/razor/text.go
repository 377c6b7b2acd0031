package razor

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/lang/component"
)

// maxDepth bounds markup in code in markup.
const maxDepth = 100

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func (r *reader) spent() bool { return r.budget <= 0 }

// text reads markup from an offset to the end, or, nested in code, over one
// element; it returns where that ends.
func (r *reader) text(i, end int, nested bool) (int, bool) {
	src := r.source
	open, start := 0, i
	for i < end && !r.spent() {
		switch c := src[i]; {
		case c == '@':
			i = r.transition(i, end)
		case c != '<':
			i++
		case bytes.HasPrefix(src[i:end], []byte("<!--")):
			k := bytes.Index(src[i+4:end], []byte("-->"))
			if k < 0 {
				i = end
				continue
			}
			i += 4 + k + 3
		case i+1 < end && src[i+1] == '/':
			k := bytes.IndexByte(src[i:end], '>')
			if k < 0 {
				return end, false
			}
			i += k + 1
			if open--; nested && open <= 0 {
				return i, true
			}
		case i+1 < end && isLetter(src[i+1]):
			name, next, single := r.tag(i, end)
			if !single {
				open++
			}
			i = next
			if raw := strings.ToLower(name); !single && (raw == "script" || raw == "style") {
				i = r.raw(raw, i, end)
			}
			if nested && open <= 0 {
				return i, true
			}
		default:
			i++
		}
	}
	if nested {
		r.budget -= i - start + 1
	}
	return i, !nested
}

// raw reads the text of a script, in which only transitions count.
func (r *reader) raw(name string, i, end int) int {
	stop := end
	s := component.Scanner{Source: r.source[:end]}
	if at, closed := s.RawEnd(name, i); closed {
		stop = at
	}
	for i < stop && !r.spent() {
		if r.source[i] == '@' {
			i = r.transition(i, stop)
		} else {
			i++
		}
	}
	return max(i, stop)
}

// tag reads a start tag and lays out the code in its attributes.
func (r *reader) tag(at, end int) (name string, next int, single bool) {
	src := r.source
	i := at + 1
	for i < end && (component.IsWord(src[i]) || src[i] == '.' || src[i] == '-' || src[i] == ':') {
		i++
	}
	name = string(src[at+1 : i])
	single = component.Void(strings.ToLower(name))
	upper := name[0] >= 'A' && name[0] <= 'Z'
	if upper {
		r.Component(name, at+1, false)
	}
	for i < end && !r.spent() {
		switch c := src[i]; {
		case c == '>':
			return name, i + 1, single || src[i-1] == '/'
		case c == '<':
			return name, i, single
		case c == '@':
			key, value, ok := r.directiveAttribute(i, end)
			if !ok {
				i = r.transition(i, end)
				continue
			}
			i = r.value(value, end, true, upper, key)
		case c == '"' || c == '\'':
			i = r.value(i, end, false, upper, attributeName(src[at:i]))
		default:
			i++
		}
	}
	return name, i, single
}

// attributeName is the name before "=" at the end of a text.
func attributeName(before []byte) string {
	before = bytes.TrimRight(before, " \t\r\n")
	if !bytes.HasSuffix(before, []byte("=")) {
		return ""
	}
	before = bytes.TrimRight(before[:len(before)-1], " \t\r\n")
	start := len(before)
	for start > 0 && component.IsWord(before[start-1]) {
		start--
	}
	return string(before[start:])
}

// directiveAttribute reads @name= and tells where the value's quote stands.
func (r *reader) directiveAttribute(at, end int) (name string, value int, ok bool) {
	i := at + 1
	for i < end && (component.IsWord(r.source[i]) || bytes.IndexByte([]byte("-:."), r.source[i]) >= 0) {
		i++
	}
	if i == at+1 || i+1 >= end || r.source[i] != '=' || r.source[i+1] != '"' && r.source[i+1] != '\'' {
		return "", 0, false
	}
	return string(r.source[at+1 : i]), i + 1, true
}

// value reads a value in quotes. That of a directive is C#, others are text with
// transitions, but for the parameters of components that look like C#.
func (r *reader) value(at, end int, code, parameter bool, name string) int {
	src := r.source
	stop := at + 1
	for stop < end && src[stop] != src[at] {
		if src[stop] == '@' && !code {
			next := r.transition(stop, end)
			stop = max(next, stop+1)
			continue
		}
		if src[stop] == '@' && stop == at+1 && stop+1 < end && src[stop+1] == '(' {
			// A value in parentheses may hold quotes.
			if next, ok := r.closing(stop+1, end); ok {
				stop = next
				continue
			}
		}
		stop++
	}
	if stop >= end {
		r.budget -= stop - at
		return at + 1
	}
	start, last := r.out.Trim(at+1, stop)
	if code && start < last && src[start] == '@' {
		start++
	}
	if start >= last || !code && (!parameter || !looksLikeCode(src[start:last], name)) || !r.balanced(start, last) {
		return stop + 1
	}
	if !r.out.Taken(start-2, start) && !r.out.Taken(last, last+1) {
		r.out.Put(start-2, "_=")
		r.out.Copy(start, last)
		r.out.Put(last, ";")
	}
	return stop + 1
}

// looksLikeCode tells values of parameters that are no text: functions, members
// of something, private fields, and single names for events.
func looksLikeCode(v []byte, name string) bool {
	if bytes.IndexByte(v, '@') >= 0 {
		return false
	}
	if bytes.Contains(v, []byte("=>")) {
		return true
	}
	dots := 0
	for i, c := range v {
		switch {
		case c == '.' && i > 0 && i < len(v)-1:
			dots++
		case !component.IsWord(c) || c >= 0x80 || i == 0 && c >= '0' && c <= '9':
			return false
		}
	}
	event := len(name) > 2 && name[:2] == "On" && name[2] >= 'A' && name[2] <= 'Z' || strings.HasSuffix(name, "Changed")
	return dots > 0 && v[0] >= 'A' && v[0] <= 'Z' || v[0] == '_' || event || bytes.HasPrefix(v, []byte("this."))
}
