package pack

import "slices"

// ContextCompressor decides what of the entries is kept within a budget.
type ContextCompressor interface {
	// Compress judges entries, oldest first, none of them pinned and none of them
	// of L4. cost gives the tokens of the entry with a number. The budget has
	// what the pinned entries leave.
	Compress(entries []*ContextEntry, cost func(int) int, budget TokenBudget) Compression
}

// Compression is the outcome of a compression.
type Compression struct {
	// Kept has one element an entry.
	Kept []bool
	// Removed are the entries that were not kept, in the order of leaving.
	Removed []Removed
}

// Removed is an entry that was not kept.
type Removed struct {
	Index    int
	Strategy string
	Reason   string
	// ForBudget tells removals that a larger budget would have spared.
	ForBudget bool
}

// reasonBudget is why entries leave for the budget.
const reasonBudget = "over budget"

// DefaultContextCompressor asks the strategies, then lets entries leave until
// the rest fits.
type DefaultContextCompressor struct{ Strategies Strategies }

// leaving is the order of the layers when the budget is short. L0 is not among
// them.
var leaving = [...]ContextLayer{L3, L2, L1}

// Compress implements ContextCompressor in time and memory linear in the
// entries.
func (c DefaultContextCompressor) Compress(entries []*ContextEntry, cost func(int) int, budget TokenBudget) Compression {
	out := Compression{Kept: make([]bool, len(entries))}
	total := 0
	for i := range entries {
		out.Kept[i] = true
		total = addSaturating(total, cost(i))
	}
	remove := func(r Removed) {
		out.Kept[r.Index] = false
		out.Removed = append(out.Removed, r)
		total -= cost(r.Index)
	}

	var early []string // reason by entry, made when needed
	groups := map[string][]int{}
	strategy := make([]string, len(entries))
	for i, e := range entries {
		strategy[i] = c.Strategies.Of(e.SourceType).Name()
		groups[strategy[i]] = append(groups[strategy[i]], i)
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		group := groups[name]
		candidates := make([]Candidate, len(group))
		for k, i := range group {
			candidates[k] = Candidate{entries[i], entries[i].Layer == L0}
		}
		v := c.Strategies.Of(entries[group[0]].SourceType).Compress(candidates)
		for _, r := range v.Redundant {
			// What a strategy says of protected entries does not count.
			if i := group[r.Index]; entries[i].Layer != L0 && out.Kept[i] {
				remove(Removed{Index: i, Strategy: name, Reason: r.Reason})
			}
		}
		for _, k := range v.Early {
			if len(early) == 0 {
				early = make([]string, len(entries))
			}
			early[group[k]] = v.EarlyReason
		}
	}

	for _, layer := range leaving {
		for _, first := range [2]bool{true, false} {
			if first && len(early) == 0 {
				continue
			}
			for i := range entries {
				if total <= budget.Remaining() && !budget.Exceeded() {
					return out
				}
				isEarly := len(early) > 0 && early[i] != ""
				if entries[i].Layer != layer || !out.Kept[i] || isEarly != first {
					continue
				}
				reason := reasonBudget
				if isEarly {
					reason += ", " + early[i]
				}
				remove(Removed{Index: i, Strategy: strategy[i], Reason: reason, ForBudget: true})
			}
		}
	}
	return out
}
