// Copyright of somebody; this is no package documentation.

package types

// A group: A, B and C, and a type reference to Req from C's method.
type (
	// A does a.
	A struct{}
	B = string
	C interface {
		// Do does it.
		Do(Req) (Res, error)
		Other
	}
)

// Config has fields, two in one line, an embedded type and a nested struct.
type Config struct {
	// Name of the thing.
	Name, Alias string `json:"name"`
	*Base
	sync.Mutex
	nested struct {
		Deep map[string]*Leaf
	}
	hook func(ctx context.Context) error
}

type Number interface {
	~int | ~float64
}

type Set[T comparable] map[T]struct{}

type Handler func(w Writer, r *Request)

type unexported int

func Map[T, U any](in []T, f func(T) U) []U { return nil }
