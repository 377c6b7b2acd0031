package ranker

// definedWords is BM25 of the query over the names that a file defines. Weight
// 0.35: it tells the file that implements a thing from those that use it, which
// the words of bodies cannot.
func definedWords(x *run, out []float64) { copy(out, x.lex.defs) }
