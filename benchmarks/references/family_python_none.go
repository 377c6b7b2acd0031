//go:build !references_python

package main

import "github.com/project-map/project-map/mapgen/xref/edges"

// Not linked in: see build in main.go.
var pythonResolver func(p *edges.Program) edges.Resolver
