package groovy

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// constants reads the constants of an enumeration.
func (r *reader) constants(i, end int) int {
	for i < end {
		t := r.toks[i]
		switch {
		case t.kind == newline || t.kind == comment || r.is(i, ','):
			i++
		case r.is(i, '@'):
			h := r.head(i, end)
			i = max(h.at, i+1)
		case t.kind == word:
			if _, ok := modifiers[r.word(i)]; ok {
				return i
			}
			next := i + 1
			if r.is(next, '(') {
				next = r.skip(next)
			}
			headEnd := next
			if r.is(next, '{') {
				next = r.skip(next)
			}
			after := next
			for after < end && (r.toks[after].kind == newline || r.toks[after].kind == comment) {
				after++
			}
			if after < end && !r.is(after, ',') && !r.is(after, ';') && !r.is(after, '}') {
				if next == after {
					return i // a member
				}
			}
			r.symbol(facts.Symbol{
				Name: r.word(i), Kind: facts.KindEnumMember, Doc: r.doc(i), Span: r.until(i, next), NameSpan: r.span(i),
				Signature: r.source(i, min(headEnd, i+12)),
			})
			i = next
			if after < end && !r.is(after, ',') {
				return after
			}
		default:
			return i
		}
	}
	return i
}

// member reads a method, field or variable whose modifiers are read. It returns
// 0 where there is none.
func (r *reader) member(h head, end int, in script) int {
	k := h.at
	if r.is(k, '<') { // type parameters of a method
		if !h.any {
			return 0
		}
		k = r.generic(k, end)
	}
	typeFrom := k
	// def "name"() and Type name: a type, then a name.
	name, typeTo := k, k
	if r.word(k) != "" {
		t := k + 1
		for r.is(t, '.') && r.word(t+1) != "" {
			t += 2
		}
		if r.is(t, '<') {
			t = r.generic(t, end)
		}
		for r.is(t, '[') && r.is(t+1, ']') {
			t += 2
		}
		if r.is(t, '.') && r.is(t+1, '.') && r.is(t+2, '.') {
			t += 3
		}
		if r.word(t) != "" || r.isString(t) && r.is(t+1, '(') && (h.any || in.class != "") {
			typeTo, name = t, t
		} else if t != k+1 {
			return 0
		}
	}
	typed := typeTo > typeFrom
	named := r.word(name)
	switch {
	case named == "" && !(r.isString(name) && r.is(name+1, '(') && (h.any || typed)):
		return 0
	case typed && !h.any && !r.canBeType(typeFrom, in):
		return 0
	case !typed && !h.any && !(in.class != "" && named == in.class && r.is(name+1, '(')):
		return 0
	case named == "in" || named == "as" || named == "instanceof":
		return 0
	}
	if r.is(name+1, '(') {
		return r.method(h, typeFrom, typeTo, name, end, in)
	}
	stop := r.endOf(name, end)
	if !(name+1 >= end || r.is(name+1, '=') && !r.is(name+2, '=') || r.toks[name+1].kind == newline || r.toks[name+1].kind == comment || r.is(name+1, ';') || r.is(name+1, ',') || r.is(name+1, '}')) {
		return 0
	}
	s := facts.Symbol{
		Kind: facts.KindField, Visibility: h.visibility, Flags: h.flags, Doc: r.doc(h.start),
		Type: r.source(typeFrom, typeTo), Span: r.until(h.start, stop),
	}
	if in.nested > 0 && in.class == "" {
		r.calls(name+1, stop)
		return stop
	}
	switch {
	case in.class == "":
		s.Kind = facts.KindVariable
	case h.constant && h.flags&facts.Static != 0 || in.isInterface:
		s.Kind = facts.KindConstant
	}
	base := r.source(h.from, name)
	// int a, b = 1
	for n := 0; n < 50 && r.word(name) != ""; n++ {
		s.Name, s.NameSpan = r.word(name), r.span(name)
		s.Signature = strings.TrimSpace(base + " " + s.Name)
		valueEnd := name + 1
		for valueEnd < stop && !r.is(valueEnd, ',') {
			valueEnd = r.skip(valueEnd)
		}
		if v := r.source(name+1, min(valueEnd, name+14)); s.Kind != facts.KindField && strings.HasPrefix(v, "=") && len(v) <= 80 && valueEnd <= name+14 {
			s.Signature += " " + v
		}
		at := r.symbol(s)
		r.b.Within(at, func() { r.calls(name+1, valueEnd) })
		if valueEnd >= stop || !r.is(valueEnd, ',') {
			break
		}
		name = valueEnd + 1
		for name < stop && r.toks[name].kind == newline {
			name++
		}
	}
	return stop
}

// canBeType tells whether a word that stands before a name can be its type:
// in scripts a lower-case word is a command.
func (r *reader) canBeType(i int, in script) bool {
	w := r.word(i)
	switch w {
	case "int", "long", "short", "byte", "char", "float", "double", "boolean", "void":
		return true
	case "return", "new", "throw", "assert", "case", "else", "in", "import", "package", "extends", "if", "for", "while", "switch", "try":
		return false
	}
	if r.is(i+1, '.') {
		return true
	}
	return w[0] >= 'A' && w[0] <= 'Z' || w[0] >= 0x80 || in.class != ""
}

func (r *reader) params(open int) []facts.Param {
	var out []facts.Param
	end := r.inside(open)
	for i := open + 1; i < end && len(out) < 100; {
		from := i
		for i < end && !r.is(i, ',') {
			if r.is(i, '<') {
				i = r.generic(i, end)
				continue
			}
			i = r.skip(i)
		}
		stop := min(i, end)
		i++
		eq := from
		for eq < stop && !r.is(eq, '=') {
			eq = r.skip(eq)
		}
		h := r.head(from, min(eq, stop))
		last := min(eq, stop) - 1
		for last > h.at && r.toks[last].kind != word {
			last--
		}
		if last < from || r.word(last) == "" {
			continue
		}
		out = append(out, facts.Param{Name: r.word(last), Type: r.source(min(h.at, last), last)})
	}
	return out
}

func (r *reader) method(h head, typeFrom, typeTo, name, end int, in script) int {
	open := name + 1
	if r.inside(open) > end {
		return 0
	}
	k := r.close(open)
	headEnd := k
	after := k
	for after < end && r.toks[after].kind == newline {
		after++
	}
	if r.word(after) == "throws" {
		k = after + 1
		for k < end && !r.is(k, '{') && r.toks[k].kind != newline && !r.is(k, ';') {
			k++
		}
		headEnd = k
	}
	if in.class != "" && r.word(k) == "default" { // of an annotation type
		k = r.endOf(k, end)
		headEnd = k
	}
	body := k
	for body < end && (r.toks[body].kind == newline || r.toks[body].kind == comment) {
		body++
	}
	if !r.is(body, '{') {
		if in.class == "" {
			return 0
		}
		body = -1
	}
	s := facts.Symbol{
		Kind: facts.KindMethod, Visibility: h.visibility, Flags: h.flags, Doc: r.doc(h.start), NameSpan: r.inner(name),
		Type: r.source(typeFrom, typeTo), Params: r.params(open), Signature: r.source(h.from, headEnd),
	}
	if r.isString(name) {
		s.Name = strings.Join(strings.Fields(text(r.src, r.toks[name])), " ")
		r.b.AddTrait(facts.TestCode)
	} else {
		s.Name = r.word(name)
	}
	switch {
	case in.class == "":
		s.Kind = facts.KindFunction
		if s.Name == "main" && h.flags&facts.Static != 0 {
			s.Flags |= facts.Main
			r.b.AddTrait(facts.EntryPoint)
		}
	case s.Name == in.class && typeFrom == typeTo:
		s.Kind = facts.KindConstructor
	case s.Name == "main" && h.flags&facts.Static != 0:
		s.Flags |= facts.Main
		r.b.AddTrait(facts.EntryPoint)
	}
	if h.test {
		r.b.AddTrait(facts.TestCode)
	}
	if in.class != "" && body < 0 && in.isInterface {
		s.Flags |= facts.Abstract
	}
	stop := headEnd
	if body >= 0 {
		stop = r.close(body)
	}
	s.Span = r.until(h.start, stop)
	at := r.symbol(s)
	if body >= 0 {
		r.b.Within(at, func() {
			r.b.Body(r.until(body, stop), func() { r.calls(body+1, r.inside(body)) })
		})
	}
	return stop
}
