package text

import (
	"bytes"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

// severally is a result in which fuzz tests of two packages share survivors.
func severally() *report.Report {
	table := func(id string) report.Mutant {
		m := reporttest.Mutant(id, "init", 7, report.Survived, 0, 0)
		m.Start = report.Start{Reached: true, Infected: true, Processes: 1}
		return m
	}
	full := reporttest.Killed("full", 50, "panic")
	full.Function = "sub"
	left := reporttest.Mutant("left", "mul", 40, report.Survived, 7, 2)
	left.KilledByLeftOut = "811e73f41885be1b"
	survived := func(id, fn string, line int) report.Mutant {
		return reporttest.Mutant(id, fn, line, report.Survived, 9, 2)
	}
	uncovered := func(id, fn string, line int) report.Mutant {
		return reporttest.Mutant(id, fn, line, report.NotCovered, 0, 0)
	}
	r := &report.Report{Tests: []report.FuzzTest{
		{Name: "FuzzFirst", Package: "example.com/calc", Mutants: []report.Mutant{
			survived("both", "add", 10), reporttest.Killed("k1", 11, "assertion"), survived("k2", "add", 12), left,
			uncovered("second", "sub", 20), uncovered("never", "pow", 30), uncovered("full", "sub", 50), table("t1"),
		}},
		{Name: "FuzzSecond", Package: "example.com/calc", Mutants: []report.Mutant{
			survived("both", "add", 10), survived("k1", "add", 11), reporttest.Killed("k2", 12, "assertion"), survived("left", "mul", 40),
			survived("second", "sub", 20), survived("second2", "sub", 21), survived("second3", "sub", 22), survived("second4", "sub", 23),
			uncovered("never", "pow", 30), uncovered("never2", "pow", 31), uncovered("full", "sub", 50), table("t1"), table("t2"),
		}},
		{Name: "FuzzThird", Package: "example.com/calc/more", Mutants: []report.Mutant{
			survived("both", "add", 10), survived("k1", "add", 11), uncovered("k2", "add", 12), survived("second", "sub", 20),
			uncovered("never", "pow", 30), uncovered("never2", "pow", 31), full, table("t1"),
		}},
	}}
	for i := range r.Tests {
		report.Classify(r.Tests[i].Mutants)
		r.Tests[i].Score = report.Summarise(r.Tests[i].Mutants)
	}
	return r
}

// What no fuzz test kills is listed once in a result, what one of them kills is not, and the figures are
// those of each fuzz test.
func TestAMutantIsListedUnderOneFuzzTest(t *testing.T) {
	for name, o := range map[string]Format{"several.golden": {}, "several-verbose.golden": {Verbose: true}} {
		var b bytes.Buffer
		if err := o.Write(&b, severally()); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, name, b.Bytes())
	}
}
