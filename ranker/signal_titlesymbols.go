package ranker

// titleSymbols marks files that define a name of the title: the weight of its
// kind over the square root of the number of files that define it, a name that
// differs in case less. Weight 0.35: the title names what is called, which is
// often, not always, what is wrong.
func titleSymbols(x *run, out []float64) { addAll(out, x.symbols.title) }
