package color

import "testing"

func FuzzMix(f *testing.F) {
	f.Add("#fdffcc", "#242a42", 0.5)
	f.Add("#f0c", "#0a0", 0.25)
	f.Fuzz(func(t *testing.T, from, to string, part float64) {
		if _, _, err := Mix(from, to, part); err != nil {
			t.Skip(err)
		}
	})
}
