package ranker

// directorySummary gives a file the part of the query's words that the summary
// and tags of its directory hold, by rarity among directories. Weight 0.5: it
// breaks ties between packages, mostly for short questions. As a first step of
// its own, or relative to the best directory, it loses right answers.
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
