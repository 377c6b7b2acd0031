package cfamily

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxClosure bounds how many files one file is taken to include.
const maxClosure = 4000

// closure is a file with all that it includes, directly or not.
type closure struct {
	docs []int32 // sorted
	key  string
}

func (c *closure) has(doc int32) bool {
	_, ok := slices.BinarySearch(c.docs, doc)
	return ok
}

func (r *Resolver) closureOf(doc int32) *closure {
	if c := r.closures[doc]; c != nil {
		return c
	}
	c := &closure{docs: []int32{doc}, key: includeKey + r.p.Files[doc].Path}
	seen := map[int32]bool{doc: true}
	for i := 0; i < len(c.docs) && len(c.docs) < maxClosure; i++ {
		for _, d := range r.included(c.docs[i]) {
			if !seen[d] {
				seen[d] = true
				c.docs = append(c.docs, d)
			}
		}
	}
	slices.Sort(c.docs)
	r.closures[doc] = c
	return c
}

// included are the files that the clauses of a file lead to.
func (r *Resolver) included(doc int32) []int32 {
	if r.outlines[doc] == nil {
		return nil
	}
	var out []int32
	add := func(d int32) {
		if d >= 0 && r.outlines[d] != nil {
			out = append(out, d)
		}
	}
	targets := r.p.Targets[doc]
	for k := range r.file(doc).Imports {
		found := false
		for _, t := range targets {
			if t.Import == k {
				found = true
				add(int32(t.Doc))
			}
		}
		if module := r.file(doc).Imports[k].Module; !found {
			if d, ok := r.p.ByPath[path.Join(facts.DirOf(r.p.Files[doc].Path), module)]; ok && strings.HasPrefix(module, "../") {
				add(int32(d))
			} else {
				add(r.byBase(doc, module))
			}
		}
	}
	return out
}

// visible is what a file sees.
func (r *Resolver) visible(doc int32, uses *edges.Uses) *closure {
	c := r.closureOf(doc)
	uses.Key(c.key)
	return c
}

// byBase is the header of a bare name in angle brackets, which a directory given
// to the compiler holds: the only one of the revision with the name, if the
// language's own library has none. It is -1 where there is none.
func (r *Resolver) byBase(from int32, module string) int32 {
	if strings.ContainsRune(module, '/') || !strings.ContainsRune(module, '.') || standard[module] {
		return -1
	}
	list := r.bases[module]
	best, at := -1, int32(-1)
	dir := facts.DirOf(r.p.Files[from].Path)
	for _, d := range list {
		switch n := commonPrefix(dir, facts.DirOf(r.p.Files[d].Path)); {
		case n > best:
			best, at = n, d
		case n == best:
			at = -1
		}
	}
	return at
}

// standard are headers of C and of the systems it runs on which projects give the
// names of to files of their own, too.
var standard = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string tgmath threads time uchar wchar wctype unistd pthread fcntl dirent strings syslog sched poll semaphore regex glob grp pwd termios utime windows malloc memory alloca endian getopt dlfcn netdb search spawn") {
		m[name+".h"] = true
	}
	return m
}()
