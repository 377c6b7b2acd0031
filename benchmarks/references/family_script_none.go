//go:build !references_script

package main

import "github.com/project-map/project-map/mapgen/xref/edges"

// Not linked in: see build in main.go.
var scriptResolver func(p *edges.Program) edges.Resolver
