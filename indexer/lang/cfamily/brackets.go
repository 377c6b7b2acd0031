package cfamily

// group gives the index just past the bracket that closes the one at i, which
// does not look past braces that open a body at the start of a line.
func (s *structure) group(i int) int { return s.groupWithin(i, len(s.t)) }

// groupWithin looks no further than an index.
func (s *structure) groupWithin(i, limit int) int {
	depth := 0
	for k := i; k < min(limit, len(s.t)); k++ {
		switch s.t[k].kind {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth <= 0 {
				return k + 1
			}
		case '{':
			if s.t[k].line && s.c.column(s.t[k]) == 0 {
				return k
			}
			end, _ := s.braces(k, -1)
			k = end - 1
		case '}':
			return k
		}
	}
	return min(limit, len(s.t))
}

// braces gives the index just past the brace that closes the one at i, and
// whether there is one. Where that brace does not stand below the start of the
// statement, the first one that does is taken: braces inside the body do not
// match then. column is that of the statement, -1 for any.
func (s *structure) braces(i, column int) (int, bool) {
	depth := 0
	first := -1
	line := s.at(i)
	sameLine := true
	for k := i; k < len(s.t); k++ {
		if k > i && s.t[k].line {
			sameLine = false
		}
		switch s.t[k].kind {
		case '{':
			depth++
		case '}':
			depth--
			under := !sameLine && s.t[k].line && column >= 0 && s.c.column(s.t[k]) == column
			if under && first < 0 {
				first = k + 1
				if depth > 0 && s.vain > maxRescan*len(s.t) {
					return first, true
				}
			}
			if depth > 0 {
				continue
			}
			if under || column < 0 || sameLine || first < 0 && s.t[k].line && s.t[i].line && s.c.column(s.t[k]) == s.c.column(line) {
				if first >= 0 && first < k+1 && !s.flat(i, first) {
					return first, true
				}
				return k + 1, true
			}
			if first >= 0 {
				return first, true
			}
			// Closed too early, or in another style: believe it unless a brace
			// below the statement follows before the next statement at its column.
			if at := s.below(k+1, column); at > 0 {
				return at, true
			}
			return k + 1, true
		}
	}
	s.vain += len(s.t) - i
	if first >= 0 {
		return first, true
	}
	return len(s.t), false
}

// flat tells whether the text between an opening brace and a closing one below
// its statement has other lines in that column, so that columns say nothing.
func (s *structure) flat(i, end int) bool {
	column := s.c.column(s.t[end-1])
	for k := i + 1; k < end-1; k++ {
		if s.t[k].line && s.t[k].kind != '{' && s.c.column(s.t[k]) <= column && s.at(k+1).kind != ':' {
			return true
		}
	}
	return false
}

// below looks for a closing brace at a column before anything else stands there.
func (s *structure) below(k, column int) int {
	for ; k < len(s.t); k++ {
		if s.t[k].line && s.c.column(s.t[k]) <= column {
			if s.t[k].kind == '}' {
				return k + 1
			}
			return -1
		}
	}
	return -1
}

// angles gives the index past the > that closes the < at i, or i where none does
// before something that no template argument holds.
func (s *structure) angles(i int) int {
	depth := 0
	limit := i + maxAngles
	for k := i; k < len(s.t) && k < limit; k++ {
		switch s.t[k].kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return k + 1
			}
		case '(', '[':
			end := s.groupWithin(k, limit)
			if end <= k {
				return i
			}
			k = end - 1
		case ';', '{', '}':
			return i
		}
	}
	return i
}
