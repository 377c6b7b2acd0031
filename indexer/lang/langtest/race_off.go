//go:build !race

package langtest

// raceDetector tells that the race detector is on.
const raceDetector = false
