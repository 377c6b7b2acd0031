package cfamily

import "slices"

// prefix trims the words before the declarator whose name stands at k.
func (s *structure) prefix(run []elem, k int) {
	name := s.word(k)
	end := s.qualified(k)
	constructor := len(s.classes) > 0 && name == s.classes[len(s.classes)-1] && end == k+1
	if last := s.word(end - 1); end-k >= 3 && s.at(end-2).kind == tScope {
		for p := end - 3; p >= k; p-- {
			if s.at(p).kind == tWord {
				constructor = constructor || s.c.text(s.at(p)) == last && p == end-3
				break
			}
		}
	}
	if constructor && s.cpp {
		s.eraseAll(run)
		return
	}
	s.trim(run, 1)
}

// trim blanks names until at most allowed are left, or none beside a built-in
// type.
func (s *structure) trim(run []elem, allowed int) {
	at := slices.IndexFunc(run, func(e elem) bool { return s.word(e.from) == "typedef" })
	if at > 0 { // MACRO typedef
		s.eraseAll(run[:at])
		run = run[at:]
	}
	names := 0
	lastIdent := -1
	for i, e := range run {
		switch e.class {
		case elemPrimitive:
			allowed = 0
		case elemIdent:
			names++
			lastIdent = i
		case elemCall:
			names++
		}
	}
	if (s.cpp || at >= 0) && names == 1 && allowed == 1 && lastIdent < 0 {
		// MACRO(T) name: the grammar of C++ knows no such type, that of C none in
		// a typedef, so that the macro alone has to stand for it.
		for _, e := range run {
			if e.class == elemCall {
				s.erase(e.from+1, e.to)
			}
		}
	}
	if names <= allowed {
		return
	}
	keep := -1
	if allowed > 0 {
		keep = lastIdent
		if keep < 0 {
			keep = len(run) - 1
			for keep >= 0 && run[keep].class != elemCall {
				keep--
			}
		} else if run[keep].caps {
			// size_t EXPORT f(: the type is the one that is no capitals.
			for i := keep - 1; i >= 0; i-- {
				if run[i].class == elemIdent && !run[i].caps {
					keep = i
					break
				}
			}
		}
	}
	for i, e := range run {
		if i != keep && (e.class == elemIdent || e.class == elemCall) {
			s.erase(e.from, e.to)
		}
	}
}

// eraseAll blanks the names of a run.
func (s *structure) eraseAll(run []elem) {
	for _, e := range run {
		if e.class == elemIdent || e.class == elemCall {
			s.erase(e.from, e.to)
		}
	}
}

func (s *structure) erase(from, to int) {
	if to > len(s.t) {
		to = len(s.t)
	}
	if from >= to {
		return
	}
	start, end := s.t[from].start, s.t[to-1].end
	s.c.blank(start, end)
	s.c.noise = append(s.c.noise, token{kind: tWord, start: start, end: end})
}

// tagged trims a head with struct, class, union or enum; k is the terminator.
func (s *structure) tagged(run []elem, k int) {
	at := len(run) - 1
	for at >= 0 && run[at].class != elemTag {
		at--
	}
	first := 0
	for run[first].class != elemTag {
		first++
	}
	s.eraseAll(run[:first])
	rest := run[at+1:]
	var names []elem
	for _, e := range rest {
		if e.class == elemIdent && s.c.text(s.t[e.from]) == "final" {
			continue
		}
		if e.class == elemIdent || e.class == elemCall {
			names = append(names, e)
		}
	}
	t := s.at(k)
	if t.kind == ':' && len(names) == 0 && s.word(run[at].from) == "enum" {
		// enum : base { has no name, which the grammar does not read.
		end := k
		for end < k+20 && s.at(end).kind != '{' && s.at(end).kind != tEOF {
			end++
		}
		s.erase(k, end)
		return
	}
	if t.kind == '{' || t.kind == ':' && len(names) > 0 {
		keep := len(names) - 1
		for keep >= 0 && names[keep].class == elemCall {
			keep--
		}
		for i, e := range names {
			if i != keep {
				s.erase(e.from, e.to)
			}
		}
		return
	}
	// struct foo *bar(, struct foo x;
	if len(names) > 0 && names[len(names)-1].class == elemCall && len(names) >= 2 {
		e := names[len(names)-1]
		for i := 1; i < len(names)-1; i++ {
			s.erase(names[i].from, names[i].to)
		}
		s.suffix(e.to)
		return
	}
	if t.kind == ';' && len(names) == 2 && names[0].caps && s.cpp && at == 0 {
		s.erase(names[0].from, names[0].to)
		return
	}
	if t.kind == '*' || t.kind == '&' {
		for i := 1; i < len(names); i++ {
			s.erase(names[i].from, names[i].to)
		}
		s.pointed(k)
		return
	}
	for i := 1; i < len(names)-1; i++ {
		s.erase(names[i].from, names[i].to)
	}
}

// pointed trims the names after a star: the last one is the declarator's.
func (s *structure) pointed(k int) int {
	var names []int
	for {
		t := s.at(k)
		switch {
		case t.kind == '*' || t.kind == '&':
			k++
			continue
		case t.kind == tWord && s.word(k) == "operator":
			for _, n := range names {
				s.erase(n, n+1)
			}
			return k
		case t.kind == tWord && keywords[s.c.text(t)] == kwAttribute:
			end := k + 1
			if s.at(end).kind == '(' {
				end = s.group(end)
			}
			s.erase(k, end)
			k = end
			continue
		case t.kind == tWord && keywords[s.c.text(t)] == 0:
			end := s.qualified(k)
			names = append(names, k)
			if end > k+1 || s.at(end).kind == '(' {
				if s.at(end).kind == '(' && s.at(s.group(end)).kind == tWord && s.at(s.group(end)+1).kind == '(' && isCaps(s.word(k)) && !isTrailing(s.word(s.group(end))) {
					// * MACRO(x) name(
					s.erase(k, s.group(end))
					names = names[:len(names)-1]
					k = s.group(end)
					continue
				}
				for _, n := range names[:len(names)-1] {
					s.erase(n, n+1)
				}
				if s.at(end).kind == '(' {
					stop := s.group(end)
					s.params(end, stop)
					s.suffix(stop)
				}
				return k
			}
			k = end
			continue
		case t.kind == tWord && keywords[s.c.text(t)] == kwStorage:
			k++
			continue
		}
		if len(names) > 1 {
			for _, n := range names[:len(names)-1] {
				s.erase(n, n+1)
			}
		}
		return k
	}
}
