package razor

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/lang/component"
)

// transition reads what follows a mark and returns where the markup goes on.
func (r *reader) transition(at, end int) int {
	src := r.source
	if at+1 >= end {
		return at + 1
	}
	switch c := src[at+1]; {
	case c == '@':
		return at + 2
	case c == '*':
		next := r.comment(at, end)
		if r.Summary == "" && len(bytes.TrimSpace(src[:at])) < 4 {
			r.Describe(bytes.TrimSuffix(src[at+2:next], []byte("*@")))
		}
		return next
	case c == '{':
		stop, ok := r.block(at+2, end)
		if !ok {
			return at + 1
		}
		return stop + 1
	case c == '(':
		stop, ok := r.closing(at+1, end)
		if !ok {
			return at + 1
		}
		if start, last := r.out.Trim(at+2, stop-1); start < last && r.balanced(start, last) && !r.out.Taken(at, at+2) {
			r.out.Put(at, "_=")
			r.out.Copy(start, last)
			r.out.Put(stop-1, ";")
		}
		return stop
	case !component.IsWord(c) || c >= '0' && c <= '9':
		return at + 1
	case at > 0 && component.IsWord(src[at-1]) && src[at-1] < 0x80:
		return at + 1 // an address of mail
	}
	word := at + 1
	for word < end && component.IsWord(src[word]) {
		word++
	}
	name := string(src[at+1 : word])
	if isDirective(name) && r.startsLine(at) {
		if next, ok := r.directive(name, at, word, end); ok {
			return next
		}
	}
	switch name {
	case "code", "functions":
		if next, ok := r.classMembers(at, word, end); ok {
			return next
		}
	}
	if r.keyword(at+1, end) {
		if next, ok := r.control(at+1, end); ok {
			return next
		}
		return at + 1
	}
	if name == "section" {
		return word
	}
	return r.implicit(at, word, end)
}

// keyword tells whether a statement with a block starts at an offset.
func (r *reader) keyword(at, end int) bool {
	switch string(r.source[at:r.name(at, end)]) {
	case "if", "for", "foreach", "while", "switch", "lock", "using", "try", "do":
		return true
	}
	return false
}

func isDirective(name string) bool {
	switch name {
	case "page", "model", "inherits", "implements", "inject", "using", "namespace", "layout", "attribute", "typeparam",
		"addTagHelper", "removeTagHelper", "tagHelperPrefix", "rendermode", "preservewhitespace":
		return true
	}
	return false
}

// startsLine tells whether only white space, a byte order mark or another
// directive stands before an offset in its line.
func (r *reader) startsLine(at int) bool {
	line := r.source[bytes.LastIndexByte(r.source[:at], '\n')+1 : at]
	line = bytes.TrimLeft(line, " \t\ufeff")
	return len(line) == 0 || line[0] == '@'
}

func (r *reader) directive(name string, at, word, end int) (int, bool) {
	stop := end
	if k := bytes.IndexAny(r.source[word:end], "\r\n"); k >= 0 {
		stop = word + k
	}
	start, last := r.out.Trim(word, stop)
	if start < last && (start == word || name == "using" && r.source[start] == '(') {
		return 0, false
	}
	if name == "page" || name == "rendermode" || start >= last {
		return stop, true
	}
	r.directives = append(r.directives, directive{name, at, start, last})
	return stop, true
}

// classMembers lays "@code {" out as "class code{", if there is room.
func (r *reader) classMembers(at, word, end int) (int, bool) {
	src := r.source
	brace := word
	for brace < end && component.IsSpace(src[brace]) {
		brace++
	}
	if brace >= end || src[brace] != '{' {
		return 0, false
	}
	out := r.out
	r.out = r.members
	defer func() { r.out = out }()
	if out != r.body { // members hold no members
		return 0, false
	}
	space := brace + 1
	for space < end && component.IsSpace(src[space]) {
		space++
	}
	wrapped := true
	switch room := space - brace - 1; {
	case word-at == len("class code"): // @functions
		r.members.Put(at, "class code")
		r.members.Put(brace, "{")
	case brace == word && room >= 2:
		name := " c{"
		if room >= 5 {
			name = " code{"
		}
		r.members.Put(at, "class")
		r.members.Put(brace, name)
		brace += len(name) - 1
	case brace == word:
		wrapped = false
	case room >= 4:
		r.members.Put(at, "class")
		r.members.Put(brace, "code{")
		brace += 4
	case room >= 1:
		r.members.Put(at, "class")
		r.members.Put(brace, "c{")
		brace++
	default:
		wrapped = false
	}
	stop, ok := r.block(brace+1, end)
	if ok && wrapped {
		r.members.Put(stop, "}")
	}
	if !ok {
		return end, true
	}
	return stop + 1, true
}

// control lays out a statement with a block, and the blocks that follow it.
func (r *reader) control(at, end int) (int, bool) {
	src := r.source
	start, i := at, at
	for {
		word := i
		for word < end && isLetter(src[word]) {
			word++
		}
		next := r.spaces(word, end)
		if string(src[i:word]) == "else" && bytes.HasPrefix(src[next:end], []byte("if")) {
			next = r.spaces(next+2, end)
		}
		if next < end && src[next] == '(' {
			closed, ok := r.closing(next, end)
			if !ok {
				return r.undo(start, next)
			}
			next = r.spaces(closed, end)
		}
		if next >= end || src[next] != '{' {
			return r.undo(start, i)
		}
		r.out.Copy(i, next+1)
		stop, ok := r.block(next+1, end)
		if !ok {
			return r.undo(start, next+1)
		}
		r.out.Put(stop, "}")
		i = stop + 1
		next = r.spaces(i, end)
		follows := ""
		for _, w := range []string{"else", "catch", "finally", "while"} {
			if bytes.HasPrefix(src[next:end], []byte(w)) && next+len(w) < end && !component.IsWord(src[next+len(w)]) {
				follows = w
			}
		}
		if follows == "" || follows == "while" && !strings.HasPrefix(string(src[start:min(end, start+2)]), "do") {
			return i, true
		}
		if follows == "while" {
			paren := r.spaces(next+5, end)
			if paren >= end || src[paren] != '(' {
				return i, true
			}
			closed, ok := r.closing(paren, end)
			if !ok {
				return i, true
			}
			r.out.Copy(next, closed)
			r.out.Put(closed, ";")
			return min(closed+1, end), true
		}
		i = next
	}
}

func (r *reader) spaces(i, end int) int {
	for i < end && component.IsSpace(r.source[i]) {
		i++
	}
	return i
}

// implicit lays out an expression without brackets: a name with the members,
// calls and indexes that follow it.
func (r *reader) implicit(at, word, end int) int {
	src := r.source
	i := word
	if string(src[at+1:word]) == "await" {
		i = r.spaces(i, end)
		for i < end && component.IsWord(src[i]) {
			i++
		}
	}
loop:
	for i < end {
		switch c := src[i]; {
		case c == '(' || c == '[':
			next, ok := r.closing(i, end)
			if !ok {
				return i
			}
			i = next
		case c == '.' && i+1 < end && component.IsWord(src[i+1]):
			i = r.name(i+1, end)
		case c == '?' && i+2 < end && src[i+1] == '.' && component.IsWord(src[i+2]):
			i = r.name(i+2, end)
		case c == '!' && i+1 < end && (src[i+1] == '.' || src[i+1] == '['):
			i++
		default:
			break loop
		}
	}
	if predefined[string(src[at+1:i])] || i >= len(src) || src[i] >= 0x80 || src[i] == '@' || r.out.Taken(i, i+1) || r.out.Taken(at, i) {
		return i
	}
	switch {
	case at > 0 && src[at-1] < 0x80 && !r.out.Taken(at-1, at):
		r.out.Put(at-1, "_=")
	case src[i-1] == ')':
		r.out.Put(at, ";")
	default:
		return i
	}
	r.out.Copy(at+1, i)
	r.out.Put(i, ";")
	return i
}

func (r *reader) name(i, end int) int {
	for i < end && component.IsWord(r.source[i]) {
		i++
	}
	return i
}
