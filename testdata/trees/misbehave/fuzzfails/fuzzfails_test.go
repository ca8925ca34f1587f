package fuzzfails

import "testing"

func FuzzDouble(f *testing.F) {
	f.Fatal("no set-up")
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
