package literals

import (
	"strings"
	"testing"
)

func TestTitles(t *testing.T) {
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"1.2", "1"}, "1.2, 1"},
		{[]any{[]byte("a\x00b\n"), true, int8(-3)}, `a\x00b\n, true, -3`},
		{[]any{"\xff"}, `\xff`},
		{[]any{"", 1}, `"", 1`},
		{[]any{`"a\b"`}, `"a\\b"`},
		{[]any{strings.Repeat("ä", 50)}, strings.Repeat("ä", titleMost) + "..."},
	} {
		if got := Title(c.args, nil); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}
