package csharp

import (
	"html"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// maxDoc caps what is read of a documentation comment, of which one sentence
// is kept, in bytes.
const maxDoc = 8192

// documentation takes the comment seen last: its summary without tags.
func (w *walker) documentation() string {
	var raw strings.Builder
	for _, c := range w.doc {
		if raw.Len() < maxDoc {
			raw.WriteString(lang.CleanComment(c.Text()))
			raw.WriteByte('\n')
		}
	}
	w.doc = nil
	return describe(raw.String())
}

var (
	// named are elements that stand for what an attribute names.
	named     = lazyregexp.New(`<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword|href)\s*=\s*["']([^"']*)["']\s*/>`)
	summary   = lazyregexp.New(`(?s)<summary>(.*?)(?:</summary>|$)`)
	inherits  = lazyregexp.New(`<inheritdoc\b[^<>]*>`)
	section   = lazyregexp.New(`(?s)<(?:param|typeparam|returns|value|exception|remarks|example|seealso|include)\b.*`)
	paragraph = lazyregexp.New(`</?(?:para|list|code)\b[^<>]*>`)
	element   = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
)

// describe is the text of the summary element, or of the comment before its
// other elements where it has none.
func describe(text string) string {
	s := strings.ToValidUTF8(text[:min(len(text), maxDoc)], "")
	s = named.ReplaceAllStringFunc(s, func(tag string) string { return simple(named.FindStringSubmatch(tag)[1]) })
	if m := summary.FindStringSubmatch(s); m != nil {
		s = m[1]
	} else {
		s = section.ReplaceAllString(inherits.ReplaceAllString(s, ""), "")
	}
	s = paragraph.ReplaceAllString(s, "\n\n")
	return strings.TrimSpace(html.UnescapeString(element.ReplaceAllString(s, "")))
}

// simple is the last name of a reference such as T:System.Collections.List{T}.
func simple(ref string) string {
	if strings.Contains(ref, "//") {
		return ref
	}
	if len(ref) > 2 && ref[1] == ':' {
		ref = ref[2:]
	}
	head, _, _ := strings.Cut(ref, "(")
	head, _, _ = strings.Cut(head, "{")
	return head[strings.LastIndexByte(head, '.')+1:]
}
