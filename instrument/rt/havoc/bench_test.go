package havoc

import "testing"

func BenchmarkMutateText50(b *testing.B) {
	benchmark(b, []byte(`{"name": "abc", "list": [1, 2, 3], "other": true}`))
}

func BenchmarkMutateBinary50(b *testing.B) {
	in := make([]byte, 50)
	for i := range in {
		in[i] = byte(i * 37)
	}
	benchmark(b, in)
}

func benchmark(b *testing.B, in []byte) {
	m := New(NewRand(1), Options{Dict: [][]byte{[]byte("true"), []byte("false")}})
	parent := []any{in}
	other := func() []any { return parent }
	var dst []any
	b.ReportAllocs()
	for b.Loop() {
		dst = m.Mutate(dst, parent, other)
	}
}
