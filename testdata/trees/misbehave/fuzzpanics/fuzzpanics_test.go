package fuzzpanics

import "testing"

func FuzzDouble(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
	panic("after f.Fuzz")
}
