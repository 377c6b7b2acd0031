package php

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/syntax"
)

var (
	asymmetric = lazyregexp.New(`(?i)((?:public|protected|private)\s+)?\b(?:public|protected|private)\s*\(\s*set\s*\)`)
	hooked     = lazyregexp.New(`(?i)\b(?:public|protected|private|readonly|static|final|abstract|var)\s[^;{}()=]*\$\w+\s*(?:=[^;{}()]*(?:\([^(){};]*\)[^;{}()]*)*)?(\{)`)
	enumHead   = lazyregexp.New(`(?i)\benum\s+\w+[^{};()]*(\{)`)
	enumConst  = lazyregexp.New(`(?i)((?:(?:final|public|protected|private)\s+)*)\bconst\s+([\w\\?|]+\s+)?\w+\s*=`)
	plainValue = lazyregexp.New(`^(?:\d+|'[^'\\]*')$`)
	newCall    = lazyregexp.New(`\b(new)\s+[\\\w]+\s*(\()`)
	cloneWith  = lazyregexp.New(`\b(clone)\s*(\()`)
	dynamic    = lazyregexp.New(`::\s*(\{)\s*\$\w+\s*(\})`)
	functions  = lazyregexp.New(`(?m)^[ \t]*(?:(?:abstract|final|public|protected|private|static)[ \t]+)*function[ \t]+&?[ \t]*[\w\x80-\xff]+[ \t]*\(`)
	fields     = lazyregexp.New(`(?m)^[ \t]*(?:(?:public|protected|private|static|readonly|var|final|abstract)[ \t]+|const[ \t]+)[^;{}]*;`)
)

// rewrite replaces what is newer than the grammar (property hooks, visibility
// of setters, constants of enums, the pipe, new without parentheses), and then,
// if damage is left, empties the functions and drops the fields that do not
// parse on their own.
func rewrite(g *syntax.Grammar, source []byte) []byte {
	out := bytes.Clone(source)
	mask := maskCode(source)
	modern(out, mask)
	if t, err := syntax.Parse(g, out); err != nil || !t.Root().HasError() {
		return out
	}
	mask = maskCode(out)
	repair(g, out, mask)
	return out
}

func modern(out, mask []byte) {
	erase := func(from, to int) {
		blank(out[from:to])
		blank(mask[from:to])
	}
	for _, m := range asymmetric.FindAllIndex(mask, -1) {
		word := mask[m[0]:m[1]]
		open := m[0] + bytes.LastIndexByte(word, '(')
		if sub := asymmetric.FindSubmatchIndex(word); sub != nil && sub[2] >= 0 {
			erase(m[0]+sub[3], m[1])
			continue
		}
		// private(set) alone is public to read.
		blank(out[m[0]:m[1]])
		blank(mask[m[0]:m[1]])
		if open >= m[0]+len("public") {
			copy(out[m[0]:], "public")
			copy(mask[m[0]:], "public")
		}
	}
	pairs := brackets(mask)
	for at := 0; ; {
		m := hooked.FindSubmatchIndex(mask[at:])
		if m == nil {
			break
		}
		open := at + m[2]
		end := int(pairs[open])
		if end < 0 {
			break
		}
		if k := bytes.Index(bytes.ToLower(mask[at+m[0]:open]), []byte("abstract")); k >= 0 {
			erase(at+m[0]+k, at+m[0]+k+len("abstract"))
		}
		next := bytes.TrimLeft(mask[end+1:], " \t\r\n")
		erase(open, end+1)
		if len(next) == 0 || next[0] != ',' && next[0] != ')' {
			out[open], mask[open] = ';', ';'
		}
		at = open
	}
	heads := enumHead.FindAllSubmatchIndex(mask, -1)
	for i, m := range heads {
		end := int(pairs[m[2]])
		if end < 0 {
			end = len(mask)
		}
		if i+1 < len(heads) {
			end = min(end, heads[i+1][0])
		}
		for _, c := range enumConst.FindAllSubmatchIndex(mask[m[3]:end], -1) {
			base := m[3]
			erase(base+c[2], base+c[3])
			if c[4] >= 0 {
				erase(base+c[4], base+c[5])
			}
			copy(out[base+c[3]:], "case ")
			copy(mask[base+c[3]:], "case ")
			// A case takes a literal; what a constant takes is blank for it.
			from := base + c[1]
			stop := from
			for stop < end && mask[stop] != ';' {
				stop++
			}
			if value := bytes.TrimSpace(out[from:stop]); stop > from && len(value) > 0 && !plainValue.Match(value) {
				erase(from, stop)
				out[from], mask[from] = '0', '0'
			}
		}
	}
	for _, m := range newCall.FindAllSubmatchIndex(mask, -1) {
		end := int(pairs[m[4]])
		if end < 0 {
			continue
		}
		rest := bytes.TrimLeft(mask[end+1:], " \t\r\n")
		if bytes.HasPrefix(rest, []byte("->")) || bytes.HasPrefix(rest, []byte("?->")) || bytes.HasPrefix(rest, []byte("::")) {
			erase(m[2], m[3])
		}
	}
	for _, m := range cloneWith.FindAllSubmatchIndex(mask, -1) {
		if end := int(pairs[m[4]]); end > 0 && bytes.IndexByte(mask[m[4]:end], ',') >= 0 {
			out[m[2]] = 'k'
		}
	}
	for _, m := range dynamic.FindAllSubmatchIndex(mask, -1) {
		out[m[2]], out[m[4]] = ' ', ' '
	}
	for i := 0; ; {
		k := bytes.Index(mask[i:], []byte("|>"))
		if k < 0 {
			return
		}
		i += k + 2
		copy(out[i-2:], " .")
	}
}

// Bounds of the parts of one file that are tried alone: their number, and
// their text as a multiple of the file.
const (
	maxRepairs  = 600
	maxReparsed = 4
)

func repair(g *syntax.Grammar, out, mask []byte) {
	tries, left := 0, maxReparsed*len(out)+1<<16
	whole := func(piece []byte) bool {
		tries++
		left -= len(piece)
		if tries > maxRepairs || left < 0 {
			return true
		}
		text := append([]byte("<?php abstract class _ {\n"), piece...)
		text = append(text, "\n}"...)
		t, err := syntax.Parse(g, text)
		return err == nil && !t.Root().HasError()
	}
	done := 0
	for _, m := range functions.FindAllIndex(mask, -1) {
		start := m[0]
		if start < done {
			continue
		}
		if tries > maxRepairs || left < 0 {
			break
		}
		body, end, closed := extent(mask, start, m[1]-1)
		if end <= start {
			continue
		}
		done = end
		if whole(out[start:end]) {
			continue
		}
		if body >= 0 {
			stop := end
			if closed {
				stop--
			}
			blank(out[body+1 : stop])
			blank(mask[body+1 : stop])
			if !closed {
				close := body + 1
				for close < len(out)-1 && out[close] != ' ' {
					close++
				}
				if close < end && out[close] == ' ' {
					out[close], mask[close] = '}', '}'
				}
			}
		}
		if !whole(out[start:end]) {
			blank(out[start:end])
			blank(mask[start:end])
		}
	}
	for _, m := range fields.FindAllIndex(mask, -1) {
		if !whole(out[m[0]:m[1]]) {
			blank(out[m[0]:m[1]])
			blank(mask[m[0]:m[1]])
		}
	}
	closeClasses(out, mask)
}

// extent finds the body of the function at an offset, whose list of parameters
// opens at another: the offset of its brace or -1, its end, and whether the end
// is a brace of its own. A brace that closes at another indentation than the
// function's closes something else; then the body reaches to the next line that
// is not indented deeper.
func extent(mask []byte, start, paren int) (body, end int, closed bool) {
	i := closing(mask, paren)
	if i < 0 {
		i = paren
	}
	indent := indentation(mask, start)
	for ; i < len(mask) && mask[i] != '{' && mask[i] != ';'; i++ {
		// The next function starts before this one has a body.
		if mask[i] == '\n' && functions.Match(lineAt(mask, i+1)) {
			return -1, i + 1, false
		}
	}
	if i >= len(mask) {
		return -1, len(mask), false
	}
	if mask[i] == ';' {
		return -1, i + 1, true
	}
	body = i
	close := closing(mask, body)
	if close >= 0 && (indentation(mask, lineStart(mask, close)) == indent || bytes.IndexByte(mask[body:close], '\n') < 0) {
		return body, close + 1, true
	}
	for k := body; k < len(mask); {
		next := bytes.IndexByte(mask[k:], '\n')
		if next < 0 {
			break
		}
		k += next + 1
		text := bytes.TrimSpace(lineAt(mask, k))
		if len(text) == 0 || indentation(mask, k) > indent || text[0] == '{' || text[0] == ')' || text[0] == ']' {
			continue
		}
		if text[0] == '}' && indentation(mask, k) == indent {
			return body, k + indent + 1, true
		}
		return body, k, false
	}
	return body, len(mask), false
}

// closeClasses puts the braces that are missing at the end of the text, as in
// one that was cut short, over the blank at its end.
func closeClasses(out, mask []byte) {
	open := 0
	for _, c := range mask {
		switch c {
		case '{':
			open++
		case '}':
			open = max(open-1, 0)
		}
	}
	if open == 0 || open > 20 {
		return
	}
	// What stands behind the last whole statement goes.
	last := bytes.LastIndexAny(mask, ";{}")
	if last < 0 {
		return
	}
	blank(out[last+1:])
	for i := last + 1; i < len(out) && open > 0; i++ {
		if out[i] == ' ' {
			out[i] = '}'
			open--
		}
	}
}

func lineStart(text []byte, offset int) int { return bytes.LastIndexByte(text[:offset], '\n') + 1 }

func lineAt(text []byte, start int) []byte {
	line, _, _ := bytes.Cut(text[min(start, len(text)):], []byte("\n"))
	return line
}

func indentation(text []byte, start int) int {
	line := lineAt(text, start)
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}
