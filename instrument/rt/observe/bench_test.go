package observe

import (
	"testing"
)

type result struct {
	Type    int
	Raw     string
	Str     string
	Num     float64
	Index   int
	Indexes []int
}

func BenchmarkHashSmallStruct(b *testing.B) {
	o := New(Options{})
	var v any = result{Type: 3, Raw: `"some raw text"`, Str: "some raw text", Num: 1, Index: 17}
	b.ReportAllocs()
	for b.Loop() {
		o.Hash(v)
	}
}
