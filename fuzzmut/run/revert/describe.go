package revert

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// Describe is a hunk as reports have it.
func Describe(f *versions.File, h versions.Hunk) behavior.Hunk {
	return behavior.Hunk{
		File: f.Name, Line: h.NewLine, End: h.NewLine + h.NewCount - 1,
		Was: lines(f.Old, h.OldLine, h.OldCount), Is: lines(f.New, h.NewLine, h.NewCount),
	}
}

// lines returns n lines of a text from one on, which counts from 1.
func lines(text []byte, from, n int) string {
	all := strings.SplitAfter(string(text), "\n")
	from = min(max(from-1, 0), len(all))
	return strings.TrimSuffix(strings.Join(all[from:min(from+n, len(all))], ""), "\n")
}
