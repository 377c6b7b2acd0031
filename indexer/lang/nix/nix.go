// Package nix outlines Nix: attributes, functions with their arguments, options
// of modules, inputs and outputs of flakes, and the files that are imported. An
// own scanner matches brackets and let … in, and a walk over the structure of
// expressions decides which attribute sets hold definitions.
package nix

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxImports = 2000
	maxInit    = 120
	// maxDepth bounds how deep expressions are walked, and maxLevel how deep
	// attributes that are no options are definitions.
	maxDepth = 60
	maxLevel = 2
)

var comments = lang.CommentStyle{Line: []string{"#"}, Block: true}

// Language is the row of Nix.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "nix",
		Version:      1,
		Extensions:   []string{".nix", ".nix.in"},
		Interpreters: []string{"nix-instantiate"},
		Extract:      extract,
		Roles:        rolesOf,
		Outline:      true,
		Code:         true,
	}
}

func rolesOf(p string) facts.Role {
	switch base := p[strings.LastIndexByte(p, '/')+1:]; base {
	case "node-packages.nix", "gemset.nix", "node-env.nix", "Cargo.nix", "gomod2nix.nix", "yarn.nix", "hardware-configuration.nix":
		return facts.RoleGenerated // by tools that go with them
	case "default.nix":
		return facts.RolePackageInit
	}
	return 0
}

type walker struct {
	b      *lang.Builder
	src    []byte
	tokens []token
	left   int
	depth  int
}

// scope is what an attribute set stands for.
type scope struct {
	// path are the names of the attributes around it, from the file, or from
	// options or outputs where one of these is among them.
	path  []string
	level int  // of attribute sets
	emit  bool // its attributes are definitions
	root  bool // the value of the file
	// options, outputs and let tell where the path starts.
	options, outputs, let bool
}

func extract(b *lang.Builder) {
	s := &scanner{src: b.Source, work: 8*len(b.Source) + 1000}
	s.scan()
	for _, d := range s.docs {
		b.MarkDoc(d)
	}
	w := &walker{b: b, src: b.Source, tokens: s.tokens, left: maxSymbols}
	w.imports()
	w.expression(0, len(w.tokens), scope{emit: true, root: true}, nil)
	// What a flake or package says of itself goes before a comment. One right
	// above the function or set that the file is speaks of the file.
	text, _ := comments.Header(b.Source)
	b.SetSummary(text)
}

// imports adds the paths of files.
func (w *walker) imports() {
	left := maxImports
	seen := map[string]bool{}
	for i := range w.tokens {
		t := &w.tokens[i]
		if t.kind != tokenPath || t.computed || left == 0 || t.end-t.start > facts.MaxName {
			continue
		}
		p := strings.TrimSuffix(w.text(i), "/")
		if p == "" || p == "." || p == "./." || p == ".." || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || seen[p] {
			continue
		}
		seen[p] = true
		left--
		w.b.Import(facts.Import{Module: p}, uint32(t.start))
	}
}

func (w *walker) is(i int, text string) bool {
	if i < 0 || i >= len(w.tokens) || w.tokens[i].kind != tokenOther {
		return false
	}
	t := &w.tokens[i]
	return t.end-t.start == len(text) && string(w.src[t.start:t.end]) == text
}

func (w *walker) isKind(i int, k tokenKind) bool {
	return i >= 0 && i < len(w.tokens) && w.tokens[i].kind == k
}

// text is a token as written, or the inside of a string.
func (w *walker) text(i int) string {
	t := &w.tokens[i]
	s := string(w.src[t.start:min(t.end, t.start+4000)])
	if t.kind == tokenString {
		if strings.HasPrefix(s, "''") {
			s = strings.TrimSuffix(s[2:], "''")
		} else {
			s = strings.TrimSuffix(s[1:], `"`)
		}
	}
	return strings.ToValidUTF8(s, "")
}

// partner is the index of the token that closes the one at i, or the end of a
// range where it is left open.
func (w *walker) partner(i, to int) int {
	if p := int(w.tokens[i].partner); p > i {
		return min(p, to)
	}
	return to
}

func (w *walker) opens(i int) bool {
	return w.is(i, "{") || w.is(i, "(") || w.is(i, "[") || w.is(i, "${") || w.is(i, "let")
}

// skipTo is the index of a token outside of brackets, or the end of the range.
func (w *walker) skipTo(i, to int, text string) int {
	for i < to && !w.is(i, text) {
		if w.opens(i) && !w.is(i, "let") || w.is(i, "let") && !w.is(i+1, "{") {
			i = w.partner(i, to)
		}
		i++
	}
	return min(i, to)
}

// isPattern tells the arguments of a function from an attribute set.
func (w *walker) isPattern(i int) bool {
	follows := func(k int) bool { return w.is(k+1, ":") || w.is(k+1, "@") }
	switch {
	case w.is(i+1, "}"):
		return follows(i + 1)
	case w.is(i+1, "..."):
		return true
	case w.isKind(i+1, tokenName):
		return w.is(i+2, ",") || w.is(i+2, "?") || w.is(i+2, "}") && follows(i+2)
	}
	return false
}

// value is what the head of an expression tells.
type value struct {
	params []facts.Param
	callee string // last name of what the expression calls, or ""
	args   int    // token behind the arguments
	body   int    // token where the main expression starts
	set    bool   // which is an attribute set
}

// head reads the arguments, with, assert and let before the main expression.
// visit is called for the bindings of let.
func (w *walker) head(from, to int, lets func(from, to int), formal func(name, from, to int)) (v value) {
	i := from
	v.args = from
	for i < to {
		switch {
		case w.isKind(i, tokenName) && w.is(i+1, ":"):
			v.params = append(v.params, facts.Param{Name: w.text(i)})
			i += 2
			v.args = i
		case w.isKind(i, tokenName) && w.is(i+1, "@") && w.is(i+2, "{"):
			i += 2
		case w.is(i, "{") && w.isPattern(i):
			end := w.partner(i, to)
			v.params = w.formals(i+1, end, v.params, formal)
			if i = end + 1; w.is(i, "@") {
				i += 2
			}
			if w.is(i, ":") {
				i++
			}
			v.args = i
		case w.is(i, "with") || w.is(i, "assert"):
			i = w.skipTo(i+1, to, ";") + 1
		case w.is(i, "let") && !w.is(i+1, "{"):
			end := w.partner(i, to)
			if lets != nil {
				lets(i+1, end)
			}
			i = end + 1
		default:
			v.body = i
			v.set = w.is(i, "{") || (w.is(i, "rec") || w.is(i, "let")) && w.is(i+1, "{")
			v.callee = w.calleeAt(i, to)
			return v
		}
	}
	v.body = min(i, to)
	return v
}

// calleeAt is the last part of the name at i: c of a.b.c.
func (w *walker) calleeAt(i, to int) (callee string) {
	for k := i; k < to && w.isKind(k, tokenName); k += 2 {
		callee = w.text(k)
		if !w.is(k+1, ".") {
			break
		}
	}
	return callee
}

// formals reads { a, b ? 1, ... }.
func (w *walker) formals(from, to int, params []facts.Param, formal func(name, from, to int)) []facts.Param {
	for i := from; i < to; {
		end := w.skipTo(i, to, ",")
		if w.isKind(i, tokenName) && len(params) < 200 {
			params = append(params, facts.Param{Name: w.text(i)})
			if w.is(i+1, "?") && formal != nil && i+2 < end {
				formal(i, i+2, end)
			}
		} else if w.is(i, "...") {
			params = append(params, facts.Param{Name: "..."})
		}
		i = end + 1
	}
	return params
}

// expression walks an expression; v is its head where the caller knows it.
func (w *walker) expression(from, to int, sc scope, v *value) {
	if w.depth >= maxDepth || from >= to {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	if v == nil {
		h := w.head(from, to, func(from, to int) {
			if sc.root {
				w.bindings(from, to, scope{emit: true, let: true, level: 1})
			} else {
				w.bindings(from, to, scope{level: maxLevel})
			}
		}, func(name, from, to int) {
			if sc.root {
				w.argument(name, from, to)
			}
		})
		v = &h
	}
	callee := v.callee
	scopeOf := func(set bool) scope {
		inner := sc
		if !set && !sc.outputs && !sc.root && callee != "" && !transparent(callee) {
			inner.emit, inner.options, inner.path = false, false, nil
		}
		return inner
	}
	inner := scopeOf(v.set)
	if sc.root && isDerivation(v.callee) {
		w.derivation(v.body, to, v.callee)
	}
	for i := v.body; i < to; i++ {
		if sc.root && i > v.body && (w.isKind(i, tokenName) || w.isKind(i, tokenString)) {
			if _, equals := w.attrPath(i, to); equals >= 0 {
				// A stray brace has ended the set of the file.
				in := inner
				in.root = false
				w.bindings(i, to, in)
				return
			}
		}
		switch {
		case w.is(i, "+") || w.is(i, "/") || w.is(i, "then") || w.is(i, "else"):
			// Another operand, or branch.
			callee = w.calleeAt(i+1, to)
			inner = scopeOf(w.is(i+1, "{"))
		case w.is(i, "{"):
			end := w.partner(i, to)
			if w.isPattern(i) {
				i = end
				continue
			}
			in := inner
			in.root = false
			w.bindings(i+1, end, in)
			i = end
		case w.is(i, "("):
			end := w.partner(i, to)
			in := inner
			in.root = sc.root && (i == v.body || callee == "" || transparent(callee))
			w.expression(i+1, end, in, nil)
			i = end
		case w.is(i, "["):
			end := w.partner(i, to)
			in := inner
			in.root = false
			if callee == "" && !sc.outputs {
				in.emit = false // a list of values, not what mkMerge takes
			}
			w.expression(i+1, end, in, &value{body: i + 1, callee: callee})
			i = end
		case w.is(i, "let") && !w.is(i+1, "{"):
			i = w.partner(i, to)
		}
	}
}

// transparent tells functions whose attribute sets stand in the place of the
// call.
func transparent(callee string) bool {
	switch callee {
	case "mkIf", "mkMerge", "mkDefault", "mkForce", "mkOverride", "mkBefore", "mkAfter", "mkOrder", "optionalAttrs", "recursiveUpdate",
		"genAttrs", "mapAttrs", "mergeAttrs", "mkFlake", "makeExtensible", "fix", "extend", "overrideAttrs", "optional", "optionals":
		return true
	}
	return isDerivation(callee) || strings.HasPrefix(callee, "forAll") || strings.HasPrefix(callee, "forEach") || strings.HasPrefix(callee, "each")
}

// isDerivation tells functions that make packages and shells.
func isDerivation(callee string) bool {
	return callee == "mkDerivation" || callee == "runCommand" || callee == "nixosTest" || strings.HasPrefix(callee, "mkShell") ||
		strings.HasPrefix(callee, "build") && len(callee) > 6 && callee[5] >= 'A' && callee[5] <= 'Z' ||
		strings.HasPrefix(callee, "writeShell")
}

// bindings reads the attributes of a set, or of a let.
func (w *walker) bindings(from, to int, sc scope) {
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	flake := sc.level == 0 && !sc.let && w.isFlake(from, to)
	for i := from; i < to; {
		if w.is(i, "inherit") {
			end := w.skipTo(i, to, ";")
			if sc.outputs && sc.emit {
				w.inherited(i+1, end, sc)
			}
			i = end + 1
			continue
		}
		parts, equals := w.attrPath(i, to)
		if equals < 0 {
			// A brace cannot stand here; what it holds are attributes of this
			// set.
			if w.opens(i) && !w.is(i, "let") && !w.is(i, "{") {
				i = w.partner(i, to)
			}
			i++
			continue
		}
		end := w.valueEnd(equals+1, to)
		w.binding(i, parts, equals, end, sc, flake)
		if i = end; w.is(i, ";") {
			i++
		}
	}
}

// attrPath reads a.b."c".${d} = and gives the index of the equals sign, or -1.
func (w *walker) attrPath(i, to int) (parts []string, equals int) {
	for i < to && len(parts) < 30 {
		switch {
		case w.isKind(i, tokenName), w.isKind(i, tokenString), w.is(i, "inherit"), w.is(i, "rec"):
			parts = append(parts, w.text(i))
			i++
		case w.is(i, "${"):
			end := w.partner(i, to)
			if end >= to {
				return nil, -1
			}
			t := string(w.src[w.tokens[i].start:min(w.tokens[end].end, w.tokens[i].start+facts.MaxName)])
			parts = append(parts, lang.Collapse(strings.ToValidUTF8(t, "")))
			i = end + 1
		default:
			return nil, -1
		}
		switch {
		case i < to && w.is(i, "="):
			return parts, i
		case i < to && w.is(i, "."):
			i++
		default:
			return nil, -1
		}
	}
	return nil, -1
}

// valueEnd is the index of the semicolon that ends a value. Another equals sign
// shows that it was forgotten.
func (w *walker) valueEnd(from, to int) int {
	for i := from; i < to; i++ {
		switch {
		case w.is(i, ";"):
			return i
		case w.is(i, "="):
			k := i - 1
			for k > from && (w.is(k-1, ".") || w.is(k, ".")) {
				k--
			}
			return max(k, from)
		case w.is(i, "with"), w.is(i, "assert"):
			i = w.skipTo(i+1, to, ";")
		case (w.is(i, "(") || w.is(i, "[")) && w.tokens[i].partner < 0:
			// Left open: the next semicolon ends the value all the same.
		case w.opens(i) && !(w.is(i, "let") && w.is(i+1, "{")):
			i = w.partner(i, to)
		}
	}
	return to
}

// isFlake tells whether a set is the one of a flake.
func (w *walker) isFlake(from, to int) bool {
	for i := from; i < to; i++ {
		if w.isKind(i, tokenName) && (w.is(i+1, "=") || w.is(i+1, ".")) {
			if t := &w.tokens[i]; string(w.src[t.start:t.end]) == "outputs" && w.is(i+1, "=") {
				return true
			}
		}
		if w.opens(i) {
			i = w.partner(i, to)
		}
	}
	return false
}
