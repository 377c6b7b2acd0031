package store

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/project-map/project-map/indexer/facts/words"
)

// Commit is an ancestor of the revision.
type Commit struct {
	Time int64 // of the committer, seconds since 1970
	// Words is the length of its message in words.
	Words int
	// Files is how many files it touched.
	Files int
	// Docs are those of them that are still there, by their present names.
	Docs []int
}

// NumCommits is the number of commits of the past that the catalog knows, which
// are numbered from the newest, 0.
func (c *Catalog) NumCommits() int { return len(c.sec[secCommits]) / commitSize }

// Commit is the commit of a number in [0, NumCommits).
func (c *Catalog) Commit(i int) Commit {
	r := record(c.sec[secCommits][i*commitSize:])
	out := Commit{Time: int64(r.u32(commitTime)), Words: int(r.u32(commitWords)), Files: int(r.u32(commitFiles))}
	docs := c.sec[secCommitDocs]
	first, last := uint64(r.u32(commitDocs)), uint64(len(docs)/4)
	if i+1 < c.NumCommits() {
		last = min(last, uint64(record(c.sec[secCommits][(i+1)*commitSize:]).u32(commitDocs)))
	}
	for k := first; k < last; k++ {
		if d := int(binary.LittleEndian.Uint32(docs[4*k:])); d < c.NumDocs() {
			out.Docs = append(out.Docs, d)
		}
	}
	return out
}

// CommitPostings calls yield for every commit whose message holds a term, from
// the newest, with how often.
func (c *Catalog) CommitPostings(term string, yield func(commit, count int)) {
	n, list := dictionary{c.sec[secCommitBlocks], c.sec[secCommitTerms], c.sec[secCommitLists]}.find(term)
	commit := -1
	for range n {
		delta, k := binary.Uvarint(list)
		if k <= 0 || delta > math.MaxInt32 {
			return
		}
		count, m := binary.Uvarint(list[k:])
		if m <= 0 {
			return
		}
		list = list[k+m:]
		if commit += int(delta) + 1; commit >= c.NumCommits() {
			return
		}
		yield(commit, int(min(count, math.MaxUint16)))
	}
}

// PastCommit is a commit as it is added: its message and the documents it
// touched.
type PastCommit struct {
	ID      [20]byte
	Time    int64
	Message string
	Files   int
	Docs    []int
}

// SetCommits adds the past, newest first.
func (b *Builder) SetCommits(commits []PastCommit) { b.commits = commits }

func (b *Builder) compileCommits(sec *[numSections][]byte) {
	u := func(i int, v ...uint32) {
		for _, x := range v {
			sec[i] = binary.LittleEndian.AppendUint32(sec[i], x)
		}
	}
	type posting struct{ commit, count int }
	lists := map[string][]posting{}
	for i, c := range b.commits {
		n := 0
		for _, w := range words.Of(c.Message) {
			if w[:1] != words.WholePrefix {
				n++
			}
			list := lists[w]
			if k := len(list) - 1; k >= 0 && list[k].commit == i {
				list[k].count++
			} else {
				lists[w] = append(list, posting{i, 1})
			}
		}
		u(secCommits, uint32(max(c.Time, 0)), uint32(n), uint32(c.Files), uint32(len(sec[secCommitDocs])/4))
		docs := slices.Clone(c.Docs)
		slices.Sort(docs)
		for _, d := range slices.Compact(docs) {
			u(secCommitDocs, uint32(d))
		}
	}
	terms := make([]string, 0, len(lists))
	for t := range lists {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(x, y string) int { return cmp.Compare(x, y) })
	var w dictionaryWriter
	for _, t := range terms {
		offset, last := len(w.lists), -1
		for _, p := range lists[t] {
			w.lists = binary.AppendUvarint(w.lists, uint64(p.commit-last-1))
			w.lists = binary.AppendUvarint(w.lists, uint64(p.count))
			last = p.commit
		}
		w.add(t, len(lists[t]), offset)
	}
	sec[secCommitBlocks], sec[secCommitTerms], sec[secCommitLists] = w.blocks, w.terms, w.lists
}

// dictionaryWriter makes a dictionary of terms that are added in byte order.
type dictionaryWriter struct {
	dictionary
	n      int
	before string
}

// add appends a term with the number and the offset of its postings.
func (w *dictionaryWriter) add(term string, postings, offset int) {
	if w.n%blockTerms == 0 {
		w.blocks = binary.LittleEndian.AppendUint32(w.blocks, uint32(len(w.terms)))
		w.before = ""
	}
	w.n++
	shared := 0
	for shared < len(term) && shared < len(w.before) && term[shared] == w.before[shared] {
		shared++
	}
	w.terms = binary.AppendUvarint(w.terms, uint64(shared))
	w.terms = binary.AppendUvarint(w.terms, uint64(len(term)-shared))
	w.terms = append(w.terms, term[shared:]...)
	w.terms = binary.AppendUvarint(w.terms, uint64(postings))
	w.terms = binary.AppendUvarint(w.terms, uint64(offset))
	w.before = term
}
