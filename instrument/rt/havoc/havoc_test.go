package havoc

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// one holds an argument of each type that a fuzz target can have.
func one() []any {
	return []any{
		[]byte("bytes (1, 2)"), "string {3}", true, byte(4), 'r', int(5), int8(6), int16(7), int64(8),
		uint(9), uint16(10), uint32(11), uint64(12), float32(1.5), float64(2.5),
	}
}

func TestSameSeedSameInputs(t *testing.T) {
	run := func(seed uint64) []string {
		m := New(NewRand(seed), Options{Dict: [][]byte{[]byte("token")}})
		parent := one()
		var got []string
		var dst []any
		for i := range 2000 {
			if i%100 == 0 {
				m.AddToken([]byte(fmt.Sprint("t", i)))
			}
			dst = m.Mutate(dst, parent, one)
			got = append(got, fmt.Sprintf("%q", dst))
			if i%7 == 0 {
				parent = append([]any(nil), dst...)
			}
		}
		return got
	}
	a, b, c := run(1), run(1), run(2)
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs with one seed differ")
	}
	if reflect.DeepEqual(a, c) {
		t.Error("two seeds give the same inputs")
	}
}

func TestStateIsAllThereIs(t *testing.T) {
	r := NewRand(5)
	m := New(r, Options{})
	parent := []any{[]byte("some text, 1 and (2)"), 7}
	for range 100 {
		m.Mutate(nil, parent, one)
	}
	state := r.State()
	want := fmt.Sprint(m.Mutate(nil, parent, nil), m.Mutate(nil, parent, nil))
	fresh := New(NewRand(0), Options{})
	fresh.r.SetState(state)
	if got := fmt.Sprint(fresh.Mutate(nil, parent, nil), fresh.Mutate(nil, parent, nil)); got != want {
		t.Errorf("after SetState: %s, want %s", got, want)
	}
}

func TestParentAndOtherAreNotTouched(t *testing.T) {
	m := New(NewRand(6), Options{})
	parent, donor := one(), one()
	for range 20_000 {
		out := m.Mutate(nil, parent, func() []any { return donor })
		for _, a := range out { // as a target may
			if b, ok := a.([]byte); ok {
				for i := range b[:cap(b)] {
					b[:cap(b)][i] = 0xaa
				}
			}
		}
	}
	if !reflect.DeepEqual(parent, one()) || !reflect.DeepEqual(donor, one()) {
		t.Errorf("parent is now %q, other %q", parent, donor)
	}
}

func TestResultsStay(t *testing.T) {
	m := New(NewRand(7), Options{})
	parent := []any{[]byte("some text"), "and more"}
	var kept [][]any
	var printed []string
	for range 1000 {
		out := m.Mutate(nil, parent, nil)
		kept = append(kept, out)
		printed = append(printed, fmt.Sprintf("%q", out))
	}
	for i := range kept {
		if got := fmt.Sprintf("%q", kept[i]); got != printed[i] {
			t.Fatalf("result %d was %s and is now %s", i, printed[i], got)
		}
	}
}

func TestTypesStayAndEachArgumentChanges(t *testing.T) {
	m := New(NewRand(8), Options{})
	parent := one()
	changed := make([]int, len(parent))
	same := 0
	for range 5000 {
		out := m.Mutate(nil, parent, one)
		if len(out) != len(parent) {
			t.Fatalf("%d arguments, want %d", len(out), len(parent))
		}
		any := false
		for i := range out {
			if reflect.TypeOf(out[i]) != reflect.TypeOf(parent[i]) {
				t.Fatalf("argument %d is a %T, want a %T", i, out[i], parent[i])
			}
			if !reflect.DeepEqual(out[i], parent[i]) {
				changed[i]++
				any = true
			}
		}
		if !any {
			same++
		}
	}
	for i, n := range changed {
		if n < 50 {
			t.Errorf("argument %d (%T) changed %d times in 5000", i, parent[i], n)
		}
	}
	if same > 50 {
		t.Errorf("%d of 5000 results are the parent", same)
	}
}

func TestSingleArgumentChanges(t *testing.T) {
	for _, a := range one() {
		m := New(NewRand(9), Options{})
		for range 1000 {
			if out := m.Mutate(nil, []any{a}, nil); reflect.DeepEqual(out[0], a) {
				t.Errorf("%T: %v stays as it is", a, a)
				break
			}
		}
	}
}

// Each value must be reached within 20,000 tries from the one before the arrow.
func TestScalarsReachBoundaries(t *testing.T) {
	for _, c := range []struct{ from, to any }{
		{true, false},
		{int8(0), int8(-128)},
		{int8(0), int8(127)},
		{int8(5), int8(6)},
		{byte(0), byte(255)},
		{byte('a'), byte('b')},
		{int16(0), int16(-32768)},
		{uint16(0), uint16(65535)},
		{int32(0), int32(math.MinInt32)},
		{'a', 'A'},
		{'a', rune(0xd800)},
		{'a', rune(-1)},
		{uint32(0), uint32(math.MaxUint32)},
		{uint32(1), uint32(1 << 31)},
		{0, math.MaxInt},
		{0, math.MinInt},
		{0, 1 << 30},
		{10, 5},
		{10, 20},
		{10, -10},
		{10, 0},
		{10, 256},
		{int64(0), int64(math.MinInt64)},
		{int64(7), int64(1<<53 + 1)},
		{uint(0), uint(math.MaxUint)},
		{uint64(0), uint64(1 << 63)},
		{uint64(0), uint64(math.MaxUint64)},
		{float32(1), float32(math.Inf(1))},
		{float32(1), math.Nextafter32(1, 2)},
		{float32(1.5), float32(1)},
		{1.0, math.Inf(-1)},
		{1.0, math.Nextafter(1, 2)},
		{1.5, 1.0},
		{1.0, -1.0},
		{3.0, float64(1 << 53)},
	} {
		m := New(NewRand(10), Options{})
		n := 0
		for ; n < 20_000 && m.Mutate(nil, []any{c.from}, nil)[0] != c.to; n++ {
		}
		if n == 20_000 {
			t.Errorf("%T: %v from %v not reached in %d tries", c.from, c.to, c.from, n)
		}
	}
	m := New(NewRand(10), Options{})
	for n := 0; ; n++ {
		if f := m.Mutate(nil, []any{1.0}, nil)[0].(float64); f != f {
			break
		}
		if n == 20_000 {
			t.Fatal("NaN not reached")
		}
	}
}

func TestMaxLen(t *testing.T) {
	m := New(NewRand(11), Options{MaxLen: 20, Dict: [][]byte{bytes.Repeat([]byte("d"), 50)}})
	if m.AddToken(make([]byte, 21)) {
		t.Error("a token beyond MaxLen was taken")
	}
	parent := []any{bytes.Repeat([]byte("(a) "), 10), "0123456789012345678", 1}
	reached := false
	for range 20_000 {
		out := m.Mutate(nil, parent, func() []any { return parent })
		b, s := out[0].([]byte), out[1].(string)
		if len(b) > 20 || len(s) > 20 {
			t.Fatalf("lengths %d and %d, want at most 20", len(b), len(s))
		}
		reached = reached || len(s) == 20
	}
	if !reached {
		t.Error("no result has the full length")
	}
}

func TestSizesStayNearTheParents(t *testing.T) {
	m := New(NewRand(12), Options{})
	parent := []any{bytes.Repeat([]byte("word (1) "), 100)}
	n, longer, shorter := 0, 0, 0
	for range 5000 {
		switch l := len(m.Mutate(nil, parent, nil)[0].([]byte)); {
		case l > 1300:
			longer++
		case l < 600:
			shorter++
		default:
			n++
		}
	}
	if n < 4000 || longer == 0 || shorter == 0 {
		t.Errorf("sizes: %d near, %d much longer, %d much shorter", n, longer, shorter)
	}
}

func TestTextMostlyStaysText(t *testing.T) {
	m := New(NewRand(13), Options{})
	parent := []any{`{"name": "value", "list": [1, 2, 3]}`}
	text := 0
	for range 5000 {
		withInput(m, []byte(m.Mutate(nil, parent, nil)[0].(string)), true)
		ok := true
		for _, b := range m.buf {
			ok = ok && classes[b] != classControl
		}
		if ok {
			text++
		}
	}
	if text < 3500 || text == 5000 {
		t.Errorf("%d of 5000 results are text, want most but not all", text)
	}
}

func TestOtherIsAskedOnceAtMost(t *testing.T) {
	m := New(NewRand(14), Options{})
	asked := 0
	for range 5000 {
		calls := 0
		m.Mutate(nil, []any{[]byte("abcdef"), "ghi"}, func() []any {
			calls++
			return []any{[]byte("uvwxyz"), "xyz"}
		})
		if calls > 1 {
			t.Fatalf("asked %d times", calls)
		}
		asked += calls
	}
	if asked < 200 || asked > 4500 {
		t.Errorf("asked in %d of 5000 calls", asked)
	}
}

func TestOddInputs(t *testing.T) {
	type strange struct{ x int }
	m := New(NewRand(15), Options{})
	for _, other := range []func() []any{nil, func() []any { return nil }, func() []any { return []any{1, "x", nil} }} {
		for range 2000 {
			if out := m.Mutate(nil, nil, other); len(out) != 0 {
				t.Fatalf("got %v from nothing", out)
			}
			out := m.Mutate(nil, []any{strange{1}, nil, []byte(nil), ""}, other)
			if out[0] != (strange{1}) || out[1] != nil {
				t.Fatalf("got %v", out)
			}
		}
	}
}

func TestDictionary(t *testing.T) {
	m := New(NewRand(16), Options{Dict: [][]byte{[]byte("fixed")}, MaxTokens: 2})
	for _, c := range []struct {
		token string
		isNew bool
	}{{"", false}, {"fixed", false}, {"a", true}, {"a", false}, {"b", true}, {"c", true}, {"b", false}, {"a", true}} {
		if got := m.AddToken([]byte(c.token)); got != c.isNew {
			t.Errorf("AddToken(%q) = %t, want %t", c.token, got, c.isNew)
		}
	}
	if got := fmt.Sprintf("%s", m.dict.tokens); got != "[fixed a c]" && got != "[fixed c a]" {
		t.Errorf("tokens are %s", got)
	}
}

func TestIntnIsEvenAndInBounds(t *testing.T) {
	r := NewRand(17)
	for _, n := range []int{1, 2, 3, 10, 17} {
		counts := make([]int, n)
		for range 10_000 * n {
			counts[r.Intn(n)]++
		}
		for i, c := range counts {
			if c < 9_500 || c > 10_500 {
				t.Errorf("Intn(%d) gave %d %d times, want about 10000", n, i, c)
			}
		}
	}
}

func TestNearbySeedsAreUnrelated(t *testing.T) {
	same := 0
	for seed := range uint64(1000) {
		a, b := NewRand(seed).Uint64(), NewRand(seed+1).Uint64()
		for i := range 64 {
			if a>>i&1 == b>>i&1 {
				same++
			}
		}
	}
	if same < 31_000 || same > 33_000 {
		t.Errorf("%d of 64000 bits agree, want about half", same)
	}
}

func FuzzMutate(f *testing.F) {
	f.Add(uint64(1), []byte("{[(1)]}"), "a \"b\" c\n", []byte("x"), int64(3), 1.5)
	f.Add(uint64(2), []byte{}, "", []byte{}, int64(0), 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, b []byte, s string, donor []byte, i int64, x float64) {
		m := New(NewRand(seed), Options{MaxLen: 100, Dict: [][]byte{donor}})
		parent := []any{b, s, i, x, seed, donor}
		was := fmt.Sprintf("%q", parent)
		for range 50 {
			out := m.Mutate(nil, parent, func() []any { return []any{donor, string(b), i + 1, x * 2} })
			if n := len(out[0].([]byte)); n > 100 {
				t.Fatalf("%d bytes", n)
			}
			if n := len(out[1].(string)); n > 100 {
				t.Fatalf("%d bytes of string", n)
			}
		}
		if now := fmt.Sprintf("%q", parent); now != was {
			t.Fatalf("parent was %s, is %s", was, now)
		}
	})
}

func ExampleMutator_Mutate() {
	m := New(NewRand(1), Options{Dict: [][]byte{[]byte("false")}})
	parent := []any{[]byte(`{"a": true}`), 7}
	seen := make(map[string]bool)
	for range 5000 {
		in := m.Mutate(nil, parent, nil)
		seen[fmt.Sprintf("%s %d", in[0], in[1])] = true
	}
	fmt.Println(len(seen) > 500, seen[`{"a": false} 7`])
	// Output: true true
}
