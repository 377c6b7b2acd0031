package registry

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

// Scheme begins every reference.
const Scheme = "oci://"

// Reference names an artifact: oci://HOST[:PORT]/REPOSITORY[:TAG][@sha256:DIGEST].
// The zero value is invalid.
type Reference struct {
	// Host is the registry, in lower case, with its port where one is given.
	Host string
	// Repository is its name there, such as owner/project.
	Repository string
	// Tag and Digest may both be empty; where both are given the digest counts.
	Tag string
	// Digest is that of a manifest, sha256: and 64 hexadecimal digits.
	Digest string
}

// The grammars are those of the OCI distribution specification.
var (
	repositoryName = lazyregexp.New(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$`)
	tagName        = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)
	hostName       = lazyregexp.New(`^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$`)
	digestText     = lazyregexp.New(`^sha256:[0-9a-f]{64}$`)
)

// maxName is the length of host and repository together that registries accept.
const maxName = 255

// IsReference tells whether a text is meant as a reference, valid or not.
func IsReference(s string) bool {
	return len(s) >= len(Scheme) && strings.EqualFold(s[:len(Scheme)], Scheme)
}

// ParseReference reads a reference. Errors are ErrReference; they never repeat a
// user name or password that somebody put into it.
func ParseReference(s string) (Reference, error) {
	wrong := func(format string, args ...any) (Reference, error) {
		return Reference{}, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrReference)
	}
	if !IsReference(s) {
		return wrong("it does not begin with %s", Scheme)
	}
	host, rest, slash := strings.Cut(s[len(Scheme):], "/")
	if strings.Contains(host, "@") {
		return wrong("it holds a user name or password, or has no repository")
	}
	host = strings.ToLower(host)
	if !validHost(host) {
		return wrong("%q is no name of a host with an optional port", host)
	}
	if !slash || rest == "" {
		return wrong("there is no repository behind the host %s", host)
	}
	r := Reference{Host: host}
	rest, r.Digest, slash = strings.Cut(rest, "@")
	if slash && !digestText.MatchString(r.Digest) {
		return wrong("the digest behind @ has to be sha256: and 64 hexadecimal digits in lower case")
	}
	var tagged bool
	r.Repository, r.Tag, tagged = strings.Cut(rest, ":")
	if tagged && !tagName.MatchString(r.Tag) {
		return wrong("%q is no tag: letters, digits, _ . and -, at most 128, and no . or - in front", r.Tag)
	}
	switch {
	case r.Repository != strings.ToLower(r.Repository):
		return wrong("the repository %q has to be in lower case", r.Repository)
	case !repositoryName.MatchString(r.Repository):
		return wrong("%q is no name of a repository", r.Repository)
	case len(r.Host)+len(r.Repository) > maxName:
		return wrong("host and repository have more than %d characters", maxName)
	}
	return r, nil
}

// ValidTag tells whether a text can be a tag.
func ValidTag(s string) bool { return tagName.MatchString(s) }

func validHost(s string) bool {
	name, port := splitHost(s)
	if strings.HasSuffix(s, ":") {
		return false
	}
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return false
		}
	}
	if inside, ok := strings.CutPrefix(name, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		a, err := netip.ParseAddr(inside)
		return ok && err == nil && a.Is6() && a.Zone() == ""
	}
	return hostName.MatchString(name)
}

// splitHost cuts the port off; an IPv6 address keeps its brackets.
func splitHost(s string) (name, port string) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") && (s[0] == '[' || strings.IndexByte(s, ':') == i) {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// isLoopback tells whether a host, with or without a port, is this machine.
func isLoopback(host string) bool {
	name, _ := splitHost(strings.ToLower(host))
	name = strings.Trim(name, "[]")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// String writes a reference as it is read.
func (r Reference) String() string {
	s := Scheme + r.Host + "/" + r.Repository
	if r.Tag != "" {
		s += ":" + r.Tag
	}
	if r.Digest != "" {
		s += "@" + r.Digest
	}
	return s
}

// Pinned is the reference with a digest, which always names the same bytes.
func (r Reference) Pinned(digest string) Reference {
	r.Digest = digest
	return r
}

// Name is the last part of the repository.
func (r Reference) Name() string { return r.Repository[strings.LastIndexByte(r.Repository, '/')+1:] }
