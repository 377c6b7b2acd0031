package query

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden parses whole issues and compares everything that was found.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.in")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, in := range inputs {
		t.Run(filepath.Base(in), func(t *testing.T) {
			text, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			got := dump(check(t, string(text)))
			name := strings.TrimSuffix(in, ".in") + ".golden"
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; run with -update and review\n%s", name, got)
			}
		})
	}
}

func dump(q *Query) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\nshort: %v\n", q.Title, q.Short)
	for i, s := range q.Segments {
		fmt.Fprintf(&b, "\n[%v]\n", Segment(i))
		for l := range strings.Lines(s) {
			b.WriteString(strings.TrimRight(l, " \n") + "\n")
		}
	}
	b.WriteString("\n[paths]\n")
	for _, m := range q.Paths {
		fmt.Fprintf(&b, "%s %v x%d", showPath(m), m.Segment, m.Count)
		if m.Block > 0 {
			fmt.Fprintf(&b, " block %d order %d", m.Block, m.Order)
		}
		if m.InnermostLast {
			b.WriteString(" innermost last")
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n[names]\n")
	for _, n := range q.Names {
		fmt.Fprintf(&b, "%v %v %v", n, n.Segment, n.Counts)
		if n.Import {
			b.WriteString(" import")
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n[code-like identifiers]\n")
	for _, id := range q.Identifiers {
		if id.CodeLike {
			fmt.Fprintf(&b, "%s %v\n", id.Name, id.Counts)
		}
	}
	b.WriteString("\n[words]\n")
	for _, id := range q.Identifiers {
		if !id.CodeLike {
			fmt.Fprintf(&b, "%s ", id.Name)
		}
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}
