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
		{"flags", []any{0x5bcdef0123456789 | 0x208}, []any{0x208}, func(v []any) bool { return v[0].(int)&0x208 == 0x208 }},
		{"unsigned flags", []any{^uint16(0)}, []any{uint16(0x8001)}, func(v []any) bool { return v[0].(uint16)&0x8001 == 0x8001 }},
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

// Records stay whole: what is tried has no part of one.
func TestRecordsAreTakenOutWhole(t *testing.T) {
	n := 0
	r := Reducer{
		Best: []any{[]byte("a11b22a11a11c33a11d44xy"), "abc"}, Record: 3, Spent: func() bool { return false },
		Keep: func(vals []any) bool {
			data := string(vals[0].([]byte))
			if len(data) < 21 && len(data)%3 != 0 {
				t.Errorf("tried %q", data)
			}
			n++
			b, d := strings.Index(data, "b22"), strings.Index(data, "d44")
			return b >= 0 && d > b && strings.Contains(vals[1].(string), "b")
		},
	}
	r.Reduce()
	if want := []any{[]byte("b22d44"), "b"}; !reflect.DeepEqual(r.Best, want) || n > 25 {
		t.Errorf("%q after %d tries, want %q", r.Best, n, want)
	}
}

// Nothing but records is taken out where a caller asks for that.
func TestRecordsAlone(t *testing.T) {
	keep := func(vals []any) bool { return strings.Contains(string(vals[0].([]byte)), "b22") }
	r := Reducer{Best: []any{[]byte("a11b22c33"), "abc", 7, []byte("c33")}, Record: 3, Spent: func() bool { return false }, Keep: keep}
	r.Records()
	if want := []any{[]byte("b22"), "abc", 7, []byte{}}; !reflect.DeepEqual(r.Best, want) {
		t.Errorf("%q, want %q", r.Best, want)
	}
	r = Reducer{Best: []any{[]byte("a11b22")}, Spent: r.Spent, Keep: keep}
	if r.Records(); len(r.Best[0].([]byte)) != 6 {
		t.Errorf("without records: %q", r.Best)
	}
}

// Where a remainder matters, a number of few digits has it as well.
func TestDigits(t *testing.T) {
	ends := func(last int64) func(v any) bool {
		return func(v any) bool {
			if r := reflect.ValueOf(v); r.CanInt() {
				return r.Int()%1000%10 == last
			}
			return int64(reflect.ValueOf(v).Uint()%10) == last
		}
	}
	for _, c := range []struct {
		in, want any
		keep     func(v any) bool
	}{
		{-2305843009213693951, -1, ends(-1)},
		{uint64(1<<64 - 1), uint64(5), ends(5)},
		{int8(113), int8(13), func(v any) bool { return v.(int8)%100 == 13 }},
		{uint8(205), uint8(205), func(v any) bool { return v.(uint8) > 200 }},
		{7, 7, func(any) bool { t.Error("7 has few digits"); return true }},
		{"113", "113", func(any) bool { return true }},
		{1e9, 1e9, func(any) bool { return true }},
		{true, true, func(any) bool { return true }},
	} {
		r := Reducer{Best: []any{c.in}, Keep: func(vals []any) bool { return c.keep(vals[0]) }, Spent: func() bool { return false }}
		if r.Digits(); r.Best[0] != c.want {
			t.Errorf("%v: %v, want %v", c.in, r.Best[0], c.want)
		}
	}
}
