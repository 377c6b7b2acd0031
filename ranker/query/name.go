package query

import "strings"

// Bounds of one qualified name and of one import statement; what exceeds them
// is data, not a name.
const (
	maxParts   = 16
	maxPart    = maxIdent
	maxGeneric = 80 // bytes of type arguments skipped inside a name
	maxUseTree = 64 // names expanded from one import statement
	maxUseText = 4 << 10
)

// qualifiedNames records the qualified names of s. Names may be joined by ".",
// "?.", "&.", "::", "#", "->" and "\", and in traces by "$" (nested Java classes).
func (p *parser) qualifiedNames(s string, seg Segment, imported bool) {
	for i := 0; ; {
		a, b, ok := nextIdent(s, i)
		if !ok {
			return
		}
		parts := []string{s[a:b]}
		dotted := true
		i = b
		for {
			next, sep := joined(s, a, i, seg == Trace)
			if next < 0 {
				break
			}
			e := identEnd(s, next)
			if sep == '\\' && !namespaceStep(parts[len(parts)-1], s[next:e], s[e:]) {
				break
			}
			dotted = dotted && sep == '.'
			parts = append(parts, s[next:e])
			i = e
		}
		if len(parts) > 1 && (!dotted || !isSentenceGlue(parts, seg)) {
			p.addName(parts, seg, imported)
		}
	}
}

// joined returns where the next component starts when one follows position i of
// a name that began at start, and the kind of joint; -1 when the name ends.
func joined(s string, start, i int, dollar bool) (next int, sep byte) {
	rest := s[i:]
	// Go receivers: (*T).M at the start of a name.
	if strings.HasPrefix(rest, ").") && start > 0 && (s[start-1] == '(' || s[start-1] == '*') {
		return identAt(s, i+2), '.'
	}
	if len(rest) > 1 && rest[0] == '[' && strings.HasPrefix(rest, "[...]") { // Go generics in traces
		i += 5
		rest = s[i:]
	}
	if len(rest) > 1 && (rest[0] == '<' || strings.HasPrefix(rest, "::<")) {
		j := skipGeneric(rest)
		if j < 0 {
			return -1, 0
		}
		i += j
		rest = s[i:]
		if !strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "#") {
			return -1, 0
		}
	}
	switch {
	case strings.HasPrefix(rest, ".(*"): // pkg.(*T).Method
		return identAt(s, i+3), '.'
	case strings.HasPrefix(rest, ".") && i+1 < len(s):
		return identAt(s, i+1), '.'
	case strings.HasPrefix(rest, "?."), strings.HasPrefix(rest, "!."), strings.HasPrefix(rest, "&."):
		return identAt(s, i+2), ':'
	case strings.HasPrefix(rest, ")."):
		// Closes the receiver opened by ".(*".
		j := i - 1
		for j > start && isWordByte(s[j]) {
			j--
		}
		if j >= 1 && s[j] == '*' && s[j-1] == '(' {
			return identAt(s, i+2), '.'
		}
	case strings.HasPrefix(rest, "::~"):
		return identAt(s, i+3), ':'
	case strings.HasPrefix(rest, "::"):
		return identAt(s, i+2), ':'
	case strings.HasPrefix(rest, "#"):
		return identAt(s, i+1), '#'
	case strings.HasPrefix(rest, "->"):
		return identAt(s, i+2), '>'
	case strings.HasPrefix(rest, `\\`):
		return identAt(s, i+2), '\\'
	case strings.HasPrefix(rest, `\`):
		return identAt(s, i+1), '\\'
	case dollar && strings.HasPrefix(rest, "$."): // Scala objects
		return identAt(s, i+2), '$'
	case dollar && strings.HasPrefix(rest, "$"):
		return identAt(s, i+1), '$'
	}
	return -1, 0
}

func identAt(s string, i int) int {
	if i < len(s) {
		if r, _ := decode(s, i); isIdentStart(r) {
			return i
		}
	}
	return -1
}

// skipGeneric returns the length of balanced type arguments at the start of s,
// or -1.
func skipGeneric(s string) int {
	depth := 0
	for i := 0; i < len(s) && i < maxGeneric; i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && s[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n', ';', '{', '"':
			return -1
		}
	}
	return -1
}

// namespaceStep tells a namespace separator from an escape sequence: both
// sides start with an upper-case letter, or the right one is called.
func namespaceStep(left, right, after string) bool {
	return len(left) > 1 && isUpper(left[0]) && (isUpper(right[0]) || strings.HasPrefix(after, "("))
}

// isSentenceGlue reports whether a dotted name is only two sentences without a
// space between them, a domain or an abbreviation.
func isSentenceGlue(parts []string, seg Segment) bool {
	last := parts[len(parts)-1]
	switch last {
	case "com", "org", "net":
		return len(parts) <= 3
	}
	if seg != Prose && seg != Title || len(parts) != 2 {
		return false
	}
	// A sentence seldom ends in a capitalised word: Queue.Put is a name.
	return isUpper(last[0]) && !isUpper(parts[0][0]) && isStopWord(strings.ToLower(last))
}

// addName records a name after dropping components that are no part of it.
func (p *parser) addName(parts []string, seg Segment, imported bool) {
	kept := make([]string, 0, len(parts))
	long := false
	for i, x := range parts {
		switch {
		case len(kept) == 0 && isReceiver(x), x == "prototype" && i > 0 && i+1 < len(parts):
			continue
		case seg == Trace && (x == "lambda" || x == "anonfun" || x == "closure") && i > 0:
			continue
		}
		if len(x) > maxPart || len(kept) == maxParts {
			return
		}
		long = long || len(x) > 1
		kept = append(kept, x)
	}
	if len(kept) < 2 || !long && !imported {
		return
	}
	key := strings.Join(kept, ".")
	k, seen := p.nameAt[key]
	if !seen {
		k = len(p.q.Names)
		p.nameAt[key] = k
		p.q.Names = append(p.q.Names, QualifiedName{Parts: kept, Segment: seg})
	}
	n := &p.q.Names[k]
	n.Counts[seg]++
	n.Import = n.Import || imported
}

// imports records the names an import statement brings in and reports whether
// the line is one. A statement may go on over lines while its bracket is open.
func (p *parser) imports(line string, seg Segment) bool {
	t := strings.TrimSpace(line)
	if p.openImport != "" {
		p.openImport += " " + t
		if len(p.openImport) > maxUseText {
			p.openImport = ""
			return false
		}
		if strings.ContainsAny(t, ")};") && balanced(p.openImport) {
			t, p.openImport = p.openImport, ""
			p.importStatement(t, seg)
		}
		return true
	}
	if !isImport(t) {
		return false
	}
	if !balanced(t) && seg == Code && len(t) < 200 {
		p.openImport = t
		return true
	}
	p.importStatement(t, seg)
	return true
}

func balanced(s string) bool {
	return strings.Count(s, "(") <= strings.Count(s, ")") && strings.Count(s, "{") <= strings.Count(s, "}")
}

// isImport reports whether a trimmed line is an import statement whose names
// need more than the scanner of qualified names.
func isImport(t string) bool {
	if strings.HasPrefix(t, "from ") {
		return strings.Contains(t, " import")
	}
	t = strings.TrimPrefix(strings.TrimPrefix(t, "pub "), "pub(crate) ")
	for _, kw := range [...]string{"use ", "import ", "using "} {
		if strings.HasPrefix(t, kw) {
			x := strings.TrimSpace(t[len(kw):])
			return strings.Contains(x, "::") || strings.IndexByte(x, '.') > 0 || strings.IndexByte(x, '\\') > 0
		}
	}
	return false
}

func (p *parser) importStatement(t string, seg Segment) {
	if rest, ok := strings.CutPrefix(t, "from "); ok {
		mod, names, _ := strings.Cut(rest, " import")
		if i := strings.IndexByte(names, '#'); i >= 0 {
			names = names[:i]
		}
		prefix := splitParts(strings.Trim(mod, " ."), ".")
		if prefix == nil {
			return
		}
		p.addName(prefix, seg, true)
		for i, x := range strings.Split(strings.NewReplacer("(", " ", ")", " ", `\`, " ").Replace(names), ",") {
			f := strings.Fields(x)
			if i >= maxUseTree || len(f) == 0 {
				continue
			}
			if e := splitParts(f[0], "."); e != nil {
				p.addName(append(prefix[:len(prefix):len(prefix)], e...), seg, true)
			}
		}
		return
	}
	t = strings.TrimPrefix(strings.TrimPrefix(t, "pub "), "pub(crate) ")
	_, rest, _ := strings.Cut(t, " ")
	rest = strings.TrimSpace(rest)
	for _, kw := range [...]string{"static ", "function ", "const "} {
		rest = strings.TrimPrefix(rest, kw)
	}
	if i := strings.IndexByte(rest, ';'); i >= 0 {
		rest = rest[:i]
	}
	left := maxUseTree
	p.useTree(nil, rest, seg, &left, 0)
}

// useTree expands a::b::{c, d::e} and the same with "." or "\" as separator.
func (p *parser) useTree(prefix []string, s string, seg Segment, left *int, depth int) {
	for _, item := range splitTop(s) {
		if *left <= 0 || depth > 8 {
			return
		}
		head, group, isGroup := strings.Cut(item, "{")
		f := strings.Fields(head)
		if len(f) == 0 && !isGroup {
			continue
		}
		parts := prefix[:len(prefix):len(prefix)]
		if len(f) > 0 {
			h := strings.NewReplacer("::", ".", `\`, ".").Replace(f[0])
			h = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(h, "."), "*"), ".")
			if h == "self" && len(prefix) > 0 {
				h = ""
			}
			if h != "" {
				e := splitParts(h, ".")
				if e == nil {
					continue
				}
				parts = append(parts, e...)
			}
		}
		if isGroup {
			if i := strings.LastIndexByte(group, '}'); i >= 0 {
				group = group[:i]
			}
			p.useTree(parts, group, seg, left, depth+1)
			continue
		}
		*left--
		for len(parts) > 0 && (parts[0] == "crate" || parts[0] == "super" || parts[0] == "self") {
			parts = parts[1:]
		}
		p.addName(parts, seg, true)
	}
}

// splitTop splits at the commas outside of braces.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// splitParts splits s at sep into identifiers, nil if one of them is none.
func splitParts(s, sep string) []string {
	parts := strings.Split(s, sep)
	for _, x := range parts {
		if x == "" || identAt(x, 0) != 0 || identEnd(x, 0) != len(x) {
			return nil
		}
	}
	return parts
}
