// Package query turns the text of a task into what a ranker can use: text by
// segment, mentions of paths, qualified names and identifiers.
//
// A task is anything a person would hand to a colleague: a whole issue, one
// sentence, three words, a symbol, a fragment of a path, a stack trace. Parse
// recognises Markdown, issue templates, code with and without fences, and the
// stack traces and compiler diagnostics of the common languages. It knows
// nothing of the repository: a mention is what the text says, and whether such
// a file exists is for the caller to find out. Every rule is about a form
// (a heading, a version list, a frame), never about one project.
//
// All scanners are hand-written and take time linear in the input. Analysis is
// capped: prose and code in the first 64 KiB, stack traces in the first
// 256 KiB. Text beyond is kept in Query.Raw only.
package query

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Caps on what Parse analyses, in bytes of the normalised text. Both end at a
// line boundary where there is one.
const (
	maxProse = 64 << 10
	maxTrace = 256 << 10
)

// Segment says in which kind of text something stood. The kinds differ in how
// much they tell about the task.
type Segment uint8

// The segments of a query.
const (
	Title  Segment = iota // the first meaningful line
	Prose                 // sentences
	Inline                // inline code and error messages
	Code                  // fenced, indented and pasted code, shell and REPL lines
	Trace                 // stack frames and compiler diagnostics
)

// NumSegments is the number of segments; arrays by segment are indexed with
// int(Segment).
const NumSegments = int(Trace) + 1

// String returns the lower-case name of the segment.
func (s Segment) String() string {
	switch s {
	case Title:
		return "title"
	case Prose:
		return "prose"
	case Inline:
		return "inline"
	case Code:
		return "code"
	case Trace:
		return "trace"
	}
	return "unknown"
}

// Source says how a path was mentioned.
type Source uint8

// The sources of a path mention.
const (
	FromText  Source = iota // written out in the text
	FromURL                 // path of a source-browsing URL (blob, tree, raw, blame)
	FromTrace               // file of a stack frame or a compiler diagnostic
)

// String returns the lower-case name of the source.
func (s Source) String() string {
	switch s {
	case FromText:
		return "text"
	case FromURL:
		return "url"
	case FromTrace:
		return "trace"
	}
	return "unknown"
}

// PathMention is a file or directory named by the text. Path is separated by
// slashes and has neither quotes, leading "/", "./", "../" or drive, nor a line
// suffix; it never starts or ends with a space and holds no newline. It may
// carry foreign leading directories (a home directory, a branch name with a
// slash in a URL, the import path of a Go module) and may lack leading ones of
// the repository, so it is to be matched by trailing components. A path
// derived from an import or a class may lack its extension.
type PathMention struct {
	Path    string
	Line    int // 1-based; 0 when none was given
	Dir     bool
	Source  Source
	Segment Segment // of the first appearance
	Count   int     // appearances merged into this mention, at least 1

	// Block numbers stack traces from 1 in printed order and is 0 outside of
	// traces. A "Caused by" part is a block of its own.
	Block int
	// Order is the position of the frame in its block as printed, from 0. Of a
	// repeated frame it is the innermost position.
	Order int
	// InnermostLast tells that the block prints the innermost frame last, as
	// Python does; otherwise the innermost frame comes first.
	InnermostLast bool
}

// QualifiedName is a name of two or more components such as a.b.c, A::b,
// A#b, A\B or ptr->field.
type QualifiedName struct {
	Parts   []string
	Segment Segment          // of the first appearance
	Counts  [NumSegments]int // appearances by segment
	Import  bool             // an import statement named it at least once
}

// String returns the components joined by dots.
func (n QualifiedName) String() string { return strings.Join(n.Parts, ".") }

// Identifier is one word of the text that could be a symbol.
type Identifier struct {
	Name   string
	Counts [NumSegments]int // appearances by segment
	// CodeLike is set when the word looks like a symbol (camelCase, snake_case),
	// stands in inline code, a code block or a trace, or is called: name(.
	CodeLike bool
}

// Query is a parsed task. All slices are in order of first appearance without
// duplicates: paths by path, line, source and block, names by components,
// identifiers by exact spelling.
type Query struct {
	Raw   string
	Title string // one line without Markdown; empty only for blank text
	// Segments holds the text by segment, one source line a line, without URLs,
	// HTML comments and template boilerplate.
	Segments    [NumSegments]string
	Paths       []PathMention
	Names       []QualifiedName
	Identifiers []Identifier
	// Short is set for a single line of at most eight words.
	Short bool
}

// Frames returns the stack frames that name a file, one slice per block in
// printed order, each with the innermost frame first.
func (q *Query) Frames() [][]PathMention {
	var out [][]PathMention
	at := map[int]int{}
	for _, p := range q.Paths {
		if p.Source != FromTrace {
			continue
		}
		i, ok := at[p.Block]
		if !ok {
			i = len(out)
			at[p.Block] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], p)
	}
	for _, b := range out {
		slices.SortStableFunc(b, func(x, y PathMention) int {
			if b[0].InnermostLast {
				return y.Order - x.Order
			}
			return x.Order - y.Order
		})
	}
	return out
}

// Parse analyses text. It accepts any bytes and never fails; invalid UTF-8 is
// replaced.
func Parse(text string) *Query {
	p := newParser(text)
	s := normalise(text)
	p.q.Short = isShort(s)
	p.parse(s)
	for i := range p.text {
		p.q.Segments[i] = strings.TrimRight(p.text[i].String(), "\n ")
	}
	return p.q
}

func isShort(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 400 || strings.IndexByte(s, '\n') >= 0 {
		return false
	}
	return len(strings.Fields(s)) <= 8
}

// normalise returns at most maxTrace bytes of text as valid UTF-8 with "\n"
// line ends, without terminal colours and with traces that a log has escaped
// onto one line unfolded.
func normalise(text string) string {
	if len(text) > 2*maxTrace {
		text = text[:2*maxTrace]
	}
	s := strings.ToValidUTF8(text, "\uFFFD")
	s = strings.TrimPrefix(s, "\uFEFF")
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = stripEscapes(s)
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || r == '\u202f' || r == '\u3000' || r == '\f' || r == '\v':
			return ' '
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case r == '\u200b' || r == '\ufeff' || r < ' ' && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, s)
	s = unfoldEscaped(s)
	return cutAtLine(s, maxTrace)
}

// cutAtLine returns at most n bytes of s, ending at a line end if there is one
// in the second half and at a rune boundary otherwise.
func cutAtLine(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	if i := strings.LastIndexByte(s, '\n'); i >= n/2 {
		return s[:i]
	}
	for len(s) > 0 {
		if r, w := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || w != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// stripEscapes removes terminal control sequences (ESC [ ... letter).
func stripEscapes(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '[' {
			j := i + 2
			for j < len(s) && j < i+32 && (s[j] >= '0' && s[j] <= '9' || s[j] == ';' || s[j] == '?') {
				j++
			}
			i = min(j, len(s)-1)
		}
	}
	return b.String()
}

// unfoldEscaped turns a literal \n into a line break where a stack frame
// follows, and everywhere when the whole text is one quoted string.
func unfoldEscaped(s string) string {
	if !strings.Contains(s, `\n`) {
		return s
	}
	t := strings.TrimSpace(s)
	whole := len(t) > 2 && t[0] == '"' && t[len(t)-1] == '"' && !strings.Contains(t, "\n")
	if whole {
		s = t[1 : len(t)-1]
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		rest := s[i+1:]
		switch {
		case whole && rest[0] == '"':
			b.WriteByte('"')
			i++
		case whole && rest[0] == 't':
			b.WriteByte('\t')
			i++
		case rest[0] == 'r' && strings.HasPrefix(rest, `r\n`) && (whole || frameFollows(rest[3:])):
			b.WriteByte('\n')
			i += 3
		case rest[0] == 'n' && (whole || frameFollows(rest[1:])):
			b.WriteByte('\n')
			i++
		case rest[0] == '\\':
			b.WriteString(`\\`)
			i++
		default:
			b.WriteByte('\\')
		}
	}
	return b.String()
}

// frameFollows reports whether escaped text starts a stack frame.
func frameFollows(s string) bool {
	s = s[:min(len(s), 24)]
	s = strings.TrimLeft(s, " ")
	for strings.HasPrefix(s, `\t`) {
		s = s[2:]
	}
	switch {
	case strings.HasPrefix(s, "at "), strings.HasPrefix(s, `File "`), strings.HasPrefix(s, `File \"`), strings.HasPrefix(s, "Caused by"):
		return true
	case len(s) > 1 && s[0] == '#' && isDigit(s[1]):
		return true
	}
	return false
}
