package text

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestShortDiffKeepsOneLineOfContext(t *testing.T) {
	got := strings.Join(shortDiff(reporttest.Diff, false), "\n")
	want := " \tsum := x + y\n-\tif (sum > x) != (y > 0) {\n+\tif (sum >= x) != (y > 0) {\n \t\treturn 0, ErrOverflow"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestShortDiffOfManyLines(t *testing.T) {
	removed, long := strings.Repeat("-x\n", 12), strings.Repeat("a", 300)
	for _, c := range []struct {
		name, diff string
		all        bool
		want       string
	}{
		{"a removed statement leaves a blank line", " a\n-b\n+\t\n c\n", false, " a\n-b\n c"},
		{"a blank line is put in", " a\n+\t\n c\n", false, " a\n+\t\n c"},
		{"what stays of a statement", " a\n-b\n+\t_ = v\n c\n", false, " a\n-b\n+\t_ = v\n c"},
		{"many lines", " a\n" + removed + "+y\n c\n", false, " a\n-x\n-x\n-x\n-x\n-x\n... 7 lines more\n+y\n c"},
		{"all of them", " a\n" + removed + "+y\n c\n", true, " a\n" + removed + "+y\n c"},
		{"a long line", "-" + long + "1\n+" + long + "2\n", false, "-…" + long[:50] + "1\n+…" + long[:50] + "2"},
		{"all of it", "-" + long + "1\n+" + long + "2\n", true, "-" + long + "1\n+" + long + "2"},
		{"as many as are shown", " a\n" + strings.Repeat("+x\n", 8) + " c\n", false, " a\n" + strings.Repeat("+x\n", 8) + " c"},
	} {
		if got := strings.Join(shortDiff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n"+c.diff, c.all), "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
