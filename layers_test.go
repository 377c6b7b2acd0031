// Package projectmap_test holds the tests of the repository as a whole: which
// package may import which, and that the documents say what is true.
package projectmap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/project-map/project-map"

// A pattern names packages by their import path: "x" is x alone, "x/..." is x
// and everything below it. Packages of this module are written without its path.

// layer says what of this module the packages of a pattern may import. The first
// layer that matches a package holds.
type layer struct {
	packages string
	may      []string
	// stdOnly refuses other modules, too.
	stdOnly bool
	reason  string
}

// apart are packages that are no part of the program: the tests of the root, the
// programs that measure it, and the one that makes its releases.
var apart = []string{"", "benchmarks/...", "release/..."}

// What the layers above share of those below.
var (
	vocabulary = []string{"indexer/facts/..."}
	readable   = []string{"mapgen/store", "mapgen/xref/edges", "mapgen/artifact", "mapgen/symbolindex", "mapgen/plaintext", "mapgen/tokens"}
)

var layers = []layer{
	{"cmd/...", []string{"..."}, false, "the command line wires everything"},

	{"indexer/facts/...", []string{"indexer/facts/..."}, true,
		"facts are the vocabulary of all layers: they know no git, no tree-sitter and no disk"},
	{"indexer/syntax", nil, false, "a binding of the parser, which another one can replace"},
	{"indexer/revision", nil, false, "reads git and knows nothing of what is in the files"},
	{"indexer/factstore", nil, false, "a cache of keys and bytes"},
	{"indexer/lang/langtest", []string{"indexer/facts/...", "indexer/lang", "indexer/extract"}, false,
		"the suite of the languages runs the extractor as it is"},
	{"indexer/lang/...", []string{"indexer/facts/...", "indexer/lang/...", "indexer/syntax"}, false,
		"a language walks a tree and reports facts"},
	{"indexer/roles", []string{"indexer/facts/...", "indexer/lang"}, false, "roles follow from paths and headers alone"},
	{"indexer/extract", []string{"indexer/facts/...", "indexer/lang", "indexer/roles", "indexer/syntax"}, false,
		"facts depend on bytes and recipe, never on a path, on git or on a cache"},
	{"indexer/...", []string{"indexer/..."}, false, "an indexer is made of its own parts"},

	{"mapgen/plaintext", nil, false, "what is safe to print depends on nothing"},
	{"mapgen/tokens", nil, false, "an estimate depends on the text alone"},
	{"mapgen/tokens/exact", []string{"mapgen/tokens"}, false, "a count depends on the text and the tables alone"},
	{"mapgen/safefs", nil, false, "writing safely does not depend on what is written"},
	{"mapgen/symbolindex", nil, false, "an index of names, whatever they name"},
	{"mapgen/artifact", []string{"mapgen/plaintext"}, false, "the protocol depends on its text alone"},
	{"mapgen/mapdiff", []string{"mapgen/artifact", "mapgen/plaintext"}, true, "a difference follows from the models of pages alone"},
	{"mapgen/archive", []string{"mapgen/artifact", "mapgen/safefs", "mapgen/store", "mapgen/symbolindex"}, false,
		"packs what was made, and makes nothing"},
	{"mapgen/xref", vocabulary, false, "imports follow from facts"},
	{"mapgen/xref/edges", slices.Concat(vocabulary, []string{"mapgen/xref"}), false, "edges follow from facts"},
	{"mapgen/xref/edges/edgetest", slices.Concat(vocabulary, []string{"indexer/extract", "indexer/lang", "indexer/roles", "mapgen/xref/edges"}), false,
		"the suite of the resolvers runs the extractor as it is"},
	{"mapgen/xref/resolve", slices.Concat(vocabulary, []string{"mapgen/xref/..."}), false, "picks a resolver"},
	{"mapgen/xref/...", slices.Concat(vocabulary, []string{"mapgen/xref", "mapgen/xref/edges"}), false,
		"a resolver follows the rules of its language over facts"},
	{"mapgen/dirfacts", slices.Concat(vocabulary, []string{"mapgen/artifact", "mapgen/xref"}), false,
		"the fold is pure: no store, no disk"},
	{"mapgen/...", slices.Concat(vocabulary, []string{"mapgen/..."}), false,
		"maps are made of facts, however these were found"},

	{"ranker/query", slices.Concat(vocabulary, []string{"ranker/query"}), false, "a query is text"},
	{"ranker/...", slices.Concat(vocabulary, readable, []string{"ranker/..."}), false,
		"ranking reads what was compiled: no git, no parser, no generation of maps"},
	{"bundle/internal/safejson", []string{"mapgen/plaintext"}, false, "what is safe to print depends on nothing"},
	{"bundle/pack", []string{"bundle/internal/safejson", "mapgen/plaintext"}, true,
		"packing is pure: the same entries give the same bytes, whatever is on disk"},
	{"bundle/pack/session", []string{"bundle/pack", "mapgen/safefs"}, false, "keeps what packing computed, and computes nothing"},
	{"bundle/...", slices.Concat(vocabulary, readable, []string{"ranker/...", "bundle/...", "templates"}), false,
		"an answer is made of candidates; source text comes through an interface"},
	{"site", slices.Concat(vocabulary, []string{"mapgen/artifact", "mapgen/plaintext", "mapgen/store", "mapgen/xref/edges"}), true,
		"a site is a pure function of what was compiled: no git, no parser, no disk"},
	{"templates", nil, true, "embedded texts"},
	{"registry/...", []string{"registry/...", "indexer/facts/lazyregexp"}, false, "moves bytes between a registry and the caller, and knows nothing of what they mean"},
}

// exclusive says who alone may import packages of other modules, or of the
// standard library.
type exclusive struct {
	packages []string
	by       []string
	reason   string
}

var exclusives = []exclusive{
	{[]string{"github.com/smacker/go-tree-sitter/..."}, []string{"indexer/syntax", "indexer/lang/..."},
		"languages name their grammar, and only syntax calls the parser, so that a newer binding can replace it"},
	{[]string{"C"}, []string{"indexer/syntax"}, "one place calls C"},
	{[]string{"github.com/go-git/..."}, []string{"indexer/revision"}, "one place reads git, and mends where the library differs from it"},
	{[]string{"github.com/blevesearch/bleve/...", "github.com/blevesearch/bleve_index_api/..."}, []string{"mapgen/symbolindex"},
		"the library's files and types are an implementation detail of one package"},
	{[]string{"github.com/tiktoken-go/tokenizer/..."}, []string{"mapgen/tokens/exact"},
		"the tables of tokenizers are large and slow to load: queries estimate"},
	{[]string{"github.com/urfave/cli/...", "github.com/schollz/progressbar/...", "github.com/mattn/go-isatty"}, []string{"cmd/..."},
		"flags and terminals are the command line's"},
	{[]string{"github.com/modelcontextprotocol/go-sdk/..."}, []string{"cmd/..."},
		"the protocol is a thin adapter over the command line: nothing needs it to answer"},
	{[]string{"aead.dev/minisign"}, []string{"mapgen/archive"}, "one place signs and verifies"},
	{[]string{"os/exec", "plugin"}, nil, "the program executes nothing, least of all what a repository names"},
	{[]string{"net", "net/http/...", "crypto/tls"}, []string{"registry/..."}, "one package talks to the network, and only where a call names a registry"},
	{[]string{"oras.land/oras-go/..."}, []string{"registry"}, "one place knows the protocol of registries"},
	{[]string{"oras.land/oras-go/v2/registry/remote/credentials/..."}, nil, "credential helpers are programs, which are not executed"},
	{[]string{"net/rpc/...", "net/smtp"}, nil, "nothing needs them"},
	{[]string{"math/rand/..."}, []string{"mapgen/xref/edges/edgetest"}, "the same input gives the same bytes; a suite of tests makes random edits"},
}

// pkg is a package of the module with its imports, tests left out.
type pkg struct {
	ImportPath string
	Imports    []string
}

// violations checks an import graph. Every package has to be in a layer.
func violations(graph []pkg, layers []layer, exclusives []exclusive) []string {
	var out []string
	for _, p := range graph {
		from := short(p.ImportPath)
		if matchesAny(apart, from) {
			continue
		}
		k := slices.IndexFunc(layers, func(l layer) bool { return matches(l.packages, from) })
		if k < 0 {
			out = append(out, fmt.Sprintf("%s is in no layer: add it to the table", from))
			continue
		}
		for _, m := range p.Imports {
			to := short(m)
			switch {
			case to != m:
				if !slices.ContainsFunc(layers[k].may, func(q string) bool { return matches(q, to) }) {
					out = append(out, fmt.Sprintf("%s imports %s: %s", from, to, layers[k].reason))
				}
			case layers[k].stdOnly && isForeign(m):
				out = append(out, fmt.Sprintf("%s imports %s: %s", from, m, layers[k].reason))
			}
			for _, x := range exclusives {
				if matchesAny(x.packages, m) && !matchesAny(x.by, from) {
					out = append(out, fmt.Sprintf("%s imports %s: %s", from, m, x.reason))
				}
			}
		}
	}
	return out
}

// short is an import path without the module's; others stay as they are.
func short(path string) string {
	if path == module {
		return ""
	}
	return strings.TrimPrefix(path, module+"/")
}

// isForeign tells packages of other modules from those of the standard library.
func isForeign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func matches(pattern, path string) bool {
	base, below := strings.CutSuffix(pattern, "...")
	base = strings.TrimSuffix(base, "/")
	return path == base || below && (base == "" || strings.HasPrefix(path, base+"/"))
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

func TestLayers(t *testing.T) {
	graph := importGraph(t)
	for _, v := range violations(graph, layers, exclusives) {
		t.Error(v)
	}
	// A rule that nothing matches any more guards nothing.
	for _, x := range exclusives {
		for _, q := range x.packages {
			used := slices.ContainsFunc(graph, func(p pkg) bool {
				return slices.ContainsFunc(p.Imports, func(m string) bool { return matches(q, m) })
			})
			if !used && len(x.by) > 0 {
				t.Errorf("nothing imports %s any more: remove the rule", q)
			}
		}
	}
}

// importGraph lists the packages of the module.
func importGraph(t *testing.T) []pkg {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var graph []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		graph = append(graph, p)
	}
	if len(graph) < 20 {
		t.Fatalf("go list gave %d packages only", len(graph))
	}
	return graph
}

// TestViolations tests the checker itself, with one wrong import at a time.
func TestViolations(t *testing.T) {
	in := func(paths ...string) []string {
		for i, p := range paths {
			if strings.HasPrefix(p, "./") {
				paths[i] = module + p[1:]
			}
		}
		return paths
	}
	for _, c := range []struct {
		from    string
		imports []string
		wrong   []string // what the messages say, in order
	}{
		{"./cmd/project-map", in("fmt", "./bundle", "./indexer/revision", "github.com/urfave/cli/v2"), nil},
		{"./indexer/facts", in("fmt", "encoding/binary", "./indexer/facts/words"), nil},
		{"./indexer/facts/words", in("golang.org/x/text/cases"), []string{"indexer/facts/words imports golang.org/x/text/cases"}},
		{"./indexer/facts", in("./indexer/syntax"), []string{"indexer/facts imports indexer/syntax"}},
		{"./indexer/lang/rust", in("./indexer/lang", "github.com/smacker/go-tree-sitter/rust"), nil},
		{"./indexer/lang/rust", in("./indexer/extract"), []string{"indexer/lang/rust imports indexer/extract"}},
		{"./indexer/extract", in("github.com/smacker/go-tree-sitter"), []string{"imports github.com/smacker/go-tree-sitter: languages name"}},
		{"./indexer/history", in("./indexer/revision", "./indexer/facts"), nil},
		{"./indexer", in("github.com/go-git/go-git/v5/plumbing"), []string{"indexer imports github.com/go-git"}},
		{"./indexer", in("./mapgen/store"), []string{"indexer imports mapgen/store"}},
		{"./indexer/roles", in("C"), []string{"indexer/roles imports C"}},
		{"./mapgen", in("./indexer/facts", "./mapgen/store", "golang.org/x/sync/errgroup"), nil},
		{"./mapgen", in("./indexer"), []string{"mapgen imports indexer: maps are made"}},
		{"./mapgen/dirfacts", in("./mapgen/store"), []string{"mapgen/dirfacts imports mapgen/store"}},
		{"./mapgen/store", in("github.com/blevesearch/bleve/v2/mapping", "github.com/blevesearch/mmap-go"), []string{"mapgen/store imports github.com/blevesearch/bleve/v2/mapping"}},
		{"./mapgen/artifact", in("./ranker"), []string{"mapgen/artifact imports ranker"}},
		{"./ranker/query", in("./mapgen/store"), []string{"ranker/query imports mapgen/store"}},
		{"./ranker", in("./indexer/facts/words", "./mapgen/store", "./ranker/query"), nil},
		{"./ranker", in("./mapgen", "./indexer/revision"), []string{"ranker imports mapgen:", "ranker imports indexer/revision"}},
		{"./ranker/eval", in("./bundle"), []string{"ranker/eval imports bundle"}},
		{"./bundle/oracle", in("./bundle", "./ranker", "./templates", "./indexer/facts/secrets"), nil},
		{"./bundle/pack", in("fmt", "crypto/sha256", "./mapgen/plaintext"), nil},
		{"./bundle/pack", in("./mapgen/store", "golang.org/x/text/cases"), []string{"bundle/pack imports mapgen/store: packing is pure", "bundle/pack imports golang.org/x/text/cases"}},
		{"./bundle/pack/session", in("os", "./bundle/pack", "./ranker"), []string{"bundle/pack/session imports ranker"}},
		{"./bundle", in("./bundle/pack", "github.com/tiktoken-go/tokenizer/codec"), []string{"bundle imports github.com/tiktoken-go/tokenizer/codec: the tables"}},
		{"./bundle", in("./indexer/lang"), []string{"bundle imports indexer/lang"}},
		{"./bundle", in("./cmd/project-map"), []string{"bundle imports cmd/project-map"}},
		{"./site", in("embed", "html/template", "./mapgen/store", "./mapgen/artifact"), nil},
		{"./site", in("./mapgen/safefs", "./ranker", "golang.org/x/net/html"), []string{"site imports mapgen/safefs: a site is a pure", "site imports ranker", "site imports golang.org/x/net/html"}},
		{"./templates", in("embed"), nil},
		{"./templates", in("./indexer/facts"), []string{"templates imports indexer/facts"}},
		{"./ranker", in("github.com/urfave/cli/v2"), []string{"ranker imports github.com/urfave/cli/v2"}},
		{"./cmd/project-map", in("github.com/modelcontextprotocol/go-sdk/mcp"), nil},
		{"./bundle", in("github.com/modelcontextprotocol/go-sdk/mcp"), []string{"bundle imports github.com/modelcontextprotocol/go-sdk/mcp"}},
		{"./cmd/project-map", in("os/exec"), []string{"cmd/project-map imports os/exec"}},
		{"./cmd/project-map", in("net/http", "net/url"), []string{"cmd/project-map imports net/http"}},
		{"./registry", in("net/http", "oras.land/oras-go/v2/registry/remote"), nil},
		{"./registry", in("./mapgen/archive"), []string{"registry imports mapgen/archive"}},
		{"./registry", in("oras.land/oras-go/v2/registry/remote/credentials"), []string{"registry/remote/credentials: credential helpers"}},
		{"./cmd/project-map", in("oras.land/oras-go/v2/registry"), []string{"cmd/project-map imports oras.land/oras-go/v2/registry: one place"}},
		{"./util", in("fmt"), []string{"util is in no layer"}},
		{"./indexers", in("fmt"), []string{"indexers is in no layer"}},
	} {
		got := violations([]pkg{{in(c.from)[0], c.imports}}, layers, exclusives)
		if len(got) != len(c.wrong) {
			t.Errorf("%s with %v: got %q, want %d violations", c.from, c.imports, got, len(c.wrong))
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], c.wrong[i]) {
				t.Errorf("%s with %v: got %q, want %q", c.from, c.imports, got[i], c.wrong[i])
			}
		}
	}
}
