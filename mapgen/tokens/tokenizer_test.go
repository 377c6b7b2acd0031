package tokens

import "testing"

func TestTokenizers(t *testing.T) {
	for _, x := range []struct {
		tokenizer Tokenizer
		name      string
		counts    map[string]int
	}{
		{Estimator{}, "estimate", map[string]int{"": 0, "a": Estimate("a"), "func main() {}": Estimate("func main() {}")}},
		{Bytes{}, "bytes/4", map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "漢": 1, "漢字": 2}},
	} {
		if got := x.tokenizer.Name(); got != x.name {
			t.Errorf("the name is %q, want %q", got, x.name)
		}
		for text, want := range x.counts {
			if got := x.tokenizer.Count(text); got != want {
				t.Errorf("%s: %q has %d tokens, want %d", x.name, text, got, want)
			}
		}
	}
}
