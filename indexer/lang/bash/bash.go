// Package bash reads shell programs: bash, sh, ksh and zsh.
//
// The dialects differ in more than a grammar of one of them can take, and a
// shell cannot be parsed exactly without running it (aliases, options). So the
// text is scanned for what all of them share: words with quotes, expansions and
// substitutions, here-documents, and the brackets in which functions end. What
// else a compound command means is of no interest to a map.
package bash

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row of the shells.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "bash",
		Aliases:    []string{"sh", "shell", "shell-script", "zsh", "ksh"},
		Version:    1,
		Extensions: []string{".sh", ".bash", ".zsh", ".ksh", ".bats", ".zsh-theme"},
		Filenames: []string{".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
			".zshrc", ".zshenv", ".zprofile", ".zlogin", ".kshrc"},
		Interpreters: []string{"sh", "bash", "zsh", "ksh", "dash", "bats"},
		Extract:      report,
		Roles:        roles,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	if strings.HasPrefix(base, ".") && !strings.Contains(base[1:], ".") {
		return facts.RoleConfig
	}
	stem, ext, _ := strings.Cut(base, ".")
	switch {
	case strings.HasSuffix(ext, "bats"), strings.HasPrefix(ext, "test."), strings.HasPrefix(ext, "spec."),
		strings.HasPrefix(stem, "test_"), strings.HasPrefix(stem, "test-"),
		strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, "-test"), strings.HasSuffix(stem, "_spec"):
		return facts.RoleTest
	}
	return 0
}

type walker struct {
	b         *lang.Builder
	src       []byte
	functions map[string]bool
	globals   map[string]bool
	comments  map[uint32]span // by line, those that stand alone on it
	depth     int
	code      bool // commands that do something stand at the level of the file
	asserts   bool // a call of a test framework
	tests     bool // a function named like a test
	started   []string
}

func report(b *lang.Builder) {
	s := &scanner{src: b.Source, zsh: isZsh(b)}
	items, _ := s.program(0, len(s.src), 0)
	if s.unclosed {
		// Something is damaged: start anew at functions in the first column.
		s = &scanner{src: b.Source, zsh: s.zsh, resync: true}
		items, _ = s.program(0, len(s.src), 0)
	}
	w := &walker{b: b, src: b.Source, functions: map[string]bool{}, globals: map[string]bool{}, comments: map[uint32]span{}}
	for _, c := range s.comments {
		line := c.start
		for line > 0 && (w.src[line-1] == ' ' || w.src[line-1] == '\t') {
			line--
		}
		if line == 0 || w.src[line-1] == '\n' {
			w.comments[b.Line(uint32(c.start))] = c
		}
		if c.start > 0 || !strings.HasPrefix(string(w.src[:min(len(w.src), 2)]), "#!") {
			b.MarkDoc(facts.Span{Start: uint32(c.start), End: uint32(c.end)})
		}
	}
	w.collect(items, 0)
	w.summary(items)
	w.items(items)
	if w.code && strings.HasPrefix(string(w.src[:min(len(w.src), 2)]), "#!") {
		b.AddTrait(facts.EntryPoint)
	}
	if b.Extension == ".bats" || w.asserts && w.tests {
		b.AddTrait(facts.TestCode)
	}
	for _, name := range w.started {
		if name == "main" {
			if i := b.FindSymbol(name); i >= 0 {
				b.At(i).Flags |= facts.Main
			}
		}
	}
}

func isZsh(b *lang.Builder) bool {
	if b.Extension == ".sh" || b.Extension == ".bash" || b.Extension == ".ksh" || b.Extension == ".bats" {
		return firstLineHas(b.Source, "zsh")
	}
	return strings.HasPrefix(b.Extension, ".z") || firstLineHas(b.Source, "zsh")
}

func firstLineHas(src []byte, word string) bool {
	line, _, _ := strings.Cut(string(src[:min(len(src), 200)]), "\n")
	return strings.HasPrefix(line, "#") && strings.Contains(line, word)
}

// collect finds the names that the file defines, for calls may stand above.
func (w *walker) collect(items []*item, depth int) {
	for _, it := range items {
		if it.function {
			for _, n := range it.names {
				w.functions[w.text(n)] = true
			}
			if depth < maxDepth {
				w.collect(it.body, depth+1)
			}
		}
	}
}

func (w *walker) text(x word) string { return string(w.src[x.start:x.end]) }

func (w *walker) items(items []*item) {
	for _, it := range items {
		if it.function {
			w.function(it)
		} else {
			w.command(it)
		}
	}
}

func (w *walker) function(f *item) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	whole := facts.Span{Start: uint32(f.start), End: uint32(f.end)}
	symbol := int32(-1)
	doc := w.above(f.start)
	for _, n := range f.names {
		name := w.text(n)
		if !f.test && strings.ContainsAny(name, "$`\\") {
			continue // named when the program runs
		}
		s := facts.Symbol{
			Name: name, Kind: facts.KindFunction, Visibility: visibility(name), Doc: doc,
			Signature: strings.TrimSpace(string(w.src[f.start:f.headEnd])),
			Span:      whole, NameSpan: facts.Span{Start: uint32(n.start), End: uint32(n.end)},
			Params: w.params(f),
		}
		if f.test {
			s.Visibility = facts.Private
		}
		if i := w.b.Symbol(s); symbol < 0 {
			symbol = i
		}
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "test") {
			w.tests = true
		}
	}
	w.b.Within(symbol, func() {
		w.b.Body(whole, func() { w.items(f.body) })
	})
}

// params are the locals that take the positional parameters, in their order.
func (w *walker) params(f *item) []facts.Param {
	var out []facts.Param
	for _, it := range f.body {
		if it.function {
			continue
		}
		for _, x := range it.words {
			name, value, ok := assignment(w.text(x))
			if !ok || !isPlain(name) {
				continue
			}
			value = strings.Trim(value, `"`)
			n := strings.TrimLeft(strings.TrimPrefix(value, "$"), "{")
			if len(n) == 0 || len(n) == len(value) || n[0] != byte('1'+len(out)) || len(out) > 8 {
				continue
			}
			if rest := n[1:]; rest == "" || rest == "}" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "-") {
				out = append(out, facts.Param{Name: name})
			}
		}
	}
	return out
}

// assignment takes name=value and name+=value apart.
func assignment(t string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(t, "=")
	if !ok || name == "" || !isAssignment([]byte(t)) {
		return "", "", false
	}
	name = strings.TrimSuffix(name, "+")
	name, _, _ = strings.Cut(name, "[")
	return name, value, name != ""
}

func isPlain(name string) bool {
	for i := 0; i < len(name); i++ {
		if !isNameByte(name[i]) || i == 0 && '0' <= name[0] && name[0] <= '9' {
			return false
		}
	}
	return name != ""
}

func visibility(name string) facts.Visibility {
	if strings.HasPrefix(name, "_") {
		return facts.Private
	}
	return facts.Public
}

// above is the documentation of what starts at an offset: the comments that
// stand alone on the lines right above.
func (w *walker) above(at int) string {
	line := w.b.Line(uint32(at))
	first := line
	for {
		if _, ok := w.comments[first-1]; !ok || first <= 1 {
			break
		}
		first--
	}
	doc := w.block(first, line)
	// Below "#!" stands what describes the file.
	if first == 1 && (strings.HasPrefix(string(w.src[:min(len(w.src), 2)]), "#!") || lang.LooksLikeLicense(doc)) {
		return ""
	}
	return doc
}

// block is the text of the comments on lines from first to before last.
func (w *walker) block(first, last uint32) string {
	var out []string
	for l := first; l < last; l++ {
		c := w.comments[l]
		text := string(w.src[c.start:c.end])
		if l == 1 && strings.HasPrefix(text, "#!") {
			continue
		}
		text = strings.TrimSpace(strings.TrimLeft(text, "#"))
		lower := strings.ToLower(text)
		if strings.HasPrefix(lower, "shellcheck ") || strings.HasPrefix(lower, "vim:") || strings.HasPrefix(lower, "-*-") ||
			strings.HasPrefix(lower, "bats test_tags") || strings.HasPrefix(lower, "shfmt:") {
			continue
		}
		text = strings.TrimPrefix(text, "@description ")
		text = strings.TrimPrefix(text, "@brief ")
		if strings.HasPrefix(text, "@") && len(out) > 0 {
			break
		}
		if strings.Trim(text, "-=#*~_+") == "" {
			text = ""
		}
		out = append(out, text)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// summary takes the first block of comments that describes the file and not the
// function below it.
func (w *walker) summary(items []*item) {
	heads := map[uint32]bool{}
	for _, it := range items {
		if it.function || len(it.words) > 0 && w.declares(it) {
			heads[w.b.Line(uint32(it.start))] = true
		}
	}
	start := uint32(len(w.src))
	for _, it := range items {
		start = min(start, uint32(it.start))
	}
	last := w.b.Line(start)
	for l := uint32(1); l < last || l == 1; l++ {
		if _, ok := w.comments[l]; !ok {
			continue
		}
		first := l
		for {
			if _, ok := w.comments[l]; !ok {
				break
			}
			l++
		}
		text := w.block(first, l)
		if heads[l] && (first > 1 || !strings.HasPrefix(string(w.src), "#!")) {
			continue
		}
		// A notice and a description often share a block.
		for para := range strings.SplitSeq(text, "\n\n") {
			if para = strings.TrimSpace(para); para != "" && !lang.LooksLikeLicense(para) {
				w.b.SetSummary(para)
				return
			}
			if lang.LooksLikeLicense(text) {
				break
			}
		}
	}
}

// declares tells whether a command only declares.
func (w *walker) declares(it *item) bool {
	switch first := w.text(it.words[0]); first {
	case "export", "readonly", "declare", "typeset", "alias", "local", "integer", "float":
		return true
	default:
		return isAssignment([]byte(first))
	}
}
