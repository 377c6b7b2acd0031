// Package resolve picks the resolver of an ecosystem.
package resolve

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/byname"
	"github.com/project-map/project-map/mapgen/xref/cfamily"
	"github.com/project-map/project-map/mapgen/xref/csharp"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/golang"
	"github.com/project-map/project-map/mapgen/xref/jvm"
	"github.com/project-map/project-map/mapgen/xref/php"
	"github.com/project-map/project-map/mapgen/xref/python"
	"github.com/project-map/project-map/mapgen/xref/ruby"
	"github.com/project-map/project-map/mapgen/xref/rust"
	"github.com/project-map/project-map/mapgen/xref/script"
)

// Families lists the ecosystems that have a resolver, in byte order.
func Families() []string {
	return []string{"c", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"}
}

// Version counts changes of what resolvers make of the same facts. Raising it
// makes all references be resolved anew.
const Version = 2

// nameOf is the resolver that the references of a file are for, "" where they
// lead nowhere: the ecosystem, with byNames behind it where no resolver knows
// the rules of the language.
func nameOf(f *facts.File) string {
	if f == nil || !f.Outlined() || f.Nature != facts.Code || f.Family == "" {
		return ""
	}
	if !slices.Contains(Families(), f.Family) || f.Family == "java" && f.Language != "java" && f.Language != "kotlin" {
		if f.Aside() {
			return "" // what a program wrote, matched by name: noise
		}
		return f.Family + byNames
	}
	return f.Family
}

const byNames = " by name"

// ByRules tells whether a resolver knows the rules of a file's language; known
// is false where its references lead nowhere at all.
func ByRules(f *facts.File) (rules, known bool) {
	n := nameOf(f)
	return !strings.HasSuffix(n, byNames), n != ""
}

// For makes the resolver of an ecosystem; where none knows its rules, one that
// goes by names.
func For(p *edges.Program, family string) edges.Resolver {
	switch family {
	case "c":
		return cfamily.New(p)
	case "csharp":
		return csharp.New(p)
	case "go":
		return golang.New(p)
	case "java":
		return jvm.New(p)
	case "javascript":
		return script.New(p)
	case "php":
		return php.New(p)
	case "python":
		return python.New(p)
	case "ruby":
		return ruby.New(p)
	case "rust":
		return rust.New(p)
	}
	return byname.New(p, strings.TrimSuffix(family, byNames))
}
