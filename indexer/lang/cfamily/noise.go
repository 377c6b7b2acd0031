package cfamily

// elem is a word at the head of a declaration, with what belongs to it.
type elem struct {
	from, to int // tokens
	class    elemClass
	caps     bool
}

type elemClass uint8

const (
	elemKeyword   elemClass = iota // storage class, qualifier
	elemPrimitive                  // int and the like
	elemTag                        // struct, class, union, enum
	elemIdent                      // a name, qualified or with template arguments
	elemCall                       // a name with parentheses
)

// noise blanks, at the head of the statement at i, the macros that stand before
// or behind its type and after its parameters. It gives the index of the
// declarator's name.
func (s *structure) noise(i int) int {
	k := i
	for s.cpp && s.word(k) == "template" && s.at(k+1).kind == '<' {
		end := s.angles(k + 1)
		if end == k+1 {
			return k
		}
		s.templateMacros(k+2, end-1)
		k = end
		if s.word(k) == "requires" {
			if end = s.constraint(k + 1); end == k { // an expression
				return k
			}
			k = end
		}
	}
	var run []elem
	tag := false
	for {
		t := s.at(k)
		if t.kind == '[' && s.at(k+1).kind == '[' && s.cpp { // [[attribute]]
			end := s.group(k)
			s.erase(k, end)
			k = max(end, k+1)
			continue
		}
		if t.kind == tScope && s.at(k+1).kind == tWord && len(run) == 0 {
			k++
			continue
		}
		if t.kind == tString && s.word(k-1) == "extern" {
			k++
			continue
		}
		if t.kind != tWord {
			break
		}
		w := s.c.text(t)
		switch class, known := keywords[w]; {
		case known && class == kwAttribute:
			end := k + 1
			if s.at(end).kind == '(' {
				end = s.group(end)
			}
			s.erase(k, end)
			k = end
			continue
		case known && class == kwStorage:
			run = append(run, elem{k, k + 1, elemKeyword, false})
			k++
			if (w == "explicit" || w == "alignas" || w == "decltype" || w == "typeof") && s.at(k).kind == '(' {
				k = s.group(k)
			}
			continue
		case known && class == kwPrimitive:
			run = append(run, elem{k, k + 1, elemPrimitive, false})
			k++
			if (w == "decltype" || w == "typeof" || w == "__typeof__") && s.at(k).kind == '(' {
				k = s.group(k)
			}
			continue
		case known && class == kwTag:
			run = append(run, elem{k, k + 1, elemTag, false})
			tag = true
			k++
			continue
		case known && class == kwStatement:
			// using, template and the like: whatever stands before is noise.
			if len(run) > 0 {
				s.eraseAll(run)
			}
			if w == "template" && len(run) > 0 {
				return s.noise(k)
			}
			return k
		case known && class == kwOther:
			goto done
		}
		{
			e := elem{k, k + 1, elemIdent, isCaps(w)}
			if s.at(k+1).kind == '(' {
				end := s.group(k + 1)
				pointer := s.at(k+2).kind == '*' && s.at(end).kind == '(' // type (*name)(
				if pointer && !isCaps(w) {
					e.to = k + 1
					run = append(run, e)
					k++
					goto done
				}
				if e.caps && macroCalls(run) && s.titled(k+1, end) {
					s.eraseAll(run)
					s.erase(k+2, end-1)
					return k
				}
				if len(run) == 0 && s.word(k+2) == "static" && s.at(end).kind == ';' {
					s.erase(k+2, end-1) // generate(static, type, name);
					return k
				}
				if !tag && s.isDeclarator(run, end) {
					s.prefix(run, k)
					s.params(k+1, end)
					s.suffix(end)
					return k
				}
				e.class, e.to = elemCall, end
				if end <= k+1 {
					return k
				}
			} else {
				e.to = s.qualified(k)
				if s.at(e.to).kind == '(' && e.to > k+1 {
					// Foo::bar(, Box<T>(
					end := s.group(e.to)
					if s.isDeclarator(run, end) && !tag {
						s.prefix(run, k)
						s.params(e.to, end)
						s.suffix(end)
						return k
					}
				}
			}
			run = append(run, e)
			k = e.to
		}
	}
done:
	if tag {
		s.tagged(run, k)
		return k
	}
	t := s.at(k)
	switch t.kind {
	case tScope: // Foo::~Foo(, Foo::operator bool(
		switch {
		case len(run) == 0:
		case s.at(k+1).kind == '~':
			s.eraseAll(run[:len(run)-1])
			if s.at(k+3).kind == '(' {
				s.suffix(s.group(k + 3))
			}
		case s.word(k+1) == "operator":
			s.operator(run[:len(run)-1], k+1)
		}
	case '~':
		s.eraseAll(run)
		if s.at(k+2).kind == '(' {
			s.suffix(s.group(k + 2))
		}
	case '*', '&':
		s.trim(run, 1)
		return s.pointed(k)
	case '(':
		s.trim(run, 1)
		if end := s.group(k); end > k && s.at(end).kind == '(' { // int (*f)(
			stop := s.group(end)
			s.params(end, stop)
			s.suffix(stop)
		}
	case ';', '=', ',', '[', '{', ':':
		// The last name is the declarator.
		n := len(run)
		if t.kind == '{' && n == 1 {
			return k
		}
		for n > 0 && run[n-1].class != elemIdent {
			n--
		}
		if n > 0 {
			types := run[:n-1]
			if hasType(types) {
				s.trim(types, 1)
				return run[n-1].from
			}
		}
	case '}', tEOF:
		if onlyMacros(run) {
			s.eraseAll(run)
		}
	case tWord:
		switch s.c.text(t) {
		case "operator":
			s.operator(run, k)
		case "public", "protected", "private", "signals":
			s.eraseAll(run)
		}
	}
	return k
}

// operator trims the words before the operator function at k; one that converts
// has no type before it.
func (s *structure) operator(run []elem, k int) {
	if s.at(k+1).kind == tWord && s.word(k+1) != "new" && s.word(k+1) != "delete" && s.word(k+1) != "co_await" {
		s.eraseAll(run)
	} else {
		s.trim(run, 1)
	}
	for p := k + 1; p < k+8; p++ {
		if s.at(p).kind == '(' {
			if s.at(p-1).kind == tWord && s.word(p-1) == "operator" {
				p++
				continue
			}
			s.suffix(s.group(p))
			break
		}
	}
}

// qualified gives the index past a::b<c>::d that starts at k.
func (s *structure) qualified(k int) int {
	k++
	for {
		switch {
		case s.at(k).kind == tScope && s.at(k+1).kind == tWord && keywords[s.word(k+1)] == 0:
			k += 2
		case s.at(k).kind == '<' && s.cpp:
			end := s.angles(k)
			if end == k {
				return k
			}
			k = end
		default:
			return k
		}
	}
}

// isDeclarator tells whether the parentheses that end before end are parameters
// rather than the arguments of a macro among the specifiers.
func (s *structure) isDeclarator(run []elem, end int) bool {
	t := s.at(end)
	switch t.kind {
	case '*', '&':
		return hasType(run)
	case tWord:
	default:
		return true
	}
	w := s.c.text(t)
	if isTrailing(w) || w == "throw" || w == "try" || w == "requires" || w == "asm" || w == "__asm__" || w == "__asm" {
		return w != "const" || hasType(run) || !s.newStatement(end)
	}
	if keywords[w] == kwAttribute {
		return hasType(run) || !s.newStatement(end)
	}
	for _, e := range run {
		if e.class == elemKeyword && s.word(e.from) == "typedef" {
			return false
		}
	}
	if hasType(run) {
		return !t.line || !s.macroCallBefore(run, end) && !s.definesBelow(end)
	}
	if keywords[w] != 0 || t.line && !isCaps(w) {
		return false
	}
	if len(run) > 0 && !isCaps(w) && (s.word(run[0].from) == "extern" || s.word(run[0].from) == "static") {
		return false // extern TYPE(x) name;
	}
	// Foo(int x) MACRO {
	next := end + 1
	if s.at(next).kind == '(' {
		next = s.group(next)
	}
	k := s.at(next).kind
	return k == ';' && !t.line || k == '{' && s.at(end+1).kind != '(' || k == ':'
}

// newStatement tells whether a declaration starts at k rather than goes on.
func (s *structure) newStatement(k int) bool {
	return s.at(k).line && s.at(k+1).kind == tWord
}

// definesBelow is for M(x) in "int M(x)\nf(int y) {": a function follows on the
// next line.
func (s *structure) definesBelow(k int) bool {
	if s.at(k+1).kind != '(' || isCaps(s.word(k)) {
		return false
	}
	next := s.at(s.group(k + 1)).kind
	return next == '{' || next == ';'
}

// macroCallBefore is for M(x) in "static M(x)\nint f(" : a type follows on the
// next line that no parameter declaration of the old style is.
func (s *structure) macroCallBefore(run []elem, end int) bool {
	for _, e := range run {
		if e.class == elemPrimitive || e.class == elemIdent && !e.caps {
			return false
		}
	}
	for k := end; k < end+12; k++ {
		switch s.at(k).kind {
		case '(':
			return true
		case ';', '{', tEOF:
			return false
		}
	}
	return false
}

func hasType(run []elem) bool {
	for _, e := range run {
		if e.class == elemPrimitive || e.class == elemIdent || e.class == elemTag || e.class == elemCall {
			return true
		}
	}
	return false
}

// macroCalls tells whether a run is uses of macros with arguments only, or nothing.
func macroCalls(run []elem) bool {
	for _, e := range run {
		if e.class != elemCall || !e.caps {
			return false
		}
	}
	return true
}

func onlyMacros(run []elem) bool {
	for _, e := range run {
		if e.class != elemIdent && e.class != elemCall {
			return false
		}
	}
	return len(run) > 0
}
