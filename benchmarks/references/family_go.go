//go:build references_go

package main

import (
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/golang"
)

func goResolver(p *edges.Program) edges.Resolver { return golang.New(p) }
