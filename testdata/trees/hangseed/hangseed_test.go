package hangseed

import "testing"

func FuzzSteps(f *testing.F) {
	f.Add(uint8(7))
	f.Add(uint8(0))
	f.Fuzz(func(t *testing.T, n uint8) {
		if Steps(n) > 1000 {
			t.Error("too many steps")
		}
	})
}
