package codequality_test

import (
	"bytes"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/codequality"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

func TestCodeQuality(t *testing.T) {
	var b bytes.Buffer
	if err := (codequality.Format{Root: "go"}).Write(&b, reporttest.Verified()); err != nil {
		t.Fatal(err)
	}
	goldenfile.Compare(t, "verify.golden", b.Bytes())

	// An empty report is a list.
	b.Reset()
	if err := (codequality.Format{}).Write(&b, reporttest.Minimized()); err != nil || b.String() != "[]\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
