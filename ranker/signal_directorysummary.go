package ranker

// directorySummary gives a file what the summary and tags of its directory have
// in common with the query, by rarity of the words among directories. Weight
// 0.3: it breaks ties between packages; as a first step of its own it would
// lose a fifth of the right directories.
func directorySummary(x *run, out []float64) {
	if len(x.hints.dirWords) == 0 {
		return
	}
	for d := range out {
		if dir := int(x.dirs[d]); x.hit[d] && dir < len(x.hints.dirWords) {
			out[d] = x.hints.dirWords[dir]
		}
	}
}
