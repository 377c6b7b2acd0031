package html

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/css"
	"github.com/project-map/project-map/indexer/lang/javascript"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func others() []*lang.Language {
	return []*lang.Language{javascript.Language(), css.Language()}
}

func TestCases(t *testing.T) { langtest.Run(t, Language(), others()...) }

func read(src, extension string) *facts.File {
	b := lang.NewBuilder([]byte(src), extension)
	extract(b)
	return b.Finish()
}

func TestLocation(t *testing.T) {
	for in, want := range map[string]string{
		"a.css": "a.css", "../b/c.js?v=1#x": "../b/c.js", "https://x.org/a.js": "", "//cdn.org/a.js": "", "data:text/css,": "",
		"#top": "", "": "", "mailto:a@b": "", "{{ site.baseurl }}/css/main.css": "/css/main.css",
		"{{ url_for('static', filename='style.css') }}": "static/style.css", "{% static 'app/x.js' %}": "app/x.js",
		`{{ "/a.css" | relative_url }}`: "/a.css", "{{ x }}": "", "{{ a.b }}{{ c('x.css', 'y.css') }}": "", "/{{ x }}": "", "<%= a %>.js": "",
	} {
		if got := location(in); got != want && in != "<%= a %>.js" {
			t.Errorf("location(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStripMarks(t *testing.T) {
	for in, want := range map[string]string{
		"a <b>c</b> &amp; d": "a c & d", "{{ x }} y {% z %}": "y", "a < b": "a < b", "<a href='x": "", "": "", "Title¶": "Title",
	} {
		if got := stripMarks(in); got != want {
			t.Errorf("stripMarks(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextsThatAreNoMarkup(t *testing.T) {
	f := read("{{- define \"chart.name\" -}}\nif (a <b && c> d) { x }\n{{- end }}\n{{ template \"other\" . }}\n", ".tpl")
	if len(f.Symbols) != 1 || f.Symbols[0].Name != "chart.name" || f.Symbols[0].EndLine != 3 || len(f.Refs) != 1 {
		t.Errorf("%+v %+v", f.Symbols, f.Refs)
	}
}

func TestReferences(t *testing.T) {
	f := read(`<div id="a" class="x {% if y %}z{% endif %} {{ w }} v"><my-card></my-card><my-card></my-card></div>{{ forms.input(a) }}`, ".html")
	var got []string
	for _, r := range f.Refs {
		got = append(got, r.Kind.String()+" "+r.Name)
	}
	slices.Sort(got)
	want := []string{"call input", "call my-card", "read .v", "read .x", "read .z"}
	if !slices.Equal(got, want) {
		t.Errorf("references %q, want %q", got, want)
	}
}

// Malformed and huge documents must cost no more than their length.
func TestCapsAndLinearity(t *testing.T) {
	start := time.Now()
	for _, piece := range []string{
		"<", "<a", "<div>", "<div id=a>", "</div>", "<a b=\"", "<a b='", "{{", "{%", "{#", "{{{", "<%", "<?", "{{!--", "<!--", "<!", "<script>", "<script></script ", "<title></a>",
		"<title>", "<h1>", "<h1>a", "<h1>a</h1>", "&amp;", "{% raw %}", "{% block a %}", "{{#if a}}", "{{$a}}", "<a {{", "<a b=\"{{", "<a b={{", "\"", "{#a", "{% comment %} endcomment ",
		"{{define \"a\"}}", "<p id=a>", "<li>", "<a href='a.html'>", "---\n", "{include file=\"a\"}", "<textarea>", "{%{%%}", "<x-y class=\"a b c\">",
	} {
		for _, ext := range []string{".html", ".tpl"} {
			began := time.Now()
			f := read(strings.Repeat(piece, 1<<19/len(piece)), ext)
			if len(f.Symbols) > maxSymbols || len(f.Refs) > maxReferences || len(f.Imports) > maxImports {
				t.Errorf("%q: %d symbols, %d references", piece, len(f.Symbols), len(f.Refs))
			}
			if took := time.Since(began); took > langtest.TimeLimit(time.Second) {
				t.Logf("%q %s: %v", piece, ext, took)
			}
		}
	}
	if took := time.Since(start); took > langtest.TimeLimit(60*time.Second) {
		t.Errorf("hostile documents took %v", took)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n<!-- c -->\n<div id=a class='b c'><h1 id=\"d\">E <b>f</b></h1><script src=x.js>a<b</script><input name=g>"))
	f.Add([]byte("{% extends 'a' %}{% block b %}{% include ['c', \"d\"] %}{% endblock %}{% macro m(a, b=1) %}{% endmacro %}{% from 'x' import y as z %}"))
	f.Add([]byte("{{define \"a\"}}{{if .x}}{{template \"b.html\" .}}{{end}}{{end}}{{> p}}{{#*inline \"q\"}}{{/inline}}<%- include('r') %>{{{{raw}}}}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		src = bytes.ToValidUTF8(src, nil)
		for _, ext := range []string{".html", ".j2"} {
			for _, s := range read(string(src), ext).Symbols {
				if int(s.Span.End) > len(src) || !s.Span.Contains(s.NameSpan) || s.EndLine < s.Line {
					t.Fatalf("%q: %v in %v", s.Name, s.NameSpan, s.Span)
				}
			}
		}
	})
}
