//go:build race

package main

// raceDetector tells that the race detector makes everything ten times slower.
const raceDetector = true
