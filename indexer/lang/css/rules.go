package css

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// sheet is one style sheet being read.
type sheet struct {
	b       *lang.Builder
	src     []byte
	dialect dialect
	urlEnd  int // end of the last url(…) looked for

	frames []frame
	over   int // open blocks below maxDepth
	found  []candidate
	refs   []use

	comments  facts.Span // the block of comments read last
	lineStyle bool       // it consists of line comments
	started   bool       // code was seen
	summary   string
	exported  []facts.Export
}

// frame is an open block.
type frame struct {
	first, end int    // candidates that the block defines
	owner      int    // candidate that definitions inside belong to, -1
	base       string // what "&" stands for
	local      bool   // body of a mixin or function: what it sets is its own
	opaque     bool   // holds nothing to report
	rule       bool   // or inside of one
	export     bool   // :export of a CSS module
	column     int    // of its head
	line       uint32 // of its head
	indents    bool   // what it holds is indented
	font       bool
}

// candidate is a definition before it is known whether a better one of its name
// follows.
type candidate struct {
	symbol facts.Symbol
	owner  int
	rank   rank
}

// use is a reference that stands in the definition owner.
type use struct {
	kind      facts.RefKind
	name, of  string
	start     int
	enclosing int
}

func (s *sheet) top() frame {
	if n := len(s.frames); n > 0 {
		return s.frames[n-1]
	}
	return frame{owner: -1}
}

// text is a range of the source, at most a few thousand bytes of it.
func (s *sheet) text(span facts.Span) string {
	const most = 16_000
	return strings.ToValidUTF8(string(s.src[span.Start:min(span.End, span.Start+most)]), "")
}

func (s *sheet) open(head facts.Span) {
	if first, rest, ok := s.unfinished(head); ok {
		s.declaration(first)
		head = rest
	}
	s.begin(head)
	if len(s.frames) >= maxDepth {
		s.over++
		return
	}
	f := s.top()
	f.first, f.end = len(s.found), len(s.found)
	f.export, f.font = false, false
	f.column, f.line, f.indents = s.column(head.Start), s.b.Line(head.Start), false
	text := s.text(head)
	if !f.opaque {
		switch {
		case strings.HasPrefix(text, "@"):
			s.atBlock(head, text, &f)
		case s.dialect == sass && (strings.HasPrefix(text, "=") || strings.HasPrefix(text, "+")):
			s.atBlock(head, text, &f)
		case s.dialect == stylus && s.stylusBlock(head, text, &f):
		case strings.HasSuffix(text, ":") || strings.HasPrefix(text, "--") && strings.Contains(text, ":"):
			f.opaque = true // nested properties
		default:
			s.rule(head, text, &f)
		}
	}
	f.end = len(s.found)
	s.comments = facts.Span{}
	s.frames = append(s.frames, f)
}

// unfinished splits a head in which a declaration without its semicolon stands
// before the selector.
func (s *sheet) unfinished(head facts.Span) (first, rest facts.Span, ok bool) {
	const most = 2000
	text := s.src[head.Start:min(head.End, head.Start+most)]
	for at := 0; ; {
		k := bytes.IndexByte(text[at:], '\n')
		if k < 0 {
			return first, rest, false
		}
		line := bytes.TrimSpace(text[at : at+k])
		at += k + 1
		name := nameEnd(string(line), len(line)-len(bytes.TrimLeft(line, "$@")))
		if name > 0 && bytes.HasPrefix(line[name:], []byte(": ")) && line[len(line)-1] != ',' && line[len(line)-1] != '(' {
			rest = trimSpan(s.src, int(head.Start)+at, int(head.End))
			return trimSpan(s.src, int(head.Start), int(head.Start)+at), rest, rest.Len() > 0
		}
	}
}

func (s *sheet) column(at uint32) int {
	const most = 200
	for n := range most {
		if int(at) == n || s.src[int(at)-n-1] == '\n' {
			return n
		}
	}
	return most
}

// outdent closes blocks that lost their brace: a statement at the left edge is
// no part of a block that begins there too and indents what it holds.
func (s *sheet) outdent(at uint32) {
	n := len(s.frames)
	if n == 0 || s.over > 0 || s.dialect == sass || s.dialect == stylus {
		return
	}
	column := s.column(at)
	if f := &s.frames[n-1]; column > f.column && s.b.Line(at) > f.line && strings.TrimSpace(string(s.src[int(at)-column:at])) == "" {
		f.indents = true
	}
	for i := range s.frames {
		if f := &s.frames[i]; column == 0 && f.column == 0 && f.indents {
			comments := s.comments
			for len(s.frames) > i {
				s.close(int(s.lastText(at)))
			}
			s.comments = comments
			return
		}
	}
}

// lastText is the offset behind the last byte before an offset that is no white
// space.
func (s *sheet) lastText(at uint32) uint32 {
	for at > 0 && isSpace(s.src[at-1]) {
		at--
	}
	return at
}

func (s *sheet) close(end int) {
	switch n := len(s.frames); {
	case s.over > 0:
		s.over--
	case n > 0:
		f := s.frames[n-1]
		s.frames = s.frames[:n-1]
		for i := f.first; i < f.end; i++ {
			s.found[i].symbol.Span.End = max(uint32(end), s.found[i].symbol.Span.End)
		}
	}
	s.comments = facts.Span{}
}

func (s *sheet) closeAll(end int) {
	s.over = 0
	for len(s.frames) > 0 {
		s.close(end)
	}
	s.header()
}

// begin notes that a statement begins: a comment that stands apart before the
// first one describes the sheet.
func (s *sheet) begin(head facts.Span) {
	s.outdent(head.Start)
	if !s.started {
		text := s.text(head)
		if s.comments.Len() > 0 && (s.b.Line(head.Start) > s.b.Line(s.comments.End-1)+1 ||
			strings.HasPrefix(text, "@import") || strings.HasPrefix(text, "@use") || strings.HasPrefix(text, "@charset") || strings.HasPrefix(text, "@forward")) {
			s.header()
		}
		s.started = true
	}
}

func (s *sheet) header() {
	if s.started || s.comments.Len() == 0 {
		return
	}
	if text := s.commentText(); s.summary == "" && text != "" {
		s.summary = text
	}
}

// comment takes a comment: line comments right below each other are one.
func (s *sheet) comment(start, end int) {
	s.b.MarkDoc(facts.Span{Start: uint32(start), End: uint32(end)})
	lineStyle := s.src[start+1] == '/'
	line := s.b.Line(uint32(start))
	if line == s.b.Line(uint32(s.lastCode(start))) && s.lastCode(start) > 0 {
		return // behind code
	}
	if lineStyle && s.lineStyle && s.comments.Len() > 0 && line == s.b.Line(s.comments.End-1)+1 {
		s.comments.End = uint32(end)
		return
	}
	s.header()
	s.comments, s.lineStyle = facts.Span{Start: uint32(start), End: uint32(end)}, lineStyle
}

// lastCode is the offset of the last byte before a comment on its line that is
// no white space, 0 where there is none.
func (s *sheet) lastCode(at int) int {
	for i := at - 1; i > 0; i-- {
		switch s.src[i] {
		case ' ', '\t':
		case '\n':
			return 0
		default:
			return i
		}
	}
	return 0
}

// commentText is what the comment read last says, "" for a notice or directive.
func (s *sheet) commentText() string {
	text := s.text(facts.Span{Start: s.comments.Start, End: min(s.comments.End, s.comments.Start+1500)})
	if lang.LooksLikeLicense(text) || strings.HasPrefix(text, "/*!") && strings.Contains(text, " v") && len(text) < 60 {
		return ""
	}
	var lines []string
	for line := range strings.Lines(lang.CleanComment(text)) {
		line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "-=#*~_/+"))
		for _, mark := range []string{"scss-docs-", "stylelint-", "prettier-", "rtl:", "sourceMappingURL", "sass-lint:", "@group", "@param", "@return", "postcss-", "csslint", "autoprefixer", "@require"} {
			if strings.HasPrefix(line, mark) {
				line = ""
			}
		}
		for _, mark := range []string{"@description ", "@desc ", "@file ", "@overview "} {
			line = strings.TrimPrefix(line, mark)
		}
		lines = append(lines, line)
	}
	text = strings.TrimSpace(strings.Join(lines, "\n"))
	if len(text) < 3 {
		return ""
	}
	return text
}

// doc is the comment right above an offset.
func (s *sheet) doc(at uint32) string {
	if s.comments.Len() == 0 || s.b.Line(at) > s.b.Line(s.comments.End-1)+1 {
		return ""
	}
	return s.commentText()
}

// rule reads the selectors of a rule.
func (s *sheet) rule(head facts.Span, text string, f *frame) {
	if s.dialect == less && s.lessBlock(head, text, f) {
		return
	}
	names, base := selectors(text, f.base)
	if strings.TrimSpace(text) == ":export" {
		f.export = true
		return
	}
	doc := s.doc(head.Start)
	inRule := f.rule
	if base != "" {
		f.base = base
	}
	if len(f.base) > 150 {
		f.base = ""
	}
	f.rule = true
	if f.local {
		return
	}
	owner := f.owner
	for _, n := range names {
		kind := facts.KindClass
		switch n.name[0] {
		case '.', '%':
		case '#':
			kind = facts.KindKey
		default:
			// Elements and attributes count where a rule is about them, custom
			// elements wherever they lead.
			if n.rank != alone && !(n.rank == subject && strings.Contains(n.name, "-") && n.name[0] != '[') || inRule || n.name[0] == '@' {
				continue
			}
			if s.inKeyframes(n.name) {
				continue
			}
			kind = facts.KindKey
		}
		sym := facts.Symbol{Name: n.name, Kind: kind, Signature: text, Doc: doc, Span: head, NameSpan: s.within(head, n.start, n.end)}
		if n.name[0] == '%' {
			sym.Flags |= facts.Abstract
		}
		at := s.add(sym, owner, n.rank)
		if n.rank != part && f.owner == owner && at >= 0 {
			f.owner = at
		}
	}
}

func (s *sheet) inKeyframes(name string) bool {
	return name == "from" || name == "to" || isDigit(name[0])
}

// within is a range of the text of a head as a range of the source.
func (s *sheet) within(head facts.Span, start, end int) facts.Span {
	return facts.Span{Start: head.Start + uint32(start), End: min(head.Start+uint32(end), head.End)}
}

func (s *sheet) add(sym facts.Symbol, owner int, r rank) int {
	if len(s.found) >= maxCandidates || sym.Name == "" {
		return -1
	}
	s.found = append(s.found, candidate{symbol: sym, owner: owner, rank: r})
	return len(s.found) - 1
}

func (s *sheet) refer(kind facts.RefKind, name, of string, start, owner int) {
	if len(s.refs) < maxReferences && name != "" && start < len(s.src) {
		s.refs = append(s.refs, use{kind, name, of, start, owner})
	}
}

// emit reports the best candidate of every name and container.
func (s *sheet) emit() {
	type identity struct {
		name, container string
		kind            facts.Kind
	}
	container := func(c *candidate) string {
		if c.owner < 0 {
			return ""
		}
		return s.found[c.owner].symbol.Name
	}
	key := func(c *candidate) identity {
		id := identity{c.symbol.Name, container(c), c.symbol.Kind}
		if id.kind == facts.KindVariable {
			id.container = "" // set anew for other modes and widths
		}
		return id
	}
	best := map[identity]int{}
	for i := range s.found {
		c := &s.found[i]
		if k, seen := best[key(c)]; !seen || c.rank < s.found[k].rank {
			best[key(c)] = i
		}
	}
	at := make([]int32, len(s.found))
	left := maxSymbols
	for i := range s.found {
		at[i] = -1
		c := &s.found[i]
		if best[key(c)] != i || left == 0 {
			continue
		}
		left--
		c.symbol.Container = container(c)
		parent := int32(-1)
		if c.owner >= 0 {
			parent = at[c.owner]
		}
		s.b.Within(parent, func() { at[i] = s.b.Symbol(c.symbol) })
	}
	for _, r := range s.refs {
		in := int32(-1)
		if r.enclosing >= 0 {
			if in = at[r.enclosing]; in < 0 {
				in = at[best[key(&s.found[r.enclosing])]]
			}
		}
		s.b.Within(in, func() { s.b.Reference(r.kind, r.name, r.of, uint32(r.start)) })
	}
	for _, e := range s.exported {
		s.b.Export(e)
	}
	s.b.SetSummary(s.summary)
}
