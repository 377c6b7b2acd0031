package csharp

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

var (
	bodiless     = lazyregexp.New(`\b(class|struct|interface)\s+([\pL_@][\pL\pN_]*)[^{};=]*(;)`)
	extensionOf  = lazyregexp.New(`[{};\]\s](extension)\s*(?:<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>)?\s*(\()`)
	receiver     = lazyregexp.New(`[\pL\pN_>\]?]\s+[\pL_@][\pL\pN_]*\s*$`)
	allowsRef    = lazyregexp.New(`\ballows\s+ref\s+struct\b`)
	compound     = lazyregexp.New(`\boperator\s*(?:checked\s*)?(?:[-+*/%&|^]|<<|>>>?)(=)\s*\(`)
	unbound      = lazyregexp.New(`\bnameof\s*\(\s*[\pL_][\pL\pN_.]*(<[\s,]*>)`)
	implicitMods = lazyregexp.New(`[(,]\s*((?:(?:ref|out|in|scoped|readonly|params)\s+)+)[\pL_][\pL\pN_]*\s*(?:[,)])`)
	nullAssign   = lazyregexp.New(`(\?)\.[\pL_][\pL\pN_.]*\s*(?:[-+*/%&|^]|\?\?|<<|>>)?=[^=>]`)
	conflictMark = lazyregexp.New(`(?m)^(?:<<<<<<<|\|\|\|\|\|\|\||>>>>>>>) .*$|^=======\r?$`)
	scriptLine   = lazyregexp.New(`(?m)^[ \t]*#(?:!|:|r\b|load\b).*$`)
	directive    = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(if|elif|else|endif)\b.*$`)
)

// rewrite knows what is newer than the grammar or unknown to it: types without
// a body, blocks of extension members, compound operators, assignments through
// ?., the anti-constraint allows ref struct (all C# 12 to 14), directives of
// scripts, the marks of an unfinished merge, so that both sides are read, and
// conditional compilation that cuts through brackets, of which the first branch
// is read.
func rewrite(source []byte) []byte {
	out := bytes.Clone(source)
	for _, re := range []*lazyregexp.Regexp{conflictMark, scriptLine} {
		for _, m := range re.FindAllIndex(source, -1) {
			blank(out[m[0]:m[1]])
		}
	}
	mask := maskCode(out)
	conditionals(out, mask)
	for _, m := range bodiless.FindAllSubmatchIndex(mask, -1) {
		if string(mask[m[4]:m[5]]) != "where" {
			embody(out, mask, m[2], m[3], m[6])
		}
	}
	for _, m := range extensionOf.FindAllSubmatchIndex(mask, -1) {
		end := closing(mask, m[4])
		if end < 0 {
			continue
		}
		rest := bytes.TrimLeft(mask[end+1:], " \t\r\n")
		if !bytes.HasPrefix(rest, []byte("{")) && !bytes.HasPrefix(rest, []byte("where")) {
			continue
		}
		copy(out[m[2]:], "class eee")
		if !receiver.Match(mask[m[4]+1 : end]) { // a receiver without a name
			blank(out[m[4] : end+1])
		}
	}
	for _, m := range allowsRef.FindAllIndex(mask, -1) {
		blank(out[m[0]:m[1]])
		copy(out[m[0]:], "class")
	}
	for _, m := range compound.FindAllSubmatchIndex(mask, -1) {
		out[m[2]] = ' '
	}
	for _, m := range unbound.FindAllSubmatchIndex(mask, -1) {
		blank(out[m[2]:m[3]])
	}
	for _, m := range nullAssign.FindAllSubmatchIndex(mask, -1) {
		out[m[2]] = ' '
	}
	lambdaModifiers(out, mask)
	return out
}

var lastModifier = lazyregexp.New(`\b(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|ref|unsafe|new|file)$`)

// embody makes a type without a body one that the grammar knows: a record. It
// takes the blank before class, and with it the modifier there, which
// typeDeclaration reads from the source. Without a blank it takes the one behind
// the semicolon for a body.
func embody(out, mask []byte, start, end, semicolon int) {
	write := func(at int, text string) {
		copy(out[at:], text)
		copy(mask[at:], text)
	}
	before := mask[:max(0, start-1)]
	switch {
	case bytes.HasSuffix(bytes.TrimRight(mask[:start], " \t"), []byte("record")):
	case end-start >= len("record"):
		blank(out[start:end])
		write(start, "record")
	case start > 0 && (mask[start-1] == ' ' || mask[start-1] == '\t'):
		word := lastModifier.FindIndex(before[max(0, len(before)-20):])
		if word == nil && len(before) > 0 && isWordRune(rune(before[len(before)-1])) {
			return
		}
		if word != nil {
			from := max(0, len(before)-20) + word[0]
			blank(out[from:start])
			blank(mask[from:start])
		}
		write(start-1, "record")
	case semicolon+1 < len(mask) && bytes.IndexByte([]byte(" \t\r\n"), out[semicolon+1]) >= 0 && !bytes.HasPrefix(bytes.TrimLeft(mask[semicolon+1:], " \t\r\n"), []byte("#")):
		write(semicolon, "{}")
	}
}

// lambdaModifiers drops ref and the like before parameters without a type.
func lambdaModifiers(out, mask []byte) {
	for at := 0; ; {
		arrow := bytes.Index(mask[at:], []byte("=>"))
		if arrow < 0 {
			return
		}
		arrow += at
		at = arrow + 2
		end := len(bytes.TrimRight(mask[:arrow], " \t\r\n")) - 1
		if end < 0 || mask[end] != ')' {
			continue
		}
		open := bytes.LastIndexByte(mask[max(0, end-400):end], '(')
		if open < 0 {
			continue
		}
		open += max(0, end-400)
		for {
			m := implicitMods.FindSubmatchIndex(mask[open : end+1])
			if m == nil {
				break
			}
			blank(out[open+m[2] : open+m[3]])
			blank(mask[open+m[2] : open+m[3]])
		}
	}
}

// group is an #if with its branches up to #endif.
type group struct {
	marks [][2]int // the lines of the directives
}

// conditionals blanks the directives of groups whose branches do not close the
// brackets they open or end in the middle of a statement, and all branches but
// the first: the grammar reads whole declarations and statements in a branch
// only. Of the elements of a list, the sections of a switch and attributes, all
// branches stay.
func conditionals(out, mask []byte) {
	var groups []*group
	var open []*group
	for _, m := range directive.FindAllSubmatchIndex(mask, -1) {
		line := [2]int{m[0], m[1]}
		word := string(mask[m[2]:m[3]])
		if word == "if" {
			g := &group{}
			groups, open = append(groups, g), append(open, g)
		}
		if len(open) == 0 {
			blank(out[m[0]:m[1]])
			continue
		}
		top := open[len(open)-1]
		top.marks = append(top.marks, line)
		if word == "endif" {
			open = open[:len(open)-1]
		}
	}
	for _, g := range open { // without an end
		for _, l := range g.marks {
			blank(out[l[0]:l[1]])
			blank(mask[l[0]:l[1]])
		}
		g.marks = nil
	}
	for _, g := range groups {
		if len(g.marks) < 2 || mask[g.marks[0][0]] == ' ' && len(bytes.TrimSpace(mask[g.marks[0][0]:g.marks[0][1]])) == 0 {
			continue
		}
		whole, list := true, false
		for i := 0; i+1 < len(g.marks); i++ {
			branch := mask[g.marks[i][1]:g.marks[i+1][0]]
			code := bytes.TrimSpace(anyDirective.ReplaceAll(branch, nil))
			switch {
			case len(code) == 0:
			case code[0] == ',' || code[len(code)-1] == ',' || switchSection.Match(code) || code[0] == '[' && code[len(code)-1] == ']':
				list = true
			case clause.Match(code):
				// Of an if or try that has one such clause of each kind, at most.
				list, whole = true, whole && len(g.marks) == 2
			case bytes.IndexByte([]byte(";}]:"), code[len(code)-1]) < 0:
				whole = false
			}
			whole = whole && balanced(code)
		}
		if whole && !list {
			continue
		}
		for i, l := range g.marks {
			end := l[1]
			if !whole && i > 0 && i+1 < len(g.marks) {
				end = g.marks[i+1][0]
			}
			blank(out[l[0]:end])
			blank(mask[l[0]:end])
		}
	}
}

var (
	switchSection = lazyregexp.New(`^(?:case\b|default\s*:)`)
	clause        = lazyregexp.New(`^(?:else|catch|finally)\b`)
)

var anyDirective = lazyregexp.New(`(?m)^[ \t]*#.*$`)

// balanced tells whether a masked text closes all brackets it opens and no
// others.
func balanced(mask []byte) bool {
	depth := 0
	for i := range mask {
		switch mask[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}
