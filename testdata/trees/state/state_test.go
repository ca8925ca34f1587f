package state

import "testing"

func FuzzWeight(f *testing.F) {
	f.Add("ab(cd(e)f)")
	f.Add("((((((((((((((((((x")
	f.Add("a(a)(a)")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Weight(s)
		if err == nil && n < 0 {
			t.Errorf("weight %d", n)
		}
	})
}
