package mapgen

import (
	"fmt"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref"
)

// Rules of the faults that are found on the way. The tool is this program.
const (
	ownTool            = "project-map"
	ruleSyntax         = "syntax"
	ruleUnresolvedFile = "unresolved-import"
)

// maxDamage bounds the ranges that are listed of one file.
const maxDamage = 20

// ownFindings lists the parts of each file that could not be parsed, and the
// imports that name a file of the repository which is not there. Generated files
// are not mended, so they have none.
func ownFindings(files []facts.Entry, targets [][]xref.Target) [][]store.Finding {
	out := make([][]store.Finding, len(files))
	modules, dirs := goModules(files), map[string]bool{}
	for i := range files {
		for d := facts.DirOf(files[i].Path); !dirs[d]; d = facts.DirOf(d) {
			dirs[d] = true
		}
	}
	for i := range files {
		f := files[i].File
		if f == nil || f.Aside() {
			continue
		}
		for k, d := range f.Damage {
			if k == maxDamage {
				break
			}
			out[i] = append(out[i], store.Finding{
				Offset: d.Start, OffsetEnd: max(d.End, d.Start+1), Level: "error", Tool: ownTool, Rule: ruleSyntax,
				Message: "this part does not parse",
			})
		}
		resolved := make(map[int]bool, len(targets[i]))
		for _, t := range targets[i] {
			resolved[t.Import] = resolved[t.Import] || t.Doc < 0 || f.Family != "javascript" || literally(files[i].Path, f.Imports[t.Import].Module, files[t.Doc].Path)
		}
		for k := range f.Imports {
			m := &f.Imports[k]
			if !resolved[k] && namesFile(files[i].Path, f, m, modules, dirs) {
				out[i] = append(out[i], store.Finding{
					Line: m.Line, EndLine: m.Line, Level: "warning", Tool: ownTool, Rule: ruleUnresolvedFile,
					Message: fmt.Sprintf("%s leads to no file of the repository", m.Module),
				})
			}
		}
	}
	return out
}

// literally tells whether a relative path leads to a file as it is written, but
// for an extension or the name that stands for a directory: build/x can be taken
// for src/x where a build makes it of that, and is not there.
func literally(from, module, to string) bool {
	if !strings.HasPrefix(module, "./") && !strings.HasPrefix(module, "../") {
		return true
	}
	at := path.Join(path.Dir(from), module)
	for {
		if strings.HasPrefix(to, at) {
			return true
		}
		ext := path.Ext(at)
		if ext == "" || strings.Contains(ext, "/") {
			return at == "."
		}
		at = strings.TrimSuffix(at, ext) // x.js is written for x.ts
	}
}

// goModule is a Go module of the revision.
type goModule struct{ dir, path string }

func goModules(files []facts.Entry) []goModule {
	var out []goModule
	for i := range files {
		if path.Base(files[i].Path) == "go.mod" && files[i].File != nil && files[i].File.Package != "" {
			out = append(out, goModule{facts.DirOf(files[i].Path), files[i].File.Package})
		}
	}
	return out
}

// namesFile tells whether an import clause can only mean a file of the
// repository: one that is written as a relative path, or that lies in a module of
// it. Imports of a file itself resolve to nothing and are none.
func namesFile(from string, f *facts.File, m *facts.Import, modules []goModule, dirs map[string]bool) bool {
	switch f.Family {
	case "javascript":
		if !strings.HasPrefix(m.Module, "./") && !strings.HasPrefix(m.Module, "../") || strings.ContainsAny(m.Module, "?!*$`{") {
			return false
		}
		to := path.Join(path.Dir(from), m.Module)
		return to != "." && !strings.HasPrefix(to, "../") && to != strings.TrimSuffix(from, path.Ext(from)) && to != from
	case "c":
		to := path.Join(path.Dir(from), strings.Trim(m.Module, `"`))
		return strings.HasPrefix(strings.Trim(m.Module, `"`), "../") && !strings.HasPrefix(to, "../")
	case "python":
		return strings.HasPrefix(m.Module, ".") && strings.Trim(m.Module, ".") != ""
	case "go":
		for _, mod := range modules {
			if rest, ok := strings.CutPrefix(m.Module, mod.path+"/"); ok && !dirs[path.Join(mod.dir, rest)] {
				return true
			}
		}
	}
	return false
}
