package ranker

// similarName marks files that define a name which resembles one that nothing
// is called exactly: a prefix, a typing error, words in another order. Weight
// 1: worth a lookup where there is nothing better, too weak to beat an exact
// name.
func similarName(x *run, out []float64) {
	for _, e := range x.symbols.similar {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
