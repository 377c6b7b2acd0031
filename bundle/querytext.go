package bundle

import (
	"fmt"
	"strings"
)

const (
	titleRunes = 120
	// The query is at hand for whoever asked, so a long one is cut.
	maxQueryLines     = 40
	maxQueryLineRunes = 240
	// A query takes a quarter of the budget within these bounds, in tokens.
	minQueryTokens = 80
	maxQueryTokens = 400
)

// queryAllowance is what the text of the query may cost. It grows more slowly
// than the budget, so that a larger budget leaves more room for the rest.
func queryAllowance(budget int) int {
	return max(minQueryTokens, min(maxQueryTokens, budget/4))
}

func title(raw string) string {
	t := queryLine(headOf(raw, 8*titleRunes), titleRunes)
	if t == "" {
		t = "(empty query)"
	}
	return "# Context bundle: " + t + "\n"
}

// quoted is the content of the section "query".
type quoted struct {
	text string
	cost int // tokens, at least the estimate of text
	cut  bool
}

// quoteQuery makes at most allowed tokens of the section. Several lines, or one
// that could act as Markdown, are quoted.
func quoteQuery(raw string, allowed int) quoted {
	raw = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\r", "\n"))
	if queryLine(headOf(raw, 16*maxQueryLineRunes), 1) == "" { // nothing to see
		return quoted{text: none, cost: estimate(none)}
	}
	total := strings.Count(raw, "\n") + 1
	lines := quotedLines(raw, total)
	costs, sum := make([]int, len(lines)), 0
	for i, l := range lines {
		costs[i] = estimate(l)
		sum += costs[i]
	}
	if len(lines) == total && sum <= allowed {
		return quoted{text: strings.Join(lines, ""), cost: sum}
	}
	// The note counts most with the largest number, so any other fits as well.
	room := allowed - estimate(cutNote(total, total))
	kept := 0
	for kept < len(lines) && costs[kept] <= room {
		room -= costs[kept]
		kept++
	}
	if kept > 0 {
		return quoted{text: strings.Join(lines[:kept], "") + cutNote(kept, total), cost: allowed, cut: true}
	}
	head := cutTokens(strings.TrimSuffix(lines[0], "\n"), room-estimate("\n")) + "\n"
	return quoted{text: head + cutNote(0, total), cost: allowed, cut: true}
}

// cutNote says how much of a query is shown.
func cutNote(shown, total int) string {
	switch {
	case total == 1:
		return "\n(cut: only the beginning is shown)\n"
	case shown == 0:
		return fmt.Sprintf("\n(cut: only the beginning of %d lines is shown)\n", total)
	}
	return fmt.Sprintf("\n(cut: the first %d of %d lines are shown)\n", shown, total)
}

// quotedLines are the first lines of a query as they are shown, each with its
// line break.
func quotedLines(raw string, total int) []string {
	if total == 1 {
		line := queryLine(headOf(raw, 16*maxQueryLineRunes), 8*maxQueryLineRunes)
		if startsBlock(line) {
			line = "> " + line
		}
		return []string{line + "\n"}
	}
	var out []string
	for line := range strings.SplitSeq(raw, "\n") {
		if len(out) == maxQueryLines {
			break
		}
		out = append(out, strings.TrimRight("> "+indented(line), " ")+"\n")
	}
	return out
}

// indented is queryLine with the indentation of the line.
func indented(line string) string {
	line = headOf(line, 8*maxQueryLineRunes)
	body := strings.TrimLeft(line, " \t")
	indent := strings.ReplaceAll(line[:len(line)-len(body)], "\t", "    ")
	return indent[:min(len(indent), 40)] + queryLine(body, maxQueryLineRunes)
}

// startsBlock tells whether a line would start something other than a
// paragraph.
func startsBlock(line string) bool {
	if line == "" {
		return false
	}
	if strings.IndexByte("#>-+*=~|[<`_", line[0]) >= 0 {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// headOf is at most n bytes of the beginning of s.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:floorRune(s, n)]
}
