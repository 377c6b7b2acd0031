package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Event is something that happened while packs were built. Events are values;
// their JSON names them in "type".
type Event interface {
	// EventType is the name of the type in JSON.
	EventType() string
}

// The five events of a pack's life.
type (
	// ContextBuildingStartedEvent opens the building of a pack.
	ContextBuildingStartedEvent struct {
		SessionID SessionID `json:"sessionId"`
		StageID   StageID   `json:"stageId"`
	}
	// ContextPackBuiltEvent closes it.
	ContextPackBuiltEvent struct {
		ContextPackID ContextPackID `json:"contextPackId"`
		SessionID     SessionID     `json:"sessionId"`
		StageID       StageID       `json:"stageId"`
		BudgetUsed    int           `json:"budgetUsed"`
		BudgetLimit   int           `json:"budgetLimit"`
	}
	// CompressionAppliedEvent counts what a strategy removed from a layer.
	CompressionAppliedEvent struct {
		ContextPackID   ContextPackID `json:"contextPackId"`
		Layer           string        `json:"layer"`
		EntriesRemoved  int           `json:"entriesRemoved"`
		StrategyApplied string        `json:"strategyApplied"`
	}
	// LayerTruncatedEvent counts what a layer lost to the budget.
	LayerTruncatedEvent struct {
		ContextPackID  ContextPackID `json:"contextPackId"`
		Layer          string        `json:"layer"`
		EntriesDropped int           `json:"entriesDropped"`
		Reason         string        `json:"reason"`
	}
	// ContextBuildingFailedEvent closes it without a pack.
	ContextBuildingFailedEvent struct {
		SessionID SessionID `json:"sessionId"`
		StageID   StageID   `json:"stageId"`
		Reason    string    `json:"reason"`
	}
)

// EventType implements Event.
func (ContextBuildingStartedEvent) EventType() string { return "ContextBuildingStartedEvent" }

// EventType implements Event.
func (ContextPackBuiltEvent) EventType() string { return "ContextPackBuiltEvent" }

// EventType implements Event.
func (CompressionAppliedEvent) EventType() string { return "CompressionAppliedEvent" }

// EventType implements Event.
func (LayerTruncatedEvent) EventType() string { return "LayerTruncatedEvent" }

// EventType implements Event.
func (ContextBuildingFailedEvent) EventType() string { return "ContextBuildingFailedEvent" }

// SessionOf is the session that an event names; ok is false for events that
// name none and belong to the session whose log they stand in.
func SessionOf(e Event) (id SessionID, ok bool) {
	switch e := e.(type) {
	case ContextBuildingStartedEvent:
		return e.SessionID, true
	case ContextPackBuiltEvent:
		return e.SessionID, true
	case ContextBuildingFailedEvent:
		return e.SessionID, true
	}
	return "", false
}

// ErrUnknownEvent says that the type of an event is not registered.
var ErrUnknownEvent = errors.New("unknown type of event")

// EventCodec encodes and decodes the registered events. Register before use;
// afterwards it is safe for concurrent use.
type EventCodec struct {
	decoders map[string]func([]byte) (Event, error)
}

// NewEventCodec knows the five events of a pack's life.
func NewEventCodec() *EventCodec {
	c := &EventCodec{decoders: map[string]func([]byte) (Event, error){}}
	Register[ContextBuildingStartedEvent](c)
	Register[ContextPackBuiltEvent](c)
	Register[CompressionAppliedEvent](c)
	Register[LayerTruncatedEvent](c)
	Register[ContextBuildingFailedEvent](c)
	return c
}

// Register adds a type of events. All fields in its JSON that are not optional
// (omitempty) have to be there when one is decoded.
func Register[E Event](c *EventCodec) {
	var zero E
	required := requiredFields(reflect.TypeOf(zero))
	c.decoders[zero.EventType()] = func(data []byte) (Event, error) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
		for _, name := range required {
			if _, ok := fields[name]; !ok {
				return nil, fmt.Errorf("a %s without %s", zero.EventType(), name)
			}
		}
		var e E
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, err
		}
		return e, nil
	}
}

func requiredFields(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" && !strings.Contains(options, "omitempty") {
			out = append(out, name)
		}
	}
	return out
}

// Types are the registered types, sorted.
func (c *EventCodec) Types() []string {
	out := make([]string, 0, len(c.decoders))
	for t := range c.decoders {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// Encode gives the JSON of a registered event on one line, without a line break.
func (c *EventCodec) Encode(e Event) ([]byte, error) {
	if e == nil || c.decoders[e.EventType()] == nil {
		return nil, fmt.Errorf("encode event %T: %w", e, ErrUnknownEvent)
	}
	body, err := marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.EventType(), err)
	}
	head := fmt.Sprintf(`{"type":%q`, e.EventType())
	if !bytes.Equal(body, []byte("{}")) {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

// Decode reads the JSON of one event. Errors wrap ErrUnknownEvent when its type
// is not registered.
func (c *EventCodec) Decode(line []byte) (Event, error) {
	var t struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(line, &t); err != nil {
		return nil, fmt.Errorf("decode event: %w", err)
	}
	if t.Type == nil {
		return nil, errors.New("decode event: it has no type")
	}
	decode := c.decoders[*t.Type]
	if decode == nil {
		return nil, fmt.Errorf("decode event: %w %q; known are %s", ErrUnknownEvent, *t.Type, strings.Join(c.Types(), ", "))
	}
	e, err := decode(line)
	if err != nil {
		return nil, fmt.Errorf("decode event: %w", err)
	}
	return e, nil
}

// marshal is json.Marshal without the escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
