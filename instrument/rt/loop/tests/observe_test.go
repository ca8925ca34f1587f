package tests

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// shows makes a test that shows values at sites, as a rewritten call does.
func shows(values func(mutant uint32) []any) func(*suite, uint32) bool {
	return func(_ *suite, mutant uint32) bool {
		fuzzmutrt.Fuel -= 5
		for site, v := range values(mutant) {
			if fuzzmutrt.Observing {
				fuzzmutrt.ObserveHook(uint32(site), []any{v})
			}
		}
		return false
	}
}

// observed asks what is seen of mutants, each with all tests.
func observed(t *testing.T, tests []func(*suite, uint32) bool, mutants ...uint32) ([]wire.Observed, *program) {
	t.Helper()
	p, out := newSuite(t, tests...)
	req := &wire.Observe{}
	var all []int
	for i := range tests {
		req.Tests = append(req.Tests, wire.TestCost{Test: i, Fuel: 10, Cost: 10})
		all = append(all, i)
	}
	for _, m := range mutants {
		req.Items = append(req.Items, wire.TryItem{Mutant: m, Tests: all})
	}
	request(t, p.suite, &wire.Request{Observe: req})
	var got []wire.Observed
	for _, r := range replies(t, out) {
		if r.Observed != nil {
			got = append(got, *r.Observed)
		}
	}
	if fuzzmutrt.Observing {
		t.Error("values are observed after the request")
	}
	return got, p
}

func TestWhatCallsReturnIsObserved(t *testing.T) {
	runs := 0
	first := shows(func(m uint32) []any { return []any{"a", 1} })
	second := shows(func(m uint32) []any {
		switch m {
		case 1:
			return []any{"a", 2}
		case 2:
			return []any{"a"}
		}
		return []any{"a", 1}
	})
	random := shows(func(uint32) []any {
		runs++
		return []any{runs}
	})
	half := shows(func(m uint32) []any {
		runs++
		return []any{struct{ Stays, Differs int }{int(m), runs}}
	})
	nothing := shows(func(uint32) []any { return nil })
	tooMany := shows(func(m uint32) []any { return append(make([]any, observe.MaxEvents+mostValues+1), m) })
	many := shows(func(m uint32) []any { return append(make([]any, observe.MaxEvents+mostValues-1), m) })
	for _, c := range []struct {
		name  string
		tests []func(*suite, uint32) bool
		want  []wire.Observed
	}{
		{"a value, and another call", []func(*suite, uint32) bool{first, second}, []wire.Observed{
			{Mutant: 1, Runs: 3, Shown: &wire.Shown{Test: 1, Site: 1, Text: "1 vs 2", Plain: true}},
			{Mutant: 2, Runs: 3, Shown: &wire.Shown{Test: 1, Site: 1, Value: observe.WholeSite, Text: "value 0 of site 1 vs nothing more"}},
			{Mutant: 3, Runs: 2},
		}},
		{"what is different each time does not count", []func(*suite, uint32) bool{random, second}, []wire.Observed{
			{Mutant: 1, Runs: 2, Shown: &wire.Shown{Test: 1, Site: 1, Text: "1 vs 2", Plain: true}},
			{Mutant: 2, Runs: 2, Shown: &wire.Shown{Test: 1, Site: 1, Value: observe.WholeSite, Text: "value 0 of site 1 vs nothing more"}},
			{Mutant: 3, Runs: 1},
		}},
		{"a field that is different each time does not count", []func(*suite, uint32) bool{half}, []wire.Observed{
			{Mutant: 1, Runs: 2, Shown: &wire.Shown{Text: ".Stays: 0 vs 1", Plain: true, Field: "..Stays"}},
			{Mutant: 2, Runs: 2, Shown: &wire.Shown{Text: ".Stays: 0 vs 2", Plain: true, Field: "..Stays"}},
			{Mutant: 3, Runs: 2, Shown: &wire.Shown{Text: ".Stays: 0 vs 3", Plain: true, Field: "..Stays"}},
		}},
		{"a test that shows nothing is not run with mutants", []func(*suite, uint32) bool{nothing}, []wire.Observed{{Mutant: 1}, {Mutant: 2}, {Mutant: 3}}},
		{"nor is one that shows too much", []func(*suite, uint32) bool{tooMany}, []wire.Observed{{Mutant: 1}, {Mutant: 2}, {Mutant: 3}}},
		{"nobody can name the last of many values", []func(*suite, uint32) bool{many, second}, []wire.Observed{
			{Mutant: 1, Runs: 4, Shown: &wire.Shown{Test: 1, Site: 1, Text: "1 vs 2", Plain: true}},
			{Mutant: 2, Runs: 4, Shown: &wire.Shown{Test: 1, Site: 1, Value: observe.WholeSite, Text: "value 0 of site 1 vs nothing more"}},
			{Mutant: 3, Runs: 3},
		}},
	} {
		got, _ := observed(t, c.tests, 1, 2, 3)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What depends on the order of maps does not count, whether a mutant takes the same element or another.
func TestWhatDependsOnTheOrderOfMapsIsNotObserved(t *testing.T) {
	var order uint64
	set := fuzzmutrt.SetOrder
	fuzzmutrt.SetOrder = func(o uint64) { order = o % exec.Orders }
	defer func() { fuzzmutrt.SetOrder = set }()
	first := shows(func(m uint32) []any {
		v := struct{ First, Size int }{int(order), 2}
		switch m {
		case 1:
			v.First = 5
		case 2:
			v.Size = 3
		}
		return []any{v}
	})
	got, _ := observed(t, []func(*suite, uint32) bool{first}, 1, 2)
	want := []wire.Observed{{Mutant: 1, Runs: 1}, {Mutant: 2, Runs: 2, Shown: &wire.Shown{Text: ".Size: 2 vs 3", Plain: true, Field: "..Size"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if order != 0 {
		t.Errorf("maps stay in order %d", order)
	}
}

// What a mutant leaves in the process is not taken for what it returns, and no other mutant is
// run there.
func TestAProcessThatIsNotAsItWasIsSpent(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  func(state *int, m uint32) (failed bool)
	}{
		{"the original returns something else after it", func(state *int, m uint32) bool {
			*state += int(m)
			return false
		}},
		{"the test fails with it", func(_ *int, m uint32) bool { return m == 1 }},
		{"the test fails after it", func(state *int, m uint32) bool {
			failed := *state != 0
			*state += int(m)
			return failed
		}},
	} {
		state := 0
		got, p := observed(t, []func(*suite, uint32) bool{func(s *suite, m uint32) bool {
			failed := c.bad(&state, m)
			shows(func(uint32) []any { return []any{state} })(s, m)
			return failed
		}}, 1, 2)
		if want := []wire.Observed{{Mutant: 1, Runs: 1, Spent: true}}; !slices.Equal(got, want) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if slices.Contains(p.ran, "A:2") {
			t.Errorf("%s: ran %v", c.name, p.ran)
		}
	}
}

// A test whose values never settle says nothing, and is not run with mutants.
func TestTestsThatDoNotSettleAreLeftOut(t *testing.T) {
	n := uint32(0)
	got, p := observed(t, []func(*suite, uint32) bool{func(s *suite, m uint32) bool {
		n++
		if fuzzmutrt.Observing {
			fuzzmutrt.ObserveHook(n, []any{1}) // at another site each time
		}
		return false
	}}, 1)
	if want := []wire.Observed{{Mutant: 1}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if slices.Contains(p.ran, "A:1") {
		t.Errorf("ran %v", p.ran)
	}
}

// The mutants are off while a value is looked at, and a method of it that does not end is
// ended by itself.
func TestMethodsOfObservedValues(t *testing.T) {
	got, p := observed(t, []func(*suite, uint32) bool{shows(func(uint32) []any { return []any{endless{}} })}, 1)
	if want := []wire.Observed{{Mutant: 1, Runs: 1}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if p.suite.dooms != (exec.Dooms{}) || p.suite.doom != fuzzmutrt.NotDoomed {
		t.Errorf("the test is doomed: %d, %v", p.suite.doom, p.suite.dooms)
	}
}

// endless is an error whose method does not end.
type endless struct{}

func (endless) Error() string {
	for {
		fuzzmutrt.Burn()
	}
}
