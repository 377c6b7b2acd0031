package swift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// head is what stands before the keyword of a declaration.
type head struct {
	first      int // token where it starts, behind attributes
	keyword    int
	doc        int32
	visibility facts.Visibility
	stated     bool // it states its visibility
	flags      facts.SymbolFlags
	words      map[string]bool
	notes      []string // simple names of attributes
}

// maxHead bounds the attributes and modifiers of a declaration.
const maxHead = 80

// header reads attributes and modifiers up to a keyword that declares, and
// tells whether there is one. It records nothing.
func (w *walker) header(i, end int) (h head, marks []int, ok bool) {
	h = head{first: -1, doc: -1, words: map[string]bool{}, visibility: w.ctx.visibility}
	for n := 0; i < end && n < maxHead; n++ {
		t := w.tok(i)
		if t.doc >= 0 {
			h.doc = t.doc
		}
		switch {
		case t.text == "@" && t.kind == tOp:
			next := w.skipAttribute(i, end)
			if next <= i {
				return h, nil, false
			}
			marks = append(marks, i)
			i = next
			continue
		case t.kind != tWord:
			return h, nil, false
		}
		if h.first < 0 {
			h.first = i
		}
		h.keyword = i
		next := w.tok(i + 1)
		word := i+1 < end && next.kind <= tQuoted
		switch t.text {
		case "func", "let", "var", "import":
			return h, marks, i+1 < end
		case "struct", "enum", "protocol", "typealias", "associatedtype":
			return h, marks, word
		case "extension":
			return h, marks, i+1 < end && (word || next.text == "[" || next.text == "(")
		case "class":
			if !word || next.kind == tWord && (isDeclarator(next.text) || next.text == "subscript" || modifierWords[next.text] && w.isWord(i+2)) {
				break // class func
			}
			return h, marks, true
		case "actor", "macro", "precedencegroup", "operator":
			if word && w.isName(i+1) && !next.nl && !w.is(i+2, ",") || t.text == "operator" && next.kind == tOp {
				return h, marks, true
			}
		case "init":
			return h, marks, w.ctx.place != inBody && w.ctx.place != inFile && (next.text == "(" || next.text == "?" || next.text == "!" || next.text == "<")
		case "deinit":
			return h, marks, w.ctx.place == inType
		case "subscript":
			return h, marks, w.ctx.place != inBody && w.ctx.place != inFile && (next.text == "(" || next.text == "<")
		case "case":
			return h, marks, w.ctx.place == inEnum && i+1 < end
		}
		if !modifierWords[t.text] {
			return h, nil, false
		}
		h.words[t.text] = true
		i++
		whole := true
		if w.is(i, "(") && i < end {
			whole = !w.is(i+1, "set")
			i = w.closeOf(i) + 1
		}
		switch t.text {
		case "private", "fileprivate":
			if whole {
				h.visibility, h.stated = facts.Private, true
			}
		case "internal", "package":
			if whole {
				h.visibility, h.stated = facts.Protected, true
			}
		case "public", "open":
			if whole {
				h.visibility, h.stated = facts.Public, true
			}
		case "static", "class":
			h.flags |= facts.Static
		}
	}
	return h, nil, false
}

// declaration walks the declaration at an index and gives the index after it,
// or the index where there is none.
func (w *walker) declaration(i, end int) int {
	t := w.tok(i)
	if t.text != "@" && !w.x.startsDeclarationOf(w.toks, i) && !(t.text == "case" && w.ctx.place == inEnum) {
		return i
	}
	if w.depth > maxDepth {
		return i
	}
	h, marks, ok := w.header(i, end)
	if !ok {
		if t.text == "@" && t.kind == tOp {
			w.attribute(i, end)
			return w.skipAttribute(i, end)
		}
		return i
	}
	w.depth++
	defer func() { w.depth-- }()
	for _, m := range marks {
		note := w.attribute(m, end)
		h.notes = append(h.notes, note)
		switch note {
		case "available":
			for k := m; k < w.skipAttribute(m, end); k++ {
				if w.is(k, "deprecated") || w.is(k, "obsoleted") || w.is(k, "unavailable") {
					h.flags |= facts.Obsolete
				}
			}
		case "Test", "Suite":
			w.b.AddTrait(facts.TestCode)
		case "testable":
			w.b.AddTrait(facts.TestCode)
		case "main", "UIApplicationMain", "NSApplicationMain":
			w.b.AddTrait(facts.EntryPoint)
		}
	}
	k := h.keyword
	switch w.tok(k).text {
	case "struct", "class", "enum", "protocol", "actor":
		return w.typeLike(h, end)
	case "extension":
		return w.extension(h, end)
	case "func", "init", "subscript", "deinit", "macro":
		return w.function(h, end)
	case "let", "var":
		return w.property(h, end)
	case "typealias", "associatedtype":
		return w.alias(h, end)
	case "case":
		return w.cases(h, end)
	case "import":
		return w.importClause(h, end)
	}
	return w.operatorClause(h, end)
}

func (h *head) noted(names ...string) bool {
	for _, n := range h.notes {
		for _, m := range names {
			if n == m {
				return true
			}
		}
	}
	return false
}

// importClause walks "import A.B" and "import struct A.B".
func (w *walker) importClause(h head, end int) int {
	i := h.keyword + 1
	switch w.tok(i).text {
	case "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor":
		if w.isWord(i+1) && i+1 < end && !w.tok(i+1).nl {
			i++
		}
	}
	from := i
	if !w.isWord(i) || i >= end {
		return i
	}
	for i+2 < end && w.is(i+1, ".") && !w.tok(i+2).nl {
		i += 2
	}
	imp := facts.Import{Module: strings.ReplaceAll(w.sign(from, i+1), "`", "")}
	if from > h.keyword+1 && i > from {
		imp.Module = strings.ReplaceAll(w.sign(from, i-1), "`", "")
		imp.Names = []facts.ImportedName{{Name: w.name(i)}}
		w.b.Reference(facts.RefImport, w.name(i), imp.Module, w.tok(i).start)
	}
	switch imp.Module {
	case "XCTest", "Testing", "Quick", "Nimble":
		w.b.AddTrait(facts.TestCode)
	case "PackageDescription":
		w.manifest = true
	}
	if h.noted("_exported") || h.words["public"] && h.noted("_reexport") {
		imp.Flags |= facts.ImportReexport
	}
	w.b.Import(imp, w.tok(h.keyword).start)
	return i + 1
}

// add adds a symbol with what its head says and its surroundings give it.
func (w *walker) add(h head, s facts.Symbol) int32 {
	s.Flags |= h.flags
	s.Visibility = h.visibility
	s.Doc = w.docText(h.doc)
	if s.Container == "" {
		s.Container = w.ctx.container
	}
	if at := w.b.Enclosing(); at >= 0 {
		s.Visibility = max(s.Visibility, w.b.At(at).Visibility)
	}
	if w.b.InBody() {
		s.Visibility = facts.Private
	}
	return w.b.Symbol(s)
}

// parameter is one of a list, by indexes of tokens; typ and value are 0 where it
// has none, typEnd is the end of its type.
type parameter struct {
	start, name, typ, typEnd, value, end int
}

// parameters splits the list between the brackets at two indexes.
func (w *walker) parameters(open, stop int) []parameter {
	var out []parameter
	for i := open + 1; i < stop; {
		p := parameter{start: i, name: -1}
		for w.is(i, "@") {
			next := w.skipAttribute(i, stop)
			if next <= i {
				break
			}
			i = next
		}
		// label name: Type
		k := i
		for n := 0; n < 2 && k < stop && w.isWord(k); n++ {
			p.name = k
			k++
			if w.is(k, ":") {
				break
			}
		}
		if w.is(k, ":") && k < stop {
			p.typ = k + 1
			i = k + 1
		} else if p.name > i {
			p.name = -1
		}
		for ; i < stop; i++ {
			t := w.tok(i)
			if t.kind == tOpen {
				i = w.closeOf(i)
				continue
			}
			if t.text == "<" && p.value == 0 {
				if next := w.skipAngles(i, stop); next > 0 {
					i = next - 1
					continue
				}
			}
			if t.text == "=" && p.value == 0 {
				p.value, p.typEnd = i+1, i
			}
			if t.text == "," && t.kind == tOp {
				break
			}
		}
		p.end = i
		if p.typ > 0 && p.typEnd == 0 {
			p.typEnd = i
		}
		if p.end > p.start {
			out = append(out, p)
		}
		i++
	}
	return out
}

func (w *walker) param(p parameter) facts.Param {
	out := facts.Param{}
	switch {
	case p.typ > 0:
		out.Type = w.sign(p.typ, p.typEnd)
		if p.name >= 0 && w.tok(p.name).text != "_" {
			out.Name = w.name(p.name)
		}
	default: // a value of an enum case without a label
		to := p.end
		if p.value > 0 {
			to = p.value - 1
		}
		out.Type = w.sign(p.start, to)
	}
	return out
}

func (w *walker) params(list []parameter) []facts.Param {
	var out []facts.Param
	for _, p := range list {
		out = append(out, w.param(p))
	}
	return out
}

// bindParameters walks the parts of parameters and binds their names.
func (w *walker) bindParameters(list []parameter) {
	for _, p := range list {
		if p.typ > 0 {
			w.typeExpr(p.typ, p.typEnd, facts.RefType)
		}
		if p.value > 0 {
			w.expression(p.value, p.end)
		}
		if p.name < 0 {
			continue
		}
		t := ""
		if p.typ > 0 {
			from := p.typ
			for from < p.typEnd {
				if next := w.skipAttribute(from, p.typEnd); w.is(from, "@") && next > from {
					from = next
				} else if w.is(from, "nonisolated") && w.is(from+1, "(") {
					from = w.closeOf(from+1) + 1
				} else if w.specifier(from, p.typEnd) && !w.is(from, "any") && !w.is(from, "some") {
					from++
				} else {
					break
				}
			}
			t = w.sign(from, p.typEnd)
			if rest, ok := strings.CutSuffix(t, "..."); ok {
				t = "[" + rest + "]"
			}
		}
		w.b.Bind(w.name(p.name), w.tok(p.name).start, t, "")
	}
}
