package sql

// blocks follows BEGIN … END in a routine, so that the semicolons of its body
// do not end it.
type blocks struct {
	routine byte // 'r' a routine, 'p' a package, 'n' neither; 0 not known yet
	state   byte // 'a' behind AS, waiting for BEGIN; 'b' inside BEGIN; 't' behind the last END
	depth   int
	pending string // BEGIN, END or AS whose meaning the next word decides
}

// open tells whether a semicolon belongs to the body.
func (s *blocks) open() bool { return s.state == 'a' || s.state == 'b' }

// settle decides what the last word meant, now that the next is known; "" is
// anything but a word.
func (s *blocks) settle(next string) {
	p := s.pending
	s.pending = ""
	switch p {
	case "begin":
		switch next {
		case "tran", "transaction", "work", "distributed", "dialog", "conversation":
		default:
			s.depth++
			s.state = 'b'
		}
	case "end":
		switch next {
		case "if", "loop", "while", "repeat", "for", "conversation":
			return
		}
		s.depth--
		if s.depth <= 0 {
			s.depth, s.state = 0, 't'
		}
		if next == "case" {
			s.pending = "end case"
		}
	case "as":
		switch next {
		case "", "begin", "return", "language", "external", "select", "with", "using", "table", "callable", "native", "values":
			// A quoted body, an expression, or a clause: an ordinary statement. A
			// query ends at its semicolon; the rest of a batch is read as such.
		default:
			s.state = 'a'
		}
	}
}

// nested reads a word inside parentheses.
func (s *blocks) nested(w string) {
	if s.state == 'b' {
		s.inside(w)
	}
}

func (s *blocks) inside(w string) {
	switch w {
	case "begin", "end":
		s.pending = w
	case "case":
		if s.pending != "end case" {
			s.depth++
		}
		s.pending = ""
	}
}

// word reads a word outside of parentheses, before it is added to the
// statement.
func (s *blocks) word(l *lexer, w string, rest []byte) {
	if s.state == 'b' {
		s.inside(w)
		return
	}
	if w != "as" && w != "is" && w != "begin" || s.state == 't' {
		return
	}
	if s.routine == 0 {
		s.routine = 'n'
		if l.is(l.from, "create") || l.is(l.from, "alter") {
			switch kind, at := objectKind(l.t, l.from, len(l.t.All)); kind {
			case "function", "procedure", "proc", "trigger", "event":
				s.routine = 'r'
			case "package":
				s.routine = 'p'
			case "type":
				if l.is(at+1, "body") {
					s.routine = 'p'
				}
			}
		}
	}
	switch {
	case s.routine == 'n':
	case w == "begin":
		s.pending = w
	case s.routine == 'p':
		s.depth, s.state = 1, 'b'
	case s.state == 0:
		s.pending = "as"
	}
}
