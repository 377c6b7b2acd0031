package pack

import (
	"fmt"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// maxExplained is how many removals an explanation lists one by one.
const maxExplained = 50

// Explain says in plain text what was kept and dropped: counts by layer, counts
// by strategy and reason, then the removals one by one, of many the last.
func (p *ContextPack) Explain() string {
	var b strings.Builder
	m := &p.CompressionMetadata
	fmt.Fprintf(&b, "%s, session %s, stage %s\n", p.ID, plaintext.Terminal(string(p.SessionID)), plaintext.Terminal(string(p.StageID)))
	fmt.Fprintf(&b, "%d of %d tokens (%s), %d entries kept, %d dropped, %d archived\n",
		p.BudgetUsed, p.BudgetLimit, p.Tokenizer, p.Entries(), m.EntriesDropped, len(m.Archived))
	if p.OverBudget != "" {
		fmt.Fprintf(&b, "over budget: %s\n", p.OverBudget)
	}

	type count struct{ entries, tokens int }
	type key struct{ strategy, reason string }
	var kept, dropped [NumLayers]count
	for l := range p.Layers {
		for i := range p.Layers[l] {
			kept[l].entries++
			kept[l].tokens += p.Layers[l][i].TokenEstimate
		}
	}
	why := map[key]*count{}
	var order []key
	for i := range m.Removed {
		x := &m.Removed[i]
		dropped[x.Layer].entries++
		dropped[x.Layer].tokens += x.Tokens
		k := key{x.Strategy, kindOf(x.Reason)}
		if why[k] == nil {
			why[k] = &count{}
			order = append(order, k)
		}
		why[k].entries++
		why[k].tokens += x.Tokens
	}

	fmt.Fprintf(&b, "\n%-7s%8s%10s%10s%10s\n", "layer", "kept", "tokens", "dropped", "tokens")
	for l := range ContextLayer(NumLayers) {
		if kept[l].entries+dropped[l].entries > 0 {
			fmt.Fprintf(&b, "%-7s%8d%10d%10d%10d\n", l, kept[l].entries, kept[l].tokens, dropped[l].entries, dropped[l].tokens)
		}
	}
	if len(order) > 0 {
		fmt.Fprintf(&b, "\n%-14s%8s%10s  %s\n", "strategy", "dropped", "tokens", "why")
		for _, k := range order {
			fmt.Fprintf(&b, "%-14s%8d%10d  %s\n", plaintext.Terminal(k.strategy), why[k].entries, why[k].tokens, k.reason)
		}
		b.WriteString("\n")
	}
	if n := len(m.Removed) - maxExplained; n > 0 {
		fmt.Fprintf(&b, "… %d removed before these; all are in the pack's JSON\n", n)
	}
	for _, x := range m.Removed[max(len(m.Removed)-maxExplained, 0):] {
		fmt.Fprintf(&b, "- %v %s %s (%s), %d tokens: %s\n", x.Layer, plaintext.Line(string(x.ID), 60), plaintext.Line(string(x.SourceType), 30),
			plaintext.Line(x.SourceID, 60), x.Tokens, plaintext.Line(x.Reason, 120))
	}
	return b.String()
}

// kindOf leaves out what a reason says of a single entry.
func kindOf(reason string) string {
	for _, head := range []string{"the same as", "replaced by"} {
		if strings.HasPrefix(reason, head+" ") {
			return head + " another"
		}
	}
	return reason
}
