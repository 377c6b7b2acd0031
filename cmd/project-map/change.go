package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
)

// maxChanged bounds the paths of a change that become the query.
const maxChanged = 40

// change lists the paths of the change that --staged or --diff names.
func (w *workspace) change(c *cli.Context) (paths []string, title string, err error) {
	if spec := c.String("diff"); spec != "" {
		a, b, ok := strings.Cut(spec, "..")
		b = strings.TrimPrefix(b, ".")
		if !ok || a == "" {
			return nil, "", usagef("--diff %s: give two revisions as A..B", spec)
		}
		if b == "" {
			b = "HEAD"
		}
		title = "Change " + a + ".." + b
		paths, err = w.repo.Diff(c.Context, a, b)
	} else {
		title = "Staged change"
		var s *revision.Snapshot
		s, err = w.repo.Snapshot(c.Context, stateOf(revision.Staged))
		if err == nil {
			paths, err = s.ChangedFromHead(c.Context)
		}
	}
	if err != nil {
		return nil, title, err
	}
	own := paths[:0]
	for _, p := range paths {
		if !revision.IsOwnOutput(p) {
			own = append(own, p)
		}
	}
	return own[:min(len(own), maxChanged)], title, nil
}
