package ranker

// bareDefinition marks files that define the symbol of a query that is nothing
// but symbols ("Queue.Put", "parseHeader"), by kind and rarity. Weight 3: then
// the question is where it is defined, and neither the words of paths nor those
// of users may come first.
func bareDefinition(x *run, out []float64) {
	for _, e := range x.symbols.bare {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
