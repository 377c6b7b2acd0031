package nix

import (
	"bytes"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// binding reads one attribute and walks its value.
func (w *walker) binding(first int, parts []string, equals, end int, sc scope, flake bool) {
	start := w.tokens[first].start
	inner := scope{level: sc.level + 1, emit: sc.emit, options: sc.options, outputs: sc.outputs}
	inner.path = append(slices.Clip(slices.Clone(sc.path)), parts...)
	if flake {
		w.flake(parts, equals+1, end)
	}
	switch {
	case flake && parts[0] == "outputs":
		inner.path, inner.outputs, inner.emit = nil, true, true
	case parts[0] == "perSystem" || sc.outputs && len(sc.path) == 0 && parts[0] == "flake":
		inner.path, inner.outputs, inner.emit = slices.Clone(parts[1:]), true, true
	case !sc.options && parts[0] == "options" && !sc.outputs && !sc.let:
		inner.path, inner.options, inner.emit = slices.Clone(parts[1:]), true, true
	}
	lets := func(from, to int) { w.bindings(from, to, scope{level: maxLevel}) }
	v := w.head(equals+1, end, lets, nil)
	s := facts.Symbol{Name: strings.Join(parts, "."), Kind: facts.KindKey, Params: v.params}
	signatureEnd := w.valueStop(v.args, end)
	emit := sc.emit && sc.level < maxLevel
	option := isOption(v.callee) && !sc.let
	switch {
	case option:
		// Also in what is no definition itself: a submodule has options.
		emit = sc.emit || sc.options
		s.Kind = facts.KindVariable
		s.Name = strings.Join(inner.path, ".")
		w.option(&s, v.body, end)
		inner.options, inner.emit, inner.path = false, false, nil
	case len(v.params) > 0:
		s.Kind = facts.KindFunction
		signatureEnd = w.tokens[min(max(equals, v.args-1), len(w.tokens)-1)].end
	case sc.let:
		s.Kind = facts.KindVariable
	case isDerivation(v.callee):
		s.Kind = facts.KindTarget
	}
	if sc.let {
		s.Visibility = facts.Private
		inner.emit = false
	}
	if inner.outputs && sc.outputs && sc.emit {
		target, name := output(inner.path)
		switch {
		case target:
			s.Kind, s.Name, s.Params = facts.KindTarget, name, nil
			emit, inner.emit, inner.outputs = true, false, false
		case len(inner.path) > 2:
			emit, inner.emit, inner.outputs = false, false, false
		default:
			emit = emit || len(inner.path) == 1
		}
	}
	if inner.options && !option && sc.options {
		emit = false // a path to options
	}
	if s.Kind == facts.KindKey && strings.ContainsAny(s.Name, "\n") {
		emit = false
	}
	if s.Kind == facts.KindKey || s.Kind == facts.KindVariable && !option {
		s.Init = w.short(equals+1, end)
	}
	s.Signature = string(w.src[start:max(min(signatureEnd, start+2*facts.MaxSignature), w.tokens[equals].end)])
	s.Signature = strings.TrimSuffix(strings.TrimSpace(strings.ToValidUTF8(s.Signature, "")), "=")
	at := int32(-1)
	if emit {
		at = w.put(s, first, equals, w.endOf(equals, end))
	}
	w.b.Within(at, func() { w.expression(equals+1, end, inner, &v) })
}

// endOf is the offset behind a value.
func (w *walker) endOf(equals, end int) int {
	if w.is(end, ";") {
		return w.tokens[end].end
	}
	last := min(end, len(w.tokens)) - 1
	return w.tokens[max(equals, last)].end
}

// valueStop is where a signature ends: before the first attribute set, list,
// let or long text.
func (w *walker) valueStop(from, to int) int {
	for i := from; i < to; i++ {
		if w.is(i, "{") || w.is(i, "[") || w.is(i, "let") || w.is(i, "with") || w.isKind(i, tokenString) && bytes.HasPrefix(w.src[w.tokens[i].start:], []byte("''")) {
			return w.tokens[i].start
		}
		if i-from > 60 {
			return w.tokens[i].start
		}
	}
	return w.tokens[max(0, min(to, len(w.tokens))-1)].end
}

// put adds the symbol of an attribute whose path goes from a token to the
// equals sign.
func (w *walker) put(s facts.Symbol, first, equals, end int) int32 {
	if w.left == 0 {
		return -1
	}
	w.left--
	s.Span = facts.Span{Start: uint32(w.tokens[first].start), End: uint32(end)}
	s.NameSpan = facts.Span{Start: s.Span.Start, End: uint32(w.tokens[equals-1].end)}
	if s.Doc == "" {
		s.Doc = comments.Above(w.src, int(s.Span.Start))
	}
	return w.b.Symbol(s)
}

// argument adds an argument of the file that has a default: what a caller can
// set.
func (w *walker) argument(name, from, to int) {
	s := facts.Symbol{Name: w.text(name), Kind: facts.KindVariable, Init: w.short(from, to)}
	s.Signature = strings.ToValidUTF8(string(w.src[w.tokens[name].start:min(w.tokens[to-1].end, w.tokens[name].start+2*facts.MaxSignature)]), "")
	w.put(s, name, name+1, w.tokens[to-1].end)
}

// short is a value that fits on a line, or "".
func (w *walker) short(from, to int) string {
	to = min(to, len(w.tokens))
	if from >= to {
		return ""
	}
	start, end := w.tokens[from].start, w.tokens[to-1].end
	if end-start > maxInit {
		return ""
	}
	text := string(w.src[start:end])
	if strings.Contains(text, "\n") {
		return ""
	}
	return lang.Collapse(text)
}

func isOption(callee string) bool {
	callee = strings.TrimRight(callee, "'")
	return strings.HasPrefix(callee, "mk") && strings.HasSuffix(callee, "Option")
}

// option takes type, default and description of an option.
func (w *walker) option(s *facts.Symbol, from, to int) {
	callee := ""
	for i := from; i < to; i++ {
		switch {
		case w.isKind(i, tokenName):
			callee = w.text(i)
			continue
		case w.isKind(i, tokenString) && s.Doc == "" && strings.HasPrefix(callee, "mkEnable"):
			s.Doc, s.Type = "Whether to enable "+w.text(i), "bool"
		case w.isKind(i, tokenString) && s.Doc == "" && s.Type == "":
			s.Doc, s.Type = "The "+w.text(i)+" package", "package"
		case w.is(i, "{"):
			end := w.partner(i, to)
			if !w.isPattern(i) {
				w.optionSet(s, i+1, end)
			}
			return
		case w.opens(i):
			i = w.partner(i, to)
		case w.is(i, "."):
		}
	}
}

func (w *walker) optionSet(s *facts.Symbol, from, to int) {
	for i := from; i < to; {
		parts, equals := w.attrPath(i, to)
		if equals < 0 {
			i = w.past(i, to)
			continue
		}
		end := w.valueEnd(equals+1, to)
		switch parts[0] {
		case "type":
			stop := w.valueStop(equals+1, end)
			text := string(w.src[w.tokens[equals].end:max(stop, w.tokens[equals].end)])
			s.Type = strings.Trim(lang.Collapse(strings.ToValidUTF8(text, "")), " (")
		case "default":
			s.Init = w.short(equals+1, end)
		case "description":
			for k := equals + 1; k < end; k++ {
				if w.isKind(k, tokenString) {
					s.Doc = w.text(k)
					break
				}
			}
		}
		i = end + 1
	}
}

// flake takes the description and the inputs of a flake.
func (w *walker) flake(parts []string, from, to int) {
	switch {
	case parts[0] == "description" && w.isKind(from, tokenString):
		w.b.SetSummary(w.text(from))
	case parts[0] == "inputs" && len(parts) > 1:
		w.input(parts[1:], from, to)
	case parts[0] == "inputs" && w.is(from, "{"):
		w.each(from, to, func(parts []string, from, to int) { w.input(parts, from, to) })
	}
}

// each calls f for the attributes of the set at i.
func (w *walker) each(i, to int, f func(parts []string, from, to int)) {
	to = w.partner(i, to)
	for i++; i < to; {
		parts, equals := w.attrPath(i, to)
		if equals < 0 {
			i = w.past(i, to)
			continue
		}
		end := w.valueEnd(equals+1, to)
		f(parts, equals+1, end)
		i = end + 1
	}
}

// past is the index behind the token at i, or behind the brackets it opens.
func (w *walker) past(i, to int) int {
	if w.opens(i) {
		i = w.partner(i, to)
	}
	return i + 1
}

// inherited adds the outputs of a flake that are taken over from another set.
func (w *walker) inherited(from, to int, sc scope) {
	if w.is(from, "(") {
		from = w.past(from, to)
	}
	for i := from; i < to; i++ {
		if !w.isKind(i, tokenName) {
			continue
		}
		target, name := output(append(slices.Clip(sc.path), w.text(i)))
		if !target || w.left == 0 {
			continue
		}
		w.left--
		t := &w.tokens[i]
		span := facts.Span{Start: uint32(t.start), End: uint32(t.end)}
		w.b.Symbol(facts.Symbol{Name: name, Kind: facts.KindTarget, Signature: "inherit " + w.text(i), Span: span, NameSpan: span})
	}
}

func (w *walker) input(parts []string, from, to int) {
	name := parts[0]
	switch {
	case len(parts) == 2 && parts[1] == "url" && w.isKind(from, tokenString):
		w.b.Import(facts.Import{Module: w.text(from), Alias: name}, uint32(w.tokens[from].start))
	case len(parts) == 1 && w.is(from, "{"):
		w.each(from, to, func(parts []string, from, to int) {
			if len(parts) == 1 && parts[0] == "url" && w.isKind(from, tokenString) {
				w.b.Import(facts.Import{Module: w.text(from), Alias: name}, uint32(w.tokens[from].start))
			}
		})
	}
}

// output tells whether a path of a flake's outputs names what can be built or
// run, and its name without the system.
func output(path []string) (target bool, name string) {
	switch path[0] {
	case "formatter", "devShell", "defaultPackage", "defaultApp":
		return true, path[0]
	case "packages", "legacyPackages", "devShells", "checks", "apps", "hydraJobs", "nixosConfigurations", "homeConfigurations", "darwinConfigurations":
	default:
		return false, ""
	}
	rest := path[1:]
	if len(rest) > 0 && isSystem(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return false, ""
	}
	return true, path[0] + "." + strings.Join(rest, ".")
}

func isSystem(s string) bool {
	return strings.HasPrefix(s, "${") || strings.HasSuffix(s, "-linux") || strings.HasSuffix(s, "-darwin") || strings.HasSuffix(s, "-windows")
}

// derivation takes name and description of the package that a file is.
func (w *walker) derivation(from, to int, callee string) {
	for i := from; i < to; i++ {
		if !w.is(i, "{") || w.isPattern(i) {
			if w.is(i, "(") { // (finalAttrs: { … })
				continue
			}
			if w.opens(i) {
				i = w.partner(i, to)
			}
			continue
		}
		s := facts.Symbol{Kind: facts.KindTarget, Signature: callee}
		w.each(i, to, func(parts []string, from, to int) {
			switch p := strings.Join(parts, "."); {
			case (p == "pname" || p == "name") && w.isKind(from, tokenString) && !w.tokens[from].computed && s.Name == "":
				t := &w.tokens[from]
				s.Name = w.text(from)
				s.NameSpan = facts.Span{Start: uint32(t.start + 1), End: uint32(max(t.start+1, t.end-1))}
			case p == "meta.description" && w.isKind(from, tokenString):
				s.Doc = w.text(from)
			case p == "meta":
				for k := from; k < to; k++ {
					if w.is(k, "{") {
						w.each(k, to, func(parts []string, from, to int) {
							if parts[0] == "description" && w.isKind(from, tokenString) {
								s.Doc = w.text(from)
							}
						})
						break
					}
				}
			}
		})
		w.b.SetPackage(s.Name)
		w.b.SetSummary(s.Doc)
		last := min(w.partner(i, to), len(w.tokens)-1)
		s.Span = facts.Span{Start: uint32(w.tokens[from].start), End: uint32(max(w.tokens[last].end, int(s.NameSpan.End)))}
		if s.Name != "" && w.left > 0 {
			w.left--
			w.b.Symbol(s)
		}
		return
	}
}
