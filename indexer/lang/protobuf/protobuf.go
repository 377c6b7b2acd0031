// Package protobuf outlines Protocol Buffers schemas of proto2, proto3 and the
// editions: messages with their fields, enums, services with their methods, and
// extensions under the message they extend. A scanner of its own reads them,
// since the grammar that ships knows proto3 only.
package protobuf

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// maxDepth bounds nested messages; what stands deeper is passed over.
const maxDepth = 60

// extending starts the kind of a block of extensions; the message follows.
const extending = "extend "

// Language is the row of Protocol Buffers.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "protobuf",
		Version:    1,
		Extensions: []string{".proto", ".protodevel"},
		Extract:    extract,
		Outline:    true,
		Code:       true,
	}
}

type reader struct {
	*idl.Tokens
	b     *lang.Builder
	out   idl.Outline
	first int // token of the first definition, -1 before
}

func extract(b *lang.Builder) {
	r := &reader{Tokens: idl.Scan(b.Source, idl.Syntax{Slash: true}), b: b, first: -1}
	for i := 0; i < len(r.All); {
		i = r.statement(i, -1, "", 0)
	}
	if r.first < 0 {
		r.first = len(r.All)
	}
	b.SetSummary(r.Header(r.first))
	r.out.Emit(b)
}

// resumes tells whether a definition of the file's level must start here
// although braces are open: only where braces do not match in the file.
func (r *reader) resumes(i int) bool {
	if r.Balanced || !r.All[i].Flush || r.All[i].Kind != idl.Word || r.At(i+1).Kind != idl.Word {
		return false
	}
	switch r.Text(i) {
	case "message", "enum", "service":
		return r.Is(i+2, "{")
	case "extend":
		return true
	}
	return false
}

// statement reads what starts at a token and returns the index behind it, which
// is larger. owner is the message or other definition it stands in; in names the
// kind of block.
func (r *reader) statement(i, owner int, in string, depth int) int {
	k := r.At(i)
	if k.Kind != idl.Word && !r.Is(i, ".") {
		if r.Is(i, "{") || r.Is(i, "[") || r.Is(i, "(") {
			return max(i+1, r.Skip(i, r.resumes))
		}
		return i + 1
	}
	start := i
	word := r.Text(i)
	visibility := facts.Public
	if (word == "export" || word == "local") && (r.Is(i+1, "message") || r.Is(i+1, "enum")) {
		if word == "local" {
			visibility = facts.Private
		}
		i++
		word = r.Text(i)
	}
	named := r.At(i+1).Kind == idl.Word
	switch {
	case in == "enum":
		return r.value(i, owner)
	case word == "syntax" || word == "edition":
		if r.Is(i+1, "=") {
			return r.end(i + 1)
		}
	case word == "package" && named && owner < 0:
		name, next := r.name(i + 1)
		r.b.SetPackage(name)
		return r.end(next)
	case word == "import" && owner < 0:
		return r.imports(i)
	case word == "option" && (named || r.Is(i+1, "(")), word == "reserved" && !r.Is(i+2, "="), word == "extensions" && !r.Is(i+2, "="):
		return r.end(i + 1)
	case (word == "message" || word == "enum" || word == "service") && named && (r.Is(i+2, "{") || r.At(i+2).Kind == idl.End || r.At(i+2).First):
		kind := map[string]facts.Kind{"message": facts.KindStruct, "enum": facts.KindEnum, "service": facts.KindInterface}[word]
		at := r.define(start, i+1, owner, facts.Symbol{Kind: kind, Visibility: visibility, Signature: r.Between(start, i+2)})
		return r.block(i+2, at, word, depth)
	case word == "extend" && (named || r.Is(i+1, ".")):
		return r.extend(i, owner, depth)
	case word == "oneof" && named && r.Is(i+2, "{"):
		at := r.define(start, i+1, owner, facts.Symbol{Kind: facts.KindField, Signature: r.Between(start, i+2)})
		next := r.blockIn(i+2, owner, "oneof", depth)
		if at != owner {
			r.out.End(at, r.At(next-1).End)
		}
		return next
	case word == "rpc" && named && r.Is(i+2, "("):
		return r.method(i, owner)
	case in == "service":
		return i + 1
	}
	if in != "" {
		return r.field(i, owner, in, depth)
	}
	return i + 1
}

// define adds a definition from its first token to its name.
func (r *reader) define(start, name, owner int, s facts.Symbol) int {
	if r.first < 0 {
		r.first = start
	}
	n := r.At(name)
	s.Name = r.Text(name)
	s.Span = facts.Span{Start: r.At(start).Start, End: max(s.Span.End, n.End)}
	s.NameSpan = facts.Span{Start: n.Start, End: n.End}
	if s.Doc == "" {
		s.Doc = r.Above(start)
	}
	return r.out.Add(owner, s)
}

// block reads the braces at i as the body of a definition.
func (r *reader) block(i, owner int, in string, depth int) int {
	if !r.Is(i, "{") {
		return i
	}
	next := r.blockIn(i, owner, in, depth)
	r.out.End(owner, r.At(next-1).End)
	return next
}

func (r *reader) blockIn(i, owner int, in string, depth int) int {
	if depth >= maxDepth {
		return max(i+1, r.Skip(i, r.resumes))
	}
	i++
	for i < len(r.All) {
		if r.Is(i, "}") {
			return i + 1
		}
		if r.resumes(i) {
			return i
		}
		i = r.statement(i, owner, in, depth+1)
	}
	return i
}

// end is the index behind the semicolon that ends a statement. A statement
// without one ends with the line of its last token.
func (r *reader) end(i int) int {
	for i < len(r.All) {
		switch {
		case r.Is(i, ";"):
			return i + 1
		case r.Is(i, "}"):
			return i
		case r.Is(i, "{"), r.Is(i, "["), r.Is(i, "("):
			i = max(i+1, r.Skip(i, r.resumes))
		case r.resumes(i) || r.starts(i):
			return i
		default:
			i++
		}
	}
	return i
}

// starts tells lines that can only be statements of their own.
func (r *reader) starts(i int) bool {
	if !r.All[i].First || r.All[i].Kind != idl.Word || r.At(i+1).First {
		return false
	}
	switch r.Text(i) {
	case "message", "enum", "service", "oneof":
		return r.Is(i+2, "{")
	case "rpc":
		return r.Is(i+2, "(")
	case "package":
		return r.Is(i+2, ";") || r.Is(i+2, ".")
	case "import":
		return r.At(i+1).Kind == idl.String
	case "option":
		return r.Is(i+2, "=")
	}
	return r.At(i+1).Kind == idl.Word && r.Is(i+2, "=") && r.At(i+3).Kind == idl.Number
}

// name reads a dotted name.
func (r *reader) name(i int) (string, int) {
	from := i
	if r.Is(i, ".") {
		i++
	}
	for r.At(i).Kind == idl.Word {
		i++
		if !r.Is(i, ".") || r.At(i+1).Kind != idl.Word {
			break
		}
		i++
	}
	return strings.ReplaceAll(r.Between(from, i), " ", ""), i
}

func (r *reader) imports(i int) int {
	at := r.At(i).Start
	im := facts.Import{}
	i++
	switch r.Text(i) {
	case "public":
		im.Flags = facts.ImportReexport
		i++
	case "weak", "option":
		i++
	}
	if r.At(i).Kind != idl.String {
		return i
	}
	im.Module = strings.TrimSpace(r.Unquote(i))
	r.b.Import(im, at)
	return r.end(i + 1)
}

func (r *reader) extend(i, owner, depth int) int {
	name, next := r.name(i + 1)
	if r.first < 0 {
		r.first = i
	}
	last, qualifier := idl.Qualified(name)
	r.out.Ref(facts.RefType, last, qualifier, owner, r.At(next-1).Start)
	if !r.Is(next, "{") {
		return next
	}
	return r.blockIn(next, owner, extending+strings.TrimPrefix(name, "."), depth)
}

func (r *reader) value(i, owner int) int {
	switch {
	case r.Is(i, "option") && !r.Is(i+1, "="), r.Is(i, "reserved") && !r.Is(i+1, "="):
		return r.end(i + 1)
	case !r.Is(i+1, "="):
		return i + 1
	}
	next := i + 2
	if r.Is(next, "-") {
		next++
	}
	if r.At(next).Kind != idl.Number {
		return i + 1
	}
	next++
	signature := r.Between(i, next)
	next, _ = r.finish(i, i, next, owner, facts.Symbol{Kind: facts.KindEnumMember, Signature: signature})
	return next
}

// finish ends a field, value or method with its options and its semicolon, and
// adds it.
func (r *reader) finish(start, name, next, owner int, s facts.Symbol) (behind, symbol int) {
	if r.Is(next, "[") {
		from := next
		next = r.Skip(next, func(i int) bool { return r.resumes(i) || r.starts(i) })
		for k := from; k < next && k < from+400; k++ {
			if r.Is(k, "deprecated") && r.Is(k+1, "=") && r.Is(k+2, "true") {
				s.Flags |= facts.Obsolete
			}
		}
	}
	if r.Is(next, ";") {
		next++
	}
	s.Span.End = r.At(next - 1).End
	if s.Doc = r.Above(start); s.Doc == "" {
		s.Doc = r.Behind(next - 1)
	}
	return next, r.define(start, name, owner, s)
}

// method reads rpc Name (stream? Request) returns (stream? Response), with ; or
// a block of options.
func (r *reader) method(start, owner int) int {
	i := start + 2
	parts := [2]string{}
	type use struct {
		name string
		at   uint32
	}
	var uses []use
	for n := range parts {
		if n == 1 {
			if !r.Is(i, "returns") {
				break
			}
			i++
		}
		if !r.Is(i, "(") {
			break
		}
		from := i + 1
		i++
		if r.Is(i, "stream") && !r.Is(i+1, ")") && !(r.Is(i+1, ".") && r.At(i+1).Start == r.At(i).End) {
			i++
		}
		name, next := r.name(i)
		if next > i {
			uses = append(uses, use{name, r.At(next - 1).Start})
		}
		i = next
		parts[n] = r.Between(from, i)
		if !r.Is(i, ")") {
			break
		}
		i++
	}
	s := facts.Symbol{Kind: facts.KindMethod, Signature: r.Between(start, i), Type: parts[1]}
	if parts[0] != "" {
		s.Params = []facts.Param{{Type: parts[0]}}
	}
	if r.Is(i, "{") {
		from := i
		i = r.Skip(i, func(i int) bool { return r.resumes(i) || r.starts(i) })
		for k := from; k < i && k < from+1000; k++ {
			if r.Is(k, "option") && r.Is(k+1, "deprecated") && r.Is(k+3, "true") {
				s.Flags |= facts.Obsolete
			}
		}
	}
	next, at := r.finish(start, start+1, i, owner, s)
	for _, u := range uses {
		last, qualifier := idl.Qualified(u.name)
		r.out.Ref(facts.RefType, last, qualifier, at, u.at)
	}
	return next
}

func scalar(name string) bool {
	switch name {
	case "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64",
		"fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes":
		return true
	}
	return false
}

// field reads [label] type name = number [options];
func (r *reader) field(start, owner int, in string, depth int) int {
	i := start
	label := false
	switch r.Text(i) {
	case "repeated", "optional", "required":
		if !r.Is(i+1, "=") && !r.Is(i+1, ".") || r.At(i+2).Kind == idl.Word {
			label = true
			i++
		}
	}
	if r.Is(i, "group") && r.At(i+1).Kind == idl.Word && r.Is(i+2, "=") && r.At(i+3).Kind == idl.Number {
		at := r.define(start, i+1, owner, facts.Symbol{Kind: facts.KindStruct, Signature: r.Between(start, i+4)})
		next := i + 4
		if r.Is(next, "[") {
			next = r.Skip(next, r.resumes)
		}
		return r.block(next, at, "message", depth)
	}
	typeStart := i
	type use struct {
		name string
		at   uint32
	}
	var uses []use
	if r.Is(i, "map") && r.Is(i+1, "<") {
		i += 2
		for n := 0; n < 3 && !r.Is(i, ">") && i < len(r.All); n++ {
			name, next := r.name(i)
			if next == i {
				i++
				continue
			}
			uses = append(uses, use{name, r.At(next - 1).Start})
			i = next
		}
		if !r.Is(i, ">") {
			return start + 1
		}
		i++
	} else {
		name, next := r.name(i)
		if next == i {
			return start + 1
		}
		uses = append(uses, use{name, r.At(next - 1).Start})
		i = next
	}
	if r.At(i).Kind != idl.Word || !r.Is(i+1, "=") || r.At(i+2).Kind != idl.Number {
		return start + 1
	}
	s := facts.Symbol{Kind: facts.KindField, Type: r.Between(typeStart, i), Signature: r.Between(start, i+3)}
	if label && r.Is(start, "repeated") {
		s.Type = "repeated " + s.Type
	}
	if c, ok := strings.CutPrefix(in, extending); ok {
		s.Container = c
	}
	next, at := r.finish(start, i, i+3, owner, s)
	for _, u := range uses {
		if !scalar(u.name) {
			last, qualifier := idl.Qualified(u.name)
			r.out.Ref(facts.RefType, last, qualifier, at, u.at)
		}
	}
	return next
}
