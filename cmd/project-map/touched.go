package main

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/project-map/project-map/bundle/oracle"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/revision"
)

// touched lists the lines that a change touches in the new text of each of its
// files; a file without lines is new, gone, or no text.
func (w *workspace) touched(ctx context.Context, from, to *revision.Snapshot, paths []string) ([]oracle.Touched, error) {
	before, err := from.Reader(revision.WithMaxSize(extract.DefaultLimits.Read))
	if err != nil {
		return nil, err
	}
	defer before.Close()
	after, err := to.Reader(revision.WithMaxSize(extract.DefaultLimits.Read))
	if err != nil {
		return nil, err
	}
	defer after.Close()
	var out []oracle.Touched
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, okA := textOf(from, before, p)
		b, okB := textOf(to, after, p)
		if !okA || !okB {
			out = append(out, oracle.Touched{File: p})
			continue
		}
		lines := changedLines(a, b)
		if len(lines) == 0 {
			out = append(out, oracle.Touched{File: p})
		}
		for _, l := range lines {
			out = append(out, oracle.Touched{File: p, StartLine: l[0], EndLine: l[1]})
		}
	}
	return out, nil
}

func textOf(s *revision.Snapshot, r revision.Reader, p string) ([]byte, bool) {
	e, ok := s.Find(p)
	if !ok || e.Mode > revision.Executable {
		return nil, false
	}
	text, err := r.Read(e)
	return text, err == nil && bytes.IndexByte(text, 0) < 0
}

// changedLines lists the runs of lines of b that differ from a, first and last,
// from 1. Where lines are only gone it is the line that now stands there.
func changedLines(a, b []byte) [][2]int {
	var out [][2]int
	at := 0 // line of b
	from := 0
	flush := func(to int) {
		if from > 0 {
			out = append(out, [2]int{from, max(from, to)})
		}
		from = 0
	}
	for _, line := range strings.Split(string(diff.Diff("a", a, "b", b)), "\n") {
		switch {
		case strings.HasPrefix(line, "@@ "):
			flush(at - 1)
			f := strings.Fields(line)
			if len(f) < 3 {
				continue
			}
			n, _, _ := strings.Cut(strings.TrimPrefix(f[2], "+"), ",")
			at, _ = strconv.Atoi(n)
		case at == 0:
		case strings.HasPrefix(line, "+"):
			if from == 0 {
				from = at
			}
			at++
		case strings.HasPrefix(line, "-"):
			if from == 0 {
				from = max(1, at)
			}
		default:
			flush(at - 1)
			at++
		}
	}
	flush(at - 1)
	return out
}
