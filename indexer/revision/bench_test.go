package revision

import (
	"context"
	"os"
	"testing"
)

// The benchmarks run on a repository named by REVISION_BENCH_REPO.
func benchRepo(b *testing.B) *Repository {
	dir := os.Getenv("REVISION_BENCH_REPO")
	if dir == "" {
		b.Skip("REVISION_BENCH_REPO is not set")
	}
	r, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	return r
}

func BenchmarkList(b *testing.B) {
	dir := benchRepo(b).CommonDir()
	for b.Loop() {
		r, err := Open(dir) // with the cost of mapping the pack indexes
		if err != nil {
			b.Fatal(err)
		}
		s, err := r.Snapshot(context.Background(), Options{Rev: os.Getenv("REVISION_BENCH_REV")})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(s.Entries)), "entries")
		r.Close()
	}
}

func BenchmarkReadAll(b *testing.B) {
	r := benchRepo(b)
	s, err := r.Snapshot(context.Background(), Options{Rev: os.Getenv("REVISION_BENCH_REV")})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rd, err := s.Reader()
		if err != nil {
			b.Fatal(err)
		}
		var total int64
		for _, e := range s.Entries {
			if e.Mode == Submodule {
				continue
			}
			data, err := rd.Read(e)
			if err != nil {
				b.Fatal(err)
			}
			total += int64(len(data))
		}
		b.SetBytes(total)
		rd.Close()
	}
}

func BenchmarkDirTrees(b *testing.B) {
	r := benchRepo(b)
	s, err := r.Snapshot(context.Background(), Options{Rev: os.Getenv("REVISION_BENCH_REV")})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got := s.DirTrees()[""].String(); got != s.Tree {
			b.Fatalf("root tree %s, commit has %s", got, s.Tree)
		}
	}
}

// BenchmarkWorktree lists a clean work tree, whose files the index vouches for.
func BenchmarkWorktree(b *testing.B) {
	r := benchRepo(b)
	if r.WorktreeRoot() == "" {
		b.Skip("bare repository")
	}
	for b.Loop() {
		s, err := r.Snapshot(context.Background(), Options{Kind: Worktree})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(s.Entries)), "entries")
	}
}

func BenchmarkStaged(b *testing.B) {
	r := benchRepo(b)
	for b.Loop() {
		s, err := r.Snapshot(context.Background(), Options{Kind: Staged})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(s.Entries)), "entries")
	}
}

// BenchmarkLog walks 2,000 commits with their changed paths.
func BenchmarkLog(b *testing.B) {
	r := benchRepo(b)
	for b.Loop() {
		n := 0
		err := r.Log(context.Background(), LogOptions{Rev: os.Getenv("REVISION_BENCH_REV"), Max: 2000}, func(LogEntry) error { n++; return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "commits")
	}
}
