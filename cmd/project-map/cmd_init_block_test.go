package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// FuzzMarkedBlock checks that taking a block out gives the file back byte for
// byte, and that putting it in again changes nothing.
func FuzzMarkedBlock(f *testing.F) {
	f.Add("", "body", 0, true)
	f.Add("# Rules", "a\n\nb\n", 0, true)
	f.Add("# Rules\r\n\r\ntext\r\n", "a\nb", 9, false)
	f.Add("repos:\n- repo: x\n\nci: 1\n", "- repo: local\n", 17, false)
	f.Add("a\r", "x", 0, false)
	f.Add("<!-- project-map: begin gap=2 created -->\nx\n<!-- project-map: end -->\n", "y", 0, true)
	f.Fuzz(func(t *testing.T, text, body string, at int, html bool) {
		k := hashComment
		if html {
			k = htmlComment
		}
		if strings.ContainsAny(body, "\r") || strings.Contains(body, "project-map: ") {
			return // bodies are templates of ours
		}
		// A block stands between lines.
		if at = strings.IndexByte(text[min(max(at, 0), len(text)):], '\n') + 1; at == 0 {
			at = -1
		}
		had, err := k.findBlock([]byte(text))
		out, setErr := k.setBlock([]byte(text), false, body, "", at)
		if (err == nil) != (setErr == nil) {
			t.Fatalf("find: %v, set: %v", err, setErr)
		}
		if err != nil {
			if !errors.Is(err, errDamagedBlock) {
				t.Fatal(err)
			}
			return
		}
		again, err := k.setBlock(out, false, body, "", -1)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("again: %v\n%q\n%q", err, out, again)
		}
		rest, found, _, err := k.dropBlock(out)
		if err != nil || !found {
			t.Fatalf("drop: %v, found %v in %q", err, found, out)
		}
		want := text
		if had != nil {
			without, _, _, err := k.dropBlock([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			want = string(without)
		}
		if string(rest) != want {
			t.Fatalf("put into %q, taken out: %q", text, rest)
		}
	})
}

// FuzzEndOfRepos checks that whatever a configuration holds, the place found in
// it lies between lines.
func FuzzEndOfRepos(f *testing.F) {
	f.Add("repos:\n  - repo: meta\n    hooks: []\n# end\nci: {}\n")
	f.Add("repos: []\n")
	f.Add("repos:\n- repo: a")
	f.Add("a: &x [1]\nrepos: *x\n")
	f.Add("repos:\n  # c\n\n  - - x\n...\n---\nb: 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		at, indent := endOfRepos([]byte(text))
		if at > len(text) || at > 0 && at < len(text) && text[at-1] != '\n' || strings.Trim(indent, " ") != "" {
			t.Fatalf("%d, %q of %d bytes", at, indent, len(text))
		}
	})
}
