package pack

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// words counts words, which makes expectations easy to read.
type words struct{}

func (words) Name() string       { return "words" }
func (words) Count(s string) int { return len(strings.Fields(s)) }

// of makes an entry of n tokens.
func of(id string, l ContextLayer, t SourceType, source string, n int) ContextEntry {
	return ContextEntry{ContextEntryID(id), l, "content of " + id, t, source, n}
}

func request(budget int, entries ...ContextEntry) BuildRequest {
	return BuildRequest{SessionID: "s", StageID: "t", Budget: budget, Entries: entries}
}

func build(t testing.TB, r BuildRequest) (*ContextPack, []Event) {
	t.Helper()
	p, events, err := NewBuilder(words{}, 0).Build(r)
	if err != nil {
		t.Fatal(err)
	}
	return p, events
}

// ids lists the entries of a pack by layer, "L0: a b; L2: c".
func ids(p *ContextPack) string {
	var parts []string
	for l, entries := range p.Layers {
		if len(entries) == 0 {
			continue
		}
		s := ContextLayer(l).String() + ":"
		for _, e := range entries {
			s += " " + string(e.ID)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

func removals(p *ContextPack) string {
	var parts []string
	for _, r := range p.CompressionMetadata.Removed {
		parts = append(parts, fmt.Sprintf("%s %s (%s)", r.ID, r.Strategy, r.Reason))
	}
	return strings.Join(parts, "; ")
}

func same(content string, e ContextEntry) ContextEntry {
	e.Content = content
	return e
}

func TestBuild(t *testing.T) {
	for _, x := range []struct {
		name    string
		budget  int
		entries []ContextEntry
		want    string
		removed string
	}{
		{"nothing", 10, nil, "", ""},
		{"layers are groups in the order of the request", 100, []ContextEntry{
			of("a", L2, Conversation, "", 1), of("b", L0, ToolLog, "", 1), of("c", L2, ToolLog, "", 1), of("d", L1, "custom", "", 1), of("e", L3, Artifact, "x", 1),
		}, "L0: b; L1: d; L2: a c; L3: e", ""},
		{"all that fits is kept", 3, []ContextEntry{of("a", L1, Conversation, "", 1), of("b", L2, Conversation, "", 2)}, "L1: a; L2: b", ""},
		{"L3 leaves first, then L2 oldest first", 4, []ContextEntry{
			of("a", L1, Conversation, "", 1), of("b", L2, Conversation, "", 1), of("c", L2, ToolLog, "", 1), of("d", L0, ToolLog, "", 2), of("e", L3, "", "", 1),
		}, "L0: d; L1: a; L2: c", "e plain (over budget); b conversation (over budget)"},
		{"L1 leaves after L2", 3, []ContextEntry{
			of("a", L1, Conversation, "", 1), of("b", L1, Conversation, "", 1), of("c", L2, ToolLog, "", 1), of("d", L0, ToolLog, "", 2),
		}, "L0: d; L1: b", "c toolLog (over budget); a conversation (over budget)"},
		{"L0 never leaves", 1, []ContextEntry{of("a", L0, ToolLog, "", 5), of("b", L0, Conversation, "", 5), of("c", L1, Artifact, "", 1)},
			"L0: a b", "c artifact (over budget)"},
		{"pinned entries never leave, in whatever layer", 3, []ContextEntry{
			of("a", L1, SteeringNote, "", 1), of("b", L2, EventHistory, "", 1), of("c", L3, SteeringNote, "", 1), of("d", L4, EventHistory, "", 1), of("e", L1, ToolLog, "", 1),
		}, "L1: a; L2: b; L3: c; L4: d", "e toolLog (over budget)"},
		{"L4 is archived", 9, []ContextEntry{of("a", L4, Conversation, "", 1), of("b", L4, SteeringNote, "", 1)}, "L4: b", ""},
		{"equal tool logs are there once, the newest", 9, []ContextEntry{
			same("x", of("a", L2, ToolLog, "", 1)), same("x", of("b", L2, ToolLog, "", 1)), same("x", of("c", L2, Conversation, "", 1)),
		}, "L2: b c", "a toolLog (the same as b)"},
		{"of equal tool logs the one that leaves last stays", 9, []ContextEntry{
			same("x", of("a", L1, ToolLog, "", 1)), same("x", of("b", L2, ToolLog, "", 1)), same("x", of("c", L3, ToolLog, "", 1)),
		}, "L1: a", "b toolLog (the same as a); c toolLog (the same as a)"},
		{"equal tool logs of L0 all stay", 9, []ContextEntry{
			same("x", of("a", L0, ToolLog, "", 1)), same("x", of("b", L1, ToolLog, "", 1)), same("x", of("c", L0, ToolLog, "", 1)),
		}, "L0: a c", "b toolLog (the same as c)"},
		{"the newest artifact of a source stays", 9, []ContextEntry{
			of("a", L1, Artifact, "f", 1), of("b", L2, Artifact, "f", 1), of("c", L1, Artifact, "g", 1), of("d", L1, Artifact, "", 1), of("e", L1, Artifact, "", 1),
		}, "L1: c d e; L2: b", "a artifact (replaced by b)"},
		{"an artifact of L0 stays beside a newer one", 9, []ContextEntry{of("a", L0, Artifact, "f", 1), of("b", L1, Artifact, "f", 1)}, "L0: a; L1: b", ""},
		{"the archive replaces nothing", 9, []ContextEntry{of("a", L1, Artifact, "f", 1), of("b", L4, Artifact, "f", 1)}, "L1: a", ""},
		{"what is redundant goes first and makes room", 2, []ContextEntry{
			of("a", L2, Conversation, "", 1), same("x", of("b", L1, ToolLog, "", 1)), same("x", of("c", L1, ToolLog, "", 1)),
		}, "L1: c; L2: a", "b toolLog (the same as c)"},
		{"an unknown type is a plain entry", 1, []ContextEntry{same("x", of("a", L1, "receipt", "", 1)), same("x", of("b", L1, "receipt", "", 1))},
			"L1: b", "a plain (over budget)"},
		{"types are told apart by case", 0, []ContextEntry{of("a", L1, "SteeringNote", "", 1)}, "", "a plain (over budget)"},
		{"nothing is passed over for something small", 5, []ContextEntry{of("a", L1, Conversation, "", 1), of("b", L1, Conversation, "", 9)},
			"", "a conversation (over budget); b conversation (over budget)"},
		{"what costs nothing leaves when its turn comes", 1, []ContextEntry{of("a", L1, "", "", 0), of("b", L1, "", "", 2)}, "", "a plain (over budget); b plain (over budget)"},
	} {
		t.Run(x.name, func(t *testing.T) {
			for i := range x.entries {
				if x.entries[i].TokenEstimate == 0 {
					x.entries[i].Content = ""
				}
			}
			p, _ := build(t, request(x.budget, x.entries...))
			if got := ids(p); got != x.want {
				t.Errorf("kept %q, want %q", got, x.want)
			}
			if got := removals(p); got != x.removed {
				t.Errorf("removed %q, want %q", got, x.removed)
			}
			checkPack(t, request(x.budget, x.entries...), p)
		})
	}
}

// protected tells whether an entry may never be missing.
func protected(e ContextEntry) bool {
	return e.Layer == L0 || e.SourceType == SteeringNote || e.SourceType == EventHistory
}

// checkPack asserts what holds for every pack.
func checkPack(t testing.TB, r BuildRequest, p *ContextPack) {
	t.Helper()
	m := &p.CompressionMetadata
	where := map[ContextEntryID]string{}
	note := func(id ContextEntryID, place string) {
		if where[id] != "" {
			t.Fatalf("%s is %s and %s", id, where[id], place)
		}
		where[id] = place
	}
	used, protectedCost := 0, 0
	for l, entries := range p.Layers {
		for _, e := range entries {
			note(e.ID, "kept")
			if e.Layer != ContextLayer(l) {
				t.Fatalf("%s of %v stands in L%d", e.ID, e.Layer, l)
			}
			used += e.TokenEstimate
			if protected(e) {
				protectedCost += e.TokenEstimate
			}
		}
	}
	for _, x := range m.Removed {
		note(x.ID, "removed")
		if x.Strategy == "" || x.Reason == "" {
			t.Fatalf("%s was removed without a reason", x.ID)
		}
	}
	for _, x := range m.Archived {
		note(x.ID, "archived")
	}
	if len(where) != len(r.Entries) || m.EntriesDropped != len(m.Removed) {
		t.Fatalf("%d entries of %d, %d dropped of %d", len(where), len(r.Entries), m.EntriesDropped, len(m.Removed))
	}
	for _, e := range r.Entries {
		if protected(e) && where[e.ID] != "kept" {
			t.Fatalf("%s is protected and %s", e.ID, where[e.ID])
		}
	}
	if r.Framing == Bare && p.BudgetUsed != used {
		t.Fatalf("%d tokens used, the entries have %d", p.BudgetUsed, used)
	}
	if p.BudgetUsed > p.BudgetLimit && (p.OverBudget == "" || r.Framing == Bare && used != protectedCost) {
		t.Fatalf("%d tokens of %d, %d of them protected, over %q", p.BudgetUsed, p.BudgetLimit, protectedCost, p.OverBudget)
	}
	if p.BudgetUsed <= p.BudgetLimit && p.OverBudget != "" {
		t.Fatalf("%d tokens of %d are %q", p.BudgetUsed, p.BudgetLimit, p.OverBudget)
	}
	if !p.ID.Valid() {
		t.Fatalf("id %q", p.ID)
	}
}

// randomRequest makes requests of every kind of entry.
func randomRequest(r *rand.Rand) BuildRequest {
	types := []SourceType{ToolLog, Conversation, Artifact, SteeringNote, EventHistory, "receipt", ""}
	q := BuildRequest{SessionID: "s", StageID: "t", Framing: []Framing{Bare, Markdown}[r.IntN(2)]}
	for i := range r.IntN(60) {
		e := ContextEntry{
			ID: ContextEntryID(fmt.Sprint("e", i)), Layer: ContextLayer(r.IntN(NumLayers)), SourceType: types[r.IntN(len(types))],
			SourceID: fmt.Sprint("s", r.IntN(5)), Content: strings.Repeat("w ", r.IntN(8)) + []string{"```\n", "## L0", "\n", "x\u202e", ""}[r.IntN(5)],
		}
		if r.IntN(2) == 0 {
			e.TokenEstimate = r.IntN(40)
		}
		if e.SourceType == SteeringNote && r.IntN(3) > 0 {
			e.SourceType = ToolLog
		}
		q.Entries = append(q.Entries, e)
	}
	return q
}

// TestProperties: same request same bytes, no protected entry missing, no pack
// over its budget unless the protected entries alone are, what a smaller budget
// keeps a subset of what a larger one keeps, and a larger prefix of the request
// keeps the beginning of what is written.
func TestProperties(t *testing.T) {
	n := 80
	if testing.Short() {
		n = 25
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		q := randomRequest(r)
		b := NewBuilder(words{}, 1+r.IntN(20))
		keptBefore := map[ContextEntryID]bool{}
		for budget := 0; budget < 1200; budget += 1 + r.IntN(60) {
			q.Budget = budget
			p, events, err := b.Build(q)
			if err != nil {
				t.Fatal(err)
			}
			checkPack(t, q, p)
			again, eventsAgain, _ := b.Build(q)
			one, _ := p.JSON()
			two, _ := again.JSON()
			if string(one) != string(two) || !slices.Equal(events, eventsAgain) {
				t.Fatalf("seed %d: two runs differ", seed)
			}
			kept := map[ContextEntryID]bool{}
			for _, entries := range p.Layers {
				for _, e := range entries {
					kept[e.ID] = true
				}
			}
			for id := range keptBefore {
				if !kept[id] {
					t.Fatalf("seed %d: a budget of %d no longer keeps %s", seed, budget, id)
				}
			}
			keptBefore = kept
			if q.Framing == Markdown {
				if got := (words{}).Count(string(p.Markdown())); got > p.BudgetUsed {
					t.Fatalf("seed %d: the Markdown has %d tokens, %d were counted\n%s", seed, got, p.BudgetUsed, p.Markdown())
				}
			}
			d := DefaultDecisionPointBuilder{}.Build(p)
			if len(d.Layers[L2])+len(d.Layers[L3])+len(d.Layers[L4]) > 0 || !slices.Equal(d.Layers[L0], p.Layers[L0]) || !slices.Equal(d.Layers[L1], p.Layers[L1]) || d.BudgetUsed > p.BudgetUsed || d.BudgetUsed < 0 {
				t.Fatalf("seed %d: decision point %s of %s", seed, ids(d), ids(p))
			}
			var back ContextPack
			if err := json.Unmarshal(one, &back); err != nil {
				t.Fatal(err)
			}
			if three, _ := back.JSON(); string(three) != string(one) {
				t.Fatalf("seed %d: a pack that was read again differs\n%s\n%s", seed, one, three)
			}
		}
	}
}

// TestPrefixStability: entries that are added behind others change nothing
// before the place where they stand.
func TestPrefixStability(t *testing.T) {
	for seed := range 100 {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		q := randomRequest(r)
		q.Budget = 1 << 20
		// Added entries of the live layer, which is written last.
		more := q
		more.Entries = append(slices.Clone(q.Entries), of("new", L0, Conversation, "", 3))
		a, _ := build(t, q)
		b, _ := build(t, more)
		for _, x := range []struct{ name, a, b string }{
			{"Markdown", string(a.Markdown()), string(b.Markdown())},
			{"JSON", mustJSON(t, a), mustJSON(t, b)},
		} {
			// Up to the end of the last entry they are the same.
			last := strings.LastIndex(x.a, "content")
			for _, l := range stableFirst {
				if n := len(a.Layers[l]); n > 0 && x.name == "JSON" {
					last = strings.LastIndex(x.a, fmt.Sprintf(`"id": %q`, a.Layers[l][n-1].ID))
				} else if n > 0 {
					before, _ := frameOf(&a.Layers[l][n-1])
					last = strings.LastIndex(x.a, before+a.Layers[l][n-1].Content)
				}
			}
			if a.Entries() == 0 {
				continue
			}
			if last < 0 || !strings.HasPrefix(x.b, x.a[:last]) {
				t.Fatalf("seed %d: %s differs before the end of what both hold\n%s\n%s", seed, x.name, x.a, x.b)
			}
		}
	}
}

func mustJSON(t testing.TB, p *ContextPack) string {
	t.Helper()
	data, err := p.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestOverBudgetIsSaid(t *testing.T) {
	p, events := build(t, request(5, of("a", L0, ToolLog, "", 4), of("b", L2, SteeringNote, "", 4), of("c", L1, ToolLog, "", 1), of("d", L3, ToolLog, "", 1)))
	if p.BudgetUsed != 8 || p.OverBudget != "what is never dropped needs 8 tokens of the 5 allowed" {
		t.Errorf("%d, %q", p.BudgetUsed, p.OverBudget)
	}
	want := []Event{
		ContextBuildingStartedEvent{"s", "t"},
		CompressionAppliedEvent{p.ID, "L1", 1, "toolLog"},
		CompressionAppliedEvent{p.ID, "L3", 1, "toolLog"},
		LayerTruncatedEvent{p.ID, "L0", 0, p.OverBudget},
		LayerTruncatedEvent{p.ID, "L1", 1, p.OverBudget},
		LayerTruncatedEvent{p.ID, "L2", 0, p.OverBudget},
		LayerTruncatedEvent{p.ID, "L3", 1, p.OverBudget},
		ContextPackBuiltEvent{p.ID, "s", "t", 8, 5},
	}
	if !slices.Equal(events, want) {
		t.Errorf("events %v", events)
	}
	if !strings.Contains(mustJSON(t, p), `"overBudgetReason": "what is never dropped`) {
		t.Error("the JSON does not say why")
	}
}

func TestEventsCountRemovals(t *testing.T) {
	p, events := build(t, request(2,
		same("x", of("a", L2, ToolLog, "", 1)), same("x", of("b", L1, ToolLog, "", 1)),
		of("c", L2, Conversation, "", 1), of("d", L2, Conversation, "", 1), of("e", L1, Artifact, "f", 1)))
	want := []Event{
		ContextBuildingStartedEvent{"s", "t"},
		CompressionAppliedEvent{p.ID, "L2", 2, "conversation"},
		CompressionAppliedEvent{p.ID, "L2", 1, "toolLog"},
		LayerTruncatedEvent{p.ID, "L2", 2, "over budget"},
		ContextPackBuiltEvent{p.ID, "s", "t", 2, 2},
	}
	if !slices.Equal(events, want) {
		t.Errorf("events %v", events)
	}
	m := p.CompressionMetadata
	if !slices.Equal(m.AppliedStrategies, []string{"conversation", "toolLog"}) || !slices.Equal(m.TruncatedLayers, []ContextLayer{L2}) || m.EntriesDropped != 3 {
		t.Errorf("%+v", m)
	}
}

func TestConversationKeepsTheLastTurnsLonger(t *testing.T) {
	var entries []ContextEntry
	for i := range 6 {
		entries = append(entries, of(fmt.Sprint("c", i), L1, Conversation, "", 1))
	}
	entries = append([]ContextEntry{of("old", L1, Artifact, "x", 1), of("two", L2, ToolLog, "", 1)}, entries...)
	build := func(budget int) *ContextPack {
		p, _, err := NewBuilder(words{}, 3).Build(request(budget, entries...))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if got := ids(build(8)); got != "L1: old c0 c1 c2 c3 c4 c5; L2: two" {
		t.Errorf("dropped something that fits: %s", got)
	}
	p := build(5)
	if got := ids(p); got != "L1: old c2 c3 c4 c5" {
		t.Errorf("%s", got)
	}
	if got := removals(p); got != "two toolLog (over budget); c0 conversation (over budget, older than the last 3 turns); c1 conversation (over budget, older than the last 3 turns)" {
		t.Errorf("%s", got)
	}
	if got := ids(build(3)); got != "L1: c3 c4 c5" {
		t.Errorf("%s", got)
	}
}

func TestEmptyPack(t *testing.T) {
	p, events := build(t, request(0))
	if got := len(events); got != 2 || p.BudgetUsed != 0 || p.OverBudget != "" || p.Entries() != 0 {
		t.Errorf("%d events, %+v", got, p)
	}
	const want = `{
  "layers": {},
  "sessionId": "s",
  "stageId": "t",
  "id": "ID",
  "tokenizer": "words",
  "budgetUsed": 0,
  "budgetLimit": 0,
  "overBudget": false,
  "compressionMetadata": {
    "appliedStrategies": [],
    "truncatedLayers": [],
    "entriesDropped": 0,
    "removed": [],
    "archived": []
  }
}
`
	if got := strings.Replace(mustJSON(t, p), string(p.ID), "ID", 1); got != want {
		t.Error(got)
	}
}
