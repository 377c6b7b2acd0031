package ranker

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

const (
	// linkedTests is how many of the best tests lend their score.
	linkedTests = 12
)

// testLinks gives a source what its test, found by name, scores for the words
// of the query, squared: test_parse.py for parse.py, queue_test.go for
// queue.go. Sources of the same name share. Weight 0.4: tests speak the
// language of reports, in words that the code they test may lack.
func testLinks(x *run, out []float64) {
	best := topDocs(x.lex.all, 5*linkedTests)
	if len(best) == 0 {
		return
	}
	top := x.lex.all[best[0]]
	p := x.places()
	used := 0
	for _, t := range best {
		if x.roles[t]&facts.RoleTest == 0 || x.noise[t] || x.families[t] == 0 {
			continue
		}
		stem := testedStem(path.Base(x.paths[t]))
		if stem == "" {
			continue
		}
		if used++; used > linkedTests {
			return
		}
		near, docs := -1, []int(nil)
		for _, d := range p.byStem[stem] {
			if x.roles[d]&(facts.RoleTest|facts.RoleExample) != 0 || x.noise[d] || x.families[d] != x.families[t] {
				continue
			}
			switch c := sharedDirs(x.paths[d], x.paths[t]); {
			case c > near:
				near, docs = c, []int{int(d)}
			case c == near:
				docs = append(docs, int(d))
			}
		}
		v := x.lex.all[t] / top
		for _, d := range docs {
			out[d] = max(out[d], v*v/float64(len(docs)))
			x.touch(d)
		}
	}
}

// testedStem is the name without extension, in lower case, of what a test
// tests, or "".
func testedStem(base string) string {
	s := strings.ToLower(base)
	s = strings.TrimSuffix(s, path.Ext(s))
	for _, end := range []string{"_test", "_tests", ".test", ".spec", "_spec", "-test", "-spec", "tests", "test", "spec"} {
		if r, ok := strings.CutSuffix(s, end); ok && r != "" {
			return r
		}
	}
	for _, start := range []string{"test_", "test-", "test"} {
		if r, ok := strings.CutPrefix(s, start); ok && r != "" {
			return r
		}
	}
	return ""
}

// sharedDirs counts the names of directories that two paths have in common,
// wherever they stand: tests often mirror the tree of the sources elsewhere.
func sharedDirs(a, b string) int {
	n := 0
	for c := range strings.SplitSeq(path.Dir(a), "/") {
		for e := range strings.SplitSeq(path.Dir(b), "/") {
			if c == e {
				n++
				break
			}
		}
	}
	return n
}

// topDocs lists at most k documents with the largest positive scores, ties by
// number.
func topDocs(score []float64, k int) []int {
	var top []int
	for d, v := range score {
		if v <= 0 || len(top) == k && v <= score[top[k-1]] {
			continue
		}
		at := len(top)
		for at > 0 && score[top[at-1]] < v {
			at--
		}
		if len(top) < k {
			top = append(top, 0)
		}
		copy(top[at+1:], top[at:])
		top[at] = d
	}
	return top
}
