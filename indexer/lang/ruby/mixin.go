package ruby

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// opened is the class or module whose bases a frame can add to, or -1.
func (w *walker) opened(f *frame) int32 {
	if f.symbol < 0 || w.b.At(f.symbol).Name != f.name {
		return -1
	}
	return f.symbol
}

// mixed is what stands before a module among the bases of what mixes it in.
func mixed(call string, static bool) string {
	switch {
	case call == "extend" || static:
		return "extend "
	case call == "prepend":
		return "prepend "
	}
	return ""
}

// sent handles calls that name a method with a symbol: send(:name).
func (w *walker) sent(name string, receiver, args syntax.Node) {
	switch name {
	case "send", "public_send", "__send__", "method", "public_method", "instance_method":
	default:
		return
	}
	first := firstNamed(args)
	if first.Kind() != "simple_symbol" {
		return
	}
	text, at := literal(first)
	qualifier := "self"
	if !receiver.IsZero() {
		qualifier = shape(receiver)
	}
	if name == "instance_method" {
		qualifier = lang.Shape("new " + qualifier + "()")
	}
	w.b.Reference(facts.RefRead, text, qualifier, at.Start)
}

// delegateTarget is the shape of what calls are passed on to.
func delegateTarget(args syntax.Node, first bool) string {
	target := ""
	if first {
		target, _ = literal(firstNamed(args))
	}
	args.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "pair" && c.Child("key").Text() == "to" {
			target, _ = literal(c.Child("value"))
		}
		return true
	})
	if target == "class" {
		return "self.class"
	}
	return target
}
