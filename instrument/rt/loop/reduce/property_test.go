package reduce

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// unhurried is a reducer that may go on to the end.
func unhurried(best []any, keep func(vals []any) bool) *Reducer {
	return &Reducer{Best: best, Keep: keep, Spent: func() bool { return false }}
}

// A number ends where what is asked for begins, from whichever side and however far it is.
func TestNumbersEndAtTheBorder(t *testing.T) {
	for _, c := range []struct {
		from any
		keep func(v any) bool
		want any
	}{
		{-1000, func(v any) bool { return v.(int) <= -17 }, -17},
		{1000, func(v any) bool { return v.(int) == 1000 }, 1000},
		{math.MinInt64, func(v any) bool { return v.(int) < 0 }, -1},
		{math.MaxInt64, func(v any) bool { return v.(int) > 0 }, 1},
		{uint8(255), func(v any) bool { return v.(uint8) >= 100 }, uint8(100)},
		{uint64(math.MaxUint64), func(v any) bool { return v.(uint64) > 1<<63 }, uint64(1<<63 + 1)},
		{1234.5, func(v any) bool { return v.(float64) >= 17 }, 17.0},
		{-1234.5, func(v any) bool { return v.(float64) <= -17 }, -17.0},
		{float32(9), func(v any) bool { return v.(float32) >= 2 }, float32(2)},
		{math.Inf(1), func(v any) bool { return v.(float64) > 1e300 }, math.Inf(1)},
		{true, func(any) bool { return true }, false},
		{true, func(v any) bool { return v.(bool) }, true},
	} {
		r := unhurried([]any{c.from}, func(vals []any) bool { return c.keep(vals[0]) })
		r.Reduce()
		if r.Best[0] != c.want {
			t.Errorf("from %v: %v (%[2]T), want %v", c.from, r.Best[0], c.want)
		}
	}
	nan := unhurried([]any{math.NaN()}, func(vals []any) bool { return math.IsNaN(vals[0].(float64)) })
	if nan.Reduce(); !math.IsNaN(nan.Best[0].(float64)) {
		t.Errorf("%v", nan.Best)
	}
}

// Of a text that has to have some letters, in any places, only these are left, and of the same
// type as before; those that do not matter become plain where they can't be cut.
func TestTextsAreCutToWhatMatters(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		text := make([]byte, 1+random.IntN(80))
		for i := range text {
			text[i] = byte('a' + random.IntN(20))
		}
		var letters []byte // that have to be there, each once
		for _, c := range text {
			if random.IntN(10) == 0 && !bytes.Contains(letters, []byte{c}) {
				letters = append(letters, c)
			}
		}
		has := func(s string) bool {
			for _, c := range letters {
				if strings.IndexByte(s, c) < 0 {
					return false
				}
			}
			return true
		}
		calls := 0
		for _, asString := range []bool{false, true} {
			var from any = text
			if asString {
				from = string(text)
			}
			before := string(text)
			r := unhurried([]any{from, 7}, func(vals []any) bool {
				calls++
				if _, ok := vals[0].(string); ok != asString {
					t.Fatalf("a %T becomes a %T", from, vals[0])
				}
				return has(fmt.Sprintf("%s", vals[0]))
			})
			r.Reduce()
			if got := fmt.Sprintf("%s", r.Best[0]); len(got) != len(letters) || !has(got) || r.Best[1] != 0 {
				t.Errorf("%q with %q: %q, %v", text, letters, got, r.Best[1])
			}
			if string(text) != before {
				t.Fatalf("the input itself is changed to %q", text)
			}
		}
		if most := 60 * (len(text) + 10); calls > most {
			t.Errorf("%d bytes take %d calls", len(text), calls)
		}
		// Where the length matters, bytes that do not become plain.
		n := len(text)
		r := unhurried([]any{string(text)}, func(vals []any) bool { s := vals[0].(string); return len(s) == n && has(s) })
		r.Normalise()
		got := r.Best[0].(string)
		if plain := strings.Count(got, string(plainByte)); len(got) != n || !has(got) || plain != n-len(letters) {
			t.Errorf("%q with %q: %q", text, letters, got)
		}
	}
}

// What holds of an input holds of each that stands for it, and nothing is tried once all is
// spent.
func TestWhatIsKeptHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		most := random.IntN(60)
		calls := 0
		limit := uint32(random.IntN(900) + 1)
		keep := func(vals []any) bool {
			calls++
			h := uint32(2166136261)
			for _, b := range fmt.Appendf(nil, "%q %v %v", vals...) {
				h = (h ^ uint32(b)) * 16777619
			}
			return h%1000 < limit // some inputs, without any order
		}
		start := []any{strings.Repeat("abc", random.IntN(12)), random.IntN(1000) - 500, random.Float64() * 100}
		for !keep(start) {
			start[1] = start[1].(int) + 1
		}
		calls = 0
		r := &Reducer{Best: start, Keep: keep, Spent: func() bool { return calls >= most }}
		r.Reduce()
		r.Normalise()
		if calls > most {
			t.Errorf("%d calls of %d", calls, most)
		}
		if !keep(r.Best) {
			t.Errorf("%v is kept", r.Best)
		}
		if len(r.Best[0].(string)) > len(start[0].(string)) || math.Abs(float64(r.Best[1].(int))) > math.Abs(float64(start[1].(int))) {
			t.Errorf("from %v to %v", start, r.Best)
		}
	}
}
