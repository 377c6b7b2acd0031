//go:build !references_go

package main

import "github.com/project-map/project-map/mapgen/xref/edges"

// Not linked in: see build in main.go.
var goResolver func(p *edges.Program) edges.Resolver
