package ranker

// changedTogether marks files that changed in the commits of the tests and
// documents that fit the query best. Weight .9: it finds the source behind a
// test that says what the issue says.
func changedTogether(x *run, out []float64) { x.companions(out) }
