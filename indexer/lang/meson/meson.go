// Package meson outlines Meson: projects, targets and tests, options,
// variables, and the files, subdirectories and dependencies that they name. The
// language is calls and assignments, whose tokens a scanner reads; control flow
// is passed over, so that every branch counts.
package meson

import (
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxRefs    = 8000
	maxImports = 2000
	maxInit    = 120
	// maxDepth is how many brackets may stand around a call that counts; each
	// call looks at all that its own brackets hold.
	maxDepth = 8
)

var comments = lang.CommentStyle{Line: []string{"#"}}

// Language is the row of Meson.
func Language() *lang.Language {
	return &lang.Language{
		Name:      "meson",
		Version:   1,
		Filenames: []string{"meson.build", "meson_options.txt", "meson.options"},
		// No file has this extension by itself; a name such as x.meson.build
		// and templates have.
		Extensions: []string{".meson.build", ".meson"},
		Extract:    extract,
		Roles:      func(string) facts.Role { return facts.RoleBuild },
		Outline:    true,
	}
}

type reader struct {
	b                   *lang.Builder
	src                 []byte
	tokens              []token
	comments            []facts.Span
	left, refs, imports int
	seen                map[string]bool // variables
	imported            map[int]bool    // tokens, since calls nest
}

func extract(b *lang.Builder) {
	r := &reader{b: b, src: b.Source, left: maxSymbols, refs: maxRefs, imports: maxImports, seen: map[string]bool{}, imported: map[int]bool{}}
	r.tokens, r.comments = scan(b.Source)
	for _, d := range r.comments {
		b.MarkDoc(d)
	}
	text, attached := comments.Header(b.Source)
	if !attached || !r.isOption() {
		b.SetSummary(text)
	}
	statement := true
	for i := range r.tokens {
		switch t := &r.tokens[i]; {
		case t.kind == tokenNewline:
			statement = true
			continue
		case t.kind != tokenName:
		case statement && t.depth == 0 && r.is(i+1, "=") && !r.is(i+2, "="):
			r.variable(i)
		case t.depth < maxDepth && r.is(i+1, "(") && (i == 0 || !r.is(i-1, ".")):
			r.call(i)
		}
		statement = false
	}
}

// isOption tells whether the file starts with an option.
func (r *reader) isOption() bool {
	for i := range r.tokens {
		if r.tokens[i].kind == tokenName {
			return r.text(i) == "option"
		}
	}
	return false
}

func (r *reader) is(i int, char string) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].kind == tokenOther && r.src[r.tokens[i].start] == char[0]
}

// text is a name or a string without quotes.
func (r *reader) text(i int) string {
	t := &r.tokens[i]
	s := string(r.src[t.start:min(t.end, t.start+4000)])
	if t.kind == tokenString {
		if strings.HasPrefix(s, "'''") {
			return strings.ToValidUTF8(strings.TrimSuffix(strings.TrimPrefix(s, "'''"), "'''"), "")
		}
		s = strings.TrimSuffix(s[1:], "'")
		if strings.Contains(s, `\`) {
			s = strings.NewReplacer(`\'`, "'", `\\`, `\`, `\n`, " ").Replace(s)
		}
	}
	return strings.ToValidUTF8(s, "")
}

// end is the index of the last token of what the bracket at i opens, and the
// offset behind it; without a partner it ends with the statement.
func (r *reader) end(i int) (last, offset int) {
	if p := int(r.tokens[i].partner); p >= 0 {
		return p, r.tokens[p].end
	}
	depth := r.tokens[i].depth
	last = i
	for k := i + 1; k < len(r.tokens); k++ {
		if r.tokens[k].kind == tokenNewline || r.tokens[k].depth <= depth || k-i > 10_000 {
			break
		}
		last = k
	}
	return last, r.tokens[last].end
}

// arguments calls positional and named for the tokens that start the arguments
// of the call whose parenthesis is at i.
func (r *reader) arguments(i int, positional func(n, first, last int), named func(key string, first, last int)) {
	last, _ := r.end(i)
	if r.tokens[i].partner >= 0 {
		last--
	}
	depth := r.tokens[i].depth + 1
	first, n := i+1, 0
	for k := i + 1; k <= last+1; k++ {
		if k <= last && !(r.tokens[k].depth == depth && r.is(k, ",")) {
			continue
		}
		if first < k {
			if r.tokens[first].kind == tokenName && r.is(first+1, ":") && first+2 < k {
				if named != nil {
					named(r.text(first), first+2, k-1)
				}
			} else {
				if positional != nil {
					positional(n, first, k-1)
				}
				n++
			}
		}
		first = k + 1
	}
}

func (r *reader) call(i int) {
	switch name := r.text(i); name {
	case "project":
		r.project(i)
	case "executable", "library", "shared_library", "static_library", "both_libraries", "shared_module", "build_target", "jar":
		r.target(i)
		r.links(i)
		r.arguments(i+1, func(n, first, last int) {
			if n > 0 {
				r.files(first, last)
			}
		}, func(key string, first, last int) {
			if key == "sources" || key == "objects" {
				r.files(first, last)
			}
		})
	case "custom_target", "run_target", "alias_target", "vcs_tag", "configure_file":
		if name != "vcs_tag" && name != "configure_file" {
			r.target(i)
		}
		r.links(i)
		r.arguments(i+1, nil, func(key string, first, last int) {
			if key == "input" || key == "command" || key == "depend_files" {
				r.files(first, last)
			}
		})
	case "test", "benchmark":
		r.target(i)
		r.arguments(i+1, func(n, first, last int) {
			if n == 1 && first == last && r.tokens[first].kind == tokenName {
				r.reference(facts.RefRead, first)
			}
		}, nil)
	case "declare_dependency":
		r.links(i)
	case "option":
		r.option(i)
	case "files":
		r.arguments(i+1, func(_, first, last int) { r.files(first, last) }, nil)
	case "subdir":
		r.first(i, func(s string, k int) { r.importing(facts.Import{Module: relative(s)}, k) })
	case "subproject":
		r.first(i, func(s string, k int) { r.importing(facts.Import{Module: s}, k) })
	case "dependency":
		r.first(i, func(s string, k int) {
			imp := facts.Import{Module: s}
			r.arguments(i+1, nil, func(key string, first, last int) {
				if key == "modules" || key == "components" {
					for k := first; k <= last && len(imp.Names) < 50; k++ {
						if r.tokens[k].kind == tokenString {
							imp.Names = append(imp.Names, facts.ImportedName{Name: r.text(k)})
						}
					}
				}
			})
			r.importing(imp, k)
		})
	case "import":
		r.first(i, func(s string, k int) { r.importing(facts.Import{Module: s}, k) })
	case "find_program":
		r.first(i, func(s string, k int) {
			if f := relative(s); looksLikeFile(f) {
				r.importing(facts.Import{Module: f}, k)
			}
		})
	case "get_option":
		r.first(i, func(_ string, k int) { r.reference(facts.RefRead, k) })
	}
}

// first passes on the first argument where it is a string alone.
func (r *reader) first(i int, use func(s string, token int)) {
	r.arguments(i+1, func(n, first, last int) {
		if n == 0 && first == last && r.tokens[first].kind == tokenString {
			if s := r.text(first); s != "" && !strings.Contains(s, "@") {
				use(s, first)
			}
		}
	}, nil)
}

func (r *reader) project(i int) {
	r.first(i, func(s string, k int) {
		r.b.SetPackage(s)
		r.add(facts.Symbol{Kind: facts.KindModule, Name: s}, i, k)
	})
}

func (r *reader) target(i int) {
	r.first(i, func(s string, k int) {
		sym := facts.Symbol{Kind: facts.KindTarget, Name: s}
		r.arguments(i+1, nil, func(key string, first, last int) {
			if key == "description" && first == last {
				sym.Doc = r.text(first)
			}
		})
		r.add(sym, i, k)
	})
}

func (r *reader) option(i int) {
	r.first(i, func(s string, k int) {
		sym := facts.Symbol{Kind: facts.KindVariable, Name: s}
		r.arguments(i+1, nil, func(key string, first, last int) {
			value := strings.ToValidUTF8(string(r.src[r.tokens[first].start:r.tokens[last].end]), "")
			switch key {
			case "type":
				sym.Type = strings.Trim(value, "'")
			case "value":
				if len(value) <= maxInit {
					sym.Init = lang.Collapse(value)
				}
			case "description":
				sym.Doc = strings.ReplaceAll(strings.Trim(value, "'"), `\'`, "'")
			}
		})
		r.add(sym, i, k)
	})
}

// links adds the variables that a target is linked with.
func (r *reader) links(i int) {
	r.arguments(i+1, nil, func(key string, first, last int) {
		switch key {
		case "link_with", "dependencies", "link_whole", "depends", "objects":
		default:
			return
		}
		for k := first; k <= last; k++ {
			if r.tokens[k].kind == tokenName && !r.is(k+1, "(") && !r.is(k+1, ":") && !r.is(k-1, ".") {
				r.reference(facts.RefRead, k)
			}
		}
	})
}

// files adds the names of files among tokens, also inside brackets.
func (r *reader) files(first, last int) {
	for k := first; k <= last; k++ {
		if r.tokens[k].kind == tokenString && !r.tokens[k].format && (k == first || !r.is(k-1, "(") || k >= 2 && r.text(k-2) == "files") {
			if f := relative(r.text(k)); looksLikeFile(f) {
				r.importing(facts.Import{Module: f}, k)
			}
		}
	}
}

func relative(p string) string {
	if p == "" || p[0] == '.' || p[0] == '/' {
		return p
	}
	return "./" + p
}

var file = lazyregexp.New(`^\.[A-Za-z0-9_./+-]*\.[A-Za-z][A-Za-z0-9+]{0,8}$`)

func looksLikeFile(p string) bool { return file.MatchString(p) }

// variable reads the first assignment of a name at the start of a statement.
func (r *reader) variable(i int) {
	name := r.text(i)
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	last := i + 1
	for k := i + 2; k < len(r.tokens) && r.tokens[k].kind != tokenNewline; k++ {
		last = k
		if p := int(r.tokens[k].partner); p > k {
			k, last = p, p
		}
		if k-i > 20_000 {
			break
		}
	}
	s := facts.Symbol{Kind: facts.KindVariable, Name: name}
	if from, to := r.tokens[i+1].end, r.tokens[last].end; to-from <= maxInit {
		s.Init = lang.Collapse(string(r.src[from:to]))
	}
	r.put(s, i, i, r.tokens[last].end)
}

func (r *reader) add(s facts.Symbol, i, name int) {
	_, end := r.end(i + 1)
	r.put(s, i, name, end)
}

// put adds a symbol that starts with the token i and is named by another.
func (r *reader) put(s facts.Symbol, i, name, end int) {
	if r.left == 0 {
		return
	}
	r.left--
	start, n := r.tokens[i].start, &r.tokens[name]
	s.Span = facts.Span{Start: uint32(start), End: uint32(end)}
	s.NameSpan = facts.Span{Start: uint32(n.start), End: uint32(n.end)}
	s.Signature = r.code(start, end)
	if s.Doc == "" {
		s.Doc = comments.Above(r.src, start)
	}
	if int(s.NameSpan.End) <= end {
		r.b.Symbol(s)
	}
}

// code is the beginning of a range without its comments.
func (r *reader) code(start, end int) string {
	var b strings.Builder
	k := sort.Search(len(r.comments), func(k int) bool { return int(r.comments[k].Start) >= start })
	for start < end && b.Len() < 2*facts.MaxSignature {
		stop := end
		if k < len(r.comments) {
			stop = min(end, int(r.comments[k].Start))
		}
		b.Write(r.src[start:max(start, min(stop, start+2*facts.MaxSignature))])
		if k == len(r.comments) {
			break
		}
		start = int(r.comments[k].End)
		k++
	}
	return strings.ToValidUTF8(b.String(), "")
}

func (r *reader) reference(kind facts.RefKind, i int) {
	if r.refs > 0 {
		r.refs--
		start := r.tokens[i].start
		if r.tokens[i].kind == tokenString {
			start++
		}
		r.b.Reference(kind, r.text(i), "", uint32(start))
	}
}

func (r *reader) importing(i facts.Import, token int) {
	if r.imports > 0 && !r.imported[token] {
		r.imports--
		r.imported[token] = true
		r.b.Import(i, uint32(r.tokens[token].start))
	}
}
