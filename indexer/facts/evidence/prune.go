package evidence

import (
	"cmp"
	"slices"
)

// sortFiles orders the files by path, those of one path by source.
func (s *Set) sortFiles() {
	slices.SortStableFunc(s.Files, func(a, b File) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Source, b.Source)) })
}

// Prune orders the set, and drops the symbols that are not defined in any of its
// files with their occurrences: they are those of libraries.
func (s *Set) Prune() {
	s.sortFiles()
	for i := range s.Symbols {
		s.Symbols[i].defined = false
	}
	for _, f := range s.Files {
		for _, o := range f.Occurrences {
			x := &s.Symbols[o.Symbol]
			x.defined = x.defined || o.Definition
		}
	}
	number := make([]int32, len(s.Symbols))
	var kept []Symbol
	for i := range s.Symbols {
		number[i] = -1
		if s.Symbols[i].defined {
			number[i] = int32(len(kept))
			kept = append(kept, s.Symbols[i])
		}
	}
	for i := range kept {
		var to []int32
		for _, t := range kept[i].Implements {
			if number[t] >= 0 {
				to = append(to, number[t])
			}
		}
		kept[i].Implements = to
	}
	for i := range s.Files {
		var list []Occurrence
		for _, o := range s.Files[i].Occurrences {
			if n := number[o.Symbol]; n >= 0 {
				o.Symbol = n
				list = append(list, o)
			}
		}
		s.Files[i].Occurrences = list
	}
	s.Symbols = kept
}
