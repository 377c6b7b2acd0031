package sarif

import (
	"path"
	"strings"
	"unicode/utf8"
)

// maxURI is the longest uri of a file in bytes; no path of a system is longer.
const maxURI = 4096

// reference names a file as results and bases do.
type reference struct {
	uri, base string
	// index is that of an artifact of the run, where no uri is given.
	index int
}

// bases are what relative uris of a run are relative to.
type bases struct {
	defined map[string]reference
	// mapped names the bases of which the run says that they are the root of the
	// repository.
	mapped map[string]bool
	// roots are directories whose contents are that of the repository: those that
	// the caller gave first, then absolute uris of bases that mean the root.
	roots []string
}

// maxChain bounds how many bases stand on one another, and how many add a root.
const maxChain = 16

// rootNames are names of bases that by convention mean the root of the sources,
// in lower case and without percent signs. Trivy uses ROOTPATH.
var rootNames = map[string]bool{
	"srcroot": true, "sourceroot": true, "rootpath": true, "projectroot": true, "reporoot": true, "repositoryroot": true, "root": true,
}

// isRoot tells whether a base means the root of the repository wherever it is on
// the machine where the report was made.
func (b *bases) isRoot(id string) bool {
	return b.mapped[id] || rootNames[strings.ToLower(strings.Trim(id, "%"))]
}

// settle adds the absolute uris of bases that mean the root to the roots. names
// are those of all bases, sorted.
func (b *bases) settle(given, names []string) {
	b.roots = append(b.roots, given...)
	for _, id := range names {
		ref := b.defined[id]
		if !b.isRoot(id) || ref.base != "" {
			continue
		}
		// The whole machine as root would let in every path there is.
		p, kind := decodeURI(ref.uri)
		if kind == absoluteURI && len(path.Clean(p)) > len("C:/") && len(b.roots) < len(given)+maxChain {
			b.roots = append(b.roots, path.Clean(p))
		}
	}
}

// resolve finds the path in the repository that a reference names.
//
// Against the letter of the format a base that means the root holds whatever its
// uri: reports are read on other machines and in other directories than where
// they were made. Only where its uri is below a root that the caller gave does it
// mean the directory there.
func (b *bases) resolve(ref reference) (clean string, why Reason, ok bool) {
	p, kind := decodeURI(ref.uri)
	switch kind {
	case emptyURI, brokenURI:
		return "", BadURI, false
	case otherURI:
		return "", NotAFile, false
	}
	id := ref.base
	for range maxChain {
		if kind == absoluteURI {
			for _, root := range b.roots {
				if rel, ok := below(root, p); ok {
					return checked(rel)
				}
			}
			return "", OutsideRepository, false
		}
		if id == "" {
			return checked(p)
		}
		base, known := b.defined[id]
		under, baseKind := decodeURI(base.uri)
		if baseKind == absoluteURI {
			whole := path.Join(under, p)
			for _, root := range b.roots {
				if rel, ok := below(root, whole); ok {
					return checked(rel)
				}
			}
		}
		switch {
		case b.isRoot(id) && (baseKind == absoluteURI || baseKind == emptyURI && base.base == ""):
			return checked(p)
		case baseKind == absoluteURI:
			return "", OutsideRepository, false
		case !known, baseKind != relativeURI && (baseKind != emptyURI || base.base == ""):
			return "", UnknownBase, false
		}
		// A relative base stands on another one, or on the root.
		p, id = path.Join(under, p), base.base
	}
	return "", UnknownBase, false
}

type uriKind uint8

const (
	relativeURI uriKind = iota
	absoluteURI
	emptyURI  // nothing is given
	otherURI  // of another scheme than file
	brokenURI // names no file of any system
)

// decodeURI makes a path with slashes of a uri, or of a path of any system where
// a tool writes that. Question marks and number signs are parts of names: reports
// give no queries, but tools forget to escape. A percent sign that begins no
// escape is itself, for the same reason.
func decodeURI(uri string) (string, uriKind) {
	if uri == "" {
		return "", emptyURI
	}
	if len(uri) > maxURI {
		return "", brokenURI
	}
	p, file := uri, false
	if n := strings.IndexByte(p, ':'); n > 1 && isScheme(p[:n]) {
		if !strings.EqualFold(p[:n], "file") {
			return "", otherURI
		}
		p, file = p[n+1:], true
	}
	p = strings.ReplaceAll(unescape(p), `\`, "/")
	if !utf8.ValidString(p) {
		return "", brokenURI
	}
	for _, c := range p {
		if c < 0x20 || c == 0x7f || c == utf8.RuneError {
			return "", brokenURI
		}
	}
	if file && strings.HasPrefix(p, "//") {
		// An empty host, this one, or a server.
		host, rest, _ := strings.Cut(p[2:], "/")
		if host == "" || strings.EqualFold(host, "localhost") {
			p = "/" + rest
		} else if isDrive(host) { // file://C:/x is common and wrong
			p = p[2:]
		}
	}
	if len(p) > 2 && p[0] == '/' && isDrive(p[1:]) {
		p = p[1:]
	}
	if isDrive(p) {
		return strings.ToUpper(p[:1]) + p[1:], absoluteURI
	}
	if file || strings.HasPrefix(p, "/") {
		return p, absoluteURI
	}
	return p, relativeURI
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// isDrive tells whether a path begins with a drive such as C:, which stands alone
// or in front of a slash.
func isDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z' && (len(p) == 2 || p[2] == '/')
}

func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, ok := unhex(s[i+1])
			low, also := unhex(s[i+2])
			if ok && also {
				out = append(out, high<<4|low)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// below is the path of p relative to a root, both absolute.
func below(root, p string) (string, bool) {
	p = path.Clean(p)
	if root == "/" {
		return strings.TrimPrefix(p, "/"), strings.HasPrefix(p, "/")
	}
	rel, ok := strings.CutPrefix(p, root)
	if !ok || !strings.HasPrefix(rel, "/") && rel != "" && !strings.HasSuffix(root, "/") {
		return "", false
	}
	return strings.TrimPrefix(rel, "/"), true
}

// checked cleans a relative path. It is refused where it leads out of the
// repository, is the repository itself, or lies in the data of git.
func checked(p string) (string, Reason, bool) {
	if strings.HasPrefix(p, "/") || isDrive(p) {
		return "", OutsideRepository, false
	}
	c := path.Clean(p)
	switch {
	case c == ".", len(c) > maxURI:
		return "", BadURI, false
	case c == "..", strings.HasPrefix(c, "../"), c == ".git", strings.HasPrefix(c, ".git/"):
		return "", OutsideRepository, false
	}
	return c, 0, true
}
