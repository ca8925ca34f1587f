package observe

import (
	"errors"
	"testing"
)

// result is shaped like the result of a JSON query.
type result struct {
	Type    int
	Raw     string
	Str     string
	Num     float64
	Index   int
	Indexes []int
}

func smallStruct() any {
	return result{Type: 3, Raw: `"some raw text"`, Str: "some raw text", Num: 1, Index: 17}
}

func stringMap() any {
	return map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
}

func document() any {
	return map[string]any{
		"name": "x", "list": []any{1.0, 2.0, "three", nil, true},
		"inner": map[string]any{"a": map[string]any{}, "b": []any{}},
	}
}

var benchmarked = []struct {
	name  string
	value func() any
}{
	{"string", func() any { return "some text of a length" }},
	{"small-struct", smallStruct},
	{"error", func() any { return errors.New("failed") }},
	{"time", func() any { return someTime }},
	{"bytes-4k", func() any { return make([]byte, 4096) }},
	{"map-8", stringMap},
	{"document", document},
	{"tree-63", func() any { return newTree(6, 1, nil) }}, // with parent pointers
}

func BenchmarkHash(b *testing.B) {
	o := New(Options{})
	for _, c := range benchmarked {
		v := c.value()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.Hash(v)
			}
		})
	}
}

func BenchmarkTake(b *testing.B) {
	o := New(Options{})
	for _, c := range benchmarked {
		v := c.value()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.Take(v)
			}
		})
	}
}

// One execution with three observed calls, as the loop does it per mutant.
func BenchmarkRecordAgainst(b *testing.B) {
	r := NewRecorder(New(Options{}))
	vals := []any{smallStruct(), error(nil)}
	run := func() {
		r.Record(1, vals)
		r.Record(2, vals)
		r.Record(1, vals)
	}
	run()
	ref := r.Log()
	b.ReportAllocs()
	for b.Loop() {
		r.ResetAgainst(ref)
		run()
		if _, equal := r.Compare(ref); !equal {
			b.Fatal("differs")
		}
	}
}
