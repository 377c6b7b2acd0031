// Package makefile outlines makefiles: targets with what they need and what
// their comment says, variables, and included files.
package makefile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const maxSymbols = 2000

// Language is the row of makefiles.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "makefile",
		Aliases:      []string{"make", "gnumakefile", "makefile-gmake"},
		Version:      1,
		Extensions:   []string{".mk", ".mak", ".make"},
		Filenames:    []string{"Makefile", "makefile", "GNUmakefile", "BSDmakefile", "Makefile.am", "Makefile.in", "Kbuild"},
		Interpreters: []string{"make", "gmake"},
		Extract:      extract,
		Outline:      true,
	}
}

func extract(b *lang.Builder) {
	m := &makefile{b: b, src: b.Source, seen: map[string]bool{}, left: maxSymbols, prefix: '\t'}
	m.read()
	b.SetSummary(m.header)
}

type makefile struct {
	b      *lang.Builder
	src    []byte
	seen   map[string]bool // names of symbols, by kind
	left   int
	prefix byte // of recipe lines

	header  string
	comment facts.Span // comment lines directly above
	above   bool
	// rule holds the symbols of the rule whose recipe is being read.
	rule []int32
}

// logical is a line with the lines it goes on over.
type logical struct {
	start, end int    // in the source, without the last line's end
	text       string // joined, without the backslashes
	next       int
}

// join reads the logical line at an offset. Only as much text as a declaration
// needs is kept.
func (m *makefile) join(at int) logical {
	const kept = 4000
	l := logical{start: at}
	var b strings.Builder
	for {
		k := bytes.IndexByte(m.src[at:], '\n')
		end, next := len(m.src), len(m.src)
		if k >= 0 {
			end, next = at+k, at+k+1
		}
		if end > at && m.src[end-1] == '\r' {
			end--
		}
		text := m.src[at:end]
		slashes := len(text) - len(bytes.TrimRight(text, `\`))
		if b.Len() < kept {
			b.Write(text[:min(len(text), kept)])
		}
		l.end, l.next = end, next
		if slashes%2 == 0 || next >= len(m.src) {
			break
		}
		if s := b.String(); strings.HasSuffix(s, `\`) {
			b.Reset()
			b.WriteString(s[:len(s)-1])
			b.WriteByte(' ')
		}
		at = next
	}
	l.text = strings.ToValidUTF8(b.String(), "")
	return l
}

func (m *makefile) read() {
	define := false // inside define … endef
	started := false
	for at := 0; at < len(m.src); {
		l := m.join(at)
		at = l.next
		if define {
			define = strings.TrimSpace(l.text) != "endef"
			continue
		}
		if len(l.text) > 0 && l.text[0] == m.prefix && m.rule != nil {
			m.extend(l.end)
			continue
		}
		text := strings.TrimSpace(l.text)
		switch {
		case text == "":
			if !started && m.above {
				m.takeHeader()
			}
			m.above = false
			continue
		case text[0] == '#':
			if !m.above {
				m.comment.Start = uint32(l.start)
			}
			m.comment.End, m.above = uint32(l.end), true
			continue
		}
		started = true
		word, rest := cutWord(text)
		switch word {
		case "include", "-include", "sinclude":
			m.include(rest, l.start)
		case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "endef", "vpath", "unexport", "undefine":
		case "define":
			define = true
			m.rule = nil
			name, _ := cutWord(rest)
			m.variable(l, name, "define "+name)
		default:
			m.declaration(l, text)
		}
		m.above = false
	}
}

func cutWord(s string) (word, rest string) {
	k := strings.IndexAny(s, " \t")
	if k < 0 {
		return s, ""
	}
	return s[:k], strings.TrimSpace(s[k:])
}

// extend makes the recipe line that ends at an offset part of its rule.
func (m *makefile) extend(end int) {
	for _, i := range m.rule {
		if i >= 0 {
			s := m.b.At(i)
			s.Span.End = max(s.Span.End, uint32(end))
			s.EndLine = m.b.Line(max(s.Span.Start, s.Span.End-1))
		}
	}
}

func (m *makefile) takeHeader() {
	if text := m.commentText(); m.header == "" && !lang.LooksLikeLicense(text) {
		m.header = text
	}
}

func (m *makefile) commentText() string {
	raw := strings.ToValidUTF8(string(m.src[m.comment.Start:min(m.comment.End, m.comment.Start+1500)]), "")
	text := lang.CleanComment(raw)
	return strings.TrimSpace(strings.Trim(text, "-=#* \n"))
}

func (m *makefile) doc() string {
	if !m.above {
		return ""
	}
	text := m.commentText()
	if lang.LooksLikeLicense(text) {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(text, "@"))
}

func (m *makefile) include(files string, at int) {
	files, _, _ = strings.Cut(files, "#")
	for i, f := range strings.Fields(files) {
		if i < 100 && !strings.ContainsAny(f, "$*%") {
			if !strings.HasPrefix(f, "/") && !strings.HasPrefix(f, ".") {
				f = "./" + f
			}
			m.b.Import(facts.Import{Module: f}, uint32(at))
		}
	}
}

// declaration reads a rule or the definition of a variable.
func (m *makefile) declaration(l logical, text string) {
	at, operator := separator(text)
	if at < 0 {
		return
	}
	left := strings.TrimSpace(text[:at])
	if operator != ":" && operator != "::" && operator != "&:" {
		m.rule = nil
		for _, w := range []string{"export ", "override ", "private "} {
			left = strings.TrimSpace(strings.TrimPrefix(left, w))
		}
		if left == ".RECIPEPREFIX" {
			if p := strings.TrimSpace(text[at+len(operator):]); p != "" {
				m.prefix = p[0]
			}
			return
		}
		m.variable(l, left, text)
		return
	}
	m.rule = []int32{}
	right := text[at+len(operator):]
	help := ""
	if k := strings.Index(right, "#"); k >= 0 {
		// "## text" behind the prerequisites is what a help target prints.
		if c := right[k:]; strings.HasPrefix(c, "##") {
			help = strings.TrimSpace(strings.TrimLeft(c, "#@ "))
		}
		right = right[:k]
	}
	right, _, _ = strings.Cut(strings.TrimRight(right, `\`), ";")
	if k, op := separator(right); k >= 0 && op != ":" && op != "::" && op != "&:" {
		return // a variable of a target
	}
	if strings.Contains(right, "%") && strings.Contains(right, ":") {
		return // a static pattern rule names no target of its own
	}
	doc := help
	if doc == "" {
		doc = m.doc()
	}
	from := l.start
	for _, name := range strings.Fields(left) {
		k := bytes.Index(m.src[from:l.end], []byte(name))
		if k < 0 {
			continue
		}
		span := facts.Span{Start: uint32(from + k), End: uint32(from + k + len(name))}
		from += k + len(name)
		if !isTarget(name) || m.seen["t"+name] || m.left == 0 {
			continue
		}
		m.seen["t"+name] = true
		m.left--
		m.rule = append(m.rule, m.b.Symbol(facts.Symbol{
			Name: name, Kind: facts.KindTarget, Doc: doc,
			Signature: strings.TrimSpace(name + ": " + strings.TrimSpace(right)),
			Span:      facts.Span{Start: uint32(l.start), End: uint32(l.end)}, NameSpan: span,
		}))
	}
}

// isTarget leaves out special targets, suffix rules, patterns and what only
// make can expand.
func isTarget(name string) bool {
	if name == "" || strings.ContainsAny(name, "%$()*?&\\|<>\"'") {
		return false
	}
	return name[0] != '.' || strings.Contains(name, "/")
}

func (m *makefile) variable(l logical, name, text string) {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, " \t$()%\\") || m.seen["v"+name] || m.left == 0 {
		return
	}
	k := bytes.Index(m.src[l.start:l.end], []byte(name))
	if k < 0 {
		return
	}
	m.seen["v"+name] = true
	m.left--
	if k := strings.Index(text, " #"); k >= 0 {
		text = text[:k]
	}
	m.b.Symbol(facts.Symbol{
		Name: name, Kind: facts.KindVariable, Doc: m.doc(), Signature: clip(text, 120),
		Span:     facts.Span{Start: uint32(l.start), End: uint32(l.end)},
		NameSpan: facts.Span{Start: uint32(l.start + k), End: uint32(l.start + k + len(name))},
	})
}

// separator finds the operator of a declaration outside of $(…): an
// assignment or the colon of a rule. It returns -1 where there is none.
func separator(text string) (at int, operator string) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(', '{':
			if i > 0 && text[i-1] == '$' || depth > 0 {
				depth++
			}
		case ')', '}':
			depth = max(0, depth-1)
		case '#':
			return -1, ""
		case '=':
			if depth == 0 {
				return i, "="
			}
		case '+', '?', '!':
			if depth == 0 && i+1 < len(text) && text[i+1] == '=' {
				return i, text[i : i+2]
			}
		case '&':
			if depth == 0 && i+1 < len(text) && text[i+1] == ':' {
				return i, "&:"
			}
		case ':':
			if depth > 0 {
				continue
			}
			for _, op := range []string{":::=", "::=", ":=", "::"} {
				if strings.HasPrefix(text[i:], op) {
					return i, op
				}
			}
			// C:\path is no rule.
			if i == 1 && i+1 < len(text) && (text[2] == '\\' || text[2] == '/') {
				continue
			}
			return i, ":"
		}
	}
	return -1, ""
}

func clip(s string, n int) string {
	s = lang.Collapse(s)
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
