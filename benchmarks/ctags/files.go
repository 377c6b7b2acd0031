package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

type tableOfRows = *lang.Table

// file is what the extractor says of a file.
type file struct {
	path  string
	facts *facts.File
	text  []byte
	lines []string
	// nameLines holds the line of the name of each symbol.
	nameLines []int
	named     map[string][]int // name as ctags would write it: indices of symbols
	// Made on demand for the reasons of one language each.
	masked      []string     // C#: the lines without strings
	heredocs    map[int]bool // Ruby: lines of here documents
	invocations [][2]int     // Rust: ranges of macro invocations
}

// rowOf names the row of the table that reads a file, "" for none. It opens
// the file only where its name does not decide.
func rowOf(table tableOfRows, dir, path string) string {
	full := filepath.Join(dir, path)
	if info, err := os.Lstat(full); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	l := table.ByPath(path)
	if l == nil && filepath.Ext(path) != "" {
		return ""
	}
	if l != nil && l.Reader == nil {
		return l.Name
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return ""
	}
	if l == nil {
		if l, _ = table.ByContent(text, extension(path)); l == nil {
			return ""
		}
	}
	if l.Reader != nil {
		if r := table.ByName(l.Reader(text, extension(path))); r != nil {
			return r.Name
		}
	}
	return l.Name
}

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

func plan(table tableOfRows, path string) extract.Plan {
	return extract.Plan{Language: table.ByPath(path), Extension: extension(path)}
}

func extractAll(dir string, table tableOfRows, paths []string) ([]*file, error) {
	x := extract.New(table, extract.DefaultLimits)
	var out []*file
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			return nil, fmt.Errorf("read a file of the work tree: %w", err)
		}
		out = append(out, newFile(p, text, x.Extract(text, plan(table, p))))
	}
	return out, nil
}

func newFile(path string, text []byte, f *facts.File) *file {
	out := &file{path: path, facts: f, text: text, lines: strings.Split(string(text), "\n"), named: map[string][]int{}}
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		line := int(s.Line)
		if f.Traits&facts.Decoded == 0 && int(s.NameSpan.Start) <= len(text) {
			line = lineAt(starts, int(s.NameSpan.Start))
		}
		out.nameLines = append(out.nameLines, line)
		out.named[bareName(s.Name)] = append(out.named[bareName(s.Name)], i)
	}
	return out
}

// lineAt is the number of the line that holds an offset, from 1.
func lineAt(starts []int, offset int) int {
	low, high := 0, len(starts)
	for high-low > 1 {
		if m := (low + high) / 2; starts[m] <= offset {
			low = m
		} else {
			high = m
		}
	}
	return low + 1
}

func (f *file) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return strings.TrimSuffix(f.lines[n-1], "\r")
}

// damaged tells whether a line holds a damaged byte.
func (f *file) damaged(line int) bool {
	for _, d := range f.facts.Damage {
		from := 1 + bytes.Count(f.text[:min(int(d.Start), len(f.text))], []byte("\n"))
		to := 1 + bytes.Count(f.text[:min(int(d.End), len(f.text))], []byte("\n"))
		if from <= line && line <= to {
			return true
		}
	}
	return false
}

// cost is what extracting all files took on one processor.
type cost struct {
	Bytes int64
	CPU   time.Duration // of the process while it extracted, collection of garbage included
	Wall  time.Duration
	Peak  int64 // greatest resident size of the process in bytes
}

// measure extracts file by file and keeps nothing. Reading the files counts for
// the wall clock only.
func measure(dir string, table tableOfRows, paths []string) cost {
	x := extract.New(table, extract.DefaultLimits)
	var c cost
	start, before := time.Now(), processorTime()
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			continue
		}
		c.Bytes += int64(len(text))
		x.Extract(text, plan(table, p))
	}
	c.CPU, c.Wall = processorTime()-before, time.Since(start)
	return c
}

// measureApart runs measure in a process of its own with one processor. On
// Linux the greatest size of a parent counts for the child that it starts, so
// this is called before anything large is read.
func measureApart(args []string) (cost, error) {
	self, err := os.Executable()
	if err != nil {
		return cost{}, fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, append([]string{"-measure"}, args...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return cost{}, fmt.Errorf("measure the extraction: %w", err)
	}
	var c cost
	if err := json.Unmarshal(out, &c); err != nil {
		return cost{}, fmt.Errorf("read the measurement: %w", err)
	}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.Peak = r.Maxrss
		if runtime.GOOS == "linux" { // in kilobytes there
			c.Peak *= 1024
		}
	}
	return c, nil
}

func processorTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
