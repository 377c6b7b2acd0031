package edges

const (
	// maxDepth bounds how deep answers of a Memo may need one another.
	maxDepth = 24
	// maxCircular bounds the answers that one question at the top may need and
	// that cannot be remembered.
	maxCircular = 2000
)

// Stack is the chain of questions that are being answered, for one resolver.
type Stack struct {
	depth    int
	circular int    // answers below the question at the top that were cut short
	cut      []bool // for each open question, whether its answer was cut short
}

// Memo remembers the answers to questions that need one another, such as the
// type of a variable that is the result of a function whose result is the type
// of another variable. A question that leads back to itself has the zero answer
// there.
//
// An answer in whose making a circle was cut depends on where the circle was
// entered, so it is never remembered. What is remembered met no circle, hence
// holds whoever asks: what a resolver answers does not depend on what it was
// asked before. Not safe for concurrent use.
type Memo[K comparable, V any] struct {
	// Stack is shared by all memos of a resolver.
	Stack *Stack
	known map[K]remembered[V]
	open  map[K]bool
}

type remembered[V any] struct {
	value V
	uses  *Uses
}

// Get answers a question, with find where it is not remembered. find gets a Uses
// of its own; what it notes is added to uses.
func (m *Memo[K, V]) Get(key K, uses *Uses, find func(uses *Uses) V) V {
	if r, ok := m.known[key]; ok {
		uses.Add(r.uses)
		return r.value
	}
	s := m.Stack
	if s.depth == 0 {
		s.circular = 0
	}
	if m.open[key] || s.depth >= maxDepth || s.circular > maxCircular {
		for i := range s.cut {
			s.cut[i] = true
		}
		var zero V
		return zero
	}
	if m.open == nil {
		m.open, m.known = map[K]bool{}, map[K]remembered[V]{}
	}
	s.depth++
	m.open[key] = true
	s.cut = append(s.cut, false)
	own := &Uses{}
	value := find(own)
	last := len(s.cut) - 1
	cut := s.cut[last]
	s.cut = s.cut[:last]
	delete(m.open, key)
	s.depth--
	if cut {
		s.circular++
	} else {
		m.known[key] = remembered[V]{value, own}
	}
	uses.Add(own)
	return value
}
