package ranker

// pathWords is BM25 of the query over the words of the path alone, with the
// document frequencies of that field. Weight 1: people name files after what
// they are for, and a path has no room for words in passing.
func pathWords(x *run, out []float64) { copy(out, x.lex.path) }
