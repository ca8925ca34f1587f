package intest

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

// model is the queue that Ring must behave like.
type model []byte

func (m *model) push(r *Ring, b byte) bool {
	full := len(*m) == len(r.buf)
	if err := r.Push(b); err != nil {
		return full && err == ErrFull
	}
	*m = append(*m, b)
	return !full
}

func (m *model) pop(r *Ring) bool {
	b, ok := r.Pop()
	if !ok {
		return len(*m) == 0
	}
	want := (*m)[0]
	*m = (*m)[1:]
	return b == want
}

// FuzzModel pops for each zero byte, and pushes the others.
func FuzzModel(f *testing.F) {
	f.Add([]byte("ab\x00c\x00\x00\x00"))
	f.Add([]byte("abcde\x00f"))
	f.Fuzz(func(t *testing.T, script []byte) {
		r := New(4)
		var m model
		for i, b := range script {
			ok := false
			if b == 0 {
				ok = m.pop(r)
			} else {
				ok = m.push(r, b)
			}
			if !ok {
				t.Fatalf("step %d: ring and model differ", i)
			}
		}
	})
}

func FuzzWrapInternal(f *testing.F) {
	f.Add(uint8(3), uint8(4))
	f.Fuzz(func(t *testing.T, i, size uint8) {
		if i < size && wrap(int(i), int(size)) != int(i) {
			t.Errorf("wrap(%d, %d) moved", i, size)
		}
	})
}
