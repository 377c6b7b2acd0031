package cfamily

// params trims the parameters between the parentheses at from and before to.
func (s *structure) params(from, to int) {
	var run []elem
	star, prim := false, false
	flush := func() {
		allowed := 2
		if prim || star {
			allowed = 1
		}
		names := 0
		for _, e := range run {
			if e.class == elemIdent || e.class == elemCall {
				names++
			}
		}
		for pass := 0; pass < 2 && names > allowed; pass++ {
			for i, e := range run {
				if names > allowed && e.class != elemKeyword && (e.class == elemCall) == (pass == 0) && (e.caps || e.class == elemCall) {
					s.erase(e.from, e.to)
					run[i].class = elemKeyword
					names--
				}
			}
		}
		run = run[:0]
	}
	for k := from + 1; k < to-1 && k < len(s.t); {
		t := s.t[k]
		switch {
		case t.kind == ',':
			flush()
			star, prim = false, false
			k++
		case t.kind == '=':
			flush()
			depth := 0
			for k < to-1 && (depth > 0 || s.t[k].kind != ',') {
				switch s.t[k].kind {
				case '(', '[', '{', '<':
					depth++
				case ')', ']', '}', '>':
					depth--
				}
				k++
			}
		case t.kind == '*' || t.kind == '&':
			flush()
			star = true
			k++
		case t.kind == tWord:
			w := s.c.text(t)
			switch keywords[w] {
			case kwPrimitive:
				prim = true
				k++
			case kwAttribute:
				end := k + 1
				if s.at(end).kind == '(' {
					end = s.group(end)
				}
				s.erase(k, end)
				k = max(end, k+1)
			case 0:
				end := s.qualified(k)
				e := elem{k, end, elemIdent, isCaps(w)}
				if s.at(end).kind == '(' && end == k+1 && isCaps(w) {
					e.class, e.to = elemCall, s.group(end)
				}
				run = append(run, e)
				k = max(e.to, k+1)
			default:
				k++
			}
		case t.kind == '(' || t.kind == '[' || t.kind == '{':
			flush()
			end := s.group(k)
			if t.kind == '{' {
				end, _ = s.braces(k, -1)
			}
			k = max(end, k+1)
		default:
			k++
		}
	}
	flush()
}

// suffix blanks macros after the parameters.
func (s *structure) suffix(k int) {
	for {
		t := s.at(k)
		if t.kind == tArrow {
			// A trailing return type, and macros after it.
			return
		}
		if t.kind == '&' {
			k++
			continue
		}
		if t.kind != tWord {
			return
		}
		w := s.c.text(t)
		end := k + 1
		if s.at(end).kind == '(' {
			end = max(s.group(end), k+1)
		}
		class := keywords[w]
		switch {
		case isTrailing(w) || w == "throw" || w == "try":
			k = end
		case class == kwAttribute || w == "asm" || w == "__asm__" || w == "__asm":
			s.erase(k, end)
			k = end
		case class != 0:
			return
		default:
			next := s.at(end)
			if next.kind == tWord && keywords[s.c.text(next)] == 0 && !isCaps(w) || next.kind == '*' || next.kind == '[' || next.kind == ',' {
				return // parameters of the old style
			}
			s.erase(k, end)
			k = end
		}
	}
}

// titled tells whether the parentheses between from and end are those of a test
// whose title is a string: TEST_CASE("title") {.
func (s *structure) titled(from, end int) bool {
	if s.at(end).kind != '{' {
		return false
	}
	for k := from; k < end; k++ {
		if s.at(k).kind == tString {
			return true
		}
	}
	return false
}

// constraint gives the index past A<B> && (c) that starts at k, behind requires, or
// k-1 where it holds more than names, parentheses and what joins them.
func (s *structure) constraint(k int) int {
	start := k
	for {
		switch t := s.at(k); {
		case t.kind == '(':
			end := s.group(k)
			if end <= k {
				return start - 1
			}
			k = end
		case t.kind == tWord && keywords[s.c.text(t)] == 0:
			k = s.qualified(k)
		default:
			return start - 1
		}
		t := s.at(k).kind
		if t != '&' && t != '|' || s.at(k+1).kind != t {
			return k
		}
		k += 2
	}
}

// templateMacros replaces macros with arguments among template parameters, which
// hold any expression, by an unnamed parameter.
func (s *structure) templateMacros(from, to int) {
	for k := from; k < to; k++ {
		if s.at(k).kind == '(' {
			k = max(k, s.group(k)-1)
			continue
		}
		if s.at(k).kind != tWord || s.at(k+1).kind != '(' || keywords[s.word(k)] != 0 {
			continue
		}
		if before := s.word(k - 1); before != "" && keywords[before] == 0 { // class T M(x)
			end := s.group(k + 1)
			if n := s.at(end).kind; end > k+1 && (n == ',' || n == '>') {
				s.erase(k, end)
				k = end - 1
			}
			continue
		}
		if !isCaps(s.word(k)) {
			continue
		}
		if p := s.at(k - 1).kind; p != ',' && p != '<' {
			continue
		}
		end := s.group(k + 1)
		if n := s.at(end).kind; end <= k+1 || n != ',' && n != '>' {
			continue
		}
		start := s.t[k].start
		s.c.blank(start, s.t[end-1].end)
		copy(s.c.bare[start:], "int")
		copy(s.c.out[start:], "int")
		k = end - 1
	}
}
