package css

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// word is the name of an at-rule, in lower case, and the offset behind it.
func word(text string) (string, int) {
	end := 1
	for end < len(text) && isName(text[end]) {
		end++
	}
	name := strings.ToLower(text[1:end])
	if strings.HasPrefix(name, "-") {
		if k := strings.IndexByte(name[1:], '-'); k >= 0 {
			name = name[k+2:] // a vendor's prefix
		}
	}
	return name, end
}

func skipSpace(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// atBlock reads an at-rule that has a block.
func (s *sheet) atBlock(head facts.Span, text string, f *frame) {
	name, end := word(text)
	if s.dialect == sass {
		switch text[0] {
		case '=':
			name, end = "mixin", 1
		case '+':
			name, end = "include", 1
		}
	}
	from := skipSpace(text, end)
	stop := nameEnd(text, from)
	sym := facts.Symbol{Name: text[from:stop], Signature: text, Doc: s.doc(head.Start), Span: head, NameSpan: s.within(head, from, stop)}
	switch name {
	case "mixin", "function", "define-mixin":
		sym.Kind = facts.KindMacro
		if name == "function" {
			sym.Kind = facts.KindFunction
		}
		if sym.Name != "" && (sym.Name[0] == '-' && !strings.HasPrefix(sym.Name, "--") || sym.Name[0] == '_') {
			sym.Visibility = facts.Private
		}
		if stop < len(text) && text[stop] == '(' {
			sym.Params = params(text[stop+1 : stop+1+matching(text[stop+1:])])
		}
		f.owner = s.add(sym, f.owner, alone)
		f.local = true
		return
	case "keyframes":
		sym.Kind = facts.KindKey
		s.add(sym, f.owner, alone)
		f.opaque = true
	case "layer":
		sym.Kind = facts.KindModule
		stop = dottedEnd(text, from)
		sym.Name, sym.NameSpan = text[from:stop], s.within(head, from, stop)
		if at := s.add(sym, f.owner, alone); at >= 0 {
			f.owner = at
		}
	case "property", "counter-style", "font-palette-values", "view-transition", "position-try", "color-profile":
		sym.Kind = facts.KindKey
		if strings.HasPrefix(sym.Name, "--") {
			sym.Kind = facts.KindVariable
		}
		s.add(sym, f.owner, alone)
		f.opaque = true
	case "utility": // of Tailwind
		sym.Kind = facts.KindClass
		f.owner = s.add(sym, f.owner, alone)
	case "font-face":
		f.font = true
	case "page", "font-feature-values", "viewport":
		f.opaque = true
	default:
		if s.dialect == less && end < len(text) && (text[end] == ':' || skipSpace(text, end) < len(text) && text[skipSpace(text, end)] == ':') {
			// A detached set of rules.
			s.add(facts.Symbol{Name: text[:end], Kind: facts.KindVariable, Signature: text, Doc: sym.Doc, Span: head, NameSpan: s.within(head, 0, end)}, f.owner, alone)
			f.opaque = true
			return
		}
		s.atReferences(name, text, from, head, f.owner)
	}
}

func dottedEnd(text string, at int) int {
	for {
		at = nameEnd(text, at)
		if at+1 >= len(text) || text[at] != '.' || !isName(text[at+1]) {
			return at
		}
		at++
	}
}

// params reads the parameters of a mixin or function.
func params(text string) []facts.Param {
	var out []facts.Param
	separator := ","
	if strings.Contains(text, ";") {
		separator = ";"
	}
	for len(text) > 0 && len(out) < 50 {
		k := topLevel(text, separator)
		one := text[:k]
		one, _, _ = strings.Cut(one, ":")
		one, _, _ = strings.Cut(one, "=")
		if one = lang.Collapse(one); one != "" {
			out = append(out, facts.Param{Name: one})
		}
		text = text[min(k+1, len(text)):]
	}
	return out
}

// lessBlock reads a mixin of Less: a class or id with parentheses.
func (s *sheet) lessBlock(head facts.Span, text string, f *frame) bool {
	if text == "" || text[0] != '.' && text[0] != '#' {
		return false
	}
	end := nameEnd(text, 1)
	open := skipSpace(text, end)
	if end == 1 || open >= len(text) || text[open] != '(' {
		return false
	}
	in := text[open+1 : open+1+matching(text[open+1:])]
	f.owner = s.add(facts.Symbol{
		Name: text[:end], Kind: facts.KindMacro, Signature: text, Doc: s.doc(head.Start),
		Params: params(in), Span: head, NameSpan: s.within(head, 0, end),
	}, f.owner, alone)
	f.local = true
	return true
}

// stylusBlock reads what only Stylus writes this way: functions and mixins
// without a keyword, and the words of its control flow.
func (s *sheet) stylusBlock(head facts.Span, text string, f *frame) bool {
	end := nameEnd(text, 0)
	switch name := text[:end]; name {
	case "if", "else", "unless", "for", "return":
		return true
	case "":
		return false
	default:
		if end < len(text) && text[end] == '(' && matching(text[end+1:])+end+2 >= len(text) && s.top().owner < 0 {
			f.owner = s.add(facts.Symbol{
				Name: name, Kind: facts.KindFunction, Signature: text, Doc: s.doc(head.Start),
				Params: params(text[end+1 : end+1+matching(text[end+1:])]), Span: head, NameSpan: s.within(head, 0, end),
			}, f.owner, alone)
			f.local = true
			return true
		}
		if k := skipSpace(text, end); k < len(text) && text[k] == '=' {
			s.declaration(head)
			f.opaque = true
			return true
		}
	}
	return false
}

// declaration reads a statement without a block.
func (s *sheet) declaration(head facts.Span) {
	if head.Len() == 0 {
		return
	}
	s.begin(head)
	f := s.top()
	if s.over == 0 {
		if text := s.text(head); text[0] == '@' && !s.lessVariable(text) {
			s.atStatement(head, text, f)
		} else if s.dialect == sass && text[0] == '+' {
			s.atReferences("include", text, 1, head, f.owner)
		} else {
			s.property(head, text, f)
		}
	}
	s.comments = facts.Span{}
}

// lessVariable tells "@name: value" from an at-rule.
func (s *sheet) lessVariable(text string) bool {
	if s.dialect != less && s.dialect != plain {
		return false
	}
	end := nameEnd(text, 1)
	k := skipSpace(text, end)
	return end > 1 && k < len(text) && text[k] == ':' && text[1:end] != "import"
}

// property reads "name: value".
func (s *sheet) property(head facts.Span, text string, f frame) {
	from := 0
	if text[0] == '$' || text[0] == '@' {
		from = 1
	}
	end := nameEnd(text, from)
	k := skipSpace(text, end)
	assign := k < len(text) && (text[k] == ':' || s.dialect == stylus && (text[k] == '=' || strings.HasPrefix(text[k:], "?=") || strings.HasPrefix(text[k:], ":=")))
	if !assign {
		switch {
		case s.dialect == less && (text[0] == '.' || text[0] == '#'):
			// A mixin that is called; the last of "#ns > .mixin()".
			n := strings.LastIndexByte(text[:topLevel(text, "(")], '.')
			if n < 0 {
				n = 0
			}
			end := nameEnd(text, n+1)
			s.refer(facts.RefCall, text[n:end], "", int(head.Start)+n, f.owner)
			s.values(text, end, head, f.owner)
		case s.dialect == less && strings.HasPrefix(text, "&:extend("):
			for at := 9; at < len(text) && text[at] != ')'; at++ {
				if stop := nameEnd(text, at+1); (text[at] == '.' || text[at] == '#') && stop > at+1 {
					s.refer(facts.RefInherit, text[at:stop], "", int(head.Start)+at, f.owner)
					at = stop - 1
				}
			}
		case s.dialect == stylus && end < len(text) && text[end] == '(' && from == 0 && end > 0:
			s.refer(facts.RefCall, text[:end], "", int(head.Start), f.owner)
			s.values(text, end, head, f.owner)
		case s.dialect == stylus && end > 0:
			s.values(text, end, head, f.owner)
		}
		return
	}
	name := text[:end]
	value := strings.TrimSpace(strings.TrimLeft(text[k:], ":=?"))
	inBlock := len(s.frames) > 0
	variable := false
	switch {
	case f.export && end > 0:
		s.exported = append(s.exported, facts.Export{Name: name})
	case f.opaque:
		if f.font {
			break
		}
		return
	case strings.HasPrefix(name, "--") && len(name) > 2:
		variable = !f.local
	case name != "" && (name[0] == '$' || name[0] == '@' && s.dialect == less) && len(name) > 1:
		variable = !f.rule && !f.local && f.owner < 0 || strings.Contains(value, "!global")
	case s.dialect == stylus && text[k] != ':' && name != "":
		variable = !inBlock
	case strings.EqualFold(name, "composes"):
		if at := strings.Index(value, " from "); at >= 0 {
			if module := unquote(strings.TrimSpace(value[at+6:])); module != "" && module != "global" {
				i := facts.Import{Module: module}
				for _, n := range strings.Fields(value[:at]) {
					i.Names = append(i.Names, facts.ImportedName{Name: n})
				}
				s.b.Import(i, head.Start)
			}
			return
		}
	}
	if f.font && strings.EqualFold(name, "font-family") {
		if font := unquote(value); font != "" {
			s.add(facts.Symbol{Name: font, Kind: facts.KindKey, Signature: "@font-face " + lang.Collapse(text), Span: head, NameSpan: s.within(head, end, len(text))}, -1, alone)
		}
	}
	if variable {
		sym := facts.Symbol{
			Name: name, Kind: facts.KindVariable, Signature: text, Doc: s.doc(head.Start),
			Span: head, NameSpan: s.within(head, 0, end),
		}
		if strings.HasPrefix(name, "$_") || strings.HasPrefix(name, "$-") {
			sym.Visibility = facts.Private
		}
		s.add(sym, f.owner, alone)
	}
	s.values(text, end, head, f.owner)
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') {
		if k := strings.IndexByte(s[1:], s[0]); k >= 0 {
			return s[1 : k+1]
		}
		return ""
	}
	return s
}

// atStatement reads an at-rule without a block.
func (s *sheet) atStatement(head facts.Span, text string, f frame) {
	name, end := word(text)
	from := skipSpace(text, end)
	rest := text[from:]
	switch name {
	case "import", "use", "forward", "plugin", "config", "reference", "import-normalize", "require":
		s.imports(name, rest, head.Start)
		s.values(text, end, head, f.owner)
	case "layer":
		for at := from; at < len(text); {
			at = skipSpace(text, at)
			stop := dottedEnd(text, at)
			if stop == at {
				break
			}
			s.add(facts.Symbol{Name: text[at:stop], Kind: facts.KindModule, Signature: text, Span: head, NameSpan: s.within(head, at, stop), Flags: facts.Declaration}, f.owner, part)
			at = skipSpace(text, stop)
			if at >= len(text) || text[at] != ',' {
				break
			}
			at++
		}
	case "custom-media", "custom-selector", "value":
		stop := nameEnd(text, skipColon(text, from))
		if k := strings.LastIndex(rest, " from "); name == "value" && k >= 0 {
			i := facts.Import{Module: unquote(rest[k+6:])}
			for n := range strings.SplitSeq(rest[:k], ",") {
				one, alias, _ := strings.Cut(strings.Trim(strings.TrimSpace(n), "()"), " as ")
				i.Names = append(i.Names, facts.ImportedName{Name: strings.TrimSpace(one), Alias: strings.TrimSpace(alias)})
			}
			s.b.Import(i, head.Start)
			return
		}
		s.add(facts.Symbol{
			Name: text[from:stop], Kind: facts.KindVariable, Signature: text, Doc: s.doc(head.Start),
			Span: head, NameSpan: s.within(head, from, stop),
		}, f.owner, alone)
	case "mixin", "function":
		if s.dialect != plain {
			// The head of one, cut off by damage.
			s.atBlock(head, text, &f)
			return
		}
		s.atReferences(name, text, from, head, f.owner)
	default:
		s.atReferences(name, text, from, head, f.owner)
	}
}

func skipColon(text string, at int) int {
	for at < len(text) && text[at] == ':' {
		at++
	}
	return at
}

// imports reads the list of files of an import. Addresses are no files.
func (s *sheet) imports(name, rest string, start uint32) {
	i := facts.Import{}
	if name == "forward" {
		i.Flags = facts.ImportReexport
	}
	for n := 0; n < 50; n++ {
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, "(") { // options of Less
			rest = strings.TrimSpace(rest[min(len(rest), matching(rest[1:])+2):])
		}
		var module string
		switch {
		case rest == "":
			return
		case rest[0] == '"' || rest[0] == '\'':
			k := strings.IndexByte(rest[1:], rest[0])
			if k < 0 {
				return
			}
			module, rest = rest[1:k+1], rest[k+2:]
		case len(rest) > 4 && strings.EqualFold(rest[:4], "url("):
			k := matching(rest[4:])
			module, rest = unquote(rest[4:4+k]), rest[min(len(rest), 5+k):]
		default:
			if s.dialect != sass && s.dialect != stylus {
				return
			}
			k := topLevel(rest, ",")
			module, rest = strings.TrimSpace(rest[:k]), rest[k:]
		}
		i.Alias = ""
		if as, ok := strings.CutPrefix(strings.TrimSpace(rest), "as "); ok && name == "use" {
			as = strings.TrimSpace(as)
			if end := nameEnd(as, 0); end > 0 {
				i.Alias = as[:end]
			}
		}
		if i.Module = module; module != "" && !remote(module) {
			s.b.Import(i, start)
		}
		k := topLevel(rest, ",")
		if k >= len(rest) {
			return
		}
		rest = rest[k+1:]
	}
}

func remote(module string) bool {
	return strings.Contains(module, "://") || strings.HasPrefix(module, "//") || strings.HasPrefix(module, "data:")
}
