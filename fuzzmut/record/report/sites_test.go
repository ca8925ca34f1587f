package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestFlakesSayHowOftenTheyFail(t *testing.T) {
	for want, f := range map[string]Flake{
		"failed once in 1 execution": {Seen: 1, Of: 1},
		"failed 2 times in 30,000 executions; the same input passed 4 of 5 times":                                  {Seen: 2, Of: 30_000, Passed: 4, Runs: 5},
		"failed once in 9 executions; the same input passed 0 of once; without mutants it failed 1 of 1,000 times": {Seen: 1, Of: 9, Runs: 1, Failures: 1, Repeats: 1000},
	} {
		if got := f.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestSitesAreThoseOfTheCensus(t *testing.T) {
	p := &instrument.Program{Census: instrument.Census{Sites: 2000, Left: map[string]int{"label": 7, "constant": 7, "a": 1, "b": 1}, Noise: map[string]int{"log": 30}}}
	s := SitesOf(p)
	want := Sites{Sites: 2000, Mutated: 1954, LeftOut: map[string]int{"label": 7, "constant": 7, "a": 1, "b": 1}, Suppressed: map[string]int{"log": 30}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	s.LeftOut["label"] = 0
	if p.Census.Left["label"] != 7 {
		t.Error("the census is changed")
	}
	if diff := cmp.Diff(Sites{}, SitesOf(&instrument.Program{})); diff != "" {
		t.Error(diff)
	}
}

func TestSkipsHavePathsBelowTheModule(t *testing.T) {
	p := &instrument.Program{}
	p.Test.ModuleDir = "/m"
	p.Skips = []instrument.Skip{
		{Package: "example.com/p", File: "/m/p/a.go", Line: 3, What: "init", Reason: "why"}, {Package: "fmt", File: "/go/src/fmt/print.go", Line: 9},
	}
	want := []Skip{{Package: "example.com/p", File: "p/a.go", Line: 3, What: "init", Reason: "why"}, {Package: "fmt", File: "/go/src/fmt/print.go", Line: 9}}
	if diff := cmp.Diff(want, SkipsOf(p)); diff != "" {
		t.Error(diff)
	}
}
