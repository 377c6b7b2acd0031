//go:build e2e

package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// action is action.yml as far as it is run here.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct{ Steps []step }
}

type step struct {
	ID    string            `yaml:"id,omitempty"`
	Name  string            `yaml:"name,omitempty"`
	If    string            `yaml:"if,omitempty"`
	Uses  string            `yaml:"uses,omitempty"`
	Shell string            `yaml:"shell,omitempty"`
	Run   string            `yaml:"run,omitempty"`
	With  map[string]string `yaml:"with,omitempty"`
	Env   map[string]string `yaml:"env,omitempty"`
}

func readAction(t *testing.T) *action {
	t.Helper()
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Runs.Steps) == 0 {
		t.Fatal("action.yml has no steps")
	}
	return &a
}

// runner runs the steps of action.yml as a forge's runner does: expressions are
// looked up, scripts get variables and files, and the actions of others are
// played (a cache is a directory, an artifact a list of paths).
type runner struct {
	t         *testing.T
	workspace string
	// inputs are those of the action, values that are missing have their default.
	inputs map[string]string
	// env are variables of the runner, as NAME=value, beside those of repo.
	env   []string
	event string // its JSON
	kind  string // its name
	// cache holds what was kept, by key; it lives longer than one run.
	cache *caches

	// What a run leaves.
	log       string
	summary   string
	outputs   map[string]string
	artifacts map[string][]string // by name
}

// caches are directories that hold what was saved, in the order of saving.
type caches struct {
	dir  string
	keys []string
}

// run gives the error of the step that failed. Steps behind it do not run.
func (r *runner) run(path string) error {
	r.t.Helper()
	a := readAction(r.t)
	source, err := filepath.Abs("..")
	if err != nil {
		r.t.Fatal(err)
	}
	temp := r.t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(temp, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			r.t.Fatal(err)
		}
		return name
	}
	summary, event := file("summary", ""), file("event.json", r.event)
	env := append([]string{
		"PATH=" + path, "HOME=" + temp, "RUNNER_TEMP=" + temp, "RUNNER_OS=Linux", "GITHUB_WORKSPACE=" + r.workspace,
		"GITHUB_PATH=" + file("path", ""), "GITHUB_STEP_SUMMARY=" + summary, "GITHUB_EVENT_PATH=" + event, "GITHUB_EVENT_NAME=" + r.kind,
		"GITHUB_REPOSITORY=o/r", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "PM_RETRY_DELAY=0",
	}, r.env...)
	values := map[string]string{"github.action_path": source, "github.action_ref": "main", "github.actor": "alice", "github.token": "s3cret"}
	for name, in := range a.Inputs {
		values["inputs."+name] = in.Default
	}
	for name, v := range r.inputs {
		if _, ok := a.Inputs[name]; !ok {
			r.t.Fatalf("action.yml has no input %s", name)
		}
		values["inputs."+name] = v
	}
	for name := range a.Inputs {
		values["inputs."+name] = expand(values["inputs."+name], values)
	}
	r.log, r.artifacts = "", map[string][]string{}
	defer func() {
		text, _ := os.ReadFile(summary)
		r.summary = string(text)
		r.outputs = map[string]string{}
		for name, o := range a.Outputs {
			r.outputs[name] = expand(o.Value, values)
		}
	}()
	for _, s := range a.Runs.Steps {
		if !holds(r.t, s.If, values) {
			continue
		}
		if s.Uses != "" {
			with := map[string]string{}
			for k, v := range s.With {
				with[k] = expand(v, values)
			}
			r.play(s.Uses, with)
			continue
		}
		outputs := file("output", "")
		stepEnv := append([]string{"GITHUB_OUTPUT=" + outputs}, env...)
		for k, v := range s.Env {
			stepEnv = append(stepEnv, k+"="+expand(v, values))
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
		cmd := exec.CommandContext(ctx, "/bin/sh", "-e", file("step.sh", s.Run))
		var out bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.workspace, stepEnv, &out, &out
		err := cmd.Run()
		cancel()
		r.log += out.String()
		text, _ := os.ReadFile(outputs)
		for line := range strings.Lines(string(text)) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if !ok || s.ID == "" {
				r.t.Errorf("step %q sets an output with %q", s.Name, line)
			}
			values["steps."+s.ID+".outputs."+name] = value
		}
		if err != nil {
			return fmt.Errorf("step %q: %w\n%s", s.Name, err, r.log)
		}
	}
	return nil
}

// play does what the actions of others do.
func (r *runner) play(uses string, with map[string]string) {
	r.t.Helper()
	name, _, _ := strings.Cut(uses, "@")
	switch name {
	case "actions/setup-go":
	case "actions/cache/restore":
		for i := len(r.cache.keys) - 1; i >= 0; i-- {
			if strings.HasPrefix(r.cache.keys[i], with["restore-keys"]) {
				for n, p := range strings.Fields(with["path"]) {
					copyTree(r.t, filepath.Join(r.cache.dir, fmt.Sprint(i), fmt.Sprint(n)), r.path(p))
				}
				return
			}
		}
	case "actions/cache/save":
		for n, p := range strings.Fields(with["path"]) {
			copyTree(r.t, r.path(p), filepath.Join(r.cache.dir, fmt.Sprint(len(r.cache.keys)), fmt.Sprint(n)))
		}
		r.cache.keys = append(r.cache.keys, with["key"])
	case "actions/upload-artifact":
		r.artifacts[with["name"]] = strings.Fields(with["path"])
	default:
		r.t.Fatalf("action.yml uses %s, which is not played here", uses)
	}
}

func (r *runner) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(r.workspace, p)
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// expand looks expressions up. Values that are not there are empty.
func expand(text string, values map[string]string) string {
	return expression.ReplaceAllStringFunc(text, func(m string) string {
		e := expression.FindStringSubmatch(m)[1]
		if cond, then, ok := strings.Cut(e, " && "); ok {
			if values[cond] == "" {
				return ""
			}
			return strings.Trim(then, "'")
		}
		return values[e]
	})
}

var comparison = regexp.MustCompile(`^([\w.-]+) (==|!=) '([^']*)'$`)

func holds(t *testing.T, cond string, values map[string]string) bool {
	t.Helper()
	if cond == "" {
		return true
	}
	for part := range strings.SplitSeq(cond, " && ") {
		m := comparison.FindStringSubmatch(part)
		if m == nil {
			t.Fatalf("the condition %q is not understood here", cond)
		}
		if (values[m[1]] == m[3]) != (m[2] == "==") {
			return false
		}
	}
	return true
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-R", from+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
}
