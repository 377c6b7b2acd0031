package css

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// atReferences reads what an at-rule refers to: included mixins, extended rules
// and the variables of its text.
func (s *sheet) atReferences(name, text string, from int, head facts.Span, owner int) {
	switch name {
	case "include", "mixin":
		end := nameEnd(text, from)
		of := ""
		if end < len(text) && text[end] == '.' {
			of = text[from:end]
			from = end + 1
			end = nameEnd(text, from)
		}
		s.refer(facts.RefCall, text[from:end], of, int(head.Start)+from, owner)
		s.values(text, end, head, owner)
	case "extend", "apply":
		kind := facts.RefInherit
		for at := from; at < len(text) && text[at] != '!'; {
			start := at
			if text[at] == '.' || text[at] == '%' || text[at] == '#' {
				at++
			}
			end := nameEnd(text, at)
			if end == at {
				at++
				continue
			}
			class := text[start:end]
			if name == "apply" {
				kind, class = facts.RefCall, "."+class
			}
			if class[0] == '.' || class[0] == '%' || class[0] == '#' {
				s.refer(kind, class, "", int(head.Start)+start, owner)
			}
			at = end
		}
	default:
		s.values(text, from, head, owner)
	}
}

// values reads the variables and, in dialects that define some, the functions
// that a value uses.
func (s *sheet) values(text string, at int, head facts.Span, owner int) {
	for at < len(text) {
		c := text[at]
		switch {
		case c == '"' || c == '\'':
			end := at + 1
			for end < len(text) && text[end] != c && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				// An interpolated variable in a string is used all the same.
				if strings.HasPrefix(text[min(end, len(text)):], "#{$") {
					stop := nameEnd(text, end+3)
					s.refer(facts.RefRead, text[end+2:stop], "", int(head.Start)+end+2, owner)
				}
				end++
			}
			at = end + 1
		case c == '/' && strings.HasPrefix(text[at:], "/*"):
			k := strings.Index(text[at+2:], "*/")
			if k < 0 {
				return
			}
			at += k + 4
		case c == '$' && s.dialect != plain || c == '@' && s.dialect == less:
			end := at + 1
			for end < len(text) && isName(text[end]) {
				end++
			}
			if end > at+1 && !(c == '@' && text[end-1] == '-') {
				s.refer(facts.RefRead, text[at:end], "", int(head.Start)+at, owner)
			}
			at = end
		case strings.HasPrefix(text[at:], "--") && (at == 0 || !isName(text[at-1])):
			end := at
			for end < len(text) && isName(text[end]) {
				end++
			}
			if end > at+2 {
				s.refer(facts.RefRead, text[at:end], "", int(head.Start)+at, owner)
			}
			at = max(end, at+1)
		case isName(c):
			end := at
			for end < len(text) && isName(text[end]) {
				end++
			}
			name, of, start := text[at:end], "", at
			if end+1 < len(text) && text[end] == '.' && (isName(text[end+1]) || text[end+1] == '$') && !isDigit(c) {
				of, start = name, end+1
				stop := start
				if text[stop] == '$' {
					stop++
				}
				for stop < len(text) && isName(text[stop]) {
					stop++
				}
				name, end = text[start:stop], stop
				if name[0] == '$' && s.dialect == scss || name[0] == '$' && s.dialect == sass {
					s.refer(facts.RefRead, name, of, int(head.Start)+start, owner)
					name = ""
				}
			}
			if s.dialect != plain && end < len(text) && text[end] == '(' {
				if strings.EqualFold(name, "url") {
					end += matching(text[end+1:])
				} else if name != "" && !isDigit(name[0]) && !builtin[strings.ToLower(name)] {
					s.refer(facts.RefCall, name, of, int(head.Start)+start, owner)
				}
			}
			at = end
		default:
			at++
		}
	}
}

// builtin are functions of CSS itself and the commonest of its dialects.
var builtin = func() map[string]bool {
	m := map[string]bool{}
	for f := range strings.FieldsSeq(`var url calc min max clamp env attr rgb rgba hsl hsla hwb lab lch oklab oklch color
		color-mix linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
		translate translatex translatey translatez translate3d rotate rotatex rotatey rotatez scale scalex scaley scale3d
		skew skewx skewy matrix matrix3d perspective cubic-bezier steps blur brightness contrast drop-shadow grayscale
		invert opacity saturate sepia hue-rotate minmax repeat fit-content format local image-set counter counters
		polygon circle ellipse inset path rect not is where has and or
		map-get map-merge map-keys map-values map-has-key nth length index append join zip if lighten darken mix percentage
		unquote quote unit unitless type-of inspect red green blue alpha round ceil floor abs random str-index str-slice
		str-length to-upper-case to-lower-case transparentize rgba fade fadein fadeout spin e data-uri
		adjust-color scale-color change-color adjust-hue selector-append selector-nest get set merge keys values has-key`) {
		m[f] = true
	}
	return m
}()
