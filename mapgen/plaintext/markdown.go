package plaintext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown escapes line, which must have passed [Line], so that a Markdown
// reader shows it as it is: no heading, list item, quotation, fence, code span,
// link, HTML, comment or character entity can come of it, whether it stands at
// the start of a block or in the middle of a line. Only characters that would
// act where they stand are escaped. A backtick is always escaped, so the first
// backtick without a backslash ends the text. [Unescape] is the inverse.
func Markdown(line string) string {
	first := markupAtStart(line)
	if first < 0 && !strings.ContainsAny(line, "\\`<]&:@.w") {
		return line
	}
	var b strings.Builder
	b.Grow(len(line) + 8)
	for i := 0; i < len(line); i++ {
		if i == first || acts(line, i) {
			b.WriteByte('\\')
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// markupAtStart returns the offset of the byte to escape so that line starts no
// block, or -1.
func markupAtStart(line string) int {
	if line == "" {
		return -1
	}
	if strings.IndexByte("#>-+*=~|[", line[0]) >= 0 {
		return 0
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')') {
		return digits
	}
	return -1
}

// acts reports whether the byte at i means something to a Markdown reader.
func acts(s string, i int) bool {
	rest := s[i+1:]
	switch s[i] {
	case '\\', '`':
		return true
	case '<':
		return rest != "" && (isAlnum(rest[0]) || strings.IndexByte("/!?", rest[0]) >= 0)
	case ']':
		return rest != "" && strings.IndexByte("([:", rest[0]) >= 0
	case '&':
		end := strings.IndexByte(rest, ';')
		return end > 0 && strings.IndexFunc(rest[:end], func(r rune) bool {
			return r != '#' && (r >= utf8.RuneSelf || !isAlnum(byte(r)))
		}) < 0
	case ':':
		return strings.HasPrefix(rest, "//")
	case '@':
		return i > 0 && rest != "" && isAlnum(s[i-1]) && isAlnum(rest[0])
	case '.':
		return i >= 3 && strings.EqualFold(s[i-3:i], "www")
	}
	return false
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Unescape undoes [Markdown]: a backslash before ASCII punctuation is dropped.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f && !isAlnum(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// CutText splits s before its first backtick that is not escaped: free text in
// front, and what follows, from that backtick on.
func CutText(s string) (text, rest string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// Code returns name as a Markdown code span whose run of backticks is long
// enough. A name that is empty, holds anything invisible or invalid, has space
// at an end, or looks quoted is written as a Go string literal inside the span,
// so every name comes back exactly.
func Code(name string) string {
	if needsQuotes(name) {
		name = quote(name)
	}
	longest, run := 0, 0
	for i := 0; i < len(name); i++ {
		if name[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + name + "`"
	}
	fence := strings.Repeat("`", longest+1)
	if name[0] == '`' || name[len(name)-1] == '`' {
		name = " " + name + " "
	}
	return fence + name + fence
}

func needsQuotes(name string) bool {
	if name == "" || name[0] == ' ' || name[len(name)-1] == ' ' {
		return true
	}
	if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
		return true
	}
	for i, r := range name {
		if r >= ' ' && r < 0x7f {
			continue
		}
		if Invisible(r) || !strconv.IsPrint(r) || r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

// quote is strconv.Quote, but also escapes what is printable by category and
// yet invisible.
func quote(name string) string {
	q := strconv.Quote(name)
	if strings.IndexFunc(q, Invisible) < 0 {
		return q
	}
	var b strings.Builder
	for _, r := range q {
		if Invisible(r) {
			e := strconv.QuoteRuneToASCII(r)
			b.WriteString(e[1 : len(e)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// CutCode reads the code span at the start of s, as [Code] wrote it, and
// returns the name and what follows the span.
func CutCode(s string) (name, rest string, ok bool) {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	if n == 0 {
		return "", s, false
	}
	for i := n; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := i
		for i < len(s) && s[i] == '`' {
			i++
		}
		if i-run != n {
			continue
		}
		name, rest = s[n:run], s[i:]
		if len(name) > 2 && name[0] == ' ' && name[len(name)-1] == ' ' {
			name = name[1 : len(name)-1]
		}
		if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
			unquoted, err := strconv.Unquote(name)
			return unquoted, rest, err == nil
		}
		return name, rest, true
	}
	return "", s, false
}

// Link percent-encodes a slash-separated relative path for use between the
// parentheses of a Markdown link. Letters and digits of every script stay as
// they are. [Unlink] is the inverse.
func Link(path string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		plain := r < utf8.RuneSelf && (isAlnum(byte(r)) || strings.IndexByte("-._~/", byte(r)) >= 0) ||
			r >= utf8.RuneSelf && size > 1 && strconv.IsPrint(r) && !Invisible(r)
		if plain {
			b.WriteString(path[i : i+size])
		} else {
			for _, c := range []byte(path[i : i+size]) {
				b.Write([]byte{'%', digits[c>>4], digits[c&15]})
			}
		}
		i += size
	}
	return b.String()
}

// Unlink decodes a link destination; ok is false when an escape is damaged.
func Unlink(link string) (path string, ok bool) {
	if strings.IndexByte(link, '%') < 0 {
		return link, true
	}
	var b strings.Builder
	for i := 0; i < len(link); i++ {
		if link[i] != '%' {
			b.WriteByte(link[i])
			continue
		}
		if i+2 >= len(link) {
			return "", false
		}
		c, err := strconv.ParseUint(link[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), true
}

// Word reduces s to a bare word that needs no escaping: letters, digits and
// + # . _ -, starting with a letter or digit, at most 40 runes. Anything else
// becomes a hyphen.
func Word(s string) string {
	var b strings.Builder
	runes, hyphen := 0, false
	for _, r := range Line(s, 0) {
		if runes == 40 || hyphen && runes == 39 {
			break
		}
		plain := isWordRune(r) && (runes > 0 || !unicode.Is(unicode.M, r))
		if !plain && (runes == 0 || !strings.ContainsRune("+#._-", r)) {
			hyphen = runes > 0
			continue
		}
		if hyphen {
			b.WriteByte('-')
			runes++
			hyphen = false
		}
		if r == '.' && strings.HasSuffix(strings.ToLower(b.String()), "www") {
			r = '-' // else some readers make a link of it
		}
		b.WriteRune(r)
		runes++
	}
	return b.String()
}
