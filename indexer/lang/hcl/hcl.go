// Package hcl outlines HCL: Terraform and OpenTofu, Packer, Nomad, Terragrunt,
// bake files and other configurations in it. Blocks, their labels and
// attributes are found by an own scanner of the structural language, which
// finds its way again at the next block of the file where a text is damaged.
package hcl

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	maxSymbols = 2000
	maxRefs    = 10_000
	maxImports = 1000
	maxInit    = 120
	// maxDepth is how deep blocks are read.
	maxDepth = 12
)

var comments = lang.CommentStyle{Line: []string{"#", "//"}, Block: true}

// Language is the row of HCL.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "hcl",
		Version:    1,
		Extensions: []string{".tf", ".tfvars", ".hcl", ".tofu", ".nomad", ".tfbackend", ".tfquery", ".hcl2"},
		Filenames:  []string{".terraformrc", "terraform.rc", ".terraform.lock.hcl"},
		Extract:    extract,
		Roles:      rolesOf,
		Outline:    true,
		Code:       true,
	}
}

func rolesOf(p string) (r facts.Role) {
	base := strings.ToLower(p[strings.LastIndexByte(p, '/')+1:])
	has := func(ends ...string) bool {
		for _, e := range ends {
			if strings.HasSuffix(base, e) {
				return true
			}
		}
		return false
	}
	switch {
	case base == ".terraform.lock.hcl":
		return facts.RoleGenerated
	case has(".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tofumock.hcl", "_test.tf"):
		r = facts.RoleTest
	case strings.HasPrefix(base, "docker-bake") || has(".pkr.hcl", ".pkrvars.hcl"):
		r = facts.RoleBuild
	}
	return r
}

type reader struct {
	b                   *lang.Builder
	src                 []byte
	tokens              []token
	left, refs, imports int
	// locals are names that loops and dynamic blocks bind.
	locals map[string]bool
	// plain are variables and functions of bake files, which are used by their
	// bare names.
	plain map[string]bool
}

// item is an attribute or a block.
type item struct {
	first, last int // tokens
	block       bool
	name        string
	labels      []int // tokens
	open        int   // token of the brace
	// from and to are the tokens of the value or of the body.
	from, to int
	// end is the offset behind the item.
	end int
}

func extract(b *lang.Builder) {
	s := &scanner{src: b.Source}
	s.scan()
	r := &reader{
		b: b, src: b.Source, tokens: s.tokens, left: maxSymbols, refs: maxRefs, imports: maxImports,
		locals: map[string]bool{}, plain: map[string]bool{},
	}
	for _, d := range s.docs {
		b.MarkDoc(d)
	}
	if text, attached := comments.Header(b.Source); !attached {
		b.SetSummary(text)
	}
	r.bound()
	top := r.items(0, len(r.tokens))
	bake := false
	for _, it := range top {
		bake = bake || it.block && (it.name == "target" || it.name == "group" || it.name == "function") && len(it.labels) == 1
	}
	if bake {
		for _, it := range top {
			if it.block && (it.name == "variable" || it.name == "function") && len(it.labels) == 1 {
				r.plain[r.text(it.labels[0])] = true
			}
		}
	}
	// Terraform has no attributes at the level of the file: they come out of a
	// block that a stray brace ended.
	blocksOnly := b.Extension == ".tf" || b.Extension == ".tofu"
	for i := range top {
		if top[i].block || !blocksOnly {
			r.top(&top[i])
		}
	}
}

func (r *reader) is(i int, char byte) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].kind == tokenOther && r.src[r.tokens[i].start] == char
}

// text is a name, or a string without quotes.
func (r *reader) text(i int) string {
	t := &r.tokens[i]
	s := strings.ToValidUTF8(string(r.src[t.start:min(t.end, t.start+4000)]), "")
	if t.kind != tokenString {
		return s
	}
	if strings.HasPrefix(s, "<<") {
		_, s, _ = strings.Cut(s, "\n")
		if k := strings.LastIndexByte(s, '\n'); k >= 0 {
			s = s[:k]
		}
		return strings.TrimSpace(s)
	}
	s = strings.TrimSuffix(s[1:], `"`)
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, " ").Replace(s)
	}
	return s
}

// items are the attributes and blocks among tokens; what is neither is passed
// over.
func (r *reader) items(from, to int) []item {
	var out []item
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.template > 0 || t.kind == tokenNewline {
			continue
		}
		if t.kind != tokenName && t.kind != tokenString {
			if p := int(t.partner); p > i {
				i = p
			}
			continue
		}
		it := item{first: i, last: i, name: r.text(i)}
		k := r.next(i)
		for k < to && (r.tokens[k].kind == tokenString || r.tokens[k].kind == tokenName) && len(it.labels) < 10 {
			it.labels = append(it.labels, k)
			k = r.next(k)
		}
		switch {
		case k < to && len(it.labels) == 0 && (r.is(k, '=') && !r.is(k+1, '=') || r.is(k, ':')):
			it.from = k + 1
			it.to = r.valueEnd(k+1, to)
			it.last = max(k, it.to-1)
			it.end = r.endOf(k, it.to)
			out = append(out, it)
			i = it.last
		case k < to && r.is(k, '{') && t.kind == tokenName:
			it.block, it.open = true, k
			it.from, it.to = k+1, r.blockEnd(k, to)
			it.last = max(k, it.to-1)
			if it.to < to && int(r.tokens[k].partner) == it.to {
				it.last = it.to
			}
			it.end = r.endOf(k, it.last+1)
			out = append(out, it)
			i = it.last
		default:
			// Damage, or an expression: go on behind its line.
			for i+1 < to && r.tokens[i+1].kind != tokenNewline {
				i++
			}
		}
	}
	return out
}

// endOf is the offset behind the last of some tokens. The tokens of what a
// string interpolates stand behind it and end before it.
func (r *reader) endOf(from, to int) int {
	for k := to - 1; k > from; k-- {
		if r.tokens[k].template == 0 && r.tokens[k].kind != tokenNewline {
			return max(r.tokens[k].end, r.tokens[from].end)
		}
	}
	return r.tokens[from].end
}

// next is the token behind one, with what a string interpolates passed over.
func (r *reader) next(i int) int {
	level := r.tokens[i].template
	for i++; i < len(r.tokens) && r.tokens[i].template > level; i++ {
	}
	return i
}

// valueEnd is the index behind the last token of a value: at the end of its
// line, where no bracket is open.
func (r *reader) valueEnd(from, to int) int {
	i := from
	for i < to {
		t := &r.tokens[i]
		if t.template == 0 && (t.kind == tokenNewline || r.is(i, ',') || r.is(i, '}')) {
			break
		}
		if p := int(t.partner); p > i {
			i = p
		} else if t.template == 0 && p < 0 && (r.is(i, '(') || r.is(i, '[') || r.is(i, '{')) {
			// Left open: it reaches to the end of its line only, so that what
			// follows is found.
			for i+1 < to && r.tokens[i+1].kind != tokenNewline {
				i++
			}
		}
		i++
	}
	return i
}

// blockEnd is the index behind the last token of a block's body. One that is
// left open reaches to the next block of the level of the file.
func (r *reader) blockEnd(open, to int) int {
	if p := int(r.tokens[open].partner); p >= 0 {
		return min(p, to)
	}
	for i := open + 1; i < to; i++ {
		t := &r.tokens[i]
		if t.kind == tokenNewline && t.template == 0 && i+1 < to && resumes(r.src[r.tokens[i+1].start:]) &&
			r.tokens[i+1].start == t.end {
			return i
		}
		if p := int(t.partner); p > i {
			i = p
		}
	}
	return to
}

// bound collects the names that for expressions and dynamic blocks bind.
func (r *reader) bound() {
	for i := range r.tokens {
		if r.tokens[i].kind != tokenName {
			continue
		}
		switch r.word(i) {
		case "for":
			for k := i + 1; k < len(r.tokens) && k < i+4; k++ {
				if r.tokens[k].kind == tokenName && r.word(k) != "in" {
					r.locals[r.word(k)] = true
				}
			}
		case "dynamic":
			if k := i + 1; k < len(r.tokens) && r.tokens[k].kind == tokenString {
				r.locals[r.text(k)] = true
			}
		case "iterator":
			if r.is(i+1, '=') && i+2 < len(r.tokens) && r.tokens[i+2].kind == tokenName {
				r.locals[r.word(i+2)] = true
			}
		}
	}
}

// word is a name as written; long ones are cut.
func (r *reader) word(i int) string {
	t := &r.tokens[i]
	return string(r.src[t.start:min(t.end, t.start+500)])
}
