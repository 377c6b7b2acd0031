//go:build race

package langtest

// RaceDetector tells that the race detector is on, which makes code of this sort
// some ten times slower.
const RaceDetector = true
