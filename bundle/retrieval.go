package bundle

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/bundle/pack"
)

// SourceRetrieval is the source type of what a query found. It has no strategy
// of its own.
const SourceRetrieval pack.SourceType = "retrieval"

// Retrieval gives what the bundle found as entries of an agent's session, oldest
// first: the text of the maps and indexes is memory of the project (L3), the
// likely files, the symbols and what is to be known about them belong to the
// stage (L1). Of the memory the weakest comes first, since that leaves first;
// pages that read fails for are left out.
func (b *Bundle) Retrieval(read func(path string) ([]byte, error)) (memory, found []pack.ContextEntry) {
	s := b.selection
	add := func(path string) {
		if text, err := read(path); err == nil && len(text) > 0 {
			memory = append(memory, pack.ContextEntry{
				Layer: pack.L3, Content: strings.ToValidUTF8(string(text), "\uFFFD"), SourceType: pack.Artifact, SourceID: path,
			})
		}
	}
	for i := len(s.maps) - 1; i >= 0; i-- {
		add(s.maps[i].path)
	}
	order := byImportance(s.indexes)
	slices.Reverse(order)
	for _, i := range order {
		add(s.indexes[i].path)
	}
	section := func(source string, lines []string) {
		if len(lines) > 0 {
			found = append(found, pack.ContextEntry{Layer: pack.L1, Content: strings.Join(lines, "\n") + "\n", SourceType: SourceRetrieval, SourceID: source})
		}
	}
	section("reading notes", prefixed(b.instructions))
	var symbols, files []string
	for i := range s.symbols {
		if b.plan.has(classSymbol, i) {
			symbols = append(symbols, b.plan.kept[classSymbol][i])
		}
	}
	for i := range s.files {
		if b.plan.has(classFile, i) {
			files = append(files, b.plan.kept[classFile][i]+b.plan.kept[classFileNote][i])
		}
	}
	section("relevant symbols", symbols)
	section("likely files", files)
	return memory, found
}

func prefixed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "- " + l
	}
	return out
}
