package ranker

// workflows marks the targets of workflows (build targets, scripts, CI jobs)
// whose name, description or command the query is about, measured as for
// hints. Weight 1.
func workflows(x *run, out []float64) {
	for _, e := range x.hints.workflows {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
