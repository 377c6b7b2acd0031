package svelte

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
)

// expression lays out what stands between braces as a statement.
func (r *reader) expression(start, end int) {
	start, end = r.Markup.Trim(start, end)
	if bytes.HasPrefix(r.source[start:end], []byte("...")) {
		start += 3
	}
	if bytes.HasPrefix(r.source[start:end], []byte("@")) {
		for start < end && !component.IsSpace(r.source[start]) {
			start++
		}
	}
	if start >= end || !r.Balanced(start, end) {
		return
	}
	r.Markup.Statement(start, end)
	r.Markup.Edit(start, end, stores)
}

// braces lays out an expression or the mark of a block, which reaches from one
// brace to the other.
func (r *reader) braces(open, end int) {
	start, _ := r.Markup.Trim(open+1, end)
	if start >= end {
		return
	}
	word := start + 1
	for word < end && r.source[word] >= 'a' && r.source[word] <= 'z' {
		word++
	}
	name := string(r.source[start:word])
	switch {
	case name == "#each":
		r.each(open, word, end)
	case name == "#await":
		r.await(open, word, end)
	case name == "#snippet":
		r.snippet(open, word, end)
	case strings.HasPrefix(name, "#"): // #if, #key
		r.expression(word, end)
	case isEnd(name) && len(bytes.TrimSpace(r.source[word:end])) == 0:
		if i := r.scopes.Close("#"+name[1:], open, end+1-open); i >= 0 {
			r.Snippets[i].Span.End = uint32(end + 1)
		}
	case name == ":then" || name == ":catch":
		if s, e := r.Markup.Trim(word, end); s < e && s > word && isPattern(r.source[s:e]) && r.Balanced(s, e) {
			r.Markup.Put(s-4, "let ")
			r.Markup.Copy(s, e)
			r.Markup.Put(e, ";")
		}
	case name == ":else":
		s, e := r.Markup.Trim(word, end)
		if bytes.HasPrefix(r.source[s:e], []byte("if")) {
			r.expression(s+2, e)
		}
	case name == "@const":
		if s, e := r.Markup.Trim(word, end); s < e && r.Balanced(s, e) {
			r.Markup.Put(s-6, "const ")
			r.Markup.Copy(s, e)
			r.Markup.Put(e, ";")
			r.Markup.Edit(s, e, stores)
		}
	default:
		r.expression(start, end)
	}
}

// isEnd tells the end mark of a block from a comment or regular expression.
func isEnd(name string) bool {
	switch name {
	case "/each", "/await", "/snippet", "/if", "/key":
		return true
	}
	return false
}

// each lays {#each xs as x, i (key)} out as "{let _=xs, x, i; key;": a block that
// binds the names, for the end of which {/each} stands.
func (r *reader) each(open, word, end int) {
	o := r.Markup
	as := r.lastWord(word, end, "as")
	if word-open < 6 || word >= end || !component.IsSpace(r.source[word]) || !r.Balanced(word, end) {
		r.expression(word, end)
		r.scopes.Open("#each")
		return
	}
	listEnd := end
	if as >= 0 {
		listEnd = as
	}
	if s, e := o.Trim(word, listEnd); s >= e || !r.Balanced(s, e) {
		r.scopes.Open("#each")
		return
	}
	if as < 0 {
		r.scopes.Block("#each", open, "{let _=", end+1, -1)
		o.Copy(word+1, end)
		o.Put(end, ";")
		o.Edit(word+1, end, stores)
		return
	}
	start, stop := o.Trim(as+2, end)
	key := -1
	if start < stop && r.source[stop-1] == ')' {
		key = r.opening(start, stop)
	}
	names := stop
	if key >= 0 {
		_, names = o.Trim(start, key)
	}
	if start >= names || !isBindings(r.source[start:names]) || !r.Balanced(start, names) || !r.scopes.Block("#each", open, "{let _=", end+1, -1) {
		r.expression(word, as)
		return
	}
	o.Copy(word+1, as)
	o.Edit(word+1, as, stores)
	o.Put(as, ", ")
	o.Copy(start, names)
	if key < 0 {
		o.Put(end, ";")
		return
	}
	o.Put(key, ";")
	if s, e := o.Trim(key+1, stop-1); s < e {
		o.Statement(key+1, stop-1)
	}
}

func isBindings(code []byte) bool {
	return code[0] == '{' || code[0] == '[' || component.IsWord(code[0]) && bytes.IndexByte(code, '(') < 0
}

// opening is the parenthesis that the last one of a range closes, or -1.
func (r *reader) opening(start, end int) int {
	depth := 0
	for i := start; i < end; i++ {
		switch r.source[i] {
		case '(', '[', '{':
			if depth == 0 && r.source[i] == '(' && r.Balanced(i, end) {
				return i
			}
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return -1
}

// lastWord is where a word stands last between others, outside of brackets, or -1.
func (r *reader) lastWord(start, end int, word string) int {
	depth, last := 0, -1
	for i := start; i < end; i++ {
		switch c := r.source[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth == 0 && component.IsSpace(c) && i+len(word)+1 < end && string(r.source[i+1:i+1+len(word)]) == word && component.IsSpace(r.source[i+1+len(word)]):
			last = i + 1
		}
	}
	return last
}

// await lays out {#await promise then value}.
func (r *reader) await(open, word, end int) {
	o := r.Markup
	then, size := r.lastWord(word, end, "then"), 4
	if c := r.lastWord(word, end, "catch"); then < 0 && c >= 0 {
		then, size = c, 5
	}
	s, e := word, end
	if then >= 0 {
		e = then
	}
	s, e = o.Trim(s, e)
	if s >= e || s == word || !r.Balanced(s, e) {
		r.scopes.Open("#await")
		return
	}
	if !r.scopes.Block("#await", open, "{", end+1, -1) {
		return
	}
	o.Put(open+1, "let _=")
	o.Copy(s, e)
	o.Edit(s, e, stores)
	if then >= 0 {
		if vs, ve := o.Trim(then+size, end); vs < ve && isPattern(r.source[vs:ve]) && r.Balanced(vs, ve) {
			o.Put(then, ",")
			o.Copy(vs, ve)
		}
	}
	o.Put(end, ";")
}

// snippet lays {#snippet name(a)} out as "function name(a){", and notes it as a
// function of the component.
func (r *reader) snippet(open, word, end int) {
	o := r.Markup
	s, e := o.Trim(word, end)
	paren := bytes.IndexByte(r.source[s:e], '(')
	nameEnd := s
	for nameEnd < e && component.IsWord(r.source[nameEnd]) {
		nameEnd++
	}
	if paren <= 0 || nameEnd == s || s == word || !r.Balanced(s, e) || r.source[e-1] != ')' {
		r.scopes.Open("#snippet")
		return
	}
	if !r.scopes.Block("#snippet", s-9, "function ", end+1, len(r.Snippets)) {
		return
	}
	o.Copy(s, e)
	o.Put(end, "{")
	r.Snippets = append(r.Snippets, facts.Symbol{
		Name: string(r.source[s:nameEnd]), Kind: facts.KindFunction, Visibility: facts.Private,
		Signature: strings.ToValidUTF8(string(r.source[open:min(end+1, open+facts.MaxSignature)]), ""),
		Span:      facts.Span{Start: uint32(open), End: uint32(end + 1)}, NameSpan: facts.Span{Start: uint32(s), End: uint32(nameEnd)},
		Params: params(r.source[s+paren+1 : e-1]),
	})
}

// params are the names of plain parameters.
func params(list []byte) []facts.Param {
	var out []facts.Param
	if bytes.ContainsAny(list, "{}[]()<>=") {
		return nil
	}
	for p := range strings.SplitSeq(strings.ToValidUTF8(string(list), ""), ",") {
		name, typ, _ := strings.Cut(p, ":")
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, facts.Param{Name: name, Type: lang.Collapse(typ)})
		}
	}
	return out
}
