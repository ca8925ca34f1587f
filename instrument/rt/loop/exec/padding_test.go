package exec

import (
	"fmt"
	"testing"
	"unsafe"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

type padded struct {
	a bool
	b int32
	c [2]struct {
		d int8
		e int16
	}
	_ int64
	f string
}

// generic has padding that depends on its type argument.
type generic[T any] struct {
	a bool
	b T
}

func paddingText[T any]() (text string) {
	var v T
	for i := range unsafe.Sizeof(v) {
		text += map[bool]string{true: ".", false: "x"}[padding(&v, i)]
	}
	return text
}

func TestPaddingIsBetweenFields(t *testing.T) {
	for _, c := range [][2]string{
		{paddingText[padded](), "x...xxxx" + "x.xxx.xx" + "........" + "xxxxxxxxxxxxxxxx"},
		{paddingText[generic[int8]](), "xx"},
		{paddingText[generic[int64]](), "x.......xxxxxxxx"},
		{paddingText[generic[generic[int16]]](), "x.x.xx"},
		{paddingText[[2]generic[int16]](), "x.xxx.xx"},
		{paddingText[string](), "xxxxxxxxxxxxxxxx"},
		{paddingText[struct{}](), ""},
	} {
		if c[0] != c[1] {
			t.Errorf("%s, want %s", c[0], c[1])
		}
	}
}

// dirty is a value with bytes in its padding.
func dirty[T any](v T) *T {
	p := new(T)
	at := unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(v))
	clean := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
	for i := range at {
		if at[i] = clean[i]; padding(p, uintptr(i)) {
			at[i] = 0x55
		}
	}
	return p
}

// Nothing is allocated where no value is traced, nor where one is.
func TestResultsAreNotAllocated(t *testing.T) {
	fuzzmutrt.Reached, fuzzmutrt.Infected = make([]uint64, 1), make([]uint64, 1)
	defer func() { fuzzmutrt.Reached, fuzzmutrt.Infected, fuzzmutrt.Tracing = nil, nil, false }()
	v := generic[int64]{b: 1}
	for _, tracing := range []bool{false, true} {
		fuzzmutrt.Tracing = tracing
		if n := testing.AllocsPerRun(100, func() { v = fuzzmutrt.Ret(1, v) }); n > 0 {
			t.Errorf("tracing %v: %v allocations", tracing, n)
		}
	}
}

// What only differs in bytes that no code reads is the same.
func TestValuesThatDifferInPaddingAreTheSame(t *testing.T) {
	infected := func(run func(id uint32)) bool {
		fuzzmutrt.Reached, fuzzmutrt.Infected, fuzzmutrt.Tracing = make([]uint64, 1), make([]uint64, 1), true
		defer func() { fuzzmutrt.Reached, fuzzmutrt.Infected, fuzzmutrt.Tracing = nil, nil, false }()
		run(1)
		return len(ListBits(fuzzmutrt.Infected)) > 0
	}
	other := padded{}
	other.c[1].d = 1
	for _, c := range []struct {
		what string
		run  func(id uint32)
		want bool
	}{
		{"zero", func(id uint32) { fuzzmutrt.Gives(id, *dirty(padded{}), padded{}) }, false},
		{"another field", func(id uint32) { fuzzmutrt.Gives(id, *dirty(padded{}), other) }, true},
		{"generic", func(id uint32) { fuzzmutrt.Gives(id, *dirty(generic[int64]{}), *dirty(generic[int64]{})) }, false},
		{"another argument", func(id uint32) { fuzzmutrt.Gives(id, generic[int64]{b: 1}, *dirty(generic[int64]{})) }, true},
		{"a zero result", func(id uint32) { fuzzmutrt.Ret(id, *dirty(generic[int64]{})) }, false},
		{"another result", func(id uint32) { fuzzmutrt.Ret(id, *dirty(generic[int64]{a: true})) }, true},
	} {
		if got := infected(c.run); got != c.want {
			t.Errorf("%s: infected: %v", c.what, got)
		}
	}
	fmt.Fprint(nopWriter{}, padded{}.a, padded{}.b, padded{}.f, other.c[0].e) // the fields are read
}

type nopWriter struct{}

func (nopWriter) Write(p []byte) (int, error) { return len(p), nil }
