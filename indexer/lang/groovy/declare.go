package groovy

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// statements reads the statements from i to end.
func (r *reader) statements(i, end int, in script) {
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	if in.enum {
		i = r.constants(i, end)
	}
	for i < end {
		t := r.toks[i]
		if t.kind == newline || t.kind == comment || t.kind == sign && t.c != '@' && t.c != '<' && t.c != '{' {
			i++
			continue
		}
		next := r.statement(i, end, in)
		i = max(next, i+1)
	}
}

var modifiers = map[string]facts.SymbolFlags{
	"public": 0, "protected": 0, "private": 0, "static": facts.Static, "final": 0, "abstract": facts.Abstract, "def": 0, "var": 0,
	"synchronized": 0, "native": 0, "transient": 0, "volatile": 0, "default": 0, "strictfp": 0, "sealed": 0, "non": 0,
}

// head is what stands before the name of a declaration.
type head struct {
	start      int // first token, annotations included
	from       int // first token behind the annotations
	at         int // behind the modifiers
	flags      facts.SymbolFlags
	visibility facts.Visibility
	any        bool // a modifier was written
	constant   bool
	test       bool
	grab       bool
	override   bool
}

func (r *reader) head(i, end int) head {
	h := head{start: i, from: i}
	for i < end {
		switch {
		case r.is(i, '@') && r.word(i+1) != "" && r.word(i+1) != "interface":
			name := r.word(i + 1)
			i += 2
			for r.is(i, '.') && r.word(i+1) != "" {
				name = r.word(i + 1)
				i += 2
			}
			if r.is(i, '(') {
				if name == "Grab" || name == "Library" {
					if s, ok := r.plain(i + 1); ok {
						r.link(s, i)
					}
					h.grab = true
				}
				i = r.skip(i)
			}
			switch name {
			case "Test", "ParameterizedTest", "RepeatedTest":
				h.test = true
			case "Deprecated":
				h.flags |= facts.Obsolete
			case "PackageScope":
				h.visibility = facts.Protected
			case "Override":
				h.override = true
			}
			for i < end && (r.toks[i].kind == newline || r.toks[i].kind == comment) {
				i++
			}
			h.from = i
			h.at = i
			continue
		}
		w := r.word(i)
		f, ok := modifiers[w]
		if !ok {
			break
		}
		if w == "non" {
			if !r.is(i+1, '-') {
				break
			}
			i += 2
		}
		h.flags |= f
		h.any = true
		switch w {
		case "private":
			h.visibility = facts.Private
		case "protected":
			h.visibility = facts.Protected
		case "final":
			h.constant = true
		}
		i++
		for i < end && r.toks[i].kind == newline && h.any && r.word(i+1) != "" {
			i++
		}
	}
	h.at = i
	return h
}

// statement reads the statement at i and returns the index behind it.
func (r *reader) statement(i, end int, in script) int {
	switch r.word(i) {
	case "package":
		if in.class == "" {
			stop := r.endOf(i, end)
			r.b.SetPackage(strings.ReplaceAll(r.source(i+1, stop), " ", ""))
			return stop
		}
	case "import":
		return r.importClause(i, end)
	case "if", "for", "while", "switch", "try", "else", "finally", "catch", "do":
		if in.class == "" {
			return r.control(i, end, in)
		}
	case "return", "throw", "assert":
		return r.endOf(i, end)
	}
	h := r.head(i, end)
	if h.at >= end {
		return end
	}
	if h.grab && h.at < end && r.word(h.at) == "_" {
		return r.endOf(h.at, end)
	}
	switch r.word(h.at) {
	case "class", "interface", "trait", "enum", "record":
		if r.word(h.at+1) != "" {
			return r.class(h, end, in)
		}
	}
	if r.is(h.at, '@') && r.word(h.at+1) == "interface" {
		h.at++
		return r.class(h, end, in)
	}
	if next := r.member(h, end, in); next > 0 {
		return next
	}
	if in.class != "" {
		// A block of initialisers, or what cannot be read.
		if r.is(h.at, '{') {
			return r.close(h.at)
		}
		return r.endOf(max(h.at, i), end)
	}
	return r.command(h, end, in)
}

// control reads the blocks of a statement that chooses or repeats, as if they
// stood alone.
func (r *reader) control(i, end int, in script) int {
	for k := i; k < end; {
		switch {
		case r.is(k, '{'):
			r.statements(k+1, r.inside(k), in)
			return r.close(k)
		case r.toks[k].kind == newline, r.is(k, ';'), r.is(k, '}'):
			return k
		}
		k = r.skip(k)
	}
	return end
}

func (r *reader) importClause(i, end int) int {
	stop := i // a star at the end of the line does not go on
	for stop < end && r.toks[stop].kind != newline && !r.is(stop, ';') {
		stop++
	}
	k := i + 1
	static := r.word(k) == "static"
	if static {
		k++
	}
	module, last, lastAt := "", "", k
	for k < stop {
		switch {
		case r.word(k) != "" && (module == "" || r.is(k-1, '.')):
			if last != "" {
				module += "."
			}
			last, lastAt = r.word(k), k
			module += last
		case r.is(k, '*'):
			r.b.Import(facts.Import{Module: module, Names: []facts.ImportedName{{Name: "*"}}}, uint32(r.toks[i].start))
			return stop
		case r.word(k) == "as":
			goto done
		}
		k++
	}
done:
	alias := ""
	if r.word(k) == "as" {
		alias = r.word(k + 1)
	}
	qualifier := strings.TrimSuffix(strings.TrimSuffix(module, last), ".")
	imp := facts.Import{Module: module, Alias: alias}
	if static && qualifier != "" {
		imp = facts.Import{Module: qualifier, Names: []facts.ImportedName{{Name: last, Alias: alias}}}
	}
	if module != "" {
		r.b.Import(imp, uint32(r.toks[i].start))
		r.reference(facts.RefImport, last, qualifier, lastAt)
	}
	return stop
}

var classKinds = map[string]facts.Kind{
	"class": facts.KindClass, "interface": facts.KindInterface, "trait": facts.KindInterface, "enum": facts.KindEnum, "record": facts.KindClass,
}

// class reads the declaration of a type; h.at is its keyword.
func (r *reader) class(h head, end int, in script) int {
	keyword := r.word(h.at)
	name := r.word(h.at + 1)
	k := h.at + 2
	var bases []string
	var baseAt []int
	clause := false
	var params []facts.Param
	for k < end && !r.is(k, '{') {
		t := r.toks[k]
		switch {
		case t.kind == newline:
			next, on := r.goesOn(h.at, k, end)
			if !on && !r.is(next, '{') {
				goto headEnd
			}
			k = next
			continue
		case t.kind == sign && (t.c == ';' || t.c == '}' || t.c == ')'):
			goto headEnd
		case r.is(k, '<'):
			k = r.generic(k, end)
			continue
		case r.is(k, '('):
			if keyword == "record" && params == nil {
				params = r.params(k)
			}
			k = r.skip(k)
			continue
		case r.word(k) == "extends" || r.word(k) == "implements":
			clause = true
		case r.word(k) == "permits":
			clause = false
		case clause && r.word(k) != "":
			stop := k
			for r.word(stop) != "" && r.is(stop+1, '.') && r.word(stop+2) != "" {
				stop += 2
			}
			last := stop
			stop++
			if r.is(stop, '<') {
				stop = r.generic(stop, end)
			}
			bases = append(bases, r.source(k, stop))
			baseAt = append(baseAt, last)
			k = stop
			continue
		}
		k++
	}
headEnd:
	s := facts.Symbol{
		Name: name, Kind: classKinds[keyword], Visibility: h.visibility, Flags: h.flags, Doc: r.doc(h.start), Bases: bases, Params: params,
		NameSpan: r.span(h.at + 1), Signature: r.source(h.from, k),
	}
	if h.from < h.at && r.is(h.at-1, '@') {
		s.Kind = facts.KindInterface
	}
	stop := k
	if r.is(k, '{') {
		stop = r.close(k)
	}
	s.Span = r.until(h.start, stop)
	at := r.symbol(s)
	for _, base := range bases {
		base, _, _ = strings.Cut(base, "<")
		if base = base[strings.LastIndexByte(base, '.')+1:]; base == "Specification" || strings.HasSuffix(base, "Spec") || strings.HasSuffix(base, "TestCase") || strings.HasSuffix(base, "Specification") {
			r.b.AddTrait(facts.TestCode)
		}
	}
	r.b.Within(at, func() {
		for n, base := range bases {
			base, _, _ = strings.Cut(base, "<")
			qualifier := ""
			if c := strings.LastIndexByte(base, '.'); c >= 0 {
				qualifier, base = base[:c], base[c+1:]
			}
			r.reference(facts.RefInherit, base, qualifier, baseAt[n])
		}
		if r.is(k, '{') {
			r.statements(k+1, r.inside(k), script{class: name, enum: keyword == "enum", isInterface: keyword == "interface"})
		}
	})
	return stop
}

// generic is the index behind the type arguments that open at i.
func (r *reader) generic(i, end int) int {
	depth := 0
	for k := i; k < end && k < i+400; k++ {
		switch {
		case r.is(k, '<'):
			depth++
		case r.is(k, '>'):
			depth--
			if depth == 0 {
				return k + 1
			}
		case r.is(k, '(') || r.is(k, '{') || r.is(k, ';') || r.is(k, '='):
			return i + 1
		}
	}
	return i + 1
}

// calls reports the calls and constructions of a body. Stages of a pipeline in
// it are targets.
func (r *reader) calls(i, end int) {
	for ; i < end && i < len(r.toks); i++ {
		name := r.word(i)
		if name == "" {
			continue
		}
		if name == "stage" && r.pipeline {
			if next := r.stage(i, end, func(from, to int) { r.calls(from, to) }); next > 0 {
				i = next - 1
				continue
			}
		}
		if name == "new" {
			last := i + 1
			for r.word(last) != "" && r.is(last+1, '.') && r.word(last+2) != "" {
				last += 2
			}
			if w := r.word(last); w != "" && w[0] >= 'A' && w[0] <= 'Z' {
				r.reference(facts.RefCall, w, "", last)
			}
			i = last
			continue
		}
		if !r.is(i+1, '(') || notCalled[name] {
			continue
		}
		qualifier := ""
		if r.is(i-1, '.') {
			if qualifier = r.word(i - 2); qualifier == "" {
				qualifier = "?"
			}
		}
		r.reference(facts.RefCall, name, qualifier, i)
	}
}

var notCalled = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "assert": true, "println": true, "print": true,
	"in": true, "synchronized": true, "super": true, "this": true,
}

// stage reads stage('x') { … } and returns the index behind it, or 0.
func (r *reader) stage(i, end int, walk func(from, to int)) int {
	at, k := i+1, i+2
	if r.is(i+1, '(') {
		at, k = i+2, r.skip(i+1)
		if r.word(at) == "name" && r.is(at+1, ':') {
			at += 2
		}
	}
	if !r.isString(at) {
		return 0
	}
	for k < end && r.toks[k].kind == newline {
		k++
	}
	stop := k
	if r.is(k, '{') {
		stop = r.close(k)
	}
	s := facts.Symbol{
		Name: strings.Join(strings.Fields(text(r.src, r.toks[at])), " "), Kind: facts.KindTarget, Doc: r.doc(i), Span: r.until(i, max(stop, at+1)), NameSpan: r.inner(at),
		Signature: "stage(" + r.source(at, at+1) + ")",
	}
	sym := r.symbol(s)
	if stop > k && r.depth < maxDepth {
		r.depth++
		r.b.Within(sym, func() { walk(k+1, min(r.inside(k), end)) })
		r.depth--
	}
	return max(stop, at+1)
}
