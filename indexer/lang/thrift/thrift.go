// Package thrift outlines Apache and Facebook Thrift: structures with their
// fields, enums, services with their methods, constants and included files. A
// scanner of its own reads them; no grammar ships.
package thrift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// Language is the row of Thrift.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "thrift",
		Version:    1,
		Extensions: []string{".thrift"},
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
	r := &reader{Tokens: idl.Scan(b.Source, idl.Syntax{Slash: true, Hash: true, Inside: "."}), b: b}
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
	case "struct", "union", "exception", "service", "interaction", "enum", "senum":
		return r.Is(i+2, "{") || r.Is(i+2, "extends") || r.Is(i+2, "(") || r.At(i+2).Kind == idl.End
	case "typedef", "const":
		return true
	}
	return false
}

// resumes tells whether a definition must start here although brackets are
// open.
func (r *reader) resumes(i int) bool {
	return !r.Balanced && r.All[i].Flush && r.isDefinition(i)
}

func (r *reader) statement(i int) int {
	if r.At(i).Kind != idl.Word {
		if r.Is(i, "{") || r.Is(i, "(") || r.Is(i, "[") {
			return r.Skip(i, r.resumes)
		}
		return i + 1
	}
	switch r.Text(i) {
	case "namespace":
		if r.At(i+2).Kind == idl.Word {
			r.b.SetPackage(r.Text(i + 2))
			return i + 3
		}
	case "package":
		if r.At(i+1).Kind == idl.String {
			r.b.SetPackage(r.Unquote(i + 1))
			return i + 2
		}
	case "include", "cpp_include":
		if r.At(i+1).Kind == idl.String {
			if file := r.Unquote(i + 1); !strings.HasPrefix(file, "<") {
				r.b.Import(facts.Import{Module: file}, r.At(i).Start)
			}
			return i + 2
		}
	}
	if !r.isDefinition(i) {
		return i + 1
	}
	switch word := r.Text(i); word {
	case "typedef":
		next, uses := r.typeOf(i + 1)
		if r.Is(next, "(") { // annotations of the type
			next = r.Skip(next, r.resumes)
		}
		if r.At(next).Kind == idl.Word {
			at := r.add(i, next, next+1, -1, facts.Symbol{Kind: facts.KindType, Type: r.Between(i+1, next)})
			r.uses(uses, at)
			return next + 1
		}
	case "const":
		next, uses := r.typeOf(i + 1)
		if r.At(next).Kind == idl.Word && r.Is(next+1, "=") {
			end := r.value(next + 2)
			at := r.add(i, next, end, -1, facts.Symbol{Kind: facts.KindConstant, Type: r.Between(i+1, next)})
			r.uses(uses, at)
			return end
		}
	default:
		return r.definition(i, word)
	}
	return i + 1
}

func (r *reader) definition(i int, word string) int {
	s := facts.Symbol{Kind: facts.KindStruct}
	switch word {
	case "exception":
		s.Kind = facts.KindClass
	case "service", "interaction":
		s.Kind = facts.KindInterface
	case "enum", "senum":
		s.Kind = facts.KindEnum
	}
	next := i + 2
	base := -1
	if r.Is(next, "extends") && r.At(next+1).Kind == idl.Word {
		base = next + 1
		s.Bases = []string{r.Text(base)}
		next += 2
	}
	owner := r.add(i, i+1, next, -1, s)
	if base >= 0 {
		last, qualifier := idl.Qualified(r.Text(base))
		r.out.Ref(facts.RefInherit, last, qualifier, owner, r.At(base).Start)
	}
	for r.At(next).Kind != idl.End && !r.Is(next, "{") {
		if !r.Is(next, "(") {
			return next
		}
		next = r.Skip(next, r.resumes)
	}
	next++
	for next < len(r.All) && !r.Is(next, "}") && !r.resumes(next) {
		was := next
		switch s.Kind {
		case facts.KindEnum:
			next = r.member(next, owner)
		case facts.KindInterface:
			next = r.method(next, owner)
		default:
			next = r.field(next, owner)
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

// typeOf passes a type and lists the tokens of the names in it.
func (r *reader) typeOf(i int) (next int, uses []int) {
	if r.At(i).Kind != idl.Word {
		return i, nil
	}
	uses = append(uses, i)
	i++
	if !r.Is(i, "<") {
		return i, uses
	}
	depth := 0
	for n := 0; n < 100 && i < len(r.All); n++ {
		switch {
		case r.Is(i, "<"):
			depth++
		case r.Is(i, ">"):
			depth--
		case r.At(i).Kind == idl.Word:
			uses = append(uses, i)
		case r.Is(i, "("):
			i = r.Skip(i, r.resumes)
			continue
		case !r.Is(i, ","):
			return i, uses
		}
		i++
		if depth == 0 {
			break
		}
	}
	return i, uses
}

func (r *reader) uses(tokens []int, in int) {
	for _, i := range tokens {
		switch name := r.Text(i); name {
		case "void", "bool", "byte", "i8", "i16", "i32", "i64", "double", "float", "string", "binary", "uuid", "slist", "list", "set", "map", "stream", "sink", "const":
		default:
			last, qualifier := idl.Qualified(name)
			r.out.Ref(facts.RefType, last, qualifier, in, r.At(i).Start)
		}
	}
}

func (r *reader) value(i int) int {
	if r.Is(i, "{") || r.Is(i, "[") {
		return r.Skip(i, r.resumes)
	}
	if r.Is(i, "-") || r.Is(i, "+") {
		i++
	}
	if k := r.At(i).Kind; k == idl.Word || k == idl.Number || k == idl.String {
		i++
		if (r.Is(i, "-") || r.Is(i, "+")) && r.At(i).Start == r.At(i-1).End { // 1e-3
			i += 2
		}
	}
	return i
}

// annotations passes ( … ) behind a member.
func (r *reader) annotations(i int) int {
	if r.Is(i, "(") {
		i = r.Skip(i, r.resumes)
	}
	if r.Is(i, ",") || r.Is(i, ";") {
		i++
	}
	return i
}

func (r *reader) member(i, owner int) int {
	if k := r.At(i).Kind; k != idl.Word {
		return i + 1
	}
	end := i + 1
	if r.Is(end, "=") {
		end = r.value(end + 1)
	}
	r.add(i, i, end, owner, facts.Symbol{Kind: facts.KindEnumMember})
	return r.annotations(end)
}

// head reads [number:] [required] type name and returns the index of the name,
// -1 where there is none.
func (r *reader) head(i int) (typ, name int, uses []int) {
	if r.At(i).Kind == idl.Number && r.Is(i+1, ":") {
		i += 2
	}
	if (r.Is(i, "required") || r.Is(i, "optional")) && r.At(i+1).Kind == idl.Word {
		i++
	}
	next, uses := r.typeOf(i)
	if next == i || r.At(next).Kind != idl.Word {
		return i, -1, nil
	}
	return i, next, uses
}

func (r *reader) field(i, owner int) int {
	typ, name, uses := r.head(i)
	if name < 0 {
		return i + 1
	}
	end := name + 1
	if r.Is(end, "=") {
		end = r.value(end + 1)
	}
	at := r.add(i, name, end, owner, facts.Symbol{Kind: facts.KindField, Type: r.Between(typ, name)})
	r.uses(uses, at)
	return r.annotations(end)
}

// method reads [oneway] type name(fields) [throws (fields)].
func (r *reader) method(start, owner int) int {
	i := start
	if r.Is(i, "oneway") || r.Is(i, "async") {
		i++
	}
	name, uses := r.typeOf(i)
	if name == i || r.At(name).Kind != idl.Word || !r.Is(name+1, "(") {
		return start + 1
	}
	s := facts.Symbol{Kind: facts.KindMethod, Type: r.Between(i, name)}
	params := func(i int, keep bool) int {
		i++
		for i < len(r.All) && !r.Is(i, ")") && !r.Is(i, "{") && !r.Is(i, "}") && !r.resumes(i) {
			typ, field, used := r.head(i)
			if field < 0 {
				i++
				continue
			}
			if keep && len(s.Params) < 100 {
				s.Params = append(s.Params, facts.Param{Name: r.Text(field), Type: r.Between(typ, field)})
			}
			uses = append(uses, used...)
			i = field + 1
			if r.Is(i, "=") {
				i = max(i+1, r.value(i+1))
			}
			if r.Is(i, "(") {
				i = r.Skip(i, r.resumes)
			}
		}
		if r.Is(i, ")") {
			i++
		}
		return i
	}
	end := params(name+1, true)
	if r.Is(end, "throws") && r.Is(end+1, "(") {
		end = params(end+1, false)
	}
	at := r.add(start, name, end, owner, s)
	r.uses(uses, at)
	return r.annotations(end)
}
