package ranker

// qualifiedSymbols marks files that define a name together with its container
// (Queue.Put) or its module (cache.open), shared among them. Weight 0.5.
func qualifiedSymbols(x *run, out []float64) { addAll(out, x.symbols.qualified) }
