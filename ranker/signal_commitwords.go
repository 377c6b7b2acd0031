package ranker

// commitWords scores the words of all messages of the commits that touched a
// file, as one field. Weight 0.6: people name in messages what the source calls
// something else.
func commitWords(x *run, out []float64) { copy(out, x.pastWords.words) }
