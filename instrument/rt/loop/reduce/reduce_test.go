package reduce

import (
	"reflect"
	"strings"
	"testing"
)

func TestReduce(t *testing.T) {
	tests := []struct {
		name     string
		in, want []any
		keep     func(vals []any) bool
	}{
		{"all goes", []any{[]byte("some text"), "more", 17, true, 2.5}, []any{[]byte{}, "", 0, false, 0.0}, func([]any) bool { return true }},
		{"nothing goes", []any{"ab", int8(-1)}, []any{"ab", int8(-1)}, func([]any) bool { return false }},
		{"a word stays", []any{"here is a key in it"}, []any{"key"}, func(v []any) bool { return strings.Contains(v[0].(string), "key") }},
		{"length stays", []any{[]byte("abcdef")}, []any{[]byte("000")}, func(v []any) bool { return len(v[0].([]byte)) >= 3 }},
		{"a place stays", []any{"abcdef"}, []any{"000d"}, func(v []any) bool { s := v[0].(string); return len(s) > 3 && s[3] == 'd' }},
		{"int", []any{1000}, []any{37}, func(v []any) bool { return v[0].(int) >= 37 }},
		{"negative", []any{int8(-128)}, []any{int8(-5)}, func(v []any) bool { return v[0].(int8) <= -5 }},
		{"unsigned", []any{^uint64(0)}, []any{uint64(1 << 40)}, func(v []any) bool { return v[0].(uint64) >= 1<<40 }},
		{"rune", []any{'€'}, []any{'\x80'}, func(v []any) bool { return v[0].(rune) >= 0x80 }},
		{"float", []any{1234.5}, []any{float64(7)}, func(v []any) bool { return v[0].(float64) > 6.5 }},
		{"fraction", []any{float32(0.5)}, []any{float32(0.5)}, func(v []any) bool { return v[0].(float32) != 0 }},
		{"one of two", []any{"aaab", "aaab"}, []any{"", "b"}, func(v []any) bool { return strings.HasSuffix(v[1].(string), "b") }},
	}
	for _, tt := range tests {
		r := Reducer{Best: tt.in, Keep: tt.keep, Spent: func() bool { return false }}
		r.Reduce()
		r.Normalise()
		if !reflect.DeepEqual(r.Best, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.name, r.Best, tt.want)
		}
	}
	n := 0
	r := Reducer{Best: []any{strings.Repeat("x", 100), 1 << 40}, Keep: func([]any) bool { n++; return false }, Spent: func() bool { return n >= 10 }}
	if r.Reduce(); n != 10 {
		t.Errorf("%d candidates after ten were spent", n)
	}
}
