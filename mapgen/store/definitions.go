package store

import (
	"encoding/binary"
	"sort"
	"strings"
)

// namesLike lists the numbers of the names that equal one, when case is ignored
// for folded.
func (c *Catalog) namesLike(name string, folded bool) []int {
	n := c.NumNames()
	if !folded {
		i := sort.Search(n, func(i int) bool { return c.Name(i) >= name })
		if i == n || c.Name(i) != name {
			return nil
		}
		return []int{i}
	}
	want := strings.ToLower(name)
	order := c.sec[secFolded]
	n = min(len(order)/4, n)
	at := func(i int) int {
		return min(int(binary.LittleEndian.Uint32(order[4*i:])), c.NumNames()-1)
	}
	var out []int
	i := sort.Search(n, func(i int) bool { return strings.ToLower(c.Name(at(i))) >= want })
	for ; i < n && strings.ToLower(c.Name(at(i))) == want; i++ {
		out = append(out, at(i))
	}
	return out
}

// symbolsOfName lists the numbers of the symbols of a name by document and place.
func (c *Catalog) symbolsOfName(name int) []int {
	r := record(c.sec[secNames][name*nameSize:])
	first, count := int(r.u32(nameFirst)), int(r.u32(nameCount))
	refs := c.sec[secNameRefs]
	if first+count > len(refs)/4 {
		return nil
	}
	out := make([]int, 0, count)
	for k := range count {
		if s := int(binary.LittleEndian.Uint32(refs[4*(first+k):])); s < c.NumSymbols() {
			out = append(out, s)
		}
	}
	return out
}

// SymbolsNamed lists the definitions of an exact name by document and place.
func (c *Catalog) SymbolsNamed(name string) []Symbol { return c.symbolsLike(name, false) }

// SymbolsFolded lists the definitions whose name equals name when case is
// ignored, exact ones included.
func (c *Catalog) SymbolsFolded(name string) []Symbol { return c.symbolsLike(name, true) }

func (c *Catalog) symbolsLike(name string, folded bool) []Symbol {
	var out []Symbol
	for _, n := range c.namesLike(name, folded) {
		for _, s := range c.symbolsOfName(n) {
			out = append(out, c.Symbol(s))
		}
	}
	return out
}

// DefinitionsNamed lists where the definitions of a name are, by document and
// place; folded ignores case.
func (c *Catalog) DefinitionsNamed(name string, folded bool) []Definition {
	var out []Definition
	for _, n := range c.namesLike(name, folded) {
		for _, s := range c.symbolsOfName(n) {
			out = append(out, c.definition(s))
		}
	}
	return out
}

// definition finds the document of a symbol and its place there.
func (c *Catalog) definition(symbol int) Definition {
	doc := min(int(record(c.sec[secSymbols][symbol*symbolSize:]).u32(symDoc)), c.NumDocs()-1)
	first, _ := c.symbolRange(doc)
	return Definition{doc, max(symbol-first, 0)}
}

// SymbolOf is the symbol of a definition; ok is false for one that the catalog
// does not hold.
func (c *Catalog) SymbolOf(d Definition) (s Symbol, ok bool) {
	if d.Doc < 0 || d.Doc >= c.NumDocs() || d.Symbol < 0 {
		return Symbol{}, false
	}
	first, last := c.symbolRange(d.Doc)
	if d.Symbol >= last-first {
		return Symbol{}, false
	}
	return c.Symbol(first + d.Symbol), true
}
