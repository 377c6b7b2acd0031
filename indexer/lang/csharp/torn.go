package csharp

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// memberHead finds the member that a line starts to declare: modifiers, one of
// which is there in code that people write, a type, a name, and what follows it.
var memberHead = lazyregexp.New(`^[ \t]*(?:\[[^\]]*\][ \t]*)*((?:(?:public|protected|private|internal|static|override|virtual|abstract|partial|sealed|readonly|const|async|extern|required|new|unsafe|volatile|event)[ \t]+)+)(?:([\pL_@(][\pL\pN_.<>,\[\]?*() \t]*?[\pL\pN_>\]?*)])[ \t]+)?([\pL_@][\pL\pN_]*)[ \t]*(?:<[\pL\pN_, \t]*>[ \t]*)?(\(|\{|=>|=|;|$)`)

// torn declares the members that the tree of a damaged text does not have, as
// far as their first lines tell.
func (w *walker) torn() {
	text := w.b.Tree.Source
	at := uint32(0)
	for line := range bytes.Lines(w.mask) {
		start := at
		at += uint32(len(line))
		code := len(line) - len(bytes.TrimLeft(line, " \t"))
		if code == len(line) || text[start+uint32(code)] == ' ' {
			continue // blank, or of another part of the text
		}
		if ownerHead.Match(line) {
			continue
		}
		trimmed := bytes.TrimRight(line, " \t\r\n")
		m := memberHead.FindSubmatchIndex(trimmed)
		if m == nil {
			w.tornBare(start, trimmed)
			continue
		}
		name := facts.Span{Start: start + uint32(m[6]), End: start + uint32(m[7])}
		word := string(line[m[6]:m[7]])
		if w.names[name.Start] || text[name.Start] == ' ' || isKeyword(word) || word == "operator" || word == "this" {
			continue
		}
		first := start + uint32(m[2])
		owner := w.ownerOf(first)
		if owner < 0 {
			continue
		}
		s := facts.Symbol{Name: strings.TrimPrefix(word, "@"), NameSpan: name}
		typed := m[4] >= 0
		if typed {
			s.Type = lang.Collapse(string(line[m[4]:m[5]]))
		}
		mods := modifiers{visibility: facts.Private}
		for _, word := range bytes.Fields(line[m[2]:m[3]]) {
			mods.read(string(word))
		}
		next := string(line[m[8]:m[9]])
		end := start + uint32(len(bytes.TrimRight(line, " \t\r\n")))
		stop := name.End
		switch {
		case next == "(" && typed:
			s.Kind = facts.KindMethod
			stop = end
		case next == "(" && w.headName(owner) == s.Name:
			s.Kind = facts.KindConstructor
			stop = end
		case !typed:
			continue
		case next == "{" || next == "=>" || next == "":
			s.Kind = facts.KindProperty
		case mods.isConst || mods.readonly && mods.flags&facts.Static != 0:
			s.Kind = facts.KindConstant
		default:
			s.Kind = facts.KindField
		}
		if stop == end {
			if i := bytes.IndexAny(line[m[8]:], "{;"); i >= 0 {
				stop = start + uint32(m[8]+i)
			} else if i := bytes.Index(line[m[8]:], []byte("=>")); i >= 0 {
				stop = start + uint32(m[8]+i)
			}
		}
		s.Signature = strings.TrimSpace(strings.ToValidUTF8(string(w.b.Source[first:stop]), ""))
		s.Span = facts.Span{Start: first, End: end}
		w.inOwner(owner, func() { w.define(s, mods) })
	}
}

// bareMember and bareConstant find members that need no modifier: those of
// interfaces and of enums.
var (
	bareMember   = lazyregexp.New(`^[ \t]*(?:\[[^\]]*\][ \t]*)*([\pL_(][\pL\pN_.<>,\[\]?() \t]*?[\pL\pN_>\]?)])[ \t]+([\pL_@][\pL\pN_]*)[ \t]*(?:<[\pL\pN_, \t]*>[ \t]*)?(?:(\().*\);|\{[ \t]*(?:get|set).*)$`)
	bareConstant = lazyregexp.New(`^[ \t]*(?:\[[^\]]*\][ \t]*)*([\pL_@][\pL\pN_]*)[ \t]*(?:=[^;(){}]*?)?,?$`)
)

// tornBare declares a member of an interface or enum that the tree lost.
func (w *walker) tornBare(start uint32, line []byte) {
	first := start + uint32(len(line)-len(bytes.TrimLeft(line, " \t")))
	owner := w.ownerOf(first)
	if owner < 0 {
		return
	}
	s := facts.Symbol{Span: facts.Span{Start: first, End: start + uint32(len(line))}}
	name := 1
	switch w.heads[owner].keyword {
	case "interface":
		name = 2
		s.Kind = facts.KindProperty
	case "enum":
		s.Kind = facts.KindEnumMember
	default:
		return
	}
	re := bareConstant
	if name == 2 {
		re = bareMember
	}
	m := re.FindSubmatchIndex(line)
	if m == nil {
		return
	}
	s.Name = strings.TrimPrefix(string(line[m[2*name]:m[2*name+1]]), "@")
	s.NameSpan = facts.Span{Start: start + uint32(m[2*name]), End: start + uint32(m[2*name+1])}
	if w.names[s.NameSpan.Start] || isKeyword(s.Name) {
		return
	}
	end := len(line)
	if name == 2 {
		s.Type = lang.Collapse(string(line[m[2]:m[3]]))
		if s.Type == "return" || s.Type == "throw" || s.Type == "new" || s.Type == "await" {
			return
		}
		if m[6] >= 0 {
			s.Kind = facts.KindMethod
		} else {
			end = m[5]
		}
		s.Flags |= facts.Abstract
	}
	s.Signature = strings.TrimRight(strings.ToValidUTF8(string(w.b.Source[first:start+uint32(end)]), ""), " ,;")
	w.inOwner(owner, func() { w.define(s, modifiers{visibility: facts.Public}) })
}
