package site_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/site"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var commits = [][2]string{{"internal/", "Retry later"}, {"", "First"}}

// nasty is text that means something else where it is not escaped.
var nasty = []string{
	`<script>window.hacked=1</script>`, `"><img src=x onerror=window.hacked=1>`, `'-window.hacked=1-'`,
	"</title></script><svg onload=window.hacked=1>", `{{.Site}}`, "a\u2028b\u202ec\u200d", `javascript:window.hacked=1`, `__proto__`,
}

// hostile is a repository whose names, comments and symbols are nasty.
func hostile() (repo, [][2]string) {
	r := repo{
		"README.md": "# " + nasty[0] + "\n\n" + nasty[1] + "\n",
		"a.py":      "import b\n\ndef __proto__():\n    \"\"\"" + nasty[3] + "\"\"\"\n",
		"b.py":      "class constructor:\n    \"\"\"" + nasty[1] + "\"\"\"\n",
		"Makefile":  "# " + nasty[1] + "\nall: # " + nasty[0] + "\n\techo '" + nasty[0] + "'\n",
	}
	var past [][2]string
	for i, n := range nasty {
		dir := strings.ReplaceAll(n, "/", "\\")
		r[dir+"/"+dir+".py"] = "# " + n + "\nimport a\n\ndef f" + fmt.Sprint(i) + "(x=\"" + strings.ReplaceAll(n, `"`, `\"`) + "\"):\n    '''" + strings.ReplaceAll(n, "'", "") + "'''\n"
		r[dir+"/"+dir+".md"] = "# " + n + "\n\n## " + n + "\n"
		past = append(past, [2]string{dir, n})
	}
	r["con/aux.go"] = "// Package con.\npackage con\n"
	r["CON/x.go"] = "package con\n"
	r["same/a\x01.go"] = "package x\n\n// A is one.\nfunc A() {}\n"
	r["same/a\\x01.go"] = "package x\n\n// B is one.\nfunc B() {}\n"
	r["bad\xff\x01\n/x\xfe.go"] = "package x\n"
	r[strings.Repeat("long directory/", 60)+"x.go"] = "package x\n"
	r["dir:with?*|/%2e%2e#frag.go"] = "package x\n\n// T is one.\ntype T struct{}\n"
	return r, past
}

func inputs(t *testing.T) map[string]*site.Input {
	h, past := hostile()
	source, err := site.ParseSourceURL("https://example.org/o/r/blob/{commit}/{path}?x#L{line}", strings.Repeat("ab", 20))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*site.Input{"shop": shop(t).input(t, commits...), "hostile": h.input(t, past...), "empty": repo{}.input(t)}
	out["hostile"].Source, out["hostile"].Title = source, nasty[1]
	bare := *out["shop"]
	bare.Indexes, bare.Maps, bare.References, bare.Log = nil, nil, nil, nil
	out["bare"] = &bare
	return out
}

func TestGolden(t *testing.T) {
	pages := build(t, shop(t).input(t, commits...))
	name := ""
	for p := range pages {
		if strings.HasPrefix(p, "dir/internal-queue-") {
			name = p
		}
	}
	for file, got := range map[string]string{"directory.golden.html": pages[name], "index.golden.html": pages["index.html"]} {
		golden := filepath.Join("testdata", file)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := diff.Diff(golden, want, "got", []byte(got)); d != nil {
			t.Errorf("the page differs; see what -update changes\n%s", d)
		}
	}
}

func TestSameBytes(t *testing.T) {
	h, past := hostile()
	want := build(t, h.input(t, past...))
	for _, n := range []int{1, 3, 16} {
		before := runtime.GOMAXPROCS(n)
		got := build(t, h.input(t, past...))
		runtime.GOMAXPROCS(before)
		if !maps.Equal(got, want) {
			t.Errorf("%d processors give another site", n)
		}
	}
}

var voids = []string{"meta", "link", "img", "br", "input", "hr"}

// element is a start tag with its attributes.
type element struct {
	name  string
	attrs map[string]string
	text  string // up to the next tag
}

// parse reads a page strictly: what is opened is closed, ids are unique.
func parse(t *testing.T, name, page string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.Entity = false, xml.HTMLEntity
	var out []element
	var open []string
	ids := map[string]bool{}
	for {
		tok, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attrs: map[string]string{}}
			for _, a := range tok.Attr {
				k := a.Name.Local
				if a.Name.Space != "" {
					k = a.Name.Space + ":" + k
				}
				if _, twice := e.attrs[k]; twice {
					t.Errorf("%s: <%s> has %s twice", name, e.name, k)
				}
				e.attrs[k] = a.Value
			}
			if id, ok := e.attrs["id"]; ok {
				if ids[id] {
					t.Errorf("%s: two elements have the id %q", name, id)
				}
				if id == "" || strings.ContainsAny(id, " \t\n") {
					t.Errorf("%s: the id %q is no id", name, id)
				}
				ids[id] = true
			}
			out = append(out, e)
			if !slices.Contains(voids, e.name) {
				open = append(open, e.name)
			}
		case xml.EndElement:
			if k := len(open) - 1; k < 0 || open[k] != tok.Name.Local {
				t.Fatalf("%s: </%s> closes %v", name, tok.Name.Local, open)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if k := len(out) - 1; k >= 0 && out[k].text == "" {
				out[k].text = string(tok)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %v is not closed", name, open)
	}
	return out
}

// TestPages reads every page: it is well-formed, every link leads somewhere, and
// nothing is run but the scripts of the site.
func TestPages(t *testing.T) {
	for label, in := range inputs(t) {
		t.Run(label, func(t *testing.T) {
			files := build(t, in)
			elements := map[string][]element{}
			ids := map[string]map[string]bool{}
			for name, text := range files {
				if strings.HasSuffix(name, ".html") {
					elements[name] = parse(t, name, text)
					ids[name] = map[string]bool{}
					for _, e := range elements[name] {
						ids[name][e.attrs["id"]] = true
					}
				}
			}
			if len(elements) < 3 {
				t.Fatalf("there are %d pages", len(elements))
			}
			links := 0
			for name, list := range elements {
				csp := false
				for _, e := range list {
					csp = csp || e.attrs["http-equiv"] == "Content-Security-Policy" && strings.HasPrefix(e.attrs["content"], "default-src 'none';")
					if slices.Contains([]string{"img", "svg", "style", "iframe", "object", "base", "form"}, e.name) {
						t.Errorf("%s has a <%s>", name, e.name)
					}
					for k, v := range e.attrs {
						if strings.HasPrefix(k, "on") || k == "style" || strings.HasPrefix(k, "xlink") {
							t.Errorf("%s: <%s %s=%q>", name, e.name, k, v)
						}
						if k != "href" && k != "src" {
							continue
						}
						links++
						if strings.HasPrefix(v, "https://example.org/o/r/blob/abab") {
							if e.attrs["rel"] != "noreferrer" {
								t.Errorf("%s: a link away without rel: %s", name, v)
							}
							continue
						}
						target, fragment, _ := strings.Cut(v, "#")
						if target != "" {
							target = path.Join(path.Dir(name), target)
						} else {
							target = name
						}
						if _, ok := files[target]; !ok {
							t.Errorf("%s links %s, which is not there", name, v)
						} else if fragment != "" && !strings.HasPrefix(fragment, "d=") && !ids[target][fragment] {
							t.Errorf("%s links %s, and there is no such id", name, v)
						}
						if e.name == "script" && !regexp.MustCompile(`^(assets|data)/[a-z]+\.js$`).MatchString(target) {
							t.Errorf("%s runs %s", name, v)
						}
					}
					if _, ok := e.attrs["src"]; e.name == "script" && !ok {
						t.Errorf("%s has a script of its own", name)
					}
				}
				if !csp {
					t.Errorf("%s has no policy", name)
				}
			}
			if links < 20 {
				t.Errorf("only %d links were looked at", links)
			}
		})
	}
}

// TestNames tells that names are shown as they are, and what cannot be seen as
// escapes.
func TestNames(t *testing.T) {
	h, past := hostile()
	files := build(t, h.input(t, past...))
	all := ""
	for name, text := range files {
		if strings.HasSuffix(name, ".html") {
			all += text
		}
		if !regexp.MustCompile(`^[a-z0-9/.-]+$`).MatchString(strings.ToLower(name)) || len(path.Base(name)) > 80 {
			t.Errorf("%q is not safe on every file system", name)
		}
	}
	for _, want := range []string{`&lt;script&gt;window.hacked=1&lt;\script&gt;.py`, `a\u2028b\u202ec\u200d`, `bad\xff\x01\n`, `id="f-~252e~252e~23frag.go"`, "__proto__", "javascript:window.hacked=1.py"} {
		if !strings.Contains(all, want) {
			t.Errorf("no page shows %s", want)
		}
	}
	if strings.ContainsAny(all, "\u2028\u202e\u200d\x01\x1b") {
		t.Error("something that cannot be seen reached a page")
	}
	folded := map[string]bool{}
	for name := range files {
		if low := strings.ToLower(name); folded[low] {
			t.Errorf("%s differs from another file by case alone", name)
		} else {
			folded[low] = true
		}
	}
}

// TestData reads the scripts of data as JSON in a call.
func TestData(t *testing.T) {
	for label, in := range inputs(t) {
		files := build(t, in)
		for _, name := range []string{"dirs", "edges", "files", "search"} {
			text := files["data/"+name+".js"]
			body, ok := strings.CutPrefix(text, `projectMap.data("`+name+`",`)
			body, end := strings.CutSuffix(body, ");\n")
			if !ok || !end || !json.Valid([]byte(body)) {
				t.Errorf("%s: data/%s.js is not a call with JSON", label, name)
			}
			if strings.ContainsAny(text, "<>\u2028\u2029\u202e") {
				t.Errorf("%s: data/%s.js holds what has to be escaped", label, name)
			}
		}
	}
}

func TestWhatPagesSay(t *testing.T) {
	in := shop(t).input(t, commits...)
	files := build(t, in)
	find := func(prefix string) string {
		for p, text := range files {
			if strings.HasPrefix(p, prefix) {
				return text
			}
		}
		t.Fatalf("there is no page %s", prefix)
		return ""
	}
	queue := find("dir/internal-queue-")
	for _, want := range []string{"Used by", "Recent commits", "Retry later", "commit abababababab"} {
		if !strings.Contains(queue, want) {
			t.Errorf("the page of internal/queue lacks %q", want)
		}
	}
	// A README without a heading at its top names nothing.
	if got := build(t, repo{"a.go": "package a\n"}.input(t))["index.html"]; !strings.Contains(got, "<title>Repository map</title>") {
		t.Error("there is no title where there is no README")
	}
	in.Title = "Mine"
	if got := build(t, in)["index.html"]; !strings.Contains(got, "<title>Mine</title>") {
		t.Error("the title is not what was asked for")
	}
}

func TestMismatch(t *testing.T) {
	in, other := shop(t).input(t), repo{"a.go": "package a\n"}.input(t)
	in.References = other.References
	if _, err := site.Build(t.Context(), in); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("references of other files: %v", err)
	}
}

func TestSourceURL(t *testing.T) {
	for _, bad := range []string{
		"", "x", "/{path}", "javascript:alert(1)//{path}", "ftp://h/{path}", "https:{path}", "https:///{path}", "https://{path}", "https://{commit}.example.org/{path}",
		"https://u:p@h/{path}", "https://h/", "https://h/{path}{x}", "https://h/ {path}", "https://h/\"{path}", "https://h/<{path}", "https://h\\{path}", "https://h/{path}\u202e", "https://h?{path}", "data:text/html,{path}",
	} {
		if _, err := site.ParseSourceURL(bad, "c"); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	if _, err := site.ParseSourceURL("https://h/{commit}/{path}", ""); err == nil {
		t.Error("{commit} was accepted where there is none")
	}
	s, err := site.ParseSourceURL("https://h:8/b/{commit}/{path}#L{line}", "c0ffee")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		line uint32
		want string
	}{
		{"a/b.go", 7, "https://h:8/b/c0ffee/a/b.go#L7"},
		{"a/b.go", 0, "https://h:8/b/c0ffee/a/b.go"},
		{"a b/{commit}#?%<\"'\xff.go", 1, "https://h:8/b/c0ffee/a%20b/%7Bcommit%7D%23%3F%25%3C%22%27%FF.go#L1"},
	} {
		if got := s.Of(c.path, c.line); got != c.want {
			t.Errorf("%q line %d: %s, want %s", c.path, c.line, got, c.want)
		}
	}
	var none *site.SourceURL
	if none.Of("a", 1) != "" {
		t.Error("no pattern gives an address")
	}
}

func FuzzSourceURL(f *testing.F) {
	f.Add("https://h/{commit}/{path}#L{line}", "a/b", uint32(3))
	f.Add("http://h/x?p={path}&l={line}", "../\x00//", uint32(0))
	f.Fuzz(func(t *testing.T, pattern, file string, line uint32) {
		s, err := site.ParseSourceURL(pattern, "c0ffee")
		if err != nil {
			return
		}
		scheme, rest, _ := strings.Cut(pattern, "://")
		host, _, _ := strings.Cut(rest, "/")
		got := s.Of(file, line)
		if !strings.HasPrefix(got, scheme+"://"+host+"/") || strings.ContainsAny(got, "<>\" \n") {
			t.Errorf("%q with %q gives %q", pattern, file, got)
		}
	})
}

// TestLimits tells that a large repository is cut, and that the cut is said.
func TestLimits(t *testing.T) {
	site.CheckLimits(t, shop(t).input(t))
}
