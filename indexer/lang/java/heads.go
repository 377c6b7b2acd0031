package java

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

func (s *scanner) text(t token) string { return string(s.src[t.start:t.end]) }

// declare adds the definition that the head tells, and whether it is a type.
func (s *scanner) declare(end uint32, ended bool) (int, bool) {
	owner := -1
	constants := false
	if n := len(s.stack); n > 0 {
		owner, constants = s.stack[n-1].item, s.stack[n-1].constants
	}
	if len(s.head) == 0 {
		return -1, false
	}
	add := func(name token, kind facts.Kind) int {
		headEnd := end
		if last := s.head[len(s.head)-1]; last.end < headEnd {
			headEnd = last.end
		}
		s.items = append(s.items, item{
			name: s.text(name), kind: kind, nameSpan: facts.Span{Start: name.start, End: name.end},
			head: s.head[0].start, headEnd: headEnd, owner: owner, doc: s.doc,
		})
		s.doc = facts.Span{}
		return len(s.items) - 1
	}
	if constants {
		if !s.head[0].word {
			return -1, false
		}
		return add(s.head[0], facts.KindEnumMember), false
	}
	words, paren, equals := 0, -1, -1
	for i, t := range s.head {
		text := s.text(t)
		switch {
		case t.word && isTypeKeyword(text) && paren < 0 && equals < 0 && i+1 < len(s.head) && s.head[i+1].word:
			if text == "record" && (i+2 >= len(s.head) || s.text(s.head[i+2]) != "(" && s.text(s.head[i+2]) != "<") || ended && text != "record" {
				break
			}
			kind := facts.KindClass
			switch text {
			case "interface", "@interface":
				kind = facts.KindInterface
			case "enum":
				kind = facts.KindEnum
			}
			at := add(s.head[i+1], kind)
			s.items[at].bases = s.bases(s.head[i+2:])
			return at, true
		case text == "(" && paren < 0:
			paren = i
		case text == "=" && equals < 0:
			equals = i
		case t.word && (text == "import" || text == "package" || text == "return" || text == "new" || text == "throw") && i == 0:
			return -1, false
		case t.word && paren < 0 && equals < 0 && !isModifier(text) && text != "final" && text != "default" && text != "synchronized":
			words++
		}
	}
	if owner < 0 && len(s.stack) > 0 {
		return -1, false
	}
	if paren > 0 && (equals < 0 || paren < equals) {
		name := s.head[paren-1]
		if !name.word || isKeyword(s.text(name)) {
			return -1, false
		}
		kind := facts.KindMethod
		switch {
		case owner >= 0 && s.text(name) == s.items[owner].name && words == 1:
			kind = facts.KindConstructor
		case words < 2:
			return -1, false // a call
		case owner < 0:
			kind = facts.KindFunction
		}
		at := add(name, kind)
		if kind != facts.KindConstructor {
			s.items[at].typ = s.typeBefore(paren - 1)
		}
		s.items[at].params = s.params(s.head[paren+1:])
		return at, false
	}
	if owner < 0 || !ended || words < 2 {
		return -1, false
	}
	last := len(s.head) - 1
	if equals > 0 {
		last = equals - 1
	}
	for last > 0 && !s.head[last].word {
		last--
	}
	if last < 1 || isKeyword(s.text(s.head[last])) {
		return -1, false
	}
	at := add(s.head[last], facts.KindField)
	s.items[at].typ = s.typeBefore(last)
	return at, false
}

// typeBefore is where the type before a name stands, behind modifiers and type
// parameters.
func (s *scanner) typeBefore(name int) facts.Span {
	first, depth := 0, 0
	for first < name {
		switch text := s.text(s.head[first]); {
		case text == "<":
			depth++
		case text == ">":
			depth--
		case depth > 0, isModifier(text), text == "final", text == "default", text == "synchronized":
		default:
			return facts.Span{Start: s.head[first].start, End: s.head[name-1].end}
		}
		first++
	}
	return facts.Span{}
}

// params reads parameters up to the closing parenthesis.
func (s *scanner) params(head []token) []facts.Param {
	var out []facts.Param
	depth, first := 0, 0
	for i, t := range head {
		text := s.text(t)
		switch {
		case text == "<" || text == "(" || text == "[":
			depth++
		case (text == ">" || text == "]" || text == ")") && depth > 0:
			depth--
		case (text == "," || text == ")") && depth == 0:
			for first < i && s.text(head[first]) == "final" {
				first++
			}
			if i-first >= 2 && head[i-1].word {
				typ := lang.Collapse(string(s.src[head[first].start:head[i-2].end]))
				out = append(out, facts.Param{Name: s.text(head[i-1]), Type: typ})
			}
			if text == ")" {
				return out
			}
			first = i + 1
		}
	}
	return out
}

// bases are the names behind extends and implements.
func (s *scanner) bases(head []token) []string {
	var out []string
	in, depth := false, 0
	for _, t := range head {
		switch text := s.text(t); {
		case text == "extends" || text == "implements":
			in = depth == 0
		case text == "permits":
			in = false
		case text == "<":
			depth++
		case text == ">":
			depth--
		case in && depth == 0 && t.word:
			out = append(out, text)
		}
	}
	return out
}

func isKeyword(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "return", "new", "throw", "synchronized", "else", "do", "try", "finally", "super", "this",
		"class", "interface", "enum", "extends", "implements", "case", "default", "break", "continue", "assert", "instanceof":
		return true
	}
	return false
}
