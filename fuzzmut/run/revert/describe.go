package revert

import (
	"cmp"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// Describe lists the hunks of a file as reports have them. A hunk is in a declaration of the
// new code, or of the old code if there is none. Where several change one line, each has that
// line as it is without this one alone.
func Describe(f *versions.File) (list []behavior.Hunk) {
	was, is := hunk.NamesOf(f.Old), hunk.NamesOf(f.New)
	for k, h := range f.Hunks {
		d := behavior.Hunk{
			File: f.Name, In: cmp.Or(is.At(h.NewLine, h.NewCount), was.At(h.OldLine, h.OldCount)),
			Line: h.NewLine, End: h.NewLine + h.NewCount - 1,
			Was: lines(f.Old, h.OldLine, h.OldCount), Is: lines(f.New, h.NewLine, h.NewCount),
			Number: k + 1,
		}
		if text, line, count, ok := hunk.Alone(f.Old, f.New, f.Hunks, k); ok {
			d.Line, d.End, d.Was, d.Is = line, line+count-1, text, lines(f.New, line, count)
		}
		list = append(list, d)
	}
	return list
}

// lines returns n lines of a text from one on, which counts from 1.
func lines(text []byte, from, n int) string {
	all := strings.SplitAfter(string(text), "\n")
	from = min(max(from-1, 0), len(all))
	return strings.TrimSuffix(strings.Join(all[from:min(from+n, len(all))], ""), "\n")
}
