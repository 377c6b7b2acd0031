package revision

import (
	"strconv"
	"strings"
)

// IgnoreMatcher decides by gitignore rules, as `git check-ignore` does. It is
// immutable and safe for concurrent use.
type IgnoreMatcher struct {
	dirs   map[string]*ruleList // by directory: "" or ending in a slash
	global []*ruleList          // below all directories, weakest first
	fold   bool
}

// ruleList is one ignore file.
type ruleList struct {
	source string
	base   string // directory that the patterns are relative to
	rules  []ignoreRule
}

type ignoreRule struct {
	pattern
	line int
}

// NewIgnoreMatcher returns a matcher without rules. With fold, ASCII letters
// match without case, as git's core.ignoreCase has it.
func NewIgnoreMatcher(fold bool) *IgnoreMatcher {
	return &IgnoreMatcher{dirs: make(map[string]*ruleList), fold: fold}
}

// addDir adds the rules of a file in a directory of the snapshot ("" or ending
// in a slash). Not safe once the matcher is shared.
func (m *IgnoreMatcher) addDir(dir, source string, data []byte) {
	if l := parseIgnore(source, dir, data, m.fold); len(l.rules) > 0 {
		m.dirs[dir] = l
	}
}

// addGlobal adds rules that are weaker than those of any directory, and
// stronger than the global ones added before.
func (m *IgnoreMatcher) addGlobal(source string, data []byte) {
	if l := parseIgnore(source, "", data, m.fold); len(l.rules) > 0 {
		m.global = append(m.global, l)
	}
}

func parseIgnore(source, base string, data []byte, fold bool) *ruleList {
	l := &ruleList{source: source, base: base}
	patternLines(data, func(number int, line string) {
		if strings.HasPrefix(line, "#") {
			return
		}
		if line = trimTrailingSpaces(line); line == "" {
			return
		}
		l.rules = append(l.rules, ignoreRule{parsePattern(line, fold), number})
	})
	return l
}

// trimTrailingSpaces removes spaces at the end, except after a backslash.
func trimTrailingSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(s) {
				return s
			}
		}
		end = i + 1
	}
	return s[:end]
}

// Empty reports whether no path can match.
func (m *IgnoreMatcher) Empty() bool { return len(m.dirs) == 0 && len(m.global) == 0 }

// Match reports whether a path is ignored: by a rule for itself, or because a
// directory above it is. why names the deciding rule as "file:line".
func (m *IgnoreMatcher) Match(path string, isDir bool) (why string, ignored bool) {
	if m.Empty() {
		return "", false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' {
			if why, ignored := m.decide(path[:i], true); ignored {
				return why, true
			}
		}
	}
	return m.decide(path, isDir)
}

// Ignored is Match without the reason.
func (m *IgnoreMatcher) Ignored(path string, isDir bool) bool {
	_, ignored := m.Match(path, isDir)
	return ignored
}

// decide is Match for a path whose parents are known not to be ignored. The
// last matching rule of the deepest file wins.
func (m *IgnoreMatcher) decide(path string, isDir bool) (string, bool) {
	if len(m.dirs) > 0 {
		for dir := path; dir != ""; {
			dir = dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
			if l := m.dirs[dir]; l != nil {
				if r := l.last(path, isDir); r != nil {
					return l.where(r), !r.negative
				}
			}
		}
	}
	for i := len(m.global) - 1; i >= 0; i-- {
		l := m.global[i]
		if r := l.last(path, isDir); r != nil {
			return l.where(r), !r.negative
		}
	}
	return "", false
}

func (l *ruleList) last(path string, isDir bool) *ignoreRule {
	for i := len(l.rules) - 1; i >= 0; i-- {
		if r := &l.rules[i]; r.matches(l.base, path, isDir) {
			return r
		}
	}
	return nil
}

func (l *ruleList) where(r *ignoreRule) string {
	return l.source + ":" + strconv.Itoa(r.line)
}
