package pack

import (
	"fmt"
	"slices"
)

// ContextState is what the events of a session add up to. It holds nothing that
// cannot be made again from them.
type ContextState struct {
	// BuiltPackIDs are the packs of the session, each once, in the order in
	// which they were first built.
	BuiltPackIDs []ContextPackID `json:"builtPackIds"`
	// BuildingInProgress is set between the start of a building and its end. In
	// a session that is at rest it means that a building was cut short.
	BuildingInProgress bool `json:"buildingInProgress"`
}

// ContextReducer folds an event into a state. It is pure: the state it is given
// stays as it is.
type ContextReducer interface {
	Reduce(ContextState, Event) ContextState
}

// DefaultContextReducer handles the start and the two ends of a building; all
// other events pass it unchanged.
type DefaultContextReducer struct{}

// Reduce implements ContextReducer.
func (DefaultContextReducer) Reduce(s ContextState, e Event) ContextState {
	switch e := e.(type) {
	case ContextBuildingStartedEvent:
		s.BuildingInProgress = true
	case ContextPackBuiltEvent:
		s.BuildingInProgress = false
		if !slices.Contains(s.BuiltPackIDs, e.ContextPackID) {
			// Clipped, so that states that share a beginning never share its end.
			s.BuiltPackIDs = append(slices.Clip(s.BuiltPackIDs), e.ContextPackID)
		}
	case ContextBuildingFailedEvent:
		s.BuildingInProgress = false
	}
	return s
}

// Projection turns a row of events into a state.
type Projection[S any] interface {
	Initial() S
	Apply(S, Event) S
}

// ContextProjector is the projection of a session to its ContextState.
type ContextProjector struct{ Reducer ContextReducer }

// NewContextProjector projects with the DefaultContextReducer.
func NewContextProjector() ContextProjector { return ContextProjector{DefaultContextReducer{}} }

// Initial is the state before the first event.
func (ContextProjector) Initial() ContextState {
	return ContextState{BuiltPackIDs: []ContextPackID{}}
}

// Apply implements Projection.
func (p ContextProjector) Apply(s ContextState, e Event) ContextState { return p.Reducer.Reduce(s, e) }

// EventSource gives the events of a session, oldest first.
type EventSource interface {
	Events(SessionID) ([]Event, error)
}

// EventReplayer makes a state anew from the events of a session.
type EventReplayer[S any] interface {
	Rebuild(SessionID) (S, error)
}

// Replayer replays a source through a projection.
type Replayer[S any] struct {
	Source     EventSource
	Projection Projection[S]
}

// Rebuild implements EventReplayer.
func (r Replayer[S]) Rebuild(id SessionID) (S, error) {
	s := r.Projection.Initial()
	events, err := r.Source.Events(id)
	if err != nil {
		return s, fmt.Errorf("replay session %q: %w", id, err)
	}
	for _, e := range events {
		s = r.Projection.Apply(s, e)
	}
	return s, nil
}

// DefaultContextRepository gives states of sessions.
type DefaultContextRepository struct{ replayer EventReplayer[ContextState] }

// NewContextRepository makes a repository over a replayer.
func NewContextRepository(r EventReplayer[ContextState]) DefaultContextRepository {
	return DefaultContextRepository{r}
}

// ContextState replays a session.
func (r DefaultContextRepository) ContextState(id SessionID) (ContextState, error) {
	return r.replayer.Rebuild(id)
}
