package registry

import (
	"errors"
	"strings"
	"testing"
)

var someDigest = "sha256:" + strings.Repeat("0a", 32)

func TestParseReference(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Reference
	}{
		{"oci://registry.example.com/owner/maps", Reference{Host: "registry.example.com", Repository: "owner/maps"}},
		{"OCI://Registry.example.COM/owner/maps:v1.2", Reference{Host: "registry.example.com", Repository: "owner/maps", Tag: "v1.2"}},
		{"oci://localhost:5000/a@" + someDigest, Reference{Host: "localhost:5000", Repository: "a", Digest: someDigest}},
		{"oci://h/a/b__c/d-e.f:Tag_1@" + someDigest, Reference{Host: "h", Repository: "a/b__c/d-e.f", Tag: "Tag_1", Digest: someDigest}},
		{"oci://[::1]:5000/a:b", Reference{Host: "[::1]:5000", Repository: "a", Tag: "b"}},
		{"oci://[2001:db8::1]/a", Reference{Host: "[2001:db8::1]", Repository: "a"}},
	} {
		got, err := ParseReference(c.in)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.in, got, err)
			continue
		}
		if again, err := ParseReference(got.String()); err != nil || again != got {
			t.Errorf("%s is written as %s: %+v, %v", c.in, got, again, err)
		}
	}
	for in, says := range map[string]string{
		"registry.example.com/a":               "does not begin with oci://",
		"oci://":                               "no name of a host",
		"oci://h":                              "no repository behind the host h",
		"oci://h/":                             "no repository",
		"oci:///a":                             "no name of a host",
		"oci://h:/a":                           "no name of a host",
		"oci://h:0/a":                          "no name of a host",
		"oci://h:65536/a":                      "no name of a host",
		"oci://h:05/a":                         "no name of a host",
		"oci://h_/a":                           "no name of a host",
		"oci://-h/a":                           "no name of a host",
		"oci://h..x/a":                         "no name of a host",
		"oci://::1/a":                          "no name of a host",
		"oci://[::1/a":                         "no name of a host",
		"oci://[::1%25eth0]/a":                 "no name of a host",
		"oci://[1.2.3.4]/a":                    "no name of a host",
		"oci://h?x/a":                          "no name of a host",
		"oci://h/A":                            "lower case",
		"oci://h/a//b":                         "no name of a repository",
		"oci://h/../a":                         "no name of a repository",
		"oci://h/a/":                           "no name of a repository",
		"oci://h/a?x=1":                        "no name of a repository",
		"oci://h/a%2fb":                        "no name of a repository",
		"oci://h/a\n":                          "no name of a repository",
		"oci://h/a:":                           "no tag",
		"oci://h/a:.x":                         "no tag",
		"oci://h/a:b:c":                        "no tag",
		"oci://h/a:" + repeat("x", 129):        "no tag",
		"oci://h/a@":                           "the digest behind @",
		"oci://h/a@sha256:00":                  "the digest behind @",
		"oci://h/a@sha512:" + repeat("0", 128): "the digest behind @",
		"oci://h/" + repeat("x", 255):          "more than 255",
		"oci://user:secret@h/a":                "user name or password",
		"oci://secret@h":                       "user name or password",
	} {
		_, err := ParseReference(in)
		if !errors.Is(err, ErrReference) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", in, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats a password: %v", in, err)
		}
	}
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "x.localhost": true, "127.0.0.1:5000": true, "127.9.9.9": true, "[::1]:80": true, "[::1]": true,
		"::1": true, "example.com": false, "localhost.example.com": false, "128.0.0.1": false, "[::2]:80": false, "127.0.0.1.example.com": false,
	} {
		if got := isLoopback(host); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}

func FuzzParseReference(f *testing.F) {
	for _, s := range []string{"oci://registry.example.com/owner/maps:v1", "oci://[::1]:5000/a@" + someDigest, "oci://user:pw@h/a", "oci://h:1/a:b@sha256:", "oci:///", "oci://[/a", "oci://:/a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseReference(s)
		if err != nil {
			if !errors.Is(err, ErrReference) || r != (Reference{}) {
				t.Fatalf("%q: %+v, %v", s, r, err)
			}
			return
		}
		if again, err := ParseReference(r.String()); err != nil || again != r {
			t.Fatalf("%q: %+v is read back as %+v, %v", s, r, again, err)
		}
		// What goes into an address has no way to mean another place.
		if strings.ContainsAny(r.Host, "/@?#\\% \t\r\n") || strings.ContainsAny(r.Repository+r.Tag, "@?#\\%: \t\r\n") || strings.Contains(r.Repository, "..") && strings.Contains(r.Repository, "/../") {
			t.Fatalf("%q: %+v", s, r)
		}
	})
}
