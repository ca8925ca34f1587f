package format

import (
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/markdown"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// mostOfComment is what GitHub takes as one comment, in bytes.
const mostOfComment = 1 << 16

// comment is a result as Markdown: that of diff has a page, of others there is the text.
type comment struct{}

func (comment) Write(w io.Writer, r report.Result) error { return Summary(w, r, mostOfComment) }

// Summary writes a result as Markdown, in most bytes at most: 16 KiB at least, and 64 are enough
// for a result of diff.
func Summary(w io.Writer, r report.Result, most int) error {
	var plain strings.Builder
	if err := (text.Format{}).Write(&plain, r); err != nil {
		return err
	}
	return markdown.Summary(w, r, plain.String(), most)
}
