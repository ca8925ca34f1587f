package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// heavy is a difference whose sides burn that much fuel, and show these values.
func heavy(was, is int64, old, new string) *difference {
	d := &difference{sides: [2]observed.Observation{observation(old), observation(new)}}
	d.Input = corpus.Of("x")
	for side, fuel := range [2]int64{was, is} {
		d.sides[side].Fuel, d.Runs[side].Fuel = fuel, fuel
	}
	d.More = true
	return d
}

func weighing() *comparison {
	return &comparison{sides: &sides{work: lockstep.Measure{Factor: 4}}}
}

func TestWorkIsShownWhereNoValueDiffers(t *testing.T) {
	const same, other, fails = "p.F #1 result 0=1", "p.F #1 result 0=2", "fails=boom"
	for _, c := range []struct {
		d    *difference
		want string // its kind, and whether there is more work
	}{
		{heavy(50, 9000, same, same), behavior.KindWork + " more"},
		{heavy(50, 9000, same, other), behavior.KindValue + " more"},
		{heavy(50, 900, same, other), behavior.KindValue},
		{heavy(50, 900, same, same), ""}, // it was not confirmed
		{heavy(50, 9000, same, fails), behavior.KindPanic},
		{heavy(50, 9000, fails, fails), ""},
	} {
		weighing().weigh(c.d)
		got := kindOf(c.d)
		if c.d.More {
			got += " more"
		}
		if got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.d.Runs[before].Fuel, c.d.Runs[after].Fuel, got, c.want)
		}
	}
	list := []*difference{heavy(50, 9000, same, same), heavy(50, 9000, same, other), heavy(50, 9000, same, fails), heavy(50, 9000, fails, same)}
	if diff := cmp.Diff([3][]*difference{{list[2]}, {list[1], list[3]}, {list[0]}}, byKind(list), cmp.Comparer(func(a, b *difference) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRepairsOfWork(t *testing.T) {
	const same, other = "p.F #1 result 0=1", "p.F #1 result 0=2"
	for _, c := range []struct {
		d       *difference
		without string
		fuel    int64
		want    bool
	}{
		{heavy(2000, 90_000, same, same), same, 2100, true},
		{heavy(2000, 90_000, same, same), same, 7900, true}, // not much more than before
		{heavy(2000, 90_000, same, same), same, 80_000, false},
		{heavy(2000, 90_000, same, same), other, 2000, false},
		{heavy(2000, 90_000, same, other), same, 90_000, true}, // its cause is that of the value
	} {
		without := observation(c.without)
		without.Fuel = c.fuel
		if got := weighing().isRepaired(c.d, &without); got != c.want {
			t.Errorf("%s with %d: %v", c.without, c.fuel, got)
		}
	}
}

func TestWorkIsNotComparedWhereOneSideBurnsNothing(t *testing.T) {
	left := instrument.Skip{Package: "p", File: "/old/p/a.go", What: "file"}
	for _, c := range []struct {
		factor   float64
		old, new []instrument.Skip
		want     float64
	}{
		{4, nil, nil, 4},
		{0, nil, nil, 0},
		{4, []instrument.Skip{left}, nil, 0},
		{4, nil, []instrument.Skip{left}, 0},
		{4, []instrument.Skip{left}, []instrument.Skip{{Package: "p", File: "/new/p/a.go", What: "file"}}, 4},
		{4, []instrument.Skip{{Package: "p", File: "/old/p/a.go", What: "function"}}, nil, 4},
	} {
		j := &job{opts: Options{Work: c.factor}, report: new(behavior.Report)}
		s := new(sides)
		for i, skips := range [2][]instrument.Skip{c.old, c.new} {
			s.pkgs[i] = &project.Package{Program: &instrument.Program{Skips: skips}, Loaded: new(load.Result)}
		}
		if got := j.measure(s).Factor; got != c.want || (len(j.report.NotCompared) > 0) != (c.want < c.factor) {
			t.Errorf("%+v: %v, %v", c, got, j.report.NotCompared)
		}
	}
}
