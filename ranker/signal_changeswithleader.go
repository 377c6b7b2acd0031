package ranker

// changesWithLeader draws the files that changed in the same commits as a
// leading file: the commits of at most a dozen files that touched both, if
// several, over those that touched either. Weight .2, as above.
func changesWithLeader(x *run, out []float64) {
	const few, several, doubt = 12, 2, 4
	p := x.past()
	if len(p.commits) == 0 {
		return
	}
	count := make([]int, x.n)
	var seen []int32
	for _, l := range x.leaders {
		seen = seen[:0]
		own := 0
		for _, i := range p.byDoc[l.doc] {
			c := &p.commits[i]
			if c.files > few {
				continue
			}
			own++
			if c.files < 2 {
				continue
			}
			for _, d := range c.docs {
				if count[d] == 0 {
					seen = append(seen, d)
				}
				count[d]++
			}
		}
		for _, d := range seen {
			if both := count[d]; both >= several {
				x.draw(out, l, int(d), float64(both)/float64(own+len(p.byDoc[d])-both+doubt))
			}
			count[d] = 0
		}
	}
}
