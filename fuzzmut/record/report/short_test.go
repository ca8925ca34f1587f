package report

import (
	"slices"
	"strings"
	"testing"
)

// Long lines of a diff show what differs, on both sides; others stay as they are.
func TestShortLines(t *testing.T) {
	long := strings.Repeat("a", 1000)
	for _, c := range []struct {
		name        string
		lines, want []string
	}{
		{"short", []string{" x", "-a", "+b", " y"}, []string{" x", "-a", "+b", " y"}},
		{"none", nil, nil},
		{
			"differs late",
			[]string{"-\tx := `" + long + "1" + long + "`", "+\tx := `" + long + "2" + long + "`"},
			[]string{"-…" + long[:50] + "1" + long[:149] + "…", "+…" + long[:50] + "2" + long[:149] + "…"},
		},
		{"differs soon", []string{"-1" + long, "+2" + long}, []string{"-1" + long[:199] + "…", "+2" + long[:199] + "…"}},
		{"the second of two", []string{"-x", "-" + long + "1", "+y", "+" + long + "2"}, []string{"-x", "-…" + long[:50] + "1", "+y", "+…" + long[:50] + "2"}},
		{"around it", []string{" " + long, "-a", "+b"}, []string{" " + long[:200] + "…", "-a", "+b"}},
		{"fewer", []string{"-" + long, "-" + long + "1", "+" + long + "2"}, []string{"-" + long[:200] + "…", "-" + long[:200] + "…", "+" + long[:200] + "…"}},
		{"put in", []string{" x", "+" + long}, []string{" x", "+" + long[:200] + "…"}},
	} {
		before := slices.Clone(c.lines)
		if got := ShortLines(c.lines); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if !slices.Equal(before, c.lines) {
			t.Errorf("%s: what was given is changed", c.name)
		}
	}
}
