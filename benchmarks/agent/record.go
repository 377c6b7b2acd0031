package main

import (
	"fmt"
	"strings"
)

// record is one run. Tokens are those of o200k_base, of the texts that are sent:
// without the few that a protocol puts around each message.
type record struct {
	Setting    string `json:"setting"`
	Question   string `json:"question"`
	Repository string `json:"repository"`
	Revision   string `json:"revision"`
	Model      string `json:"model"`
	Pi         string `json:"pi"`
	ProjectMap string `json:"projectMap,omitempty"`
	Totals     totals `json:"totals"`
	// IndexMS is what project-map index took before the run; not in WallMS.
	IndexMS int64 `json:"indexMs,omitempty"`
	// WallMS is the time of the run without ModelMS, the time in which the model
	// was waited for.
	WallMS  int64    `json:"wallMs"`
	ModelMS int64    `json:"modelMs"`
	Turns   []turn   `json:"turns"`
	Failed  []string `json:"failed,omitempty"`
	Answer  string   `json:"answer"`
}

type totals struct {
	Turns int `json:"turns"`
	// Input is summed over the turns, each of which sends all that came before.
	Input int `json:"inputTokens"`
	// Peak is the largest request with its reply.
	Peak    int `json:"peakContextTokens"`
	Output  int `json:"outputTokens"`
	Calls   int `json:"toolCalls"`
	Results int `json:"toolResultTokens"`
	// Reported are the endpoint's own sums, if it counted every turn.
	Reported *reported `json:"reported,omitempty"`
}

type turn struct {
	Input    input     `json:"input"`
	Output   int       `json:"outputTokens"`
	Text     string    `json:"text,omitempty"`
	Calls    []call    `json:"calls,omitempty"`
	Reported *reported `json:"reported,omitempty"`
	ModelMS  int64     `json:"modelMs"`
}

// input are the tokens of a request by their source.
type input struct {
	System   int `json:"system"`
	Tools    int `json:"tools"`
	Messages int `json:"messages"`
	Results  int `json:"toolResults"`
}

func (i input) sum() int { return i.System + i.Tools + i.Messages + i.Results }

type call struct {
	Name         string `json:"name"`
	Arguments    string `json:"arguments"`
	ResultTokens int    `json:"resultTokens"`
	ResultBytes  int    `json:"resultBytes"`
	ResultLines  int    `json:"resultLines"`
}

type reported struct {
	Input  int `json:"inputTokens"`
	Cached int `json:"cachedTokens"`
	Output int `json:"outputTokens"`
}

func sum(turns []turn) totals {
	out := totals{Turns: len(turns), Reported: &reported{}}
	for _, t := range turns {
		out.Input += t.Input.sum()
		out.Peak = max(out.Peak, t.Input.sum()+t.Output)
		out.Output += t.Output
		out.Calls += len(t.Calls)
		for _, c := range t.Calls {
			out.Results += c.ResultTokens
		}
		if t.Reported == nil {
			out.Reported = nil
		}
		if out.Reported != nil {
			out.Reported.Input += t.Reported.Input
			out.Reported.Cached += t.Reported.Cached
			out.Reported.Output += t.Reported.Output
		}
	}
	if len(turns) == 0 {
		out.Reported = nil
	}
	return out
}

// title is what a table calls a setting.
func (r *record) title() string {
	if r.Setting == withMaps {
		return "with project-map"
	}
	return "plain"
}

// markdown prints the records beside each other, then each run.
func markdown(records []*record) string {
	var b strings.Builder
	first := records[0]
	fmt.Fprintf(&b, "%s at %.12s, Pi %s, model %s.\n\n%s\n\n", first.Repository, first.Revision, first.Pi, first.Model, quote(first.Question))
	row := func(name string, value func(*record) string) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, r := range records {
			fmt.Fprintf(&b, " %s |", value(r))
		}
		b.WriteByte('\n')
	}
	row("", (*record).title)
	b.WriteString("|---|" + strings.Repeat("---|", len(records)) + "\n")
	number := func(f func(*record) int) func(*record) string {
		return func(r *record) string { return thousands(f(r)) }
	}
	row("turns", number(func(r *record) int { return r.Totals.Turns }))
	row("tool calls", number(func(r *record) int { return r.Totals.Calls }))
	row("input tokens, summed over turns", number(func(r *record) int { return r.Totals.Input }))
	row("largest context, tokens", number(func(r *record) int { return r.Totals.Peak }))
	row("tokens of tool results", number(func(r *record) int { return r.Totals.Results }))
	row("output tokens", number(func(r *record) int { return r.Totals.Output }))
	row("system prompt and tools, tokens", number(func(r *record) int {
		if len(r.Turns) == 0 {
			return 0
		}
		return r.Turns[0].Input.System + r.Turns[0].Input.Tools
	}))
	for _, r := range records {
		if r.Totals.Reported != nil {
			row("input, output by the endpoint's count", func(r *record) string {
				if u := r.Totals.Reported; u != nil {
					return fmt.Sprintf("%s (%s cached), %s", thousands(u.Input), thousands(u.Cached), thousands(u.Output))
				}
				return "—"
			})
			break
		}
	}
	row("seconds without the model", func(r *record) string { return seconds(r.WallMS) })
	for _, r := range records {
		if r.IndexMS > 0 {
			row("seconds of project-map index before", func(r *record) string {
				if r.IndexMS == 0 {
					return "—"
				}
				return seconds(r.IndexMS)
			})
			break
		}
	}
	for _, r := range records {
		name := strings.ToUpper(r.title()[:1]) + r.title()[1:]
		fmt.Fprintf(&b, "\n### %s\n\n| turn | input | output | call | result |\n|---|---|---|---|---|\n", name)
		for i, t := range r.Turns {
			start := fmt.Sprintf("| %d | %s | %s |", i+1, thousands(t.Input.sum()), thousands(t.Output))
			if len(t.Calls) == 0 {
				fmt.Fprintf(&b, "%s (answer) | |\n", start)
			}
			for k, c := range t.Calls {
				if k > 0 {
					start = "| | | |"
				}
				fmt.Fprintf(&b, "%s %s | %s |\n", start, code(c.Name+" "+c.Arguments), thousands(c.ResultTokens))
			}
		}
		for _, f := range r.Failed {
			fmt.Fprintf(&b, "\nFailed: %s\n", shorten(f, 300))
		}
		fmt.Fprintf(&b, "\n%s\n", quote(r.Answer))
	}
	return b.String()
}

// code is a call on one line of a table.
func code(s string) string {
	s = shorten(s, 240)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + strings.ReplaceAll(s, "|", `\|`) + fence
}

func quote(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("> "+l, " ")
	}
	return strings.Join(lines, "\n")
}

func seconds(ms int64) string { return fmt.Sprintf("%.1f", float64(ms)/1000) }

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
