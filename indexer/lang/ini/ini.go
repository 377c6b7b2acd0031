// Package ini outlines files of sections and keys: INI and what is written
// like it (setup.cfg, editor and git configuration, units of systemd, desktop
// entries), Java properties and environment files.
//
// There is no grammar for the family; a scanner of lines knows how each member
// goes on over lines and what of it can be run: environments of tox, entry
// points, aliases, programs of a supervisor.
package ini

import (
	"bytes"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxValue   = 120
)

// Language is the row of INI-like files.
func Language() *lang.Language {
	return &lang.Language{
		Name:     "ini",
		Patterns: []string{".env.*"},
		Version:  1,
		Extensions: []string{
			".ini", ".cfg", ".conf", ".cnf", ".properties", ".prefs", ".env", ".editorconfig", ".gitconfig", ".gitmodules", ".desktop", ".inf",
			".service", ".socket", ".timer", ".mount", ".automount", ".target", ".slice", ".network", ".netdev", ".container", ".nspawn",
		},
		Filenames: []string{
			".editorconfig", ".gitconfig", ".gitmodules", ".flake8", ".pylintrc", "pylintrc", ".coveragerc", ".npmrc", ".pypirc", ".hgrc", "hgrc",
			".pydocstyle", ".pycodestyle", ".pep8", ".style.yapf", ".gitlint", ".buckconfig", ".pydistutils.cfg", ".shellcheckrc", ".sqlfluff",
			".env", ".env.example", ".env.local", ".env.development", ".env.production", ".env.test", ".env.sample", ".env.template", ".env.dist",
			".env.staging", ".env.defaults", ".env.ci", ".env.development.local", ".env.production.local", ".env.test.local", "env.example", "project.godot",
		},
		Extract: extract,
		Roles:   roles,
		Outline: true,
	}
}

func roles(p string) facts.Role {
	base := path.Base(p)
	switch {
	case base == "pytest.ini" || base == ".coveragerc":
		return facts.RoleTest | facts.RoleConfig
	case base == "tox.ini" || base == "setup.cfg" || base == "gradle.properties":
		return facts.RoleBuild
	case strings.HasPrefix(base, ".") || strings.HasPrefix(base, "env."):
		return facts.RoleConfig
	}
	return 0
}

func extract(b *lang.Builder) {
	s := &scanner{src: b.Source, d: dialectOf(b.Extension)}
	s.scan()
	d := &document{b: b, left: maxSymbols, envs: map[string]bool{}}
	for i := range s.sections {
		d.describe(&s.sections[i])
	}
	b.SetSummary(s.header)
	for i := range s.sections {
		d.emit(&s.sections[i])
	}
}

type document struct {
	b    *lang.Builder
	left int
	envs map[string]bool // environments of tox with a section of their own
}

// describe takes name and description from the sections that hold them.
func (d *document) describe(s *section) {
	switch s.name {
	case "metadata":
		d.b.SetPackage(s.value("name"))
		for i := range s.keys {
			// "file: README.rst" names a file.
			if p := &s.keys[i]; (p.name == "summary" || p.name == "description") && !strings.HasPrefix(p.value, "file:") && !strings.HasSuffix(p.value, ".rst") {
				d.b.SetSummary(p.value)
			}
		}
	case "Unit":
		d.b.SetSummary(s.value("Description"))
	case "Desktop Entry":
		d.b.SetSummary(s.value("Comment"))
		d.b.SetSummary(s.value("Name"))
	}
	if env, ok := strings.CutPrefix(s.name, "testenv:"); ok {
		d.envs[env] = true
	}
}

func (d *document) emit(s *section) {
	if s.name == "" {
		for i := range s.keys {
			d.key(s, &s.keys[i])
		}
		return
	}
	sym := facts.Symbol{Name: s.name, Kind: facts.KindKey, Span: s.span, NameSpan: s.nameSpan, Doc: s.doc}
	kind, name := splitName(s.name)
	switch {
	case kind == "testenv":
		sym.Kind = facts.KindTarget
		if name != "" {
			sym.Name = name
		}
		if sym.Doc == "" {
			sym.Doc = s.value("description")
		}
		sym.Signature = d.command(s, "commands")
	case kind == "program" || kind == "eventlistener" || kind == "fcgi-program":
		sym.Kind, sym.Name, sym.Signature = facts.KindTarget, name, s.value("command")
	case kind == "Desktop Action":
		sym.Kind, sym.Name, sym.Signature = facts.KindTarget, name, s.value("Exec")
	case strings.HasSuffix(s.name, `"`) && strings.Contains(s.name, ` "`):
		// [submodule "x"] is submodule.x to git.
		k := strings.Index(s.name, ` "`)
		sym.Name = s.name[:k] + "." + strings.Trim(s.name[k+2:], `"`)
	}
	at := d.symbol(sym)
	if at < 0 {
		return
	}
	d.b.Within(at, func() {
		for i := range s.keys {
			d.key(s, &s.keys[i])
		}
	})
}

// splitName splits "testenv:lint" and "Desktop Action new".
func splitName(s string) (kind, name string) {
	if rest, ok := strings.CutPrefix(s, "Desktop Action "); ok {
		return "Desktop Action", rest
	}
	kind, name, _ = strings.Cut(s, ":")
	return kind, strings.TrimSpace(name)
}

// command is the first line of a value.
func (d *document) command(s *section, key string) string {
	for i := range s.keys {
		if p := &s.keys[i]; p.name == key {
			if p.value != "" || len(p.more) == 0 {
				return p.value
			}
			return d.text(p.more[0])
		}
	}
	return ""
}

func (d *document) text(s facts.Span) string {
	return strings.ToValidUTF8(string(d.b.Source[s.Start:min(s.End, s.Start+2*maxValue)]), "")
}

func (d *document) key(s *section, p *pair) {
	sym := facts.Symbol{Name: p.name, Kind: facts.KindKey, Span: p.span, NameSpan: p.nameSpan, Doc: p.doc}
	if len(p.more) == 0 {
		sym.Init = p.value
	}
	switch s.name {
	case "aliases", "alias":
		if p.value != "" && !strings.HasPrefix(p.value, "//") {
			sym.Kind, sym.Signature, sym.Init = facts.KindTarget, p.value, ""
		}
	case "Service", "Desktop Entry":
		if strings.HasPrefix(p.name, "Exec") {
			sym.Signature = clip(p.name+"="+p.value, maxValue)
		}
	}
	d.links(s, p)
	at := d.symbol(sym)
	if at < 0 {
		return
	}
	d.b.Within(at, func() { d.items(s, p) })
}

// links reports the files that a key names.
func (d *document) links(s *section, p *pair) {
	if p.value == "" {
		return
	}
	switch {
	case p.name == "path" && (strings.HasPrefix(s.name, "submodule ") || s.name == "include" || strings.HasPrefix(s.name, "includeIf ")),
		p.name == "%include", s.name == "include" && p.name == "files":
		for _, f := range strings.Fields(p.value) {
			if strings.HasPrefix(f, "~") || strings.ContainsAny(f, "$*%") {
				continue
			}
			if !strings.HasPrefix(f, "/") && !strings.HasPrefix(f, ".") {
				f = "./" + f
			}
			d.b.Import(facts.Import{Module: f}, p.span.Start)
		}
	}
}

// items reads the lines of values that are lists of something with a name:
// entry points, environments, packages.
func (d *document) items(s *section, p *pair) {
	lines := p.more
	switch {
	case s.name == "options.entry_points" || s.name == "entry_points":
		kind := facts.KindKey
		if p.name == "console_scripts" || p.name == "gui_scripts" {
			kind = facts.KindTarget
		}
		for _, l := range lines {
			d.entryPoint(l, kind)
		}
	case (s.name == "tox" || s.name == "tox:tox") && (p.name == "envlist" || p.name == "env_list"):
		for _, l := range append([]facts.Span{{Start: p.nameSpan.End, End: d.firstLine(p)}}, lines...) {
			d.environments(l)
		}
	case s.name == "options" && strings.HasSuffix(p.name, "_requires") && p.name != "python_requires", s.name == "options.extras_require":
		for _, l := range lines {
			d.dependency(l)
		}
	case s.name == "pytest" || s.name == "tool:pytest":
		if p.name == "markers" {
			for _, l := range lines {
				d.marker(l)
			}
		}
	}
}

// firstLine is where the line that a key stands on ends.
func (d *document) firstLine(p *pair) uint32 {
	if len(p.more) == 0 {
		return p.span.End
	}
	rest := d.b.Source[p.nameSpan.End:p.span.End]
	if k := bytes.IndexByte(rest, '\n'); k >= 0 {
		return p.nameSpan.End + uint32(k)
	}
	return p.span.End
}

func (d *document) entryPoint(l facts.Span, kind facts.Kind) {
	raw := d.text(l)
	name, value, ok := strings.Cut(raw, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" {
		return
	}
	at := d.symbol(facts.Symbol{
		Name: name, Kind: kind, Signature: value, Span: l,
		NameSpan: facts.Span{Start: l.Start, End: l.Start + uint32(len(name))},
	})
	module, function, ok := strings.Cut(value, ":")
	if !ok {
		return
	}
	d.b.Within(at, func() {
		function, _, _ = strings.Cut(function, "[")
		start := l.Start + uint32(strings.LastIndexByte(raw, ':')+1)
		module, function = strings.TrimSpace(module), strings.TrimSpace(function)
		if k := strings.LastIndexByte(function, '.'); k >= 0 {
			module, function = module+"."+function[:k], function[k+1:]
		}
		d.b.Reference(facts.RefRead, function, module, start)
	})
}

// environments reads a line of the list of environments. Names with factors in
// braces stand for many and are left out.
func (d *document) environments(l facts.Span) {
	raw := d.text(l)
	depth, from := 0, -1
	flush := func(to int) {
		if from < 0 {
			return
		}
		name := raw[from:to]
		start := l.Start + uint32(from)
		from = -1
		if strings.ContainsAny(name, "{}=:") || d.envs[name] {
			return
		}
		d.envs[name] = true
		span := facts.Span{Start: start, End: start + uint32(len(name))}
		d.symbol(facts.Symbol{Name: name, Kind: facts.KindTarget, Span: span, NameSpan: span})
	}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '{':
			depth++
			if from < 0 {
				from = i
			}
		case c == '}':
			depth--
		case c == '#':
			flush(i)
			return
		case depth <= 0 && (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '=' || c == ':'):
			flush(i)
		case from < 0:
			from = i
		}
	}
	flush(len(raw))
}

// dependency reads a line that requires a package.
func (d *document) dependency(l facts.Span) {
	raw := d.text(l)
	n := 0
	for n < len(raw) && (raw[n] >= 'a' && raw[n] <= 'z' || raw[n] >= 'A' && raw[n] <= 'Z' || raw[n] >= '0' && raw[n] <= '9' || strings.IndexByte("-_.", raw[n]) >= 0) {
		n++
	}
	if n == 0 {
		return
	}
	version, _, _ := strings.Cut(raw[n:], ";")
	if strings.HasPrefix(version, "[") {
		_, version, _ = strings.Cut(version, "]")
	}
	d.symbol(facts.Symbol{
		Name: raw[:n], Kind: facts.KindKey, Span: l, Init: clip(strings.TrimSpace(version), maxValue),
		NameSpan: facts.Span{Start: l.Start, End: l.Start + uint32(n)},
	})
}

// marker reads a line that declares a marker of pytest.
func (d *document) marker(l facts.Span) {
	name, doc, _ := strings.Cut(d.text(l), ":")
	plain, _, _ := strings.Cut(name, "(")
	if plain = strings.TrimSpace(plain); plain == "" || strings.Contains(plain, " ") {
		return
	}
	d.symbol(facts.Symbol{
		Name: plain, Kind: facts.KindKey, Doc: doc, Span: l,
		NameSpan: facts.Span{Start: l.Start, End: l.Start + uint32(len(plain))},
	})
}

func (d *document) symbol(s facts.Symbol) int32 {
	if d.left == 0 || s.Name == "" {
		return -1
	}
	d.left--
	return d.b.Symbol(s)
}
