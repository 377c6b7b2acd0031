package ranker

// usedByLeader draws the files that a leading file imports: an issue names the
// layer where a symptom shows, and the change is often in what that layer
// uses. The value is the part of the missing points that a file is given. As a
// signal that may overtake, the same link loses more answers than it finds.
// Weight .2.
func usedByLeader(x *run, out []float64) {
	for _, l := range x.leaders {
		for _, d := range x.cat.Imports(l.doc) {
			x.draw(out, l, d, 1)
		}
	}
}
