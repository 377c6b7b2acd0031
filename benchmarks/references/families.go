package main

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/scip"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// family is an ecosystem that can be measured.
type family struct {
	// name as in facts.File.Family.
	name string
	// resolver makes the resolver.
	resolver func(*edges.Program) edges.Resolver
	// classify gives the name of a symbol and its kind.
	classify func(symbol string, info scip.SymbolInfo) (name, kind string)
	// repair mends references of the truth and says how many, see README.md.
	repair func(*truth, *program) int
	// clean removes faults of the truth, see README.md.
	clean func(*comparison)
}

func families() []*family {
	return []*family{
		{"go", resolver("go"), classifyGo, repairGo, cleanGo},
		{"python", resolver("python"), classify, repairPython, cleanPython},
		{"javascript", resolver("javascript"), classifyScript, repairScript, cleanScript},
	}
}

func resolver(family string) func(*edges.Program) edges.Resolver {
	return func(p *edges.Program) edges.Resolver { return resolve.For(p, family) }
}

func familyNamed(name string) *family {
	for _, f := range families() {
		if f.name == name {
			return f
		}
	}
	return nil
}

// classify tells name and kind from the form of a symbol.
func classify(symbol string, _ scip.SymbolInfo) (name, kind string) {
	if scip.IsLocal(symbol) {
		return symbol, kindLocal // scip-python writes some that do not follow the grammar
	}
	s, err := scip.ParseSymbol(symbol)
	if err != nil {
		return symbol, kindExternal
	}
	last := s.Descriptors[len(s.Descriptors)-1]
	switch last.Suffix {
	case scip.SuffixParameter:
		return last.Name, kindParameter
	case scip.SuffixTypeParameter:
		return last.Name, kindTypeParameter
	case scip.SuffixNamespace, scip.SuffixMeta:
		return last.Name, kindModule
	}
	return last.Name, kindOf(&facts.Symbol{Kind: s.Kind()})
}

// classifyGo: scip-go says the kind. A var of a local scope has a global symbol
// when its type is exported by a package-level one; it stands below a function.
func classifyGo(symbol string, info scip.SymbolInfo) (name, kind string) {
	name, kind = classify(symbol, info)
	if countedKind(kind) {
		if k := kindOf(&facts.Symbol{Kind: info.Kind}); k != "" {
			kind = k
		}
	}
	return name, kind
}

// classifyScript: properties of object literals have the suffix of metadata, and
// members of anonymous types stand below a term or metadata.
func classifyScript(symbol string, info scip.SymbolInfo) (name, kind string) {
	name, kind = classify(symbol, info)
	s, err := scip.ParseSymbol(symbol)
	if err != nil || s.Local != "" {
		return name, kind
	}
	last := s.Descriptors[len(s.Descriptors)-1]
	if last.Suffix == scip.SuffixMeta {
		return strings.TrimRight(name, "0123456789"), kindKey
	}
	if n := len(s.Descriptors); n > 1 && last.Suffix == scip.SuffixTerm && strings.HasPrefix(s.Descriptors[n-2].Name, "typeLiteral") {
		kind = kindField
	}
	for _, accessor := range []string{"<get>", "<set>"} {
		if rest, ok := strings.CutPrefix(name, accessor); ok {
			name = rest
		}
	}
	return name, kind
}
