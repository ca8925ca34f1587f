package unittest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// sleeps has a test that takes an hour, between two others.
const sleeps = `
-- p.go --
package p

func Less(a, b int) bool { return a < b }

func Quick(a int) bool { return a > 7 }

func Slow(a int) bool { return a > 9 }
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestLess(t *testing.T) {
	if !Less(1, 2) || Less(2, 2) {
		t.Error()
	}
}

func TestSlow(t *testing.T) {
	Slow(1)
	Quick(8)
	time.Sleep(time.Hour)
}

func TestQuick(t *testing.T) { Quick(1) }
`

// A test that does not fit into the time is as one that -skip names, but what it may reach is not called not covered.
func TestTestsThatDoNotFitAreLeftOut(t *testing.T) {
	b := build(t, unpack(t, sleeps), "all")
	b.Baseline = 9 * time.Second
	var told []string
	all := 0
	b.Options.LeftOut = func(names []string, n int) { told, all = names, n }
	b.Options.SetAside = func(list []SetAside) { t.Errorf("set aside: %v", Describe(list)) }
	res := b.run(t)
	want := []string{"TestSlow"}
	if !cmp.Equal(want, told) || all != 3 || !cmp.Equal(want, res.LeftOut) || len(res.Tests) != 2 || len(res.SetAside) != 0 {
		t.Errorf("told %v of %d; left out %v, judging %v, set aside %v", told, all, res.LeftOut, res.Tests, res.SetAside)
	}
	status := make(map[string]map[Status]int)
	for _, v := range res.Verdicts {
		m := &b.Program.Mutants[v.Mutant-1]
		if status[m.Func] == nil {
			status[m.Func] = make(map[Status]int)
		}
		status[m.Func][v.Status]++
		if v.Status == StatusNotRun && v.Reason != TestsLeftOut {
			t.Errorf("%s: %s", m.Description, v.show())
		}
	}
	if s := status["Slow"]; len(s) != 1 || s[StatusNotRun] == 0 {
		t.Errorf("what only the test reaches that is left out: %v", s)
	}
	if s := status["Quick"]; s[StatusSurvived] == 0 || s[StatusNotRun] > 0 {
		t.Errorf("what another test reaches: %v", s)
	}
	if s := status["Less"]; s[StatusKilled] == 0 || s[StatusNotRun] > 0 {
		t.Errorf("what a test kills: %v", s)
	}
}

// What an earlier run knows of a mutant counts, whatever has reached it there.
func TestEarlierVerdictsCountForTestsThatAreLeftOut(t *testing.T) {
	b := build(t, unpack(t, sleeps), "all")
	b.Baseline = 9 * time.Second
	b.Known = func(m *instrument.Mutant, _ []string) (Verdict, bool) {
		return Verdict{Status: StatusSurvived}, m.Func == "Slow"
	}
	known := 0
	for _, v := range b.run(t).Verdicts {
		if b.Program.Mutants[v.Mutant-1].Func != "Slow" {
			continue
		}
		if known++; v.Status != StatusSurvived || !v.Reused {
			t.Errorf("%+v", v)
		}
	}
	if known == 0 {
		t.Error("no mutant is known")
	}
}

// Where the tests that fit in reach nothing, all of them run.
func TestAllTestsRunIfThoseThatFitReachNothing(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Less(a, b int) bool { return a < b }
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestLess(t *testing.T) {
	time.Sleep(1500 * time.Millisecond)
	if !Less(1, 2) || Less(2, 2) {
		t.Error()
	}
}

func TestNothing(t *testing.T) {}
`), "all")
	b.Baseline = 3 * time.Second
	b.Options.LeftOut = func(names []string, _ int) { t.Errorf("left out: %v", names) }
	res := b.run(t)
	if len(res.Tests) != 2 || len(res.LeftOut) != 0 {
		t.Errorf("judging %v, left out %v", res.Tests, res.LeftOut)
	}
	for _, v := range res.Verdicts {
		if v.Status == StatusKilled {
			return
		}
	}
	t.Error("nothing is killed")
}

func TestRoom(t *testing.T) {
	if newRoom(0, time.Now()) != nil {
		t.Error("a bound, without one")
	}
	r := newRoom(time.Hour, time.Now().Add(-30*time.Minute))
	about := func(got, want time.Duration) bool { return got <= want && got > want-2*time.Minute }
	if got := r.rest(10); !about(got, 15*time.Minute) {
		t.Errorf("one of ten tests has %v", got)
	}
	if got := r.rest(1); !about(got, 30*time.Minute) {
		t.Errorf("the last test has %v", got)
	}
	for _, c := range []struct {
		all, least, want time.Duration
	}{
		{time.Hour, time.Minute, 20 * time.Minute},
		{time.Hour, 2 * time.Hour, time.Hour},
		{time.Hour, 30 * time.Minute, 30 * time.Minute},
		{-time.Second, time.Hour, 0},
	} {
		if got := evenly(c.all, c.least)(3); got > c.want || c.want > 0 && !about(got, c.want) {
			t.Errorf("one of three tests has %v of %v, and at least %v: want %v", got, c.all, c.least, c.want)
		}
	}
	r.took(longTrace)
	if got := r.rest(1); !about(got, 30*time.Minute) {
		t.Errorf("after a long test there are %v", got)
	}
	for range 900 {
		r.took(time.Second)
	}
	if got := r.rest(1); !about(got, 15*time.Minute) {
		t.Errorf("after short ones there are %v", got)
	}
	if got := newRoom(time.Second, time.Now()).rest(1); got <= 0 || got > time.Second/2 {
		t.Errorf("of a second there are %v, and what is short counts twice", got)
	}
	if got := newRoom(time.Hour, time.Now().Add(-time.Hour)).rest(1); got != 0 {
		t.Errorf("after the time there are %v", got)
	}
}
