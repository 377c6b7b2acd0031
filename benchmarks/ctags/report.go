package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// report prints a comparison as Markdown.
type report struct {
	repo, commit string
	language     *language
	files        []*file
	speed        cost
	result       *comparison
	list, sample int
}

func (r report) markdown() string {
	var b strings.Builder
	all := r.result.all()
	fmt.Fprintf(&b, "## %s: %s at %s\n\n", r.language.name, r.repo, r.commit)
	fmt.Fprintf(&b, "| | |\n|---|---|\n")
	fmt.Fprintf(&b, "| files, of them read for words only | %d, %d |\n", len(r.files), r.shallow())
	fmt.Fprintf(&b, "| definitions here, tags of ctags | %d, %d |\n", r.result.symbols, all.tags)
	fmt.Fprintf(&b, "| found, of them at the very line | %d, %d |\n", all.found, r.result.exact)
	fmt.Fprintf(&b, "| held as another fact | %d |\n", all.held)
	fmt.Fprintf(&b, "| tags that are no definitions | %d |\n", all.noDefinition)
	fmt.Fprintf(&b, "| tags in files read for words only | %d |\n", all.unread)
	fmt.Fprintf(&b, "| not found, of them unexplained | %d, %d |\n", all.left+all.unexplained, all.unexplained)
	fmt.Fprintf(&b, "| recall | %.2f %% |\n", 100*all.recall())
	fmt.Fprintf(&b, "| only here, of them unexplained | %d, %d |\n", len(r.result.extra), r.unexplainedExtra())
	b.WriteString(r.damage())
	fmt.Fprintf(&b, "| extraction on one processor | %.2f MB in %.1f s of processor time (%.1f s of wall clock): %.2f MB/s |\n", float64(r.speed.Bytes)/1e6, r.speed.CPU.Seconds(), r.speed.Wall.Seconds(), float64(r.speed.Bytes)/1e6/r.speed.CPU.Seconds())
	fmt.Fprintf(&b, "| peak memory | %.0f MB |\n\n", float64(r.speed.Peak)/1e6)
	r.kinds(&b)
	r.onlyCtags(&b)
	r.onlyHere(&b)
	r.unexplained(&b)
	return b.String()
}

func (r report) shallow() (n int) {
	for _, f := range r.files {
		if f.facts.Depth != facts.Parsed {
			n++
		}
	}
	return n
}

func (r report) unexplainedExtra() (n int) {
	for _, x := range r.result.extra {
		if x.verdict.outcome == unexplained {
			n++
		}
	}
	return n
}

// damage counts files and bytes, and what became of the tags on damaged lines.
func (r report) damage() string {
	files, size, bad, total := 0, 0, 0, 0
	byPath := map[string]*file{}
	for _, f := range r.files {
		total += len(f.text)
		if len(f.facts.Damage) == 0 {
			continue
		}
		byPath[f.path] = f
		files++
		size += len(f.text)
		for _, d := range f.facts.Damage {
			bad += d.Len()
		}
	}
	var inFiles, onLines figures
	for i, t := range r.result.tags {
		f := byPath[t.file]
		if f == nil {
			continue
		}
		inFiles.add(r.result.given[i])
		if f.damaged(t.line) {
			onLines.add(r.result.given[i])
		}
	}
	return fmt.Sprintf("| files with damage | %d (%.1f %%) |\n| bytes in damage | %d of %d (%.3f %%) |\n| definitions of ctags in files with damage: found | %d of %d |\n| on damaged lines: found | %d of %d |\n",
		files, 100*float64(files)/float64(max(1, len(r.files))), bad, total, 100*float64(bad)/float64(max(1, total)),
		inFiles.found+inFiles.held, inFiles.definitions(), onLines.found+onLines.held, onLines.definitions())
}

func (r report) kinds(b *strings.Builder) {
	b.WriteString("| kind of ctags | tags | found | held otherwise | no definitions | in files not parsed | not found | recall |\n|---|---|---|---|---|---|---|---|\n")
	kinds, of := r.result.byKind()
	for _, k := range kinds {
		g := of[k]
		recall := "–"
		if g.definitions() > 0 {
			recall = fmt.Sprintf("%.2f %%", 100*g.recall())
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %s |\n", k, g.tags, g.found, g.held, g.noDefinition, g.unread, g.left+g.unexplained, recall)
	}
}

var outcomes = [...]string{"found", "held otherwise", "no definition", "not parsed", "not found", "not found"}

// counted is a row of a table of reasons.
type counted struct {
	kind, reason string
	outcome      outcome
	n            int
	example      string
}

// count adds up verdicts by kind and reason, most frequent first.
type count map[[2]string]*counted

func (c count) add(kind string, v verdict, example string) {
	key := [2]string{kind, v.reason}
	if c[key] == nil {
		c[key] = &counted{kind: kind, reason: v.reason, outcome: v.outcome, example: example}
	}
	c[key].n++
}

func (c count) rows() []*counted {
	var out []*counted
	for _, x := range c {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *counted) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.kind, b.kind), cmp.Compare(a.reason, b.reason))
	})
	return out
}

func (r report) onlyCtags(b *strings.Builder) {
	c := count{}
	for i, t := range r.result.tags {
		if v := r.result.given[i]; v.outcome != found {
			c.add(t.kind, v, fmt.Sprintf("`%s` %s:%d", t.name, t.file, t.line))
		}
	}
	if len(c) == 0 {
		return
	}
	b.WriteString("\n| only ctags | | why | first |\n|---|---|---|---|\n")
	for _, x := range c.rows() {
		reason := x.reason
		if x.outcome == unexplained {
			reason = "unexplained"
		}
		fmt.Fprintf(b, "| %d %s | %s | %s | %s |\n", x.n, x.kind, outcomes[x.outcome], reason, x.example)
	}
}

func (r report) onlyHere(b *strings.Builder) {
	c := count{}
	for _, x := range r.result.extra {
		c.add(x.symbol.Kind.String(), x.verdict, fmt.Sprintf("`%s` %s:%d", x.symbol.Name, x.file.path, x.line))
	}
	if len(c) == 0 {
		return
	}
	b.WriteString("\n| only here | why ctags has it not | first |\n|---|---|---|\n")
	for _, x := range c.rows() {
		reason := x.reason
		if x.outcome == unexplained {
			reason = "unexplained"
		}
		fmt.Fprintf(b, "| %d %s | %s | %s |\n", x.n, x.kind, reason, x.example)
	}
}

// unexplained lists names of both sides without a reason, and the sample.
func (r report) unexplained(b *strings.Builder) {
	seen := map[string]int{}
	listed := func(title, kind, line string) {
		if seen[title+kind]++; seen[title+kind] <= r.list {
			if len(seen) > 0 && seen[title+kind] == 1 {
				fmt.Fprintf(b, "\n%s, %s:\n\n", title, kind)
			}
			b.WriteString(line)
		}
	}
	byPath := map[string]*file{}
	for _, f := range r.files {
		byPath[f.path] = f
	}
	kinds, _ := r.result.byKind()
	for _, k := range kinds {
		for i, t := range r.result.tags {
			if t.kind == k && r.result.given[i].outcome == unexplained {
				listed("Unexplained, only ctags", k, fmt.Sprintf("- `%s` %s:%d: `%s`\n", t.name, t.file, t.line, excerpt(byPath[t.file], t.line)))
			}
		}
	}
	for k := facts.KindUnknown; k <= facts.KindTarget; k++ {
		for _, x := range r.result.extra {
			if x.symbol.Kind == k && x.verdict.outcome == unexplained {
				listed("Unexplained, only here", k.String(), entry(x))
			}
		}
	}
	if r.sample > 0 && len(r.result.extra) > 0 {
		n := min(r.sample, len(r.result.extra))
		fmt.Fprintf(b, "\nOnly here, %d of %d, evenly spread:\n\n", n, len(r.result.extra))
		for i := range n {
			x := r.result.extra[i*len(r.result.extra)/n]
			b.WriteString(strings.TrimSuffix(entry(x), "\n") + " (" + cmp.Or(x.verdict.reason, "unexplained") + ")\n")
		}
	}
}

func entry(x extra) string {
	return fmt.Sprintf("- %s `%s` %s:%d: `%s`\n", x.symbol.Kind, x.symbol.Name, x.file.path, x.line, excerpt(x.file, x.line))
}

func excerpt(f *file, line int) string {
	if f == nil {
		return ""
	}
	s := strings.TrimSpace(f.line(line))
	return strings.ReplaceAll(strings.ToValidUTF8(s[:min(len(s), 110)], ""), "`", "'")
}
