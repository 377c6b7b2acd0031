package oracle

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/store"
)

// TestHowToRun asks repositories of several kinds for what to type.
func TestHowToRun(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		says  map[string]string // by question
	}{
		{
			map[string]string{
				"Makefile":     "## Run all tests.\ntest: build\n\tgo test ./...\n\n# Fuzz for a while.\nfuzz-short:\n\tgo test -fuzz .\n\nbuild:\n\tgo build\n",
				"go.mod":       "module a\n",
				"main.go":      "package main\n\nfunc main() { tests() }\n\nfunc tests() {}\n",
				"web/Makefile": "test:\n\tnpm test\n",
			},
			map[string]string{
				"how do I run the tests?":                     "Run `make test` (Makefile:2).",
				"how do I run the fuzz tests":                 "Run `make fuzz-short` (Makefile:6). `fuzz-short`: Fuzz for a while.",
				"how do I run benchmarks":                     "By convention: `go test -run '^$' -bench . ./...` (go.mod)",
				"how do I run the tests of the web directory": "target `test` of web/Makefile:1",
			},
		},
		{
			map[string]string{
				"package.json":    `{"name": "a", "scripts": {"test:unit": "vitest run", "dev": "vite"}}`,
				"pnpm-lock.yaml":  "lockfileVersion: '9.0'\n",
				"CONTRIBUTING.md": "# Contributing\n\n## Linting\n\nRun eslint.\n",
			},
			map[string]string{
				"how to run the unit tests":               "Run `pnpm run test:unit` (package.json:1)",
				"how do we start the dev server":          "Run `pnpm run dev`",
				"which command installs the dependencies": "By convention: `pnpm install` (pnpm-lock.yaml)",
				"how do I lint":                           "Section `Linting` of CONTRIBUTING.md:3",
			},
		},
		{
			map[string]string{
				"package.json":               `{"scripts": {"watch": "x"}}`,
				"pyproject.toml":             "[tool.poe.tasks]\nlint.cmd = \"ruff check\"\nlint.help = \"Checks the style.\"\n",
				"tests/conftest.py":          "",
				".github/workflows/main.yml": "on: push\njobs:\n  tests:\n    runs-on: x\n    steps:\n      - run: pytest\n",
			},
			map[string]string{
				"how do I lint the code":  "Run `poe lint` (pyproject.toml:2). `lint`: Checks the style.",
				"how can I run the tests": "By convention: `pytest` (tests/conftest.py). CI does it in `tests` of .github/workflows/main.yml:3.",
			},
		},
		{
			map[string]string{
				"package.json": `{"scripts": {"test": "jest"}}`,
				"mix.exs":      "defmodule A.MixProject do\n  use Mix.Project\nend\n",
				"Makefile":     "VERSION = 1\n",
			},
			map[string]string{
				"how do I run the tests": "Run `npm run test` (package.json:1). By convention, too: `mix test` (mix.exs).",
				"how do I build it":      "By convention: `mix compile` (mix.exs).",
			},
		},
	} {
		f := &fixture{text: c.files}
		f.build(t, func(func(string) int) []store.PastCommit { return nil })
		for question, says := range c.says {
			a, err := f.oracle(4000).Answer(Request{Action: Ask, Query: question})
			if err != nil {
				t.Errorf("%s: %v", question, err)
			} else if !strings.Contains(a.Answer, says) {
				t.Errorf("%s: %s\n\twithout %s", question, a.Answer, says)
			}
		}
	}
}

// TestFits tells which targets a question means.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		question string
		names    []string // of targets, the best first; those that do not fit at the end, behind ""
	}{
		{"how do I run the tests?", []string{"test", "test-unit", "check", "", "mypy-tests", "docs-tests", "documentation_syntax_check", "latest", "lint"}},
		{"how do we run the unit tests", []string{"test-unit", "test", "", "build"}},
		{"how do I run the fuzz tests", []string{"fuzz-short", "", "test", "bench"}},
		{"how do I run the end-to-end tests", []string{"e2e", "", "test"}},
		{"how to lint", []string{"lint", "lint:fix", "check", "", "Check latest version", "test"}},
		{"what command builds the binary", []string{"build", "build-docs", "", "Run tests"}},
		{"how do I start the dev server", []string{"start", "dev", "", "Run tests", "test"}},
		{"how do I add a language", []string{"", "language", "add"}},
	} {
		asked := askedTasks(c.question)
		last, fitting := 100.0, true
		for _, n := range c.names {
			if n == "" {
				fitting = false
				continue
			}
			score := fits(n, asked)
			if fitting != (score >= minFit) {
				t.Errorf("%s: %s scores %.1f, fits: %v", c.question, n, score, fitting)
			}
			if fitting && score > last {
				t.Errorf("%s: %s scores %.1f, above the one before", c.question, n, score)
			}
			last = score
		}
	}
}
