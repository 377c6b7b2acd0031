package oracle

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/ranker/query"
)

// target is what a question is about.
type target struct {
	// names are those that could be definitions, as they were written.
	names []string
	// pointed are those of them that the question calls a name, though they look
	// like words: "the spawn function", "who calls parse".
	pointed []string
	// definitions of the first of them that has any.
	name        string
	definitions []definitionInfo
	folded      bool
	// joined: the name is made of words of the question that stand together.
	joined bool
	// placed: a file and a line name it.
	placed bool
	// doc and dir are the file or directory that is named, -1 for none; line the
	// line in it.
	doc, dir, line int
	// other is a second file that is named, -1 for none.
	other int
	// missing is a path that is named and not there.
	missing string
}

// targetOf finds what a question names.
func (o *Oracle) targetOf(text string, q *query.Query) target {
	t := target{doc: -1, dir: -1, other: -1}
	paths := map[string]bool{}
	for _, p := range q.Paths {
		clean, err := cleanPath(strings.TrimSuffix(p.Path, "/"))
		if err != nil || clean == "" {
			continue
		}
		paths[strings.ToLower(clean)] = true
		if doc, ok := o.findPath(clean); ok {
			if t.doc < 0 {
				t.doc, t.line = doc, p.Line
			} else if t.other < 0 && doc != t.doc {
				t.other = doc
			}
			continue
		}
		if dir, ok := o.findDir(clean); ok {
			if t.dir < 0 {
				t.dir = dir
			}
			continue
		}
		if first, _, nested := strings.Cut(clean, "/"); t.missing == "" {
			// A dotted name can be anything; below a directory that is there it is a path.
			if _, ok := o.c.DirByPath(first); nested && ok || strings.Contains(clean, ".") && !nested || nested && path.Ext(clean) != "" {
				t.missing = clean
			}
		}
	}
	if t.doc < 0 && t.dir < 0 {
		// "the mapgen/store directory", "package store"
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ?,;:!\"'`()", r) })
		for i, w := range words {
			low := strings.ToLower(w)
			near := i > 0 && isDirWord(words[i-1]) || i+1 < len(words) && isDirWord(words[i+1])
			if near || strings.Contains(low, "/") {
				if dir, ok := o.findDir(strings.Trim(w, "/.")); ok {
					t.dir = dir
					break
				}
			}
		}
	}
	t.names, t.pointed = namesIn(text, paths)
	if !slices.ContainsFunc(t.names, isCodeLike) && t.doc < 0 && o.joinedName(&t, text) {
		return t
	}
	for i, n := range t.names {
		// A plain word among others is a word.
		if !hasShape(n) && !strings.ContainsAny(n, ".:#") && !strings.Contains(text, "`"+n+"`") && (i > 0 || len(t.names) > 1) && n == strings.ToLower(n) && !slices.Contains(t.pointed, n) {
			continue
		}
		f := o.lookUp(n, o.pathOf(t.doc), t.line)
		if len(f.definitions) > 0 && (!f.folded || hasShape(n)) {
			t.name, t.definitions, t.folded = n, f.definitions, f.folded
			break
		}
	}
	return t
}

// isCodeLike tells names that no word of a sentence looks like.
func isCodeLike(n string) bool { return hasShape(n) || strings.ContainsAny(n, ".:#\\") }

// joinedName finds a definition whose name is two or three words of a question
// that stand together: default_adapter or defaultAdapter of "the default adapter".
func (o *Oracle) joinedName(t *target, text string) bool {
	tokens := strings.Fields(strings.ToLower(text))
	for i, w := range tokens {
		tokens[i] = strings.Trim(w, "'\"!?.,;:()[]{}<>")
	}
	for n := 3; n >= 2; n-- {
		for i := 0; i+n <= len(tokens); i++ {
			part := tokens[i : i+n]
			// Only what no sentence needs; one of them may be a word that asks.
			plain := 0
			for _, w := range part {
				if isQuestionWord(w) || w == "" || strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
					plain = -n
				}
				if !isAskingWord(w) {
					plain++
				}
			}
			if plain < 1 {
				continue
			}
			for _, sep := range []string{"_", ""} {
				name := strings.Join(part, sep)
				if f := o.lookUp(name, "", 0); len(f.definitions) > 0 {
					t.name, t.definitions, t.joined = f.definitions[0].Name, f.definitions, true
					return true
				}
			}
		}
	}
	return false
}

func (o *Oracle) pathOf(doc int) string {
	if doc < 0 {
		return ""
	}
	return o.c.Path(doc)
}

func isDirWord(w string) bool {
	switch strings.ToLower(strings.Trim(w, "?,.")) {
	case "directory", "dir", "folder", "package", "module", "packages", "subpackage":
		return true
	}
	return false
}

// findPath finds the file that a path means: exactly, or the only one that ends
// in it.
func (o *Oracle) findPath(p string) (int, bool) {
	if doc, ok := o.c.DocByPath(p); ok {
		return doc, true
	}
	found := -1
	for doc := range o.c.NumDocs() {
		if x := o.c.Path(doc); strings.HasSuffix(x, "/"+p) {
			if found >= 0 {
				// Of several the one that is nearest to the root, if there is one.
				a, b := strings.Count(o.c.Path(found), "/"), strings.Count(x, "/")
				if a == b {
					return -1, false
				}
				if a < b {
					continue
				}
			}
			found = doc
		}
	}
	return found, found >= 0
}

func (o *Oracle) findDir(p string) (int, bool) {
	if p == "" {
		return 0, false
	}
	if dir, ok := o.c.DirByPath(p); ok {
		return dir, true
	}
	found := -1
	for i, d := range o.c.Dirs() {
		if strings.HasSuffix(d.Path, "/"+p) {
			if found >= 0 {
				return -1, false
			}
			found = i
		}
	}
	return found, found >= 0
}

// namesIn lists what could be names of definitions, the most code-like first:
// what stands in backticks, qualified names, names of a shape that words do not
// have, words that the question calls names, and then all words that are no part
// of plain English questions.
func namesIn(text string, paths map[string]bool) (names, pointed []string) {
	var ticked, qualified, shaped, called, plain, asking []string
	add := func(list *[]string, s string) {
		s = strings.Trim(s, "`'\"?!.,;:()[]{}<>")
		if s != "" && !paths[strings.ToLower(s)] && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			add(&ticked, part)
		}
	}
	tokens := strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\t' || r == ',' || r == '?' || r == '"' || r == '`' || r == ';'
	})
	for i, w := range tokens {
		w = strings.TrimSuffix(w, "'s")
		clean := strings.Trim(w, "'\"!.,;:()[]{}<>")
		switch {
		case clean == "" || paths[strings.ToLower(clean)] || strings.Contains(clean, "/"):
		case strings.Contains(clean, "::") || strings.Contains(clean, "#") || strings.Contains(clean, "->") || strings.Contains(clean, "\\") || strings.Contains(clean, ".") && hasLetter(clean):
			add(&qualified, clean)
		case hasShape(clean) || strings.HasSuffix(w, "()"):
			add(&shaped, clean)
		case isQuestionWord(strings.ToLower(clean)):
			// "who calls find?": at the end of it a word of questions is a name, too.
			if i == len(tokens)-1 && isPointedAt(tokens, i) && !isStandIn(strings.ToLower(clean)) {
				add(&pointed, clean)
			}
		case isKindNoun(wordAt(tokens, i+1)) && !isAskingWord(strings.ToLower(clean)):
			add(&called, clean)
		case isPointedAt(tokens, i):
			add(&pointed, clean)
		case isAskingWord(strings.ToLower(clean)):
			add(&asking, clean)
		default:
			add(&plain, clean)
		}
	}
	pointed = slices.Concat(called, pointed)
	names = slices.Concat(ticked, qualified, shaped, pointed, plain)
	if len(names) == 0 && len(asking) == 1 {
		names = asking // "where is delete"
	}
	return names, pointed
}

// wordAt is a word of a question in lower case, "" outside it.
func wordAt(tokens []string, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return strings.ToLower(strings.Trim(tokens[i], "'\"!.,;:()[]{}<>"))
}

// isPointedAt tells whether the words before one say that it is a name: "who calls
// parse", "callers of parse", "class parser".
func isPointedAt(tokens []string, i int) bool {
	k := i - 1
	for wordAt(tokens, k) == "the" || wordAt(tokens, k) == "a" || wordAt(tokens, k) == "an" {
		k--
	}
	switch w := wordAt(tokens, k); w {
	case "is", "are":
		return asksForDefinition(tokens, i)
	case "calls", "call", "calling", "uses", "using", "rename", "remove", "delete", "raises", "throws", "invokes", "invoke", "instantiates", "constructs", "overrides", "override", "implements", "implement", "extends", "extend":
		return true
	case "of", "to", "for", "from":
		switch wordAt(tokens, k-1) {
		case "callers", "caller", "usages", "usage", "users", "uses", "references", "signature", "implementations", "implementation", "subclasses", "subclass", "definition", "calls", "inherit", "inherits", "derived", "parameters", "arguments":
			return true
		}
	default:
		return isKindNoun(w)
	}
	return false
}

// asksForDefinition tells whether a word is capitalised and the question is whether,
// or where, it is defined: "is Vary defined?".
func asksForDefinition(tokens []string, i int) bool {
	w := strings.Trim(tokens[i], "'\"!.,;:()[]{}<>")
	next := wordAt(tokens, i+1)
	return w != strings.ToLower(w) && (next == "defined" || next == "declared")
}

// isStandIn tells words that stand for a name that was not given.
func isStandIn(w string) bool {
	switch w {
	case "it", "its", "this", "that", "these", "those", "them", "they", "there", "here", "anything", "something", "everything", "all", "any", "every", "each", "about":
		return true
	}
	return isKindNoun(strings.TrimSuffix(w, "s")) || isDirWord(w) || w == "file" || w == "files" || w == "code" || w == "classes"
}

func isKindNoun(w string) bool {
	switch w {
	case "function", "method", "class", "struct", "interface", "trait", "macro", "enum", "type", "constant", "variable", "symbol":
		return true
	}
	return false
}

// isAskingWord tells further words that questions are made of, and that texts have,
// too.
func isAskingWord(w string) bool {
	switch w {
	case "breaks", "break", "rename", "remove", "delete", "edit", "signature", "return", "returns", "explain", "describe", "please", "pls", "thanks", "hey", "ok", "wich", "whats", "wheres", "what's", "where's", "who's",
		"dead", "unused", "still", "safe", "safely", "default", "config", "sets", "set", "maintains", "maintainer", "raises", "raise", "throws", "throw", "callsites", "xref", "impact", "anybody", "calling", "using", "know", "want", "need", "look", "looking",
		"value", "lives", "live", "got", "whether", "really", "just", "exactly", "actually", "currently", "now", "must", "might", "may", "also", "implement", "implementations", "implementors", "instantiated", "default's", "between", "related", "args", "arguments", "parameters", "params":
		return true
	}
	return false
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// hasShape tells names from words: an underscore, an inner capital, a digit behind
// a letter, or a call.
func hasShape(s string) bool {
	if strings.HasSuffix(s, "()") || strings.Contains(s, "_") || strings.HasPrefix(s, "$") || strings.HasPrefix(s, "@") {
		return true
	}
	lower := false
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' && lower {
			return true
		}
		lower = lower || r >= 'a' && r <= 'z'
	}
	// XMLReader, ABC: capitals followed by a word, or all capitals.
	upper := 0
	for _, r := range s {
		if r >= 'A' && r <= 'Z' {
			upper++
		}
	}
	return upper >= 2
}

// isQuestionWord tells the words that questions are made of.
func isQuestionWord(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had", "can", "could", "should", "would", "will",
		"i", "we", "you", "it", "its", "they", "them", "this", "that", "these", "those", "there", "here", "me", "us", "our", "my", "your",
		"what", "where", "which", "who", "whom", "whose", "when", "why", "how",
		"in", "on", "at", "of", "to", "for", "from", "by", "with", "without", "into", "as", "and", "or", "not", "no", "if", "than", "then", "so", "but",
		"file", "files", "function", "functions", "class", "classes", "method", "methods", "type", "types", "interface", "interfaces", "struct", "structs",
		"module", "modules", "package", "packages", "directory", "directories", "folder", "code", "codebase", "repo", "repository", "project", "symbol", "symbols",
		"variable", "variables", "constant", "constants", "field", "fields", "enum", "trait", "macro", "definition", "definitions", "source", "implementation",
		"defined", "declared", "implemented", "implements", "used", "uses", "use", "using", "called", "calls", "call", "caller", "callers", "located", "found", "find",
		"show", "tell", "give", "list", "all", "any", "every", "each", "about", "anything", "anyone", "something", "someone", "everything",
		"test", "tests", "tested", "cover", "covers", "covering", "exercise", "exercises", "unit", "change", "changed", "changes", "last", "recent", "recently", "latest",
		"commit", "commits", "history", "come", "added", "removed", "made", "reason", "import", "imports", "imported", "importing", "depend", "depends", "dependency", "dependencies",
		"reference", "references", "referenced", "usages", "usage", "extend", "extends", "subclass", "subclasses", "inherit", "inherits", "override", "overrides",
		"work", "works", "handled", "happens", "named", "name", "exist", "exists", "contain", "contains", "inside", "place", "places", "line", "lines", "owner", "owners", "owns":
		return true
	}
	return false
}
