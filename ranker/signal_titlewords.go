package ranker

// titleWords is BM25F of the title alone. Weight 1.4, on top of its part in the
// whole query: a title is written to tell what the report is about, the text
// below it to reproduce the failure.
func titleWords(x *run, out []float64) { copy(out, x.lex.title) }
