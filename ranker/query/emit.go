package query

import "strings"

// line routes one line to its segment: a frame, an error message, or the
// segment the caller found. Beyond the cap for prose only traces and error
// messages count.
func (p *parser) line(raw, next string, seg Segment, over bool) {
	t := strings.TrimSpace(raw)
	if t == "" {
		return
	}
	if header, last := newBlock(t); header {
		p.endBlock()
		p.inTrace, p.headerLast = true, last
		p.indent = indentOf(raw)
		if isErrorLine(t) {
			p.errorMessage(t)
		}
		return
	}
	c := frameContext{next: next, inTrace: p.inTrace, inCode: seg == Code}
	if f, ok := parseFrame(raw, c); ok {
		p.frame(f, t)
		p.inTrace = true
		p.indent = indentOf(raw)
		p.messageDue = f.restart && f.msg == "" && strings.Contains(t, "panicked at ")
		return
	}
	if p.messageDue {
		p.messageDue = false
		p.errorMessage(t)
		return
	}
	if p.inTrace {
		switch {
		case strings.HasPrefix(t, "... ") && strings.HasSuffix(t, " more"), strings.Trim(t, "^~ |-_") == "", strings.HasPrefix(t, "note: run with"):
			return
		case isErrorLine(t):
			p.errorMessage(t)
			if p.headerLast {
				p.endBlock()
			}
			return
		case indentOf(raw) > p.indent || strings.HasPrefix(t, "-->") || isGutter(t):
			if !over {
				p.emit(Trace, strings.TrimLeft(t, "->0123456789| "), true)
			}
			return
		}
		p.endBlock()
	}
	if isErrorLine(t) {
		p.errorMessage(t)
		return
	}
	if !over {
		p.emit(seg, raw, seg == Code)
	}
}

// endBlock makes the next frame start another block.
func (p *parser) endBlock() {
	p.inTrace, p.blockOpen, p.headerLast, p.messageDue = false, false, false, false
	p.openImport = ""
}

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// isGutter reports whether a line is a source excerpt with a numbered margin,
// "12 |  code" or "---> 12 code".
func isGutter(t string) bool {
	i := 0
	for i < len(t) && i < 7 && isDigit(t[i]) {
		i++
	}
	return t[0] == '|' || i > 0 && strings.HasPrefix(strings.TrimLeft(t[i:], " "), "|")
}

// errorMessage records what a program said as inline text: it is as telling as
// quoted code.
func (p *parser) errorMessage(t string) {
	t = strings.TrimSpace(strings.TrimPrefix(t, "E  "))
	if p.firstError == "" {
		p.firstError = t
	}
	p.emit(Inline, t, false)
}

// frame records the file and function of a frame.
func (p *parser) frame(f frame, t string) {
	if !p.blockOpen || f.restart {
		p.block++
		p.order = 0
		p.blockOpen = true
	}
	var b strings.Builder
	if file := cleanPath(strings.TrimPrefix(f.file, "file://")); file != "" && !strings.HasPrefix(f.file, "<") {
		p.addPath(PathMention{
			Path: strings.TrimRight(file, "/"), Line: f.line, Source: FromTrace, Segment: Trace,
			Block: p.block, Order: p.order, InnermostLast: f.last || p.headerLast,
		})
		p.order++
		b.WriteString(withoutInstallDir(file))
	}
	if fn := cleanFunction(f.fn); fn != "" {
		p.qualifiedNames(fn, Trace, false)
		p.identifiers(fn, Trace, true)
		b.WriteByte(' ')
		b.WriteString(fn)
	}
	if b.Len() > 0 {
		p.text[Trace].WriteString(strings.TrimSpace(b.String()))
		p.text[Trace].WriteByte('\n')
	}
	if f.text != "" {
		p.emit(Trace, f.text, true)
	}
	if f.msg != "" {
		p.errorMessage(f.msg)
	}
}

// withoutInstallDir cuts the directories of a package manager, which say
// nothing, off a path.
func withoutInstallDir(s string) string {
	for _, d := range [...]string{"site-packages/", "dist-packages/", "node_modules/"} {
		if i := strings.LastIndex(s, d); i >= 0 {
			s = s[i+len(d):]
		}
	}
	return s
}

// cleanFunction removes what the formats of frames add to a function's name.
func cleanFunction(fn string) string {
	fn = strings.TrimSpace(fn)
	if strings.HasPrefix(fn, "<") && strings.HasSuffix(fn, ">") && strings.Count(fn, "<") == 1 {
		return "" // <module>, <listcomp>, <main>
	}
	if i := strings.LastIndex(fn, " in "); i >= 0 { // Ruby: block (2 levels) in C#m
		fn = fn[i+4:]
	}
	if i := strings.IndexByte(fn, '('); i > 0 && fn[i-1] != '.' {
		fn = fn[:i]
	}
	if i := strings.LastIndexByte(fn, '@'); i > 0 {
		fn = fn[:i]
	}
	if i := strings.LastIndex(fn, "::h"); i > 0 && isHash(fn[i+3:]) { // Rust
		fn = fn[:i]
	}
	return strings.TrimSpace(strings.NewReplacer("<anonymous>", "", "{{closure}}", "", "<init>", "", "<clinit>", "", "{closure}", "").Replace(fn))
}

// emit appends text to a segment and records the mentions in it. Prose and
// titles are split at inline code. code marks every identifier as code-like.
func (p *parser) emit(seg Segment, line string, code bool) {
	line = cutURLs(line, func(u string) {
		if file, ln, dir, ok := sourceURL(u); ok {
			p.addPath(PathMention{Path: file, Line: ln, Dir: dir, Source: FromURL, Segment: seg})
		}
	})
	if seg != Prose && seg != Title {
		p.add(seg, strings.TrimRight(line, " \t"), code)
		return
	}
	if label, _, _, ok := heading(line); ok && strings.HasPrefix(strings.TrimSpace(line), "#") {
		line = label
	}
	n := p.text[Prose].Len()
	defer func() {
		if p.text[Prose].Len() > n {
			p.text[Prose].WriteByte('\n')
		}
	}()
	for _, x := range inlinePieces(line) {
		switch {
		case !x.code:
			p.add(seg, strings.TrimSpace(plainText(x.text)), code)
		case seg == Title:
			p.add(Title, x.text, true)
		default:
			p.add(Inline, x.text, true)
		}
	}
}

func (p *parser) add(seg Segment, s string, code bool) {
	if strings.TrimSpace(s) == "" || (seg == Prose || seg == Inline) && !hasLetter(s) {
		return
	}
	p.text[seg].WriteString(s)
	if seg == Title || seg == Prose {
		p.text[seg].WriteByte(' ')
	} else {
		p.text[seg].WriteByte('\n')
	}
	if seg != Code {
		p.openImport = ""
	}
	scan := s
	code = code && (seg == Inline || !isSentence(s))
	if seg == Code || seg == Trace {
		if r, ok := diffHeader(s); ok {
			scan = r
		}
	}
	spans := p.pathMentions(scan, seg, p.q.Short)
	if seg == Prose || !p.imports(scan, seg) {
		p.qualifiedNames(blank(scan, spans), seg, false)
	}
	// Of a path only the file's stem can be a symbol.
	var parts []span
	for _, x := range spans {
		parts = append(parts, outsideStem(scan, x)...)
	}
	p.identifiers(blank(scan, parts), seg, code)
}

// isSentence reports whether a line of a code block reads like the output of a
// program: at least four words, all but a few of them plain.
func isSentence(s string) bool {
	if strings.ContainsAny(s, "{};=") || strings.Contains(s, "()") {
		return false
	}
	words, plain := 0, 0
	for w := range strings.FieldsSeq(s) {
		words++
		w = strings.TrimRight(w, ".,:!?)")
		ok := len(w) > 0
		for i := 0; i < len(w) && ok; i++ {
			ok = isLower(w[i]) || i == 0 && isUpper(w[i]) || w[i] == '\''
		}
		if ok {
			plain++
		}
	}
	return words >= 4 && plain*5 >= words*4
}

// diffHeader removes the a/ and b/ prefixes of the header lines of a diff.
func diffHeader(s string) (string, bool) {
	switch {
	case strings.HasPrefix(s, "diff --git "):
		return strings.Replace(strings.Replace(s[11:], "a/", "", 1), " b/", " ", 1), true
	case strings.HasPrefix(s, "--- a/"), strings.HasPrefix(s, "+++ b/"):
		return s[6:], true
	}
	return s, false
}
