package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/scip"
)

// Reasons for which parts of an index are refused.
const (
	refusedPath    = "no file of the revision"
	refusedOutside = "path leads out of the repository"
	refusedRange   = "range outside the file"
	refusedName    = "the text there is not the symbol's name"
	refusedSymbol  = "no valid symbol"
)

// sampled is how many documents decide which directory paths are relative to.
const sampled = 40

// maxProse bounds what is kept of a signature and of documentation, in bytes.
const maxProse = 2000

// scip reads an index, one document at a time.
func (b *builder) scip(ctx context.Context, q *Request, files *sources) error {
	f, err := q.open()
	if err != nil {
		return fmt.Errorf("import %s: %w", q.Path, err)
	}
	defer f.Close()
	r, err := scip.NewReader(q.Path, f, scip.DefaultLimits)
	if err != nil {
		return err
	}
	meta := r.Metadata()
	b.set.Sources[b.source].Tool = strings.TrimSpace(meta.Tool + " " + meta.Version)
	candidates := append(slices.Clone(q.Prefixes), files.below(meta.ProjectRoot)...)
	if !slices.Contains(candidates, "") {
		candidates = append(candidates, "")
	}
	// The first documents decide what paths are relative to.
	var waiting []*scip.Document
	prefix, decided := "", false
	decide := func() {
		paths := make([]string, len(waiting))
		for i, d := range waiting {
			paths[i] = d.Path
		}
		prefix, decided = files.prefixOf(candidates, paths), true
		for _, d := range waiting {
			b.document(d, prefix, files)
		}
		waiting = nil
	}
	for d, err := range r.Documents() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if decided {
			b.document(d, prefix, files)
			continue
		}
		if waiting = append(waiting, d); len(waiting) == sampled {
			decide()
		}
	}
	if !decided {
		decide()
	}
	n, samples := r.Refused()
	b.refuse(refusedOutside, strings.Join(samples[:min(1, len(samples))], ""), n)
	return nil
}

// document takes over what an index says of one file.
func (b *builder) document(d *scip.Document, prefix string, files *sources) {
	path := joined(prefix, d.Path)
	blob, text, ok := files.read(path)
	if !ok {
		b.refuse(refusedPath, path, max(1, len(d.Occurrences)))
		return
	}
	d.Convert(text)
	b.refuse(refusedRange, path, d.Dropped)
	out := evidence.File{Path: path, Blob: blob, Source: b.source}
	names := aliases{text: text}
	for _, o := range d.Occurrences {
		start, end := d.Span(o.Range)
		for _, x := range o.Diagnostics {
			out.Findings = append(out.Findings, diagnostic(x, o.Range))
		}
		if o.Symbol == "" || scip.IsLocal(o.Symbol) || start >= end {
			continue
		}
		symbol, err := scip.ParseSymbol(o.Symbol)
		if err != nil || len(symbol.Descriptors) == 0 {
			b.refuse(refusedSymbol, o.Symbol, 1)
			continue
		}
		last := symbol.Descriptors[len(symbol.Descriptors)-1]
		if last.Suffix == scip.SuffixNamespace || last.Suffix == scip.SuffixParameter || last.Suffix == scip.SuffixTypeParameter {
			continue
		}
		// Quotes and a leading # are part of some ranges and not of others.
		for start < end && strings.IndexByte("\"'`#@", text[start]) >= 0 {
			start++
		}
		for end > start && strings.IndexByte("\"'`", text[end-1]) >= 0 {
			end--
		}
		if nameless(string(text[start:end]), last) {
			continue
		}
		if !names.fits(string(text[start:end]), symbol) {
			b.refuse(refusedName, fmt.Sprintf("%s:%d", path, o.Range.Start.Line+1), 1)
			continue
		}
		out.Occurrences = append(out.Occurrences, evidence.Occurrence{
			Start: uint32(start), End: uint32(end), Line: uint32(o.Range.Start.Line + 1), Symbol: b.symbol(o.Symbol, symbol),
			Definition: o.Roles.Has(scip.RoleDefinition), Import: o.Roles.Has(scip.RoleImport),
			Call: bytes.HasPrefix(bytes.TrimLeft(text[end:], " \t"), []byte("(")),
		})
	}
	slices.SortFunc(out.Occurrences, func(x, y evidence.Occurrence) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.Symbol, y.Symbol))
	})
	out.Occurrences = slices.CompactFunc(out.Occurrences, func(x, y evidence.Occurrence) bool {
		return x.Start == y.Start && x.Symbol == y.Symbol && x.Definition == y.Definition
	})
	for i := range d.Symbols {
		b.describe(&d.Symbols[i])
	}
	src := &b.set.Sources[b.source]
	src.Accepted += len(out.Occurrences) + len(out.Findings)
	b.set.Files = append(b.set.Files, out)
}

// symbol numbers a symbol.
func (b *builder) symbol(id string, s scip.Symbol) int32 {
	n, ok := b.numbers[id]
	if !ok {
		n = int32(len(b.set.Symbols))
		b.numbers[id] = n
		x := evidence.Symbol{ID: id}
		last := s.Descriptors[len(s.Descriptors)-1]
		x.Name, x.Kind = strings.TrimPrefix(strings.TrimPrefix(last.Name, "<get>"), "<set>"), kindOf(last)
		if k := len(s.Descriptors) - 2; k >= 0 && s.Descriptors[k].Suffix == scip.SuffixType {
			x.Container = s.Descriptors[k].Name
		}
		b.set.Symbols = append(b.set.Symbols, x)
	}
	return n
}

// kindOf is what the form of a symbol tells.
func kindOf(d scip.Descriptor) facts.Kind {
	switch d.Suffix {
	case scip.SuffixType:
		return facts.KindClass
	case scip.SuffixMethod:
		return facts.KindMethod
	case scip.SuffixTerm:
		return facts.KindVariable
	case scip.SuffixMacro:
		return facts.KindMacro
	}
	return facts.KindUnknown
}

// describe takes over what an index says of a symbol.
func (b *builder) describe(s *scip.SymbolInfo) {
	if scip.IsLocal(s.Symbol) {
		return
	}
	parsed, err := scip.ParseSymbol(s.Symbol)
	if err != nil || len(parsed.Descriptors) == 0 {
		return
	}
	n := b.symbol(s.Symbol, parsed)
	var to []int32
	for _, r := range s.Relationships {
		if !r.Implementation || scip.IsLocal(r.Symbol) {
			continue
		}
		if p, err := scip.ParseSymbol(r.Symbol); err == nil && len(p.Descriptors) > 0 {
			to = append(to, b.symbol(r.Symbol, p))
		}
	}
	x := &b.set.Symbols[n]
	if s.Kind != facts.KindUnknown {
		x.Kind = s.Kind
	}
	x.Signature, x.Doc = cut(s.Signature), cut(strings.Join(s.Documentation, "\n\n"))
	slices.Sort(to)
	x.Implements = slices.Compact(to)
}

// cut shortens prose at a character border.
func cut(s string) string {
	if len(s) <= maxProse {
		return s
	}
	return strings.ToValidUTF8(s[:maxProse], "") + "…"
}

func diagnostic(d scip.Diagnostic, r scip.Range) evidence.Finding {
	level := "warning"
	switch d.Severity {
	case scip.SeverityError:
		level = "error"
	case scip.SeverityInformation, scip.SeverityHint:
		level = "note"
	}
	return evidence.Finding{
		Line: uint32(r.Start.Line + 1), EndLine: uint32(r.End.Line + 1), Level: level,
		Tool: d.Source, Rule: d.Code, Message: cut(d.Message),
	}
}

// nameless tells the symbols that stand for no definition with a name of its own:
// modules as a whole, and the properties of object literals, which a tool numbers.
func nameless(text string, d scip.Descriptor) bool {
	if d.Suffix != scip.SuffixMeta {
		return false
	}
	rest, ok := strings.CutPrefix(d.Name, text)
	return d.Name == "__init__" || ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// aliases knows by which other names a file calls what it imports.
type aliases struct {
	text  []byte
	known map[string]bool
	// defaults are the names that the file gives to what modules export by
	// default, which has no name of its own there.
	defaults map[string]bool
}

// defaultImport matches the name of a default import of JavaScript.
var defaultImport = lazyregexp.New(`\bimport\s+(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:,\s*[{*][^;'"]*)?\s*from\b`)

func (a *aliases) isDefault(text string) bool {
	if a.defaults == nil {
		a.defaults = map[string]bool{}
		for _, m := range defaultImport.FindAllSubmatch(a.text, -1) {
			a.defaults[string(m[1])] = true
		}
	}
	return a.defaults[text]
}

// fits tells whether a text is a name of a symbol: its own; that of the type
// whose constructor it is; or another one that the file gives it where it imports
// it.
func (a *aliases) fits(text string, s scip.Symbol) bool {
	last := s.Descriptors[len(s.Descriptors)-1]
	// The accessors of a property are called <get>name and <set>name.
	last.Name = strings.TrimPrefix(strings.TrimPrefix(last.Name, "<get>"), "<set>")
	if text == last.Name || text == strings.Trim(last.Name, "<>") {
		return true
	}
	if k := len(s.Descriptors) - 2; k >= 0 {
		switch last.Name {
		case "__init__", "__new__", "<constructor>", "constructor", "<init>", ".ctor", "new", "initialize":
			if text == s.Descriptors[k].Name {
				return true
			}
		}
		// A member of what a default export or a module stands for.
		if last.Suffix == scip.SuffixMeta && text == s.Descriptors[k].Name {
			return true
		}
	}
	return a.renames(last.Name, text) || a.isDefault(text)
}

// renames tells whether a file says "name as text" or "name: text" somewhere, the
// ways in which imports, exports and patterns give a thing another name.
func (a *aliases) renames(name, text string) bool {
	key := name + "\x00" + text
	if v, ok := a.known[key]; ok {
		return v
	}
	if a.known == nil {
		a.known = map[string]bool{}
	}
	found := false
	for rest := a.text; !found; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			break
		}
		rest = rest[i+len(name):]
		next := bytes.TrimLeft(rest, " \t\r\n")
		for _, word := range []string{"as", ":", "=>", "="} {
			if t, ok := bytes.CutPrefix(next, []byte(word)); ok {
				t = bytes.TrimLeft(t, " \t\r\n")
				found = found || bytes.HasPrefix(t, []byte(text)) && !continues(t[len(text):])
			}
		}
	}
	if !found && (name == "default" || name == "export=") {
		// import text from "module"; require
		found = true
	}
	a.known[key] = found
	return found
}

// continues tells whether an identifier goes on.
func continues(rest []byte) bool {
	if len(rest) == 0 {
		return false
	}
	c := rest[0]
	return c == '_' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
