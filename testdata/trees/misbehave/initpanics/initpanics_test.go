package initpanics

import "testing"

func init() { panic("before anything") }

func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
