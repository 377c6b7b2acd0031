package pack

import "errors"

// ErrNotSerialised is what encoding a TokenBudget gives: it is a value of a
// computation, and what of it is worth keeping stands in the pack.
var ErrNotSerialised = errors.New("a token budget is not serialised")

// TokenBudget is a limit and what was used of it, in tokens. It is immutable;
// the zero value allows nothing.
type TokenBudget struct{ limit, used int }

// NewTokenBudget gives an unused budget; a negative limit counts as 0.
func NewTokenBudget(limit int) TokenBudget { return TokenBudget{limit: max(limit, 0)} }

// Limit is what may be used at most.
func (b TokenBudget) Limit() int { return b.limit }

// Used is what was consumed.
func (b TokenBudget) Used() int { return b.used }

// Remaining is what can still be used; never negative.
func (b TokenBudget) Remaining() int { return max(b.limit-b.used, 0) }

// Exceeded tells whether more was consumed than the limit.
func (b TokenBudget) Exceeded() bool { return b.used > b.limit }

// Consume gives the budget after n tokens, which may exceed the limit. A
// negative n consumes nothing.
func (b TokenBudget) Consume(n int) TokenBudget {
	b.used = addSaturating(b.used, max(n, 0))
	return b
}

// CanFit tells whether n tokens fit into what remains.
func (b TokenBudget) CanFit(n int) bool { return n <= b.limit-b.used }

// MarshalJSON refuses.
func (b TokenBudget) MarshalJSON() ([]byte, error) { return nil, ErrNotSerialised }

// UnmarshalJSON refuses.
func (b *TokenBudget) UnmarshalJSON([]byte) error { return ErrNotSerialised }

// addSaturating adds numbers of at least 0.
func addSaturating(a, b int) int {
	if s := a + b; s >= a {
		return s
	}
	return int(^uint(0) >> 1)
}
