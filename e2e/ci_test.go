//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/project-map/project-map/registry/registrytest"
)

// workflows are the files that actionlint has to accept.
func workflows(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	r := newRepo(t)
	r.run("project-map", "init", "ci")
	return append(files, filepath.Join(r.dir, ".github/workflows/project-map.yml"))
}

// actionlint checks a workflow with the tool of go.mod, and the scripts in it
// where shellcheck is installed.
func actionlint(t *testing.T, files ...string) {
	t.Helper()
	args := []string{"tool", "actionlint", "-no-color", "-pyflakes="}
	if out, err := exec.Command("go", append(args, files...)...).CombinedOutput(); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
}

func TestCIWorkflowsAreValid(t *testing.T) {
	actionlint(t, workflows(t)...)
}

// TestCIActionIsValid checks the steps of the action as those of a job with the
// same inputs, since actionlint reads workflows only.
func TestCIActionIsValid(t *testing.T) {
	a := readAction(t)
	inputs := map[string]any{}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
		inputs[name] = map[string]string{"type": "string"}
	}
	outputs := map[string]string{}
	for name, o := range a.Outputs {
		outputs[name] = o.Value
	}
	text, err := yaml.Marshal(map[string]any{
		"on":          map[string]any{"workflow_call": map[string]any{"inputs": inputs}},
		"permissions": map[string]string{"contents": "read"},
		"jobs":        map[string]any{"action": map[string]any{"runs-on": "ubuntu-latest", "steps": a.Runs.Steps, "outputs": outputs}},
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "action.yml")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	actionlint(t, name)
	for _, s := range a.Runs.Steps {
		if s.Uses == "" && s.Shell != "sh" {
			t.Errorf("step %q: shell %q, want sh", s.Name, s.Shell)
		}
	}
	// Every input of the reusable workflow is handed on to one of the action.
	reusable, err := os.ReadFile("../.github/workflows/maps.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal(reusable, &w); err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, s := range w.Jobs["maps"].Steps {
		if strings.HasPrefix(s.Uses, "project-map/project-map@") {
			seen = true
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("maps.yml gives the action an input %s, which it does not have", name)
				}
			}
		}
	}
	if !seen {
		t.Error("maps.yml does not use the action")
	}
}

// TestCIPins: actions of others are named by commit, our own by the release that
// the program is, and text of events reaches no script.
func TestCIPins(t *testing.T) {
	version := strings.Fields(newRepo(t).run("project-map", "version"))[1]
	files := append(workflows(t), "../action.yml")
	used := regexp.MustCompile(`(?m)^\s*(?:- )?uses: (\S+)(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	comment := regexp.MustCompile(`^ # v\d+\.\d+\.\d+$`)
	commits := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(text), -1) {
			name, ref, _ := strings.Cut(m[1], "@")
			switch {
			case strings.HasPrefix(name, "project-map/project-map"):
				if ref != "v"+version {
					t.Errorf("%s uses %s, and the program is version %s", f, m[1], version)
				}
			case !pinned.MatchString(m[1]) || !comment.MatchString(m[2]):
				t.Errorf("%s: %q is not pinned to a commit, with its version behind it", f, m[0])
			case commits[name] != "" && commits[name] != ref:
				t.Errorf("%s: two versions of %s are used", f, name)
			default:
				commits[name] = ref
			}
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		runs := scripts(&doc)
		for _, s := range runs {
			if strings.Contains(s, "${{") {
				t.Errorf("%s: an expression becomes a part of a script:\n%s", f, s)
			}
		}
	}
}

// scripts are the values of all keys "run".
func scripts(n *yaml.Node) (out []string) {
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "run" && c.Kind == yaml.ScalarNode {
			out = append(out, c.Value)
		}
		out = append(out, scripts(c)...)
	}
	return out
}

func TestCIScriptsPassShellcheck(t *testing.T) {
	installed(t, "shellcheck", "shellcheck")
	files, err := filepath.Glob("../.github/actions/project-map/*.sh")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if out, err := exec.Command("shellcheck", append([]string{"-s", "sh"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}

// ciRepo is a repository with maps, a branch, and a clone of it that stands for
// the checkout of a runner.
func ciRepo(t *testing.T) (*repo, *runner) {
	t.Helper()
	installed(t, "jq", "jq")
	installed(t, "curl", "curl")
	r := newRepo(t)
	return r, &runner{t: t, workspace: r.dir, cache: &caches{dir: t.TempDir()}, kind: "push", event: `{}`,
		inputs: map[string]string{"program": program}}
}

func (r *repo) path() string {
	for _, kv := range r.env {
		if p, ok := strings.CutPrefix(kv, "PATH="); ok {
			return p
		}
	}
	return ""
}

func (r *repo) head() string { return strings.TrimSpace(r.run("git", "rev-parse", "HEAD")) }

// pullRequest is the event of a pull request from a repository.
func pullRequest(base, from string) string {
	event, err := json.Marshal(map[string]any{"pull_request": map[string]any{
		"number": 7, "title": "$(touch owned)",
		"base": map[string]any{"sha": base, "repo": map[string]string{"full_name": "o/r"}},
		"head": map[string]any{"ref": "a;touch owned;`id`", "repo": map[string]string{"full_name": from}},
	}})
	if err != nil {
		panic(err)
	}
	return string(event)
}

// TestCIRun runs the whole action: for a push, again with the cache, and for a
// pull request that changes maps and one that leaves stale ones.
func TestCIRun(t *testing.T) {
	r, ci := ciRepo(t)
	before := r.head()
	r.write("queue/more.go", "package queue\n\n// Drain empties the queue.\nfunc Drain(limit int) error { return nil }\n")
	r.run("project-map", "index", "--worktree", "--quiet")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "drain")
	status := r.run("git", "status", "--porcelain")
	if err := os.RemoveAll(filepath.Join(r.dir, ".git/project-map")); err != nil {
		t.Fatal(err)
	}

	ci.event = fmt.Sprintf(`{"before": %q, "ref": "refs/heads/$(touch owned)"}`, before)
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if ci.outputs["fresh"] != "true" || ci.outputs["changed"] != "true" || ci.outputs["comment"] != "" {
		t.Errorf("outputs: %v", ci.outputs)
	}
	contains(t, ci.summary, "## Map changes from `"+before[:12]+"`", "added: `func Drain(limit int) error`")
	name := "project-map-" + r.head()
	files := ci.artifacts[name]
	if len(files) != 1 {
		t.Fatalf("artifacts: %v\n%s", ci.artifacts, ci.log)
	}
	contains(t, r.run("project-map", "context", "--artifacts", ci.outputs["maps"], "drain the queue"), "queue/more.go")
	first := ci.outputs["digest"]
	contains(t, r.run("sha256sum", files[0]), strings.TrimPrefix(first, "sha256:"))
	if out := r.run("git", "status", "--porcelain"); out != status {
		t.Errorf("the work tree was changed:\n%s", out)
	}
	if len(ci.cache.keys) != 1 {
		t.Fatalf("kept caches: %v", ci.cache.keys)
	}

	// A second runner with the cache reads nothing anew and keeps nothing.
	if err := os.RemoveAll(filepath.Join(r.dir, ".git/project-map")); err != nil {
		t.Fatal(err)
	}
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if len(ci.cache.keys) != 1 || ci.outputs["digest"] != first {
		t.Errorf("kept caches %v, digests %s and %s", ci.cache.keys, first, ci.outputs["digest"])
	}

	// Maps that are not fresh fail in the end, after the comparison.
	base := r.head()
	r.write("queue/more.go", "package queue\n\n// Drain empties the queue.\nfunc Drain(limit, rest int) error { return nil }\n")
	r.run("git", "commit", "-q", "-a", "-m", "stale")
	ci.kind, ci.event = "pull_request", pullRequest(base, "fork/r")
	err := ci.run(r.path())
	if err == nil || !strings.Contains(err.Error(), "Committed maps have to be fresh") {
		t.Fatalf("stale maps: %v", err)
	}
	contains(t, ci.summary, "## Maps that are not fresh", "    ", "queue/.pi-map.md", "changed: `func Drain(limit int) error` → `func Drain(limit, rest int) error`",
		"This pull request comes from a fork")
	if len(ci.cache.keys) != 2 || len(ci.artifacts) != 1 {
		t.Errorf("kept caches %v, artifacts %v", ci.cache.keys, ci.artifacts)
	}
	ci.inputs["validate"] = "false"
	if err := ci.run(r.path()); err != nil {
		t.Errorf("with validate: false: %v", err)
	}
	ci.inputs["validate"] = "perhaps"
	if err := ci.run(r.path()); err == nil || !strings.Contains(err.Error(), "give auto, true or false, not perhaps") {
		t.Errorf("with validate: perhaps: %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "owned")); err == nil {
		t.Error("text of an event was executed")
	}
}

// TestCIWithoutMaps: a repository without committed maps is indexed, published
// and compared, and nothing of it is validated.
func TestCIWithoutMaps(t *testing.T) {
	r, ci := ciRepo(t)
	r.run("git", "rm", "-q", "*.pi-map.md", "*.pi-map.index.md")
	r.write(".project-map.yaml", "artifacts: none\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "no maps")
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if ci.outputs["fresh"] != "" || ci.outputs["changed"] != "" || len(ci.artifacts) != 1 {
		t.Errorf("outputs %v, artifacts %v", ci.outputs, ci.artifacts)
	}
	if out := r.run("git", "status", "--porcelain"); out != "" {
		t.Errorf("the work tree was changed:\n%s", out)
	}
}

// TestCICacheOfOthers: whatever a cache holds, it costs time only.
func TestCICacheOfOthers(t *testing.T) {
	r, ci := ciRepo(t)
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	digest := ci.outputs["digest"]
	kept := filepath.Join(ci.cache.dir, "0", "1")
	for _, page := range []string{".pi-map.md", "queue/.pi-map.index.md"} {
		if err := os.WriteFile(filepath.Join(kept, page), []byte("# Somebody else's\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(r.dir, ".git/project-map")); err != nil {
		t.Fatal(err)
	}
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	contains(t, ci.log, "Starting afresh.")
	if ci.outputs["digest"] != digest || ci.outputs["fresh"] != "true" {
		t.Errorf("outputs: %v", ci.outputs)
	}
	contains(t, r.run("project-map", "context", "--artifacts", ci.outputs["maps"], "add a message"), "queue/queue.go")
}

// TestCISigned signs with a key from a secret and verifies with minisign.
func TestCISigned(t *testing.T) {
	installed(t, "minisign", "minisign")
	r, ci := ciRepo(t)
	keys := t.TempDir()
	r.run("minisign", "-G", "-W", "-p", filepath.Join(keys, "key.pub"), "-s", filepath.Join(keys, "key"))
	secret, err := os.ReadFile(filepath.Join(keys, "key"))
	if err != nil {
		t.Fatal(err)
	}
	ci.inputs["signing-key"], ci.inputs["diff"] = string(secret), "false"
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	files := ci.artifacts["project-map-"+r.head()]
	if len(files) != 2 {
		t.Fatalf("artifacts: %v", ci.artifacts)
	}
	r.run("minisign", "-V", "-p", filepath.Join(keys, "key.pub"), "-m", files[0])
	if _, err := os.Stat(filepath.Join(filepath.Dir(files[0]), "minisign.key")); err == nil {
		t.Error("the secret key was left on the disk")
	}
}

// TestCISite writes the site of the commit, and again over the one before.
func TestCISite(t *testing.T) {
	r, ci := ciRepo(t)
	ci.inputs["site"], ci.inputs["diff"] = "true", "false"
	for range 2 {
		if err := ci.run(r.path()); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(ci.outputs["site"], "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		contains(t, string(page), "queue", r.head()[:12])
	}
}

// TestCIPush pushes to a registry that asks who it is, for pushes alone.
func TestCIPush(t *testing.T) {
	r, ci := ciRepo(t)
	server := registrytest.New(false)
	t.Cleanup(server.Close)
	server.Protect("alice", "hunter2", true)
	ci.inputs["oci"], ci.inputs["oci-password"], ci.inputs["diff"] = "oci://"+server.Host()+"/o/maps", "hunter2", "false"
	ci.kind, ci.event = "pull_request", pullRequest(r.head(), "o/r")
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if asked := server.Requests(); len(asked) != 0 || len(ci.artifacts) != 1 {
		t.Errorf("a pull request asked the registry: %v", asked)
	}
	ci.kind, ci.event = "push", "{}"
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(ci.log+ci.summary, "hunter2") {
		t.Errorf("the password is in the log:\n%s", ci.log)
	}
	r.env = append(r.env, "PROJECT_MAP_REGISTRY="+server.Host(), "PROJECT_MAP_REGISTRY_USER=alice", "PROJECT_MAP_REGISTRY_PASSWORD=hunter2")
	to := filepath.Join(t.TempDir(), "maps")
	r.run("project-map", "pull", "oci://"+server.Host()+"/o/maps:"+r.head(), "--to", to)
	contains(t, r.run("project-map", "context", "--artifacts", to, "add a message"), "queue/queue.go")
	ci.inputs["oci-password"] = "wrong"
	if err := ci.run(r.path()); err == nil || !strings.Contains(err.Error(), "could not be made or pushed") {
		t.Errorf("with a wrong password: %v", err)
	}
}

// TestCIBase finds what a commit is compared with, or says why not.
func TestCIBase(t *testing.T) {
	r, ci := ciRepo(t)
	root := strings.TrimSpace(r.run("git", "rev-list", "--max-parents=0", "HEAD"))
	ci.inputs["publish"], ci.inputs["cache"] = "false", "false"
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.run("git", "clone", "-q", "--depth=1", "file://"+r.dir, shallow)
	r.run("git", "-C", shallow, "remote", "set-url", "origin", filepath.Join(shallow, "gone"))
	deepened := filepath.Join(t.TempDir(), "deepened")
	r.run("git", "clone", "-q", "--depth=1", "file://"+r.dir, deepened)
	// Histories that share nothing.
	apart := filepath.Join(t.TempDir(), "apart")
	r.run("git", "clone", "-q", r.dir, apart)
	r.run("git", "-C", apart, "checkout", "-q", "--orphan", "other")
	r.run("git", "-C", apart, "commit", "-q", "-m", "apart")
	for _, c := range []struct {
		name, kind, event, workspace string
		compared                     bool
		says                         string
	}{
		{"push", "push", `{"before": "` + root + `"}`, r.dir, true, ""},
		{"merge queue", "merge_group", `{"merge_group": {"base_sha": "` + root + `"}}`, r.dir, true, ""},
		{"new branch", "push", `{"before": "` + strings.Repeat("0", 40) + `"}`, r.dir, false, "the branch is new"},
		{"unknown commit", "push", `{"before": "` + strings.Repeat("ab", 20) + `"}`, r.dir, false, "out of reach"},
		{"no commit", "push", `{"before": "--upload-pack=touch owned"}`, r.dir, false, "names no commit"},
		{"two lines", "push", `{"before": "` + root + `\n--upload-pack=touch owned"}`, r.dir, false, "names no commit"},
		{"odd type", "push", `{"before": {"a": 1}}`, r.dir, false, "names no commit"},
		{"schedule", "schedule", `{}`, r.dir, false, "starts from no commit"},
		{"shallow", "push", `{"before": "` + root + `"}`, shallow, false, "fetch-depth: 0"},
		{"shallow, with a remote", "push", `{"before": "` + root + `"}`, deepened, true, "the rest of the past was fetched"},
		{"histories apart", "push", `{"before": "` + root + `"}`, apart, false, "no common ancestor"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := *ci
			run.t, run.kind, run.event, run.workspace = t, c.kind, c.event, c.workspace
			if err := run.run(r.path()); err != nil {
				t.Fatal(err)
			}
			if got := run.outputs["changed"] != ""; got != c.compared {
				t.Errorf("compared: %v\n%s", got, run.log)
			}
			contains(t, run.log, c.says)
		})
	}
	ci.workspace = t.TempDir()
	if err := ci.run(r.path()); err == nil || !strings.Contains(err.Error(), "is no checkout") {
		t.Errorf("without a checkout: %v", err)
	}
}
