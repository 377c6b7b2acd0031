package ranker

// similarCommit marks files that a commit with a message like the query
// touched, among all that the catalog knows (10,000 at most; 500 are far too
// few). Weight 1.4: after the words themselves the best single signal on issues.
func similarCommit(x *run, out []float64) { copy(out, x.pastWords.similar) }

// recentSimilarCommit is the same among the last 2,000 commits. Weight .35, on
// top of the former: what was done lately is done again.
func recentSimilarCommit(x *run, out []float64) { copy(out, x.pastWords.similarRecent) }
