// Package lua reads Lua 5.1 to 5.4 and LuaJIT, and rockspecs.
//
// The grammar of the language is small and has no newer parts that a shipped
// grammar could lag behind, so the text is parsed here: into no tree, but with
// the facts reported as the statements go by. A first pass finds out what the
// file returns, which decides on visibility, and whether an end is missing.
package lua

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row of Lua.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "lua",
		Version:      1,
		Extensions:   []string{".lua", ".rockspec"},
		Filenames:    []string{".luacheckrc"},
		Interpreters: []string{"lua", "luajit", "resty", "busted"},
		Extract:      report,
		Roles:        roles,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, ".lua")
	switch {
	case strings.HasSuffix(base, ".rockspec"):
		return facts.RoleBuild
	case base == ".luacheckrc":
		return facts.RoleConfig
	case base == "init.lua":
		return facts.RolePackageInit
	case strings.HasSuffix(stem, "_spec"), strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, ".test"), strings.HasPrefix(stem, "test_"):
		return facts.RoleTest
	}
	return 0
}

func report(b *lang.Builder) {
	tokens, comments := lex(b.Source)
	p := &parser{b: b, src: b.Source, tokens: tokens, modules: map[string]bool{}, returned: map[string]bool{}}
	p.run()
	w := &parser{
		b: b, src: b.Source, tokens: tokens, report: true, resync: p.unclosed, modules: p.modules, returned: p.returned,
		defined: map[string]bool{}, imports: map[string]bool{}, comments: map[uint32]span{},
	}
	for _, c := range comments {
		b.MarkDoc(facts.Span{Start: uint32(c.start), End: uint32(c.end)})
		line := c.start
		for line > 0 && (w.src[line-1] == ' ' || w.src[line-1] == '\t') {
			line--
		}
		if line == 0 || w.src[line-1] == '\n' {
			w.comments[b.Line(uint32(max(c.start, c.end-1)))] = c
		}
	}
	w.summary(comments)
	b.Scope(facts.Span{End: uint32(len(b.Source))}, w.run)
	if w.code && strings.HasPrefix(string(b.Source[:min(len(b.Source), 2)]), "#!") {
		b.AddTrait(facts.EntryPoint)
	}
}

// tags are what LDoc or EmmyLua annotations say about a function.
type tags struct {
	doc      string
	types    map[string]string
	result   string
	bases    []string
	private  bool
	obsolete bool
	module   string
	class    bool
}

// above reads the comment block that ends on the line above an offset.
func (p *parser) above(at int) tags {
	if !p.report {
		return tags{}
	}
	line := p.b.Line(uint32(at))
	var spans []span
	for {
		c, ok := p.comments[line-1]
		if !ok {
			break
		}
		spans = append([]span{c}, spans...)
		line = p.b.Line(uint32(c.start))
		if line <= 1 || len(spans) > 200 {
			break
		}
	}
	if len(spans) > 0 && line == 1 && p.headed {
		t := p.tags(spans) // its text is the file's
		t.doc = ""
		return t
	}
	return p.tags(spans)
}

func (p *parser) tags(spans []span) tags {
	t := tags{types: map[string]string{}}
	var out []string
	prose := true
	for _, s := range spans {
		text := string(p.src[s.start:s.end])
		body := strings.TrimLeft(strings.TrimPrefix(text, "--"), "-")
		if n := long([]byte(body), 0); n > 0 {
			open := strings.IndexByte(body[1:], '[') + 2
			body = strings.TrimLeft(body[open:], "-")
			body = strings.TrimRight(body, "]=-")
		}
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			line = strings.TrimSpace(strings.TrimLeft(line, "-*"))
			if strings.Trim(line, "-=#*~_+/") == "" {
				line = ""
			}
			if tag, ok := strings.CutPrefix(line, "@"); ok {
				prose = p.tag(&t, tag, &out)
				continue
			}
			lower := strings.ToLower(line)
			if strings.HasPrefix(lower, "luacheck:") || strings.HasPrefix(lower, "vim:") || strings.HasPrefix(lower, "-*-") || strings.HasPrefix(lower, "stylua:") {
				continue
			}
			if prose {
				out = append(out, line)
			}
		}
	}
	t.doc = strings.TrimSpace(strings.Join(out, "\n"))
	return t
}

// tag reads one tag and tells whether the lines below it are still prose.
func (p *parser) tag(t *tags, tag string, out *[]string) bool {
	words := strings.Fields(tag)
	if len(words) == 0 {
		return true
	}
	name, _, _ := strings.Cut(words[0], "[")
	arg := func(k int) string {
		if k < len(words) {
			return words[k]
		}
		return ""
	}
	switch name {
	case "param":
		if typ := arg(2); isType(typ) {
			t.types[strings.TrimSuffix(arg(1), "?")] = typ
		}
	case "tparam":
		t.types[arg(2)] = arg(1)
	case "return":
		if isType(arg(1)) {
			t.result = arg(1)
		}
	case "treturn":
		t.result = arg(1)
	case "local", "private", "lfunction":
		t.private = true
	case "deprecated":
		t.obsolete = true
	case "module", "classmod", "script":
		t.module = arg(1)
		return true
	case "class", "type":
		t.class = name == "class"
		if _, base, ok := strings.Cut(tag, ":"); ok {
			for b := range strings.SplitSeq(base, ",") {
				t.bases = append(t.bases, strings.TrimSpace(b))
			}
		}
		return true
	case "description", "brief", "desc":
		*out = append(*out, strings.Join(words[1:], " "))
		return true
	}
	return false
}

func isType(s string) bool {
	base := strings.TrimRight(s, "?[]")
	base, _, _ = strings.Cut(base, "|")
	switch base {
	case "string", "number", "integer", "boolean", "table", "function", "any", "nil", "self", "userdata", "thread":
		return true
	}
	return strings.ContainsAny(s, "|<") || base != s
}

// summary takes the first comment that describes the file: the block at its
// top, unless a function stands right below it.
func (p *parser) summary(comments []span) {
	first := p.tokens[0]
	limit := p.b.Line(uint32(first.start))
	var block []span
	last := uint32(0)
	done := false
	flush := func(next uint32) {
		if len(block) == 0 || done {
			return
		}
		t := p.tags(block)
		if t.module != "" {
			p.b.SetPackage(t.module)
		}
		own := next == last+1 && (p.is(0, "function") || p.is(0, "local") && p.is(1, "function"))
		if t.doc != "" && !lang.LooksLikeLicense(t.doc) && (!own || t.module != "") {
			p.b.SetSummary(t.doc)
			p.headed = true
			done = true
		}
		block = nil
	}
	for _, c := range comments {
		if c.start > first.start {
			break
		}
		line := p.b.Line(uint32(c.start))
		if line > last+1 {
			flush(line)
		}
		block = append(block, c)
		last = p.b.Line(uint32(max(c.start, c.end-1)))
	}
	flush(limit)
}
