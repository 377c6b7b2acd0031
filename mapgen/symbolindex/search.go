package symbolindex

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"
)

// searcher collects the matches of one query, best kind first, until it has
// enough.
type searcher struct {
	reader  index.IndexReader
	query   string
	fold    string
	limit   int
	matches []Match
	seen    map[string]bool
}

// candidate is a name or folded name with its closeness to the query.
type candidate struct {
	text  string
	edits int
	diff  int // difference in length, in characters
}

func (a candidate) compare(b candidate) int {
	return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.diff, b.diff))
}

func (s *searcher) run() error {
	for _, step := range []func() error{s.exact, s.prefix, s.words, s.fuzzy} {
		if len(s.matches) == s.limit {
			break
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// take adds names as matches in their order, up to the limit.
func (s *searcher) take(how How, found []candidate) {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(a.compare(b), strings.Compare(a.text, b.text))
	})
	for _, c := range found {
		if len(s.matches) == s.limit {
			return
		}
		if !s.seen[c.text] {
			s.seen[c.text] = true
			s.matches = append(s.matches, Match{c.text, how, score(how, c)})
		}
	}
}

// score maps each How to a band of its own and closeness to a place in it.
func score(how How, c candidate) float64 {
	closeness := 1 / float64(1+c.diff)
	switch how {
	case Exact:
		return 1
	case ExactFold:
		return 0.9
	case Prefix:
		return 0.6 + 0.2*closeness
	case Words:
		return 0.4 + 0.2*closeness
	}
	return 0.4/float64(1+c.edits) + 0.06*closeness // 0.20 to 0.26 for one edit, 0.13 to 0.20 for two
}

func (s *searcher) exact() error {
	names, err := s.named(s.fold)
	if err != nil {
		return err
	}
	var same, other []candidate
	for _, name := range names {
		if name == s.query {
			same = append(same, candidate{text: name})
		} else {
			other = append(other, candidate{text: name})
		}
	}
	s.take(Exact, same)
	s.take(ExactFold, other)
	return nil
}

func (s *searcher) prefix() error {
	if len(s.fold) < minPrefix {
		return nil
	}
	dict, err := s.reader.FieldDictPrefix(fieldFold, []byte(s.fold))
	if err != nil {
		return err
	}
	return s.fromDict(Prefix, dict, func(string) int { return 0 })
}

func (s *searcher) fuzzy() error {
	n := utf8.RuneCountInString(s.fold)
	edits := 0
	switch {
	case n > maxFuzzy || n < minFuzzy1:
		return nil
	case n >= minFuzzy2:
		edits = 2
	default:
		edits = 1
	}
	r, ok := s.reader.(index.IndexReaderFuzzy)
	if !ok {
		return errors.New("the index has no fuzzy search")
	}
	dict, err := r.FieldDictFuzzy(fieldFold, s.fold, edits, "")
	if err != nil {
		return err
	}
	return s.fromDict(Fuzzy, dict, func(term string) int { return editDistance(s.fold, term) })
}

// fromDict takes the names of the closest terms of a dictionary of fieldFold.
// It closes dict.
func (s *searcher) fromDict(how How, dict index.FieldDict, edits func(term string) int) error {
	defer dict.Close()
	var terms []candidate
	length := utf8.RuneCountInString(s.fold)
	for {
		e, err := dict.Next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		diff := utf8.RuneCountInString(e.Term) - length
		terms = append(terms, candidate{strings.Clone(e.Term), edits(e.Term), max(diff, -diff)})
	}
	slices.SortFunc(terms, candidate.compare)
	// Names are looked up for whole groups of equally close terms, because the
	// order within a group is that of the names, not of the terms.
	var found []candidate
	for i, t := range terms {
		if i > 0 && t.compare(terms[i-1]) != 0 {
			s.take(how, found)
			found = found[:0]
			if len(s.matches) == s.limit {
				return nil
			}
		}
		names, err := s.named(t.text)
		if err != nil {
			return err
		}
		for _, name := range names {
			found = append(found, candidate{name, t.edits, t.diff})
		}
	}
	s.take(how, found)
	return nil
}

// named returns the names whose folded form is term, in no particular order.
func (s *searcher) named(term string) ([]string, error) {
	var names []string
	postings, err := s.postings(fieldFold, term)
	if err != nil {
		return nil, err
	}
	defer postings.Close()
	var doc index.TermFieldDoc
	for {
		d, err := postings.Next(doc.Reset())
		if err != nil {
			return nil, err
		}
		if d == nil {
			return names, nil
		}
		name, err := s.reader.ExternalID(d.ID)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
}

func (s *searcher) postings(field, term string) (index.TermFieldReader, error) {
	return s.reader.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
}

// words intersects the posting lists of the words of the query, driven by the
// shortest.
func (s *searcher) words() (err error) {
	words := splitWords(s.query)
	if len(words) == 0 {
		return nil
	}
	var lists []index.TermFieldReader
	defer func() {
		for _, l := range lists {
			err = cmp.Or(err, l.Close())
		}
	}()
	for _, w := range words {
		l, err := s.postings(fieldWords, w)
		if err != nil {
			return err
		}
		lists = append(lists, l)
		if l.Count() == 0 {
			return nil
		}
	}
	slices.SortStableFunc(lists, func(a, b index.TermFieldReader) int { return cmp.Compare(a.Count(), b.Count()) })

	var found []candidate
	length := utf8.RuneCountInString(s.query)
	var first, other index.TermFieldDoc // reused from one posting to the next
	for {
		d, err := lists[0].Next(first.Reset())
		if err != nil {
			return err
		}
		if d == nil {
			break
		}
		all := true
		for _, l := range lists[1:] {
			at, err := l.Advance(d.ID, other.Reset())
			if err != nil {
				return err
			}
			if at == nil || !bytes.Equal(at.ID, d.ID) {
				all = false
				break
			}
		}
		if !all {
			continue
		}
		name, err := s.reader.ExternalID(d.ID)
		if err != nil {
			return err
		}
		diff := utf8.RuneCountInString(name) - length
		found = append(found, candidate{text: name, diff: max(diff, -diff)})
	}
	s.take(Words, found)
	return nil
}
