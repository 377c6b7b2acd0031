package ranker

// titleWords is BM25F of the title alone. Weight 2, above the whole query: a
// title is written to tell what the report is about, the text below it to
// reproduce the failure.
func titleWords(x *run, out []float64) { copy(out, x.lex.title) }

func wordDetail(x *run, doc int) string { return "" }
