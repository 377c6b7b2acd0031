package values

const Single = 1

const (
	// Red is the first.
	Red Color = iota
	Green
	blue
	_
)

var (
	first, second           = pair()
	Default                 = &Config{Name: "x"}
	_             Interface = (*Impl)(nil)
)

var Fn = func(a int) error { return helper(a) }

var typed map[string]int
