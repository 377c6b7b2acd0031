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
// imports that name a file of the repository which is not there.
func ownFindings(files []facts.Entry, targets [][]xref.Target) [][]store.Finding {
	out := make([][]store.Finding, len(files))
	modules := goModules(files)
	for i := range files {
		f := files[i].File
		if f == nil {
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
			resolved[t.Import] = true
		}
		for k := range f.Imports {
			m := &f.Imports[k]
			if !resolved[k] && namesFile(files[i].Path, f, m, modules) {
				out[i] = append(out[i], store.Finding{
					Line: m.Line, EndLine: m.Line, Level: "warning", Tool: ownTool, Rule: ruleUnresolvedFile,
					Message: fmt.Sprintf("%s leads to no file of the repository", m.Module),
				})
			}
		}
	}
	return out
}

// goModules lists the paths of the Go modules of the revision.
func goModules(files []facts.Entry) []string {
	var out []string
	for i := range files {
		if path.Base(files[i].Path) == "go.mod" && files[i].File != nil && files[i].File.Package != "" {
			out = append(out, files[i].File.Package)
		}
	}
	return out
}

// namesFile tells whether an import clause can only mean a file of the
// repository: one that is written as a relative path, or that lies in a module of
// it. Imports of a file itself resolve to nothing and are none.
func namesFile(from string, f *facts.File, m *facts.Import, modules []string) bool {
	switch f.Family {
	case "javascript":
		if !strings.HasPrefix(m.Module, "./") && !strings.HasPrefix(m.Module, "../") || strings.ContainsAny(m.Module, "?!*$`{") {
			return false
		}
		to := path.Join(path.Dir(from), m.Module)
		return to != "." && !strings.HasPrefix(to, "../") && to != strings.TrimSuffix(from, path.Ext(from)) && to != from
	case "python":
		return strings.HasPrefix(m.Module, ".") && strings.Trim(m.Module, ".") != ""
	case "go":
		for _, p := range modules {
			if strings.HasPrefix(m.Module, p+"/") {
				return true
			}
		}
	}
	return false
}
