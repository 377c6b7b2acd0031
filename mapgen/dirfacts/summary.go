package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// summarize finds the one line that stands for a directory: what people wrote,
// else the documentation of its package, else the description in its manifest,
// else its README, else a line that says what it is made of.
func (f *folder) summarize(d *dir) string {
	if s := f.in.Written.Summaries[d.path]; s != "" {
		return s
	}
	return cmp.Or(f.packageDoc(d), f.manifest(d), f.readme(d), f.structure(d))
}

// readme is the first sentence of the directory's README, or its title.
func (f *folder) readme(d *dir) string {
	for _, i := range d.files {
		e := &f.in.Files[i]
		if strings.HasPrefix(strings.ToLower(path.Base(e.Path)), "readme") && e.File.Summary != "" && e.Role&(facts.RoleVendored|facts.RoleGenerated) == 0 {
			return e.File.Summary
		}
	}
	return ""
}

// manifest is the description in the file that declares a package.
func (f *folder) manifest(d *dir) string {
	for _, i := range d.files {
		e := &f.in.Files[i]
		switch path.Base(e.Path) {
		case "package.json", "pyproject.toml", "Cargo.toml", "deno.json", "composer.json":
			if isSentence(e.File.Summary) {
				return e.File.Summary
			}
		}
	}
	return ""
}

// packageName is the name of the package that a directory's package.json
// declares.
func (f *folder) packageName(d *dir) string {
	for _, i := range d.files {
		if e := &f.in.Files[i]; path.Base(e.Path) == "package.json" && e.Role&facts.RoleVendored == 0 {
			return e.File.Package
		}
	}
	return ""
}

// packageDoc is the documentation of the package that a directory holds.
func (f *folder) packageDoc(d *dir) string {
	best, bestRank := "", 0
	sources, only := 0, ""
	for _, i := range d.files {
		e := &f.in.Files[i]
		if !isProduct(e) {
			continue
		}
		sources++
		only = e.File.Summary
		if !isSentence(e.File.Summary) {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		rank := 0
		switch {
		case strings.HasPrefix(e.File.Summary, "Package "):
			// Of several files with a comment at the top, the one in the
			// customary form documents the package.
			rank = 5
		case e.Role.Has(facts.RolePackageInit):
			rank = 4
		case e.File.Language == "go":
			// Any file of a Go package may hold its documentation.
			rank = 3
		case stem == path.Base(d.path), stem == "main", stem == "mod", stem == "lib":
			rank = 2
		}
		if rank > bestRank {
			best, bestRank = e.File.Summary, rank
		}
	}
	if best == "" && sources == 1 && isSentence(only) {
		return only
	}
	return best
}

// isProduct tells whether a file is code of the product itself.
func isProduct(e *facts.Entry) bool {
	const aside = facts.RoleTest | facts.RoleVendored | facts.RoleGenerated | facts.RoleExample | facts.RoleConfig | facts.RoleBuild
	return e.Role&aside == 0 && isCode(e)
}

func isCode(e *facts.Entry) bool { return e.File.Nature == facts.Code }

// structure is the honest line about a directory without documentation. It
// names no counts and no files, so that it seldom changes.
func (f *folder) structure(d *dir) string {
	if len(d.files) == 0 {
		return f.structureBelow(d)
	}
	code, generated, other := map[string]int{}, map[string]int{}, map[string]int{}
	pkg := ""
	for _, i := range d.files {
		e := &f.in.Files[i]
		if e.File.Depth == facts.Listed || e.Role.Has(facts.RoleVendored) {
			continue
		}
		// Settings of tools say little about what a directory is written in.
		if isCode(e) && e.Role&(facts.RoleConfig|facts.RoleBuild) == 0 {
			if e.Role.Has(facts.RoleGenerated) {
				generated[e.File.Language]++
			} else {
				code[e.File.Language]++
			}
			if e.File.Language == "go" && pkg == "" && !strings.HasSuffix(e.File.Package, "_test") {
				pkg = e.File.Package
			}
		} else if e.File.Language != "" {
			other[e.File.Language]++
		}
	}
	language := cmp.Or(topLanguage(code), topLanguage(generated))
	switch {
	case language != "" && f.packageName(d) != "":
		return displayName(language) + " package " + f.packageName(d)
	case language != "" && path.Base(d.path) == "src" && f.packageName(f.at[facts.DirOf(d.path)]) != "":
		return "Sources of the package " + f.packageName(f.at[facts.DirOf(d.path)])
	case language == "python" && f.hasInit(d):
		return "Python package " + path.Base(d.path)
	case language == "go" && pkg == "main":
		return "Go program " + path.Base("/"+d.path)
	case allRoles(f, d, facts.RoleTest) && language != "":
		return displayName(language) + " tests"
	case language == "go" && pkg != "":
		return "Go package " + pkg
	case language != "":
		return displayName(language) + " sources"
	case allRoles(f, d, facts.RoleTest):
		return "Test data"
	case allRoles(f, d, facts.RoleDoc):
		return "Documents"
	case allRoles(f, d, facts.RoleConfig|facts.RoleBuild):
		return "Configuration"
	case f.packageName(d) != "":
		return "Package " + f.packageName(d)
	}
	if l := topLanguage(other); l != "" {
		return displayName(l) + " files"
	}
	return "Text files"
}

// structureBelow is the line about a directory that holds directories only. It
// names none of them, since the directory above would change with each.
func (f *folder) structureBelow(d *dir) string {
	if l := topLanguage(d.below); l != "" {
		return displayName(l) + " in subdirectories"
	}
	return "Directories only"
}

func (f *folder) hasInit(d *dir) bool {
	return slices.ContainsFunc(d.files, func(i int) bool { return path.Base(f.in.Files[i].Path) == "__init__.py" })
}

// topLanguage is the most frequent key, the first in byte order of several.
func topLanguage(counts map[string]int) string {
	best, n := "", 0
	for l, c := range counts {
		if c > n || c == n && l < best {
			best, n = l, c
		}
	}
	return best
}

func displayName(language string) string {
	switch language {
	case "php", "tsx", "yaml", "toml", "json", "css", "scss", "html", "sql", "xml", "hcl", "ini", "erb", "ejs", "jsp", "vhdl", "glsl", "hlsl", "wgsl":
		return strings.ToUpper(language)
	case "":
		return ""
	}
	if name, ok := displayNames[language]; ok {
		return name
	}
	return strings.ToUpper(language[:1]) + language[1:]
}

// displayNames are languages that are not called as they are spelt here.
var displayNames = map[string]string{
	"typescript": "TypeScript", "javascript": "JavaScript", "coffeescript": "CoffeeScript", "cpp": "C++", "csharp": "C#", "fsharp": "F#",
	"gomod": "Go module", "graphql": "GraphQL", "protobuf": "Protocol buffer", "flatbuffers": "FlatBuffers", "cmake": "CMake", "rst": "reStructuredText",
	"asciidoc": "AsciiDoc", "eex": "EEx", "pip-requirements": "Requirements", "objective-c": "Objective-C", "objective-c++": "Objective-C++",
	"ocaml": "OCaml", "matlab": "MATLAB", "opencl": "OpenCL", "latex": "LaTeX", "systemverilog": "SystemVerilog", "webassembly": "WebAssembly",
	"common-lisp": "Common Lisp", "emacs-lisp": "Emacs Lisp", "visual-basic": "Visual Basic", "powershell": "PowerShell",
}
