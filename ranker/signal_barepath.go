package ranker

// barePath marks the files of a query that is nothing but paths ("flask/app.py",
// "internal/cache"), measured as for named paths. Weight 5: whoever types a
// path wants what lies there, not what talks about it.
func barePath(x *run, out []float64) {
	for _, e := range x.mentions.alone {
		out[e.doc] = max(out[e.doc], e.weight)
	}
}
