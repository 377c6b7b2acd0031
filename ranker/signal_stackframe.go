package ranker

// stackFrame marks the files of stack traces: 1 for the innermost frame inside
// the project, 1/2 for the next file outwards, 1/3 and so on. Weight 1.75: the
// frame that fails is the one to change in about a fifth of the Python reports,
// less elsewhere.
func stackFrame(x *run, out []float64) {
	for _, e := range x.mentions.frames {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
