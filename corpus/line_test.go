package corpus

import (
	"math"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		vals []any
		want string
	}{
		{[]any{"a=b"}, `"a=b"`},
		{[]any{[]byte("a\n\x00\xff"), "é\u2028"}, `"a\n\x00\xff", "\u00e9\u2028"`},
		{[]any{-3, uint8('a'), true, 'x', rune(7), rune(-1), 'é'}, `-3, 97, true, 'x', 7, -1, '\u00e9'`},
		{[]any{1.5, math.NaN(), math.Float64frombits(0x7ff8000000000002), float32(0.1)}, "1.5, NaN, 0x7ff8000000000002, 0.1"},
		{[]any{strings.Repeat("a", maxText)}, `"` + strings.Repeat("a", maxText) + `"`},
		{[]any{strings.Repeat("a", maxText-1) + "é"}, `"` + strings.Repeat("a", maxText-1) + `"... 81 bytes`},
		{[]any{strings.Repeat("\x80", 100)}, `"` + strings.Repeat(`\x80`, maxText-4) + `"... 100 bytes`},
	} {
		if got := Line(c.vals); got != c.want {
			t.Errorf("%v: %s, want %s", c.vals, got, c.want)
		}
	}
}
