package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestWhatOtherTestsSayOfSurvivors(t *testing.T) {
	var ms []report.Mutant
	for i, o := range []report.Others{
		{Status: report.Killed, KilledBy: "TestAdd"},
		{Status: report.Killed},
		{Status: report.Pending, Reason: "no time"},
		{Status: report.Pending, Reason: "no test passes"},
		{Status: report.Pending, Reason: "no time"},
		{Status: report.Survived},
		{Status: report.NotCovered},
	} {
		m := reporttest.Mutant(fmt.Sprintf("m%d", i), fmt.Sprintf("f%d", i), i+1, report.Survived, 9, 9)
		m.OtherTests = o
		ms = append(ms, m)
	}
	write := func(ms []report.Mutant) string {
		var b strings.Builder
		if err := (Format{}).Write(&b, &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Mutants: ms}}}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := write(ms)
	for _, want := range []string{
		"    no other test notices 2 of them, which come first; other tests notice 2\n" +
			"    other tests were not tried on 1: no test passes\n" +
			"    other tests were not tried on 2: no time\n",
		"went undetected; no other test notices it  [m5]\n", "; TestAdd notices it  [m0]\n", "; the unit tests notice it  [m1]\n", "; other tests not tried  [m3]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if first, last := strings.Index(got, "[m6]"), strings.Index(got, "[m2]"); first < 0 || last < first {
		t.Errorf("what no test notices does not come first:\n%s", got)
	}
	if got := write(ms[2:3]); strings.Contains(got, "0 of them") || strings.Contains(got, "notice 0") {
		t.Errorf("a figure that was not measured:\n%s", got)
	}
	for i := range ms {
		ms[i].OtherTests = report.Others{}
	}
	if got := write(ms); strings.Contains(got, "test notice") || strings.Contains(got, "other tests") {
		t.Errorf("nobody has asked:\n%s", got)
	}
}
