// Package graphql outlines GraphQL documents: the types of a schema with their
// fields, directives, and operations and fragments with the types and fragments
// they use. A scanner of its own reads them; no grammar ships.
package graphql

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// Language is the row of GraphQL.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "graphql",
		Version:    1,
		Extensions: []string{".graphql", ".gql", ".graphqls"},
		Extract:    extract,
		Outline:    true,
		Code:       true,
	}
}

type reader struct {
	*idl.Tokens
	b   *lang.Builder
	out idl.Outline
}

func extract(b *lang.Builder) {
	r := &reader{Tokens: idl.Scan(b.Source, idl.Syntax{Hash: true, Block: true}), b: b}
	first := -1
	for i := 0; i < len(r.All); {
		if r.head(i) == 0 {
			if r.Is(i, "{") && i < len(r.All) {
				i = r.selections(i, -1, "Query") // an operation without a name
				continue
			}
			i++
			continue
		}
		if first < 0 {
			first = i
		}
		i = r.definition(i)
	}
	r.imports()
	if first < 0 {
		first = len(r.All)
	}
	b.SetSummary(r.Header(first))
	r.out.Emit(b)
}

// head tells whether a definition starts at a token: 1 where its keyword
// stands, more where a description or "extend" stands before it, 0 for none.
func (r *reader) head(i int) int {
	n := 1
	if r.At(i).Kind == idl.String {
		if !r.At(i).First {
			return 0
		}
		i++
		n++
	}
	if r.Is(i, "extend") {
		i++
		n++
	}
	if r.At(i).Kind != idl.Word {
		return 0
	}
	switch r.Text(i) {
	case "schema":
		if r.Is(i+1, "{") || r.Is(i+1, "@") {
			return n
		}
	case "directive":
		if r.Is(i+1, "@") && r.At(i+2).Kind == idl.Word {
			return n
		}
	case "type", "interface", "input", "enum", "union", "scalar", "fragment":
		if r.At(i+1).Kind == idl.Word {
			return n
		}
	case "query", "mutation", "subscription":
		if r.At(i+1).Kind == idl.Word || r.Is(i+1, "{") || r.Is(i+1, "(") || r.Is(i+1, "@") {
			return n
		}
	}
	return 0
}

// resumes tells whether a definition must start here although brackets are
// open: at the very start of a line, in a file whose braces do not match.
func (r *reader) resumes(i int) bool {
	return !r.Balanced && r.All[i].Flush && r.head(i) > 0 && r.blockAhead(i)
}

// blockAhead keeps fields that are named like a keyword from ending a block: a
// definition goes on with a name, not with a colon.
func (r *reader) blockAhead(i int) bool {
	i += r.head(i)
	return !r.Is(i, ":") && !r.Is(i, "(") || r.Is(i, "(") && r.Is(i+1, "$")
}

func (r *reader) definition(start int) int {
	i := start
	doc := ""
	if r.At(i).Kind == idl.String {
		doc = r.description(i)
		i++
	}
	if doc == "" {
		doc = r.Above(start)
	}
	extends := r.Is(i, "extend")
	if extends {
		i++
	}
	head := i
	word := r.Text(i)
	i++
	s := facts.Symbol{Doc: doc}
	name := i
	switch word {
	case "query", "mutation", "subscription":
		return r.operation(start, head, doc)
	case "fragment":
		return r.fragment(start, head, doc)
	case "schema":
		return r.schema(start, head, extends, doc)
	case "directive":
		return r.directive(start, head, doc)
	case "type", "input":
		s.Kind = facts.KindStruct
	case "interface":
		s.Kind = facts.KindInterface
	case "enum":
		s.Kind = facts.KindEnum
	default:
		s.Kind = facts.KindType
	}
	i++
	type use struct {
		name string
		at   uint32
		kind facts.RefKind
	}
	var uses []use
	if r.Is(i, "implements") {
		for i++; i < len(r.All); i++ {
			if r.At(i).Kind == idl.Word && r.head(i) == 0 {
				s.Bases = append(s.Bases, r.Text(i))
				uses = append(uses, use{r.Text(i), r.At(i).Start, facts.RefInherit})
			} else if !r.Is(i, "&") && !r.Is(i, ",") {
				break
			}
		}
	}
	i = r.directives(i)
	if word == "union" && r.Is(i, "=") {
		for i++; i < len(r.All) && r.head(i) == 0; i++ {
			if r.At(i).Kind == idl.Word {
				uses = append(uses, use{r.Text(i), r.At(i).Start, facts.RefType})
			} else if !r.Is(i, "|") {
				break
			}
		}
	}
	s.Signature = r.Between(head, i)
	if extends {
		s.Signature = "extend " + s.Signature
	}
	s.Name = r.Text(name)
	s.Span = facts.Span{Start: r.At(start).Start, End: r.At(i - 1).End}
	s.NameSpan = facts.Span{Start: r.At(name).Start, End: r.At(name).End}
	owner, container := -1, ""
	if extends {
		// What an extension adds belongs to the type; the type is defined
		// elsewhere.
		container = s.Name
		r.out.Ref(facts.RefType, s.Name, "", -1, s.NameSpan.Start)
	} else {
		owner = r.out.Add(-1, s)
	}
	for _, u := range uses {
		r.out.Ref(u.kind, u.name, "", owner, u.at)
	}
	if !r.Is(i, "{") {
		return i
	}
	i++
	for i < len(r.All) && !r.Is(i, "}") && !r.resumes(i) {
		if word == "enum" {
			i = r.value(i, owner, container)
		} else {
			i = r.field(i, owner, container)
		}
	}
	if r.Is(i, "}") {
		i++
	}
	if owner >= 0 {
		r.out.End(owner, r.At(i-1).End)
	}
	return i
}

func (r *reader) description(i int) string {
	const kept = 1500
	text := strings.ReplaceAll(r.Unquote(i), `\"`, `"`)
	return strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), kept)], ""))
}

// directives passes @name(…) any number of times.
func (r *reader) directives(i int) int {
	for r.Is(i, "@") && r.At(i+1).Kind == idl.Word {
		i += 2
		for r.Is(i, ".") && r.At(i+1).Kind == idl.Word {
			i += 2
		}
		if r.Is(i, "(") {
			i = r.Skip(i, r.resumes)
		}
	}
	return i
}

func (r *reader) deprecated(from, to int) facts.SymbolFlags {
	for i := from; i < to && i < from+200; i++ {
		if r.Is(i, "@") && r.Is(i+1, "deprecated") {
			return facts.Obsolete
		}
	}
	return 0
}

func (r *reader) documented(start int) (doc string, i int) {
	i = start
	if r.At(i).Kind == idl.String {
		doc = r.description(i)
		i++
	}
	if doc == "" {
		doc = r.Above(start)
	}
	return doc, i
}

func (r *reader) value(start, owner int, container string) int {
	doc, name := r.documented(start)
	if r.At(name).Kind != idl.Word {
		return max(name, start+1)
	}
	next := r.directives(name + 1)
	k := r.At(name)
	r.out.Add(owner, facts.Symbol{
		Name: r.Text(name), Kind: facts.KindEnumMember, Container: container, Doc: doc,
		Flags: r.deprecated(name+1, next), Signature: r.Text(name),
		Span:     facts.Span{Start: r.At(start).Start, End: r.At(next - 1).End},
		NameSpan: facts.Span{Start: k.Start, End: k.End},
	})
	return next
}

// field reads name(arguments): Type = default @directives.
func (r *reader) field(start, owner int, container string) int {
	doc, name := r.documented(start)
	if r.At(name).Kind != idl.Word {
		if r.Is(name, "{") || r.Is(name, "(") || r.Is(name, "[") {
			return max(name+1, r.Skip(name, r.resumes))
		}
		return max(name, start+1)
	}
	i := name + 1
	s := facts.Symbol{Name: r.Text(name), Kind: facts.KindField, Container: container, Doc: doc}
	var uses []int
	if r.Is(i, "(") {
		s.Params, uses, i = r.arguments(i)
	}
	if !r.Is(i, ":") {
		return max(name+1, min(i, name+1))
	}
	typeStart := i + 1
	next, used := r.typeOf(typeStart)
	uses = append(uses, used)
	s.Type = r.Between(typeStart, next)
	s.Signature = r.plain(name, next)
	if r.Is(next, "=") {
		next = r.constant(next + 1)
		s.Signature = r.plain(name, next)
	}
	end := r.directives(next)
	s.Flags = r.deprecated(next, end)
	k := r.At(name)
	s.Span = facts.Span{Start: r.At(start).Start, End: r.At(end - 1).End}
	s.NameSpan = facts.Span{Start: k.Start, End: k.End}
	at := r.out.Add(owner, s)
	r.types(uses, at)
	return max(end, name+1)
}

func (r *reader) types(tokens []int, in int) {
	for _, u := range tokens {
		if u < 0 {
			continue
		}
		switch name := r.Text(u); name {
		case "String", "Int", "Float", "Boolean", "ID":
		default:
			r.out.Ref(facts.RefType, name, "", in, r.At(u).Start)
		}
	}
}

// typeOf reads a type and returns the token of its name, -1 for none.
func (r *reader) typeOf(i int) (next, name int) {
	name = -1
	for n := 0; n < 20 && r.Is(i, "["); n++ {
		i++
	}
	if r.At(i).Kind == idl.Word {
		name = i
		i++
	}
	for r.Is(i, "!") || r.Is(i, "]") {
		i++
	}
	return i, name
}

// constant passes a value.
func (r *reader) constant(i int) int {
	switch {
	case r.Is(i, "{") || r.Is(i, "["):
		return r.Skip(i, r.resumes)
	case r.Is(i, "$"), r.Is(i, "-"):
		i++
	}
	if k := r.At(i).Kind; k == idl.Word || k == idl.String || k == idl.Number {
		i++
	}
	for r.Is(i, ".") && r.At(i+1).Kind == idl.Number {
		i += 2
	}
	return i
}

// arguments reads the definitions in parentheses: of arguments, or of variables
// with their $.
func (r *reader) arguments(i int) (params []facts.Param, uses []int, next int) {
	i++
	for i < len(r.All) && !r.Is(i, ")") && !r.Is(i, "{") && !r.Is(i, "}") && !r.resumes(i) {
		if r.Is(i, "$") {
			i++
		}
		if r.At(i).Kind != idl.Word || !r.Is(i+1, ":") {
			i++
			continue
		}
		next, use := r.typeOf(i + 2)
		if len(params) < 100 {
			params = append(params, facts.Param{Name: r.Text(i), Type: r.Between(i+2, next)})
		}
		uses = append(uses, use)
		if r.Is(next, "=") {
			next = r.constant(next + 1)
		}
		i = r.directives(next)
	}
	if r.Is(i, ")") {
		i++
	}
	return params, uses, i
}

// plain is the text of a head without the descriptions of its arguments.
func (r *reader) plain(from, to int) string {
	const kept = 2 * facts.MaxSignature
	var b strings.Builder
	start := from
	for i := from; i < to && b.Len() < kept; i++ {
		if r.At(i).Kind == idl.String && r.At(i+1).Kind == idl.Word && r.Is(i+2, ":") && !r.Is(i-1, "=") {
			b.WriteString(r.Between(start, i))
			if !r.Is(i-1, "(") {
				b.WriteByte(' ')
			}
			start = i + 1
		}
	}
	b.WriteString(r.Between(start, to))
	return b.String()
}

func (r *reader) add(start, head, name, end int, s facts.Symbol) int {
	k := r.At(name)
	s.Name = r.Text(name)
	s.Signature = r.plain(head, end)
	s.Span = facts.Span{Start: r.At(start).Start, End: r.At(end - 1).End}
	s.NameSpan = facts.Span{Start: k.Start, End: k.End}
	return r.out.Add(-1, s)
}

func (r *reader) schema(start, head int, extends bool, doc string) int {
	i := r.directives(head + 1)
	owner := -1
	if !extends {
		owner = r.add(start, head, head, head+1, facts.Symbol{Kind: facts.KindModule, Doc: doc})
	}
	if !r.Is(i, "{") {
		return i
	}
	for i++; i < len(r.All) && !r.Is(i, "}") && !r.resumes(i); i++ {
		if r.Is(i, ":") && r.At(i+1).Kind == idl.Word {
			r.types([]int{i + 1}, owner)
		}
	}
	if r.Is(i, "}") {
		i++
	}
	if owner >= 0 {
		r.out.Symbol(owner).Signature = r.Between(head, i)
		r.out.End(owner, r.At(i-1).End)
	}
	return i
}

// directive reads directive @name(arguments) repeatable on A | B.
func (r *reader) directive(start, head int, doc string) int {
	i := head + 3
	s := facts.Symbol{Kind: facts.KindMacro, Doc: doc}
	var uses []int
	if r.Is(i, "(") {
		s.Params, uses, i = r.arguments(i)
	}
	if r.Is(i, "repeatable") {
		i++
	}
	if r.Is(i, "on") {
		for i++; i < len(r.All); i++ {
			if w := r.Text(i); w != "|" && (r.At(i).Kind != idl.Word || w != strings.ToUpper(w)) {
				break
			}
		}
	}
	at := r.add(start, head, head+2, i, s)
	r.types(uses, at)
	return i
}
