package groovy

import (
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// command reads a statement of a script that declares nothing in the language
// itself: an assignment, or a call with or without a closure.
func (r *reader) command(h head, end int, in script) int {
	i := h.at
	stop := r.endOf(i, end)
	k, name := r.dotted(i)
	if name == "" {
		if r.is(i, '{') {
			r.statements(i+1, r.inside(i), in.within(""))
			return r.close(i)
		}
		r.calls(i, stop)
		return stop
	}
	if r.is(k, '=') && !r.is(k+1, '=') {
		r.assignment(i, k, stop, name, in)
		return stop
	}
	c := r.parse(i, k, stop, name)
	if !c.paren && k < stop && r.toks[k].kind == sign && !r.is(k, '{') && !r.is(k, '[') {
		r.calls(i, stop)
		return stop
	}
	if r.gradle && r.gradleCall(c, in) {
		return c.end
	}
	if r.scriptCall(c, in) {
		return c.end
	}
	r.calls(i, stop)
	return stop
}

func (in script) within(block string) script {
	return script{block: block, nested: in.nested + 1}
}

// call is a command of a script.
type call struct {
	name     string
	from     int // its first token
	args, to int // tokens of the arguments
	paren    bool
	closure  int // index of "{", -1
	end      int
}

func (r *reader) dotted(i int) (int, string) {
	name := r.word(i)
	if name == "" {
		return i, ""
	}
	i++
	for n := 0; n < 10 && r.is(i, '.') && r.word(i+1) != ""; n++ {
		name += "." + r.word(i+1)
		i += 2
	}
	return i, name
}

func (r *reader) parse(from, k, stop int, name string) call {
	c := call{name: name, from: from, args: k, to: stop, closure: -1, end: stop}
	if r.is(k, '(') {
		c.paren = true
		c.args, c.to = k+1, min(r.inside(k), stop)
		k = r.close(k)
	}
	for k < stop {
		if r.is(k, '{') {
			c.closure = k
			if !c.paren {
				c.to = k
			}
			break
		}
		k = r.skip(k)
	}
	return c
}

func (c call) last() string { return c.name[strings.LastIndexByte(c.name, '.')+1:] }

// first is the first argument that is a plain string.
func (r *reader) first(c call) (string, int) {
	if c.args < c.to {
		if s, ok := r.plain(c.args); ok {
			return s, c.args
		}
	}
	return "", -1
}

// named is the argument "name: 'value'" of a call.
func (r *reader) named(c call, name string) (string, int) {
	for k := c.args; k < c.to; k = r.skip(k) {
		if r.word(k) == name && r.is(k+1, ':') && r.isString(k+2) {
			return text(r.src, r.toks[k+2]), k + 2
		}
	}
	return "", -1
}

// assignment reads name = value at the level of a script.
func (r *reader) assignment(i, eq, stop int, name string, in script) {
	value, plain := r.plain(eq + 1)
	if eq+2 != stop {
		value, plain = "", false
	}
	s := facts.Symbol{Name: name, Kind: facts.KindKey, Span: r.until(i, stop), NameSpan: r.span(eq - 1), Doc: r.doc(i), Init: clip(value, 120)}
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case in.block == "environment" && !r.gradle:
		r.symbol(s)
	case !r.gradle:
	case in.block == "ext" || strings.HasPrefix(name, "ext.") || strings.Contains(name, ".ext."):
		s.Name, s.Kind, s.Init = last, facts.KindVariable, ""
		s.Signature = r.source(i, min(stop, eq+20))
		r.symbol(s)
	case name == "rootProject.name" && plain:
		r.b.SetPackage(value)
	case in.nested == 0 && (name == "description" || name == "project.description") && plain:
		r.b.SetSummary(value)
	case in.nested == 0 && plain && (name == "version" || name == "group" || name == "archivesBaseName" || name == "sourceCompatibility"):
		r.symbol(s)
	}
	r.calls(eq, stop)
}

var knownTasks = map[string]bool{
	"test": true, "jar": true, "javadoc": true, "compileJava": true, "compileTestJava": true, "compileGroovy": true, "compileTestGroovy": true,
	"compileKotlin": true, "compileTestKotlin": true, "processResources": true, "processTestResources": true, "clean": true, "check": true,
	"build": true, "assemble": true, "war": true, "shadowJar": true, "bootJar": true, "bootRun": true, "bootWar": true, "wrapper": true,
	"run": true, "jacocoTestReport": true, "sourcesJar": true, "javadocJar": true, "groovydoc": true, "integrationTest": true, "distZip": true,
	"distTar": true, "startScripts": true, "installDist": true, "asciidoctor": true, "jmh": true, "lint": true, "publish": true,
}

// gradleCall reads a call that a build script gives a meaning. It returns false
// for one it knows nothing about.
func (r *reader) gradleCall(c call, in script) bool {
	switch in.block {
	case "plugins":
		return r.plugin(c)
	case "dependencies", "constraints":
		if c.closure >= 0 && c.args == c.closure && c.name == "constraints" {
			r.block(c, in)
			return true
		}
		return r.dependency(c)
	case "configurations", "sourceSets":
		if !c.paren && (c.closure < 0 && c.args == c.to || c.closure == c.args) && !strings.Contains(c.name, ".") {
			r.symbol(facts.Symbol{
				Name: c.name, Kind: facts.KindKey, Span: r.until(c.from, c.end), NameSpan: r.span(c.from), Doc: r.doc(c.from),
				Signature: in.block + "." + c.name,
			})
			return true
		}
	case "repositories":
		return true
	}
	last := c.last()
	switch {
	case c.name == "task" && c.args < c.to:
		at := c.args
		if r.isString(at) || r.word(at) != "" {
			r.task(c, at)
			return true
		}
	case (last == "register" || last == "create" || last == "named" || last == "maybeCreate" || last == "replace") && (in.block == "tasks" || strings.HasSuffix(c.name, "tasks."+last)):
		if r.isString(c.args) || last == "named" && r.word(c.args) != "" {
			r.task(c, c.args)
			return true
		}
	case c.name == "apply" || c.name == "project.apply":
		r.apply(c)
		return true
	case c.name == "include" || c.name == "includeFlat" || c.name == "includeBuild":
		for k := c.args; k < c.to; k++ {
			if s, ok := r.plain(k); ok && s != "" && !strings.ContainsAny(s, "*? ") {
				p := strings.ReplaceAll(strings.TrimPrefix(s, ":"), ":", "/")
				switch {
				case c.name == "includeFlat":
					p = "../" + p
				case !strings.HasPrefix(p, "."):
					p = "./" + p
				}
				if in.nested == 0 || c.name == "includeBuild" {
					r.link(p, k)
				}
			}
		}
		return c.closure < 0
	case c.name == "project" && c.closure < 0:
		// project(':x').projectDir = file('y')
		for k := c.to; k < c.end; k++ {
			if r.word(k) == "projectDir" && r.is(k+1, '=') {
				r.script(k+2, c.end)
				return true
			}
		}
	case c.name == "ext.set" || c.name == "project.ext.set":
		if s, at := r.first(c); at >= 0 {
			r.symbol(facts.Symbol{Name: s, Kind: facts.KindVariable, Span: r.until(c.from, c.end), NameSpan: r.inner(at), Signature: r.source(c.from, c.end)})
			return true
		}
	case c.closure >= 0 && (knownTasks[c.name] && in.nested == 0 || in.block == "tasks" && !strings.Contains(c.name, ".") && c.closure == c.args):
		r.task(c, c.from)
		return true
	case c.closure >= 0 && (c.args == c.closure || c.paren && c.to-c.args <= 3) && in.nested < 2:
		r.block(c, in)
		return true
	}
	return false
}

// block reads a block of a build script: a key with what it holds.
func (r *reader) block(c call, in script) {
	name := c.name
	s := facts.Symbol{
		Kind: facts.KindKey, Span: r.until(c.from, c.end), NameSpan: r.span(c.from), Doc: r.doc(c.from),
	}
	if c.args < c.to {
		if arg, at := r.first(c); at >= 0 {
			if c.name == "project" {
				name, s.NameSpan = arg, r.inner(at)
			}
			s.Signature = r.source(c.from, c.closure)
		} else {
			s.Signature = r.source(c.from, c.closure)
		}
	}
	s.Name = name
	nested := in.within(c.last())
	switch c.name {
	case "allprojects", "subprojects", "configure", "project", "afterEvaluate", "pluginManagement", "buildscript":
		nested.nested = in.nested // their content is that of a script
		if r.depth > 10 {
			nested.nested++
		}
	}
	at := r.symbol(s)
	r.b.Within(at, func() { r.statements(c.closure+1, min(r.inside(c.closure), c.end), nested) })
}

// task reads a task whose name is the token at.
func (r *reader) task(c call, at int) {
	name := r.word(at)
	if r.isString(at) {
		name = text(r.src, r.toks[at])
	}
	head := c.end
	if c.closure >= 0 {
		head = c.closure
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindTarget, Span: r.until(c.from, c.end), NameSpan: r.inner(at), Doc: r.doc(c.from),
		Signature: strings.TrimSpace(strings.TrimSuffix(r.source(c.from, head), "<<")),
	}
	if c.closure >= 0 {
		for k := c.closure + 1; k < min(r.inside(c.closure), c.end); k = r.skip(k) {
			if r.word(k) != "description" || r.is(k-1, '.') {
				continue
			}
			v := k + 1
			if r.is(v, '=') || r.is(v, '(') {
				v++
			}
			if r.isString(v) {
				s.Doc = text(r.src, r.toks[v])
			}
		}
	}
	if d, k := r.named(c, "description"); k >= 0 {
		s.Doc = d
	}
	sym := r.symbol(s)
	r.b.Within(sym, func() {
		for k := at + 1; k < head; k++ {
			if w := r.word(k); w != "" && w[0] >= 'A' && w[0] <= 'Z' && !r.is(k+1, '.') {
				r.reference(facts.RefType, w, "", k)
			}
		}
		for k := c.from; k < c.end && k < len(r.toks); k++ {
			switch r.word(k) {
			case "dependsOn", "finalizedBy", "mustRunAfter", "shouldRunAfter":
				k = r.needs(k+1, c.end)
			}
		}
	})
}

// needs reads the tasks that are named behind dependsOn.
func (r *reader) needs(k, end int) int {
	stop := k
	for n := 0; stop < end && n < 200 && r.toks[stop].kind != newline && !r.is(stop, '{') && !r.is(stop, '}'); n++ {
		w := r.word(stop)
		if s, ok := r.plain(stop); ok && s != "" && !strings.ContainsAny(s, " $/") {
			project, name := "", s
			if c := strings.LastIndexByte(s, ':'); c >= 0 {
				project, name = s[:c], s[c+1:]
			}
			r.reference(facts.RefRead, name, project, stop)
		} else if w != "" && !r.is(stop+1, '(') && !r.is(stop+1, '.') && !r.is(stop+1, ':') && w != "dependsOn" && w != "type" {
			r.reference(facts.RefRead, w, "", stop)
		}
		stop++
	}
	return stop
}

// plugin reads a line of a plugins block.
func (r *reader) plugin(c call) bool {
	name, at := r.first(c)
	last := c.name
	if c.args < c.to && at < 0 {
		// alias(libs.plugins.x)
		if _, dotted := r.dotted(c.args); dotted != "" {
			name, at = dotted, c.args
		}
	}
	if at < 0 || last != "id" && last != "alias" && last != "kotlin" {
		return false
	}
	s := facts.Symbol{Name: name, Kind: facts.KindKey, Span: r.until(c.from, c.end), NameSpan: r.inner(at), Signature: r.source(c.from, c.end)}
	for k := c.from; k < c.end; k++ {
		if r.word(k) == "version" {
			v := k + 1
			if r.is(v, '(') {
				v++
			}
			if r.isString(v) {
				s.Init = clip(text(r.src, r.toks[v]), 120)
			}
		}
	}
	r.symbol(s)
	return true
}

func (r *reader) apply(c call) {
	if s, at := r.named(c, "plugin"); at >= 0 {
		r.symbol(facts.Symbol{
			Name: s, Kind: facts.KindKey, Span: r.until(c.from, c.end), NameSpan: r.inner(at), Signature: r.source(c.from, c.end),
		})
		return
	}
	for k := c.args; k < c.to; k++ {
		if r.word(k) == "from" && r.is(k+1, ':') {
			r.script(k+2, c.to)
			return
		}
		if r.word(k) == "plugin" && r.is(k+1, ':') {
			if _, dotted := r.dotted(k + 2); dotted != "" {
				r.symbol(facts.Symbol{
					Name: dotted, Kind: facts.KindKey, Span: r.until(c.from, c.end), NameSpan: r.span(k + 2), Signature: r.source(c.from, c.end),
				})
			}
			return
		}
	}
}

// script reports the file that an expression names: a string, or file("…").
func (r *reader) script(k, end int) {
	root := false
	for ; k < end; k++ {
		if w := r.word(k); w == "rootProject" || w == "rootDir" {
			root = true
		}
		if r.isString(k) {
			r.file(text(r.src, r.toks[k]), root, k)
			return
		}
	}
}

// file reports a file; a path from the root of the build starts with "/".
func (r *reader) file(p string, root bool, at int) {
	for _, prefix := range []string{"$rootDir/", "${rootDir}/", "$rootProject.projectDir/", "${rootProject.projectDir}/", "${rootProject.rootDir}/", "${project.rootDir}/", "$project.rootDir/"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok {
			p, root = rest, true
		}
	}
	for _, prefix := range []string{"$projectDir/", "${projectDir}/", "${project.projectDir}/", "$project.projectDir/"} {
		p = strings.TrimPrefix(p, prefix)
	}
	if p == "" || strings.ContainsAny(p, "$*? ") || strings.Contains(p, "://") {
		return
	}
	switch {
	case root:
		p = "/" + strings.TrimPrefix(p, "/")
	case !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "."):
		p = "./" + p
	}
	r.link(p, at)
}

// dependency reads a line of a dependencies block.
func (r *reader) dependency(c call) bool {
	if c.args >= c.to {
		return c.closure < 0
	}
	to, shown := c.to, c.to
	if c.paren {
		shown++ // the bracket
	}
	found := false
	add := func(name, version string, at facts.Span) {
		found = true
		r.symbol(facts.Symbol{
			Name: name, Kind: facts.KindKey, Init: clip(version, 120), Doc: r.doc(c.from), NameSpan: at,
			Span: r.until(c.from, c.end), Signature: r.source(c.from, max(shown, c.args+1)),
		})
	}
	if group, at := r.named(c, "group"); at >= 0 {
		if name, nameAt := r.named(c, "name"); nameAt >= 0 {
			version, _ := r.named(c, "version")
			add(group+":"+name, version, r.inner(nameAt))
			return true
		}
	}
	for k := c.args; k < to; k++ {
		if r.word(k) == "project" && r.is(k+1, '(') {
			for p := k + 2; p < r.inside(k+1); p++ {
				if s, ok := r.plain(p); ok && strings.HasPrefix(s, ":") {
					found = true
					r.link("/"+strings.ReplaceAll(s[1:], ":", "/"), p)
					break
				}
			}
			k = r.close(k+1) - 1
			continue
		}
		if w := r.word(k); w != "" && r.is(k+1, '.') && !r.is(k-1, '.') {
			next, dotted := r.dotted(k)
			if !r.is(next, '(') && (strings.HasPrefix(w, "lib") || strings.HasPrefix(w, "dep") || w == "projects" || r.is(k-1, '(') || k == c.args) {
				add(dotted, "", facts.Span{Start: uint32(r.toks[k].start), End: uint32(r.toks[next-1].end)})
			}
			k = next - 1
			continue
		}
		if !r.isString(k) {
			continue
		}
		parts := strings.SplitN(text(r.src, r.toks[k]), ":", 4)
		if len(parts) < 2 || parts[0] == "" || parts[1] == "" || strings.Contains(parts[0], " ") {
			continue
		}
		version := ""
		if len(parts) > 2 {
			version, _, _ = strings.Cut(parts[2], "@")
		}
		add(parts[0]+":"+parts[1], version, r.inner(k))
	}
	return found || c.closure < 0
}

// scriptCall reads a call of a script, of a pipeline most often.
func (r *reader) scriptCall(c call, in script) bool {
	switch c.name {
	case "stage":
		if next := r.stage(c.from, c.end, func(from, to int) { r.statements(from, to, in.within("stage")) }); next > 0 {
			return true
		}
	case "load", "library", "evaluate":
		if s, at := r.first(c); at >= 0 {
			if c.name == "library" {
				r.link(s, at)
			} else {
				r.file(s, false, at)
			}
			return true
		}
	}
	if in.block == "parameters" && c.args < c.to {
		name, at := r.named(c, "name")
		if at < 0 {
			name, at = r.first(c)
		}
		if at >= 0 {
			doc, _ := r.named(c, "description")
			value, _ := r.named(c, "defaultValue")
			r.symbol(facts.Symbol{
				Name: name, Kind: facts.KindKey, Doc: doc, Init: clip(value, 120), NameSpan: r.inner(at), Span: r.until(c.from, c.end),
				Signature: r.source(c.from, c.end),
			})
			return true
		}
	}
	if c.closure < 0 {
		return false
	}
	r.calls(c.from, c.closure)
	r.statements(c.closure+1, min(r.inside(c.closure), c.end), in.within(c.last()))
	// What is chained behind the closure.
	r.calls(r.close(c.closure), c.end)
	return true
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
