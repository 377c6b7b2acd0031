package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

var (
	inlineTag = lazyregexp.New(`\{@\w+\s+([^{}\s|]+)(?:[\s|]+([^{}]*))?\}`)
	// fileTag marks a comment that is about the file.
	fileTag = lazyregexp.New(`(?m)^@(?:fileoverview|file|overview|module|packageDocumentation)\b`)
	// captionText is what people write above the imports.
	captionText = lazyregexp.New(`(?i)^\s*(?:module |node |external |internal |local |third[- ]party )*(?:dependencies|modules|imports|requires|types)\.?\s*(?:@(?:api )?private)?\s*$`)
	textTag     = lazyregexp.New(`^@(?:fileoverview|file|overview|description|desc|summary|remarks)\b\s*(.*)$`)
)

// describe gives the description of a documentation comment without its tags,
// and whether it says that what it documents is deprecated.
func describe(comment string) (text string, deprecated bool) {
	if comment == "" || lang.LooksLikeLicense(comment) || captionText.MatchString(comment) {
		return "", false
	}
	var free, tagged []string
	inTag, inText := false, false
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "@"):
			inTag, inText = true, false
			if strings.HasPrefix(line, "@deprecated") {
				deprecated = true
			}
			if m := textTag.FindStringSubmatch(line); m != nil {
				inText = true
				tagged = append(tagged, m[1])
			}
		case inText:
			tagged = append(tagged, line)
		case inTag:
			// The description of a file may follow its tag after a blank line.
			if line == "" && fileTag.MatchString(comment) {
				inTag = false
			}
		case isDirective(line):
		default:
			if before, _, found := strings.Cut(line, " @deprecated"); found {
				line, deprecated, inTag = before, true, true
			}
			free = append(free, line)
		}
	}
	text = strings.TrimSpace(strings.Join(free, "\n"))
	if text == "" {
		text = strings.TrimSpace(strings.Join(tagged, "\n"))
	}
	text = inlineTag.ReplaceAllStringFunc(text, func(s string) string {
		m := inlineTag.FindStringSubmatch(s)
		if m[2] != "" {
			return strings.TrimSpace(m[2])
		}
		return m[1]
	})
	if strings.Trim(text, "-=*#~_/ \n") == "" {
		return "", deprecated
	}
	return text, deprecated
}

// isDirective tells whether a line talks to a tool.
func isDirective(line string) bool {
	for _, p := range []string{"eslint", "tslint:", "jshint", "jslint", "prettier-", "istanbul", "c8 ", "v8 ignore", "@ts-", "#region", "#endregion", "#__", "__PURE__", "biome-ignore", "webpackChunkName", "global ", "globals ", "<reference", "sourceMappingURL", "# sourceMappingURL"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// summary takes the description of the file from its first comments: the first
// that is about the file by a tag, or that stands before anything else and does
// not belong to a definition.
func (w *walker) summary(root syntax.Node) {
	docs := lang.CommentsOf(w.b)
	last := uint32(0) // line on which the comment before ends
	block := false
	flush := func(next syntax.Node) bool {
		attached := !next.IsZero() && w.b.Line(next.Start()) <= last+1 && !next.Is("import_statement") && !isDirectiveStatement(next)
		comment := docs.Pending()
		if comment == "" || lang.LooksLikeLicense(comment) {
			return false
		}
		// A few words above an import are a caption of the imports.
		caption := !block && next.Is("import_statement") && w.b.Line(next.Start()) <= last+1 && len(strings.Fields(comment)) < 4
		if fileTag.MatchString(comment) || !attached && !caption && !captionText.MatchString(comment) {
			text, _ := describe(comment)
			w.b.SetSummary(text)
			return text != ""
		}
		return false
	}
	for c := range root.NamedChildren {
		if c.Is("comment", "html_comment") {
			// Comments with a blank line between are separate.
			if last > 0 && (w.b.Line(c.Start()) > last+1 || strings.HasPrefix(c.Text(), "/*")) && flush(syntax.Node{}) {
				return
			}
			block = strings.HasPrefix(c.Text(), "/*")
			docs.Add(c, 0)
			last = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
			continue
		}
		if c.Is("hash_bang_line") {
			continue
		}
		if flush(c) || !isDirectiveStatement(c) {
			return
		}
	}
	flush(syntax.Node{})
}

// isDirectiveStatement recognises "use strict" and its like.
func isDirectiveStatement(n syntax.Node) bool {
	return n.Is("expression_statement") && n.FirstChild().Is("string")
}
