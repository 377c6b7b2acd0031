package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/mapgen/tokens/exact"
)

var update = flag.Bool("update", false, "write the generated parts of docs/packs.md")

const document = "../../docs/packs.md"

// session reads the recorded session.
func session(t testing.TB) []pack.ContextEntry {
	t.Helper()
	data, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []pack.ContextEntry
	for line := range bytes.Lines(data) {
		e, err := pack.DecodeEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// budgets are those of the worked example: everything fits, most fits, little
// fits.
var budgets = []int{12000, 5000, 1200}

func packAt(t testing.TB, entries []pack.ContextEntry, budget int) *pack.ContextPack {
	t.Helper()
	p, _, err := pack.NewBuilder(tokens.Estimator{}, 0).Build(pack.BuildRequest{
		SessionID: "retries", StageID: "fix", Budget: budget, Entries: entries,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// example is the worked example of the document.
func example(t testing.TB) string {
	entries := session(t)
	var b strings.Builder
	total, byLayer := 0, [pack.NumLayers]int{}
	for i := range entries {
		total += tokens.Estimate(entries[i].Content)
		byLayer[entries[i].Layer]++
	}
	fmt.Fprintf(&b, "The session has %d entries of %d tokens: L0 %d, L1 %d, L2 %d, L3 %d, L4 %d.\n\n",
		len(entries), total, byLayer[0], byLayer[1], byLayer[2], byLayer[3], byLayer[4])
	var packs []*pack.ContextPack
	b.WriteString("| kept | entries |")
	for _, budget := range budgets {
		packs = append(packs, packAt(t, entries, budget))
		fmt.Fprintf(&b, " budget %d |", budget)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(budgets)) + "\n")
	for l := range pack.ContextLayer(pack.NumLayers) {
		fmt.Fprintf(&b, "| %v | %d |", l, byLayer[l])
		for _, p := range packs {
			n := 0
			for i := range p.Layers[l] {
				n += p.Layers[l][i].TokenEstimate
			}
			fmt.Fprintf(&b, " %d (%d tokens) |", len(p.Layers[l]), n)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "| all | %d |", len(entries))
	for _, p := range packs {
		fmt.Fprintf(&b, " %d (%d tokens) |", p.Entries(), p.BudgetUsed)
	}
	b.WriteString("\n\nWhat was dropped, by strategy and reason:\n\n| strategy | reason |")
	for _, budget := range budgets {
		fmt.Fprintf(&b, " budget %d |", budget)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(budgets)) + "\n")
	type why struct{ strategy, reason string }
	counts := make([]map[why]int, len(packs))
	var all []why
	for i, p := range packs {
		counts[i] = map[why]int{}
		for _, r := range p.CompressionMetadata.Removed {
			reason, _, _ := strings.Cut(r.Reason, " e") // ids of entries
			w := why{r.Strategy, reason}
			counts[i][w]++
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for _, w := range all {
		fmt.Fprintf(&b, "| %s | %s |", w.strategy, w.reason)
		for i := range packs {
			fmt.Fprintf(&b, " %d |", counts[i][w])
		}
		b.WriteString("\n")
	}
	b.WriteString("| | archived (L4) |")
	for _, p := range packs {
		fmt.Fprintf(&b, " %d |", len(p.CompressionMetadata.Archived))
	}
	last := packs[len(packs)-1]
	b.WriteString("\n\nThe smallest of them as `--explain` tells it, the single removals left out:\n\n```\n")
	head, _, _ := strings.Cut(last.Explain(), "\n\n…")
	b.WriteString(strings.TrimRight(head, "\n") + "\n```\n\nAnd what it holds, by id: ")
	var ids []string
	for l, entries := range last.Layers {
		for i := range entries {
			ids = append(ids, fmt.Sprintf("%s (L%d %s)", entries[i].ID, l, entries[i].SourceType))
		}
	}
	b.WriteString(strings.Join(ids, ", ") + ".\n")
	return b.String()
}

// TestDocument compares the generated parts of the document.
func TestDocument(t *testing.T) {
	texts, err := corpus("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	for name, text := range map[string]string{"example": example(t), "estimate": table(measure(texts))} {
		begin, end := "<!-- generated: "+name+" -->\n", "<!-- end -->"
		head, rest, ok := strings.Cut(got, begin)
		_, tail, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Fatalf("%s has no part %q", document, name)
		}
		got = head + begin + text + end + tail
	}
	if got == string(data) {
		return
	}
	if !*update {
		t.Errorf("%s is stale; run go test ./benchmarks/packs -update and review", document)
		return
	}
	if err := os.WriteFile(document, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestExampleKeepsItsPromises checks the recorded session itself.
func TestExampleKeepsItsPromises(t *testing.T) {
	entries := session(t)
	if len(entries) < 150 {
		t.Fatalf("%d entries", len(entries))
	}
	kept := map[pack.ContextEntryID]bool{}
	for i := len(budgets) - 1; i >= 0; i-- { // rising
		p := packAt(t, entries, budgets[i])
		now := map[pack.ContextEntryID]bool{}
		for _, layer := range p.Layers {
			for _, e := range layer {
				now[e.ID] = true
			}
		}
		for id := range kept {
			if !now[id] {
				t.Errorf("a budget of %d no longer keeps %s", budgets[i], id)
			}
		}
		for _, e := range entries {
			if (e.Layer == pack.L0 || e.SourceType == pack.SteeringNote || e.SourceType == pack.EventHistory) && !now[e.ID] {
				t.Errorf("a budget of %d drops %s", budgets[i], e.ID)
			}
		}
		if p.BudgetUsed > budgets[i] {
			t.Errorf("%d tokens of %d", p.BudgetUsed, budgets[i])
		}
		kept = now
	}
}

// TestEstimateStaysWithinItsBounds holds the estimate to what the documentation
// of package tokens says of whole texts.
func TestEstimateStaysWithinItsBounds(t *testing.T) {
	texts, err := corpus("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	bounds := map[string][2]float64{
		"code o200k_base": {.9, 1.3}, "prose o200k_base": {.9, 1.25}, "other o200k_base": {.95, 1.75}, "minified o200k_base": {.85, 1.2},
		"code cl100k_base": {.9, 1.3}, "prose cl100k_base": {.9, 1.25}, "other cl100k_base": {.44, 1.05}, "minified cl100k_base": {.85, 1.2},
	}
	rows := measure(texts)
	if len(rows) != len(bounds) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		b := bounds[r.kind+" "+r.tokenizer]
		low, high := r.ratios[0], r.ratios[len(r.ratios)-1]
		if r.kind == "code" { // one text is all in capitals, see the documentation
			if high > 2.1 {
				t.Errorf("%s: up to %.2f", r.kind, high)
			}
			high = r.ratios[len(r.ratios)-2]
		}
		if low < b[0] || high > b[1] {
			t.Errorf("%s, %s: %.2f to %.2f, said are %.2f to %.2f", r.kind, r.tokenizer, low, high, b[0], b[1])
		}
	}
}

// TestMarkdownFitsTheBudget: what is printed for a prompt, counted as a whole by
// the tokenizer that the pack was built with, is no more than the pack says and
// fits the budget.
func TestMarkdownFitsTheBudget(t *testing.T) {
	entries := session(t)
	for _, name := range exact.Names() {
		counter, err := exact.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, budget := range []int{600, 1200, 2400, 5000, 9000, 12000} {
			p, _, err := pack.NewBuilder(counter, 0).Build(pack.BuildRequest{
				SessionID: "retries", StageID: "fix", Budget: budget, Entries: entries, Framing: pack.Markdown,
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := counter.Count(string(p.Markdown())); got > p.BudgetUsed || p.OverBudget == "" && got > budget {
				t.Errorf("%s, budget %d: %d tokens, %d were counted", name, budget, got, p.BudgetUsed)
			}
			if (p.OverBudget != "") != (budget == 600 && p.BudgetUsed > budget) {
				t.Errorf("%s, budget %d: %q", name, budget, p.OverBudget)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for _, x := range []struct{ kind, text, want string }{
		{"code", "a\nb\n", "code"}, {"code", strings.Repeat("a", 2000), "minified"},
		{"prose", "hello", "prose"}, {"prose", "привет", "other"}, {"code", "// привет\n", "code"},
	} {
		if got := kindOf(x.kind, []byte(x.text)); got != x.want {
			t.Errorf("%q is %s", x.text, got)
		}
	}
}
