package mainskips

import "testing"

func TestMain(m *testing.M) {}

func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { Double(n) })
}
