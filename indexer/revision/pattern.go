package revision

import "strings"

// pattern is one line of a gitignore or gitattributes file.
type pattern struct {
	negative bool
	dirOnly  bool   // ended in a slash
	basename bool   // holds no slash: matches the last component at any depth
	suffix   bool   // "*" and then only literal bytes
	text     string // without "!", leading and trailing slash
	literal  int    // length of the leading part of text without wildcards
	rest     *glob  // text[literal:] for paths, text for base names; nil if not needed
	fold     bool
}

const globSpecial = `*?[\`

// parsePattern parses a pattern that has been freed of its line ending,
// trailing spaces and comment already.
func parsePattern(s string, fold bool) pattern {
	p := pattern{fold: fold}
	if strings.HasPrefix(s, "!") {
		p.negative = true
		s = s[1:]
	}
	if strings.HasSuffix(s, "/") {
		p.dirOnly = true
		s = s[:len(s)-1]
	}
	p.basename = !strings.Contains(s, "/")
	if !p.basename {
		s = strings.TrimPrefix(s, "/")
	}
	p.text = s
	p.literal = strings.IndexAny(s, globSpecial)
	if p.literal < 0 {
		p.literal = len(s)
	}
	p.suffix = strings.HasPrefix(s, "*") && !strings.ContainsAny(s[1:], globSpecial)
	switch {
	case p.literal == len(s), p.basename && p.suffix:
	case p.basename:
		p.rest = compileGlob(s, false, fold)
	default:
		// git matches the literal part first and the rest as a pattern of its
		// own, so that ** right after it counts as standing at the start.
		p.rest = compileGlob(s[p.literal:], true, fold)
	}
	return p
}

// matches reports whether the pattern of a file in directory base ("" or ending
// in a slash) matches a path below it. It does not look at parents of the path.
func (p *pattern) matches(base, path string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	name := path[len(base):]
	if p.basename {
		name = path[strings.LastIndexByte(path, '/')+1:]
		switch {
		case p.rest != nil:
			return p.rest.match(name)
		case p.suffix:
			tail := p.text[1:]
			return len(name) >= len(tail) && p.equal(name[len(name)-len(tail):], tail)
		}
		return p.equal(name, p.text)
	}
	if len(name) < p.literal || !p.equal(name[:p.literal], p.text[:p.literal]) {
		return false
	}
	if p.rest == nil {
		return len(name) == p.literal
	}
	return p.rest.match(name[p.literal:])
}

func (p *pattern) equal(a, b string) bool {
	if !p.fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// patternLines splits an ignore or attributes file into lines: without the byte
// order mark, the line endings, and what follows a NUL byte.
func patternLines(data []byte, yield func(number int, line string)) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		line, _, _ = strings.Cut(line, "\x00")
		yield(number, line)
	}
}
