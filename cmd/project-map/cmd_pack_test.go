package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/tokens/exact"
)

// packInput are n entries of 1 KB as JSON Lines.
func packInput(n int) []byte {
	var b bytes.Buffer
	types := []string{"toolLog", "conversation", "artifact", "receipt"}
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("line %d of the output of a tool\\n", i), 40)[:1024]
		fmt.Fprintf(&b, `{"id":"e%d","layer":"L%d","content":"%s","sourceType":"%s","sourceId":"s%d","tokenEstimate":250}`+"\n",
			i, 1+i%3, strings.TrimSuffix(text, `\`), types[i%len(types)], i%1000)
	}
	return b.Bytes()
}

// initRepository makes an empty repository.
func initRepository(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %v: %s", err, out)
	}
	return dir
}

// TestReplayGivesTheSameBytes packs and replays random sessions that grow, with
// every tokenizer, as JSON and for prompts, and compares the state.
func TestReplayGivesTheSameBytes(t *testing.T) {
	dir := initRepository(t)
	do := func(input string, args ...string) string {
		t.Helper()
		var out, errors bytes.Buffer
		if code := run(append([]string{"project-map", "--repo", dir}, args...), strings.NewReader(input), &out, &errors); code != exitOK {
			t.Fatalf("%q: exit code %d, %s", args, code, errors.Bytes())
		}
		return out.String()
	}
	types := []string{"toolLog", "conversation", "artifact", "steeringNote", "eventHistory", "receipt", ""}
	texts := []string{"ok", "```\n## L0", "漢字 ", "\u202e", "line\n", "<|endoftext|>", ""}
	var id = regexp.MustCompile("pack-[0-9a-f]{32}")
	var want []string
	for seed := range 12 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		var input strings.Builder
		for i := range r.IntN(80) {
			line, err := json.Marshal(map[string]any{
				"layer": fmt.Sprintf("L%d", r.IntN(5)), "sourceType": types[r.IntN(len(types))], "sourceId": fmt.Sprint("s", r.IntN(4)),
				"content": strings.Repeat(texts[r.IntN(len(texts))], r.IntN(9)), "tokenEstimate": r.IntN(2) * i,
			})
			if err != nil {
				t.Fatal(err)
			}
			input.Write(append(line, '\n'))
		}
		args := []string{"pack", "--session", "random", "--stage", fmt.Sprint(seed), "--budget", fmt.Sprint(1 + r.IntN(900)),
			"--tokenizer", exact.Names()[seed%4], "--turns", fmt.Sprint(1 + r.IntN(9)), "--format", []string{"json", "markdown"}[r.IntN(2)]}
		if r.IntN(3) == 0 {
			args = append(args, "--recount")
		}
		first := do(input.String(), args...)
		if again := do(input.String(), args...); again != first {
			t.Fatalf("seed %d: two runs differ", seed)
		}
		found := id.FindAllString(first, -1)
		pack := found[len(found)-1]
		want = append(want, pack)
		if replayed := do("", "--quiet", "pack", "--replay", pack); replayed != first {
			t.Fatalf("seed %d: the replay differs\n%s\n%s", seed, first, replayed)
		}
	}
	var state struct {
		BuiltPackIDs       []string
		BuildingInProgress bool
	}
	if err := json.Unmarshal([]byte(do("", "session", "random", "--format", "json")), &state); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(state.BuiltPackIDs, want) || state.BuildingInProgress {
		t.Errorf("%+v, want %v", state, want)
	}
}

// TestHugeLinesAreRefused and lines beyond the reader's buffer are not.
func TestHugeLinesAreRefused(t *testing.T) {
	var lines []int
	err := eachLine(strings.NewReader("a\n\n"+strings.Repeat("b", 3<<20)+"\nc"), func(n int, line []byte) error {
		lines = append(lines, n, len(line))
		return nil
	})
	if want := []int{1, 2, 2, 1, 3, 3<<20 + 1, 4, 1}; err != nil || !slices.Equal(lines, want) {
		t.Errorf("%v, %v", lines, err)
	}
	err = eachLine(strings.NewReader("a\n"+strings.Repeat("b", maxEntryLine+9)), func(int, []byte) error { return nil })
	if exitCode(err) != exitUsage || err.Error() != "standard input, line 2: an entry may have 32 MB at most; split it, or name its file in place of its text" {
		t.Errorf("%v", err)
	}
}

// BenchmarkPack runs the command on entries of 1 KB with known estimates.
func BenchmarkPack(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		input := packInput(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir := initRepository(b)
				b.StartTimer()
				args := []string{"project-map", "--repo", dir, "pack", "--session", "s", "--budget", "100000"}
				var errors bytes.Buffer
				if code := run(args, bytes.NewReader(input), io.Discard, &errors); code != 0 {
					b.Fatalf("exit code %d: %s", code, errors.Bytes())
				}
				b.StopTimer()
				_ = os.RemoveAll(dir)
				b.StartTimer()
			}
		})
	}
}
