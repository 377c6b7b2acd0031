package ranker

// linkedFile marks files that a link to a source browser points at (blob, tree,
// raw). Weight 2: somebody looked the place up. Components of a branch name
// may lead the path, so it is matched from its end.
func linkedFile(x *run, out []float64) { addAll(out, x.mentions.linked) }

func addAll(out []float64, list []weighted) {
	for _, e := range list {
		out[e.doc] += e.weight
	}
}
