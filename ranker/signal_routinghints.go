package ranker

// routingHints marks the targets of routing hints whose topic the query is
// about: the part of the topic's words that the query holds, if at least half.
// The files of a directory that a hint names have three tenths of it. Weight
// 1.5: somebody who knows the repository may have written the hint, and a hint
// that moves nothing is no use; but words must still agree.
func routingHints(x *run, out []float64) {
	for _, e := range x.hints.hints {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
