package ranker

// confidence judges the whole ranking, before anything is cut.
func (x *run) confidence(s *scored, order []int32) Level {
	return Medium
}
