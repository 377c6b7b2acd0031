package razor

import (
	"bytes"

	"github.com/project-map/project-map/indexer/lang/component"
)

// closing returns the offset behind the bracket that closes the one at an offset.
func (r *reader) closing(at, end int) (int, bool) {
	depth := 0
	for i := at; i < end; {
		if next, ok := r.literal(i, end); ok {
			i = next
			continue
		}
		switch r.source[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
		i++
	}
	r.budget -= end - at + 1
	return end, false
}

// balanced tells whether every bracket in a range is closed.
func (r *reader) balanced(start, end int) bool {
	var open []byte
	for i := start; i < end; {
		if next, ok := r.literal(i, end); ok {
			i = next
			continue
		}
		switch c := r.source[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || c-open[len(open)-1] > 2 {
				return false
			}
			open = open[:len(open)-1]
		case '"', '\'', ';':
			return false
		}
		i++
	}
	return len(open) == 0
}

// literal returns the end of a string, character or comment that starts at an
// offset.
func (r *reader) literal(i, end int) (int, bool) {
	src := r.source
	switch src[i] {
	case '/':
		if i+1 >= end {
			return 0, false
		}
		switch src[i+1] {
		case '/':
			if k := bytes.IndexByte(src[i:end], '\n'); k >= 0 {
				return i + k, true
			}
			return end, true
		case '*':
			if k := bytes.Index(src[i+2:end], []byte("*/")); k >= 0 {
				return i + 2 + k + 2, true
			}
			r.budget -= end - i
		}
		return 0, false
	case '\'':
		for k := i + 1; k < min(end, i+12); k++ {
			switch src[k] {
			case '\\':
				k++
			case '\'':
				return k + 1, true
			}
		}
		return 0, false
	case '"':
		return r.quoted(i, end, i > 0 && (src[i-1] == '@' || i > 1 && src[i-1] == '$' && src[i-2] == '@'))
	}
	return 0, false
}

func (r *reader) quoted(i, end int, verbatim bool) (int, bool) {
	src := r.source
	if bytes.HasPrefix(src[i:end], []byte(`"""`)) {
		if k := bytes.Index(src[i+3:end], []byte(`"""`)); k >= 0 {
			return i + 3 + k + 3, true
		}
		r.budget -= end - i
		return 0, false
	}
	for k := i + 1; k < end; k++ {
		switch src[k] {
		case '\\':
			if !verbatim {
				k++
			}
		case '\n':
			if !verbatim {
				return 0, false
			}
		case '"':
			if verbatim && k+1 < end && src[k+1] == '"' {
				k++
				continue
			}
			return k + 1, true
		}
	}
	r.budget -= end - i
	return 0, false
}

// block reads statements, or members, up to the brace that closes them, and lays
// them out but for the markup between. It returns where that brace stands.
func (r *reader) block(i, end int) (int, bool) {
	if r.depth >= maxDepth {
		return i, false
	}
	r.depth++
	defer func() { r.depth-- }()
	src := r.source
	start, from, last := i, i, byte('{')
	open := []byte{'{'}
	flush := func(to int) {
		if from < to {
			r.out.Copy(from, to)
		}
	}
	for i < end && !r.spent() {
		c := src[i]
		if component.IsSpace(c) {
			i++
			continue
		}
		if next, ok := r.literal(i, end); ok {
			if c != '/' {
				last = c
			}
			i = next
			continue
		}
		begins := last == '{' || last == '}' || last == ';' || last == ':'
		switch {
		case c == '<' && begins && i+1 < end && isLetter(src[i+1]):
			flush(i)
			next, ok := r.text(i, end, true)
			if !ok {
				return r.undo(start, next)
			}
			i, from, last = next, next, ';'
			continue
		case c == '@' && i+1 < end && src[i+1] == '*':
			flush(i)
			i = r.comment(i, end)
			from = i
			continue
		case begins && bytes.HasPrefix(src[i:end], []byte("<!--")):
			flush(i)
			if k := bytes.Index(src[i:end], []byte("-->")); k >= 0 {
				i += k + 3
			} else {
				i = end
			}
			from = i
			continue
		case c == '@' && begins && i+1 < end && src[i+1] == ':':
			flush(i)
			stop := end
			if k := bytes.IndexByte(src[i:end], '\n'); k >= 0 {
				stop = i + k
			}
			r.text(i+2, stop, false)
			i, from, last = stop, stop, ';'
			continue
		case c == '@' && i+1 < end && src[i+1] == '<':
			// Markup as a value is a function whose statements it holds.
			flush(i)
			r.out.Put(i, "_=>{")
			next, ok := r.text(i+1, end, true)
			if !ok || next-i < 5 {
				return r.undo(start, next)
			}
			r.out.Put(next-1, "}")
			i, from, last = next, next, '0'
			continue
		case c == '@' && begins:
			// An expression takes the character before it and the one behind.
			before := i
			if before > from && component.IsSpace(src[before-1]) {
				before--
			}
			flush(before)
			if r.keyword(i+1, end) {
				i++
			} else {
				i = r.transition(i, end)
			}
			for from = i; from < end && r.out.Taken(from, from+1); {
				from++
			}
			if i < end && src[i] != '<' {
				i = from
			}
			last = ';'
			continue
		case c == '{' || c == '(' || c == '[':
			open = append(open, c)
		case c == ')' || c == ']':
			if top := open[len(open)-1]; top != '{' {
				open = open[:len(open)-1]
			}
		case c == '}':
			// A brace closes what was left open inside it.
			for open[len(open)-1] != '{' {
				open = open[:len(open)-1]
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				flush(i)
				return i, true
			}
		}
		last = c
		i++
	}
	if r.out == r.members {
		// A file that is cut short still has members.
		flush(i)
		return i, false
	}
	return r.undo(start, i)
}

func (r *reader) undo(start, end int) (int, bool) {
	r.out.Clear(start, min(end, len(r.source)))
	r.budget -= end - start + 1
	return start, false
}

// comment returns where a comment ends.
func (r *reader) comment(at, end int) int {
	if k := bytes.Index(r.source[at+2:end], []byte("*@")); k >= 0 {
		return at + 2 + k + 2
	}
	return end
}
