package mutation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestTimesAreForEachMutant(t *testing.T) {
	s := mutationSample{score: report.Score{Mutants: 40}}
	if got := s.each(2 * time.Second); got != 50 {
		t.Errorf("%v ms of 2 s, want 50", got)
	}
	s.score.Mutants = 0
	if got := s.each(2 * time.Second); got != 2000 {
		t.Errorf("%v ms without a mutant", got)
	}
}

func TestACommandIsTimedWithItsChildren(t *testing.T) {
	var s mutationSample
	if err := s.time(time.Minute, t.TempDir(), "sh", "-c", "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'"); err != nil {
		t.Fatal(err)
	}
	if s.CPU <= 0 || s.wall <= 0 {
		t.Errorf("CPU %v, wall %v", s.CPU, s.wall)
	}
	err := s.time(time.Minute, t.TempDir(), "sh", "-c", "echo first; echo 'the reason' >&2; echo; exit 3")
	if err == nil || err.Error() != "sh: exit status 3: the reason" {
		t.Errorf("got %v", err)
	}
	err = s.time(10*time.Millisecond, t.TempDir(), "sleep", "60")
	if err == nil || err.Error() != "sleep did not end in 10ms" {
		t.Errorf("got %v", err)
	}
}

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "one": "one", "one\ntwo\n\n  \n": "two", "\n\n": ""} {
		if got := lastLine([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTheMedianNeedsAllRuns(t *testing.T) {
	no := errors.New("no")
	b := &mutationBench{reps: 3}
	if _, err := b.median(func(rep int) (mutationSample, error) {
		if rep == 1 {
			return mutationSample{}, no
		}
		return mutationSample{}, nil
	}); !errors.Is(err, no) {
		t.Errorf("got %v", err)
	}
	for _, args := range [][]string{{"-reps", "0"}, {"-reps", "-1"}, {"-reps", "x"}} {
		if err := RunMutation(args); err == nil || !strings.Contains(err.Error(), "reps") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
