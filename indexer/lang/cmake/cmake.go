// Package cmake outlines CMake: targets and tests, functions and macros with
// their parameters, options and variables, projects, and what is included,
// added or found. All of the language is commands with arguments, which a
// scanner reads; control flow is passed over, so that every branch counts.
package cmake

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxRefs    = 8000
	maxImports = 2000
	maxInit    = 120
)

var comments = lang.CommentStyle{Line: []string{"#"}}

// Language is the row of CMake.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "cmake",
		Version:      1,
		Extensions:   []string{".cmake", ".cmake.in", ".cmakein"},
		Filenames:    []string{"CMakeLists.txt", "CMakeLists.txt.in", "cmakelists.txt"},
		Interpreters: []string{"cmake"},
		Extract:      extract,
		Roles:        func(string) facts.Role { return facts.RoleBuild },
		Outline:      true,
	}
}

type reader struct {
	b                   *lang.Builder
	src                 []byte
	left, refs, imports int
	seen                map[string]bool // variables of the level of the file
	// open is the function or macro that is being read, or -1.
	open    int32
	opened  bool
	opening string
	// indented tells that the inside of the function is, so that a definition in
	// the first column shows that its end is missing.
	indented, inside bool
}

func extract(b *lang.Builder) {
	r := &reader{b: b, src: b.Source, left: maxSymbols, refs: maxRefs, imports: maxImports, seen: map[string]bool{}, open: -1}
	s := &scanner{src: b.Source, noBracket: map[string]bool{}}
	for first := true; ; first = false {
		c, ok := s.next()
		if !ok {
			break
		}
		if first {
			if text, attached := comments.Header(b.Source); text != "" && (!attached || !documented[c.name]) {
				defer b.SetSummary(text)
			}
		}
		r.command(&c)
	}
	for _, d := range s.docs {
		b.MarkDoc(d)
	}
}

func (r *reader) command(c *command) {
	switch c.name {
	case "function", "macro":
		r.define(c)
		return
	case "endfunction", "endmacro":
		if r.opened && c.name == "end"+r.opening {
			r.extend(c.end)
			r.opened = false
		}
		return
	}
	first := c.start == 0 || r.src[c.start-1] == '\n'
	if r.opened && !r.inside {
		r.inside, r.indented = true, !first
	}
	if r.opened && r.indented && first && (documented[c.name] || c.name == "project" || c.name == "add_subdirectory") {
		r.opened = false
	}
	if !r.opened {
		r.inScope(c)
		return
	}
	r.extend(c.end)
	r.b.Within(r.open, func() { r.inScope(c) })
}

// extend makes a command part of the function that is open.
func (r *reader) extend(end int) {
	if r.opened && r.open >= 0 {
		s := r.b.At(r.open)
		s.Span.End = uint32(end)
		s.EndLine = r.b.Line(uint32(end - 1))
	}
}

func (r *reader) define(c *command) {
	r.opened, r.opening, r.open = false, c.name, -1
	r.inside, r.indented = false, false
	if len(c.args) == 0 {
		return
	}
	s := facts.Symbol{Kind: facts.KindFunction}
	if c.name == "macro" {
		s.Kind = facts.KindMacro
	}
	for _, a := range c.args[1:] {
		s.Params = append(s.Params, facts.Param{Name: a.text})
	}
	if strings.HasPrefix(c.args[0].text, "_") {
		s.Visibility = facts.Private
	}
	r.opened = true
	r.open = r.add(s, c, c.args[0])
}

// inScope reads a command that is no definition of a command.
func (r *reader) inScope(c *command) {
	name := ""
	if len(c.args) > 0 {
		name = c.args[0].text
	}
	switch c.name {
	case "project":
		r.project(c)
	case "add_library", "add_executable", "add_custom_target", "cuda_add_library", "cuda_add_executable", "qt_add_executable",
		"qt_add_library", "qt6_add_executable", "pybind11_add_module", "nanobind_add_module", "externalproject_add":
		r.target(c)
	case "add_test":
		if name == "NAME" && len(c.args) > 1 {
			r.addTarget(facts.Symbol{Kind: facts.KindTarget}, c, c.args[1])
		} else if len(c.args) > 0 {
			r.addTarget(facts.Symbol{Kind: facts.KindTarget}, c, c.args[0])
		}
		r.uses(after(c.args, "COMMAND", 1))
	case "target_sources":
		r.references(c.args[:min(1, len(c.args))])
		r.sources(c.args[min(1, len(c.args)):])
	case "target_link_libraries", "add_dependencies":
		r.references(c.args)
	case "option", "cmake_dependent_option":
		r.option(c)
	case "set":
		r.set(c)
	case "include":
		r.include(c, name)
	case "add_subdirectory":
		r.importing(facts.Import{Module: relative(name)}, c.start)
	case "configure_file":
		if looksLikeFile(relative(name)) {
			r.importing(facts.Import{Module: relative(name)}, c.start)
		}
	case "find_package", "find_dependency":
		r.find(c, name)
	case "pkg_check_modules", "pkg_search_module":
		r.packages(c)
	case "fetchcontent_declare", "cpmaddpackage", "cpmfindpackage":
		r.fetched(c, name)
	default:
		if builtin(c.name) {
			return
		}
		if wrapper.MatchString(c.name) && len(c.args) > 0 && !c.args[0].quoted {
			r.addTarget(facts.Symbol{Kind: facts.KindTarget}, c, c.args[0])
		}
		r.reference(facts.RefCall, c.written, c.start)
	}
}

// wrapper are names by convention of a project's own commands that add a target
// or test.
var wrapper = lazyregexp.New(`^add_(\w+_)?(test|executable|library|target|benchmark|example|tool|program|module|plugin)$`)

// project names the file's package and may describe it.
func (r *reader) project(c *command) {
	if len(c.args) == 0 || !isName(c.args[0].text) || r.opened {
		return
	}
	s := facts.Symbol{Kind: facts.KindModule}
	for i, a := range c.args[:len(c.args)-1] {
		if a.text == "DESCRIPTION" {
			s.Doc = c.args[i+1].text
			r.b.SetSummary(s.Doc)
		}
	}
	r.b.SetPackage(c.args[0].text)
	r.add(s, c, c.args[0])
}

// target reads what can be built.
func (r *reader) target(c *command) {
	if len(c.args) == 0 {
		return
	}
	r.addTarget(facts.Symbol{Kind: facts.KindTarget}, c, c.args[0])
	rest := c.args[1:]
	switch c.name {
	case "add_custom_target":
		r.uses(after(rest, "DEPENDS", 20))
		r.comment(c)
		return
	case "externalproject_add":
		r.fetched(c, c.args[0].text)
		return
	}
	if i := indexOf(rest, "ALIAS"); i >= 0 {
		r.references(after(rest, "ALIAS", 1))
		return
	}
	r.sources(rest)
}

// comment takes the COMMENT of a custom target as its documentation, where
// nothing stands above.
func (r *reader) comment(c *command) {
	text := after(c.args, "COMMENT", 1)
	if i := r.b.FindSymbol(c.args[0].text); i >= 0 && len(text) > 0 {
		if s := r.b.At(i); s.Doc == "" && int(s.Span.Start) == c.start {
			s.Doc = lang.FirstSentence(text[0].text)
			s.Doc = s.Doc[:min(len(s.Doc), facts.MaxDoc)]
			s.Doc = strings.ToValidUTF8(s.Doc, "")
		}
	}
}

// addTarget adds a target unless its name is computed.
func (r *reader) addTarget(s facts.Symbol, c *command, name argument) {
	if isName(name.text) {
		r.add(s, c, name)
	}
}

// sources adds the files of a target.
func (r *reader) sources(args []argument) {
	for _, a := range args {
		if f := relative(a.text); looksLikeFile(f) {
			r.importing(facts.Import{Module: f}, a.start)
		}
	}
}

// references adds the targets that a command names.
func (r *reader) references(args []argument) {
	for _, a := range args {
		switch a.text {
		case "PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE", "debug", "optimized", "general":
			continue
		}
		if !isName(a.text) || a.quoted || strings.HasPrefix(a.text, "-") || strings.ContainsAny(a.text, "./") {
			continue
		}
		// An imported target is found in the package that its name starts with.
		qualifier, name := "", a.text
		at := a.start
		if k := strings.LastIndex(name, "::"); k >= 0 {
			qualifier, name = name[:k], name[k+2:]
			at += k + 2
		}
		r.reference(facts.RefRead, name, at, qualifier)
	}
}

// uses adds targets among arguments up to the next keyword.
func (r *reader) uses(args []argument) {
	for i, a := range args {
		if i > 0 && a.text == strings.ToUpper(a.text) && len(a.text) > 3 {
			args = args[:i]
			break
		}
	}
	r.references(args)
}

func (r *reader) option(c *command) {
	if len(c.args) == 0 || !isName(c.args[0].text) {
		return
	}
	s := facts.Symbol{Kind: facts.KindVariable, Type: "BOOL"}
	if len(c.args) > 1 {
		s.Doc = c.args[1].text
	}
	if len(c.args) > 2 {
		s.Init = initial(c.args[2:3])
	}
	r.addOnce(s, c)
}

// set reads variables: of the cache anywhere, others at the level of the file.
func (r *reader) set(c *command) {
	if len(c.args) < 2 || !isName(c.args[0].text) {
		return
	}
	s := facts.Symbol{Kind: facts.KindVariable}
	values := c.args[1:]
	cache := false
	for i, a := range values {
		if a.text == "CACHE" && !a.quoted {
			cache = true
			if i+1 < len(values) {
				s.Type = values[i+1].text
			}
			if i+2 < len(values) && s.Type != "INTERNAL" {
				s.Doc = values[i+2].text
			}
			values = values[:i]
			break
		}
	}
	if !cache {
		s.Visibility = facts.Private // of the directory and those below it
	}
	if !cache && (r.opened || values[len(values)-1].text == "PARENT_SCOPE") {
		return
	}
	s.Init = initial(values)
	for _, a := range values {
		if f := relative(a.text); !cache && isSource(f) {
			r.importing(facts.Import{Module: f}, a.start)
		}
	}
	r.addOnce(s, c)
}

func initial(values []argument) string {
	var words []string
	n := 0
	for _, a := range values {
		if n += len(a.text) + 1; n > maxInit {
			return ""
		}
		words = append(words, a.text)
	}
	return lang.Collapse(strings.Join(words, " "))
}

func (r *reader) addOnce(s facts.Symbol, c *command) {
	if name := c.args[0].text; !r.seen[name] {
		r.seen[name] = true
		r.add(s, c, c.args[0])
	}
}

// include adds a file or a module of the module path.
func (r *reader) include(c *command, name string) {
	module := relative(name)
	if !strings.ContainsAny(name, "/.$") {
		module = name
	}
	r.importing(facts.Import{Module: module}, c.start)
}

func (r *reader) find(c *command, name string) {
	if name == "" || strings.Contains(name, "${") {
		return
	}
	i := facts.Import{Module: name}
	components := false
	for _, a := range c.args[1:] {
		switch a.text {
		case "COMPONENTS", "OPTIONAL_COMPONENTS":
			components = true
			continue
		case "REQUIRED", "QUIET", "CONFIG", "NO_MODULE", "EXACT", "MODULE", "NAMES", "PATHS", "HINTS", "CONFIGS":
			components = a.text == "REQUIRED" && components
			continue
		}
		if components && isName(a.text) && len(i.Names) < 50 {
			i.Names = append(i.Names, facts.ImportedName{Name: a.text})
		}
	}
	r.importing(i, c.start)
}

func (r *reader) packages(c *command) {
	for i, a := range c.args {
		if i > 0 && a.text != strings.ToUpper(a.text) && !strings.Contains(a.text, "$") {
			module, _, _ := strings.Cut(a.text, ">")
			module, _, _ = strings.Cut(module, "=")
			r.importing(facts.Import{Module: strings.TrimSpace(module), Alias: c.args[0].text}, a.start)
		}
	}
}

// fetched adds a project that is downloaded.
func (r *reader) fetched(c *command, name string) {
	for i, a := range c.args {
		switch a.text {
		case "GIT_REPOSITORY", "URL", "GITHUB_REPOSITORY":
			if i+1 < len(c.args) {
				if v := c.args[i+1].text; !strings.Contains(v, "$") {
					alias := name
					if k := after(c.args, "NAME", 1); len(k) > 0 && strings.HasPrefix(c.name, "cpm") {
						alias = k[0].text
					}
					r.importing(facts.Import{Module: v, Alias: alias}, c.start)
				}
			}
		}
	}
}

func indexOf(args []argument, word string) int {
	for i, a := range args {
		if a.text == word && !a.quoted {
			return i
		}
	}
	return -1
}

// after gives up to n arguments behind a keyword.
func after(args []argument, word string, n int) []argument {
	i := indexOf(args, word)
	if i < 0 {
		return nil
	}
	return args[i+1 : min(len(args), i+1+n)]
}

// relative is a path with the variables for the directory of the file resolved.
func relative(p string) string {
	for _, v := range []string{"${CMAKE_CURRENT_SOURCE_DIR}", "${CMAKE_CURRENT_LIST_DIR}"} {
		if rest, ok := strings.CutPrefix(p, v); ok {
			p = "." + rest
			break
		}
	}
	if p != "" && p[0] != '.' && p[0] != '/' && p[0] != '$' && p[0] != '@' {
		p = "./" + p
	}
	return p
}

var file = lazyregexp.New(`^\.[A-Za-z0-9_./+-]*\.[A-Za-z][A-Za-z0-9+]{0,8}$`)

func looksLikeFile(p string) bool { return file.MatchString(p) }

var source = lazyregexp.New(`\.(c|cc|cpp|cxx|c\+\+|cu|m|mm|h|hh|hpp|hxx|inl|ipp|ixx|cppm|f90|f|s|S|asm|rc|ui|qrc|proto)$`)

func isSource(p string) bool { return looksLikeFile(p) && source.MatchString(p) }

// isName leaves out names that are computed.
func isName(s string) bool { return s != "" && !strings.ContainsAny(s, "${}@<>\"\n ") }

func (r *reader) reference(kind facts.RefKind, name string, at int, qualifier ...string) {
	if r.refs > 0 {
		r.refs--
		r.b.Reference(kind, name, strings.Join(qualifier, ""), uint32(at))
	}
}

func (r *reader) importing(i facts.Import, at int) {
	if r.imports > 0 && i.Module != "." && i.Module != "./." {
		r.imports--
		r.b.Import(i, uint32(at))
	}
}

// signature is a command without comments.
func signature(c *command) string {
	var b strings.Builder
	b.WriteString(c.written)
	b.WriteByte('(')
	for i, a := range c.args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if a.quoted {
			b.WriteByte('"')
		}
		b.WriteString(a.text)
		if a.quoted {
			b.WriteByte('"')
		}
		if b.Len() > 2*facts.MaxSignature {
			break
		}
	}
	b.WriteByte(')')
	return b.String()
}

func (r *reader) add(s facts.Symbol, c *command, name argument) int32 {
	if r.left == 0 || name.text == "" || name.start > name.end || name.end > c.end {
		return -1
	}
	r.left--
	s.Name = name.text
	s.Span = facts.Span{Start: uint32(c.start), End: uint32(c.end)}
	s.NameSpan = facts.Span{Start: uint32(name.start), End: uint32(name.end)}
	s.Signature = signature(c)
	if text := comments.Above(r.src, c.start); text != "" {
		s.Doc = text
	}
	return r.b.Symbol(s)
}
