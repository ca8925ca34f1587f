package unittest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stir is a function that takes ten times as long when it is traced, and its test.
const stir = `
-- p.go --
package p

func Stir(n int) (x uint32) {
	for i := range n {
		x = x*31 + uint32(i)&7 ^ x>>3
	}
	return x
}
-- p_test.go --
package p

import "testing"

func TestStir(t *testing.T) {
	if Stir(10_000_000) == 0 {
		t.Error("0")
	}
}
`

func TestTestThatIsSlowOnlyWhenTracedJudges(t *testing.T) {
	b := build(t, unpack(t, stir), "all")
	b.setDefaults()
	b.Timeout = 300 * time.Millisecond
	l, err := newLauncher(t.Context(), &b.Options, newLedger(&b.Options))
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure(l)
	if err != nil {
		t.Fatal(err)
	}
	test := s.tests[0]
	if !test.slow || !test.judges() || test.reached.Len() == 0 || test.allocs == 0 {
		t.Errorf("slow: %t, judges: %t, reaches %d mutants, with %d allocations", test.slow, test.judges(), test.reached.Len(), test.allocs)
	}
}

// waits has four tests: the first ends, and the others do not.
const waits = `
-- p.go --
package p

func Sum(n int) (s int) {
	for i := 0; i < n; {
		s += i
	}
	return s
}
-- p_test.go --
package p

import "testing"

func TestNone(t *testing.T) { Sum(0) }

func TestOne(t *testing.T) { Sum(1) }

func TestTwo(t *testing.T) { Sum(2) }

func TestThree(t *testing.T) { Sum(3) }
`

func TestRunStopsAtSecondTestThatDoesNotEnd(t *testing.T) {
	b := build(t, unpack(t, waits), "all")
	b.Timeout = 300 * time.Millisecond
	b.Place = func(test string) string { return "at " + test }
	var log strings.Builder
	b.Log = &log
	_, err := Run(t.Context(), b.Options)
	var red *BaselineError
	if !errors.As(err, &red) {
		t.Fatal(err)
	}
	var got []string
	for _, a := range red.Tests {
		what, place, _ := strings.Cut(a.Output, ", ") // either line of the loop
		if place != "at p.go:4 in Sum" && place != "at p.go:5 in Sum" {
			t.Errorf("it is %q", place)
		}
		got = append(got, a.String()+": "+what)
	}
	want := []string{
		"TestOne (at TestOne) does not end: not finished within 300ms",
		"TestTwo (at TestTwo) does not end: not finished within 300ms",
	}
	if diff := cmp.Diff(want, got); diff != "" || !red.Stopped {
		t.Errorf("stopped: %t; -want +got:\n%s", red.Stopped, diff)
	}
	if strings.Contains(log.String(), "TestThree") {
		t.Errorf("the third test has begun:\n%s", &log)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		timeout time.Duration
		traced  bool
		known   time.Duration
		want    time.Duration
	}{
		{0, true, 0, 2 * time.Minute},
		{0, false, 0, 10 * time.Minute},
		{0, true, time.Millisecond, time.Minute},
		{0, false, time.Millisecond, time.Minute},
		{0, true, 2 * time.Minute, 100 * time.Minute},
		{0, false, 2 * time.Minute, 10 * time.Minute},
		{5 * time.Second, true, 0, 5 * time.Second},
		{5 * time.Second, false, 0, 5 * time.Second},
		{5 * time.Second, true, 3 * time.Second, 150 * time.Second},
		{5 * time.Second, false, 3 * time.Second, 5 * time.Second},
		{time.Hour, true, 0, 2 * time.Minute},
		{time.Hour, false, 0, time.Hour},
	} {
		s := &suite{launch: &launcher{o: &Options{Timeout: c.timeout}}}
		if got := s.limit(c.traced, c.known); got != c.want {
			t.Errorf("-timeout %v, traced %t, known %v: %v, want %v", c.timeout, c.traced, c.known, got, c.want)
		}
	}
}
