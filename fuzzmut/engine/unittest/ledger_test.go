package unittest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestTheLedgerSumsUp(t *testing.T) {
	var told []string
	var progress []Progress
	o := Options{
		Verdicts: func(v Verdict) { told = append(told, fmt.Sprintf("%d %s", v.Mutant, v.Status)) },
		Progress: func(p Progress) { progress = append(progress, p) },
	}
	l := newLedger(&o)
	l.expect(4)
	l.phase("mutants")
	l.decide(Verdict{Mutant: 3, Status: StatusKilled, Test: "TestA"})
	l.decide(Verdict{Mutant: 1, Status: StatusSurvived})
	l.decide(Verdict{Mutant: 2, Status: StatusKilled, Test: "TestA"})
	l.decide(Verdict{Mutant: 4, Status: StatusKilled}) // before the first test
	if want := []string{"3 killed", "1 survived", "2 killed", "4 killed"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	if p := l.progress; p.Done != 4 || p.Total != 4 || p.Killed != 3 || p.Survived != 1 || progress[0].Phase != "mutants" {
		t.Errorf("progress %+v", p)
	}
	res := l.finish(&suite{shared: true, tests: []*test{
		{Test: Test{Name: "TestA"}, once: true},
		{Test: Test{Name: "TestB"}},
		{Test: Test{Name: "TestC"}, once: true, record: record{aside: true}},
	}})
	if len(res.Tests) != 2 || res.Tests[0].Kills != 2 || res.Tests[1].Kills != 0 || !res.Shared || res.Reason != "do not pass again in a process in which the tests have run: TestA" {
		t.Errorf("%+v", res)
	}
	for i, v := range res.Verdicts {
		if int(v.Mutant) != i+1 {
			t.Errorf("verdict %d is on mutant %d", i, v.Mutant)
		}
	}
	if res := newLedger(&o).finish(nil); res.Shared || len(res.Tests) > 0 {
		t.Errorf("of tests that are not known: %+v", res)
	}
}

// Of the long tests that run, the progress has the one that began first.
func TestTheProgressSaysWhatItWaitsFor(t *testing.T) {
	var told []string
	l := newLedger(&Options{Progress: func(p Progress) { told = append(told, p.Test) }})
	a := l.waitFor("A", 0)
	b := l.waitFor("B", 0)
	a()
	again := l.waitFor("B", 0)
	b()
	again()
	if want := []string{"A", "A", "B", "B", "B", ""}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// Kills by a test that was set aside are taken back, and what it alone has reached is not
// covered.
func TestKillsBySetAsideTestsAreTakenBack(t *testing.T) {
	var withdrawn []uint32
	o := &Options{Withdrawn: func(ids []uint32) { withdrawn = ids }}
	s := newTestSuite(o, instrument.Mutant{}, instrument.Mutant{}, instrument.Mutant{}, instrument.Mutant{})
	s.tests[0].reached = bitset.Of(1, 3, 4)
	l := s.launch.ledger
	l.expect(4)
	l.decide(Verdict{Mutant: 1, Status: StatusKilled, Test: "A"})
	l.decide(Verdict{Mutant: 2, Status: StatusKilled, Test: "B"})
	l.decide(Verdict{Mutant: 3, Status: StatusSurvived, Tests: []string{"A", "B"}, Infected: []string{"A"}})
	l.decide(Verdict{Mutant: 4, Status: StatusSurvived, Tests: []string{"A"}, Infected: []string{"A"}})
	if err := s.setAside(s.tests[0]); err != nil {
		t.Fatal(err)
	}
	if got := l.withdraw(s); !slices.Equal(got, []uint32{1}) || !slices.Equal(withdrawn, got) || l.progress.Done != 3 || l.progress.Killed != 1 {
		t.Errorf("taken back %d, told %d, %+v", got, withdrawn, l.progress)
	}
	if got := l.withdraw(s); got != nil {
		t.Errorf("taken back twice: %d", got)
	}
	var got []string
	for _, v := range l.finish(s).Verdicts {
		got = append(got, fmt.Sprintf("%s %v %v", v.show(), v.Tests, v.Aside))
	}
	want := []string{"killed B [] []", "survived " + noOther + " [B] []", "not-covered [] [A]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := s.setAside(s.tests...); err == nil {
		t.Error("all tests are set aside")
	}
}
