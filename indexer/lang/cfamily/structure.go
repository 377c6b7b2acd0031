package cfamily

// itemKind tells what a statement at the level of declarations is.
type itemKind uint8

const (
	itemPlain     itemKind = iota
	itemFunction           // has a body
	itemClass              // struct, class or union with members
	itemNamespace          // holds declarations
	itemLinkage            // extern "C" { }
	itemAccess             // public: and the like
)

// item is one statement at the level of declarations, found by its tokens.
type item struct {
	kind       itemKind
	start, end uint32
	// head are the tokens before the body; open and close are its braces, close
	// is the end of the text where the brace is missing.
	head        []token
	open, close uint32
	children    []item
}

const (
	// maxLevels bounds nested namespaces and classes.
	maxLevels = 24
	// maxAngles bounds template arguments, in tokens.
	maxAngles = 600
	// maxRescan bounds the tokens looked at in vain for the end of bodies whose
	// braces do not match, as a multiple of all.
	maxRescan = 20
)

// structure finds the statements of a text and blanks the macros around them.
type structure struct {
	c       *cleaned
	cpp     bool
	t       []token
	classes []string
	vain    int // tokens looked at in vain
}

func (s *structure) run() {
	s.t = s.c.live
	if s.cpp {
		s.memberPointers()
	}
	for i := 0; i < len(s.t); {
		var items []item
		items, i = s.declarations(i, 0)
		s.c.items = append(s.c.items, items...)
		if i < len(s.t) { // a closing brace without its opening one
			s.c.blank(s.t[i].start, s.t[i].end)
			i++
		}
	}
}

func (s *structure) at(i int) token {
	if i < 0 || i >= len(s.t) {
		n := uint32(len(s.c.src))
		return token{kind: tEOF, start: n, end: n}
	}
	return s.t[i]
}

func (s *structure) word(i int) string {
	if t := s.at(i); t.kind == tWord {
		return s.c.text(t)
	}
	return ""
}

// declarations reads statements up to a closing brace or the end and gives the
// index of that.
func (s *structure) declarations(i, level int) ([]item, int) {
	var out []item
	for i < len(s.t) && s.t[i].kind != '}' {
		var it item
		next := 0
		it, next = s.statement(i, level)
		if next <= i {
			next = i + 1
		}
		i = next
		out = append(out, it)
	}
	return out, i
}

// statement reads one statement.
func (s *structure) statement(i, level int) (item, int) {
	start := i
	it := item{start: s.t[i].start}
	column := -1
	if s.t[i].line {
		column = s.c.column(s.t[i])
	}
	if next := s.access(i); next > 0 {
		it.kind, it.end = itemAccess, s.at(next-1).end
		it.head = s.t[i:next]
		return it, next
	}
	if s.t[i].kind == ';' {
		s.c.blank(it.start, it.start+1)
		it.end = it.start + 1
		return it, i + 1
	}
	s.noise(i)
	for s.cpp && s.word(i) == "template" && s.at(i+1).kind == '<' {
		end := s.angles(i + 1)
		if end == i+1 {
			break
		}
		i = end
	}
	keyword := ""   // of a type definition
	params := false // a group of parentheses was seen
	assigned := false
	initialisers := false // : a(b), c{d} of a constructor
	namespace, linkage := false, false
	finish := func(k int) (item, int) {
		it.end = s.at(k - 1).end
		if k > len(s.t) {
			it.end = uint32(len(s.c.src))
		}
		return it, min(k, len(s.t))
	}
	for k := i; ; {
		t := s.at(k)
		switch t.kind {
		case tEOF:
			return finish(k)
		case ';':
			if !s.cpp && params && !assigned && keyword == "" && s.oldStyle(start, k) {
				k++
				continue
			}
			if it.head == nil {
				it.head = s.t[start:k]
			}
			return finish(k + 1)
		case '}':
			return finish(k)
		case '(', '[':
			end := s.group(k)
			if end <= k {
				end = k + 1
			}
			// The arguments of a macro that was blanked are no parameters.
			if t.kind == '(' && s.c.bare[t.start] == '(' {
				params = true
			}
			k = end
			continue
		case '<':
			if end := s.angles(k); end > k && s.cpp && !assigned {
				k = end
				continue
			}
		case ',':
			for keywords[s.word(k+1)] == kwAttribute { // of one declarator of several
				end := k + 2
				if s.at(end).kind == '(' {
					end = max(s.group(end), end)
				}
				s.erase(k+1, end)
				k = end - 1
			}
		case '=':
			if s.word(k-1) != "operator" && s.word(k-2) != "operator" && !(k > i && s.at(k-1).kind == '=') {
				// int field = 0, other; reads like a pure function.
				if n := s.at(k + 1); len(s.classes) > 0 && !params && n.kind == tNumber && n.end-n.start == 1 && s.c.bare[n.start] == '0' {
					s.c.bare[n.start], s.c.out[n.start] = '1', '1'
				}
				assigned = true
			}
		case tString:
			if s.word(k-1) == "extern" {
				linkage = true
			}
		case ':':
			if params && keyword == "" {
				initialisers = true
			}
		case tWord:
			switch w := s.c.text(t); w {
			case "struct", "class", "union", "enum":
				if !params && !assigned && (s.cpp || w != "class") && !(w == "class" && keyword == "enum") && !(w == "struct" && keyword == "enum") {
					keyword = w
				}
			case "namespace":
				namespace = s.cpp
			}
			// A new statement below this one that was not ended: a macro or a
			// missing semicolon.
			if t.line && k > start && startsStatement(s.c.text(t)) && !assigned {
				if it.head == nil {
					it.head = s.t[start:k]
				}
				return finish(k)
			}
		case '{':
			prev := s.at(k - 1)
			switch {
			case assigned, initialisers && (prev.kind == tWord || prev.kind == '>') && s.word(k-1) != "try" && !isTrailing(s.word(k-1)):
				k, _ = s.braces(k, -1)
				continue
			case namespace && !params && level < maxLevels, linkage && !params && keyword == "" && s.at(k-1).kind == tString && level < maxLevels:
				it.kind = itemNamespace
				if !namespace {
					it.kind = itemLinkage
				}
				it.head, it.open = s.t[start:k], t.start
				var end int
				it.children, end = s.declarations(k+1, level+1)
				it.close = s.at(end).start
				return finish(end + 1)
			case (keyword == "struct" || keyword == "class" || keyword == "union") && !params && level < maxLevels:
				it.kind = itemClass
				it.head, it.open = s.t[start:k], t.start
				end, closed := s.braces(k, column)
				full := s.t
				if closed {
					s.t = full[:end-1]
				}
				s.classes = append(s.classes, s.className(start, k))
				it.children, _ = s.members(k+1, level+1)
				s.classes = s.classes[:len(s.classes)-1]
				s.t = full
				it.close = s.at(end - 1).start
				if !closed {
					it.close = uint32(len(s.c.src))
				}
				k = end
				if !closed {
					return finish(k)
				}
				// Declarators may follow, up to a semicolon.
				if s.at(k).kind == ';' {
					return finish(k + 1)
				}
				for s.at(k).kind == tWord || s.at(k).kind == '*' || s.at(k).kind == ',' || s.at(k).kind == '[' || s.at(k).kind == '(' || s.at(k).kind == '=' || s.at(k).kind == '{' {
					if s.at(k).line && startsStatement(s.word(k)) {
						return finish(k)
					}
					switch s.at(k).kind {
					case '[', '(':
						end := s.group(k)
						k = max(end, k+1)
						continue
					case '{':
						k, _ = s.braces(k, -1)
						continue
					case '=':
						for s.at(k).kind != ';' && s.at(k).kind != tEOF && s.at(k).kind != '}' {
							if s.at(k).kind == '{' {
								k, _ = s.braces(k, -1)
								continue
							}
							k++
						}
						continue
					}
					k++
				}
				if s.at(k).kind == ';' {
					k++
				}
				return finish(k)
			case keyword == "enum" && !params:
				end, _ := s.braces(k, -1)
				if it.head == nil {
					it.head = s.t[start:k]
				}
				k = end
				continue
			case !params && (prev.kind == tWord || prev.kind == '>' || prev.kind == ']') && k > start+1 && level >= 0 && s.variable(k):
				k, _ = s.braces(k, -1) // int x{3};
				continue
			default:
				it.kind = itemFunction
				it.head, it.open = s.t[start:k], t.start
				end, closed := s.braces(k, column)
				it.close = s.at(end - 1).start
				if !closed {
					it.close = uint32(len(s.c.src))
				}
				for s.cpp && s.word(end) == "catch" && s.at(end+1).kind == '(' { // function try block
					open := s.group(end + 1)
					if s.at(open).kind != '{' {
						break
					}
					end, _ = s.braces(open, column)
				}
				return finish(end)
			}
		}
		k++
	}
}

// members reads the statements of a class; its tokens end before the closing
// brace, and a stray one inside is skipped.
func (s *structure) members(i, level int) ([]item, int) {
	var out []item
	for i < len(s.t) {
		items, next := s.declarations(i, level)
		out = append(out, items...)
		i = next
		if i < len(s.t) {
			s.c.blank(s.t[i].start, s.t[i].end)
			i++
		}
	}
	return out, i
}

// variable tells whether the braces at k are an initialiser: a semicolon or a
// comma follows them.
func (s *structure) variable(k int) bool {
	end, closed := s.braces(k, -1)
	return closed && (s.at(end).kind == ';' || s.at(end).kind == ',')
}

// access gives the index past public: and the like, or 0.
func (s *structure) access(i int) int {
	switch s.word(i) {
	case "public", "protected", "private", "signals", "Q_SIGNALS":
	default:
		return 0
	}
	for k := i + 1; k < i+3; k++ {
		switch {
		case s.at(k).kind == ':':
			return k + 1
		case s.at(k).kind != tWord:
			return 0
		}
	}
	return 0
}

// className is the last name before the bases or the body.
func (s *structure) className(i, end int) string {
	name := ""
	seen := false
	for k := i; k < end; k++ {
		switch t := s.at(k); t.kind {
		case tWord:
			switch w := s.c.text(t); w {
			case "struct", "class", "union":
				seen = true
			case "final":
			default:
				if seen && s.c.bare[t.start] != ' ' {
					name = w
				}
			}
		case ':', '<':
			if seen && name != "" {
				return name
			}
		case '(':
			k = max(k, s.group(k)-1)
		}
	}
	return name
}

// startsStatement lists keywords that only a statement at the level of
// declarations starts with.
func startsStatement(w string) bool {
	switch w {
	case "typedef", "namespace", "template", "using", "static", "static_assert", "_Static_assert", "extern", "friend":
		return true
	}
	return false
}

func isTrailing(w string) bool {
	switch w {
	case "const", "volatile", "noexcept", "override", "final", "mutable":
		return true
	}
	return false
}

// oldStyle tells whether the semicolon at k ends a declaration of parameters
// between a function's head and its body.
func (s *structure) oldStyle(start, k int) bool {
	words := 0
	for i := k - 1; i > start && s.at(i).kind != ')' && s.at(i).kind != ';'; i-- {
		if s.at(i).kind == tWord {
			words++
		}
	}
	if words < 2 {
		return false
	}
	for i := k + 1; i < k+400; i++ {
		switch t := s.at(i); t.kind {
		case '{':
			return s.at(i-1).kind == ';'
		case tWord:
			if keywords[s.c.text(t)] == kwStorage && s.c.text(t) != "const" && s.c.text(t) != "register" && s.c.text(t) != "volatile" {
				return false
			}
			if t.line && s.c.column(t) == 0 && s.at(start).line && s.at(k).kind == ';' && s.at(i-1).kind != ';' {
				return false
			}
		case '*', ',', ';', '[', ']', tNumber:
		case '(':
			if s.at(i+1).kind != '*' {
				return false
			}
			i = s.group(i) - 1
			if s.at(i+1).kind == '(' {
				i = s.group(i+1) - 1
			}
		default:
			return false
		}
	}
	return false
}

// memberPointers blanks the class of a pointer to a member, T C::*p, which the
// grammar does not know.
func (s *structure) memberPointers() {
	out := s.t[:0]
	for i, t := range s.t {
		n := len(out)
		if t.kind != tScope || s.at(i+1).kind != '*' || n == 0 || out[n-1].kind != tWord {
			out = append(out, t)
			continue
		}
		s.c.blank(t.start, t.end)
		for n > 0 && out[n-1].kind == tWord {
			s.c.blank(out[n-1].start, out[n-1].end)
			n--
			if n == 0 || out[n-1].kind != tScope {
				break
			}
			s.c.blank(out[n-1].start, out[n-1].end)
			n--
		}
		out = out[:n]
	}
	s.t = out
}
