// Package extract turns the bytes of a blob into facts.
//
// What is the same for every language stands here: decoding to UTF-8, the
// decision how deep to read, masking of secrets, parsing, recovery around
// damage and the counting of words. A language only walks the tree.
package extract

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/secrets"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/indexer/syntax"
)

// Version counts changes of what happens to every language: here and in the
// packages syntax, secrets, words and roles (headers, minified text).
const Version = 6

// Limits bound how much of a blob is read, in bytes. They are part of the
// recipe.
type Limits struct {
	// Read is the size over which a blob is only listed.
	Read int64
	// Parse is the size over which a text is not parsed but read for words.
	Parse int64
	// Words is how much of a text that is not parsed is read for words.
	Words int
}

// DefaultLimits keep two files of 15 MB of minified code from costing more
// than the rest of a repository.
var DefaultLimits = Limits{Read: 4 << 20, Parse: 1 << 20, Words: 400_000}

// Plan is how a blob is to be read, decided before its bytes are known.
type Plan struct {
	// Language is the row of the file name, nil when it tells nothing.
	Language *lang.Language
	// Extension is the lower-case extension with its dot.
	Extension string
	// Shallow is the reason to read words only (vendored, generated), or "".
	Shallow facts.Reason
	// Binary is set where the attributes say so: the blob is only listed.
	Binary bool
}

// Recipe is the digest of everything but the bytes that decides the facts of a
// blob. Equal recipe and blob give equal facts.
func Recipe(t *lang.Table, p Plan, l Limits) [32]byte {
	b := fmt.Appendf(nil, "project-map recipe %d codec %d extension %q shallow %q binary %t limits %d %d %d",
		Version, facts.CodecVersion, p.Extension, p.Shallow, p.Binary, l.Read, l.Parse, l.Words)
	languages := []*lang.Language{p.Language}
	if p.Language == nil {
		languages = t.All() // the content may choose any of them
	}
	for _, l := range languages {
		for _, name := range l.Readers {
			if r := t.ByName(name); r != nil {
				b = fmt.Appendf(b, " reader %q version %d", r.Name, r.Version)
			}
		}
		b = fmt.Appendf(b, " language %q version %d", l.Name, l.Version)
	}
	return sha256.Sum256(b)
}

// Extractor extracts facts, one blob at a time; every worker has its own.
type Extractor struct {
	table  *lang.Table
	limits Limits
	words  *counter
	kinds  map[*lang.Language]*leafSets
}

type leafSets struct{ comments, strings, imports syntax.KindSet }

// New makes an Extractor over a table of languages, which may be shared.
func New(table *lang.Table, limits Limits) *Extractor {
	return &Extractor{table: table, limits: limits, words: newCounter(), kinds: map[*lang.Language]*leafSets{}}
}

// Listed is the facts of a blob that is not read, without its language.
func Listed(reason facts.Reason, size int64) *facts.File {
	return &facts.File{Depth: facts.Listed, Reason: reason, Size: uint32(min(size, 1<<32-1))}
}

// Extract reads a blob. It never fails: what cannot be read deeper is read less
// deep, with its reason.
func (x *Extractor) Extract(blob []byte, plan Plan) *facts.File {
	size := int64(len(blob))
	listed := func(r facts.Reason) *facts.File {
		f := Listed(r, size)
		if plan.Language != nil {
			plan.Language.Describe(f)
		}
		return f
	}
	switch {
	case plan.Binary:
		return listed(facts.ReasonBinary)
	case size > x.limits.Read:
		return listed(facts.ReasonOversized)
	case bytes.HasPrefix(blob, []byte("version https://git-lfs.github.com/spec/")) && size < 1024:
		return listed(facts.ReasonLFSPointer)
	}
	text, converted, ok := decode(blob)
	if !ok {
		return listed(facts.ReasonBinary)
	}
	var traits facts.Traits
	if converted {
		traits |= facts.Decoded
	}
	text, masked := secrets.Mask(text)
	if masked {
		traits |= facts.Masked
	}
	l, name := plan.Language, ""
	if l == nil {
		l, name = x.table.ByContent(text, plan.Extension)
	}
	if l != nil && l.Reader != nil {
		if r := x.table.ByName(l.Reader(text, plan.Extension)); r != nil {
			l = r
		}
	}
	traits |= roles.Headers(text)
	reason := plan.Shallow
	switch {
	case reason != "":
	case traits&facts.GeneratedHeader != 0:
		reason = facts.ReasonGenerated
	case l != nil && !l.Prose && roles.Minified(text, plan.Extension):
		reason = facts.ReasonMinified
	case l == nil:
		reason = facts.ReasonNoExtractor
	case size > x.limits.Parse && x.readable(text, l, plan.Extension) > x.limits.Parse:
		reason = facts.ReasonOversized
	}
	var f *facts.File
	if reason == "" {
		f, reason = x.parsed(text, l, plan.Extension)
	}
	if f == nil {
		f = x.wordsOnly(text, l, plan.Extension)
		f.Reason = reason
		if reason == facts.ReasonGenerated && x.hasOutline(text, l, plan.Extension) {
			x.outline(f, text, l, plan.Extension)
		}
	}
	if l != nil {
		name = l.Name
	}
	x.table.Describe(f, name)
	f.Traits |= traits
	f.Size = uint32(size)
	return f
}

// reading is a parsed text: its facts without words, and what these are counted
// by.
type reading struct {
	file    *facts.File
	docs    []facts.Span
	tree    *syntax.Tree // nil for a language without a grammar
	parts   []part
	inParts []facts.Span
}

// read parses a text. It is not ok when the parser refuses the text.
func (x *Extractor) read(text []byte, l *lang.Language, ext string) (r reading, ok bool) {
	b := lang.NewBuilder(text, ext)
	r.parts, r.inParts = x.parts(text, l, ext)
	if g := x.table.GrammarOf(l); g != nil {
		var err error
		if r.tree, err = walk(b, g, l, x.leaves(l)); err != nil {
			return r, false
		}
	} else {
		l.Extract(b)
	}
	x.extractParts(b, r.parts)
	r.docs = b.DocSpans()
	r.file = b.Finish()
	return r, true
}

// parsed gives no facts but a reason when the parser refuses the text.
func (x *Extractor) parsed(text []byte, l *lang.Language, ext string) (*facts.File, facts.Reason) {
	r, ok := x.read(text, l, ext)
	if !ok {
		return nil, facts.ReasonParserLimit
	}
	f := r.file
	f.Depth = facts.Parsed
	x.words.begin(f, r.docs)
	switch {
	case r.tree != nil:
		x.words.tree(r.tree, x.leaves(l))
	case len(r.inParts) > 0:
		x.words.text(0, without(text, r.inParts), fieldOf(l))
	default:
		x.words.text(0, text, fieldOf(l))
	}
	x.countParts(f, r.docs, r.parts)
	x.words.finish(f)
	return f, ""
}

// hasOutline tells whether the definitions of a generated text are worth
// knowing: references of other files lead there. They do not lead into data, and
// seldom into what was made to be small.
func (x *Extractor) hasOutline(text []byte, l *lang.Language, ext string) bool {
	return l != nil && l.Nature() == facts.Code && x.readable(text, l, ext) <= x.limits.Parse && !roles.Minified(text, ext)
}

// outline adds what references are resolved by to the facts of a text that was
// read for words. The rest stays as it is: the text says nothing of its own about
// itself, and nobody mends its damage.
func (x *Extractor) outline(f *facts.File, text []byte, l *lang.Language, ext string) {
	r, ok := x.read(text, l, ext)
	if !ok {
		return
	}
	o := r.file
	f.Package, f.Symbols, f.Imports, f.Exports = o.Package, o.Symbols, o.Imports, o.Exports
	f.Refs, f.Scopes, f.Bindings = o.Refs, o.Scopes, o.Bindings
}

func (x *Extractor) wordsOnly(text []byte, l *lang.Language, ext string) *facts.File {
	f := &facts.File{Depth: facts.Words, Lines: lang.NewBuilder(text, ext).LineCount()}
	if len(text) > x.limits.Words {
		cut := x.limits.Words
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text = text[:cut]
		f.Traits |= facts.Truncated
	}
	x.words.begin(f, nil)
	x.words.text(0, text, fieldOf(l))
	x.words.finish(f)
	return f
}

func (x *Extractor) leaves(l *lang.Language) *leafSets {
	s := x.kinds[l]
	if s == nil {
		g := x.table.GrammarOf(l)
		s = &leafSets{
			comments: g.Kinds(l.Leaves.Comments...),
			strings:  g.Kinds(l.Leaves.Strings...),
			imports:  g.Kinds(l.Leaves.Imports...),
		}
		x.kinds[l] = s
	}
	return s
}
