package dockerfile

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestImageName(t *testing.T) {
	for image, want := range map[string]string{
		"alpine": "alpine", "alpine:3.19": "alpine", "ghcr.io/a/b:1": "b", "a/b@sha256:00": "b",
		"localhost:5000/x:1": "x", "${BASE}": "${BASE}", "${REG:-a/b}": "${REG:-a/b}", "golang:${V}-alpine": "golang",
	} {
		if got := imageName(image); got != want {
			t.Errorf("imageName(%q) = %q, want %q", image, got, want)
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"stages":        strings.Repeat("FROM a AS b\nARG c=$d\n", 50_000),
		"heredocs":      strings.Repeat("RUN <<A\n", 100_000),
		"continuations": "RUN a" + strings.Repeat(" \\\n b", 200_000),
		"one line":      "ENV " + strings.Repeat("a=b ", 300_000),
		"one copy":      "COPY " + strings.Repeat("a ", 500_000),
		"quotes":        "ARG " + strings.Repeat(`"`, 1_000_000),
		"onbuild":       strings.Repeat("ONBUILD ", 100_000),
		"comments":      strings.Repeat("# c\n", 200_000) + "FROM a\n",
		"mounts":        "RUN " + strings.Repeat("--mount=from=a ", 70_000),
	} {
		b := lang.NewBuilder([]byte(src), ".dockerfile")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
		}
	}
}
