// Package queue holds work that waits.
//
// It has one type.
package queue

import (
	"fmt"
	str "strings"
)

// Put is a method of Queue, whose type stands in another file. The container
// of all methods here is Queue.
func (s *Queue[T]) Put(v T) {}

func (*Queue[T]) Len() int { return 0 }

func (q Queue[T]) Each(
	f func(T) bool,
) error {
	return fmt.Errorf("x")
}

// Put is also a free function; the first call below is the method's, the
// second the function's.
func Put(v int) {}

func use(q *Queue[int]) {
	q.Put(1)
	Put(2)
	_ = str.ToUpper("x")
}

// lower is private, so is a method of a private type.
type lower struct{}

func (lower) Method() {}
