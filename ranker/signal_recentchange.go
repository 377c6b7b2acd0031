package ranker

// recentChange is 1/(1 + age/60 days) of a file's newest commit, counted from
// the newest commit of the revision. Weight .5: code that was changed lately is
// changed again. A file without a commit counts as very old.
func recentChange(x *run, out []float64) {
	p := x.past()
	if len(p.commits) == 0 {
		return
	}
	for d, last := range p.last {
		if last > 0 {
			days := float64(max(p.tip-last, 0)) / 86400
			out[d] = 1 / (1 + days/60)
		}
	}
}
