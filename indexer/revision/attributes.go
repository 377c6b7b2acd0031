package revision

import (
	"slices"
	"strings"
)

// maxAttrLine is git's limit on a line of a gitattributes file; longer ones are
// ignored.
const maxAttrLine = 2048

// AttrState is the state of one gitattributes attribute for one path.
type AttrState uint8

const (
	Unspecified AttrState = iota
	Set
	Unset
	HasValue // name=value
)

// AttrValue is the state of an attribute, and its value where it has one.
type AttrValue struct {
	State AttrState
	Text  string // only with HasValue
}

// tristate reads the values that linguist attributes take: set and unset, and
// the words for them.
func (v AttrValue) tristate() AttrState {
	if v.State != HasValue {
		return v.State
	}
	switch strings.ToLower(v.Text) {
	case "true":
		return Set
	case "false":
		return Unset
	}
	return Unspecified
}

// FileAttributes are the attributes of a path that decide how it is read. Each
// state is Set, Unset or Unspecified.
type FileAttributes struct {
	Vendored      AttrState // linguist-vendored
	Generated     AttrState // linguist-generated
	Documentation AttrState // linguist-documentation
	Detectable    AttrState // linguist-detectable
	// Binary is Set by the macro binary, or its -text and -diff together, and
	// Unset by text or diff. Either alone says less: -text is a common way to
	// keep line endings, and -diff one to keep lock files out of reviews.
	Binary   AttrState
	Language string // linguist-language, "" if unspecified
}

// Attributes holds the gitattributes rules of a snapshot. It is immutable and
// safe for concurrent use.
type Attributes struct {
	builtin *attrList
	global  []*attrList          // the user's file, weaker than all directories
	dirs    map[string]*attrList // by directory: "" or ending in a slash
	info    *attrList            // info/attributes, stronger than all
	fold    bool
}

// attrList is one gitattributes file.
type attrList struct {
	base  string
	rules []attrRule
}

// attrRule gives attributes to a pattern, or defines a macro.
type attrRule struct {
	pattern
	macro string // "" for a pattern
	attrs []attrSetting
}

type attrSetting struct {
	name  string
	value AttrValue
}

func newAttributes(fold bool) *Attributes {
	return &Attributes{
		builtin: parseAttributes("", []byte("[attr]binary -diff -merge -text\n"), true, fold),
		dirs:    make(map[string]*attrList),
		fold:    fold,
	}
}

// addDir adds the rules of a directory ("" or ending in a slash). Macros can be
// defined at the root only.
func (a *Attributes) addDir(dir string, data []byte) {
	if l := parseAttributes(dir, data, dir == "", a.fold); len(l.rules) > 0 {
		a.dirs[dir] = l
	}
}

func parseAttributes(base string, data []byte, macros, fold bool) *attrList {
	l := &attrList{base: base}
	patternLines(data, func(_ int, line string) {
		if len(line) >= maxAttrLine {
			return
		}
		if r, ok := parseAttrLine(line, macros, fold); ok {
			l.rules = append(l.rules, r)
		}
	})
	return l
}

const attrBlank = " \t\r\n"

func parseAttrLine(line string, macros, fold bool) (attrRule, bool) {
	line = strings.TrimLeft(line, attrBlank)
	if line == "" || line[0] == '#' {
		return attrRule{}, false
	}
	name, rest, quoted := "", "", false
	if line[0] == '"' {
		name, rest, quoted = unquoteC(line)
	}
	if !quoted {
		end := strings.IndexAny(line, attrBlank)
		if end < 0 {
			end = len(line)
		}
		name, rest = line[:end], line[end:]
	}
	var r attrRule
	if tail, ok := strings.CutPrefix(name, "[attr]"); ok && tail != "" {
		if !macros || !validAttrName(tail) {
			return attrRule{}, false
		}
		r.macro = tail
	} else {
		r.pattern = parsePattern(name, fold)
		if r.negative {
			return attrRule{}, false
		}
	}
	for word := range strings.FieldsFuncSeq(rest, func(c rune) bool { return strings.ContainsRune(attrBlank, c) }) {
		s := attrSetting{name: word, value: AttrValue{State: Set}}
		s.name, s.value.Text, _ = strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(s.name, "-"):
			s.name, s.value = s.name[1:], AttrValue{State: Unset}
		case strings.HasPrefix(s.name, "!"):
			s.name, s.value = s.name[1:], AttrValue{State: Unspecified}
		case len(s.name) < len(word):
			s.value.State = HasValue
		}
		if !validAttrName(s.name) {
			return attrRule{}, false // git drops the whole line
		}
		r.attrs = append(r.attrs, s)
	}
	return r, true
}

func validAttrName(name string) bool {
	if name == "" || name[0] == '-' || strings.HasPrefix(name, "builtin_") {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isAlpha(c) && !isDigit(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// unquoteC reads a C-quoted string as git writes unusual paths, and returns
// what follows it.
func unquoteC(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			i++
			if i == len(s) {
				return "", "", false
			}
			if at := strings.IndexByte(`abfnrtv"\`, s[i]); at >= 0 {
				b.WriteByte("\a\b\f\n\r\t\v\"\\"[at])
				continue
			}
			if i+2 >= len(s) || s[i] < '0' || s[i] > '3' {
				return "", "", false
			}
			v := 0
			for _, d := range []byte(s[i : i+3]) {
				if d < '0' || d > '7' {
					return "", "", false
				}
				v = v<<3 | int(d-'0')
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// Of returns the attributes of a file.
func (a *Attributes) Of(path string) FileAttributes {
	if a.empty() {
		return FileAttributes{}
	}
	v := a.values(path)
	f := FileAttributes{
		Vendored:      v["linguist-vendored"].tristate(),
		Generated:     v["linguist-generated"].tristate(),
		Documentation: v["linguist-documentation"].tristate(),
		Detectable:    v["linguist-detectable"].tristate(),
	}
	if l := v["linguist-language"]; l.State == HasValue {
		f.Language = l.Text
	}
	text, diff := v["text"], v["diff"]
	switch {
	case text.State == Unset && diff.State == Unset:
		f.Binary = Set
	case text.State == Set || diff.State == Set || diff.State == HasValue:
		f.Binary = Unset
	}
	return f
}

// Value returns one attribute of a file, as `git check-attr` does.
func (a *Attributes) Value(path, name string) AttrValue { return a.values(path)[name] }

func (a *Attributes) empty() bool {
	return len(a.dirs) == 0 && len(a.global) == 0 && a.info == nil
}

// values returns all attributes that any rule mentions for a file. The last
// matching rule of the strongest file wins, attribute by attribute.
func (a *Attributes) values(path string) map[string]AttrValue {
	stack := a.stack(path)
	macros := make(map[string][]attrSetting)
	for _, l := range stack {
		for i := len(l.rules) - 1; i >= 0; i-- {
			if r := &l.rules[i]; r.macro != "" {
				if _, known := macros[r.macro]; !known {
					macros[r.macro] = r.attrs
				}
			}
		}
	}
	values := make(map[string]AttrValue)
	var fill func(attrs []attrSetting)
	fill = func(attrs []attrSetting) {
		for _, s := range slices.Backward(attrs) {
			if _, known := values[s.name]; known {
				continue
			}
			values[s.name] = s.value
			if s.value.State == Set {
				fill(macros[s.name])
			}
		}
	}
	for _, l := range stack {
		for i := len(l.rules) - 1; i >= 0; i-- {
			if r := &l.rules[i]; r.macro == "" && r.matches(l.base, path, false) {
				fill(r.attrs)
			}
		}
	}
	return values
}

// stack returns the files that apply to a path, strongest first.
func (a *Attributes) stack(path string) []*attrList {
	var stack []*attrList
	if a.info != nil {
		stack = append(stack, a.info)
	}
	if len(a.dirs) > 0 {
		for dir := path; dir != ""; {
			dir = dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
			if l := a.dirs[dir]; l != nil {
				stack = append(stack, l)
			}
		}
	}
	for _, l := range slices.Backward(a.global) {
		stack = append(stack, l)
	}
	return append(stack, a.builtin)
}
