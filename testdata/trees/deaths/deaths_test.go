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

// FuzzLate is apart: when its goroutines end the process depends on the clock, and with it what
// a search sees.
func FuzzLate(f *testing.F) {
	f.Add([]byte("A"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := Late(b); n != len(b) {
			t.Errorf("Late returned %d", n)
		}
	})
}
