//go:build references_script

package main

import (
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/script"
)

func scriptResolver(p *edges.Program) edges.Resolver { return script.New(p) }
