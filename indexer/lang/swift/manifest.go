package swift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// targetCalls describe, in the manifest of a package, what can be built.
var targetCalls = map[string]bool{
	"target": true, "executableTarget": true, "testTarget": true, "macro": true, "plugin": true,
	"systemLibrary": true, "systemLibraryTarget": true, "binaryTarget": true,
}

// target adds what a call in a manifest, the name of which stands at an index,
// says: a target, or the name of the package.
func (w *walker) target(i int) {
	open := i + 1
	if !w.is(open, "(") || !w.is(open+1, "name") || !w.is(open+2, ":") || w.tok(open+3).kind != tString {
		return
	}
	text := w.tok(open + 3)
	name := strings.Trim(text.text, `#"`)
	if w.is(i, "Package") {
		w.b.SetPackage(name)
		return
	}
	up := int(w.tok(i).up)
	if !w.is(i-1, ".") || !targetCalls[w.tok(i).text] || w.is(up, "[") && w.is(up-1, ":") && w.is(up-2, "dependencies") {
		return
	}
	quote := uint32(strings.Index(text.text, name))
	w.b.Symbol(facts.Symbol{
		Name: name, Kind: facts.KindTarget, Span: w.span(i, w.closeOf(open)+1),
		NameSpan:  facts.Span{Start: text.start + quote, End: text.start + quote + uint32(len(name))},
		Signature: w.tok(i).text + " " + name,
	})
}
