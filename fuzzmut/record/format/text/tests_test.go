package text

import (
	"bytes"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func TestTestReportText(t *testing.T) {
	for name, opts := range map[string]Format{
		"tests.golden":         {},
		"tests-verbose.golden": {Verbose: true},
		"tests-quiet.golden":   {Quiet: true},
	} {
		var buf bytes.Buffer
		if err := opts.Write(&buf, reporttest.Tested()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, buf.Bytes())
	}
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, new(report.TestReport)); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "no mutants to judge\n" {
		t.Errorf("got %q", got)
	}
}
