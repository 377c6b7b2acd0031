//go:build race

package langtest

// raceDetector tells that the race detector is on, which makes code of this sort
// some ten times slower.
const raceDetector = true
