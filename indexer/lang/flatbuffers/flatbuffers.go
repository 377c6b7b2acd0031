// Package flatbuffers outlines FlatBuffers schemas: tables and structures with
// their fields, enums, unions, services and included files. A scanner of its
// own reads them; no grammar ships.
package flatbuffers

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// Language is the row of FlatBuffers.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "flatbuffers",
		Version:    1,
		Extensions: []string{".fbs"},
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
	r := &reader{Tokens: idl.Scan(b.Source, idl.Syntax{Slash: true, Inside: "."}), b: b}
	first := len(r.All)
	for i := 0; i < len(r.All); {
		if r.isDefinition(i) {
			first = min(first, i)
		}
		i = max(i+1, r.statement(i))
	}
	b.SetSummary(r.Header(first))
	r.out.Emit(b)
}

func (r *reader) isDefinition(i int) bool {
	if r.At(i).Kind != idl.Word || r.At(i+1).Kind != idl.Word {
		return false
	}
	switch r.Text(i) {
	case "table", "struct", "enum", "union", "rpc_service":
		return r.Is(i+2, "{") || r.Is(i+2, "(") || r.Is(i+2, ":")
	}
	return false
}

func (r *reader) resumes(i int) bool {
	return !r.Balanced && r.All[i].Flush && r.isDefinition(i)
}

func (r *reader) statement(i int) int {
	switch {
	case r.Is(i, "namespace") && r.At(i+1).Kind == idl.Word:
		r.b.SetPackage(r.Text(i + 1))
		return i + 2
	case (r.Is(i, "include") || r.Is(i, "native_include")) && r.At(i+1).Kind == idl.String:
		r.b.Import(facts.Import{Module: r.Unquote(i + 1)}, r.At(i).Start)
		return i + 2
	case r.Is(i, "root_type") && r.At(i+1).Kind == idl.Word:
		r.use(i+1, -1)
		return i + 2
	case r.Is(i, "{") || r.Is(i, "("):
		return r.Skip(i, r.resumes)
	case r.isDefinition(i):
		return r.definition(i)
	}
	return i + 1
}

func (r *reader) use(i, in int) {
	switch name := r.Text(i); name {
	case "bool", "byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "string",
		"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64":
	default:
		last, qualifier := idl.Qualified(name)
		r.out.Ref(facts.RefType, last, qualifier, in, r.At(i).Start)
	}
}

func (r *reader) definition(i int) int {
	word := r.Text(i)
	s := facts.Symbol{Kind: facts.KindStruct}
	switch word {
	case "enum":
		s.Kind = facts.KindEnum
	case "union":
		s.Kind = facts.KindType
	case "rpc_service":
		s.Kind = facts.KindInterface
	}
	next := i + 2
	if r.Is(next, ":") && r.At(next+1).Kind == idl.Word {
		s.Type = r.Text(next + 1)
		next += 2
	}
	owner := r.add(i, i+1, next, -1, s)
	if r.Is(next, "(") {
		next = r.Skip(next, r.resumes)
	}
	if !r.Is(next, "{") {
		return next
	}
	next++
	for next < len(r.All) && !r.Is(next, "}") && !r.resumes(next) {
		was := next
		switch word {
		case "table", "struct":
			next = r.field(next, owner)
		case "rpc_service":
			next = r.method(next, owner)
		case "enum":
			next = r.value(next, owner)
		default:
			next = r.variant(next, owner)
		}
		next = max(next, was+1)
	}
	if r.Is(next, "}") {
		next++
	}
	r.out.End(owner, r.At(next-1).End)
	return next
}

// add adds a definition that reaches from its first token to end.
func (r *reader) add(start, name, end, owner int, s facts.Symbol) int {
	k := r.At(name)
	s.Name = r.Text(name)
	s.Signature = r.Between(start, end)
	s.Span = facts.Span{Start: r.At(start).Start, End: max(k.End, r.At(end-1).End)}
	s.NameSpan = facts.Span{Start: k.Start, End: k.End}
	last := end - 1
	if r.Is(end, ",") || r.Is(end, ";") {
		last = end
	}
	if s.Doc = r.Above(start); s.Doc == "" && owner >= 0 {
		s.Doc = r.Behind(last)
	}
	return r.out.Add(owner, s)
}

// field reads name: type = default (attributes);
func (r *reader) field(i, owner int) int {
	if r.At(i).Kind != idl.Word || !r.Is(i+1, ":") {
		return i + 1
	}
	next, use := i+2, -1
	if r.Is(next, "[") {
		next++
	}
	if r.At(next).Kind == idl.Word {
		use = next
		next++
	}
	if r.Is(next, ":") && r.At(next+1).Kind == idl.Number { // [type:3]
		next += 2
	}
	if r.Is(next, "]") {
		next++
	}
	s := facts.Symbol{Kind: facts.KindField, Type: r.Between(i+2, next)}
	if r.Is(next, "=") {
		for next++; next < len(r.All) && !r.Is(next, ";") && !r.Is(next, "(") && !r.Is(next, "}") && !r.At(next).First; next++ {
		}
	}
	end := next
	if r.Is(next, "(") {
		next = r.Skip(next, r.resumes)
		for k := end; k < next && k < end+100; k++ {
			if r.Is(k, "deprecated") {
				s.Flags |= facts.Obsolete
			}
		}
	}
	at := r.add(i, i, next, owner, s)
	if use >= 0 {
		r.use(use, at)
	}
	if r.Is(next, ";") {
		next++
	}
	return next
}

func (r *reader) value(i, owner int) int {
	if r.At(i).Kind != idl.Word {
		return i + 1
	}
	end := i + 1
	if r.Is(end, "=") {
		for end++; end < len(r.All) && !r.Is(end, ",") && !r.Is(end, "}") && !r.Is(end, "(") && !r.At(end).First; end++ {
		}
	}
	r.add(i, i, end, owner, facts.Symbol{Kind: facts.KindEnumMember})
	if r.Is(end, "(") {
		end = r.Skip(end, r.resumes)
	}
	return end
}

// variant reads a member of a union: a type, or a name: type.
func (r *reader) variant(i, owner int) int {
	if r.At(i).Kind != idl.Word {
		return i + 1
	}
	if !r.Is(i+1, ":") || r.At(i+2).Kind != idl.Word {
		r.use(i, owner)
		return i + 1
	}
	at := r.add(i, i, i+3, owner, facts.Symbol{Kind: facts.KindEnumMember, Type: r.Text(i + 2)})
	r.use(i+2, at)
	return i + 3
}

// method reads Name(Request):Response (attributes);
func (r *reader) method(i, owner int) int {
	if r.At(i).Kind != idl.Word || !r.Is(i+1, "(") || r.At(i+2).Kind != idl.Word {
		return i + 1
	}
	uses := []int{i + 2}
	s := facts.Symbol{Kind: facts.KindMethod, Params: []facts.Param{{Type: r.Text(i + 2)}}}
	next := i + 3
	if r.Is(next, ")") {
		next++
	}
	if r.Is(next, ":") && r.At(next+1).Kind == idl.Word {
		s.Type = r.Text(next + 1)
		uses = append(uses, next+1)
		next += 2
	}
	at := r.add(i, i, next, owner, s)
	for _, u := range uses {
		r.use(u, at)
	}
	if r.Is(next, "(") {
		next = r.Skip(next, r.resumes)
	}
	return next
}
