package pack

import (
	"fmt"
	"slices"
)

// CompressionStrategy is how entries of a source type are compressed. It never
// changes an entry, only says which of them can be done without.
type CompressionStrategy interface {
	// Name is what records call the strategy.
	Name() string
	// Pinned tells whether entries of the type are set aside before compression
	// and always kept.
	Pinned() bool
	// Compress judges the entries of the type, oldest first. It is not asked
	// about pinned types and must not depend on anything but its argument.
	Compress([]Candidate) Verdict
}

// Candidate is an entry that a strategy judges.
type Candidate struct {
	Entry *ContextEntry // not to be changed
	// Protected entries (those of L0) stay whatever a strategy says; they can be
	// what makes another one redundant.
	Protected bool
}

// Verdict is what a strategy says. Numbers are indices into its argument.
type Verdict struct {
	// Redundant entries go whatever the budget.
	Redundant []Redundant
	// Early are entries that leave before the others of their layer when the
	// budget is short, for the reason EarlyReason.
	Early       []int
	EarlyReason string
}

// Redundant is an entry that can be done without, and why.
type Redundant struct {
	Index  int
	Reason string
}

// Strategies chooses strategies by source type. It is immutable.
type Strategies struct {
	of    map[SourceType]CompressionStrategy
	plain CompressionStrategy
}

// DefaultKeepTurns is how many turns of a conversation stay longest. A session
// that long has its older stages summarised in L2.
const DefaultKeepTurns = 200

// DefaultStrategies are the strategies of the five source types. keepTurns is
// the number of turns that the strategy of conversations keeps longest, 0 for
// DefaultKeepTurns.
func DefaultStrategies(keepTurns int) Strategies {
	if keepTurns <= 0 {
		keepTurns = DefaultKeepTurns
	}
	return Strategies{plain: plainStrategy{}, of: map[SourceType]CompressionStrategy{
		ToolLog:      ToolLogStrategy{},
		Conversation: ConversationStrategy{KeepTurns: keepTurns},
		Artifact:     ArtifactStrategy{},
		SteeringNote: pinnedStrategy(SteeringNote),
		EventHistory: pinnedStrategy(EventHistory),
	}}
}

// With gives the strategies with one more, or another one, for a source type.
func (s Strategies) With(t SourceType, strategy CompressionStrategy) Strategies {
	out := Strategies{plain: s.plain, of: make(map[SourceType]CompressionStrategy, len(s.of)+1)}
	for k, v := range s.of {
		out.of[k] = v
	}
	out.of[t] = strategy
	return out
}

// Of is the strategy of a source type; types without one are plain.
func (s Strategies) Of(t SourceType) CompressionStrategy {
	if x, ok := s.of[t]; ok {
		return x
	}
	return s.plain
}

// Types are the source types with a strategy of their own, sorted.
func (s Strategies) Types() []SourceType {
	out := make([]SourceType, 0, len(s.of))
	for t := range s.of {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// plainStrategy is that of unknown source types: they are kept as they are for
// as long as the budget allows.
type plainStrategy struct{}

func (plainStrategy) Name() string                 { return "plain" }
func (plainStrategy) Pinned() bool                 { return false }
func (plainStrategy) Compress([]Candidate) Verdict { return Verdict{} }

// pinnedStrategy keeps everything verbatim: steering notes, and the event
// history, which is compressed already.
type pinnedStrategy SourceType

func (s pinnedStrategy) Name() string               { return string(s) }
func (pinnedStrategy) Pinned() bool                 { return true }
func (pinnedStrategy) Compress([]Candidate) Verdict { return Verdict{} }

// ToolLogStrategy removes outputs of tools that are there again.
type ToolLogStrategy struct{}

// Name implements CompressionStrategy.
func (ToolLogStrategy) Name() string { return string(ToolLog) }

// Pinned implements CompressionStrategy.
func (ToolLogStrategy) Pinned() bool { return false }

// Compress keeps, of entries with the same content, the protected ones and
// otherwise the one that leaves last: what is said twice must not be lost
// because the copy that stayed was in a layer that leaves sooner.
func (ToolLogStrategy) Compress(in []Candidate) Verdict {
	best := make(map[string]int, len(in))
	for i := range in {
		k, seen := best[in[i].Entry.Content]
		if !seen || outlives(&in[i], &in[k]) {
			best[in[i].Entry.Content] = i
		}
	}
	var v Verdict
	for i := range in {
		if k := best[in[i].Entry.Content]; k != i && !in[i].Protected {
			v.Redundant = append(v.Redundant, Redundant{i, "the same as " + string(in[k].Entry.ID)})
		}
	}
	return v
}

// outlives tells whether a, the newer one, leaves after b.
func outlives(a, b *Candidate) bool {
	if a.Protected != b.Protected {
		return a.Protected
	}
	return a.Entry.Layer <= b.Entry.Layer
}

// ConversationStrategy keeps the last KeepTurns turns, word by word, longer
// than the older ones.
type ConversationStrategy struct{ KeepTurns int }

// Name implements CompressionStrategy.
func (ConversationStrategy) Name() string { return string(Conversation) }

// Pinned implements CompressionStrategy.
func (ConversationStrategy) Pinned() bool { return false }

// Compress lets turns older than the last ones leave first in their layer.
// While the budget holds everything, nothing is lost.
func (s ConversationStrategy) Compress(in []Candidate) Verdict {
	v := Verdict{EarlyReason: fmt.Sprintf("older than the last %d turns", s.KeepTurns)}
	for i := range max(len(in)-s.KeepTurns, 0) {
		v.Early = append(v.Early, i)
	}
	return v
}

// ArtifactStrategy keeps the newest version of each artifact.
type ArtifactStrategy struct{}

// Name implements CompressionStrategy.
func (ArtifactStrategy) Name() string { return string(Artifact) }

// Pinned implements CompressionStrategy.
func (ArtifactStrategy) Pinned() bool { return false }

// Compress removes all but the newest entry of each SourceID. Entries without
// one cannot be told to be versions of each other and stay.
func (ArtifactStrategy) Compress(in []Candidate) Verdict {
	newest := make(map[string]int, len(in))
	for i := range in {
		newest[in[i].Entry.SourceID] = i
	}
	var v Verdict
	for i := range in {
		id := in[i].Entry.SourceID
		if k := newest[id]; id != "" && k != i && !in[i].Protected {
			v.Redundant = append(v.Redundant, Redundant{i, "replaced by " + string(in[k].Entry.ID)})
		}
	}
	return v
}
