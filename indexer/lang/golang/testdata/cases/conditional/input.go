package conditional

// Row 16: two definitions of one name in a file each stand once, with their own
// lines. Go allows it for init and the blank name only; other files are damaged
// or half-merged, which is when it counts.

func init() { first() }

func init() { second() }

func twice() int { return 1 }

func twice() int { return 2 }
