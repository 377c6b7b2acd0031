package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// params lists the parameters with the marks they are written with.
func params(list syntax.Node) []facts.Param {
	var out []facts.Param
	list.NamedChildren(func(p syntax.Node) bool {
		name := ""
		switch p.Kind() {
		case "identifier", "destructured_parameter", "forward_parameter", "hash_splat_nil":
			name = lang.Collapse(p.Text())
		case "optional_parameter":
			name = p.Child("name").Text()
		case "keyword_parameter":
			name = p.Child("name").Text() + ":"
		case "splat_parameter":
			name = "*" + p.Child("name").Text()
		case "hash_splat_parameter":
			name = "**" + p.Child("name").Text()
		case "block_parameter":
			name = "&" + p.Child("name").Text()
		default:
			return true
		}
		out = append(out, facts.Param{Name: name})
		return true
	})
	return out
}

func (w *walker) bindParams(list syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for p := list.FirstChild(); !p.IsZero(); p = p.NextSibling() {
		name, init := p.Child("name"), ""
		switch p.Kind() {
		case "identifier":
			name = p
		case "destructured_parameter":
			w.bindParams(p)
			continue
		case "optional_parameter", "keyword_parameter":
			w.walk(p.Child("value"))
			if v := p.Child("value"); !v.IsZero() {
				init = shape(v)
			}
		case "splat_parameter":
			init = "[]"
		case "hash_splat_parameter":
			init = "{}"
		case "block_parameter":
			init = "func"
		default:
			continue
		}
		if !name.IsZero() {
			w.b.Bind(name.Text(), name.Start(), w.tags.of(name.Text()), init)
			if init == "" {
				init = name.Text() // the resolver knows parameters by their names
			}
			w.keep(name.Text(), init)
		}
	}
}

// eachName calls yield for every symbol or plain string of a list, with the
// span of the bare name.
func eachName(list syntax.Node, yield func(name string, at facts.Span, n syntax.Node)) {
	list.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "array", "symbol_array", "string_array":
			eachName(c, yield)
			return true
		}
		if name, at := literal(c); name != "" {
			yield(name, at, c)
		}
		return true
	})
}

// literal is the text of a symbol or plain string.
func literal(n syntax.Node) (string, facts.Span) {
	switch n.Kind() {
	case "simple_symbol":
		return strings.TrimPrefix(n.Text(), ":"), facts.Span{Start: n.Start() + min(1, n.End()-n.Start()), End: n.End()}
	case "string", "delimited_symbol", "bare_string", "bare_symbol":
		content := syntax.Node{}
		count := 0
		n.NamedChildren(func(c syntax.Node) bool { content = c; count++; return count < 2 })
		if count == 1 && content.Kind() == "string_content" {
			return content.Text(), lang.SpanOf(content)
		}
	}
	return "", facts.Span{}
}

func firstNamed(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && c.Kind() != "comment" {
			return c
		}
	}
	return syntax.Node{}
}
