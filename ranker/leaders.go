package ranker

const (
	// numLeaders is how many of the leading files draw others along.
	numLeaders = 6
	// leaderDecay weakens what a leader gives by its place.
	leaderDecay = .15
)

// leader is a file that leads by all signals that look at files by themselves.
type leader struct {
	doc   int
	decay float64
}

// findLeaders notes the files that lead so far, tests and noise aside.
func (x *run) findLeaders(total []float64) {
	score := make([]float64, x.n)
	for d, hit := range x.hit {
		if hit && !x.aside(d) {
			score[d] = total[d]
		}
	}
	for rank, d := range topDocs(score, numLeaders) {
		x.leaders = append(x.leaders, leader{d, 1 / (1 + leaderDecay*float64(rank))})
	}
	x.sum = total
}

// draw gives a file part of what it lacks to a leader that it is linked to, by
// the strength of the link, 0 to 1. The weights of all signals that draw add up
// to less than 1, so that no file overtakes the leader that draws it: they
// change who follows, never who is first.
func (x *run) draw(out []float64, l leader, doc int, link float64) {
	if doc == l.doc || x.aside(doc) {
		return
	}
	if lack := x.sum[l.doc] - x.sum[doc]; lack > 0 {
		out[doc] = max(out[doc], lack*link*l.decay)
	}
}
