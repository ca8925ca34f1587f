package deaths

import "testing"

func FuzzDie(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte("Ab"))
	f.Add([]byte("Zy"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := Die(b); n != len(b) {
			t.Errorf("Die returned %d", n)
		}
	})
}
