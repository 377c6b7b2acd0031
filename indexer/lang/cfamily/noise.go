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
				if len(run) == 0 && e.caps && s.titled(k+1, end) {
					s.erase(k+2, end-1)
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
	if s.cpp && names == 1 && allowed == 1 && lastIdent < 0 {
		// MACRO(T) name: the grammar of C++ knows no such type, so that the
		// macro alone has to stand for it.
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

func hasType(run []elem) bool {
	for _, e := range run {
		if e.class == elemPrimitive || e.class == elemIdent || e.class == elemTag || e.class == elemCall {
			return true
		}
	}
	return false
}

func onlyMacros(run []elem) bool {
	for _, e := range run {
		if e.class != elemIdent && e.class != elemCall {
			return false
		}
	}
	return len(run) > 0
}
