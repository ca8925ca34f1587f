package unittest

import (
	"fmt"
	"slices"
	"testing"
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
	res := l.finish(&suite{shared: true, reason: "why", tests: []*test{{Test: Test{Name: "TestA"}}, {Test: Test{Name: "TestB"}}}})
	if len(res.Tests) != 2 || res.Tests[0].Kills != 2 || res.Tests[1].Kills != 0 || !res.Shared || res.Reason != "why" {
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
