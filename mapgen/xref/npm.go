package xref

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// packageImport follows the name of a package of the repository, and what stands
// behind it: as its exports say, as its main fields say, or by the path.
func (r *resolver) packageImport(module string) []Target {
	// The package with the longest name that is a prefix.
	for name := module; ; {
		if doc, ok := r.npm[name]; ok {
			dir, rest := facts.DirOf(r.files[doc].Path), strings.TrimPrefix(strings.TrimPrefix(module, name), "/")
			if t := r.entryPoint(doc, rest); t != nil {
				return t
			}
			for _, p := range []string{join(dir, rest), join(join(dir, "src"), rest), join(join(dir, "lib"), rest)} {
				if t := r.script(p); t != nil {
					return t
				}
			}
			return []Target{{Doc: -1, Dir: dir}}
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return nil
		}
		name = name[:i]
	}
}

// mainFields are the fields of package.json that name the file of a package, the
// ones nearest to its source first.
var mainFields = []string{"source", "types", "typings", "svelte", "module", "main"}

// entryPoint is the file that package.json gives for a path within its package,
// "" for the package itself.
func (r *resolver) entryPoint(doc int, rest string) []Target {
	key := "."
	if rest != "" {
		key = "./" + rest
	}
	if t := r.mapped(doc, "exports", key); t != nil || rest != "" {
		return t
	}
	symbols := r.files[doc].File.Symbols
	for _, field := range mainFields {
		for i := range symbols {
			if s := &symbols[i]; s.Parent < 0 && s.Name == field && s.Init != "" {
				if t := r.source(join(facts.DirOf(r.files[doc].Path), s.Init)); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// subpathImport follows #name by the imports of the nearest package.json.
func (r *resolver) subpathImport(from, module string) []Target {
	for dir := from; ; dir = facts.DirOf(dir) {
		if doc, ok := r.npmDirs[dir]; ok {
			return r.mapped(doc, "imports", module)
		}
		if dir == "" {
			return nil
		}
	}
}

// mapped is the file that a table of package.json (exports or imports) has for a
// key. Where conditions choose between several, it is the first that the
// repository has the source of.
func (r *resolver) mapped(doc int, table, key string) []Target {
	symbols := r.files[doc].File.Symbols
	dir := facts.DirOf(r.files[doc].Path)
	at := -1
	for i := range symbols {
		if symbols[i].Parent < 0 && symbols[i].Name == table {
			at = i
			break
		}
	}
	if at < 0 {
		return nil
	}
	best, middle, found := -1, "", false
	whole := key == "."
	for i := at + 1; i < len(symbols) && int(symbols[i].Parent) >= at; i++ {
		s := &symbols[i]
		if int(s.Parent) != at {
			continue
		}
		// Conditions can stand where the keys do: then all of it is the package
		// itself.
		whole = whole && !strings.HasPrefix(s.Name, ".")
		prefix, suffix, star := strings.Cut(s.Name, "*")
		switch {
		case s.Name == key:
			best, middle, found = i, "", true
		case !found && star && len(key) >= len(prefix)+len(suffix) && strings.HasPrefix(key, prefix) && strings.HasSuffix(key, suffix) &&
			(best < 0 || len(prefix) > strings.IndexByte(symbols[best].Name, '*')):
			best, middle = i, key[len(prefix):len(key)-len(suffix)]
		}
	}
	if whole {
		best = at
	}
	if best < 0 {
		return nil
	}
	for i := best; i < len(symbols) && (i == best || int(symbols[i].Parent) >= best); i++ {
		target := strings.ReplaceAll(symbols[i].Init, "*", middle)
		var t []Target
		switch {
		case strings.HasPrefix(target, "./"):
			t = r.source(join(dir, target))
		case target != "" && table == "imports":
			t = r.packageImport(target)
		}
		if t != nil {
			return t
		}
	}
	return nil
}

// builtDirs are directories that hold what was compiled.
var builtDirs = map[string]bool{"dist": true, "build": true, "lib": true, "out": true, "es": true, "esm": true, "cjs": true, "types": true, "typings": true, "umd": true}

// source is the file at a path that a package.json gives, or, where that is
// compiled, its source: as a tsconfig.json says, or in src or source in place of
// dist and the like.
func (r *resolver) source(p string) []Target {
	if t := r.configured(p); t != nil {
		return t
	}
	parts := strings.Split(p, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if !builtDirs[parts[i]] {
			continue
		}
		before, behind := strings.Join(parts[:i], "/"), parts[i+1:]
		for len(behind) > 1 && builtDirs[behind[0]] {
			behind = behind[1:]
		}
		for _, d := range []string{"src", "source", "lib", ""} {
			if t := r.uncompiled(join(join(before, d), strings.Join(behind, "/"))); t != nil {
				return t
			}
		}
	}
	return nil
}

// configured is the file at a path, or, where the path lies in the output of a
// tsconfig.json (of another project, say, that the importing one references), the
// source of what is compiled there.
func (r *resolver) configured(p string) []Target {
	if t := r.script(p); t != nil {
		return t
	}
	for _, c := range r.configs {
		for _, out := range c.out {
			rest, ok := strings.CutPrefix(p, out+"/")
			if !ok {
				continue
			}
			roots := []string{c.dir, join(c.dir, "src")}
			if c.hasRoot {
				roots = []string{c.root}
			}
			for _, root := range roots {
				if t := r.uncompiled(join(root, rest)); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// uncompiled tries the extensions of sources in place of those of compiled files.
func (r *resolver) uncompiled(p string) []Target {
	if t := r.script(p); t != nil {
		return t
	}
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".min.js", ".js", ".mjs", ".cjs"} {
		if stem, ok := strings.CutSuffix(p, ext); ok && stem != "" {
			return r.script(stem)
		}
	}
	return nil
}
