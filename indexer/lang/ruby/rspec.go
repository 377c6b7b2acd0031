package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// describes binds what a group of examples is about.
func (w *walker) describes(name string, receiver, args syntax.Node) {
	if name != "describe" && name != "context" || !receiver.IsZero() && receiver.Text() != "RSpec" {
		return
	}
	if about := firstNamed(args); about.Is("constant", "scope_resolution") {
		w.b.Bind("described_class", about.Start(), "", shape(about))
	}
}

// lazy binds what let and subject give a name to.
func (w *walker) lazy(name string, receiver, args, block syntax.Node) {
	if !receiver.IsZero() {
		return
	}
	switch name {
	case "let", "let!", "subject", "subject!", "let_it_be":
	default:
		return
	}
	bound, at := literal(firstNamed(args))
	init := w.result(block, syntax.Node{})
	if bound == "" && strings.HasPrefix(name, "subject") {
		bound, at = "subject", lang.SpanOf(block)
	} else if strings.HasPrefix(name, "subject") {
		w.b.Bind("subject", at.Start, "", init)
	}
	w.b.Bind(bound, at.Start, "", init)
}
