package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// result is what the command prints.
type result struct {
	Repository, Commit, Family, Tool string
	// Files that both have, Lines that were resolved.
	Files, Lines  int
	ResolveMillis float64
	Definitions   []definitions
	Edges         edgeResult
	// Cleaned counts references of the truth that were taken out, of TruthBefore.
	Cleaned                              map[string]int
	TruthBefore, Repaired                int
	RefusedDocuments, RefusedOccurrences int
}

// options of the report.
type options struct {
	samples int
	groups  int
	// only lists groups that contain this, with all their samples.
	only string
}

func (r ratio) percent() string {
	if r.All == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", 100*float64(r.Right)/float64(r.All))
}

func (r ratio) full() string { return fmt.Sprintf("%s (%d/%d)", r.percent(), r.Right, r.All) }

// MarshalJSON adds the percentage.
func (r ratio) MarshalJSON() ([]byte, error) {
	p := 0.0
	if r.All > 0 {
		p = 100 * float64(r.Right) / float64(r.All)
	}
	return json.Marshal(struct {
		Right, All int
		Percent    float64
	}{r.Right, r.All, p})
}

func (r *result) cleanedShare() ratio {
	n := 0
	for _, k := range r.Cleaned {
		n += k
	}
	return ratio{n, r.TruthBefore}
}

func (r *result) markdown(p *program, o options) string {
	var b strings.Builder
	if o.only == "" {
		r.tables(&b)
	}
	writeGroups(&b, p, "Misses", "references of the truth without a right edge", r.Edges.Misses, o)
	writeGroups(&b, p, "Wrong edges", "by mark, rule and what the truth has there", r.Edges.Wrong, o)
	if o.only == "" || strings.Contains("definitions", o.only) {
		if o.only != "" {
			o.only, o.samples = "", 1<<30
		}
		total := r.Definitions[0]
		writeGroups(&b, p, "Definitions that only one has", "", []group{
			{"only the truth", len(total.Missing), total.Missing}, {"only we", len(total.Extra), total.Extra}}, o)
	}
	return b.String()
}

func (r *result) tables(b *strings.Builder) {
	fmt.Fprintf(b, "# %s at %s against %s\n\n", r.Repository, r.Commit, r.Tool)
	perTen := 0.0
	if r.Lines > 0 {
		perTen = r.ResolveMillis * 10000 / float64(r.Lines)
	}
	fmt.Fprintf(b, "%d files in both, %d lines, resolved in %.0f ms (%.1f ms per 10,000 lines).\n", r.Files, r.Lines, r.ResolveMillis, perTen)
	fmt.Fprintf(b, "Of the index %d documents are no files of ours, %d occurrences do not lie in the text.\n", r.RefusedDocuments, r.RefusedOccurrences)
	fmt.Fprintf(b, "Cleaned: %s %% of the references of the truth%s.\n", r.cleanedShare().full(), listOf(r.Cleaned))
	if r.Repaired > 0 {
		fmt.Fprintf(b, "Repaired: %d references of the truth.\n", r.Repaired)
	}
	if s := r.cleanedShare(); s.Right*100 > s.All*3 {
		fmt.Fprintf(b, "**More than 3 %% was cleaned: these figures do not count.**\n")
	}
	fmt.Fprintf(b, "Edges that are not counted: %s\n", strings.TrimPrefix(listOf(r.Edges.NotCounted), ": "))
	fmt.Fprintf(b, "\n## Definitions\n\n| kind | precision | recall | same kind |\n|---|---|---|---|\n")
	for _, d := range r.Definitions {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", d.Kind, d.Precision.full(), d.Recall.full(), d.SameKind.percent())
	}
	fmt.Fprintf(b, "\n%d definitions of ours are not counted (locals, parameters, redefinitions and the like in the truth).\n", r.Definitions[0].NotCounted)
	fmt.Fprintf(b, "\n## Edges\n\n| edges | precision | where the truth says something | recall | precision by place | recall by place |\n|---|---|---|---|---|---|\n")
	for _, s := range append(slices.Clone(r.Edges.Sets), r.Edges.Marks...) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", s.Name, s.Precision.full(), s.Stated.percent(), s.Recall.full(), s.PlacePrecision.percent(), s.PlaceRecall.full())
	}
	fmt.Fprintf(b, "\n| kind of the definition | precision | recall |\n|---|---|---|\n")
	for _, k := range r.Edges.Kinds {
		fmt.Fprintf(b, "| %s | %s | %s |\n", k.Kind, k.Precision.full(), k.Recall.full())
	}
	fmt.Fprintf(b, "\n| rule | mark | precision | where the truth says something |\n|---|---|---|---|\n")
	for _, k := range r.Edges.Rules {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", k.Rule, k.Mark, k.Precision.full(), k.Stated.percent())
	}
}

func listOf(m map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	if parts == nil {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func writeGroups(b *strings.Builder, p *program, title, what string, l []group, o options) {
	fmt.Fprintf(b, "\n## %s\n", title)
	if what != "" {
		fmt.Fprintf(b, "\n%s\n", what)
	}
	shown := 0
	for _, g := range l {
		n := o.samples
		if o.only != "" {
			if !strings.Contains(g.What, o.only) {
				continue
			}
			n = max(n, 40)
		} else if shown++; shown > o.groups {
			fmt.Fprintf(b, "\n(%d more groups)\n", len(l)-o.groups)
			break
		}
		fmt.Fprintf(b, "\n**%d × %s**\n", g.Count, g.What)
		if n > 0 && g.Count > 0 {
			b.WriteString("\n")
		}
		for _, s := range spread(g.Samples, n) {
			fmt.Fprintf(b, "- %s `%s`%s\n", p.where(s.At), s.Name, describe(p, s))
			fmt.Fprintf(b, "  `%s`\n", strings.ReplaceAll(p.lineText(s.At), "`", "'"))
		}
	}
}

func describe(p *program, s sample) string {
	var b strings.Builder
	for _, w := range []struct {
		word string
		to   []place
	}{{"should lead to", s.To}, {"we lead to", s.Got}} {
		for i, t := range w.to {
			if i == 4 {
				fmt.Fprintf(&b, " (and %d more)", len(w.to)-4)
				break
			}
			fmt.Fprintf(&b, " %s %s", w.word, p.where(t))
		}
	}
	if s.Rule != "" {
		fmt.Fprintf(&b, " by %q", s.Rule)
	}
	if s.To == nil && s.Note != "" {
		fmt.Fprintf(&b, " (%s)", s.Note)
	}
	return b.String()
}

// spread picks n samples, evenly.
func spread(l []sample, n int) []sample {
	if len(l) <= n {
		return l
	}
	out := make([]sample, 0, n)
	for i := range n {
		out = append(out, l[i*len(l)/n])
	}
	return out
}

// withoutSamples is what JSON shows: samples hold numbers of files.
func (r *result) withoutSamples() *result {
	out := *r
	out.Definitions = slices.Clone(r.Definitions)
	for i := range out.Definitions {
		out.Definitions[i].Missing, out.Definitions[i].Extra = nil, nil
	}
	strip := func(l []group) []group {
		l = slices.Clone(l)
		for i := range l {
			l[i].Samples = nil
		}
		return l
	}
	out.Edges.Misses, out.Edges.Wrong = strip(r.Edges.Misses), strip(r.Edges.Wrong)
	return &out
}
