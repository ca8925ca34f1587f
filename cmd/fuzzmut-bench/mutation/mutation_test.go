package mutation

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestGremlinsScore(t *testing.T) {
	got, err := gremlinsScore([]byte(`{"files": [
		{"file_name": "a.go", "mutations": [{"type": "X", "status": "KILLED"}, {"status": "LIVED"}]},
		{"file_name": "b.go", "mutations": [{"status": "TIMED OUT"}, {"status": "NOT COVERED"}, {"status": "NOT VIABLE"}]}
	]}`))
	want := report.Score{Mutants: 4, Killed: 2, Survived: 1, NotCovered: 1, Score: 0.5, KillKinds: map[string]int{"": 2}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, text := range []string{"", "{}", `{"files": []}`} {
		if _, err := gremlinsScore([]byte(text)); err == nil {
			t.Errorf("%q is taken for a result", text)
		}
	}
}

func TestTheMedianRunCounts(t *testing.T) {
	b := &mutationBench{reps: 3}
	s, err := b.median(func(rep int) (mutationSample, error) {
		return mutationSample{CPU: []time.Duration{3, 1, 2}[rep] * time.Second, score: report.Score{Mutants: 1000}}, nil
	})
	if err != nil || s.each(s.CPU) != 2 {
		t.Errorf("%v, %v", s, err)
	}
}
