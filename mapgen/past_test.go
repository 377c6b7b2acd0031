package mapgen

import "testing"

func TestRenames(t *testing.T) {
	paths := []string{"a/store/cache.go", "b/store/cache.go", "lib/queue/queue.go", "main.go", "x/index.js", "y/index.js"}
	r := NewRenames(paths)
	for p, want := range map[string]int{
		"main.go":                 3,
		"src/queue/queue.go":      2,  // moved with its directory
		"pkg/store/cache.go":      -1, // two could be it
		"z/index.js":              -1, // only the base name fits
		"gone.go":                 -1,
		"old/a/store/cache.go":    0,
		"queue.go":                -1,
		"deep/lib/queue/queue.go": 2,
	} {
		for range 2 {
			if got := r.Doc(p); got != want {
				t.Errorf("Doc(%q) = %d, want %d", p, got, want)
			}
		}
	}
}
