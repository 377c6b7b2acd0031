package python

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// typeExpression reports the names of an annotation.
func (w *walker) typeExpression(n syntax.Node) {
	kind := facts.RefType
	literal := 0 // index at which the current Literal[...] ends; it holds values
	for i, end := n.Index(), n.SubtreeEnd(); i < end; {
		c := w.t.At(i)
		if i >= literal {
			kind = facts.RefType
		}
		i++
		switch c.Kind() {
		case "identifier":
			switch p := c.Parent(); {
			case p.Kind() == "attribute" && c.FieldName() == "attribute", p.Kind() == "keyword_argument" && c.FieldName() == "name":
			case p.Kind() == "attribute":
				w.name(c, facts.RefRead)
			case p.Kind() == "call" && c.FieldName() == "function":
				w.name(c, facts.RefCall)
			default:
				w.name(c, kind)
			}
		case "attribute":
			use := kind
			if c.Parent().Kind() == "attribute" {
				use = facts.RefRead
			}
			if a := c.Child("attribute"); !a.IsZero() {
				w.b.Reference(use, a.Text(), shape(c.Child("object")), a.Start())
			}
		case "string":
			if kind == facts.RefType {
				w.stringType(c)
			}
		case "lambda":
			i = c.SubtreeEnd()
		case "generic_type", "subscript":
			if head := firstNamed(c); lastPart(shape(head)) == "Literal" {
				kind, literal = facts.RefRead, c.SubtreeEnd()
			}
		}
	}
}

// annotationString reports the names of a string that is a type by where it
// stands: the first argument of cast, the bound of a type variable.
func (w *walker) annotationString(n syntax.Node) {
	p := n.Parent()
	switch p.Kind() {
	case "argument_list":
		call := p.Parent()
		if call.Kind() == "call" && firstNamed(p) == n && lastPart(shape(call.Child("function"))) == "cast" {
			w.stringType(n)
		}
	case "keyword_argument":
		if string(p.Child("name").Bytes()) == "bound" {
			w.stringType(n)
		}
	}
}

// stringType reports the names of an annotation in quotes, as far as it
// consists of dotted names, brackets, commas and bars.
func (w *walker) stringType(n syntax.Node) {
	text, at, ok := stringText(n)
	if !ok || len(text) > 400 {
		return
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; !isWord(c) && c != '.' && c != '[' && c != ']' && c != ',' && c != ' ' && c != '|' {
			return
		}
	}
	for i := 0; i < len(text); {
		if !isWord(text[i]) || text[i] >= '0' && text[i] <= '9' {
			i++
			continue
		}
		end, name := i, i
		for end < len(text) && (isWord(text[end]) || text[end] == '.') {
			if text[end] == '.' {
				name = end + 1
			}
			end++
		}
		word := text[name:end]
		switch {
		case word == "":
		case name > i:
			w.b.Reference(facts.RefType, word, text[i:name-1], at+uint32(name))
		case !w.local([]byte(word)) && (!builtins[word] || w.bound([]byte(word))):
			w.b.Reference(facts.RefType, word, "", at+uint32(name))
		}
		i = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func isDotted(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) && s[i] != '.' {
			return false
		}
	}
	return s != ""
}

// typeAlias takes a type statement apart. In `type X[T] = ...` the name stands
// inside a generic type, in `type X = ...` inside a type.
func typeAlias(n syntax.Node) (name, params, of syntax.Node) {
	var types []syntax.Node
	n.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "type" {
			types = append(types, c)
		}
		return len(types) < 2
	})
	if len(types) == 0 {
		return
	}
	name = firstNamed(types[0])
	if name.Kind() == "generic_type" {
		params = name.ChildOfKind("type_parameter")
		name = firstNamed(name)
	}
	if name.Kind() != "identifier" {
		return syntax.Node{}, syntax.Node{}, syntax.Node{}
	}
	if len(types) == 2 {
		of = types[1]
	}
	return name, params, of
}

func (w *walker) typeAlias(n syntax.Node) int {
	name, params, of := typeAlias(n)
	if name.IsZero() {
		return n.Index() + 1
	}
	s := w.symbol(name, n, facts.KindType)
	s.Type = oneLine(of)
	s.Signature = w.header(n, n.End())
	s.Doc = w.attributeDoc(n)
	w.b.Within(w.b.Symbol(s), func() {
		w.generic(n, params, func() {
			if !of.IsZero() {
				w.typeExpression(of)
			}
		})
	})
	return n.SubtreeEnd()
}

// generic runs walk where the type parameters of a definition are bound.
func (w *walker) generic(whole, params syntax.Node, walk func()) {
	if params.IsZero() {
		walk()
		return
	}
	s := scope{kind: functionScope, names: map[string]nameKind{}}
	w.nested(lang.SpanOf(whole), s, func() {
		params.NamedChildren(func(c syntax.Node) bool {
			// A bound stands after the name: T: int.
			name := firstNamed(c)
			for range 4 {
				if name.IsZero() || name.Kind() == "identifier" {
					break
				}
				name = firstNamed(name)
			}
			if name.Kind() == "identifier" {
				s.names[name.Text()] = localName
				w.b.Bind(name.Text(), name.Start(), "", "")
			}
			return true
		})
		w.typeExpression(params)
		walk()
	})
}
