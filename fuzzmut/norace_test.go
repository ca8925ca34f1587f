//go:build !race

package fuzzmut

const RaceDetector = false
