package query

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPath is the longest path taken, in bytes.
const maxPath = 400

// span is a byte range of a line.
type span struct{ from, to int }

// pathMentions records the paths written out in s and returns their bounds, so
// that no other scanner takes their parts for names. lone is set when the whole
// query is s and short: then any token with a slash is a path.
func (p *parser) pathMentions(s string, seg Segment, lone bool) []span {
	var out []span
	for i := 0; i < len(s); {
		r, w := decode(s, i)
		if !isPathRune(r) && r != '[' {
			i += w
			continue
		}
		j := tokenEnd(s, i)
		if j == i {
			i += w
			continue
		}
		for _, m := range p.pathToken(s, i, j, seg, lone) {
			out = append(out, m)
			j = max(j, m.to)
		}
		i = j
	}
	return out
}

func isPathRune(r rune) bool {
	if r < 0x80 {
		c := byte(r)
		return isAlpha(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '\\' || c == '~' || c == '@' || c == '+' || c == '$'
	}
	return isIdentPart(r)
}

// tokenEnd returns the end of the run of path runes at i. A bracketed
// component (routes such as app/[id]/(group)/page.tsx) belongs to the run after
// a slash.
func tokenEnd(s string, i int) int {
	for i < len(s) {
		r, w := decode(s, i)
		switch {
		case isPathRune(r):
			i += w
		case (r == '[' || r == '(') && i > 0 && s[i-1] == '/':
			j := i + 1
			for j < len(s) && j < i+40 && (isWordByte(s[j]) || s[j] == '.' || s[j] == '-' || s[j] == '[' || s[j] == ']') {
				j++
			}
			if r == '(' && (j >= len(s) || s[j] != ')') || r == '[' && s[j-1] != ']' {
				return i
			}
			if r == '(' {
				j++
			}
			i = j
		case r == ':' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '/') && i > 0 && isAlpha(s[i-1]) && (i == 1 || !isWordByte(s[i-2])):
			i++ // drive letter
		default:
			return i
		}
	}
	return i
}

// pathToken judges the token s[i:j] and records what it names.
func (p *parser) pathToken(s string, i, j int, seg Segment, lone bool) []span {
	tok := strings.TrimRight(s[i:j], ".-~+@$")
	for strings.HasPrefix(tok, "-") || strings.HasPrefix(tok, "+") {
		tok = tok[1:]
		i++
	}
	j = i + len(tok)
	if len(tok) < 2 || len(tok) > maxPath || i > 0 && s[i-1] == '<' && tok[0] == '/' {
		return nil
	}
	if i > 0 && s[i-1] == '*' && tok[0] == '.' || strings.HasPrefix(tok, "/dev/") {
		return nil // a glob, a device
	}
	// A source URL without its scheme.
	if k := strings.Index(tok, "blob/"); k == 0 || k > 0 && tok[k-1] == '/' {
		if file, _, dir, ok := sourceURL("https://host/owner/name/" + tok[k:]); ok {
			line, n := lineSuffix(s[j:])
			p.addPath(PathMention{Path: file, Line: line, Dir: dir, Source: FromURL, Segment: seg})
			return []span{{i, j + n}}
		}
	}
	line := 0
	end := j
	clean, isPath, both := judgePath(tok, s[j:], seg, lone)
	if !isPath {
		return nil
	}
	if l, n := lineSuffix(s[j:]); l > 0 {
		line, end = l, j+n
	}
	dir := strings.HasSuffix(clean, "/")
	clean = strings.TrimRight(clean, "/")
	p.addPath(PathMention{Path: clean, Line: line, Dir: dir, Source: FromText, Segment: seg})
	if k := gluedPrefix(clean); k > 0 {
		p.addPath(PathMention{Path: clean[k:], Line: line, Dir: dir, Source: FromText, Segment: seg})
	}
	if both {
		return nil
	}
	return []span{{i, end}}
}

// gluedPrefix returns the length of leading prose in a script without spaces
// that an ASCII path follows directly, 0 if there is none.
func gluedPrefix(s string) int {
	i := 0
	for i < len(s) {
		r, w := decode(s, i)
		if r < 0x80 || !isGlued(r) {
			break
		}
		i += w
	}
	if i > 0 && i < len(s) && (isAlpha(s[i]) || s[i] == '.') && strings.IndexByte(s[i:], '.') > 0 {
		return i
	}
	return 0
}

// judgePath decides whether a token is a path and cleans it; a directory keeps
// its trailing slash. both is set when the token may as well be a qualified
// name. after is the text that follows the token.
func judgePath(tok, after string, seg Segment, lone bool) (clean string, isPath, both bool) {
	slashed := strings.IndexByte(tok, '/') >= 0
	back := strings.IndexByte(tok, '\\') >= 0
	base := tok[strings.LastIndexAny(tok, `/\`)+1:]
	stem, ext, hasExt := cutExt(base)
	if hasExt { // prose glued to the extension: foo.goを
		if k := asciiPrefix(ext); k > 0 && k < len(ext) {
			tok = tok[:len(tok)-len(ext)+k]
			ext = ext[:k]
		}
	}
	class := extUnknown
	if hasExt {
		class = classOfExt(strings.ToLower(ext))
	}
	called := strings.HasPrefix(after, "(") && !lineParen(after)
	inCode := seg == Code || seg == Inline || seg == Trace
	switch {
	case back && !slashed:
		drive := len(tok) > 2 && tok[1] == ':'
		if !drive && class == extUnknown || called {
			return "", false, false
		}
	case slashed:
		if !slashPath(tok, class, hasExt, inCode, lone) {
			return "", false, false
		}
	case isSpecialFile(tok):
		if (tok == "LICENSE" || tok == "README" || tok == "CONTRIBUTING") && seg == Code {
			return "", false, false
		}
	case strings.HasPrefix(tok, "."):
		if !isDotFile(tok, class, called) {
			return "", false, false
		}
	case class == extKnown && !called && hasLetter(stem):
		both = seg == Code && strings.IndexByte(stem, '.') >= 0
	case class == extWord && !called && hasLetter(stem):
		first, _, dotted := strings.Cut(stem, ".")
		if isReceiver(first) || len(stem) < 2 && !lone || dotted && inCode && isMemberWord(ext) || strings.HasPrefix(after, ".") {
			return "", false, false
		}
		both = inCode
	default:
		return "", false, false
	}
	clean = cleanPath(tok)
	return clean, clean != "" && clean != "/", both
}

func asciiPrefix(s string) int {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func hasLetter(s string) bool {
	for i := 0; i < len(s); i++ {
		if isAlpha(s[i]) || s[i] == '_' || s[i] >= 0x80 {
			return true
		}
	}
	return false
}

// slashPath judges a token with a slash.
func slashPath(tok string, class extClass, hasExt, inCode, lone bool) bool {
	if strings.HasPrefix(tok, "//") || tok == "/" {
		return false
	}
	rooted := strings.HasPrefix(tok, "./") || strings.HasPrefix(tok, "../") || strings.HasPrefix(tok, "~/") || strings.HasPrefix(tok, "@/")
	abs := tok[0] == '/'
	dir := strings.HasSuffix(tok, "/")
	n, long, short := 0, false, false
	first := ""
	for c := range strings.SplitSeq(tok, "/") {
		if c == "" || c == "." || c == ".." || c == "~" {
			continue
		}
		if n++; n == 1 {
			first = c
		}
		long = long || len(c) > 1 && hasLetter(c)
		short = short || len(c) == 1
	}
	switch {
	case n == 0 || !long:
		return false
	case class != extUnknown || rooted:
		return true
	case n == 1:
		return dir && !abs && len(first) > 1 && first[0] != '@' && first[0] != '$' || lone
	case n == 2 && isMediaType(first):
		return false
	case dir, lone:
		return true
	case hasExt && n >= 2:
		return inCode || isDirWord(first) || n > 2 || len(first) > 1 && len(tok)-strings.LastIndexByte(tok, '.') > 2
	case inCode:
		return n > 2 || !short // no unit such as MB/s
	case abs:
		return n > 1
	}
	return n > 2 || isDirWord(first) || first[0] == '.'
}

// cutExt splits the extension off a file name: 1 to 12 letters or digits that
// start with a letter.
func cutExt(base string) (stem, ext string, ok bool) {
	i := strings.LastIndexByte(base, '.')
	if i < 0 || i+1 >= len(base) || !isAlpha(base[i+1]) {
		return base, "", false
	}
	ext = base[i+1:]
	k := asciiPrefix(ext)
	if k == 0 || k > 12 {
		return base, "", false
	}
	for j := 0; j < k; j++ {
		if !isAlpha(ext[j]) && !isDigit(ext[j]) {
			return base, "", false
		}
	}
	return base[:i], ext, true
}

// isDotFile judges a token that starts with a dot and has no slash.
func isDotFile(tok string, class extClass, called bool) bool {
	name := tok[1:]
	if called || len(name) < 3 || !isLower(name[0]) {
		return false
	}
	if strings.IndexByte(name, '.') > 0 {
		return class != extUnknown
	}
	switch name {
	case "github", "gitlab", "circleci", "vscode", "idea", "husky", "env", "mailmap", "devcontainer", "cargo":
		return true
	}
	for _, suf := range [...]string{"rc", "ignore", "config", "attributes", "modules", "keep"} {
		if strings.HasSuffix(name, suf) && len(name) > len(suf) {
			return true
		}
	}
	return false
}

// cleanPath brings a path to slash-separated form without leading "/", "./",
// "../", "~/", "@/" or drive. A trailing slash stays. Empty when nothing is
// left.
func cleanPath(s string) string {
	s = strings.Trim(s, " \t\"'`<>")
	s = strings.ReplaceAll(s, `\`, "/")
	if len(s) > 2 && s[1] == ':' && isAlpha(s[0]) && s[2] == '/' {
		s = s[2:]
	}
	dir := strings.HasSuffix(s, "/")
	s = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(s, ".../"), "…/"), "~")
	s = path.Clean(strings.TrimPrefix(strings.TrimPrefix(s, "@/"), "//"))
	for strings.HasPrefix(s, "../") {
		s = s[3:]
	}
	s = strings.Trim(s, "/ ")
	if s == "." || s == ".." || s == "" || strings.ContainsAny(s, "\n\x00") {
		return ""
	}
	if dir {
		s += "/"
	}
	return s
}

// lineParen reports whether s starts with a line number in parentheses.
func lineParen(s string) bool {
	l, _ := lineSuffix(s)
	return l > 0 && s[0] == '('
}

// lineSuffix parses a line number that follows a path — :12, :12:3, :12-20,
// (12), (12,3), #L10, #L10-L20, ", line 12", " line 12", " on line 12",
// ":line 12" — and returns it with the length of the suffix; 0 when there is
// none.
func lineSuffix(s string) (line, length int) {
	i := 0
	paren := false
	switch {
	case strings.HasPrefix(s, ":line "):
		i = 6
	case strings.HasPrefix(s, ":"):
		i = 1
	case strings.HasPrefix(s, "("):
		i, paren = 1, true
	case strings.HasPrefix(s, "#L"):
		i = 2
	default:
		for _, pre := range [...]string{`", line `, `', line `, "`, line ", "` line ", ", line ", " line ", " on line ", " at line ", " L"} {
			if strings.HasPrefix(s, pre) {
				i = len(pre)
				break
			}
		}
		if i == 0 {
			return 0, 0
		}
	}
	j := i
	for j < len(s) && j < i+7 && isDigit(s[j]) {
		j++
	}
	if j == i || j < len(s) && (isAlpha(s[j]) || isDigit(s[j]) || s[j] == '_') && s[j] != 'C' {
		return 0, 0
	}
	line, err := strconv.Atoi(s[i:j])
	if err != nil || line == 0 {
		return 0, 0
	}
	// Column or end of range.
	k := j
	for k < len(s) && k < j+16 && (isDigit(s[k]) || (s[k] == ':' || s[k] == ',' || s[k] == '-' || s[k] == 'L' || s[k] == 'C') && k+1 < len(s) && (isDigit(s[k+1]) || s[k+1] == 'L')) {
		k++
	}
	if paren {
		if k >= len(s) || s[k] != ')' {
			return 0, 0
		}
		k++
	}
	return line, k
}

// pathKey identifies mentions that are merged.
type pathKey struct {
	path   string
	line   int
	source Source
	block  int
}

func (p *parser) addPath(m PathMention) {
	if m.Path == "" || len(m.Path) > maxPath {
		return
	}
	key := pathKey{m.Path, m.Line, m.Source, m.Block}
	k, seen := p.pathAt[key]
	if !seen {
		m.Count = 1
		p.pathAt[key] = len(p.q.Paths)
		p.q.Paths = append(p.q.Paths, m)
		return
	}
	p.q.Paths[k].Count++
	if m.InnermostLast {
		p.q.Paths[k].Order = m.Order
	}
}

// blank returns s with the given ranges replaced by spaces.
func blank(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	b := []byte(s)
	for _, x := range spans {
		for i := x.from; i < x.to && i < len(b); i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// outsideStem returns the parts of the path at x around the stem of its last
// component.
func outsideStem(s string, x span) []span {
	tok := strings.TrimRight(s[x.from:x.to], `/\`)
	a := strings.LastIndexAny(tok, `/\`) + 1
	b := len(tok)
	if i := strings.IndexByte(tok[a:], '.'); i > 0 {
		b = a + i
	}
	return []span{{x.from, x.from + a}, {x.from + b, x.to}}
}
