package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestUnknownTokensAreCounted(t *testing.T) {
	p, _ := build(t, request(100,
		ContextEntry{ID: "a", Layer: L1, Content: "one two three"},
		ContextEntry{ID: "b", Layer: L1, Content: "one two three", TokenEstimate: 9},
		ContextEntry{ID: "c", Layer: L1}, ContextEntry{ID: "d", Layer: L1, Content: " "}))
	got := []int{}
	for _, e := range p.Layers[L1] {
		got = append(got, e.TokenEstimate)
	}
	if !slices.Equal(got, []int{3, 9, 0, 1}) || p.BudgetUsed != 13 || p.Tokenizer != "words" {
		t.Errorf("%v, %d, %s", got, p.BudgetUsed, p.Tokenizer)
	}
}

func TestIdentities(t *testing.T) {
	base := request(10, of("a", L1, ToolLog, "x", 1), of("b", L2, ToolLog, "x", 1))
	p, _ := build(t, base)
	seen := map[ContextPackID]string{p.ID: "base"}
	for name, change := range map[string]func(*BuildRequest){
		"session": func(r *BuildRequest) { r.SessionID = "s2" },
		"stage":   func(r *BuildRequest) { r.StageID = "t2" },
		"moved":   func(r *BuildRequest) { r.SessionID, r.StageID = "st", ""+"x" },
		"budget":  func(r *BuildRequest) { r.Budget = 11 },
		"framing": func(r *BuildRequest) { r.Framing = Markdown },
		"content": func(r *BuildRequest) { r.Entries[0].Content = "y" },
		"layer":   func(r *BuildRequest) { r.Entries[0].Layer = L2 },
		"tokens":  func(r *BuildRequest) { r.Entries[0].TokenEstimate = 2 },
		"order":   func(r *BuildRequest) { r.Entries[0], r.Entries[1] = r.Entries[1], r.Entries[0] },
		"source":  func(r *BuildRequest) { r.Entries[0].SourceID = "y" },
	} {
		r := base
		r.Entries = slices.Clone(base.Entries)
		change(&r)
		q, _ := build(t, r)
		if other, twice := seen[q.ID]; twice {
			t.Errorf("%s and %s have the same id", name, other)
		}
		seen[q.ID] = name
	}
	if other, _, _ := NewBuilder(words{}, 7).Build(base); seen[other.ID] != "" {
		t.Error("another number of turns has the same id")
	}

	// Entries without an id.
	x := ContextEntry{Layer: L1, Content: "x"}
	p, _ = build(t, request(10, x, x, ContextEntry{Layer: L1, Content: "y"}))
	q, _ := build(t, request(10, x, x, ContextEntry{Layer: L1, Content: "y"}, x))
	var a, b []ContextEntryID
	for _, e := range p.Layers[L1] {
		a = append(a, e.ID)
	}
	for _, e := range q.Layers[L1] {
		b = append(b, e.ID)
	}
	if !slices.Equal(a, b[:3]) || a[0] == a[1] || a[1] == a[2] || b[3] == b[0] {
		t.Errorf("%v, %v", a, b)
	}
}

func TestInvalidRequests(t *testing.T) {
	for _, x := range []struct {
		request BuildRequest
		want    string
	}{
		{BuildRequest{StageID: "t"}, "the session has no name"},
		{BuildRequest{SessionID: "s"}, "the stage has no name"},
		{BuildRequest{SessionID: "s\nx", StageID: "t"}, "the name of the session holds characters that cannot be seen"},
		{BuildRequest{SessionID: SessionID(strings.Repeat("s", 300)), StageID: "t"}, "the name of the session has 300 bytes; 256 are allowed"},
		{BuildRequest{SessionID: "s", StageID: "t", Budget: -1}, "a budget of -1 tokens is less than none"},
		{BuildRequest{SessionID: "s", StageID: "t", Framing: "html"}, `there is no framing "html"`},
		{request(1, ContextEntry{Layer: 9}), "entry 1: there is no layer 9"},
		{request(1, of("a", L1, "", "", -4)), "entry 1: tokenEstimate -4 is no number of tokens; leave it out to have the content counted"},
		{request(1, of("a", L1, "", "", 1), of("a", L2, "", "", 1)), `entries 1 and 2 have the same id "a"; give each its own, or leave ids out`},
	} {
		p, events, err := NewBuilder(words{}, 0).Build(x.request)
		if p != nil || err == nil || err.Error() != x.want || !errors.Is(err, ErrInvalid) {
			t.Errorf("%v, want %s", err, x.want)
			continue
		}
		if want := []Event{
			ContextBuildingStartedEvent{x.request.SessionID, x.request.StageID},
			ContextBuildingFailedEvent{x.request.SessionID, x.request.StageID, x.want},
		}; !slices.Equal(events, want) {
			t.Errorf("events %v", events)
		}
	}
}

func TestRequestsAreNotChanged(t *testing.T) {
	r := request(1, ContextEntry{Layer: L1, Content: "a b"}, ContextEntry{Layer: L0, Content: "c"})
	before := slices.Clone(r.Entries)
	build(t, r)
	if !slices.Equal(before, r.Entries) {
		t.Errorf("%v", r.Entries)
	}
}

func TestPolicyReachesDecisionPoints(t *testing.T) {
	p, _ := build(t, request(1, Policy("review", "never push to main"), of("a", L2, SteeringNote, "", 1), of("b", L1, ToolLog, "", 5)))
	d := DefaultDecisionPointBuilder{}.Build(p)
	if len(d.Layers[L1]) != 1 || d.Layers[L1][0].SourceID != "policy:review" || d.Entries() != 1 || d.BudgetUsed != 4 {
		t.Errorf("%s, %d", ids(d), d.BudgetUsed)
	}
	if p.Entries() != 2 {
		t.Error("the extract changed the pack")
	}
}

func TestOtherStrategies(t *testing.T) {
	s := DefaultStrategies(0).With("receipt", ToolLogStrategy{}) // one line
	b := NewBuilderWith(words{}, s, DefaultContextCompressor{s}, "with receipts")
	p, _, err := b.Build(request(9, same("x", of("a", L1, "receipt", "", 1)), same("x", of("b", L1, "receipt", "", 1))))
	if err != nil || ids(p) != "L1: b" {
		t.Errorf("%v, %v", ids(p), err)
	}
	if DefaultStrategies(0).Of("receipt").Name() != "plain" {
		t.Error("the default was changed")
	}
	if got := fmt.Sprint(s.Types()); got != "[artifact conversation eventHistory receipt steeringNote toolLog]" {
		t.Error(got)
	}
}

// reckless is a compressor that breaks every rule; the builder keeps them.
type reckless struct{}

func (reckless) Compress(entries []*ContextEntry, _ func(int) int, _ TokenBudget) Compression {
	c := Compression{Kept: make([]bool, len(entries))}
	for i := range entries {
		c.Removed = append(c.Removed, Removed{Index: i, Strategy: "reckless", Reason: "none"})
	}
	return c
}

func TestNoCompressorReachesProtectedEntries(t *testing.T) {
	r := request(9, of("a", L0, ToolLog, "", 1), of("b", L2, SteeringNote, "", 1), of("c", L1, ToolLog, "", 1), of("d", L1, EventHistory, "", 1))
	p, _, err := NewBuilderWith(words{}, DefaultStrategies(0), reckless{}, "reckless").Build(r)
	if err != nil {
		t.Fatal(err)
	}
	checkPack(t, r, p)
	if got := ids(p); got != "L0: a; L1: d; L2: b" {
		t.Error(got)
	}
}

func TestTokenBudget(t *testing.T) {
	b := NewTokenBudget(10)
	c := b.Consume(4)
	if b.Used() != 0 || b.Remaining() != 10 || c.Used() != 4 || c.Remaining() != 6 || c.Limit() != 10 {
		t.Errorf("%+v %+v", b, c)
	}
	if !c.CanFit(6) || c.CanFit(7) || !c.CanFit(0) {
		t.Error("CanFit")
	}
	full := c.Consume(6)
	if full.Remaining() != 0 || full.Exceeded() || full.CanFit(1) || !full.CanFit(0) {
		t.Errorf("%+v", full)
	}
	over := full.Consume(5)
	if over.Remaining() != 0 || !over.Exceeded() || over.CanFit(0) || over.Used() != 15 {
		t.Errorf("%+v", over)
	}
	if c.Consume(-3) != c || NewTokenBudget(-1).Limit() != 0 {
		t.Error("negative numbers")
	}
	huge := NewTokenBudget(5).Consume(int(^uint(0) >> 1)).Consume(int(^uint(0) >> 1))
	if !huge.Exceeded() || huge.Used() < 0 {
		t.Errorf("%+v", huge)
	}
	if (TokenBudget{}).CanFit(1) {
		t.Error("the zero value allows something")
	}
	if _, err := json.Marshal(b); !errors.Is(err, ErrNotSerialised) {
		t.Errorf("%v", err)
	}
	if err := json.Unmarshal([]byte(`{}`), &b); !errors.Is(err, ErrNotSerialised) {
		t.Errorf("%v", err)
	}
}
