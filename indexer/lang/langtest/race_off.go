//go:build !race

package langtest

// RaceDetector tells that the race detector is on.
const RaceDetector = false
