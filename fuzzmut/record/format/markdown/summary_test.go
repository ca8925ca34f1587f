package markdown

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestSummary(t *testing.T) {
	long := strings.Repeat("a line\n", 10_000)
	for _, c := range []struct {
		name, text string
		r          report.Result
		most       int
		want       string // what it begins with
		end        string
	}{
		{"text in a fence", "one\n``` two\n\np: score 3 of 4\n", &report.TestReport{}, 1 << 20, "## `p: score 3 of 4`\n\n````text\none\n``` two\n\np: score 3 of 4\n````\n", "````\n\n"},
		{"a line alone", "p: `score`\n", &report.TestReport{}, 1 << 20, "## `` p: `score` ``\n\n```text\np: `score`\n```\n", "```\n\n"},
		{"what does not fit", long + "the end\n", &report.TestReport{}, 1 << 14, "## `the end`\n\n```text\na line\n", " more lines\nthe end\n```\n\n"},
		{"a page of its own", "unused\n", &behavior.Report{Nothing: "tests only"}, 1 << 20, "## Nothing to compare\n", "tests only`\n"},
	} {
		var b bytes.Buffer
		if err := Summary(&b, c.r, c.text, c.most); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.HasPrefix(got, c.want) || !strings.HasSuffix(got, c.end) || len(got) > c.most {
			t.Errorf("%s: %d bytes: %.200q ... %q", c.name, len(got), got, got[max(0, len(got)-60):])
		}
	}
}
