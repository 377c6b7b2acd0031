//go:build references_python

package main

import (
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/python"
)

func pythonResolver(p *edges.Program) edges.Resolver { return python.New(p) }
