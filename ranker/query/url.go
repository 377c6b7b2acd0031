package query

import (
	"net/url"
	"strings"
)

// isURLEnd reports whether c cannot be part of a URL in running text.
func isURLEnd(c byte) bool {
	switch c {
	case ' ', '\t', '<', '>', '"', '\'', '`', ')', ']', '|', '}', '{':
		return true
	}
	return false
}

// cutURLs returns line with every URL and Markdown image replaced by a space,
// and calls visit with each URL in order.
func cutURLs(line string, visit func(string)) string {
	if !strings.Contains(line, "://") {
		return line
	}
	var b strings.Builder
	from := 0 // start of the text not yet copied
	for i := 0; ; {
		k := strings.Index(line[i:], "://")
		if k < 0 {
			break
		}
		k += i
		a := k
		for a > from && (isAlpha(line[a-1]) || line[a-1] == '-' || line[a-1] == '+') {
			a--
		}
		e := k + 3
		for e < len(line) && !isURLEnd(line[e]) {
			e++
		}
		i = e
		if a == k {
			continue
		}
		u := strings.TrimRight(line[a:e], ".,;:!?*")
		visit(u)
		e = a + len(u)
		// The alternative text of an image says nothing.
		if x := strings.LastIndex(line[from:a], "!["); x >= 0 && strings.HasSuffix(line[from:a], "](") {
			a = from + x
			if e < len(line) && line[e] == ')' {
				e++
				i = e
			}
		}
		b.WriteString(line[from:a])
		b.WriteByte(' ')
		from = e
	}
	b.WriteString(line[from:])
	return b.String()
}

// sourceURL returns the path and line a source-browsing URL points to: the
// blob, tree, raw, blame and edit pages of GitHub, GitLab, Gitea and Bitbucket
// on any host, and raw.githubusercontent.com. The revision is taken to be one
// component (after refs/heads or refs/tags the third); a branch name with a
// slash leaves its rest in front of the path.
func sourceURL(u string) (file string, line int, dir, ok bool) {
	_, rest, found := strings.Cut(u, "://")
	if !found {
		return "", 0, false, false
	}
	rest, frag, _ := strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	seg := strings.SplitN(rest, "/", 64)
	if len(seg) < 5 {
		return "", 0, false, false
	}
	at := 0 // index of the revision
	if strings.HasPrefix(seg[0], "raw.") {
		at = 3
		if seg[at] == "blob" || seg[at] == "raw" {
			at++
		}
	}
	for i := 3; at == 0 && i < len(seg)-1; i++ {
		switch seg[i] {
		case "blob", "raw", "blame", "edit", "tree":
			at = i + 1
			dir = seg[i] == "tree"
		case "src":
			if strings.Contains(seg[0], "bitbucket") {
				at = i + 1
			} else if i+2 < len(seg) && (seg[i+1] == "branch" || seg[i+1] == "commit" || seg[i+1] == "tag") {
				at = i + 2
			}
		}
	}
	if at == 0 {
		return "", 0, false, false
	}
	if at+2 < len(seg) && seg[at] == "refs" {
		at += 2
	}
	if at+1 >= len(seg) {
		return "", 0, false, false
	}
	file = strings.Join(seg[at+1:], "/")
	if d, err := url.PathUnescape(file); err == nil {
		file = d
	}
	file = cleanPath(file)
	if l, isLines := strings.CutPrefix(frag, "lines-"); isLines { // Bitbucket
		frag = "L" + l
	}
	line, _ = lineSuffix("#" + frag)
	dir = dir && !strings.Contains(file[strings.LastIndexByte(file, '/')+1:], ".") || strings.HasSuffix(file, "/")
	file = strings.TrimRight(file, "/")
	return file, line, dir, file != ""
}

// servedPath returns the file part of the URL of a stack frame: webpack://,
// file://, http:// and the like, without query and bundler prefixes.
func servedPath(u string) string {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return u
	}
	rest, _, _ = strings.Cut(rest, "?")
	if scheme != "file" && !strings.HasPrefix(rest, "/") {
		// The authority of http, the package name of webpack.
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[i:]
		}
	}
	for strings.HasPrefix(rest, "/(") { // webpack layers: (ssr)/./src
		i := strings.IndexByte(rest, ')')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
	}
	return rest
}
