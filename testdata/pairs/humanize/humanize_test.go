package humanize

import "testing"

func FuzzFloat(f *testing.F) {
	f.Add(12.5, uint8(2))
	f.Fuzz(func(t *testing.T, x float64, digits uint8) { Float(x, digits) })
}

func FuzzSI(f *testing.F) {
	f.Add(2.2345e-12, "F")
	f.Fuzz(func(t *testing.T, x float64, unit string) { SI(x, unit) })
}

func FuzzBytes(f *testing.F) {
	f.Add(uint8(9))
	f.Fuzz(func(t *testing.T, n uint8) { Bytes(n) })
}
