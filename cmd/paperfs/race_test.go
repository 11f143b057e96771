//go:build race

package main

// raceDetector reports whether the tests, and so the program under test, have the race detector.
const raceDetector = true
