package evidence

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/indexer/sarif"
)

const (
	refusedRegion = "region outside the file"
	refusedTwice  = "the same result again"
)

// sarif reads a report.
func (b *builder) sarif(ctx context.Context, q *Request, files *sources) error {
	in, err := q.open()
	if err != nil {
		return fmt.Errorf("import %s: %w", q.Path, err)
	}
	defer in.Close()
	r, err := sarif.NewReader(q.Path, in, q.Roots, sarif.DefaultLimits)
	if err != nil {
		return err
	}
	found := map[string]*reported{}
	seen := map[string]bool{}
	tools := map[string]bool{}
	for x, err := range r.Results() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tools[strings.TrimSpace(x.Tool.Name+" "+x.Tool.Version)] = true
		if k := x.Key(); seen[k] {
			b.refuse(refusedTwice, x.Rule.ID, 1)
			continue
		} else {
			seen[k] = true
		}
		path := x.Location.Path
		for _, p := range append([]string{""}, q.Prefixes...) {
			if files.has(joined(p, x.Location.Path)) {
				path = joined(p, x.Location.Path)
				break
			}
		}
		f, ok := found[path]
		if !ok {
			f = newReported(path, files)
			found[path] = f
		}
		if f == nil {
			b.refuse(refusedPath, path, 1)
			continue
		}
		out := evidence.Finding{Level: x.Level.String(), Tool: x.Tool.Name, Rule: x.Rule.ID, Message: cut(x.Message), Suppressed: x.Suppressed}
		if out.Message == "" {
			out.Message = cut(x.Rule.Short)
		}
		if out.Line, out.EndLine, ok = f.lines(x); !ok {
			b.refuse(refusedRegion, path, 1)
			continue
		}
		f.file.Findings = append(f.file.Findings, out)
	}
	for _, x := range r.Refused() {
		b.refuse(x.Reason.String(), strings.Join(x.Samples[:min(1, len(x.Samples))], ""), x.Count)
	}
	src := &b.set.Sources[b.source]
	src.Tool = strings.Join(sorted(tools), ", ")
	paths := make(map[string]bool, len(found))
	for p := range found {
		paths[p] = true
	}
	for _, p := range sorted(paths) {
		if f := found[p]; f != nil && len(f.file.Findings) > 0 {
			f.file.Source = b.source
			src.Accepted += len(f.file.Findings)
			b.set.Files = append(b.set.Files, f.file)
		}
	}
	return nil
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}

// reported is a file that a report speaks of.
type reported struct {
	file evidence.File
	text *sarif.Text
	// starts are the offsets of its lines.
	starts []int
}

func newReported(path string, files *sources) *reported {
	blob, text, ok := files.read(path)
	if !ok {
		return nil
	}
	f := &reported{file: evidence.File{Path: path, Blob: blob}, text: sarif.NewText(text), starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			f.starts = append(f.starts, i+1)
		}
	}
	return f
}

// lines are those of a result; 0 for the file as a whole.
func (f *reported) lines(x *sarif.Result) (from, to uint32, ok bool) {
	if x.Location.Region == (sarif.Region{}) {
		return 0, 0, true
	}
	span, ok := f.text.Span(x.Location.Region, x.Columns)
	if !ok {
		return 0, 0, false
	}
	return f.line(span.Start), f.line(lastOf(span)), true
}

func lastOf(s facts.Span) uint32 { return max(s.Start, s.End-min(1, s.End)) }

func (f *reported) line(at uint32) uint32 {
	return uint32(sort.SearchInts(f.starts, int(at)+1))
}
