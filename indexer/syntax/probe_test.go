package syntax_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/syntax"
)

func TestProbe(t *testing.T) {
	root := os.Getenv("PROBE")
	if root == "" {
		t.Skip()
	}
	table := all.Table()
	type row struct {
		lang       string
		size       int
		per, reads float64
		path       string
		ms         float64
	}
	var rows []row
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		l := table.ByPath(p)
		if l == nil || table.GrammarOf(l) == nil {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil || len(src) == 0 || len(src) > 1<<20 {
			return nil
		}
		start := time.Now()
		_, u, err := syntax.ParseUnbounded(table.GrammarOf(l), src)
		if err != nil {
			t.Log(p, err)
		}
		ms := float64(time.Since(start).Microseconds()) / 1000
		chunks := float64(len(src)+4095) / 4096
		rows = append(rows, row{l.Name, len(src), float64(u.Allocated) / float64(len(src)), float64(u.Reads) / chunks, p, ms})
		return nil
	})
	by := map[string][]row{}
	for _, r := range rows {
		by[r.lang] = append(by[r.lang], r)
	}
	for l, rs := range by {
		q := func(less func(a, b row) bool, what func(row) string) {
			sort.Slice(rs, func(i, j int) bool { return less(rs[i], rs[j]) })
			fmt.Printf("  p50 %s p99 %s max", what(rs[len(rs)/2]), what(rs[len(rs)*99/100]))
			for i := max(0, len(rs)-4); i < len(rs); i++ {
				fmt.Printf(" [%s %d %s]", what(rs[i]), rs[i].size, strings.TrimPrefix(rs[i].path, root))
			}
			fmt.Println()
		}
		fmt.Println(l, len(rs))
		q(func(a, b row) bool { return a.per < b.per }, func(r row) string { return fmt.Sprintf("%.0f B/B", r.per) })
		big := rs[:0:0]
		for _, r := range rs {
			if r.size > 20000 {
				big = append(big, r)
			}
		}
		if len(big) > 0 {
			rs = big
			fmt.Println("  over 20 kB:", len(rs))
			q(func(a, b row) bool { return a.per < b.per }, func(r row) string { return fmt.Sprintf("%.0f B/B", r.per) })
			q(func(a, b row) bool { return a.reads < b.reads }, func(r row) string { return fmt.Sprintf("%.2f reads/chunk", r.reads) })
			q(func(a, b row) bool { return a.ms/float64(a.size) < b.ms/float64(b.size) }, func(r row) string { return fmt.Sprintf("%.2f us/B", 1000*r.ms/float64(r.size)) })
		}
	}
}
