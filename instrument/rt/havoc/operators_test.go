package havoc

import (
	"bytes"
	"testing"
)

// reach asks one operator to turn from into to by itself.
type reach struct {
	operator string
	from, to string
	other    string
	binary   bool
}

var reaches = []reach{
	{operator: "flip-bit", from: "aaaa", to: "aaqa"},
	{operator: "flip-byte", from: "aaaa", to: "a\x00aa"},
	{operator: "set-byte", from: "aaaa", to: "aaa{"},
	{operator: "set-byte", from: "aaaa", to: "aaaT"}, // a byte of the dictionary's
	{operator: "set-byte", from: "aa", to: "a\xf3", binary: true},
	{operator: "add-byte", from: "aaaa", to: "aaba"},
	{operator: "add-byte", from: "aaaa", to: "aaaM"},
	{operator: "add-integer", from: "\x00\xff\x00\x00", to: "\x01\x00\x00\x00"},
	{operator: "add-integer", from: "\xff\x00\x00\x00", to: "\x00\x01\x00\x00"},
	{operator: "add-integer", from: "\x00\x00\x00\x00\x00\x00\x00\x00", to: "\xff\xff\xff\xff\xff\xff\xff\xff"},
	{operator: "set-integer", from: "12345678", to: "\x7f\xff\xff\xff\xff\xff\xff\xff"},
	{operator: "set-integer", from: "12345678", to: "12\x00\x00\x00\x8078"},
	{operator: "set-integer", from: "1234", to: "1\x80\x004"},
	{operator: "set-integer", from: "1234", to: "1\xff34"},
	{operator: "set-length", from: "xxabcd", to: "x\x04abcd"},
	{operator: "set-length", from: "xxabcd", to: "\x00\x04abcd"},
	{operator: "copy-integer", from: "ABCDxxxx", to: "ABCDABCD"},
	{operator: "copy-integer", from: "ABxxxxxx", to: "ABxxABxx"},
	{operator: "swap-bytes", from: "abcd", to: "dbca"},
	{operator: "insert-byte", from: "", to: "{"},
	{operator: "insert-byte", from: "ab", to: "ab\n"},
	{operator: "delete-byte", from: "abc", to: "ac"},
	{operator: "insert-bytes", from: "", to: "[]"},
	{operator: "insert-bytes", from: "\x00\x00", to: "\x00\x05\x00", binary: true},
	{operator: "insert-run", from: "ab", to: "abaaaa"},
	{operator: "insert-run", from: "ab", to: "a\x00\x00\x00b"},
	{operator: "fill-block", from: "abcd", to: "addd"},
	{operator: "scramble-block", from: "abcd", to: "a::d"},
	{operator: "delete-block", from: "abcdef", to: "af"},
	{operator: "cut-end", from: "abcdef", to: "abc"},
	{operator: "cut-start", from: "abcdef", to: "def"},
	{operator: "repeat-block", from: "abcd", to: "abcbcd"},
	{operator: "repeat-block", from: "ab", to: "abababab"},
	{operator: "copy-block", from: "abcd", to: "bcabcd"},
	{operator: "overwrite-block", from: "abcdef", to: "abcabc"},
	{operator: "move-block", from: "abcdef", to: "defabc"},
	{operator: "swap-blocks", from: "ab-cde", to: "cde-ab"},
	{operator: "double", from: "abc", to: "abcabc"},
	{operator: "insert-token", from: "ab", to: "aTOKENb"},
	{operator: "insert-token", from: "", to: "TOKEN"},
	{operator: "overwrite-token", from: "abcdefg", to: "aTOKENg"},
	{operator: "substitute-token", from: "a, b, c", to: "a, TOKEN, c"},
	{operator: "splice", from: "abcdef", other: "uvwxyz", to: "abcxyz"},
	{operator: "splice", from: "abcdef", other: "uvwxyz", to: "abuvwxyz"},
	{operator: "insert-from-other", from: "ab", other: "uvwxyz", to: "awxb"},
	{operator: "insert-from-other", from: "", other: "uvwxyz", to: "uvw"},
	{operator: "overwrite-from-other", from: "abcd", other: "uvwxyz", to: "axyd"},
	{operator: "replace-from-other", from: "abcd", other: "uvwxyz", to: "avwxd"},
	{operator: "token-from-other", from: "a = 1", other: "long + name", to: "name = 1"},
	{operator: "token-from-other", from: "a = 1", other: "long + name", to: "a + 1"},
	{operator: "change-number", from: "len 99;", to: "len 100;"},
	{operator: "change-number", from: "len 100;", to: "len 99;"},
	{operator: "change-number", from: "len 21;", to: "len 42;"},
	{operator: "change-number", from: "len 21;", to: "len -21;"},
	{operator: "change-number", from: "len 21;", to: "len 4294967296;"},
	{operator: "change-number", from: "len 21;", to: "len 1e400;"},
	{operator: "change-number", from: "len 21;", to: "len 217;"},
	{operator: "insert-number", from: "a", to: "a256"},
	{operator: "change-case", from: "true x", to: "TRUE x"},
	{operator: "change-case", from: "true x", to: "tRue x"},
	{operator: "delete-tokens", from: "one two three", to: "one three"},
	{operator: "copy-tokens", from: "one,two", to: "one,one,two"},
	{operator: "copy-over-token", from: "one = two", to: "one = one"},
	{operator: "swap-tokens", from: "one = three", to: "three = one"},
	{operator: "delete-line", from: "a\nb\nc\n", to: "a\nc\n"},
	{operator: "copy-line", from: "a\nb\n", to: "b\na\nb\n"},
	{operator: "copy-line", from: "a\nb", to: "b\na\nb"},
	{operator: "move-line", from: "a\nb\nc\n", to: "b\na\nc\n"},
	{operator: "insert-rune", from: "a", to: "a\u2028"},
	{operator: "replace-rune", from: "aéb", to: "a中b"},
	{operator: "insert-escape", from: `""`, to: `"\ud800"`},
	{operator: "delete-group", from: `{"a": [1, [2]], "b": 2}`, to: `{"a": , "b": 2}`},
	{operator: "delete-group", from: `[[1],[2]]`, to: `[[1]]`},
	{operator: "empty-group", from: `{"a": [1, [2]], "b": 2}`, to: `{"a": [], "b": 2}`},
	{operator: "unwrap-group", from: `f(a, (b))`, to: `fa, (b)`},
	{operator: "repeat-group", from: `[[1],[2]]`, to: `[[1],[2],[2]]`},
	{operator: "copy-group", from: `{(a b) [c]}`, to: `{(a b) (a b)}`},
	{operator: "nest-group", from: `x(y[])`, to: `x(y(y[]))`},
	{operator: "nest-group", from: `x(y[z])`, to: `x[z]`},
	{operator: "wrap", from: `a b c`, to: `a (b) c`},
	{operator: "wrap", from: `a b c`, to: `a "b" c`},
	{operator: "wrap", from: ``, to: `{{{{}}}}`},
}

func TestEveryOperatorReachesItsTargets(t *testing.T) {
	const tries = 300_000
	covered := make(map[string]bool)
	for _, c := range reaches {
		covered[c.operator] = true
		op := operatorNamed(t, c.operator)
		m := New(NewRand(1), Options{Dict: [][]byte{[]byte("TOKEN")}})
		other := func() []any { return []any{[]byte(c.other)} }
		n := 0
		for ; n < tries; n++ {
			if string(m.applied(op, c, other)) == c.to {
				break
			}
		}
		if n == tries {
			t.Errorf("%s: %q from %q not reached in %d tries", c.operator, c.to, c.from, tries)
		}
	}
	for _, op := range operators {
		if !covered[op.name] {
			t.Errorf("%s: no target", op.name)
		}
	}
}

// applied runs op once on the case's input.
func (m *Mutator) applied(op *operator, c reach, other func() []any) []byte {
	m.donate = donor{ask: other}
	m.load(len(c.from))
	m.buf = append(m.buf[:0], c.from...)
	m.text, m.near = !c.binary, -1
	op.run(m)
	return m.buf
}

func operatorNamed(t *testing.T, name string) *operator {
	t.Helper()
	for i := range operators {
		if operators[i].name == name {
			return &operators[i]
		}
	}
	t.Fatalf("no operator %q", name)
	return nil
}

// An operator must report when it can't apply, and mustn't always report success
// without a change.
func TestOperatorsOnEmptyInput(t *testing.T) {
	grows := 0
	for i := range operators {
		m := New(NewRand(2), Options{Dict: [][]byte{[]byte("TOKEN")}})
		changed := false
		for range 1000 {
			ok := operators[i].run(withInput(m, nil, true))
			if len(m.buf) > 0 && !ok {
				t.Fatalf("%s: says it does not apply, and leaves %q", operators[i].name, m.buf)
			}
			changed = changed || len(m.buf) > 0
		}
		if changed {
			grows++
		}
	}
	if grows < 6 {
		t.Errorf("%d operators grow an empty input, want at least 6", grows)
	}
}

func withInput(m *Mutator, in []byte, text bool) *Mutator {
	m.donate = donor{}
	m.load(len(in))
	m.buf = append(m.buf[:0], in...)
	m.text, m.near = text, -1
	return m
}

// No operator may exceed the room it has or touch memory beyond the input.
func TestOperatorsKeepBounds(t *testing.T) {
	r := NewRand(3)
	m := New(r, Options{MaxLen: 40, Dict: [][]byte{[]byte("TOKEN"), bytes.Repeat([]byte("x"), 39)}})
	donor := func() []any { return []any{"{" + string(make([]byte, 100)) + "}(a)"} }
	for i := range operators {
		for range 3000 {
			in := randomInput(r, 41)
			withInput(m, in, r.OneIn(2))
			m.donate = newDonor(donor)
			operators[i].run(m)
			if len(m.buf) > 40 {
				t.Fatalf("%s: %d bytes from %q, limit is 40", operators[i].name, len(m.buf), in)
			}
			if m.room < 0 {
				t.Fatalf("%s: room is %d", operators[i].name, m.room)
			}
		}
	}
}

func newDonor(ask func() []any) donor { return donor{ask: ask} }

// randomInput returns fewer than n bytes of a random kind.
func randomInput(r *Rand, n int) []byte {
	b := make([]byte, r.Intn(n))
	alphabet := "(){}[]<>\"'`\\,; \n\tab1290\xc3\xa9\xff\x00"
	for i := range b {
		b[i] = alphabet[r.Intn(len(alphabet))]
	}
	return b
}

func TestTablesAreFull(t *testing.T) {
	b, x := 0, 0
	for _, op := range operators {
		b += op.binary
		x += op.text
	}
	if b != tableSize || x != tableSize {
		t.Errorf("shares add up to %d (binary) and %d (text), want %d", b, x, tableSize)
	}
}
