package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// output writes results to standard output, whole or not at all.
func output(c *cli.Context, print func(io.Writer) error) error {
	var buf bytes.Buffer
	if err := print(&buf); err != nil {
		return fmt.Errorf("print results: %w", err)
	}
	if _, err := c.App.Writer.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("print results: %w", err)
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printSummary tells a person what a run of index did.
func printSummary(w io.Writer, r *indexReport, stats bool) {
	s := &r.Summary
	if r.UpToDate {
		fmt.Fprintf(w, "Up to date with %s: %s, %s, %s; nothing was written.\n", revisionName(r.Revision),
			plural(s.Files, "file"), plural(s.Symbols, "symbol"), plural(s.Directories, "directory"))
		if !stats {
			return
		}
	} else {
		fmt.Fprintf(w, "Indexed %s in %.1f s: %s, %s, %s.\n", revisionName(r.Revision), float64(r.Millis)/1000,
			plural(s.Files, "file"), plural(s.Symbols, "symbol"), plural(s.Directories, "directory"))
	}
	line := func(what string, n int, details []string) {
		if n > 0 || what == "parsed" {
			text := fmt.Sprintf("  %-14s%6d", what, n)
			if len(details) > 0 {
				text += "  " + strings.Join(details, ", ")
			}
			fmt.Fprintln(w, plaintext.Terminal(text))
		}
	}
	line("parsed", s.Parsed, languages(r, stats))
	line("words only", s.WordsOnly, reasons(r, "words only"))
	line("listed only", s.Listed, reasons(r, "listed"))
	line("partly parsed", s.Damaged, []string{"syntax errors; the rest of each file is in the maps"})
	if !r.UpToDate {
		fmt.Fprintf(w, "  %-14s%6d  written, %d unchanged, %d removed%s\n", "maps", len(r.Written), r.Unchanged, len(r.Removed), notOnDisk(r))
		fmt.Fprintf(w, "  %-14s%6d  files; the other %d needed no reading\n", "read now", r.Extracted, max(s.Files-r.Extracted, 0))
	}
	if n := s.References; n.Sites > 0 {
		details := []string{"of " + plural(n.Files, "file") + " lead to definitions"}
		if n.Precise > 0 {
			details = append(details, fmt.Sprintf("%d by a precise index", n.Precise))
		}
		if n.ByName > 0 {
			details = append(details, fmt.Sprintf("%d by name only", n.ByName))
		}
		line("references", n.Sites, details)
	}
	printEvidence(w, r)
	if s.Commits > 0 || s.HistoryCut {
		cut := ""
		if s.HistoryCut {
			cut = " (cut: the clone is shallow)"
		}
		fmt.Fprintf(w, "  %-14s%6d  commits%s\n", "history", s.Commits, cut)
	}
	if stats {
		fmt.Fprintf(w, "  %-14s%6.1f  MB of sources\n", "size", float64(s.Bytes)/1e6)
	}
	printNotes(w, r, stats)
}

// printEvidence says what of the indexes and reports of others was used.
func printEvidence(w io.Writer, r *indexReport) {
	for _, e := range r.Evidence {
		text := fmt.Sprintf("  %-14s%6d  %s of %s in %s", e.Kind, e.Used, map[string]string{"scip": "occurrences", "sarif": "results"}[e.Kind], e.Name, plural(e.Files, "file"))
		if e.Tool != "" {
			text += " (" + e.Tool + ")"
		}
		if e.Changed > 0 {
			text += fmt.Sprintf("; %s changed since and not used", plural(e.Changed, "file"))
		}
		fmt.Fprintln(w, plaintext.Terminal(text))
		for _, x := range e.Refused {
			text := fmt.Sprintf("  %-14s%6d  refused: %s", "", x.Count, x.Reason)
			if len(x.Samples) > 0 {
				text += ", such as " + x.Samples[0]
			}
			fmt.Fprintln(w, plaintext.Terminal(text))
		}
	}
}

func notOnDisk(r *indexReport) string {
	if len(r.Skipped) == 0 {
		return ""
	}
	return fmt.Sprintf("; none for %s not on disk", plural(len(r.Skipped), "directory"))
}

// languages lists how many files of each language were parsed.
func languages(r *indexReport, all bool) (out []string) {
	const most = 8
	for i, l := range r.Summary.Languages {
		if i == most && !all && len(r.Summary.Languages) > most+1 {
			return append(out, fmt.Sprintf("and %d more languages", len(r.Summary.Languages)-most))
		}
		out = append(out, fmt.Sprintf("%s %d", l.Language, l.Files))
	}
	return out
}

// reasons lists why files were not read deeper.
func reasons(r *indexReport, depth string) (out []string) {
	for _, k := range r.Summary.Skipped {
		if k.Depth == depth {
			out = append(out, fmt.Sprintf("%s %d", k.Reason, k.Files))
		}
	}
	return out
}

func printNotes(w io.Writer, r *indexReport, all bool) {
	notes := r.Summary.Notes
	if !all {
		notes = notes[:min(len(notes), 5)]
	}
	for _, n := range notes {
		fmt.Fprintf(w, "  note: %s: %s\n", plaintext.Terminal(n.Path), plaintext.Terminal(n.Reason))
	}
	if rest := len(r.Summary.Notes) - len(notes); rest > 0 {
		fmt.Fprintf(w, "  note: %d more; see them with --stats\n", rest)
	}
}

// warnOfGaps says loudly when an index holds little of the repository.
func warnOfGaps(con *console, r *indexReport) {
	s := &r.Summary
	for _, d := range r.Skipped[:min(len(r.Skipped), 3)] {
		con.say("no maps were written for %s: it is not on disk as a directory", d)
	}
	analysed := s.Parsed + s.WordsOnly
	switch {
	case s.Files == 0:
		con.say("warning: there are no files to index")
	case s.Files > 20 && analysed*2 < s.Files:
		con.say("warning: most files were not analysed (%d of %d); the reasons are in the summary", s.Files-analysed, s.Files)
	case s.Files > 20 && s.Parsed*20 < s.Files:
		con.say("warning: only %d of %d files were parsed; for the others answers rest on words alone", s.Parsed, s.Files)
	}
}

// plural joins a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok && !slices.Contains([]string{"key"}, noun) {
		return fmt.Sprintf("%d %sies", n, base)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
