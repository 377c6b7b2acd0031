package ranker

// traceSymbols marks files that define the functions of a stack trace, measured
// as for titles. Weight 0.9: the names are exact, and the failing function is
// among them even where the trace's paths are those of an installed copy.
func traceSymbols(x *run, out []float64) { addAll(out, x.symbols.trace) }
