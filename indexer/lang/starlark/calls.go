package starlark

import (
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// argument is one argument of a call: tokens from to to.
type argument struct {
	name     string // "" for a positional one
	nameAt   int
	from, to int
}

func (r *reader) arguments(open int) []argument {
	end := min(int(r.toks[open].pair), len(r.toks))
	var out []argument
	for i := open + 1; i < end && len(out) < 500; {
		for i < end && r.toks[i].kind == comment {
			i++
		}
		a := argument{nameAt: i, from: i}
		if n := r.word(i); n != "" && r.is(i+1, '=') && !r.is(i+2, '=') {
			a.name, a.from = n, i+2
		}
		for i < end && !r.is(i, ',') {
			i = r.skip(i)
		}
		a.to = min(i, end)
		for a.to > a.from && r.toks[a.to-1].kind == comment {
			a.to--
		}
		i++
		if a.to > a.from {
			out = append(out, a)
		}
	}
	return out
}

// plain is an argument that is one plain string.
func (r *reader) plain(a argument) (string, bool) {
	if a.to != a.from+1 || !r.isString(a.from) {
		return "", false
	}
	return text(r.src, r.toks[a.from]), true
}

func find(args []argument, name string) (argument, bool) {
	for _, a := range args {
		if a.name == name {
			return a, true
		}
	}
	return argument{}, false
}

func (r *reader) named(args []argument, name string) string {
	if a, ok := find(args, name); ok {
		s, _ := r.plain(a)
		return s
	}
	return ""
}

// positional are calls of Tilt whose first argument names what can be run.
var positional = map[string]bool{
	"local_resource": true, "k8s_resource": true, "docker_build": true, "custom_build": true, "dc_resource": true,
	"test": true, "cmd_button": true, "helm_resource": true, "docker_build_with_restart": true, "podman_build": true,
	"helm_repo": true, "k8s_custom_deploy": true, "workload": true,
}

// external are calls that bring in a module or repository from elsewhere.
var external = map[string]bool{
	"bazel_dep": true, "http_archive": true, "http_file": true, "http_jar": true, "git_repository": true,
	"new_git_repository": true, "local_repository": true, "new_local_repository": true, "go_repository": true,
	"maven_jar": true, "maven_install": true, "archive_override": true, "git_override": true, "local_path_override": true,
	"single_version_override": true, "multiple_version_override": true, "pip_parse": true, "go_repo": true,
}

// call reads a call that is a statement, or the value of one: assigned names
// what it is assigned to.
func (r *reader) call(i int, name string, open, end int, assigned string) {
	args := r.arguments(open)
	span := facts.Span{Start: uint32(r.toks[i].start), End: uint32(r.endOf(end))}
	if e := r.toks[open].pair; int(e) < len(r.toks) && r.toks[e].kind == sign {
		span.End = uint32(r.toks[e].end)
	}
	if r.loads(name, open) {
		return
	}
	base := name[strings.LastIndexByte(name, '.')+1:]
	title, at := "", -1
	if a, ok := find(args, "name"); ok {
		if s, ok := r.plain(a); ok {
			title, at = s, a.from
		}
	} else if positional[base] && len(args) > 0 && args[0].name == "" {
		if s, ok := r.plain(args[0]); ok {
			title, at = s, args[0].from
		}
	}
	if base == "single_version_override" || base == "archive_override" || base == "git_override" || base == "local_path_override" {
		if a, ok := find(args, "module_name"); ok {
			if s, ok := r.plain(a); ok {
				title, at = s, a.from
			}
		}
	}
	if title == "" {
		r.callRef(name, open)
		for _, a := range args {
			r.labels(a)
		}
		return
	}
	switch name {
	case "workspace", "module":
		r.b.SetPackage(title)
	}
	s := facts.Symbol{
		Name: title, Kind: facts.KindTarget, Doc: r.above(r.toks[i].start), Span: span, NameSpan: inner(r.toks[at]),
		Signature: r.summary(name, args),
	}
	if external[base] || name == "workspace" || name == "module" {
		s.Kind = facts.KindKey
		for _, k := range []string{"version", "tag", "commit", "branch", "path", "sha256"} {
			if v := r.named(args, k); v != "" && len(v) <= 120 {
				s.Init = v
				break
			}
		}
	}
	for _, k := range []string{"doc", "description"} {
		if d := r.named(args, k); d != "" && s.Doc == "" {
			s.Doc = d
		}
	}
	if a, ok := find(args, "visibility"); ok && strings.Contains(r.source(a.from, a.to), "visibility:private") {
		s.Visibility = facts.Private
	}
	sym := r.symbol(s)
	r.b.Within(sym, func() {
		r.callRef(name, open)
		for _, a := range args {
			if a.name != "visibility" && a.name != "name" {
				r.labels(a)
			}
		}
	})
}

// inner is the span of a string without its quotes.
func inner(t token) facts.Span {
	s := facts.Span{Start: uint32(t.start), End: uint32(t.end)}
	if s.Len() >= 2 {
		s.Start++
		s.End--
	}
	return s
}

// summary is the call on one line with what tells most about the target.
func (r *reader) summary(name string, args []argument) string {
	var b strings.Builder
	b.WriteString(name + "(")
	n := 0
	for _, a := range args {
		switch a.name {
		case "visibility", "tags", "doc", "description", "testonly", "licenses":
			continue
		case "name":
			if n > 0 {
				continue
			}
		}
		if b.Len() > facts.MaxSignature {
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		n++
		if a.name != "" {
			b.WriteString(a.name + " = ")
		}
		v := r.source(a.from, a.to)
		if len(v) > 60 {
			v = clip(v, 60) + "…"
		}
		b.WriteString(v)
	}
	return b.String() + ")"
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

// loads reports what a call loads from other files. It tells whether the call
// does nothing else.
func (r *reader) loads(name string, open int) bool {
	switch name {
	case "load", "use_extension", "load_dynamic", "include", "include_defs", "k8s_yaml", "docker_compose", "read_file",
		"read_yaml", "read_json", "kustomize", "helm", "subinclude", "use_repo_rule":
	default:
		return false
	}
	args := r.arguments(open)
	if len(args) == 0 {
		return true
	}
	if name == "k8s_yaml" || name == "docker_compose" || name == "subinclude" {
		for i := args[0].from; i < args[0].to; i++ {
			if r.isString(i) && !r.is(i+1, '(') && !r.is(i-1, '(') {
				r.file(text(r.src, r.toks[i]), i)
			}
		}
		return true
	}
	module, ok := r.plain(args[0])
	if !ok || module == "" || strings.ContainsAny(module, "\n{}") {
		return true
	}
	switch name {
	case "load", "use_extension", "use_repo_rule":
		m := facts.Import{Module: module}
		for _, a := range args[1:] {
			if s, ok := r.plain(a); ok && len(m.Names) < 200 && a.name != "dev_dependency" {
				n := facts.ImportedName{Name: clip(s, facts.MaxName)}
				if a.name != s {
					n.Alias = a.name
				}
				m.Names = append(m.Names, n)
			}
		}
		if len(r.links) < maxLinks {
			r.links[module+"\x00load"] = true
			r.b.Import(m, uint32(r.toks[open].start))
		}
	default:
		r.file(module, open)
	}
	return true
}

// file reports a file that is named by a path relative to this one.
func (r *reader) file(p string, at int) {
	if p == "" || len(p) > facts.MaxName || strings.ContainsAny(p, "\n{}*%$ ") || strings.Contains(p, "://") && !strings.HasPrefix(p, "ext://") {
		return
	}
	if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, ".") && !strings.HasPrefix(p, "@") && !strings.Contains(p, ":") {
		p = "./" + p
	}
	r.link(p, at)
}

func (r *reader) link(module string, at int) {
	if r.links[module] || len(r.links) >= maxLinks {
		return
	}
	r.links[module] = true
	r.b.Import(facts.Import{Module: module}, uint32(r.toks[at].start))
}

// labels reports the labels and source files of an argument. Labels of other
// packages are imports too.
func (r *reader) labels(a argument) {
	files := a.name == "src" || a.name == "srcs" || a.name == "hdrs" || a.name == "data" || a.name == "main" || a.name == "textual_hdrs" || a.name == "embedsrcs"
	for i := a.from; i < a.to; i++ {
		if !r.isString(i) {
			continue
		}
		s := text(r.src, r.toks[i])
		if s == "" || len(s) > facts.MaxName || strings.ContainsAny(s, " \n{}$*%") {
			continue
		}
		switch {
		case strings.HasPrefix(s, ":"):
			r.label(s[1:], "", i)
		case strings.HasPrefix(s, "//") || strings.HasPrefix(s, "@"):
			pkg, name, ok := strings.Cut(s, ":")
			if !ok {
				name = pkg[strings.LastIndexAny(pkg, "/@")+1:]
			}
			if pkg == "//visibility" || pkg == "//conditions" {
				continue
			}
			r.label(name, pkg, i)
			r.link(s, i)
		case files && strings.LastIndexByte(s, '.') > 0 && !r.is(i+1, '(') && !r.is(i-1, '('):
			r.file(s, i)
		}
	}
}

func (r *reader) label(name, pkg string, at int) {
	if r.refs == 0 || name == "" {
		return
	}
	r.refs--
	r.b.Reference(facts.RefRead, name, pkg, uint32(r.toks[at].start))
}

// assignment reads name = value at the level of the file.
func (r *reader) assignment(i, eq, end int) {
	name := r.word(i)
	if name == "" || eq != i+1 {
		return
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindVariable, Doc: r.above(r.toks[i].start), Visibility: visibility(name),
		Span:     facts.Span{Start: uint32(r.toks[i].start), End: uint32(max(r.endOf(end), r.toks[i].end))},
		NameSpan: r.span(i), Signature: clip(r.source(i, end), 120),
	}
	if strings.ToUpper(name) == name && strings.ToLower(name) != name {
		s.Kind = facts.KindConstant
	}
	open, callee := r.dotted(eq + 1)
	if callee == "" || !r.is(open, '(') {
		r.symbol(s)
		return
	}
	args := r.arguments(open)
	base := callee[strings.LastIndexByte(callee, '.')+1:]
	members := ""
	switch base {
	case "rule", "repository_rule", "macro", "aspect", "module_extension", "tag_class", "analysis_test", "subrule", "testing_rule":
		s.Kind, members = facts.KindFunction, "attrs"
		if base == "module_extension" {
			members = "tag_classes"
		}
	case "make":
		if callee == "unittest.make" || callee == "analysistest.make" {
			s.Kind = facts.KindFunction
		}
	case "provider":
		s.Kind, members = facts.KindStruct, "fields"
	}
	if members != "" {
		s.Signature = name + " = " + callee + "("
		if impl, ok := find(args, "implementation"); ok {
			s.Signature += "implementation = " + r.source(impl.from, impl.to)
		} else if len(args) > 0 && args[0].name == "" && base != "provider" {
			s.Signature += r.source(args[0].from, args[0].to)
		}
		s.Signature += ")"
		if d := r.named(args, "doc"); d != "" {
			s.Doc = d
		} else if base == "provider" && len(args) > 0 && args[0].name == "" {
			if d, ok := r.plain(args[0]); ok {
				s.Doc = d
			}
		}
	}
	if r.loads(callee, open) {
		// what it gives is a value all the same
		r.symbol(s)
		return
	}
	if _, ok := find(args, "name"); ok && members == "" {
		r.symbol(s)
		r.call(eq+1, callee, open, end, name)
		return
	}
	at := r.symbol(s)
	r.b.Within(at, func() {
		r.callRef(callee, open)
		if impl, ok := find(args, "implementation"); ok && impl.to == impl.from+1 && r.word(impl.from) != "" && r.refs > 0 {
			r.refs--
			r.b.Reference(facts.RefRead, r.word(impl.from), "", uint32(r.toks[impl.from].start))
		}
		if m, ok := find(args, members); ok && members != "" {
			r.members(m)
			return
		}
		for _, a := range args {
			r.labels(a)
			if callee == "struct" {
				r.member(a)
			}
		}
	})
}

// member reads a field of a struct, which is how a module gives its functions
// away.
func (r *reader) member(a argument) {
	j, value := r.dotted(a.from)
	if a.name == "" || value == "" || j != a.to {
		return
	}
	r.symbol(facts.Symbol{
		Name: a.name, Kind: facts.KindField, Visibility: visibility(a.name), NameSpan: r.span(a.nameAt),
		Span:      facts.Span{Start: uint32(r.toks[a.nameAt].start), End: uint32(r.toks[a.to-1].end)},
		Signature: a.name + " = " + value,
	})
	if r.refs > 0 {
		r.refs--
		r.b.Reference(facts.RefRead, value[strings.LastIndexByte(value, '.')+1:], "", uint32(r.toks[a.to-1].start))
	}
}

// members reads the attributes of a rule or the fields of a provider: the keys
// of a dictionary, or a list of names.
func (r *reader) members(a argument) {
	dict := r.is(a.from, '{')
	if !dict && !r.is(a.from, '[') {
		return
	}
	end := min(int(r.toks[a.from].pair), len(r.toks))
	for i := a.from + 1; i < end; {
		from := i
		for from < end && r.toks[from].kind == comment {
			from++
		}
		to := from
		for to < end && !r.is(to, ',') {
			to = r.skip(to)
		}
		to = min(to, end)
		i = to + 1
		if !r.isString(from) || dict && !r.is(from+1, ':') {
			continue
		}
		name := text(r.src, r.toks[from])
		if name == "" || strings.ContainsAny(name, " \n") {
			continue
		}
		s := facts.Symbol{
			Name: name, Kind: facts.KindField, Visibility: visibility(name), NameSpan: inner(r.toks[from]),
			Span: facts.Span{Start: uint32(r.toks[from].start), End: uint32(max(r.endOf(to), r.toks[from].end))},
		}
		if dict && from+2 < to {
			open, callee := r.dotted(from + 2)
			switch {
			case callee != "" && r.is(open, '('):
				s.Signature, s.Type = name+" = "+callee, callee
				s.Doc = r.named(r.arguments(open), "doc")
			case r.isString(from + 2):
				s.Doc = text(r.src, r.toks[from+2])
			default:
				s.Signature = name + " = " + clip(lang.Collapse(r.source(from+2, to)), 80)
			}
		}
		r.symbol(s)
	}
}
