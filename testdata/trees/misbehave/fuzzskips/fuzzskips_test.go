package fuzzskips

import "testing"

func FuzzDouble(f *testing.F) {
	f.Skip("not today")
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
