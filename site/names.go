package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// Lengths of the names of pages, in bytes.
const (
	maxSlug = 48
	hashLen = 10 // hexadecimal digits
)

// pageNames gives the file names of the pages of directories. They hold nothing
// but lower-case letters, digits and hyphens, so that they are one file each on
// systems that fold case, and a part of the digest of the path, so that they do
// not depend on what other directories there are.
func pageNames(paths []string) []string {
	out := make([]string, len(paths))
	taken := make(map[string]bool, len(paths))
	for i, p := range paths {
		sum := sha256.Sum256([]byte(p))
		digest := hex.EncodeToString(sum[:])
		for n := hashLen; ; n++ {
			name := slug(p) + "-" + digest[:min(n, len(digest))] + ".html"
			if !taken[name] || n > len(digest) {
				taken[name], out[i] = true, name
				break
			}
		}
	}
	return out
}

// slug is the end of a path in the characters that are safe everywhere.
func slug(p string) string {
	if p == "" {
		return "root"
	}
	var b strings.Builder
	hyphen := false
	for _, r := range strings.ToLower(p) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if hyphen && b.Len() > 0 {
				b.WriteByte('-')
			}
			hyphen = false
			b.WriteRune(r)
			continue
		}
		hyphen = true
	}
	s := b.String()
	if len(s) > maxSlug {
		s = s[len(s)-maxSlug:]
		if _, whole, ok := strings.Cut(s, "-"); ok && whole != "" {
			s = whole
		}
	}
	if s == "" {
		return "d"
	}
	return s
}

// anchor is the id of a file on the page of its directory. The front end
// computes the same from the name that is shown (web/src/data.ts).
func anchor(shown string) string {
	var b strings.Builder
	b.WriteString("f-")
	for i := range len(shown) {
		c := shown[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "~%02x", c)
		}
	}
	return b.String()
}

// symbolAnchor is the id of the definition on a line of a file. No escape of a
// name begins with the letter.
func symbolAnchor(file string, line uint32) string { return file + "~L" + strconv.Itoa(int(line)) }

// shown is a name as people see it: what is invisible, or would reorder its
// neighbours, is written as an escape.
func shown(name string) string {
	name = plaintext.Terminal(name)
	if strings.ContainsAny(name, "\n\t") {
		name = strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(name)
	}
	return name
}

// number groups the digits of n.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// plural joins a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok {
		return number(n) + " " + base + "ies"
	}
	return number(n) + " " + noun + "s"
}

// SourceURL makes addresses of sources from a pattern.
type SourceURL struct{ pattern, commit string }

// ParseSourceURL reads a pattern such as
// https://example.org/o/r/blob/{commit}/{path}#L{line}. It has to be an http or
// https address of a host without a user, name {path}, and be the same host
// whatever is put in. commit is "" where there is none, and must not be named
// then.
func ParseSourceURL(pattern, commit string) (*SourceURL, error) {
	sample := strings.NewReplacer("{commit}", "c", "{path}", "p", "{line}", "1").Replace(pattern)
	u, err := url.Parse(sample)
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(pattern, "https://"), "http://"), "/")
	switch {
	case err != nil:
		return nil, fmt.Errorf("is not an address")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !strings.Contains(pattern, "://"):
		return nil, fmt.Errorf("has to begin with https:// or http:// and a host")
	case u.User != nil:
		return nil, fmt.Errorf("must not hold a user or a password")
	case strings.ContainsAny(host, "{}?#\\"):
		return nil, fmt.Errorf("{commit}, {path} and {line} must not be part of the host")
	case !strings.Contains(pattern, "{path}"):
		return nil, fmt.Errorf("has to hold {path}")
	case strings.ContainsAny(sample, "{}") || plaintext.Terminal(pattern) != pattern || strings.ContainsAny(pattern, " \t\n\"<>\\"):
		return nil, fmt.Errorf("may hold {commit}, {path} and {line}, and no spaces, quotes or other braces")
	case commit == "" && strings.Contains(pattern, "{commit}"):
		return nil, fmt.Errorf("names {commit}, and what is shown is no commit")
	}
	return &SourceURL{pattern, commit}, nil
}

// Of is the address of a line of a file; line 0 is the file as a whole.
func (s *SourceURL) Of(path string, line uint32) string {
	if s == nil {
		return ""
	}
	p := s.pattern
	if line == 0 {
		// A fragment says nothing then, and elsewhere a line is needed.
		if head, fragment, ok := strings.Cut(p, "#"); ok && strings.Contains(fragment, "{line}") {
			p = head
		}
		line = 1
	}
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.NewReplacer("{commit}", url.PathEscape(s.commit), "{path}", strings.Join(parts, "/"), "{line}", strconv.Itoa(int(line))).Replace(p)
}
