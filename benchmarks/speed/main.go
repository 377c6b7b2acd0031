// Command speed measures runs of project-map on a repository: cold, with
// nothing changed, after one edit, and a query as a whole process, beside
// universal-ctags on the same tree.
//
//	go run ./benchmarks/speed -bin project-map REPOSITORY
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	query := flag.String("query", "where are incoming requests matched to their handler", "the question to ask")
	runs := flag.Int("runs", 20, "queries")
	flag.Parse()
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	scratch, err := os.MkdirTemp("", "speed")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	repo, err := origin.Clone(filepath.Join(scratch, "repo"))
	lab.Fail(err)
	_, err = repo.Git("checkout", "-q", "-f", "--detach", "HEAD")
	lab.Fail(err)
	commit, err := repo.Git("rev-parse", "--short=10", "HEAD")
	lab.Fail(err)

	row := func(name, format string, args ...any) {
		fmt.Printf("| %s | %s |\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Printf("| %s at %s, %d processors | |\n|---|---|\n", origin.Name(), commit, runtime.GOMAXPROCS(0))
	archive, err := count(repo.Dir, "git", "archive", "HEAD")
	lab.Fail(err)

	cold, out := run(*bin, "--repo", repo.Dir, "--quiet", "--format", "json", "index")
	var report struct {
		Written []string
		Summary struct {
			Files, Parsed, Symbols, Directories int
			Bytes                               int64
		}
	}
	lab.Fail(json.Unmarshal(out, &report))
	s := report.Summary
	row("files, parsed, definitions, directories", "%d, %d, %d, %d", s.Files, s.Parsed, s.Symbols, s.Directories)
	row("cold index", "%s; %.0f files/s, %.1f MB/s", cold, float64(s.Files)/cold.wall.Seconds(), float64(s.Bytes)/1e6/cold.wall.Seconds())
	again, _ := run(*bin, "--repo", repo.Dir, "--quiet", "index")
	row("again, nothing changed", "%s", again)
	file := largest(repo)
	lab.Fail(appendTo(filepath.Join(repo.Dir, file)))
	edited, _ := run(*bin, "--repo", repo.Dir, "--quiet", "index", "--worktree")
	row("again, one file edited (`--worktree`)", "%s", edited)
	_, err = repo.Git("checkout", "-q", "-f", "HEAD", "--", file)
	lab.Fail(err)
	run(*bin, "--repo", repo.Dir, "--quiet", "index")
	check, _ := run(*bin, "--repo", repo.Dir, "--quiet", "validate")
	row("validate", "%s", check)
	var asked []usage
	for range *runs {
		u, _ := run(*bin, "--repo", repo.Dir, "--quiet", "context", *query)
		asked = append(asked, u)
	}
	slices.SortFunc(asked, func(a, b usage) int { return int(a.wall - b.wall) })
	row(fmt.Sprintf("context, whole process, median of %d", *runs), "%s", asked[len(asked)/2])
	row("context, slowest", "%s", asked[len(asked)-1])

	pages, err := lab.Pages(repo.Dir)
	lab.Fail(err)
	size := 0
	for _, p := range pages {
		size += len(p)
	}
	store, err := treeSize(filepath.Join(repo.Dir, ".project-map"))
	lab.Fail(err)
	cache, err := treeSize(filepath.Join(repo.Dir, ".git", "project-map"))
	lab.Fail(err)
	row("artifacts", "%d, %s (%.1f %% of the sources)", len(pages), mega(int64(size)), 100*float64(size)/float64(s.Bytes))
	row("store, fact cache", "%s, %s", mega(store), mega(cache))
	row("sources (`git archive \\| wc -c`)", "%s (%s)", mega(s.Bytes), mega(archive))
	if path, err := exec.LookPath("ctags"); err == nil {
		tags := filepath.Join(scratch, "tags")
		peer, _ := run(path, "-R", "--exclude=.git", "--exclude=.project-map", "--exclude=.pi-map*", "-f", tags, repo.Dir)
		info, err := os.Stat(tags)
		lab.Fail(err)
		row("peer: universal-ctags -R", "%s; %s of tags", peer, mega(info.Size()))
		row("cold index / ctags, processor time", "%.1f", float64(cold.cpu)/float64(peer.cpu))
	}
}

// usage is what a process took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

func (u usage) String() string {
	return fmt.Sprintf("%s (%s processor), %.0f MB", short(u.wall), short(u.cpu), float64(u.peak)/1e6)
}

func short(d time.Duration) string {
	if d < time.Second {
		return strconv.Itoa(int(d.Milliseconds())) + " ms"
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func run(name string, args ...string) (usage, []byte) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	out, err := cmd.Output()
	u := usage{wall: time.Since(start)}
	lab.Fail(err)
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = r.Maxrss
		if runtime.GOOS == "linux" { // in kilobytes there
			u.peak *= 1024
		}
	}
	return u, out
}

// count counts the bytes that a command prints. It does not keep them: the
// memory of this process would count as the peak of those it starts.
func count(dir, name string, args ...string) (int64, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, out)
	return n, errors.Join(err, cmd.Wait())
}

func treeSize(dir string) (int64, error) {
	var n int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n, err
}

// largest names the largest source file of the common languages.
func largest(repo *lab.Repo) string {
	list, err := repo.Git("ls-files")
	lab.Fail(err)
	best, size := "", int64(0)
	for _, f := range strings.Split(list, "\n") {
		switch filepath.Ext(f) {
		case ".go", ".py", ".ts", ".js":
			if strings.Contains(f, "vendor/") {
				continue
			}
			if info, err := os.Stat(filepath.Join(repo.Dir, f)); err == nil && info.Size() > size && info.Size() < 300_000 {
				best, size = f, info.Size()
			}
		}
	}
	return best
}

func appendTo(name string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString("\n"); err != nil {
		return err
	}
	return f.Close()
}

func mega(n int64) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }
