//go:build unix

package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// costly is what a worker says of an input that may cost too much in a function.
func costly(function, words string) *worker.Costly {
	input := fake.Input(words)
	return &worker.Costly{
		Costly: wire.Costly{Growing: wire.Growing{Input: input.Wire(), Pump: wire.Pump{First: []byte(";")}}, Frames: []string{function + " /m/m.go:3"}, Count: 1},
		Input:  input,
	}
}

func TestInputsThatMayCostTooMuchAreMeasured(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs map[string]string // words by function
		costs  int
	}{
		{"its work grows with the square", map[string]string{"m.F": "square"}, 1},
		{"it does not", map[string]string{"m.F": "linear"}, 0},
		{"one of two, in the same function in the end", map[string]string{"m.F": "square", "m.G": "square"}, 1},
		{"it can't be measured", map[string]string{"m.F": "hang", "m.G": "end"}, 0},
	} {
		s := campaignOf(t, Options{Search: finding()})
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for function, words := range c.inputs {
			s.Trial.Engine.Growth.Add(costly(function, words))
		}
		if err := s.weighWithin(t.Context(), 0); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := s.Result().Costs; len(got) != c.costs {
			t.Errorf("%s: %+v", c.name, got)
		}
		if len(s.costly) != c.costs {
			t.Errorf("%s: benchmarks of %d inputs", c.name, len(s.costly))
		}
	}
}

// What grows by its time alone is one if the search has seen that, and if no other input of the same function costs too
// much. Nothing is tried to stop it.
func TestInputsThatTakeTimeAreMeasured(t *testing.T) {
	for _, c := range []struct {
		name   string
		words  string
		byTime bool
		beside string // words of an input of the same function that grows by its work
		grows  string // "" if it is not costly
	}{
		{"its time grows with the square", "timely", true, "", growth.Time},
		{"its work does as well, after all", "square", true, "", growth.Work},
		{"it does not", "linear", true, "", ""},
		{"the search has not seen it", "timely", false, "", ""},
		{"there is another", "timely", true, "square", growth.Work},
	} {
		s := campaignOf(t, Options{Search: finding()})
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		in := costly("fake.Target", c.words)
		in.ByTime = c.byTime
		s.Trial.Engine.Growth.Add(in)
		if c.beside != "" {
			s.Trial.Engine.Growth.Add(costly("fake.Target", c.beside))
		}
		if err := s.weighWithin(t.Context(), 0); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		grows := ""
		for _, cost := range s.Result().Costs {
			grows += cost.Grows
		}
		if grows != c.grows || len(s.costly) != min(len(c.grows), 1) {
			t.Errorf("%s: %+v", c.name, s.Result().Costs)
		}
	}
}

// Places that are measured at the same time have the time of as many processors.
func TestSharesOfPlaces(t *testing.T) {
	for _, c := range []struct {
		places, n int
		want      time.Duration
	}{
		{1, 1, 12 * time.Second},
		{2, 1, 6 * time.Second},
		{10, 1, 3 * time.Second},
		{1, 2, 12 * time.Second},
		{3, 2, 8 * time.Second},
		{10, 2, 6 * time.Second},
		{10, 8, 12 * time.Second},
		{0, 2, 12 * time.Second},
	} {
		if got := shareOf(12*time.Second, c.places, c.n); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// What stops the growth are survivors in the functions on the stack, also after one that ends
// the process.
func TestMutantsThatStopTheGrowthAreShown(t *testing.T) {
	s := campaignOf(t, Options{Search: finding()})
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	fn, mutants := s.Trial.Package.Program.Funcs[0], s.Trial.Package.Program.Mutants
	for i := range mutants {
		mutants[i].ID, mutants[i].Line = fmt.Sprint("m", i+1), i
	}
	mutants[5].Line = mutants[4].Line // one for each line
	for _, m := range []int{1, 2, 3, 5, 6} {
		s.Result().Mutants[m-1].Status = report.Survived
	}
	s.Result().Mutants[3].Status = report.Killed
	n := growth.Candidate{Costly: *costly("m.F", "square e1 r3 r4 r5 r6")}
	for times := 1 << 12; times <= 1<<15; times *= 2 {
		n.Sizes = append(n.Sizes, wire.Size{Times: times, Len: times, Fuel: int64(times) * int64(times)})
	}
	for _, c := range []struct {
		frame string
		want  int
	}{{fmt.Sprintf("%s %s:%d", fn.Name, fn.File, fn.Line), 2}, {"m.F /m/elsewhere.go:1", 0}} {
		s.Result().Costs = []report.Cost{{}}
		s.costly = []*costs.Finding{{Candidate: &n, Frames: []string{c.frame}, Verdict: growth.Verdict{Grows: growth.Work}, Bound: costs.Default}}
		if err := s.stopGrowth(t.Context(), 0, 1); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range s.Result().Costs[0].Repairs {
			got = append(got, r.ID)
		}
		if want := []string{"m3", "m5"}[:c.want]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.frame, got, want)
		}
	}
}

// A measurement that does not end is ended, and takes no time from another place. So is one that the
// user interrupts. What was not measured is reported, unless it is the user who wants to go.
func TestTheMeasurementOfCostsEnds(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		s := campaignOf(t, Options{Search: finding()})
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Trial.Engine.Growth.Add(costly("m.A", "block"))
		s.Trial.Engine.Growth.Add(costly("m.B", "square"))
		ctx, limit := t.Context(), time.Second
		if interrupted {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
			limit = time.Hour
		}
		err := s.weighWithin(ctx, limit)
		if found := len(s.Result().Costs) == 1; err != nil || found == interrupted {
			t.Errorf("interrupted: %v: %v, %+v", interrupted, err, s.Result().Costs)
		}
		told := slices.ContainsFunc(s.Trial.Warnings(), func(w string) bool {
			return strings.HasPrefix(w, "inputs of 1 place may cost too much, and there was no time to measure them")
		})
		if told == interrupted {
			t.Errorf("interrupted: %v: %q", interrupted, s.Trial.Warnings())
		}
	}
}
