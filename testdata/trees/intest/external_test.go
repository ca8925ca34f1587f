package intest_test

import (
	"testing"

	"example.com/intest"
)

// drain pops everything: the observed calls are here, not in the fuzz target.
func drain(r *intest.Ring) (out []byte) {
	for r.Len() > 0 {
		b, _ := r.Pop()
		out = append(out, b)
	}
	return out
}

func FuzzExternal(f *testing.F) {
	f.Add("hello", 8)
	f.Add("overflowing", 3)
	f.Fuzz(func(t *testing.T, s string, size int) {
		if size < 1 || size > 64 {
			t.Skip("size out of range")
		}
		r := intest.New(size)
		for i := range len(s) {
			if err := r.Push(s[i]); err != nil {
				break
			}
		}
		if got := drain(r); len(got) != min(len(s), size) {
			t.Errorf("%d of %d bytes in a ring of %d", len(got), len(s), size)
		}
	})
}

func FuzzWrapExternal(f *testing.F) {
	f.Add(uint8(5), uint8(4))
	f.Fuzz(func(t *testing.T, i, size uint8) {
		if got := intest.Wrap(int(i), int(size)); got > int(i) {
			t.Errorf("Wrap(%d, %d) = %d", i, size, got)
		}
	})
}
