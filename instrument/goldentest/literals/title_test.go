package literals

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// Cases are found by their titles in what go test prints, where a blank is an underscore.
func TestTitlesDiffer(t *testing.T) {
	long := strings.Repeat("0123456789", 5)
	for _, c := range []struct {
		name string
		args [][]any
		want []string
	}{
		{"nothing but letters", [][]any{{"a"}, {"b"}}, []string{"a", "b"}},
		{"invisible characters", [][]any{{"a\u00a0b"}, {"a\u200bb"}, {"a b"}}, []string{`a\u00a0b`, `a\u200bb`, "a b"}},
		{"a letter with a mark, and one with that mark in it", [][]any{{"e\u0301"}, {"\u00e9"}}, []string{`e\u0301`, "é"}},
		{"a quote", [][]any{{`a"b`}, {"a'b"}, {"ab"}}, []string{`a"b`, "a'b", "ab"}},
		{"an escape and its text", [][]any{{"\n"}, {`\n`}}, []string{`\n`, `\\n`}},
		{"a byte that is no character, and what stands for it", [][]any{{"\xff"}, {"\ufffd"}}, []string{`\xff`, "\ufffd"}},
		{"another argument", [][]any{{"a, b", "c"}, {"a", "b, c"}}, []string{`"a, b", "c"`, `"a", "b, c"`}},
		{"a blank and an underscore", [][]any{{"a b"}, {"a_b"}, {"a-b"}}, []string{`"a\u0020b"`, `"a_b"`, "a-b"}},
		{"the end of long texts", [][]any{{long + "\r"}, {long + "\n"}, {"\r" + long}}, []string{`...23456789\r`, `...23456789\n`, `\r` + long[:38] + "..."}},
		{"the last of long arguments", [][]any{{long, 1}, {long, 2}}, []string{"...456789, 1", "...456789, 2"}},
		{"a long text and its beginning", [][]any{{long}, {long + "x"}}, []string{"...23456789", "...23456789x"}},
		{"the same twice", [][]any{{"a"}, {"a"}}, []string{`"a"`, `"a"`}},
	} {
		if diff := cmp.Diff(c.want, Titles(c.args, make([][]string, len(c.args)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
