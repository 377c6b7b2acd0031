package broken

// Before the damage.
func before() {}

// A generic alias is newer than the grammar: it costs itself at most.
type Alias[T any] = Other[T]

// After stands behind it.
func After() {}

func missing( {
	x := 1
}

type Kept struct {
	field int
}

func unclosed() {
	if x {
		call()

func Next() int { return 1 }

func (k *Kept) Last() {}
