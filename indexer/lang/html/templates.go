package html

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// mark reads the template code between two offsets and returns where to read
// on.
func (d *document) mark(start, end int) int {
	text := strings.ToValidUTF8(string(d.src[start:end]), "")
	switch {
	case strings.HasPrefix(text, "{#"), strings.HasPrefix(text, "{{!"), strings.HasPrefix(text, "<%#"), strings.HasPrefix(text, "<%--"),
		strings.HasPrefix(text, "{{/*"), strings.HasPrefix(text, "{{- /*"):
		if !strings.HasSuffix(text, "#}") && strings.HasPrefix(text, "{#") {
			return end
		}
		d.comment = facts.Span{Start: uint32(start), End: uint32(end)}
		d.b.MarkDoc(d.comment)
	case strings.HasPrefix(text, "{%"):
		return d.statement(start, end, text)
	case strings.HasPrefix(text, "{{"):
		d.expression(start, end, text)
	case strings.HasPrefix(text, "<%"):
		d.embedded(start, text)
	}
	return end
}

// inside is the code in a mark, and its offset in the mark.
func inside(text, trimSet string) (code string, at int) {
	from := 2
	for from < len(text) && (strings.IndexByte(trimSet, text[from]) >= 0 || isSpace(text[from])) {
		from++
	}
	to := len(text) - 2
	for to > from && (isSpace(text[to-1]) || strings.IndexByte("-~+}", text[to-1]) >= 0) {
		to--
	}
	if to < from {
		return "", from
	}
	return text[from:to], from
}

func isIdent(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c >= 0x80 }

func identEnd(s string, at int) int {
	for at < len(s) && isIdent(s[at]) {
		at++
	}
	return at
}

// opaque are blocks whose contents are no markup of this document.
var opaque = map[string]bool{
	"comment": true, "raw": true, "verbatim": true, "schema": true, "javascript": true, "stylesheet": true, "highlight": true,
	"style": true, "codeblock": true,
}

// statement reads "{% … %}" of Jinja and its kin.
func (d *document) statement(start, end int, text string) int {
	code, offset := inside(text, "-+~")
	stop := identEnd(code, 0)
	word, rest := code[:stop], code[stop:]
	from := start + offset + stop // of rest
	lead := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	rest, from = rest[lead:], from+lead
	switch word {
	case "extends", "include", "include_relative", "include_cached", "render", "embed", "use", "layout", "section", "sections", "ssi", "partial", "form_theme":
		d.includes(word, rest, from)
	case "import":
		d.includeAs(rest, from)
	case "from":
		d.fromImport(rest, from)
	case "macro", "component", "snippet", "partialdef":
		if s := d.define(facts.KindMacro, start, end, text, rest, from); s >= 0 && word == "macro" {
			if k := strings.IndexByte(rest, '('); k >= 0 {
				d.found[s].Params = params(rest[k+1:])
			}
			d.blocks = append(d.blocks, block{"endmacro", s})
		}
	case "block":
		s := d.define(facts.KindKey, start, end, text, rest, from)
		if after := strings.TrimSpace(rest[identEnd(rest, 0):]); after == "" || after == "scoped" || strings.HasPrefix(after, "required") || after == "scoped required" || strings.HasPrefix(after, "-") {
			d.blocks = append(d.blocks, block{"endblock", s})
		}
	case "set":
		name := rest[:identEnd(rest, 0)]
		if len(d.blocks) == 0 && d.owner() < 0 && name != "" && !d.seen["set"+name] && strings.HasPrefix(strings.TrimSpace(rest[len(name):]), "=") {
			d.seen["set"+name] = true
			d.define(facts.KindVariable, start, end, text, rest, from)
		}
	case "call":
		if strings.HasPrefix(rest, "(") {
			if k := strings.IndexByte(rest, ')'); k >= 0 {
				from += k + 1
				rest = rest[k+1:]
			}
		}
		lead := len(rest) - len(strings.TrimLeft(rest, " "))
		d.call(rest[lead:], from+lead)
	case "endblock", "endmacro":
		if n := len(d.blocks); n > 0 && d.blocks[n-1].name == word {
			d.closeBlock(end)
		}
	default:
		if opaque[word] {
			return d.passOver(word, end)
		}
	}
	return end
}

// passOver is the offset behind the statement that ends an opaque block.
func (d *document) passOver(word string, at int) int {
	if d.seen["unclosed"+word] {
		return at
	}
	for from := at; ; {
		k := bytes.Index(d.src[from:], []byte("end"+word))
		if k < 0 {
			d.seen["unclosed"+word] = true
			return at
		}
		from += k + 3 + len(word)
		before := bytes.TrimRight(d.src[max(at, from-3-len(word)-8):from-3-len(word)], " -\t+~")
		if bytes.HasSuffix(before, []byte("{%")) {
			if k := bytes.Index(d.src[from:min(len(d.src), from+200)], []byte("%}")); k >= 0 {
				return from + k + 2
			}
			return from
		}
	}
}

func (d *document) closeBlock(end int) {
	n := len(d.blocks) - 1
	if s := d.blocks[n].symbol; s >= 0 {
		d.found[s].Span.End = max(d.found[s].Span.End, uint32(end))
	}
	d.blocks = d.blocks[:n]
}

// define adds what template code names first in rest.
func (d *document) define(kind facts.Kind, start, end int, text, rest string, from int) int {
	skip := 0
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		skip = 1
	}
	stop := skip
	for stop < len(rest) && (isIdent(rest[stop]) || rest[stop] == '-' || rest[stop] == '.' || rest[stop] == '/' || skip == 1 && rest[stop] != rest[0] && rest[stop] != '\n') {
		stop++
	}
	name := rest[skip:stop]
	if name == "" || len(name) > facts.MaxName || d.b.Line(uint32(from)) == 0 {
		return -1
	}
	return d.add(facts.Symbol{
		Name: name, Kind: kind, Signature: text, Doc: d.doc(start),
		Span:     facts.Span{Start: uint32(start), End: uint32(end)},
		NameSpan: facts.Span{Start: uint32(from + skip), End: uint32(from + stop)},
	}, d.blockOwner())
}

func params(text string) []facts.Param {
	if k := strings.LastIndexByte(text, ')'); k >= 0 {
		text = text[:k]
	}
	var out []facts.Param
	depth, from := 0, 0
	for i := 0; i <= len(text) && len(out) < 50; i++ {
		if i < len(text) {
			switch text[i] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if text[i] != ',' || depth > 0 {
				continue
			}
		}
		name, _, _ := strings.Cut(text[from:i], "=")
		if name = strings.TrimSpace(name); name != "" && len(name) < 100 {
			out = append(out, facts.Param{Name: name})
		}
		from = i + 1
	}
	return out
}

// includes reads the templates that a statement names: a string, a list of them,
// or the bare file name of Jekyll.
func (d *document) includes(word, rest string, at int) {
	switch {
	case rest == "":
	case rest[0] == '"' || rest[0] == '\'':
		if all := literals(rest); len(all) > 0 {
			d.addImport(facts.Import{Module: all[0]}, at)
		}
	case rest[0] == '[' || rest[0] == '(':
		if k := strings.IndexAny(rest, "])"); k >= 0 {
			for _, m := range literals(rest[:k]) {
				d.addImport(facts.Import{Module: m}, at)
			}
		}
	case word == "include" || strings.HasPrefix(word, "include_"):
		name := strings.Fields(rest)[0]
		if strings.Contains(name, ".") && !strings.ContainsAny(name, "{}()'\"=|") && strings.IndexByte(name, '.') > 0 && word != "embed" {
			// A variable with a member has no extension of a template.
			switch ext := name[strings.LastIndexByte(name, '.'):]; ext {
			case ".html", ".md", ".svg", ".css", ".js", ".txt", ".liquid", ".htm", ".xml", ".json", ".markdown", ".tpl":
				d.addImport(facts.Import{Module: name}, at)
			}
		}
	}
}

// includeAs reads the rest of {% import "x" as y %}.
func (d *document) includeAs(rest string, at int) {
	all := literals(rest)
	if len(all) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return
	}
	i := facts.Import{Module: all[0]}
	if words := strings.Fields(rest[min(len(rest), len(all[0])+2):]); len(words) > 1 && words[0] == "as" {
		i.Alias = words[1]
	}
	d.addImport(i, at)
}

// fromImport reads the rest of {% from "x" import a, b as c %}.
func (d *document) fromImport(rest string, at int) {
	all := literals(rest)
	if len(all) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return
	}
	i := facts.Import{Module: all[0]}
	_, names, _ := strings.Cut(rest[min(len(rest), len(all[0])+2):], "import")
	for n := range strings.SplitSeq(names, ",") {
		words := strings.Fields(n)
		if len(words) == 0 || len(i.Names) > 50 {
			continue
		}
		one := facts.ImportedName{Name: words[0]}
		if len(words) > 2 && words[1] == "as" {
			one.Alias = words[2]
		}
		i.Names = append(i.Names, one)
	}
	d.addImport(i, at)
}

// call notes "name(…)" and "module.name(…)" at the start of template code.
func (d *document) call(code string, at int) {
	end := identEnd(code, 0)
	name, from := code[:end], 0
	for end < len(code) && code[end] == '.' {
		from = end + 1
		end = identEnd(code, from)
		name = code[from:end]
	}
	if end < len(code) && code[end] == '(' && name != "" && !(name[0] >= '0' && name[0] <= '9') && name != "super" {
		d.refer(facts.RefCall, name, at+from)
	}
}

// expression reads "{{ … }}": calls of Jinja, actions of Go templates, partials
// and blocks of Mustache and Handlebars.
func (d *document) expression(start, end int, text string) {
	code, offset := inside(text, "{~-")
	if code == "" {
		return
	}
	at := start + offset
	switch code[0] {
	case '>', '<':
		d.partial(code[1:], at+1)
		return
	case '$':
		// A block of Mustache; a variable of a Go template has more to it.
		if name := code[1:]; name != "" && identEnd(name, 0) == len(name) && !strings.Contains(text, " ") && d.lookups < 200 {
			d.lookups++
			if bytes.Contains(d.src[end:min(len(d.src), end+20_000)], []byte("{{/"+name)) {
				s := d.define(facts.KindKey, start, end, text, name, at+1)
				d.blocks = append(d.blocks, block{"/" + name, s})
			}
		}
		return
	case '#':
		rest := strings.TrimLeft(code[1:], " ")
		switch {
		case strings.HasPrefix(rest, ">"):
			d.partial(rest[1:], at+len(code)-len(rest)+1)
		case strings.HasPrefix(rest, "*inline"):
			name := strings.TrimLeft(rest[7:], " ")
			s := d.define(facts.KindMacro, start, end, text, name, at+len(code)-len(name))
			d.blocks = append(d.blocks, block{"/inline", s})
		}
		return
	case '/':
		if n := len(d.blocks); n > 0 && d.blocks[n-1].name == strings.TrimSpace(code) {
			d.closeBlock(end)
		}
		return
	}
	stop := identEnd(code, 0)
	word := code[:stop]
	rest := strings.TrimLeft(code[stop:], " \t")
	from := at + len(code) - len(rest)
	quoted := rest != "" && (rest[0] == '"' || rest[0] == '`')
	switch word {
	case "define", "block":
		if quoted {
			s := d.define(facts.KindMacro, start, end, text, rest, from)
			d.blocks = append(d.blocks, block{"end", s})
		}
	case "if", "range", "with":
		if rest != "" && rest[0] != '=' && rest[0] != '|' && d.goTemplate() {
			d.blocks = append(d.blocks, block{"end", -1})
		}
	case "end":
		if n := len(d.blocks); rest == "" && n > 0 && d.blocks[n-1].name == "end" {
			d.closeBlock(end)
		}
	case "template", "include", "partial", "partialCached", "tpl":
		if all := literals(rest); len(all) > 0 && (quoted || rest[0] == '\'' || rest[0] == '(') {
			if word != "partial" && word != "partialCached" {
				d.refer(facts.RefCall, all[0], from+1)
			}
			if k := strings.LastIndexByte(all[0], '.'); k > 0 && len(all[0])-k < 8 && !strings.HasSuffix(all[0], ".") && (word != "include" || strings.Contains(all[0], "/") || strings.HasSuffix(all[0], "html")) && d.hasFileExtension(all[0][k:]) {
				d.addImport(facts.Import{Module: all[0]}, from)
			}
		}
	default:
		d.call(code, at)
	}
}

// hasFileExtension tells "head.html" from "chart.name".
func (d *document) hasFileExtension(ext string) bool {
	switch ext {
	case ".html", ".htm", ".tmpl", ".tpl", ".gohtml", ".js", ".css", ".svg", ".txt", ".xml", ".json", ".md", ".toml", ".yaml", ".conf":
		return true
	}
	return false
}

// goTemplate tells files in which "{{ if … }}" has an "{{ end }}".
func (d *document) goTemplate() bool { return len(d.blocks) > 0 }

// partial takes the name of a partial of Mustache or Handlebars.
func (d *document) partial(code string, at int) {
	name := strings.TrimLeft(code, " \t\r\n*")
	at += len(code) - len(name)
	if name != "" && (name[0] == '"' || name[0] == '\'') {
		if all := literals(name); len(all) > 0 {
			d.addImport(facts.Import{Module: all[0]}, at)
		}
		return
	}
	if k := strings.IndexAny(name, " \t\r\n"); k >= 0 {
		name = name[:k]
	}
	if name != "" && !strings.ContainsAny(name, "(){}@|&=<>\"'") {
		d.addImport(facts.Import{Module: name}, at)
	}
}

// embedded reads "<% … %>": templates that EJS includes and ERB renders, and the
// directives of JSP.
func (d *document) embedded(start int, text string) {
	code, offset := inside(text, "-=_!")
	at := start + offset
	directive := strings.HasPrefix(code, "@")
	for _, word := range []string{"include", "render", "partial", "layout", "extends"} {
		k := strings.Index(code, word)
		if k < 0 || k > 0 && (isIdent(code[k-1]) || code[k-1] == '.') {
			continue
		}
		after := strings.TrimLeft(code[k+len(word):], " (")
		after = strings.TrimPrefix(after, "partial:")
		if directive {
			if _, file, ok := strings.Cut(after, "file="); ok {
				after = file
			}
		}
		after = strings.TrimLeft(after, " ")
		if after != "" && (after[0] == '"' || after[0] == '\'') {
			if all := literals(after); len(all) > 0 && !strings.ContainsAny(all[0], "#{} ") {
				d.addImport(facts.Import{Module: all[0]}, at+k)
			}
			return
		}
		if words := strings.Fields(after); word == "include" && k == 0 && len(words) == 1 && strings.Contains(after, "/") && !strings.ContainsAny(after, "()'\"+") {
			d.addImport(facts.Import{Module: words[0]}, at+k)
			return
		}
	}
}
