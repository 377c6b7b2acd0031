package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
)

// builderVersion is part of every id: the same request may give another pack
// when the rules change, and then gets another id.
const builderVersion = 1

// TokenCounter counts tokens by the rules of a named tokenizer. Count must
// depend on the text alone and be safe for concurrent use.
type TokenCounter interface {
	Name() string
	Count(text string) int
}

// BuildRequest is all that a pack depends on.
type BuildRequest struct {
	SessionID SessionID
	StageID   StageID
	// Budget is the limit in tokens.
	Budget int
	// Entries are the candidates, oldest first.
	Entries []ContextEntry
	// Framing is how the pack will be written; what that costs counts.
	Framing Framing
}

// ContextPackBuilder assembles packs. Implementations are pure.
type ContextPackBuilder interface {
	// Build gives the pack and what happened, in order. When it fails the events
	// say so too.
	Build(BuildRequest) (*ContextPack, []Event, error)
}

// DefaultContextPackBuilder is the builder of this package. It is safe for
// concurrent use.
type DefaultContextPackBuilder struct {
	counter    TokenCounter
	strategies Strategies
	compressor ContextCompressor
	// rules is what tells requests to differently made builders apart.
	rules string
}

// NewBuilder makes a builder that counts with counter and keeps the last
// keepTurns turns of a conversation longest (0: DefaultKeepTurns).
func NewBuilder(counter TokenCounter, keepTurns int) *DefaultContextPackBuilder {
	s := DefaultStrategies(keepTurns)
	return NewBuilderWith(counter, s, DefaultContextCompressor{s}, fmt.Sprintf("turns %d", s.Of(Conversation).(ConversationStrategy).KeepTurns))
}

// NewBuilderWith makes a builder with other strategies and another compressor.
// rules names them in the ids of packs.
func NewBuilderWith(counter TokenCounter, s Strategies, c ContextCompressor, rules string) *DefaultContextPackBuilder {
	return &DefaultContextPackBuilder{counter, s, c, rules}
}

// Build implements ContextPackBuilder. Errors wrap ErrInvalid.
func (b *DefaultContextPackBuilder) Build(r BuildRequest) (*ContextPack, []Event, error) {
	events := []Event{ContextBuildingStartedEvent{SessionID: r.SessionID, StageID: r.StageID}}
	p, x, err := b.build(r)
	if err != nil {
		return nil, append(events, ContextBuildingFailedEvent{SessionID: r.SessionID, StageID: r.StageID, Reason: err.Error()}), err
	}
	events = append(events, compressionEvents(p, x)...)
	return p, append(events, ContextPackBuiltEvent{
		ContextPackID: p.ID, SessionID: p.SessionID, StageID: p.StageID, BudgetUsed: p.BudgetUsed, BudgetLimit: p.BudgetLimit,
	}), nil
}

// removedForBudget counts by layer.
type removedForBudget [NumLayers]int

func (b *DefaultContextPackBuilder) build(r BuildRequest) (*ContextPack, removedForBudget, error) {
	var dropped removedForBudget
	if err := checkRequest(&r); err != nil {
		return nil, dropped, err
	}
	entries := slices.Clone(r.Entries)
	if err := nameEntries(entries); err != nil {
		return nil, dropped, err
	}
	for i := range entries {
		if e := &entries[i]; e.TokenEstimate == 0 && e.Content != "" {
			// A tokenizer that makes nothing of a text would make it free.
			e.TokenEstimate = max(b.counter.Count(e.Content), 1)
		}
	}
	p := &ContextPack{
		SessionID: r.SessionID, StageID: r.StageID, BudgetLimit: r.Budget, Tokenizer: b.counter.Name(), Framing: r.Framing,
		CompressionMetadata: CompressionMetadata{
			AppliedStrategies: []string{}, TruncatedLayers: []ContextLayer{}, Removed: []Removal{}, Archived: []Archived{},
		},
	}
	p.ID = b.packID(&r, entries)

	framer := newFramer(r.Framing, b.counter)
	cost := func(e *ContextEntry) int { return addSaturating(e.TokenEstimate, framer.cost(e)) }
	budget := NewTokenBudget(r.Budget).Consume(framer.fixed(entries, p.ID))
	keep := make([]bool, len(entries))
	rest := make([]int, 0, len(entries))
	candidates := make([]*ContextEntry, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		switch {
		case b.strategies.Of(e.SourceType).Pinned():
			keep[i] = true
			budget = budget.Consume(cost(e))
		case e.Layer == L4:
			p.CompressionMetadata.Archived = append(p.CompressionMetadata.Archived, Archived{e.ID, e.SourceType, e.SourceID, e.TokenEstimate})
		default:
			if e.Layer == L0 {
				budget = budget.Consume(cost(e))
			}
			rest = append(rest, i)
			candidates = append(candidates, e)
		}
	}
	// L0 was paid for above: it stays whatever the compressor says.
	c := b.compressor.Compress(candidates, func(k int) int {
		if candidates[k].Layer == L0 {
			return 0
		}
		return cost(candidates[k])
	}, budget)
	for k, i := range rest {
		keep[i] = c.Kept[k] || candidates[k].Layer == L0
	}
	p.CompressionMetadata.Removed = slices.Grow(p.CompressionMetadata.Removed, len(c.Removed))
	for _, x := range c.Removed {
		e := candidates[x.Index]
		if e.Layer == L0 {
			continue
		}
		p.CompressionMetadata.Removed = append(p.CompressionMetadata.Removed, Removal{
			e.ID, e.Layer, e.SourceType, e.SourceID, e.TokenEstimate, x.Strategy, x.Reason,
		})
		if x.ForBudget {
			dropped[e.Layer]++
		}
	}
	used := NewTokenBudget(r.Budget).Consume(framer.fixed(entries, p.ID))
	for i := range entries {
		if keep[i] {
			e := &entries[i]
			used = used.Consume(cost(e))
			p.Layers[e.Layer] = append(p.Layers[e.Layer], *e)
		}
	}
	p.BudgetUsed = used.Used()
	if used.Exceeded() {
		p.OverBudget = fmt.Sprintf("what is never dropped needs %d tokens of the %d allowed", used.Used(), r.Budget)
	}
	p.CompressionMetadata.summarise(dropped)
	return p, dropped, nil
}

func (m *CompressionMetadata) summarise(dropped removedForBudget) {
	m.EntriesDropped = len(m.Removed)
	for i := range m.Removed {
		if s := m.Removed[i].Strategy; !slices.Contains(m.AppliedStrategies, s) {
			m.AppliedStrategies = append(m.AppliedStrategies, s)
		}
	}
	slices.Sort(m.AppliedStrategies)
	for l, n := range dropped {
		if n > 0 {
			m.TruncatedLayers = append(m.TruncatedLayers, ContextLayer(l))
		}
	}
}

// compressionEvents tells what was removed: one event a layer and strategy, then
// one a layer that lost entries to the budget. Over the budget there is one for
// every layer that holds something, so that a log always says so.
func compressionEvents(p *ContextPack, dropped removedForBudget) []Event {
	var out []Event
	counts := map[string]*[NumLayers]int{}
	for i := range p.CompressionMetadata.Removed {
		x := &p.CompressionMetadata.Removed[i]
		if counts[x.Strategy] == nil {
			counts[x.Strategy] = new([NumLayers]int)
		}
		counts[x.Strategy][x.Layer]++
	}
	for l := range ContextLayer(NumLayers) {
		for _, s := range p.CompressionMetadata.AppliedStrategies {
			if n := counts[s][l]; n > 0 {
				out = append(out, CompressionAppliedEvent{ContextPackID: p.ID, Layer: l.String(), EntriesRemoved: n, StrategyApplied: s})
			}
		}
	}
	said := false
	for l := range ContextLayer(NumLayers) {
		reason := reasonBudget
		if p.OverBudget != "" {
			reason = p.OverBudget
		}
		if dropped[l] > 0 || p.OverBudget != "" && len(p.Layers[l]) > 0 {
			said = true
			out = append(out, LayerTruncatedEvent{ContextPackID: p.ID, Layer: l.String(), EntriesDropped: dropped[l], Reason: reason})
		}
	}
	if p.OverBudget != "" && !said { // the framing alone is too much
		out = append(out, LayerTruncatedEvent{ContextPackID: p.ID, Layer: L0.String(), Reason: p.OverBudget})
	}
	return out
}

func checkRequest(r *BuildRequest) error {
	if err := CheckName("session", string(r.SessionID)); err != nil {
		return err
	}
	if err := CheckName("stage", string(r.StageID)); err != nil {
		return err
	}
	if r.Budget < 0 {
		return invalidf("a budget of %d tokens is less than none", r.Budget)
	}
	if !r.Framing.valid() {
		return invalidf("there is no framing %q", r.Framing)
	}
	for i := range r.Entries {
		if err := r.Entries[i].check(); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *ContextEntry) check() error {
	switch {
	case e.Layer >= NumLayers:
		return invalidf("there is no layer %d", e.Layer)
	case e.TokenEstimate < 0 || e.TokenEstimate > MaxTokens:
		return invalidf("tokenEstimate %d is no number of tokens; leave it out to have the content counted", e.TokenEstimate)
	}
	return nil
}

// nameEntries gives ids to the entries without one. Equal entries are numbered,
// so that appending to a request renames nothing.
func nameEntries(entries []ContextEntry) error {
	seen := make(map[ContextEntryID]int, len(entries))
	var unnamed []int
	for i := range entries {
		id := entries[i].ID
		if id == "" {
			unnamed = append(unnamed, i)
			continue
		}
		if first, twice := seen[id]; twice {
			return invalidf("entries %d and %d have the same id %q; give each its own, or leave ids out", first+1, i+1, id)
		}
		seen[id] = i
	}
	d := newDigester()
	for _, i := range unnamed {
		e := &entries[i]
		d.h.Reset()
		d.texts(e.Layer.String(), string(e.SourceType), e.SourceID, e.Content)
		base := "entry-" + d.hex(16)
		e.ID = ContextEntryID(base)
		for n := 2; ; n++ {
			if _, taken := seen[e.ID]; !taken {
				break
			}
			e.ID = ContextEntryID(fmt.Sprintf("%s-%d", base, n))
		}
		seen[e.ID] = i
	}
	return nil
}

// packID is a digest of everything that decides a pack.
func (b *DefaultContextPackBuilder) packID(r *BuildRequest, entries []ContextEntry) ContextPackID {
	d := newDigester()
	d.texts("pack", b.counter.Name(), b.rules, string(r.SessionID), string(r.StageID), string(r.Framing))
	d.numbers(builderVersion, r.Budget, len(entries))
	for i := range entries {
		e := &entries[i]
		d.numbers(int(e.Layer), e.TokenEstimate)
		d.texts(string(e.ID), string(e.SourceType), e.SourceID, e.Content)
	}
	return ContextPackID(packPrefix + d.hex(packDigits))
}

// digester digests texts and numbers so that no two lists of them give the same
// bytes. It gathers small writes, of which a request has many.
type digester struct {
	h   hash.Hash
	buf []byte
}

func newDigester() *digester { return &digester{sha256.New(), make([]byte, 0, 16<<10)} }

func (d *digester) texts(texts ...string) {
	for _, t := range texts {
		d.numbers(len(t))
		for len(t) > 0 {
			if len(d.buf) == cap(d.buf) {
				d.flush()
			}
			n := min(len(t), cap(d.buf)-len(d.buf))
			d.buf = append(d.buf, t[:n]...)
			t = t[n:]
		}
	}
}

func (d *digester) numbers(numbers ...int) {
	for _, n := range numbers {
		if cap(d.buf)-len(d.buf) < 8 {
			d.flush()
		}
		d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(n))
	}
}

func (d *digester) flush() {
	d.h.Write(d.buf)
	d.buf = d.buf[:0]
}

// hex gives the first digits of the digest.
func (d *digester) hex(digits int) string {
	d.flush()
	return hex.EncodeToString(d.h.Sum(nil))[:digits]
}

// DecisionPointBuilder cuts a pack down to what a decision needs.
type DecisionPointBuilder interface {
	Build(*ContextPack) *ContextPack
}

// DefaultDecisionPointBuilder keeps L0 and L1, pinned entries of other layers
// left out.
type DefaultDecisionPointBuilder struct{}

// Build gives an extract of a pack under the same id, for inference at this
// point. Its BudgetUsed is the sum of the estimates of what it holds; it is
// never more than that of the pack.
func (DefaultDecisionPointBuilder) Build(p *ContextPack) *ContextPack {
	d := *p
	d.Layers = Layers{L0: p.Layers[L0], L1: p.Layers[L1]}
	d.BudgetUsed = p.BudgetUsed
	for _, l := range []ContextLayer{L2, L3, L4} {
		for i := range p.Layers[l] {
			d.BudgetUsed -= p.Layers[l][i].TokenEstimate
		}
	}
	if d.BudgetUsed <= d.BudgetLimit {
		d.OverBudget = ""
	}
	return &d
}
