// Package just outlines justfiles: recipes with their parameters, dependencies
// and documentation, aliases, modules, variables, settings and imports. The
// format is one of lines, so a scanner of lines reads it, which stays in step
// with any damage.
package just

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxRefs    = 4000
	maxInit    = 120
)

var comments = lang.CommentStyle{Line: []string{"#"}}

// Language is the row of justfiles.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "just",
		Version:      1,
		Extensions:   []string{".just", ".justfile"},
		Filenames:    []string{"justfile", "Justfile", "JUSTFILE", ".justfile"},
		Interpreters: []string{"just"},
		Extract:      extract,
		Roles:        func(string) facts.Role { return facts.RoleBuild },
		Outline:      true,
	}
}

func extract(b *lang.Builder) {
	r := &reader{b: b, src: b.Source, left: maxSymbols, refs: maxRefs, attributes: -1, recipe: -1}
	if text, attached := comments.Header(b.Source); !attached {
		b.SetSummary(text)
	}
	r.read()
}

type reader struct {
	b          *lang.Builder
	src        []byte
	left, refs int
	// recipe is the symbol whose body is being read, or -1; params are names
	// that its body sees before variables.
	recipe int32
	params []facts.Param
	// attributes is the offset of the first line of attributes above, or -1.
	attributes int
	private    bool
	doc        string
	noClosing  [256]bool // quotes that do not occur in the rest of the text
}

func (r *reader) lineEnd(at int) (end, next int) {
	k := bytes.IndexByte(r.src[at:], '\n')
	if k < 0 {
		return len(r.src), len(r.src)
	}
	end = at + k
	if end > at && r.src[end-1] == '\r' {
		end--
	}
	return end, at + k + 1
}

func (r *reader) read() {
	for at := 0; at < len(r.src); {
		end, next := r.lineEnd(at)
		line := r.src[at:end]
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case line[0] == ' ' || line[0] == '\t':
			r.body(at, end)
		case line[0] == '#':
			r.recipe = -1
			if !bytes.HasPrefix(line, []byte("#!")) {
				r.b.MarkDoc(facts.Span{Start: uint32(at), End: uint32(end)})
			}
		case line[0] == '[':
			r.recipe = -1
			r.attribute(at, line)
		default:
			r.recipe = -1
			next = r.item(at)
			r.attributes, r.private, r.doc = -1, false, ""
		}
		at = next
	}
}

// body reads a line of a recipe's body.
func (r *reader) body(at, end int) {
	if r.recipe < 0 {
		return
	}
	s := r.b.At(r.recipe)
	s.Span.End = uint32(end)
	s.EndLine = r.b.Line(uint32(end))
	for at < end {
		k := bytes.Index(r.src[at:end], []byte("{{"))
		if k < 0 {
			return
		}
		at += k + 2
		if at < end && r.src[at] == '{' { // {{{{ stands for {{
			at += 2
			continue
		}
		stop := end
		if k := bytes.Index(r.src[at:min(end, at+500)], []byte("}}")); k >= 0 {
			stop = at + k
		}
		r.b.Within(r.recipe, func() { r.expression(at, stop) })
		at = stop
	}
}

// expression adds the variables that an expression reads.
func (r *reader) expression(at, end int) {
	for at < end {
		switch c := r.src[at]; {
		case isQuote(c):
			at = min(r.quoted(at), end)
		case isStart(c):
			stop := r.word(at, end)
			name := string(r.src[at:stop])
			call := stop < end && r.src[stop] == '('
			if !call && !r.isParam(name) && name != "if" && name != "else" && name != "true" && name != "false" {
				r.reference(facts.RefRead, name, at)
			}
			at = stop
		default:
			at++
		}
	}
}

func (r *reader) isParam(name string) bool {
	for _, p := range r.params {
		if strings.TrimLeft(p.Name, "*+$") == name {
			return true
		}
	}
	return false
}

// reference adds a use of a variable or recipe; a::b is b of the module a.
func (r *reader) reference(kind facts.RefKind, name string, at int) {
	if r.refs == 0 {
		return
	}
	r.refs--
	qualifier := ""
	if k := strings.LastIndex(name, "::"); k >= 0 {
		qualifier, name = name[:k], name[k+2:]
		at += k + 2
	}
	r.b.Reference(kind, name, qualifier, uint32(at))
}

// attribute reads a line such as [group('x'), private].
func (r *reader) attribute(at int, line []byte) {
	if r.attributes < 0 {
		r.attributes = at
	}
	text := string(line[:min(len(line), 1000)])
	if k := strings.Index(text, "doc("); k >= 0 {
		from := at + k + len("doc(")
		if from < len(r.src) && isQuote(r.src[from]) {
			if stop := r.quoted(from); stop > from+1 && stop <= at+len(line) {
				r.doc = strings.Trim(string(r.src[from:stop]), `'"`)
			}
		}
	}
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("[], :", c) }) {
		r.private = r.private || w == "private"
	}
}

func (r *reader) docOf(at int) string {
	if r.doc != "" {
		return r.doc
	}
	if r.attributes >= 0 {
		at = r.attributes
	}
	return comments.Above(r.src, at)
}

// item reads what starts at a line's first column and gives the offset of the
// next line.
func (r *reader) item(at int) int {
	lineEnd, next := r.lineEnd(at)
	start := at
	if r.src[at] == '@' {
		at++
	}
	if at >= lineEnd || !isStart(r.src[at]) {
		return next
	}
	stop := r.word(at, lineEnd)
	word := string(r.src[at:stop])
	rest := r.blanks(stop, lineEnd)
	if rest < lineEnd && (isStart(r.src[rest]) || isQuote(r.src[rest]) || r.src[rest] == '?') {
		switch word {
		case "alias", "export", "set", "eager", "unexport":
			if name := r.word(rest, lineEnd); name > rest {
				if op := r.blanks(name, lineEnd); bytes.HasPrefix(r.src[op:lineEnd], []byte(":=")) {
					return r.assignment(start, rest, name, op+2, word)
				}
				if word == "set" && r.blanks(name, lineEnd) == lineEnd {
					r.add(facts.Symbol{Name: string(r.src[rest:name]), Kind: facts.KindKey, Signature: string(r.src[start:name])}, start, name, rest, name)
					return next
				}
			}
		case "import", "mod":
			if r.include(start, rest, lineEnd, word) {
				return next
			}
		}
	}
	if bytes.HasPrefix(r.src[rest:lineEnd], []byte(":=")) && r.src[start] != '@' {
		return r.assignment(start, at, stop, rest+2, "")
	}
	return r.recipeHeader(start, at, stop)
}

// include reads import 'path' and mod name 'path'.
func (r *reader) include(start, at, end int, word string) bool {
	if r.src[at] == '?' {
		at = r.blanks(at+1, end)
	}
	name, nameAt := "", at
	if word == "mod" {
		stop := r.word(at, end)
		name = string(r.src[at:stop])
		at = r.blanks(stop, end)
		if name == "" || at < end && !isQuote(r.src[at]) && r.src[at] != '#' {
			return false
		}
	}
	path := name
	if at < end && isQuote(r.src[at]) {
		stop := r.quoted(at)
		if stop > end {
			return false
		}
		path = strings.Trim(string(r.src[at:stop]), `'"`)
	} else if word == "import" {
		return false
	}
	if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "~") {
		path = "./" + path
	}
	r.b.Import(facts.Import{Module: path, Alias: name}, uint32(start))
	if name != "" {
		r.add(facts.Symbol{Name: name, Kind: facts.KindModule, Doc: r.docOf(start), Signature: string(r.src[start:end])},
			start, end, nameAt, nameAt+len(name))
	}
	return true
}

// assignment reads a variable, setting or alias whose value starts at an offset.
func (r *reader) assignment(start, nameStart, nameEnd, value int, word string) int {
	end := r.valueEnd(value)
	text := bytes.TrimSpace(r.src[value:end])
	s := facts.Symbol{Name: string(r.src[nameStart:nameEnd]), Kind: facts.KindVariable, Doc: r.docOf(start)}
	s.Signature = string(r.src[start:min(end, start+facts.MaxSignature*2)])
	s.Signature = strings.ToValidUTF8(s.Signature, "")
	if len(text) <= maxInit && bytes.IndexByte(text, '\n') < 0 {
		s.Init = string(text)
	}
	if r.private || s.Name[0] == '_' {
		s.Visibility = facts.Private
	}
	switch word {
	case "set":
		s.Kind = facts.KindKey
	case "alias":
		s.Kind, s.Init = facts.KindTarget, ""
	case "export":
		s.Flags |= facts.Exported
	}
	i := r.add(s, start, end, nameStart, nameEnd)
	r.params = nil
	r.b.Within(i, func() {
		if word == "alias" {
			if at := r.blanks(value, end); at < end && isStart(r.src[at]) {
				r.reference(facts.RefCall, string(r.src[at:r.path(at, end)]), at)
			}
			return
		}
		if word != "set" {
			r.expression(value, min(end, value+4000))
		}
	})
	_, next := r.lineEnd(end)
	return next
}

// valueEnd is the offset behind an expression: the end of its line, where no
// string or bracket is open.
func (r *reader) valueEnd(at int) int {
	first, _ := r.lineEnd(at)
	depth := 0
	for at < len(r.src) {
		switch c := r.src[at]; {
		case isQuote(c):
			at = r.quoted(at)
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '#':
			end, _ := r.lineEnd(at)
			if depth <= 0 {
				return at
			}
			at = end
			continue
		case c == '\\' && at+1 < len(r.src) && (r.src[at+1] == '\n' || r.src[at+1] == '\r'):
			_, at = r.lineEnd(at)
			continue
		case c == '\n':
			if depth <= 0 {
				end, _ := r.lineEnd(at)
				if end == at && at > 0 && r.src[at-1] == '\r' {
					return at - 1
				}
				return end
			}
			// What is not indented inside a bracket is no part of it.
			if at+1 < len(r.src) && isStart(r.src[at+1]) {
				return first
			}
		}
		at++
	}
	if depth > 0 {
		return first
	}
	return len(r.src)
}

// recipeHeader reads name params: dependencies.
func (r *reader) recipeHeader(start, nameStart, nameEnd int) int {
	lineEnd, next := r.lineEnd(start)
	var params []facts.Param
	at := nameEnd
	for {
		at = r.blanks(at, len(r.src))
		if at >= len(r.src) || r.src[at] == '\n' || r.src[at] == '\r' || len(params) > 100 {
			return next // no recipe
		}
		if r.src[at] == '\\' {
			// A line that goes on and is no recipe after all is passed as a whole.
			if _, at = r.lineEnd(at); at >= len(r.src) {
				return at
			}
			_, next = r.lineEnd(at)
			continue
		}
		if r.src[at] == ':' {
			at++
			break
		}
		from := at
		for at < len(r.src) && strings.IndexByte("*+$", r.src[at]) >= 0 {
			at++
		}
		stop := r.word(at, len(r.src))
		if stop == at {
			return next
		}
		p := facts.Param{Name: string(r.src[from:stop])}
		at = r.blanks(stop, len(r.src))
		if at < len(r.src) && r.src[at] == '=' {
			at = r.defaultEnd(r.blanks(at+1, len(r.src)))
		}
		params = append(params, p)
	}
	if at > lineEnd {
		lineEnd, next = r.lineEnd(at)
	}
	s := facts.Symbol{Name: string(r.src[nameStart:nameEnd]), Kind: facts.KindTarget, Params: params, Doc: r.docOf(start)}
	if r.private || s.Name[0] == '_' {
		s.Visibility = facts.Private
	}
	depsEnd := lineEnd
	for depsEnd > at && r.src[depsEnd-1] == '\\' && next < len(r.src) {
		depsEnd, next = r.lineEnd(next)
	}
	signature := string(r.src[nameStart:at]) + " " + r.dependencyText(at, depsEnd)
	s.Signature = strings.TrimSpace(strings.ReplaceAll(signature, "\\\n", " "))
	i := r.add(s, start, depsEnd, nameStart, nameEnd)
	r.params = params
	r.b.Within(i, func() { r.dependencies(at, depsEnd) })
	r.recipe = i
	return next
}

func (r *reader) dependencyText(at, end int) string {
	text := r.src[at:min(end, at+2*facts.MaxSignature)]
	if k := bytes.Index(text, []byte(" #")); k >= 0 {
		text = text[:k]
	}
	clean := strings.ReplaceAll(strings.ToValidUTF8(string(text), ""), "\\\r\n", " ")
	return strings.ReplaceAll(clean, "\\\n", " ")
}

// dependencies adds what a recipe runs first or, behind &&, last.
func (r *reader) dependencies(at, end int) {
	depth, wantName := 0, true
	for at < end {
		switch c := r.src[at]; {
		case c == '#':
			return
		case isQuote(c):
			at = min(r.quoted(at), end)
			continue
		case c == '(':
			depth++
			wantName = depth == 1
		case c == ')':
			depth--
			wantName = true
		case isStart(c):
			stop := r.path(at, end)
			name := string(r.src[at:stop])
			switch {
			case depth == 0 || wantName:
				r.reference(facts.RefCall, name, at)
				wantName = depth == 0
			case (stop >= end || r.src[stop] != '(') && !r.isParam(name):
				r.reference(facts.RefRead, name, at)
			}
			at = stop
			continue
		}
		at++
	}
}

// defaultEnd is the offset behind the default value of a parameter.
func (r *reader) defaultEnd(at int) int {
	depth := 0
	for at < len(r.src) {
		c := r.src[at]
		switch {
		case isQuote(c):
			at = r.quoted(at)
			continue
		case c == '\n' || c == '\r':
			return at
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth <= 0 && (c == ' ' || c == '\t' || c == ':'):
			return at
		}
		at++
	}
	return at
}

func (r *reader) add(s facts.Symbol, start, end, nameStart, nameEnd int) int32 {
	if r.left == 0 {
		return -1
	}
	r.left--
	s.Span = facts.Span{Start: uint32(start), End: uint32(max(end, nameEnd))}
	s.NameSpan = facts.Span{Start: uint32(nameStart), End: uint32(nameEnd)}
	return r.b.Symbol(s)
}
