package java

import (
	"html"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxDoc caps what is read of a documentation comment, of which one sentence
// is kept, in bytes.
const maxDoc = 8192

// documentation takes the comment seen last: its description without tags, and
// whether it marks what it describes as deprecated.
func (w *walker) documentation() (text string, obsolete bool) {
	n := w.doc
	w.doc = syntax.Node{}
	if n.IsZero() {
		return "", false
	}
	raw := n.Text()
	if n.Kind() == "line_comment" {
		for c := n.NextSibling(); c.Kind() == "line_comment" && strings.HasPrefix(c.Text(), "///") && len(raw) < maxDoc; c = c.NextSibling() {
			raw += "\n" + c.Text()
		}
		var lines []string
		for line := range strings.Lines(raw) {
			lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "///"))
		}
		return describe(strings.Join(lines, "\n"))
	}
	return describe(lang.CleanComment(raw))
}

var (
	inlineTag = lazyregexp.New(`\{@([A-Za-z]+)\s*([^{}]*)\}`)
	paragraph = lazyregexp.New(`(?i)</?(?:p|ul|ol|pre|h[1-6]|table|div|dl|blockquote|hr)\b[^<>]*>|<br\s*/?>\s*<br\s*/?>`)
	element   = lazyregexp.New(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
	// escaped stands for an angle bracket that is text, not markup.
	escaped = strings.NewReplacer("<", "\x01", ">", "\x02", "&", "\x03")
	literal = strings.NewReplacer("\x01", "<", "\x02", ">", "\x03", "&")
)

// describe strips the block tags, inline tags and HTML of a comment.
func describe(text string) (string, bool) {
	var kept []string
	obsolete, tags := false, false
	for line := range strings.Lines(text[:min(len(text), maxDoc)]) {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "@") && !strings.HasPrefix(l, "@{") {
			tags = true
			obsolete = obsolete || strings.HasPrefix(l, "@deprecated")
		}
		if !tags {
			kept = append(kept, l)
		}
	}
	s := strings.ToValidUTF8(strings.Join(kept, "\n"), "")
	for range 4 { // tags nest: {@link Foo {@code x}}
		next := inlineTag.ReplaceAllStringFunc(s, func(tag string) string {
			m := inlineTag.FindStringSubmatch(tag)
			return escaped.Replace(inline(m[1], strings.TrimSpace(m[2])))
		})
		if next == s {
			break
		}
		s = next
	}
	s = paragraph.ReplaceAllString(s, "\n\n")
	s = element.ReplaceAllString(s, "")
	s = literal.Replace(html.UnescapeString(s))
	return strings.TrimSpace(s), obsolete
}

// inline is the text that an inline tag stands for.
func inline(tag, arg string) string {
	switch tag {
	case "inheritDoc", "docRoot":
		return ""
	case "link", "linkplain", "value":
		depth := 0
		for i, r := range arg {
			switch r {
			case '(', '<':
				depth++
			case ')', '>':
				depth--
			case ' ', '\n', '\t':
				if depth == 0 {
					return strings.TrimSpace(arg[i:])
				}
			}
		}
		return strings.ReplaceAll(strings.TrimPrefix(arg, "#"), "#", ".")
	case "summary", "return", "code", "literal", "index", "systemProperty", "snippet":
		return arg
	}
	return arg
}
