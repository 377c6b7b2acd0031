package dirfacts

import (
	"cmp"
	"maps"
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
// configuration. A directory routes to its own files and to its children,
// judging a child by its name and by what lies directly in it.
func (f *folder) hints(d *dir) []artifact.Hint {
	topics := map[string][]artifact.Target{}
	for _, i := range d.files {
		e := &f.in.Files[i]
		if topic := topicOf(e); topic != "" {
			topics[topic] = append(topics[topic], artifact.Target{Kind: artifact.TargetFile, Path: e.Path})
		}
	}
	for _, c := range d.children {
		if topic := f.topicOfChild(c); topic != "" {
			topics[topic] = append(topics[topic], artifact.Target{Kind: artifact.TargetIndex, Path: artifact.IndexPath(c.path)})
		}
	}
	out := make([]artifact.Hint, 0, len(topics))
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		targets := topics[topic]
		out = append(out, artifact.Hint{Topic: topic, Targets: targets[:min(len(targets), maxTargets)], Weight: weightPlain})
	}
	return out
}

// Topics of derived hints.
const (
	topicBuild    = "build and CI"
	topicConfig   = "configuration"
	topicDocs     = "documentation"
	topicExamples = "examples"
	topicPublic   = "public interface"
	topicStart    = "start of the program"
	topicTests    = "tests"
)

// topicOf is what a reader would look for in a file, "" for nothing.
func topicOf(e *facts.Entry) string {
	base := path.Base(e.Path)
	switch {
	case e.Role&(facts.RoleVendored|facts.RoleGenerated|facts.RoleTest|facts.RoleExample) != 0 || e.File.Depth == facts.Listed:
		return ""
	case isEntry(e):
		return topicStart
	case e.Role.Has(facts.RolePackageInit) && e.File.Language != "go":
		return topicPublic
	case e.Role.Has(facts.RoleBuild):
		return topicBuild
	case e.Role.Has(facts.RoleConfig) && (e.File.Depth == facts.Parsed || !strings.HasPrefix(base, ".")):
		// .gitignore and the like configure nothing that is asked for.
		return topicConfig
	}
	return ""
}

// topicOfChild is what a reader would look for in a child.
func (f *folder) topicOfChild(c *dir) string {
	switch strings.ToLower(path.Base(c.path)) {
	case ".github", ".circleci", ".buildkite", "ci", ".ci":
		return topicBuild
	case "testdata", "fixtures", "__fixtures__", "__snapshots__":
		return ""
	case "test", "tests", "__tests__", "spec", "specs", "e2e", "integration-tests", "integration_tests":
		return topicTests
	case "doc", "docs", "documentation":
		return topicDocs
	case "example", "examples", "samples", "demo", "demos", "playground":
		return topicExamples
	case "cmd", "bin":
		return topicStart
	}
	code, tests := 0, 0
	for _, i := range c.files {
		e := &f.in.Files[i]
		switch {
		case !isCode(e):
		case e.Role.Has(facts.RoleTest):
			tests++
		case isEntry(e) && e.Role&(facts.RoleVendored|facts.RoleExample|facts.RoleGenerated) == 0:
			return topicStart
		default:
			code++
		}
	}
	switch {
	case tests > 0 && code == 0:
		return topicTests
	case allRoles(f, c, facts.RoleExample):
		return topicExamples
	case allRoles(f, c, facts.RoleDoc):
		return topicDocs
	}
	return ""
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

// workflows collects what the repository knows how to run: targets of build
// files at its root, jobs of its CI, programs in the root and directly below,
// and what people wrote.
func (f *folder) workflows() []artifact.Workflow {
	out := slices.Clone(f.in.Written.Workflows)
	for i := range out {
		out[i].Weight = weightWritten
	}
	runner := f.scriptRunner()
	for i := range f.in.Files {
		e := &f.in.Files[i]
		if e.Role&(facts.RoleVendored|facts.RoleExample|facts.RoleTest) != 0 {
			continue
		}
		files := []artifact.Target{{Kind: artifact.TargetFile, Path: e.Path}}
		dir, base := facts.DirOf(e.Path), path.Base(e.Path)
		if !strings.Contains(dir, "/") && isEntry(e) && e.File.Language == "go" {
			out = append(out, artifact.Workflow{
				Name: path.Base(cmp.Or(dir, "main")), Source: "main package", Command: "go run ./" + dir, Description: f.at[dir].summary,
				Targets: files, Weight: weightPublic,
			})
		}
		ci := dir == ".github/workflows" || strings.HasPrefix(base, ".gitlab-ci")
		if dir != "" && !ci {
			continue
		}
		for k := range e.File.Symbols {
			s := &e.File.Symbols[k]
			// A job stands for its steps.
			if s.Kind != facts.KindTarget || s.Parent >= 0 && e.File.Symbols[s.Parent].Kind == facts.KindTarget {
				continue
			}
			w := artifact.Workflow{Name: s.Name, Description: s.Doc, Targets: files, Weight: weightPublic}
			switch {
			case ci:
				stem, _, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
				w.Name, w.Source, w.Weight = stem+": "+s.Name, "CI", weightPlain
			case base == "package.json":
				w.Command = runner + " run " + s.Name
			default:
				table := ""
				if s.Parent >= 0 {
					table = e.File.Symbols[s.Parent].Name
				}
				w.Command = f.command(e.File.Language, base, table, s.Name)
			}
			if !ci && isUsualTask(s.Name) {
				w.Weight = weightEntry
			}
			out = append(out, w)
		}
	}
	return out
}

// command is what runs a target of a build file at the root, which stands in a
// table of the file in some; "" where that is not known.
func (f *folder) command(language, base, table, target string) string {
	if strings.ContainsAny(target, " \t\"'$`;&|<>*?(){}[]\\") {
		return "" // would need quoting
	}
	switch language {
	case "makefile":
		return "make " + target
	case "just":
		return "just " + target
	case "dockerfile":
		return "docker build --target " + target + " ."
	case "cmake":
		return "cmake --build build --target " + target
	case "starlark":
		return "bazel build //:" + target
	case "ruby":
		return "rake " + target
	case "elixir":
		return "mix " + target
	case "groovy", "kotlin":
		if slices.ContainsFunc(f.at[""].files, func(i int) bool { return f.in.Files[i].Path == "gradlew" }) {
			return "./gradlew " + target
		}
		if strings.HasSuffix(base, ".gradle") || strings.HasSuffix(base, ".gradle.kts") {
			return "gradle " + target
		}
	case "ini":
		if base == "tox.ini" {
			return "tox -e " + target
		}
	case "toml":
		switch {
		case table == "tool.poe.tasks":
			return "poe " + target
		case table == "tool.pdm.scripts":
			return "pdm run " + target
		case table == "tool.taskipy.tasks":
			return "task " + target
		case table == "tasks" && (base == "pixi.toml"), table == "tool.pixi.tasks":
			return "pixi run " + target
		case table == "tasks" && strings.HasSuffix(base, "mise.toml"):
			return "mise run " + target
		}
	case "json":
		if base == "composer.json" {
			return "composer run " + target
		}
	case "hcl":
		if strings.HasPrefix(base, "docker-bake") {
			return "docker buildx bake " + target
		}
	case "nix":
		if base == "flake.nix" {
			return "nix build .#" + target
		}
	}
	return ""
}

// scriptRunner is the program that runs the scripts of package.json, which the
// lock file gives away.
func (f *folder) scriptRunner() string {
	for _, i := range f.at[""].files {
		switch f.in.Files[i].Path {
		case "pnpm-lock.yaml":
			return "pnpm"
		case "yarn.lock":
			return "yarn"
		case "bun.lock", "bun.lockb":
			return "bun"
		}
	}
	return "npm"
}

// isUsualTask tells whether a target is one that every contributor runs.
func isUsualTask(name string) bool {
	switch name {
	case "all", "build", "check", "dev", "lint", "run", "start", "test":
		return true
	}
	return false
}
