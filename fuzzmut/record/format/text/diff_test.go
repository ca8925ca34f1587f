package text

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestShortDiffKeepsOneLineOfContext(t *testing.T) {
	got := strings.Join(shortDiff(reporttest.Diff), "\n")
	want := " \tsum := x + y\n-\tif (sum > x) != (y > 0) {\n+\tif (sum >= x) != (y > 0) {\n \t\treturn 0, ErrOverflow"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
