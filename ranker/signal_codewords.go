package ranker

// codeWords is BM25F of the words in code blocks alone. Weight 0.3: a block
// shows the interface that fails, but also all that leads up to it.
func codeWords(x *run, out []float64) { copy(out, x.lex.code) }
