package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/project-map/project-map/bundle/internal/safejson"
)

// packJSON has the fields of a pack in the order in which they are written:
// what changes with every pack stands last, so that the JSON of packs that begin
// alike begins alike.
type packJSON struct {
	Layers              Layers              `json:"layers"`
	SessionID           SessionID           `json:"sessionId"`
	StageID             StageID             `json:"stageId"`
	ID                  ContextPackID       `json:"id"`
	Tokenizer           string              `json:"tokenizer"`
	Framing             Framing             `json:"framing,omitempty"`
	BudgetUsed          int                 `json:"budgetUsed"`
	BudgetLimit         int                 `json:"budgetLimit"`
	OverBudget          bool                `json:"overBudget"`
	OverBudgetReason    string              `json:"overBudgetReason,omitempty"`
	CompressionMetadata CompressionMetadata `json:"compressionMetadata"`
}

// MarshalJSON gives the pack with the names of the protocol.
func (p *ContextPack) MarshalJSON() ([]byte, error) {
	return marshal(packJSON{
		p.Layers, p.SessionID, p.StageID, p.ID, p.Tokenizer, p.Framing, p.BudgetUsed, p.BudgetLimit,
		p.OverBudget != "", p.OverBudget, p.CompressionMetadata,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *ContextPack) UnmarshalJSON(data []byte) error {
	var x packJSON
	if err := json.Unmarshal(data, &x); err != nil {
		return fmt.Errorf("decode pack: %w", err)
	}
	if !x.ID.Valid() {
		return invalidf("%q is not the id of a pack", x.ID)
	}
	*p = ContextPack{
		ID: x.ID, SessionID: x.SessionID, StageID: x.StageID, Layers: x.Layers, BudgetUsed: x.BudgetUsed, BudgetLimit: x.BudgetLimit,
		Tokenizer: x.Tokenizer, Framing: x.Framing, OverBudget: x.OverBudgetReason, CompressionMetadata: x.CompressionMetadata,
	}
	return nil
}

// MarshalJSON gives an object from the names of the layers that hold something
// to their entries, the stable layers first.
func (l Layers) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for _, layer := range stableFirst {
		if len(l[layer]) == 0 {
			continue
		}
		entries, err := marshal(l[layer])
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), layer.String()...), '"', ':')
		out = append(out, entries...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote and checks that entries stand
// where they say.
func (l *Layers) UnmarshalJSON(data []byte) error {
	var x map[ContextLayer][]ContextEntry
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	*l = Layers{}
	for layer := range ContextLayer(NumLayers) {
		for _, e := range x[layer] {
			if e.Layer != layer {
				return invalidf("entry %q of %v stands under %v", e.ID, e.Layer, layer)
			}
		}
		if len(x[layer]) > 0 {
			l[layer] = x[layer]
		}
	}
	return nil
}

// JSON is the pack as it is printed and compared: indented, characters that a
// terminal would hide or act on as escapes, a line break at the end.
func (p *ContextPack) JSON() ([]byte, error) {
	flat, err := p.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encode pack: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(flat) + len(flat)/8)
	if err := json.Indent(&b, flat, "", "  "); err != nil {
		return nil, fmt.Errorf("encode pack: %w", err)
	}
	b.WriteByte('\n')
	return safejson.EscapeInvisible(b.Bytes()), nil
}

// entryJSON tells what is missing from what is empty.
type entryJSON struct {
	ID            ContextEntryID `json:"id"`
	Layer         *ContextLayer  `json:"layer"`
	Content       *string        `json:"content"`
	SourceType    SourceType     `json:"sourceType"`
	SourceID      string         `json:"sourceId"`
	TokenEstimate int            `json:"tokenEstimate"`
}

// DecodeEntry reads one entry from the JSON of one line. layer and content have
// to be there; other fields than those of an entry are ignored.
func DecodeEntry(line []byte) (ContextEntry, error) {
	x, plain := decodePlain(line)
	if !plain {
		x = entryJSON{}
		if err := json.Unmarshal(line, &x); err != nil {
			return ContextEntry{}, explainJSON(line, err)
		}
	}
	switch {
	case x.Layer == nil:
		return ContextEntry{}, invalidf("the entry has no layer; give L0, L1, L2, L3 or L4")
	case x.Content == nil:
		return ContextEntry{}, invalidf("the entry has no content")
	case len(x.ID) > maxName:
		return ContextEntry{}, invalidf("the id of the entry has %d bytes; %d are allowed", len(x.ID), maxName)
	}
	e := ContextEntry{x.ID, *x.Layer, *x.Content, x.SourceType, x.SourceID, x.TokenEstimate}
	return e, e.check()
}

// explainJSON says in the words of the input what is wrong with it.
func explainJSON(line []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, ErrInvalid):
		return err
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		return invalidf("entries are JSON Lines: one object a line, not an array")
	case errors.As(err, &syntax):
		return invalidf("the line is not a JSON object: %v", err)
	case errors.As(err, &kind) && kind.Field != "":
		return invalidf("%s is a JSON %s, which it cannot be", kind.Field, kind.Value)
	}
	return invalidf("the line is not an entry: %s", strings.TrimPrefix(err.Error(), "json: "))
}
