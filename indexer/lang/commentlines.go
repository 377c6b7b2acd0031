package lang

import (
	"bytes"
	"strings"
)

// CommentStyle is how a language that is read line by line writes comments.
type CommentStyle struct {
	// Line are the marks that make the rest of a line a comment.
	Line []string
	// Block tells whether there are comments between /* and */.
	Block bool
}

// Bounds of what is read of one comment.
const (
	maxCommentLines = 200
	maxCommentBytes = 12_000
)

// Above is the text of the comment lines right above the line that an
// offset stands in, without marks; "" for a licence notice and for a comment
// whose beginning is out of reach.
func (c CommentStyle) Above(src []byte, at int) string {
	low := max(0, at-maxCommentBytes)
	lineStart := func(end int) int { return bytes.LastIndexByte(src[low:end], '\n') + 1 + low }
	top := lineStart(at)
	from, block := top, false
	for n := 0; from > low; n++ {
		start := lineStart(from - 1)
		if n == maxCommentLines || start == low && low > 0 {
			return ""
		}
		line := bytes.TrimSpace(src[start : from-1])
		switch {
		case block:
			block = !bytes.HasPrefix(line, []byte("/*"))
		case c.Block && bytes.HasSuffix(line, []byte("*/")):
			block = !bytes.HasPrefix(line, []byte("/*"))
			if block && !closesBlock(line) {
				return CommentText(src[from:top])
			}
		case !c.Is(line):
			return CommentText(src[from:top])
		}
		from = start
	}
	if block {
		return ""
	}
	return CommentText(src[from:top])
}

// closesBlock tells a line of a block comment from code with a comment behind
// it.
func closesBlock(line []byte) bool { return !bytes.Contains(line, []byte("/*")) }

// Is tells whether a line, without space around it, is a comment.
func (c CommentStyle) Is(line []byte) bool {
	if bytes.HasPrefix(line, []byte("#!")) {
		return false
	}
	for _, m := range c.Line {
		if bytes.HasPrefix(line, []byte(m)) {
			return true
		}
	}
	return false
}

// Header is the text of the first comment block of a file that is no licence
// notice. attached tells that a definition follows it without a blank line.
func (c CommentStyle) Header(src []byte) (text string, attached bool) {
	src = src[:min(len(src), maxCommentBytes)]
	from, end := -1, 0
	block := false
	for at := 0; at < len(src); {
		next := len(src)
		if k := bytes.IndexByte(src[at:], '\n'); k >= 0 {
			next = at + k + 1
		}
		line := bytes.TrimSpace(src[at:next])
		opens := c.Block && bytes.HasPrefix(line, []byte("/*"))
		switch {
		case block || opens || c.Is(line):
			if from < 0 {
				from = at
			}
			if opens {
				block = true
			}
			if block && bytes.Contains(line, []byte("*/")) {
				block = false
			}
			end = next
		case bytes.HasPrefix(line, []byte("#!")):
		case from >= 0:
			if text := CommentText(src[from:end]); text != "" {
				return text, len(line) > 0
			}
			from = -1
			if len(line) > 0 {
				return "", false
			}
		case len(line) > 0:
			return "", false
		}
		at = next
	}
	if from < 0 || block {
		return "", false
	}
	return CommentText(src[from:end]), false
}

// CommentText is a comment without marks, rulers and the like.
func CommentText(raw []byte) string {
	var out []string
	for line := range strings.Lines(CleanComment(strings.ToValidUTF8(string(raw), ""))) {
		line = strings.TrimSpace(line)
		if bare := strings.Trim(line, "-=#*~_/+ "); bare == "" {
			line = ""
		} else if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===") {
			line = strings.Trim(line, "-=# ")
		}
		out = append(out, line)
	}
	text := strings.TrimSpace(strings.Join(out, "\n"))
	if LooksLikeLicense(text) {
		return ""
	}
	return text
}
