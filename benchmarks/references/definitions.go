package main

import (
	"cmp"
	"slices"
)

// definitions of a kind.
type definitions struct {
	Kind              string
	Precision, Recall ratio
	// SameKind of those that both have.
	SameKind ratio
	Missing  []sample
	Extra    []sample
	// NotCounted of ours, all kinds: what the truth holds for a local, a
	// parameter and so on, and redefinitions.
	NotCounted int
}

// definitionsAt lists what the truth defines at a place, those that count first.
func (c *comparison) definitionsAt(p place) []*truthSymbol {
	var out []*truthSymbol
	for _, o := range c.truth.at[p] {
		if o.definition && !slices.Contains(out, o.symbol) {
			out = append(out, o.symbol)
		}
	}
	slices.SortStableFunc(out, func(a, b *truthSymbol) int { return cmp.Compare(kindOrder(a.kind), kindOrder(b.kind)) })
	return out
}

// kindOrder puts types and methods before what stands at the same place: a
// parameter property is a parameter and a field, a constructor's class a type.
func kindOrder(kind string) int {
	if i := slices.Index([]string{kindType, kindMethod, kindFunction, kindField, kindVariable}, kind); i >= 0 {
		return i
	}
	return 99
}

func (c *comparison) definitions() []definitions {
	total := definitions{Kind: "all"}
	byKind := map[string]*definitions{}
	for _, k := range countedKinds {
		byKind[k] = &definitions{Kind: k}
	}
	ourKind := map[place]string{}
	for doc := range c.ours.Files {
		if !c.truth.indexed[doc] {
			continue
		}
		f := c.ours.Files[doc].File
		for i := range f.Symbols {
			s := &f.Symbols[i]
			k := kindOf(s)
			p := c.symbolPlace(doc, s)
			if k == "" || ourKind[p] != "" || s.NameSpan.Len() == 0 {
				continue
			}
			ourKind[p] = k
			defs := c.definitionsAt(p)
			switch {
			case len(defs) > 0 && !countedKind(defs[0].kind), c.redefined[p], anonymousDefault(f, s), c.inUnread(p):
				total.NotCounted++
				continue
			}
			right := len(defs) > 0
			for _, d := range []*definitions{&total, byKind[k]} {
				d.Precision.add(right)
				if !right {
					d.Extra = append(d.Extra, sample{At: p, Name: s.Name, Note: s.Kind.String()})
				}
			}
		}
	}
	for _, p := range sortedPlaces(c.truth.at) {
		defs := c.definitionsAt(p)
		if len(defs) == 0 || !countedKind(defs[0].kind) {
			continue
		}
		k := defs[0].kind
		for _, d := range []*definitions{&total, byKind[k]} {
			d.Recall.add(ourKind[p] != "")
			if ourKind[p] == "" {
				d.Missing = append(d.Missing, sample{At: p, Name: defs[0].name, Note: k})
			} else {
				d.SameKind.add(ourKind[p] == k)
			}
		}
	}
	out := []definitions{total}
	for _, k := range countedKinds {
		out = append(out, *byKind[k])
	}
	return out
}
