// Package resolve picks the resolver of an ecosystem.
package resolve

import (
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/golang"
	"github.com/project-map/project-map/mapgen/xref/jvm"
	"github.com/project-map/project-map/mapgen/xref/python"
	"github.com/project-map/project-map/mapgen/xref/script"
)

// Families lists the ecosystems that have a resolver, in byte order.
func Families() []string { return []string{"go", "java", "javascript", "python"} }

// For makes the resolver of an ecosystem, or nil where there is none: nothing is
// known of what its references lead to.
func For(p *edges.Program, family string) edges.Resolver {
	switch family {
	case "go":
		return golang.New(p)
	case "java":
		return jvm.New(p)
	case "javascript":
		return script.New(p)
	case "python":
		return python.New(p)
	}
	return nil
}
