package cfamily

import "testing"

// The end of a damaged member can lie inside the comment behind it.
func TestDocBehind(t *testing.T) {
	source := "int a; // of a\n"
	w := &walker{c: clean([]byte(source), false)}
	if got := w.docBehind(6); got != "of a" {
		t.Errorf("documentation is %q", got)
	}
	for end := range uint32(len(source)) {
		if got := w.docBehind(end); end > 7 && got != "" {
			t.Errorf("documentation behind %d is %q", end, got)
		}
	}
}
