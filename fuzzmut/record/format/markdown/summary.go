package markdown

import (
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Summary writes any result for the summary of a job, in most bytes at most: that of diff as a
// page, others as text, which is for people, in a fence. Lines that do not fit are left out at the
// end, but for the last one, which sums up.
func Summary(w io.Writer, r report.Result, text string, most int) error {
	if b, ok := r.(*behavior.Report); ok {
		return Format{}.Write(w, b)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	last := lines[len(lines)-1]
	kept, more := fit(lines[:len(lines)-1], len(lines), most-len(last)-mostOfEnd)
	if more > 0 {
		kept = withMore(kept, more)
	}
	_, err := io.WriteString(w, "## "+span(last)+"\n\n"+fence("text", append(kept, last)))
	return err
}
