package elixir

import (
	"bytes"
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/syntax"
)

var (
	moduleLine = lazyregexp.New(`^[ \t]*(defmodule|defprotocol|defimpl)[ \t(]+([\pL_][\pL\pN_.]*)`)
	headLine   = lazyregexp.New(`^[ \t]*(defp|defmacrop|defmacro|defguardp|defguard|defdelegate|def)[ \t]+([\pL_][\pL\pN_]*[?!]?)(?:\(|,|[ \t]+(?:do|when)\b|[ \t]*\r?\n?$)`)
	testLine   = lazyregexp.New(`^[ \t]*(test)[ \t]+"((?:[^"\\]|\\.)+)"`)
	memberLine = lazyregexp.New(`^[ \t]*(?:@[\pL_]+[ \t]+\S|(?:alias|import|require|use|plug|field|config|setup|setup_all|defstruct|defexception|defoverridable)[ \t(])`)
)

// resync holds at the level of the file only: the pieces of a module do not
// parse alone.
func resync(line []byte) bool {
	return bytes.HasPrefix(line, []byte("def")) && moduleLine.Match(line)
}

// Bounds of the definitions of one file that are tried alone: their number, and
// their text as a multiple of the file.
const (
	maxRewrites = 400
	maxReparsed = 4
)

// text is a source by lines.
type text struct {
	source []byte
	starts []int
}

func textOf(source []byte) *text {
	t := &text{source: source}
	for i := 0; i < len(source); {
		t.starts = append(t.starts, i)
		k := bytes.IndexByte(source[i:], '\n')
		if k < 0 {
			break
		}
		i += k + 1
	}
	return t
}

func (t *text) line(k int) []byte {
	end := len(t.source)
	if k+1 < len(t.starts) {
		end = t.starts[k+1]
	}
	return t.source[t.starts[k]:end]
}

// nextIndentation is that of the next line with text behind line k, or -1.
func (t *text) nextIndentation(k int) int {
	for k++; k < len(t.starts); k++ {
		if l := t.line(k); len(bytes.TrimSpace(l)) > 0 {
			return indentation(l)
		}
	}
	return -1
}

// heredocEnd is the line that closes the heredoc which line k opens, or k where
// it opens none or the closing line is missing.
func (t *text) heredocEnd(k int) int {
	last, _ := t.heredoc(k)
	return last
}

// heredoc is heredocEnd; open tells whether the closing line is missing.
func (t *text) heredoc(k int) (last int, open bool) {
	l := t.line(k)
	for _, q := range [][]byte{[]byte(`"""`), []byte(`'''`)} {
		if bytes.Count(l, q)%2 == 0 || !bytes.HasSuffix(bytes.TrimSpace(l), q) {
			continue
		}
		indent := indentation(l)
		for j := k + 1; j < len(t.starts); j++ {
			next := t.line(j)
			body := bytes.TrimSpace(next)
			if bytes.HasPrefix(body, q) {
				return j, false
			}
			// A definition at the level of what opens the heredoc: it was never closed.
			if in := indentation(next); len(body) > 0 && in <= indent && (headLine.Match(next) || in < indent && bytes.Equal(body, []byte("end"))) {
				return k, true
			}
		}
		return k, true
	}
	return k, false
}

// startsNext tells whether a line starts a definition or another member.
func startsNext(l []byte) bool {
	return headLine.Match(l) || testLine.Match(l) || memberLine.Match(l) || moduleLine.Match(l) || isEnd(bytes.TrimSpace(l))
}

// extent finds the last line of the statement that starts at line k by
// indentation: the end that stands below its first line or, where that is
// missing, the last line that is indented deeper.
func (t *text) extent(k int) (last int, closed bool) {
	indent := indentation(t.line(k))
	last, open := t.heredoc(k)
	for open && last+1 < len(t.starts) && !startsNext(t.line(last+1)) {
		last++
	}
	if open {
		return last, false
	}
	for j := last + 1; j < len(t.starts); j++ {
		l := t.line(j)
		body := bytes.TrimSpace(l)
		if len(body) == 0 {
			continue
		}
		in := indentation(l)
		if in > indent {
			last = t.heredocEnd(j)
			j = last
			continue
		}
		if in == indent && isEnd(body) {
			return j, true
		}
		if in == indent && isClause(body) {
			last = j
			continue
		}
		break
	}
	return last, false
}

// rewrite empties the definitions that do not parse on their own, so that what
// is left of them is their name, and blanks out other members that do not.
func rewrite(g *syntax.Grammar, source []byte) []byte {
	var out []byte
	tries, left := 0, maxReparsed*len(source)+1<<16
	whole := func(piece []byte) bool {
		left -= len(piece)
		t, err := syntax.Parse(g, piece)
		return err == nil && !t.Root().HasError()
	}
	t := textOf(source)
	for k := 0; k < len(t.starts); k++ {
		first := t.line(k)
		if tries > maxRewrites || left < 0 {
			break
		}
		name := headLine.FindSubmatchIndex(first)
		isTest := false
		if name == nil {
			name = testLine.FindSubmatchIndex(first)
			isTest = name != nil
		}
		if name == nil && !memberLine.Match(first) {
			k = t.heredocEnd(k)
			continue
		}
		last, closed := t.extent(k)
		if name == nil && closed && !bytes.Contains(first, []byte(" do")) {
			last-- // the end of what encloses a member
			for last > k && len(bytes.TrimSpace(t.line(last))) == 0 {
				last--
			}
		}
		stop := t.starts[last] + len(t.line(last))
		tries++
		if whole(source[t.starts[k]:stop]) {
			k = last
			continue
		}
		if out == nil {
			out = bytes.Clone(source)
		}
		blank(out[t.starts[k]:stop])
		if name != nil {
			end := name[5]
			if isTest {
				end++ // the closing quote
			}
			copy(out[t.starts[k]:], first[:end])
		}
		k = last
	}
	return out
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

func isEnd(body []byte) bool {
	return bytes.HasPrefix(body, []byte("end")) && (len(body) == 3 || bytes.IndexByte([]byte(" \t.;)#"), body[3]) >= 0)
}

func isClause(body []byte) bool {
	for _, c := range []string{")", "]", "}", "|>", "when ", "do", `"""`, "'''"} {
		if bytes.HasPrefix(body, []byte(c)) {
			return c != "do" || len(body) == 2
		}
	}
	for _, c := range []string{"rescue", "catch", "else", "after"} {
		if bytes.Equal(body, []byte(c)) {
			return true
		}
	}
	return false
}

// head is the first line of a definition in a damaged text.
type head struct {
	keyword, name string
	at            facts.Span // of the name
	span          facts.Span
	line          string
	indent        int
	parent        int    // index of the module that encloses it, -1
	module        string // full name of a module
	isModule      bool
	test          bool
}

// outline finds the definitions of a text by their lines and the modules that
// enclose them by their indentation.
func outline(source []byte) []head {
	t := textOf(source)
	var out []head
	var open []int
	for k := 0; k < len(t.starts); k++ {
		l := t.line(k)
		body := bytes.TrimSpace(l)
		if len(body) == 0 || body[0] == '#' {
			continue
		}
		indent := indentation(l)
		m, isModule := moduleLine.FindSubmatchIndex(l), true
		if m == nil {
			m, isModule = headLine.FindSubmatchIndex(l), false
		}
		isTest := false
		if m == nil {
			m = testLine.FindSubmatchIndex(l)
			isTest = m != nil
		}
		if m != nil || isEnd(body) {
			for len(open) > 0 && out[open[len(open)-1]].indent >= indent {
				last := open[len(open)-1]
				if m == nil && t.nextIndentation(k) > out[last].indent {
					break // an end too many: members of the module follow
				}
				open = open[:len(open)-1]
				end := t.starts[k]
				if m == nil && out[last].indent == indent {
					end += bytes.Index(l, []byte("end")) + 3
				}
				out[last].span.End = uint32(end)
			}
		}
		if m == nil {
			k = t.heredocEnd(k)
			continue
		}
		start := uint32(t.starts[k])
		h := head{
			keyword: string(l[m[2]:m[3]]), name: string(l[m[4]:m[5]]), indent: indent, line: string(body), isModule: isModule, test: isTest, parent: -1,
			at:   facts.Span{Start: start + uint32(m[4]), End: start + uint32(m[5])},
			span: facts.Span{Start: start + uint32(m[2]), End: start + uint32(len(bytes.TrimRight(l, " \t\r\n")))},
		}
		if len(open) > 0 {
			h.parent = open[len(open)-1]
		}
		if isModule {
			h.module = strings.Trim(h.name, ".")
			if h.parent >= 0 && h.keyword != "defimpl" {
				h.module = out[h.parent].module + "." + h.module
			}
			leaf := h.module[strings.LastIndexByte(h.module, '.')+1:]
			h.at.End = h.at.Start + uint32(len(strings.TrimRight(h.name, ".")))
			h.at.Start = h.at.End - uint32(len(leaf))
			h.name = leaf
			if !bytes.Contains(l, []byte("do:")) && leaf != "" {
				h.span.End = uint32(len(source))
				open = append(open, len(out))
			}
		}
		out = append(out, h)
		k = t.heredocEnd(k)
	}
	return out
}

// owner is the frame of the module that encloses an offset by the outline, whose
// header the walk of the file's level has not entered; nil for none.
func (w *walker) owner(offset uint32) *frame {
	i := sort.Search(len(w.outline), func(i int) bool { return w.outline[i].span.Start >= offset }) - 1
	for i >= 0 && (!w.outline[i].isModule || w.outline[i].span.End <= offset) {
		i = w.outline[i].parent
	}
	if i < 0 {
		return nil
	}
	return w.adopt(i)
}

// adopt reports a module of the outline, with those that enclose it, where the
// walk has not.
func (w *walker) adopt(i int) *frame {
	if f := w.adopted[i]; f != nil {
		return f
	}
	h := &w.outline[i]
	f := &frame{symbol: -1, module: h.module, kind: facts.KindModule, specs: map[string]*spec{}, fieldTypes: map[string]string{}}
	w.adopted[i] = f
	if h.keyword == "defprotocol" {
		f.kind = facts.KindInterface
	}
	add := func() {
		s := facts.Symbol{
			Name: h.name, Kind: f.kind, Span: h.span, NameSpan: h.at, Container: strings.TrimSuffix(strings.TrimSuffix(h.module, h.name), "."),
			Signature: strings.TrimSuffix(h.line, " do"),
		}
		f.symbol = w.symbol(s)
	}
	if at, ok := w.reported[h.at.Start]; ok {
		f.symbol = at
		s := w.b.At(at)
		s.Span.End = max(s.Span.End, h.span.End)
		s.EndLine = w.b.Line(max(s.Span.Start, s.Span.End-min(s.Span.End, 1)))
	} else if h.parent >= 0 {
		w.b.Within(w.adopt(h.parent).symbol, add)
	} else {
		w.b.SetPackage(h.module)
		add()
	}
	return f
}

// missed reports the definitions of the outline that the walk has not found, and
// moves those into their module that a stray end has put into another.
func (w *walker) missed() {
	for i := range w.outline {
		h := &w.outline[i]
		if h.name == "" || h.name == "unquote" {
			continue
		}
		if at, ok := w.reported[h.at.Start]; ok {
			if w.strayEnd && h.parent >= 0 && !h.isModule && w.b.At(at).Flags&facts.InBody == 0 && w.b.At(at).Container != w.outline[h.parent].module {
				f := w.adopt(h.parent)
				s := w.b.At(at)
				s.Parent, s.Container = f.symbol, f.module
			}
			continue
		}
		if h.isModule {
			w.adopt(i)
			continue
		}
		s := facts.Symbol{
			Name: h.name, Kind: facts.KindFunction, Span: h.span, NameSpan: h.at, Signature: strings.TrimSuffix(h.line, " do"),
		}
		switch h.keyword {
		case "defmacro", "defguard", "defmacrop", "defguardp":
			s.Kind = facts.KindMacro
		}
		if h.test || strings.HasSuffix(h.keyword, "p") {
			s.Visibility = facts.Private
		}
		parent := int32(-1)
		if h.parent >= 0 {
			f := w.adopt(h.parent)
			parent, s.Container = f.symbol, f.module
			if f.kind == facts.KindInterface {
				s.Kind = facts.KindMethod
			}
		}
		w.b.Within(parent, func() { w.symbol(s) })
	}
}
