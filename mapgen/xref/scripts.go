package xref

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// tsconfig is what a tsconfig.json or jsconfig.json says about paths.
type tsconfig struct {
	dir, file string
	base      string // directory of baseUrl, "" and false when not given
	hasBase   bool
	paths     [][2]string // pattern, target
	extends   string
	// out and root are where compiled files go and what they are compiled from:
	// outDir and declarationDir, and rootDir, "" and false when not given.
	out     []string
	root    string
	hasRoot bool
}

// configures tells a configuration of TypeScript, which a package can give away
// under any name.
func configures(f *facts.File) bool {
	return slices.ContainsFunc(f.Symbols, func(s facts.Symbol) bool {
		return s.Parent < 0 && (s.Name == "compilerOptions" || s.Name == "extends")
	})
}

func readTSConfig(e *facts.Entry) tsconfig {
	c := tsconfig{dir: facts.DirOf(e.Path), file: e.Path}
	f := e.File
	for i := range f.Symbols {
		s := &f.Symbols[i]
		value := strings.Trim(s.Init, `"`)
		switch {
		case s.Name == "extends" && s.Parent < 0:
			c.extends = value
		case s.Name == "baseUrl" && s.Container == "compilerOptions":
			c.base, c.hasBase = join(c.dir, value), true
		case (s.Name == "outDir" || s.Name == "declarationDir") && s.Container == "compilerOptions":
			c.out = append(c.out, join(c.dir, value))
		case s.Name == "rootDir" && s.Container == "compilerOptions":
			c.root, c.hasRoot = join(c.dir, value), true
		case s.Container == "paths" && value != "":
			c.paths = append(c.paths, [2]string{s.Name, value})
		}
	}
	return c
}

var scriptExtensions = []string{
	"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json",
	"/index.ts", "/index.tsx", "/index.d.ts", "/index.js", "/index.jsx", "/index.mjs", "/index.cjs", "/index.vue",
}

// scriptImport follows relative paths, the paths of the nearest tsconfig.json,
// what package.json calls #name, and packages of the same repository.
func (r *resolver) scriptImport(doc int, module string) []Target {
	module, _, _ = strings.Cut(module, "?")
	from := facts.DirOf(r.files[doc].Path)
	if strings.HasPrefix(module, ".") {
		return r.configured(join(from, module))
	}
	if strings.HasPrefix(module, "/") {
		return r.script(strings.TrimPrefix(module, "/"))
	}
	for _, c := range r.scopes {
		if !within(from, c.dir) {
			continue
		}
		if t := r.aliased(c, module, 0); t != nil {
			return t
		}
	}
	if strings.HasPrefix(module, "#") {
		return r.subpathImport(from, module)
	}
	return r.packageImport(module)
}

func (r *resolver) aliased(c tsconfig, module string, depth int) []Target {
	base := c.dir
	if c.hasBase {
		base = c.base
	}
	for _, p := range c.paths {
		prefix, suffix, star := strings.Cut(p[0], "*")
		switch {
		case !star && module == p[0]:
			if t := r.script(join(base, p[1])); t != nil {
				return t
			}
		case star && len(module) >= len(prefix)+len(suffix) && strings.HasPrefix(module, prefix) && strings.HasSuffix(module, suffix):
			middle := module[len(prefix) : len(module)-len(suffix)]
			if t := r.script(join(base, strings.Replace(p[1], "*", middle, 1))); t != nil {
				return t
			}
		}
	}
	if c.hasBase {
		if t := r.script(join(c.base, module)); t != nil {
			return t
		}
	}
	target := r.extended(c)
	if target == "" || depth > 8 {
		return nil
	}
	for _, o := range r.configs {
		if o.file == target || o.file == target+".json" || o.file == join(target, "tsconfig.json") {
			return r.aliased(o, module, depth+1)
		}
	}
	return nil
}

// extended is the path, perhaps without its extension, of the configuration that
// another one extends: relative to it, or in a package of the repository.
func (r *resolver) extended(c tsconfig) string {
	if c.extends == "" {
		return ""
	}
	if strings.HasPrefix(c.extends, ".") {
		return join(c.dir, c.extends)
	}
	for name := c.extends; name != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
		if doc, ok := r.npm[name]; ok {
			return join(facts.DirOf(r.files[doc].Path), strings.TrimPrefix(c.extends, name))
		}
	}
	return ""
}

// script tries the extensions that a module specifier may leave out, and a
// source in place of the .js file that it is compiled to.
func (r *resolver) script(p string) []Target {
	for _, ext := range scriptExtensions {
		if t := r.file(p + ext); t != nil && p+ext != "" {
			return t
		}
	}
	for _, swap := range [][2]string{{".js", ".ts"}, {".js", ".tsx"}, {".mjs", ".mts"}, {".cjs", ".cts"}, {".jsx", ".tsx"}, {".js", ".d.ts"}, {".mjs", ".d.mts"}} {
		if stem, ok := strings.CutSuffix(p, swap[0]); ok {
			if t := r.file(stem + swap[1]); t != nil {
				return t
			}
		}
	}
	return nil
}
