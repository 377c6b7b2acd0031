package dirfacts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
)

// maxTargets is how many targets a derived hint names.
const maxTargets = 5

// hints derives what to read for the topics that come up in every repository:
// where programs start, the public interface, tests, documents, build and
// configuration. Those of the root also look one level down.
func (f *folder) hints(d *dir) []artifact.Hint {
	var entry, api, build, config []artifact.Target
	for _, i := range d.files {
		e := &f.in.Files[i]
		if e.Role&(facts.RoleVendored|facts.RoleGenerated|facts.RoleTest|facts.RoleExample) != 0 {
			continue
		}
		t := artifact.Target{Kind: artifact.TargetFile, Path: e.Path}
		switch {
		case isEntry(e):
			entry = append(entry, t)
		case e.Role.Has(facts.RolePackageInit) && e.File.Language != "go":
			api = append(api, t)
		case e.Role.Has(facts.RoleBuild):
			build = append(build, t)
		case e.Role.Has(facts.RoleConfig):
			config = append(config, t)
		}
	}
	var tests, docs, examples []artifact.Target
	for _, c := range d.children {
		t := artifact.Target{Kind: artifact.TargetIndex, Path: path.Join(c.path, artifact.IndexName)}
		switch {
		case f.allBelow(c, facts.RoleTest):
			tests = append(tests, t)
		case f.allBelow(c, facts.RoleDoc|facts.RoleExample) && f.anyBelow(c, facts.RoleDoc):
			docs = append(docs, t)
		case f.allBelow(c, facts.RoleExample):
			examples = append(examples, t)
		}
	}
	if d.path == "" {
		for i := range f.in.Files {
			e := &f.in.Files[i]
			switch {
			case strings.HasPrefix(e.Path, ".github/workflows/") && e.Role.Has(facts.RoleBuild):
				build = append(build, artifact.Target{Kind: artifact.TargetFile, Path: e.Path})
			case isEntry(e) && dirOf(e.Path) != "" && e.Role&(facts.RoleVendored|facts.RoleTest|facts.RoleExample|facts.RoleGenerated) == 0:
				entry = append(entry, artifact.Target{Kind: artifact.TargetFile, Path: e.Path})
			}
		}
	}
	var out []artifact.Hint
	add := func(topic string, targets []artifact.Target) {
		if len(targets) == 0 {
			return
		}
		// The shallowest stand for the rest.
		slices.SortFunc(targets, func(x, y artifact.Target) int {
			return cmp.Or(cmp.Compare(strings.Count(x.Path, "/"), strings.Count(y.Path, "/")), cmp.Compare(x.Path, y.Path))
		})
		out = append(out, artifact.Hint{Topic: topic, Targets: targets[:min(len(targets), maxTargets)], Weight: weightPlain})
	}
	add("build and CI", build)
	add("configuration", config)
	add("documentation", docs)
	add("examples", examples)
	add("public interface", api)
	add("start of the program", entry)
	add("tests", tests)
	return out
}

func isEntry(e *facts.Entry) bool {
	if e.File.Traits&facts.EntryPoint != 0 {
		return true
	}
	if e.File.Package != "main" || e.File.Language != "go" {
		return false
	}
	for i := range e.File.Symbols {
		if s := &e.File.Symbols[i]; s.Flags&facts.Main != 0 && s.Parent < 0 {
			return true
		}
	}
	return false
}

// allBelow tells whether every source file in and below d has one of the roles.
func (f *folder) allBelow(d *dir, roles facts.Role) bool {
	for _, i := range d.files {
		if e := &f.in.Files[i]; isSource(e) && e.Role&roles == 0 {
			return false
		}
	}
	for _, c := range d.children {
		if !f.allBelow(c, roles) {
			return false
		}
	}
	return true
}

func (f *folder) anyBelow(d *dir, roles facts.Role) bool {
	for _, i := range d.files {
		if f.in.Files[i].Role&roles != 0 {
			return true
		}
	}
	return slices.ContainsFunc(d.children, func(c *dir) bool { return f.anyBelow(c, roles) })
}

// workflows collects what the repository knows how to run: targets of build
// files at its root, jobs of its CI, its programs, and what people wrote.
func (f *folder) workflows() []artifact.Workflow {
	out := slices.Clone(f.in.Written.Workflows)
	for i := range out {
		out[i].Weight = weightWritten
	}
	for i := range f.in.Files {
		e := &f.in.Files[i]
		if e.Role&(facts.RoleVendored|facts.RoleExample|facts.RoleTest) != 0 {
			continue
		}
		ci := strings.HasPrefix(e.Path, ".github/workflows/") || strings.HasPrefix(path.Base(e.Path), ".gitlab-ci")
		if dirOf(e.Path) != "" && !ci {
			continue
		}
		for k := range e.File.Symbols {
			s := &e.File.Symbols[k]
			// A job stands for its steps.
			if s.Kind != facts.KindTarget || s.Parent >= 0 && e.File.Symbols[s.Parent].Kind == facts.KindTarget {
				continue
			}
			weight := weightPublic
			switch {
			case ci:
				weight = weightPlain
			case isUsualTask(s.Name):
				weight = weightEntry
			}
			out = append(out, artifact.Workflow{
				Name: s.Name, Command: commandOf(e, s, ci), Description: s.Doc,
				Targets: []artifact.Target{{Kind: artifact.TargetFile, Path: e.Path}}, Weight: weight,
			})
		}
	}
	return out
}

// isUsualTask tells whether a target is one that every contributor runs.
func isUsualTask(name string) bool {
	switch name {
	case "all", "build", "check", "dev", "lint", "run", "start", "test":
		return true
	}
	return false
}

// commandOf is what a person types to run a target.
func commandOf(e *facts.Entry, s *facts.Symbol, ci bool) string {
	switch {
	case ci:
		return ""
	case e.File.Language == "makefile":
		return "make " + s.Name
	case path.Base(e.Path) == "package.json":
		return "npm run " + s.Name
	}
	return ""
}
