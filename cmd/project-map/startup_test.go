package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What every process does before main is paid by every question. Time depends on
// the machine, so the bytes are held that packages allocate while they are
// initialised: a package of the program that builds a table takes more than its
// share, and beyond 4 MB in all, what main allocates included, the first collection runs.
func TestStartIsCheap(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	const (
		onePackage  = 128 << 10
		ownPackages = 640 << 10
		allPackages = 3 << 20
	)
	cmd := exec.Command(os.Args[0], "version")
	cmd.Env = append(os.Environ(), asProgram+"=1", "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("version: %v\n%s", err, trace.Bytes())
	}
	lines := regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes, \d+ allocs$`).FindAllStringSubmatch(trace.String(), -1)
	if len(lines) < 20 {
		t.Fatalf("the trace names %d packages:\n%s", len(lines), trace.Bytes())
	}
	own, all := 0, 0
	for _, l := range lines {
		n, err := strconv.Atoi(l[2])
		if err != nil {
			t.Fatal(err)
		}
		all += n
		if strings.HasPrefix(l[1], "github.com/project-map/project-map/") {
			own += n
			if n > onePackage {
				t.Errorf("%s takes %d bytes at the start, more than %d: build it when it is used", l[1], n, onePackage)
			}
		}
	}
	if own > ownPackages {
		t.Errorf("the packages of the program take %d bytes at the start, more than %d", own, ownPackages)
	}
	if all > allPackages {
		t.Errorf("all packages take %d bytes at the start, more than %d:\n%s", all, allPackages, trace.Bytes())
	}
	t.Logf("%d bytes, %d of them of the program", all, own)
}
