package havoc

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
)

// How what an operator leaves relates to what it was given.
const (
	sameSize  = 1 << iota // as many bytes
	permuted              // the same bytes in another order
	oneByte               // all but one byte are as they were
	shrinks               // some bytes are gone, the others are in their order
	grows                 // bytes have come, the others are in their order
	ownBytes              // none that was not there
	valueOnly             // a block of 8 bytes at most differs
)

var relations = map[string]int{
	"flip-bit": sameSize | oneByte, "flip-byte": sameSize | oneByte, "set-byte": sameSize | oneByte, "add-byte": sameSize | oneByte,
	"add-integer": sameSize | valueOnly, "set-integer": sameSize | valueOnly, "set-length": sameSize | valueOnly, "copy-integer": sameSize | valueOnly,
	"swap-bytes":  permuted,
	"insert-byte": grows, "insert-bytes": grows, "insert-run": grows, "delete-byte": shrinks,
	"fill-block": sameSize, "scramble-block": sameSize,
	"delete-block": shrinks, "cut-end": shrinks, "cut-start": shrinks,
	"repeat-block": grows | ownBytes, "copy-block": grows | ownBytes, "overwrite-block": sameSize | ownBytes,
	"move-block": permuted, "swap-blocks": permuted, "double": grows | ownBytes,
	"insert-token": grows, "overwrite-token": sameSize, "insert-from-other": grows, "overwrite-from-other": sameSize,
	"insert-number": grows, "insert-rune": grows, "insert-escape": grows,
	"delete-tokens": shrinks, "copy-tokens": grows | ownBytes, "copy-over-token": ownBytes, "swap-tokens": permuted,
	"delete-line": shrinks, "move-line": permuted,
	"delete-group": shrinks, "empty-group": shrinks, "unwrap-group": shrinks,
	"repeat-group": grows | ownBytes, "copy-group": ownBytes, "nest-group": ownBytes, "wrap": grows,
}

// What an operator is called holds for whatever it does; where it says that it does not
// apply, it may have done a part of it.
func TestOperatorsDoWhatTheyAreCalled(t *testing.T) {
	r := NewRand(21)
	m := New(r, Options{MaxLen: 60, Dict: [][]byte{[]byte("TOKEN"), []byte("x")}})
	other := func() []any { return []any{"{other}(text) 12"} }
	for i := range operators {
		op := &operators[i]
		want := relations[op.name]
		ran := 0
		for range 1500 {
			in := randomInput(r, 41)
			withInput(m, in, r.OneIn(2))
			m.donate = newDonor(other)
			if op.run(m) {
				ran++
			}
			if why := broken(want, in, m.buf); why != "" {
				t.Fatalf("%s: %s: %q became %q", op.name, why, in, m.buf)
			}
		}
		if ran < 100 {
			t.Errorf("%s applied to %d of 1500 inputs", op.name, ran)
		}
	}
	for name := range relations {
		operatorNamed(t, name)
	}
}

// broken says which relation does not hold; "" if all do.
func broken(relation int, in, out []byte) string {
	differ, first, last := 0, -1, -1
	for i := range min(len(in), len(out)) {
		if in[i] != out[i] {
			if differ++; first < 0 {
				first = i
			}
			last = i
		}
	}
	has := func(one int) bool { return relation&one != 0 }
	switch {
	case has(sameSize|permuted) && len(in) != len(out):
		return "it has another size"
	case has(permuted) && !bytes.Equal(sorted(in), sorted(out)):
		return "it has other bytes"
	case has(oneByte) && differ > 1:
		return "several bytes differ"
	case has(valueOnly) && last-first >= 8:
		return "more than an integer differs"
	case has(shrinks) && !within(out, in):
		return "something has come"
	case has(grows) && !within(in, out):
		return "something is gone"
	}
	if has(ownBytes) {
		for _, b := range out {
			if !bytes.Contains(in, []byte{b}) {
				return fmt.Sprintf("%q was not there", b)
			}
		}
	}
	return ""
}

func sorted(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Sort(b)
	return b
}

// within reports whether the bytes of few are in many, in their order.
func within(few, many []byte) bool {
	for _, b := range many {
		if len(few) > 0 && few[0] == b {
			few = few[1:]
		}
	}
	return len(few) == 0
}

func TestIntegersInBothByteOrders(t *testing.T) {
	for _, c := range []struct {
		bytes string
		big   bool
		want  uint64
	}{
		{"\x12", false, 0x12},
		{"\x12", true, 0x12},
		{"\x12\x34", false, 0x3412},
		{"\x12\x34", true, 0x1234},
		{"\x01\x02\x03\x04\x05\x06\x07\x88", false, 0x8807060504030201},
		{"\x01\x02\x03\x04\x05\x06\x07\x88", true, 0x0102030405060788},
	} {
		if got := get([]byte(c.bytes), c.big); got != c.want {
			t.Errorf("get(%q, %v) = %#x, want %#x", c.bytes, c.big, got, c.want)
		}
		b := make([]byte, len(c.bytes))
		if put(b, c.want, c.big); string(b) != c.bytes {
			t.Errorf("put(%#x, %v) writes %q, want %q", c.want, c.big, b, c.bytes)
		}
		if put(b, c.want+1<<(8*len(b)-1)<<1, c.big); string(b) != c.bytes { // what is above is cut
			t.Errorf("of a number that is too large it writes %q", b)
		}
	}
}

func TestDecimals(t *testing.T) {
	values := []int64{0, 1, -1, 9, 10, -10, 99, 100, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	r := NewRand(22)
	for range 200 {
		values = append(values, int64(r.Uint64()>>r.Intn(64)), -int64(r.Uint64()>>r.Intn(64)))
	}
	for _, v := range values {
		if got, want := string(appendDecimal([]byte("x"), v)), "x"+strconv.FormatInt(v, 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTokenAt(t *testing.T) {
	long := bytes.Repeat([]byte("a"), 3*maxToken)
	for _, c := range []struct {
		text     string
		at       int
		from, to int
	}{
		{"a", 0, 0, 1},
		{"foo_1 bar", 2, 0, 5},
		{"foo_1 bar", 5, 5, 6},
		{"foo_1 bar", 8, 6, 9},
		{"a \t\r\n b", 3, 1, 6},
		{"((a))", 1, 1, 2}, // brackets are tokens each
		{"a\x00\x00b", 1, 1, 2},
		{"größe+", 3, 0, 7},
		{string(long), maxToken + 10, 10, 2*maxToken + 10}, // as far as a token is followed
		{string(long), 0, 0, maxToken},
		{string(long), len(long) - 1, len(long) - 1 - maxToken, len(long)},
	} {
		if from, to := tokenAt([]byte(c.text), c.at); from != c.from || to != c.to {
			t.Errorf("of %.20q at %d: %d to %d, want %d to %d", c.text, c.at, from, to, c.from, c.to)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		text     string
		at       int
		from, to int // 0, 0: there is none
	}{
		{"f(a(b)c)d", 0, 1, 8},
		{"f(a(b)c)d", 2, 3, 6},
		{"f(a(b", 0, 0, 0}, // nothing is closed
		{"f((b)", 0, 2, 5}, // the inner one is
		{"[(])", 0, 0, 3},  // brackets of other kinds do not count
		{"<a>", 0, 0, 3},
		{"{}", 0, 0, 2},
		{`x "a(b" )`, 0, 2, 7},
		{`"a\"b"`, 0, 0, 6},
		{`"a\\"b"`, 0, 0, 5},
		{`"a\`, 0, 0, 0},
		{"'a`b'", 0, 0, 5},
		{")(", 0, 0, 0},
	} {
		m := withInput(New(NewRand(1), Options{}), []byte(c.text), true)
		from, to, ok := m.groupFrom(c.at)
		if ok != (c.to > 0) || from != c.from || to != c.to {
			t.Errorf("in %q from %d: %d to %d, %v; want %d to %d", c.text, c.at, from, to, ok, c.from, c.to)
		}
	}
}

// The search for a group, and for its end, has bounds.
func TestGroupsAreNotLookedForEverywhere(t *testing.T) {
	spaces := func(n int) []byte { return bytes.Repeat([]byte(" "), n) }
	for _, c := range []struct {
		name string
		text []byte
		ok   bool
	}{
		{"near", slices.Concat(spaces(groupSearch-1), []byte("()")), true},
		{"far", slices.Concat(spaces(groupSearch), []byte("()")), false},
		{"large", slices.Concat([]byte("("), spaces(maxGroup-2), []byte(")")), true},
		{"too large", slices.Concat([]byte("("), spaces(maxGroup-1), []byte(")")), false},
		{"large text", slices.Concat([]byte(`"`), spaces(maxGroup-2), []byte(`"`)), true},
		{"too large text", slices.Concat([]byte(`"`), spaces(maxGroup-1), []byte(`"`)), false},
	} {
		m := withInput(New(NewRand(1), Options{}), c.text, true)
		if _, _, ok := m.groupFrom(0); ok != c.ok {
			t.Errorf("%s: %v", c.name, ok)
		}
	}
}

func TestSeparators(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"[(a),(b)]", 5, 8, ",(b)"}, // the one before
		{"[(a),(b)]", 1, 4, "(a),"}, // or after
		{"[(a)]", 1, 4, "(a)"},
		{"(a)", 0, 3, "(a)"},
		{"(a)\n", 0, 3, "(a)\n"},
	} {
		m := withInput(New(NewRand(1), Options{}), []byte(c.text), true)
		from, to := m.separated(c.from, c.to)
		if got := c.text[from:to]; got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.text[c.from:c.to], c.text, got, c.want)
		}
	}
}

func TestRoom(t *testing.T) {
	m := withInput(New(NewRand(1), Options{MaxLen: 8}), []byte("abcd"), true)
	if m.room != 4 {
		t.Fatalf("room is %d", m.room)
	}
	if m.insert(2, []byte("12345")) || string(m.buf) != "abcd" || m.room != 4 {
		t.Errorf("inserted what has no room: %q", m.buf)
	}
	if m.insert(1, nil) {
		t.Error("inserted nothing")
	}
	if !m.insert(2, []byte("123")) || string(m.buf) != "ab123cd" || m.room != 1 {
		t.Errorf("%q, room %d", m.buf, m.room)
	}
	if m.replace(0, 2, []byte("wxyz")) || string(m.buf) != "ab123cd" {
		t.Errorf("replaced by what has no room: %q", m.buf)
	}
	if !m.replace(0, 2, []byte("xyz")) || string(m.buf) != "xyz123cd" || m.room != 0 {
		t.Errorf("%q, room %d", m.buf, m.room)
	}
	if n := m.gap(3, 2); n != 0 {
		t.Errorf("%d bytes where there is no room", n)
	}
	if !m.replace(3, 6, []byte("-")) || string(m.buf) != "xyz-cd" || m.room != 2 {
		t.Errorf("%q, room %d", m.buf, m.room)
	}
	if !m.replace(2, 4, nil) || string(m.buf) != "xycd" || m.room != 4 {
		t.Errorf("%q, room %d", m.buf, m.room)
	}
	m.remove(0, 4)
	if len(m.buf) != 0 || m.room != 8 {
		t.Errorf("%q, room %d", m.buf, m.room)
	}
}

// A donor may have fewer arguments, or ones of other types.
func TestPartsOfADonor(t *testing.T) {
	m := New(NewRand(1), Options{})
	for _, c := range []struct {
		args     []any
		arg      int
		length   int
		from, to int
		want     string
	}{
		{[]any{"abcdef"}, 0, 6, 2, 4, "cd"},
		{[]any{[]byte("abcdef")}, 0, 6, 2, 4, "cd"},
		{[]any{"abcdef"}, 0, 6, 4, 99, "ef"},
		{[]any{[]byte("abcdef")}, 0, 6, 98, 99, ""},
		{[]any{1, "x"}, 1, 1, 0, 1, "x"},
		{[]any{1, "x"}, 0, 0, 0, 1, ""},
		{[]any{1, "x"}, 2, 0, 0, 1, ""},
		{nil, 0, 0, 0, 1, ""},
	} {
		d := donor{ask: func() []any { return c.args }, arg: c.arg}
		if n, got := d.length(), string(d.slice(m, c.from, c.to)); n != c.length || got != c.want {
			t.Errorf("%v[%d]: length %d, %q; want %d, %q", c.args, c.arg, n, got, c.length, c.want)
		}
	}
}

// The oldest token makes room, and may come back; fixed ones stay.
func TestTokensMakeRoom(t *testing.T) {
	m := New(NewRand(1), Options{Dict: [][]byte{[]byte("f"), []byte("g"), []byte("f"), nil}, MaxTokens: 3, MaxLen: 4})
	for _, c := range []struct{ add, want string }{
		{"a", "f g a"},
		{"b", "f g a b"},
		{"c", "f g a b c"},
		{"d", "f g d b c"},
		{"e", "f g d e c"},
		{"a", "f g d e a"},
		{"h", "f g h e a"},
		{"g", "f g h e a"},
		{"long!", "f g h e a"},
		{"b", "f g h b a"},
	} {
		m.AddToken([]byte(c.add))
		if got := string(bytes.Join(m.dict.tokens, []byte(" "))); got != c.want {
			t.Errorf("with %s: %s, want %s", c.add, got, c.want)
		}
		if len(m.dict.known) != len(m.dict.tokens) {
			t.Errorf("with %s: %d are known of %d", c.add, len(m.dict.known), len(m.dict.tokens))
		}
	}
	token := []byte("zz")
	m.AddToken(token)
	token[0] = 'y'
	if m.AddToken([]byte("zz")) {
		t.Error("a token has changed with the memory of the caller")
	}
}

// An argument that came out as it was is changed again: what is not a number is no
// exception.
func TestNotANumberChanges(t *testing.T) {
	m := New(NewRand(23), Options{})
	nan := math.NaN()
	same := 0
	for range 2000 {
		out := m.Mutate(nil, []any{nan}, func() []any { return []any{nan} })
		if math.Float64bits(out[0].(float64)) == math.Float64bits(nan) {
			same++
		}
		out = m.Mutate(nil, []any{float32(nan)}, func() []any { return []any{float32(nan)} })
		if math.Float32bits(out[0].(float32)) == math.Float32bits(float32(nan)) {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 4000 are as they were", same)
	}
}

func TestRandGoesOnFromAState(t *testing.T) {
	a := NewRand(7)
	a.Uint64()
	b := new(Rand)
	b.SetState(a.State())
	for range 10 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("%d and %d", x, y)
		}
	}
	r := NewRand(8)
	for range 100 {
		if !r.OneIn(1) {
			t.Fatal("one in one is not always")
		}
		if n := r.Intn(1); n != 0 {
			t.Fatalf("%d of one", n)
		}
	}
}

// Mix loses nothing: no two of many numbers have one image.
func TestMixIsABijection(t *testing.T) {
	seen := make(map[uint64]uint64)
	for i := range uint64(1 << 12) {
		for _, x := range []uint64{i, i << 52, ^i} {
			y := Mix(x)
			if other, ok := seen[y]; ok && other != x {
				t.Fatalf("%d and %d become %d", x, other, y)
			}
			seen[y] = x
		}
	}
}
