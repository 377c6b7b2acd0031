// Command oracle asks the questions of a set of cases and judges the answers.
//
//	go run ./benchmarks/oracle -bin project-map -repos DIR [-work DIR] [-only ID] [-v]
//
// Each repository is cloned at the revision of its cases and indexed once; then
// every question is asked in a process of its own. Nothing is written to the
// repositories below DIR.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// result is how a case went.
type result struct {
	c      Case
	answer *Answer // nil where the program failed
	lacks  []string
	ms     float64
}

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	repos := flag.String("repos", "", "the directory that holds the repositories, as owner/name or owner+name")
	dir := flag.String("cases", "benchmarks/oracle/cases", "the directory of the cases")
	work := flag.String("work", "", "where clones are made and found again (default: a temporary directory)")
	only := flag.String("only", "", "cases whose id begins so")
	split := flag.String("split", "", "dev or held (default: both)")
	args := flag.String("args", "--no-cache", "more arguments of oracle")
	floor := flag.Bool("floor", false, "end with 1 where a figure is below its floor")
	verbose := flag.Bool("v", false, "print each question and its answer")
	flag.Parse()

	cases, err := load(*dir)
	lab.Fail(err)
	cases = slices.DeleteFunc(cases, func(c Case) bool {
		return !strings.HasPrefix(c.ID, *only) || *split != "" && c.Split != *split
	})
	if len(cases) == 0 {
		lab.Fail(fmt.Errorf("no case is left; see -only and -split"))
	}
	scratch := *work
	if scratch == "" {
		scratch, err = os.MkdirTemp("", "oracle-")
		lab.Fail(err)
	}
	results, err := runAll(cases, *bin, *repos, scratch, strings.Fields(*args), *verbose)
	if *work == "" {
		err = errFirst(err, os.RemoveAll(scratch))
	}
	lab.Fail(err)
	report(os.Stdout, results)
	if *floor && len(belowFloor(results)) > 0 {
		os.Exit(1)
	}
}

func errFirst(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// runAll asks all cases, one repository after the other.
func runAll(cases []Case, bin, repos, scratch string, args []string, verbose bool) ([]result, error) {
	var results []result
	ready := map[string]*lab.Repo{}
	for _, c := range cases {
		key := c.Repo + "@" + c.Revision
		clone := ready[key]
		if clone == nil {
			var err error
			start := time.Now()
			if clone, err = prepare(c, bin, repos, scratch); err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "%s: ready after %.1f s\n", c.Repo, time.Since(start).Seconds())
			ready[key] = clone
		}
		results = append(results, ask(clone, c, args, verbose))
	}
	return results, nil
}

// prepare clones the repository of a case at its revision, or takes the clone
// that is there, and indexes it.
func prepare(c Case, bin, repos, scratch string) (*lab.Repo, error) {
	from := findRepo(repos, c.Repo)
	if from == "" {
		return nil, fmt.Errorf("%s is not below %q: give -repos", c.Repo, repos)
	}
	origin, err := lab.Open(from, bin)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(scratch, strings.ReplaceAll(c.Repo, "/", "+")+"-"+c.Revision[:12]))
	if err != nil {
		return nil, err
	}
	clone := &lab.Repo{Dir: dir, Bin: origin.Bin}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		if err := os.MkdirAll(scratch, 0o777); err != nil {
			return nil, err
		}
		if clone, err = origin.Clone(dir); err != nil {
			return nil, err
		}
	}
	if _, err := clone.Git("checkout", "-q", "-f", "--detach", c.Revision); err != nil {
		return nil, err
	}
	if _, err := clone.Map("index"); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Repo, err)
	}
	return clone, nil
}

// findRepo looks for DIR/owner/name and DIR/owner+name, each with /repo or /.git
// or bare.
func findRepo(root, repo string) string {
	if root == "" {
		return ""
	}
	for _, base := range []string{repo, strings.ReplaceAll(repo, "/", "+")} {
		for _, sub := range []string{"repo", ".git", ""} {
			dir := filepath.Join(root, filepath.FromSlash(base), sub)
			if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil {
				return dir
			}
		}
	}
	return ""
}

// askLimit is longer than any answer may take; a program that hangs costs one case.
const askLimit = 30 * time.Second

// ask puts the question of a case to the program and judges what it prints.
func ask(repo *lab.Repo, c Case, args []string, verbose bool) result {
	r := result{c: c}
	request, err := json.Marshal(c.Request)
	if err != nil {
		r.lacks = []string{err.Error()}
		return r
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, repo.Bin, append([]string{"oracle", "--format", "json"}, args...)...)
	cmd.Dir = repo.Dir
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	r.ms = float64(time.Since(start).Microseconds()) / 1000
	if err != nil {
		r.lacks = []string{fmt.Sprintf("the program failed: %v: %s", err, firstLine(stderr.String()))}
	} else if r.answer, err = parse(out); err != nil {
		r.lacks = []string{err.Error()}
	} else {
		r.lacks = judge(c.Want, r.answer)
	}
	if verbose {
		verdict := "right"
		if len(r.lacks) > 0 {
			verdict = strings.Join(r.lacks, "; ")
		}
		fmt.Printf("%s %s\n%s%s\n  truth: %s\n  verdict: %s\n\n", c.ID, request, out, stderr.String(), c.Truth, verdict)
	}
	return r
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
