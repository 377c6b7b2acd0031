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
	circular int // answers below the question at the top that were cut short
	open     []asked
}

// asked is an open question.
type asked struct {
	cut    bool // its answer was cut short
	height int  // how many questions deep its answer is, so far
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
	value  V
	uses   *Uses
	height int
}

// Get answers a question, with find where it is not remembered. find gets a Uses
// of its own; what it notes is added to uses.
func (m *Memo[K, V]) Get(key K, uses *Uses, find func(uses *Uses) V) V {
	s := m.Stack
	// A remembered answer is as deep as it was when it was found, so that it is
	// cut here as it would be if it were found now.
	if r, ok := m.known[key]; ok && len(s.open)+r.height <= maxDepth {
		s.above(r.height)
		uses.Add(r.uses)
		return r.value
	}
	if len(s.open) == 0 {
		s.circular = 0
	}
	if m.open[key] || len(s.open) >= maxDepth || s.circular > maxCircular {
		for i := range s.open {
			s.open[i].cut = true
		}
		var zero V
		return zero
	}
	if m.open == nil {
		m.open, m.known = map[K]bool{}, map[K]remembered[V]{}
	}
	m.open[key] = true
	s.open = append(s.open, asked{height: 1})
	own := &Uses{}
	value := find(own)
	last := len(s.open) - 1
	done := s.open[last]
	s.open = s.open[:last]
	delete(m.open, key)
	if done.cut {
		s.circular++
	} else {
		m.known[key] = remembered[V]{value, own, done.height}
	}
	s.above(done.height)
	uses.Add(own)
	return value
}

// above raises the height of the innermost open question over one below it.
func (s *Stack) above(height int) {
	if n := len(s.open); n > 0 {
		s.open[n-1].height = max(s.open[n-1].height, height+1)
	}
}
