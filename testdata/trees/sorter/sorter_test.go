package sorter

import "testing"

// FuzzSort is deliberately weak: a result of the right length is good enough.
func FuzzSort(f *testing.F) {
	f.Add([]byte("hello, world"))
	f.Add([]byte{3, 1, 2})
	f.Add([]byte{9, 8, 7, 6, 5, 4, 3, 2, 1, 0})
	f.Fuzz(func(t *testing.T, in []byte) {
		out, _ := Sort(in)
		if len(out) != len(in) {
			t.Errorf("Sort returned %d elements of %d", len(out), len(in))
		}
	})
}
