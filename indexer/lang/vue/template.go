package vue

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang/component"
)

// template lays out the code in a range of markup.
func (r *reader) template(start, end int) {
	scopes := component.NewScopes(r.Markup)
	defer scopes.Finish()
	open := true // interpolations may be closed further on
	for i := start; i < end && !r.Spent(); {
		switch {
		case open && bytes.HasPrefix(r.source[i:end], []byte("{{")):
			k := bytes.Index(r.source[i+2:end], []byte("}}"))
			if k < 0 {
				open = false
				continue
			}
			r.statement(i+2, i+2+k)
			i += k + 4
		case r.source[i] != '<':
			i++
		case r.IsComment(i):
			i = r.Comment(i)
		case bytes.HasPrefix(r.source[i:end], []byte("</")):
			name, next := r.EndTag(i)
			scopes.Close(name, i, len(name)+2)
			i = max(next, i+2)
		case r.OpensTag(i):
			t, ok := r.Tag(i)
			if !ok || t.End > end {
				i++
				continue
			}
			i = r.element(t, scopes)
		default:
			i++
		}
	}
}

// element lays out the attributes of a tag and returns where to read on.
func (r *reader) element(t *component.Tag, scopes *component.Scopes) int {
	r.Component(t.Name, t.NameAt, true)
	binds := false
	for i := range t.Attributes {
		binds = binds || isBinding(&t.Attributes[i])
	}
	single := t.SelfClosing || component.Void(t.Name)
	switch {
	case binds:
		binds = scopes.Block(t.Name, t.Start, "{", t.Start+1, -1)
	case !single:
		scopes.Open(t.Name)
	}
	for i := range t.Attributes {
		r.attribute(&t.Attributes[i], binds)
	}
	if single && binds {
		scopes.Close(t.Name, t.End-1, 1)
	}
	if (t.Name == "script" || t.Name == "style") && !single {
		if end, closed := r.RawEnd(t.Name, t.End); closed {
			return end
		}
	}
	return t.End
}

// isBinding tells attributes whose value binds names.
func isBinding(a *component.Attribute) bool {
	return a.Quoted() && (a.Name == "v-for" || isSlot(a.Name))
}

func isSlot(name string) bool {
	return name[0] == '#' || name == "slot-scope" || name == "v-slot" || strings.HasPrefix(name, "v-slot:")
}

var forIn = lazyregexp.New(`^\s*(\(?)([^;]*?)(\)?)\s+(in|of)\s+\S`)

func (r *reader) attribute(a *component.Attribute, inBlock bool) {
	o := r.Markup
	switch {
	case a.Name == "":
	case a.ValueStart == 0:
		// :id stands for :id="id".
		if name := a.Name[1:]; a.Name[0] == ':' && isIdentifier(name) && o.Free(a.End) {
			o.Copy(a.Start+1, a.End)
			o.Put(a.End, ";")
		}
	case !a.Quoted() || a.Mark == 0 && a.ValueEnd >= len(r.source):
	case a.Name == "v-for":
		r.loop(a, inBlock)
	case isSlot(a.Name):
		start, end := o.Trim(a.ValueStart, a.ValueEnd)
		if start >= end || !inBlock || !r.Balanced(start, end) || a.ValueStart-a.Start < 4 || !isPattern(r.source[start:end]) {
			return
		}
		o.Put(a.ValueStart-4, "let ")
		o.Copy(start, end)
		o.Put(a.ValueEnd, ";")
	case a.Name[0] == ':' || a.Name[0] == '@' || a.Name[0] == '.' || strings.HasPrefix(a.Name, "v-"):
		if a.Mark == 0 && !o.Free(a.ValueEnd) {
			return
		}
		r.statement(a.ValueStart, a.ValueEnd)
	}
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if !component.IsWord(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// isPattern tells a name or a destructuring pattern, with a type perhaps.
func isPattern(code []byte) bool {
	return code[0] == '{' || code[0] == '[' || component.IsWord(code[0]) && bytes.IndexByte(code, '(') < 0
}

func (r *reader) statement(start, end int) {
	start, end = r.Markup.Trim(start, end)
	if start < end && r.Balanced(start, end) {
		r.Markup.Statement(start, end)
	}
}

// loop lays out v-for="(x, i) in xs" as "let [x, i] = xs": the names are bound in
// all of the element, and x to what an element of xs is.
func (r *reader) loop(a *component.Attribute, inBlock bool) {
	o := r.Markup
	value := r.source[a.ValueStart:a.ValueEnd]
	m := forIn.FindSubmatchIndex(value)
	if m == nil || !inBlock || (m[2] == m[3]) != (m[6] == m[7]) {
		r.statement(a.ValueStart, a.ValueEnd)
		return
	}
	base := a.ValueStart
	nameStart, nameEnd := base+m[4], base+m[5]
	operator, list := base+m[8], base+m[9]
	if nameStart == nameEnd || !r.Balanced(nameStart, nameEnd) || !r.Balanced(list, a.ValueEnd) {
		return
	}
	o.Put(base-4, "let")
	o.Put(nameStart-1, "[")
	o.Copy(nameStart, nameEnd)
	o.Put(nameEnd, "]")
	o.Put(operator, "= ")
	o.Copy(list, a.ValueEnd)
	o.Put(a.ValueEnd, ";")
}
