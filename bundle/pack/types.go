package pack

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// The identities. A pack's is made from all that decides its content; an entry's
// is given by the caller, or made from what the entry holds.
type (
	// ContextPackID is "pack-" and 32 hexadecimal digits.
	ContextPackID string
	// ContextEntryID is unique within a request.
	ContextEntryID string
	// SessionID names a session, StageID a part of it. Both are free text on one
	// line; see CheckName.
	SessionID string
	StageID   string
)

const (
	packPrefix = "pack-"
	packDigits = 32
	// maxName is the largest length of names and ids in bytes.
	maxName = 256
	// MaxTokens is the largest estimate of one entry. Sums of estimates then never
	// overflow.
	MaxTokens = 1 << 40
)

// ErrInvalid says that a request or an entry cannot be used as it is.
var ErrInvalid = errors.New("invalid")

func invalidf(format string, args ...any) error {
	return &invalidError{fmt.Sprintf(format, args...)}
}

type invalidError struct{ msg string }

func (e *invalidError) Error() string        { return e.msg }
func (e *invalidError) Is(target error) bool { return target == ErrInvalid }

// Valid tells whether s has the form of a pack's id, and so can be part of a
// file's name.
func (id ContextPackID) Valid() bool {
	digits, ok := strings.CutPrefix(string(id), packPrefix)
	return ok && len(digits) == packDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// CheckName checks the name of a session or a stage: one to 256 bytes of text
// on one line, without anything invisible.
func CheckName(what, s string) error {
	switch {
	case s == "":
		return invalidf("the %s has no name", what)
	case len(s) > maxName:
		return invalidf("the name of the %s has %d bytes; %d are allowed", what, len(s), maxName)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, plaintext.Invisible):
		return invalidf("the name of the %s holds characters that cannot be seen", what)
	}
	return nil
}

// ContextLayer is the place of an entry.
type ContextLayer uint8

// The layers.
const (
	L0 ContextLayer = iota // live execution: request, output at hand, pending approval
	L1                     // the current stage: its artifacts and receipts
	L2                     // the compressed session: summaries of completed stages
	L3                     // the project's memory: facts, decisions, maps
	L4                     // the archive: kept by reference, never for a model unless pinned

	NumLayers = 5
)

// String gives "L0" to "L4".
func (l ContextLayer) String() string { return "L" + string(rune('0'+l)) }

// MarshalText makes layers names in JSON.
func (l ContextLayer) MarshalText() ([]byte, error) {
	if l >= NumLayers {
		return nil, invalidf("there is no layer %d", l)
	}
	return []byte(l.String()), nil
}

// UnmarshalText accepts the names of the layers only.
func (l *ContextLayer) UnmarshalText(text []byte) error {
	if len(text) == 2 && text[0] == 'L' && text[1] >= '0' && text[1] < '0'+NumLayers {
		*l = ContextLayer(text[1] - '0')
		return nil
	}
	return invalidf("there is no layer %q; give L0, L1, L2, L3 or L4", text)
}

// SourceType says what an entry comes from, which decides its strategy. Any
// other text than the constants stands for a plain entry.
type SourceType string

// The source types with a strategy of their own.
const (
	ToolLog      SourceType = "toolLog"
	Conversation SourceType = "conversation"
	Artifact     SourceType = "artifact"
	SteeringNote SourceType = "steeringNote"
	EventHistory SourceType = "eventHistory"
)

// ContextEntry is one piece of context: an event, an excerpt, a summary, a note.
type ContextEntry struct {
	// ID may be empty in a request; Build then makes it from the rest.
	ID         ContextEntryID `json:"id"`
	Layer      ContextLayer   `json:"layer"`
	Content    string         `json:"content"`
	SourceType SourceType     `json:"sourceType"`
	// SourceID tells apart the sources of a type: a path, a tool, a stage.
	SourceID string `json:"sourceId"`
	// TokenEstimate is what the content costs, in tokens; 0 in a request: to be
	// counted.
	TokenEstimate int `json:"tokenEstimate"`
}

// Policy is a snippet of policy as an entry: a pinned one of the current stage,
// so that it reaches every decision point.
func Policy(name, text string) ContextEntry {
	return ContextEntry{Layer: L1, Content: text, SourceType: SteeringNote, SourceID: "policy:" + name}
}

// Layers are the entries of a pack by layer, in the order of the request.
type Layers [NumLayers][]ContextEntry

// stableFirst is the order in which layers are written: what changes least from
// pack to pack comes first, so that two packs that begin alike are written alike
// from the first byte on, which is what caches of prompts go by.
var stableFirst = [NumLayers]ContextLayer{L4, L3, L2, L1, L0}

// Removal records one entry that is not in the pack.
type Removal struct {
	ID         ContextEntryID `json:"id"`
	Layer      ContextLayer   `json:"layer"`
	SourceType SourceType     `json:"sourceType"`
	SourceID   string         `json:"sourceId"`
	Tokens     int            `json:"tokens"`
	Strategy   string         `json:"strategy"`
	Reason     string         `json:"reason"`
}

// Archived names an entry of L4 that the pack refers to and does not hold.
type Archived struct {
	ID         ContextEntryID `json:"id"`
	SourceType SourceType     `json:"sourceType"`
	SourceID   string         `json:"sourceId"`
	Tokens     int            `json:"tokens"`
}

// CompressionMetadata is the audit trail of a pack.
type CompressionMetadata struct {
	// AppliedStrategies are those that removed something, sorted.
	AppliedStrategies []string `json:"appliedStrategies"`
	// TruncatedLayers are those that lost entries to the budget.
	TruncatedLayers []ContextLayer `json:"truncatedLayers"`
	// EntriesDropped is the number of Removed.
	EntriesDropped int `json:"entriesDropped"`
	// Removed are the removals, in the order in which they happened.
	Removed  []Removal  `json:"removed"`
	Archived []Archived `json:"archived"`
}

// ContextPack is the assembled context. It is not changed after it was built.
type ContextPack struct {
	ID        ContextPackID
	SessionID SessionID
	StageID   StageID
	Layers    Layers
	// BudgetUsed and BudgetLimit are in tokens of Tokenizer. BudgetUsed is the sum
	// of the entries' estimates and of what the framing costs.
	BudgetUsed  int
	BudgetLimit int
	Tokenizer   string
	Framing     Framing
	// OverBudget says why BudgetUsed exceeds BudgetLimit; empty: it does not. Only
	// entries that are never dropped can make it so.
	OverBudget          string
	CompressionMetadata CompressionMetadata
}

// Entries is the number of entries in the pack.
func (p *ContextPack) Entries() int {
	n := 0
	for _, l := range p.Layers {
		n += len(l)
	}
	return n
}
