package query

import (
	"strings"
)

// maxTitle is the length in bytes above which a title is cut at the end of its
// first sentence.
const maxTitle = 160

// parser collects one query. Its maps only find duplicates; what is emitted is
// in order of appearance.
type parser struct {
	q       *Query
	text    [NumSegments]strings.Builder
	pathAt  map[pathKey]int
	nameAt  map[string]int
	identAt map[string]int

	openImport string // import statement whose bracket is still open

	inTrace    bool // the last line belonged to a trace
	blockOpen  bool // further frames join the current block
	headerLast bool // the header announced innermost-last frames
	messageDue bool // the next line is the message of a panic
	indent     int  // of the last frame
	block      int
	order      int
	firstError string
}

func newParser(raw string) *parser {
	return &parser{
		q:       &Query{Raw: raw},
		pathAt:  map[pathKey]int{},
		nameAt:  map[string]int{},
		identAt: map[string]int{},
	}
}

// parse walks the lines. Everything outside of code blocks passes, in this
// order: comments, block openings, traces, title, template, code without
// fence, prose.
func (p *parser) parse(s string) {
	lines := strings.Split(s, "\n")
	lastComment := -1 // last line that can close a comment
	for i, l := range lines {
		if strings.Contains(l, "-->") {
			lastComment = i
		}
	}
	var (
		open      fence
		sec       section
		inComment bool
		prevBlank = true
		prevCode  bool
		inList    bool
		paraEnd   int
		paraCode  bool
		offset    int
	)
	for i, raw := range lines {
		over := offset > maxProse
		offset += len(raw) + 1
		if room := maxProse - (offset - len(raw) - 1); room > 0 && len(raw) > room {
			raw = cutAtLine(raw, room)
		}
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		if open.mark != 0 {
			if open.quoted {
				raw = unquote(raw)
			}
			t := strings.TrimSpace(raw)
			if open.closes(t) {
				open = fence{}
				prevBlank, prevCode = true, false
				p.endBlock()
				continue
			}
			if sec == sectionEnvironment && (isVersionLine(t, false) || t == "") {
				continue
			}
			p.line(raw, next, Code, over)
			continue
		}
		if inComment || strings.Contains(raw, "<!--") {
			raw, inComment = cutComments(raw, inComment, i < lastComment)
			if strings.TrimSpace(raw) == "" {
				continue
			}
		}
		quoted := strings.HasPrefix(strings.TrimLeft(raw, " "), "> ")
		if quoted {
			raw = unquote(raw)
		}
		t := strings.TrimSpace(raw)
		if t == "" {
			prevBlank = true
			continue
		}
		if f, info, ok := openFence(strings.TrimLeft(t, "-*+ ")); ok {
			f.quoted = quoted
			open = f
			p.endBlock()
			if strings.ContainsAny(info, "./") { // a file name beside the language
				p.pathMentions(info, Code, false)
			}
			continue
		}
		indented := raw[0] == '\t' || strings.HasPrefix(raw, "    ")
		code := indented && (prevBlank && !inList || prevCode)
		if i >= paraEnd {
			paraEnd, paraCode = paragraph(lines, i)
		}
		if p.q.Title == "" && !paraCode && !p.inTrace && p.title(t, next) {
			prevBlank, prevCode = true, false
			continue
		}
		isCode := paraCode && sec != sectionEnvironment
		body, prompted := prompt(t)
		switch {
		case prompted && (t[0] != '%' && !strings.HasPrefix(t, "... ") || prevCode):
			raw, code = body, true
		case isStatement(t):
			code = true
		}
		prevBlankWas := prevBlank
		prevBlank = false
		if !code && !isCode && (!p.inTrace || prevBlankWas && !indented) && !isErrorLine(t) {
			rest, skip, ns := template(t, sec, prevBlankWas)
			sec = ns
			if skip {
				prevBlank, prevCode = true, false
				continue
			}
			if rest != t {
				raw = rest
			}
		}
		seg := Prose
		if code || isCode {
			seg = Code
		}
		p.line(raw, next, seg, over)
		prevCode = code
		inList = isListItem(t) || inList && indented
	}
	p.fallbackTitle(s)
}

// paragraph returns the end of the run of non-blank lines at i and whether it
// is pasted code.
func paragraph(lines []string, i int) (end int, code bool) {
	end = i
	for end < len(lines) && strings.TrimSpace(lines[end]) != "" && !strings.HasPrefix(strings.TrimSpace(lines[end]), "```") {
		end++
	}
	return end, isCodeParagraph(lines[i:end])
}

func unquote(s string) string {
	s = strings.TrimLeft(s, " ")
	for n := 0; n < 4 && strings.HasPrefix(s, ">") && !strings.HasPrefix(s, ">>>"); n++ {
		s = strings.TrimPrefix(s[1:], " ")
	}
	return s
}

func isListItem(t string) bool {
	if strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, "+ ") {
		return true
	}
	i := 0
	for i < len(t) && i < 3 && isDigit(t[i]) {
		i++
	}
	return i > 0 && (strings.HasPrefix(t[i:], ". ") || strings.HasPrefix(t[i:], ") "))
}

// cutComments removes HTML comments from a line. in tells that one is open at
// its start; closable that a later line can close one. A comment that is never
// closed is text.
func cutComments(s string, in, closable bool) (string, bool) {
	var b strings.Builder
	for {
		if in {
			i := strings.Index(s, "-->")
			if i < 0 {
				return b.String(), true
			}
			s, in = s[i+3:], false
		}
		i := strings.Index(s, "<!--")
		if i < 0 || i > 0 && s[i-1] == '`' {
			b.WriteString(s)
			return b.String(), false
		}
		if !closable && !strings.Contains(s[i:], "-->") {
			b.WriteString(s)
			return b.String(), false
		}
		b.WriteString(s[:i])
		b.WriteByte(' ')
		s, in = s[i+4:], true
	}
}

// template removes what belongs to a form: headings, declarations, version
// lists. It returns what is left of the line, whether to skip it, and the
// section that holds from here on.
func template(t string, sec section, startsParagraph bool) (rest string, skip bool, next section) {
	if body, consent, ok := checkbox(t); ok {
		return body, consent || sec == sectionConsent, sec
	}
	if label, after, strong, ok := heading(t); ok {
		s := sectionOf(label)
		switch {
		case strong && s == sectionNone:
			return t, false, sectionNone
		case s == sectionEnvironment && after != "":
			return t, isVersionLine(after, true), sec
		case s != sectionNone && (strong || startsParagraph || after == ""):
			return after, after == "", s
		case s == sectionBody && isGenericLabel(strings.Join(labelWords(label), " ")):
			return after, after == "", s
		}
	} else if startsParagraph && strings.HasSuffix(t, "?") && sectionOf(t) != sectionNone {
		return t, true, sectionOf(t)
	} else if w := labelWords(t); startsParagraph && len(w) == 1 && isEnvironmentLabel(w, w[0]) {
		return t, true, sectionEnvironment
	} else if t[0] == '|' && isEnvironmentLabel(labelWords(t), t) {
		return t, true, sec
	} else if startsParagraph && len(t) < 40 && len(labelWords(t)) > 0 && isGenericLabel(strings.Join(labelWords(t), " ")) {
		return t, true, sectionBody
	}
	switch {
	case isBoilerplate(t):
		return t, true, sec
	case sec == sectionConsent && len(t) < 80:
		return t, true, sec
	case isVersionLine(t, sec == sectionEnvironment):
		return t, true, sec
	}
	return t, false, sec
}

// title takes the line as the title if it can be one.
func (p *parser) title(t, next string) bool {
	if h, _ := newBlock(t); h {
		return false
	}
	if _, ok := parseFrame(t, frameContext{next: next}); ok {
		return false
	}
	if _, consent, ok := checkbox(t); ok && consent {
		return false
	}
	if _, prompted := prompt(t); prompted && !p.q.Short {
		return false
	}
	s := strings.TrimSpace(strings.Trim(strings.TrimLeft(t, "# "), "* \t"))
	for range 2 {
		label, after, ok := strings.Cut(s, ":")
		if !ok || !isTemplateTitle(label) || len(label) > 30 {
			break
		}
		switch strings.ToLower(strings.TrimSpace(strings.Trim(label, "*[]"))) {
		case "error", "errors":
			ok = false
		}
		if !ok {
			break
		}
		s = strings.TrimSpace(strings.Trim(after, "* "))
	}
	if strings.HasPrefix(s, "[") { // [Bug] tags
		if tag, after, ok := strings.Cut(s[1:], "]"); ok && isTemplateTitle(tag) && strings.Trim(after, " :") != "" {
			s = strings.TrimLeft(after, " :-")
		}
	}
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && strings.IndexByte(s[1:], s[0]) == len(s)-2 {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	if !p.q.Short && (isTemplateTitle(s) || isBoilerplate(s)) || strings.Trim(s, "-=_* .") == "" {
		return false
	}
	if cutURLs(s, func(string) {}) == " " && !p.q.Short { // only a link or an image
		return false
	}
	rest := ""
	if len(s) > maxTitle {
		s, rest = firstSentence(s)
	}
	p.setTitle(s)
	if rest != "" {
		p.emit(Prose, rest, false)
	}
	return true
}

func (p *parser) setTitle(s string) {
	p.emit(Title, s, false)
	p.q.Title = strings.TrimSpace(strings.Join(strings.Fields(p.text[Title].String()), " "))
	if p.q.Title == "" { // a lone URL
		p.q.Title = s
	}
}

// firstSentence cuts s after its first sentence, at the latest after 400
// bytes.
func firstSentence(s string) (first, rest string) {
	for i := 20; i+1 < len(s) && i < 400; i++ {
		if (s[i] == '.' || s[i] == '?' || s[i] == '!' || s[i] == ';') && s[i+1] == ' ' {
			return s[:i+1], s[i+2:]
		}
	}
	if len(s) <= 400 {
		return s, ""
	}
	first = cutAtLine(s, 400)
	if i := strings.LastIndexByte(first, ' '); i > 200 {
		first = first[:i]
	}
	return first, s[len(first):]
}

// fallbackTitle gives a text without any sentence a title: its first error
// message, else its first line.
func (p *parser) fallbackTitle(s string) {
	if p.q.Title != "" {
		return
	}
	if p.firstError != "" {
		p.setTitle(firstLine(p.firstError))
		return
	}
	for l := range strings.SplitSeq(s, "\n") {
		t := strings.TrimSpace(l)
		if h, _ := newBlock(t); t == "" || h || strings.Trim(t, "`~#-=*") == "" {
			continue
		}
		t = firstLine(t)
		p.q.Title = t
		p.text[Title].WriteString(t)
		p.identifiers(t, Title, false)
		return
	}
	p.q.Title = firstLine(strings.TrimSpace(s))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	s, _ = firstSentence(s)
	return strings.TrimSpace(s)
}
