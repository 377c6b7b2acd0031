package exact

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCounts compares with counts that were published for the reference
// implementations, and with what encoding as plain text gives there.
func TestCounts(t *testing.T) {
	for _, x := range []struct {
		text         string
		o200k, cl100 int
	}{
		{"", 0, 0},
		{"hello world", 2, 2},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"tiktoken is great!", 6, 6},
		// Special tokens are the plain text that they are.
		{"<|endoftext|>", 7, 7},
	} {
		for name, want := range map[string]int{"o200k_base": x.o200k, "cl100k_base": x.cl100} {
			k, err := New(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.Count(x.text); got != want || k.Name() != name {
				t.Errorf("%s: %q has %d tokens, want %d", name, x.text, got, want)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range Names() {
		k, err := New(name)
		if err != nil || k.Name() != name || k.Count("") != 0 || k.Count("word") < 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New("gpt"); !errors.Is(err, ErrUnknown) || err.Error() != `unknown tokenizer "gpt"; give one of o200k_base, cl100k_base, estimate, bytes/4` {
		t.Error(err)
	}
}

// TestLargeTextsAreCutWhereTokensEnd: counting in pieces gives the sum.
func TestLargeTextsAreCutWhereTokensEnd(t *testing.T) {
	k, _ := New("o200k_base")
	line := "func (s *Server) Listen(addr string) error { return nil }\n"
	n := pieceBytes/len(line) + 100
	if got, want := k.Count(strings.Repeat(line, n)), n*k.Count(line); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	wide := strings.Repeat("中", pieceBytes/3+5)
	if got := k.Count(wide); got < len(wide)/10 || got > len(wide)/3+2 {
		t.Errorf("%d tokens for a line of %d characters", got, len(wide)/3)
	}
}

// TestHostileTexts: what a text is made of costs no more than time linear in
// its length. The limit is wide, a quadratic expression misses it by far.
func TestHostileTexts(t *testing.T) {
	const size = 1 << 15
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		k, _ := New(name)
		k.Count("x")
		for _, unit := range []string{" ", "\n", " \t", " \n", "\u3000\n", "\r\n  ", "a", "A", "aA", "A'", "!", "'", "\u0301", "\xff", "1", "x   ", "ǅ", "中", "\ufffd"} {
			text := strings.Repeat(unit, size/len(unit))
			start := time.Now()
			n := k.Count(text)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%s: %v for %q", name, d, unit)
			}
			if n < 1 || n > len(text) {
				t.Errorf("%s: %d tokens in %d bytes of %q", name, n, len(text), unit)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	k, _ := New("cl100k_base")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := k.Count("hello world"); got != 2 {
				t.Errorf("%d", got)
			}
		})
	}
	group.Wait()
}
