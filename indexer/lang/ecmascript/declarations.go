package ecmascript

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// noteDeclared completes a symbol declared at the level of a namespace or the
// file.
func (w *walker) noteDeclared(i int32) {
	if i < 0 {
		return
	}
	if s := w.b.At(i); s.Flags&(facts.Exported|facts.DefaultExport) != 0 {
		w.own[i] = facts.Public
	}
}

// function declares a function declaration or signature and walks it.
func (w *walker) functionDeclaration(n syntax.Node, flags facts.SymbolFlags) {
	name := n.Child("name")
	if name.IsZero() {
		w.function(n, -1, false)
		return
	}
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindFunction, Flags: flags, Params: params(n), Type: typeText(n.Child("return_type")),
		Signature: w.head(n, n.Start(), bodyStart(n)), Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
	}
	if n.HasToken("async") {
		s.Flags |= facts.Async
	}
	if n.Is("function_signature") && !w.ambient {
		s.Flags |= facts.Overload
	}
	i := w.definition(s, w.topVisibility())
	w.noteDeclared(i)
	w.function(n, i, false)
}

// function walks the parameters, types and body of anything that is called.
// The body of a wrapper counts as the level of the file.
func (w *walker) function(n syntax.Node, symbol int32, wrapper bool) {
	inside := func() {
		blocks, doc := w.blocks, w.doc
		w.blocks, w.doc = 0, ""
		defer func() { w.blocks, w.doc = blocks, doc }()
		w.withTypeParams(n.Child("type_parameters"), func() {
			ps := n.Child("parameters")
			w.frames = append(w.frames, &frame{})
			defer func() { w.frames = w.frames[:len(w.frames)-1] }()
			ctx, hint := w.contexts[n.Index()], w.hints[n.Index()]
			if one := n.Child("parameter"); !one.IsZero() {
				if hint == "" {
					hint = then(ctx, ".(@0)")
				}
				w.b.Bind(one.Text(), one.Start(), "", hint)
				w.remember(one.Text(), "", hint)
			}
			w.bindParams(ps, hint, ctx)
			expected := w.returning(n, ctx)
			w.frames[len(w.frames)-1].expected = expected
			body := n.Child("body")
			if !wrapper {
				w.hoistVars(body)
				if body.Is("statement_block") {
					w.hoistBlock(body)
				}
			}
			outside := int32(-1)
			if symbol >= 0 && w.b.At(symbol).Flags&facts.InBody == 0 {
				outside = symbol
			}
			w.owning(outside, func() {
				w.paramValues(ps)
				w.walk(n.Child("return_type"))
			})
			if body.Is("statement_block") {
				w.statements(body)
			} else {
				w.expect(body, expected)
				w.walk(body)
			}
			if !wrapper {
				w.conclude(n, symbol)
			}
		})
	}
	w.b.Within(symbol, func() {
		if wrapper {
			w.wrapped++
			w.b.Scope(lang.SpanOf(n), inside)
			w.wrapped--
			return
		}
		w.b.Body(lang.SpanOf(n), inside)
	})
}

// bindParams binds the parameters; hint is the shape of what the first one
// receives when its type is not written, ctx the context of the function.
func (w *walker) bindParams(ps syntax.Node, hint, ctx string) {
	i := 0
	for p := range ps.NamedChildren {
		if p.Is("comment", "decorator") {
			continue
		}
		if p.Child("pattern").Is("this") {
			hint = ""
			continue
		}
		init := hint
		switch {
		case !p.Child("type").IsZero():
			init = ""
		case init == "" && ctx != "" && !p.Child("pattern").Is("rest_pattern") && !p.Is("rest_pattern"):
			init = then(ctx, ".(@"+strconv.Itoa(i)+")")
		}
		w.bindPattern(p, "", init)
		hint = ""
		i++
	}
}

// paramValues walks the types, defaults and decorators of parameters.
func (w *walker) paramValues(ps syntax.Node) {
	for p := range ps.NamedChildren {
		switch p.Kind() {
		case "required_parameter", "optional_parameter":
			for c := range p.NamedChildren {
				switch c.FieldName() {
				case "pattern":
					w.patternValues(c)
				case "value":
					w.expect(c, typed(typeText(p.Child("type"))))
					w.walk(c)
				default:
					w.walk(c)
				}
			}
		case "ERROR":
			w.walk(p)
		default:
			w.patternValues(p)
		}
	}
}

// params are the parameters as they are written.
func params(fn syntax.Node) []facts.Param {
	if one := fn.Child("parameter"); !one.IsZero() {
		return []facts.Param{{Name: one.Text()}}
	}
	var out []facts.Param
	for p := range fn.Child("parameters").NamedChildren {
		if p.Is("comment", "ERROR", "decorator") {
			continue
		}
		out = append(out, facts.Param{Name: paramName(p), Type: typeText(p.Child("type"))})
		if len(out) == 64 {
			break
		}
	}
	return out
}

func paramName(p syntax.Node) string {
	for range 6 {
		switch p.Kind() {
		case "required_parameter", "optional_parameter":
			p = p.Child("pattern")
		case "assignment_pattern":
			p = p.Child("left")
		case "rest_pattern":
			p = firstNamed(p)
		case "identifier", "this":
			return p.Text()
		default:
			return ""
		}
	}
	return ""
}

// withTypeParams walks inside the scope of type parameters. They are bound with
// their constraint as type, so that a value of such a type can be resolved.
func (w *walker) withTypeParams(tps syntax.Node, walk func()) {
	var names []string
	add := func(n syntax.Node, constraint string) {
		// The grammars take the variance marks of a parameter for its name.
		if n.IsZero() || n.Text() == "in" || n.Text() == "out" {
			return
		}
		names = append(names, n.Text())
		w.b.Bind(n.Text(), n.Start(), constraint, "")
	}
	for p := range tps.NamedChildren {
		switch p.Kind() {
		case "type_parameter":
			c := p.Child("constraint")
			add(p.Child("name"), strings.TrimPrefix(typeText(c), "extends "))
			// Variance marks that the grammar does not know: the name of the
			// parameter ends up in an error.
			if e := p.ChildOfKind("ERROR"); !e.IsZero() {
				for id := range e.NamedChildren {
					if id.Is("identifier", "type_identifier") {
						add(id, "")
					}
				}
			}
		case "ERROR":
			for id := range p.NamedChildren {
				if id.Is("identifier", "type_identifier") {
					add(id, "")
				}
			}
		}
	}
	for _, n := range names {
		w.typeParams[n]++
	}
	for p := range tps.NamedChildren {
		if p.Is("type_parameter") {
			w.walk(p.Child("constraint"))
			w.walk(p.Child("value"))
		}
	}
	walk()
	for _, n := range names {
		w.typeParams[n]--
	}
}
