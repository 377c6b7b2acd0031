package html

import (
	"bytes"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// raw takes the file of a script element.
func (d *document) raw(t *tag) {
	if t.name == "script" {
		d.file(t.attr("src"))
	}
}

// link takes what a link element loads.
func (d *document) link(t *tag) {
	for _, rel := range strings.Fields(strings.ToLower(t.value("rel"))) {
		switch rel {
		case "stylesheet", "stylesheet/less", "modulepreload", "preload", "prefetch", "import", "manifest", "pug-import":
			d.file(t.attr("href"))
			return
		}
	}
}

// page takes a link to another document.
func (d *document) page(a *attribute) {
	if a == nil {
		return
	}
	switch strings.ToLower(path.Ext(location(a.value))) {
	case ".html", ".htm", ".xhtml", ".md", ".shtml", ".adoc", ".rst":
		d.file(a)
	}
}

// file takes an attribute that names a file.
func (d *document) file(a *attribute) {
	if a == nil {
		return
	}
	if m := location(a.value); m != "" {
		d.addImport(facts.Import{Module: m}, a.start)
	}
}

// location is the file that an address names, "" for one elsewhere. Template
// code before a path ("{{ site.baseurl }}/a.css") is dropped; of an address that
// is nothing else, the one quoted path in it is taken ("{% static 'a.css' %}").
func location(value string) string {
	value = strings.TrimSpace(value)
	if strings.ContainsAny(value, "{<") {
		plain := strings.TrimSpace(stripMarks(value))
		switch {
		case strings.Contains(plain, " "):
			return ""
		case plain == "":
			value = quotedPath(value)
		default:
			value = plain
			if path.Ext(value) == "" {
				return ""
			}
		}
	}
	if k := strings.IndexAny(value, "?#"); k >= 0 {
		value = value[:k]
	}
	if value == "" || strings.Contains(value, ":") || strings.HasPrefix(value, "//") || strings.ContainsAny(value, "{}<>$*|\\ \t\n@") || len(value) > facts.MaxName {
		return ""
	}
	return value
}

// quotedPath is the only quoted text with an extension in template code.
func quotedPath(code string) string {
	found, folder := "", ""
	for _, q := range literals(code) {
		switch ext := path.Ext(q); {
		case q == "static" && strings.Contains(code, "url_for"):
			folder = "static/" // of Flask
		case len(ext) > 1 && len(ext) < 12 && !strings.Contains(q, "://") && !strings.HasPrefix(q, "."):
			if found != "" {
				return ""
			}
			found = q
		}
	}
	if found == "" {
		return ""
	}
	return folder + found
}

// literals lists the quoted texts of template code.
func literals(code string) []string {
	var out []string
	for i := 0; i < len(code) && len(out) < 50; i++ {
		q := code[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		k := strings.IndexByte(code[i+1:], q)
		if k < 0 {
			continue
		}
		out = append(out, code[i+1:i+1+k])
		i += k + 1
	}
	return out
}

// benchpress reads comments that include a file: server side includes and
// "IMPORT" of Benchpress.
func (d *document) benchpress(start, end int) {
	text := strings.ToValidUTF8(string(d.src[start:min(end, start+500)]), "")
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<!--"), "-->")
	if strings.HasPrefix(text, "#include") {
		for _, q := range literals(text) {
			d.addImport(facts.Import{Module: q}, start)
		}
		d.comment = facts.Span{}
		return
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "IMPORT":
		if len(words) == 2 {
			d.addImport(facts.Import{Module: words[1]}, start)
		}
		d.comment = facts.Span{}
	case "IF", "ELSE", "ENDIF", "BEGIN", "END", "[if", "<![endif]":
		d.comment = facts.Span{}
	}
}

// smarty reads the marks of Smarty that name files and blocks.
func (d *document) smarty(at int) {
	text := d.src[at:min(len(d.src), at+300)]
	for _, word := range []string{"{include ", "{extends ", "{block "} {
		if !bytes.HasPrefix(text, []byte(word)) {
			continue
		}
		k := bytes.IndexByte(text, '}')
		if k < 0 {
			return
		}
		code := strings.ToValidUTF8(string(text[:k]), "")
		all := literals(code)
		if len(all) == 0 || !strings.Contains(code, "=") {
			return
		}
		if word != "{block " {
			if strings.Contains(code, "file=") {
				d.addImport(facts.Import{Module: all[0]}, at)
			}
			return
		}
		if from := strings.Index(code, all[0]); strings.Contains(code, "name=") {
			d.add(facts.Symbol{
				Name: all[0], Kind: facts.KindKey, Signature: code + "}", Doc: d.doc(at),
				Span:     facts.Span{Start: uint32(at), End: uint32(at + k + 1)},
				NameSpan: facts.Span{Start: uint32(at + from), End: uint32(at + from + len(all[0]))},
			}, -1)
		}
		return
	}
}

// frontMatter reads the keys between two lines of "---" at the top, which site
// generators give a page, and returns the offset behind them.
func (d *document) frontMatter() int {
	const most = 20_000
	if !bytes.HasPrefix(d.src, []byte("---")) {
		return 0
	}
	head := d.src[:min(len(d.src), most)]
	at := 0
	for n := 0; at < len(head); n++ {
		end := len(head)
		if k := bytes.IndexByte(head[at:], '\n'); k >= 0 {
			end = at + k
		}
		line := strings.TrimRight(strings.ToValidUTF8(string(head[at:end]), ""), " \r\t")
		if n == 0 && line != "---" {
			return 0
		}
		if n > 0 && line == "---" {
			return min(end+1, len(d.src))
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch key {
		case "title":
			d.title = value
		case "description", "excerpt":
			if len(value) > 3 {
				d.description = value
			}
		case "layout":
			if value != "null" && value != "none" && value != "false" {
				d.addImport(facts.Import{Module: value}, at)
			}
		}
		at = end + 1
	}
	return 0
}
