// Package requirements outlines the requirement and constraint files of pip:
// packages with their versions, and the files and projects they include.
//
// The format is one of lines, so a scanner of lines reads it.
package requirements

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxImports = 500
	maxValue   = 120
)

// Language is the row of requirement files.
func Language() *lang.Language {
	names := []string{}
	for _, base := range []string{"requirements", "constraints"} {
		names = append(names, base+".txt", base+".in")
		for _, use := range []string{"dev", "test", "tests", "testing", "doc", "docs", "lint", "ci", "prod", "optional", "base", "build", "min", "typing", "extra", "all", "minimal", "full", "runtime", "core", "common", "local", "release", "tools", "style", "mypy", "integration"} {
			for _, ext := range []string{".txt", ".in"} {
				names = append(names, base+"-"+use+ext, base+"_"+use+ext, use+"-"+base+ext, use+"_"+base+ext)
			}
		}
	}
	return &lang.Language{
		Name:       "pip-requirements",
		Patterns:   []string{"requirements*.txt", "requirements*.in", "constraints*.txt", "*-requirements.txt", "*_requirements.txt", "requirements/*.txt", "requirements/*.in"},
		Version:    1,
		Extensions: []string{".requirements.txt", ".constraints.txt", ".requirements.in"},
		Filenames:  names,
		Extract:    extract,
		Roles:      func(string) facts.Role { return facts.RoleBuild },
		Outline:    true,
	}
}

func extract(b *lang.Builder) {
	r := &reader{b: b, src: b.Source, left: maxSymbols, links: map[string]bool{}}
	r.read()
}

type reader struct {
	b     *lang.Builder
	src   []byte
	left  int
	links map[string]bool

	comment facts.Span // comment lines directly above
	above   bool
}

func (r *reader) read() {
	started := false
	for at := 0; at < len(r.src); {
		start := at
		text, end, next := r.logical(at)
		at = next
		body := strings.TrimSpace(text)
		switch {
		case body == "":
			if !started && r.above {
				if s := r.commentText(); !lang.LooksLikeLicense(s) {
					r.b.SetSummary(s)
				}
			}
			r.above = false
			continue
		case body[0] == '#':
			// pip-compile notes below a package, indented, who asks for it.
			if text[0] != '#' {
				r.above = false
				continue
			}
			if !r.above {
				r.comment.Start = uint32(start)
			}
			r.comment.End, r.above = uint32(end), true
			continue
		}
		started = true
		start += len(text) - len(strings.TrimLeft(text, " \t\ufeff"))
		r.requirement(body, start, end)
		r.above = false
	}
}

// logical reads a line with those it goes on over, without backslashes. Only as
// much text as an entry needs is kept.
func (r *reader) logical(at int) (text string, end, next int) {
	const kept = 2000
	var b strings.Builder
	for {
		k := bytes.IndexByte(r.src[at:], '\n')
		end, next = len(r.src), len(r.src)
		if k >= 0 {
			end, next = at+k, at+k+1
		}
		for end > at && (r.src[end-1] == '\r' || r.src[end-1] == ' ' || r.src[end-1] == '\t') {
			end--
		}
		part := r.src[at:end]
		more := len(part) > 0 && part[len(part)-1] == '\\' && bytes.IndexByte(part, '#') != 0
		if more {
			part = part[:len(part)-1]
		}
		if b.Len() < kept {
			b.Write(part[:min(len(part), kept)])
		}
		if !more || next >= len(r.src) {
			return strings.ToValidUTF8(b.String(), ""), end, next
		}
		b.WriteByte(' ')
		at = next
	}
}

func (r *reader) commentText() string {
	raw := strings.ToValidUTF8(string(r.src[r.comment.Start:min(r.comment.End, r.comment.Start+1500)]), "")
	return strings.Trim(lang.CleanComment(raw), "#-= \n")
}

func (r *reader) requirement(body string, start, end int) {
	note := ""
	for _, mark := range []string{" #", "\t#"} {
		if k := strings.Index(body, mark); k >= 0 {
			note = strings.TrimSpace(strings.TrimLeft(body[k:], " \t#"))
			body = strings.TrimSpace(body[:k])
		}
	}
	if note == "" && r.above {
		if s := r.commentText(); !lang.LooksLikeLicense(s) {
			note = s
		}
	}
	if body[0] == '-' {
		option, value := cutOption(body)
		switch option {
		case "-r", "--requirement", "-c", "--constraint":
			r.include(value, start)
		case "-e", "--editable":
			r.project(value, note, start, end)
		}
		return
	}
	r.project(body, note, start, end)
}

// cutOption splits "-r file", "-rfile" and "--requirement=file".
func cutOption(s string) (option, value string) {
	k := strings.IndexAny(s, " \t=")
	if k < 0 {
		if len(s) > 2 && s[1] != '-' {
			return s[:2], s[2:]
		}
		return s, ""
	}
	if s[1] != '-' && k > 2 {
		return s[:2], s[2:]
	}
	return s[:k], strings.Trim(s[k:], " \t=")
}

func (r *reader) include(file string, at int) {
	file = strings.Trim(file, `"'`)
	file, _, _ = strings.Cut(file, "[") // ".[test]" asks for extras
	if file == "" || strings.Contains(file, "://") || strings.ContainsAny(file, "$\n") || len(file) > facts.MaxName {
		return
	}
	if !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, ".") {
		file = "./" + file
	}
	if r.links[file] || len(r.links) >= maxImports {
		return
	}
	r.links[file] = true
	r.b.Import(facts.Import{Module: file}, uint32(at))
}

// project reads a package, the address of one, or the path of a project.
func (r *reader) project(body, note string, start, end int) {
	n := nameLength(body)
	rest := strings.TrimLeft(body[n:], " \t")
	isPath := strings.HasPrefix(body, ".") || strings.HasPrefix(body, "/") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`)
	switch {
	case strings.Contains(body, "://") && !strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, "["):
		// git+https://host/repo#egg=name
		for _, mark := range []string{"#egg=", "&egg="} {
			if _, egg, ok := strings.Cut(body, mark); ok {
				if k := nameLength(egg); k > 0 {
					r.symbol(egg[:k], "", body, note, start, end)
				}
				return
			}
		}
		return
	case isPath:
		path, _, _ := strings.Cut(body, ";")
		r.include(strings.TrimSpace(path), start)
		return
	case n == 0:
		return
	}
	version := rest
	if strings.HasPrefix(version, "[") {
		_, version, _ = strings.Cut(version, "]")
	}
	if k := strings.Index(version, "--hash"); k >= 0 {
		version = version[:k]
	}
	if !strings.HasPrefix(strings.TrimSpace(version), "@") {
		version, _, _ = strings.Cut(version, ";")
	}
	version = strings.Trim(version, " \t()")
	if version != "" && strings.IndexByte("=<>!~@", version[0]) < 0 {
		return // a sentence, say
	}
	signature := body
	if k := strings.Index(signature, "--hash"); k >= 0 {
		signature = strings.TrimSpace(signature[:k])
	}
	r.symbol(body[:n], version, signature, note, start, end)
}

// nameLength is the length of the name of a package at the start of a text.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= '0' && s[n] <= '9' || n > 0 && strings.IndexByte("-_.", s[n]) >= 0) {
		n++
	}
	for n > 0 && strings.IndexByte("-_.", s[n-1]) >= 0 {
		n--
	}
	return n
}

func (r *reader) symbol(name, version, signature, note string, start, end int) {
	if r.left == 0 || len(name) > facts.MaxName {
		return
	}
	k := bytes.Index(r.src[start:end], []byte(name))
	if k < 0 {
		return
	}
	r.left--
	r.b.Symbol(facts.Symbol{
		Name: name, Kind: facts.KindKey, Init: clip(version, maxValue), Signature: signature, Doc: note,
		Span:     facts.Span{Start: uint32(start), End: uint32(end)},
		NameSpan: facts.Span{Start: uint32(start + k), End: uint32(start + k + len(name))},
	})
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
