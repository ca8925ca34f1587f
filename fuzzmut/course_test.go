package fuzzmut

import (
	"reflect"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func TestACheckGoesOnUntilCallsWereMadeAtTheSameTime(t *testing.T) {
	began := time.Now().Add(-time.Minute)
	for _, c := range []struct {
		name   string
		enough func() bool
		settings
		want bool
	}{
		{"no time", nil, settings{}, false},
		{"its time is left", nil, settings{time: time.Hour}, false},
		{"its time is over", nil, settings{time: time.Second, most: time.Hour}, true},
		{"there were enough", func() bool { return true }, settings{time: time.Second, most: time.Hour}, true},
		{"there were too few", func() bool { return false }, settings{time: time.Second, most: time.Hour}, false},
		{"all time is over", func() bool { return false }, settings{time: time.Second, most: 2 * time.Second}, true},
		{"the time was given", func() bool { return false }, settings{time: time.Second}, true},
	} {
		p := &property{enough: c.enough, settings: c.settings}
		if got := (&course{property: p, start: began}).late(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestHistoriesThatAreTheSame(t *testing.T) {
	push, pop := &term.Term{}, &term.Term{}
	call := func(x *term.Term, start, end int64, results ...any) *step {
		st := &step{call: x}
		st.start.Store(start)
		st.end.Store(end)
		for _, v := range results {
			st.results = append(st.results, reflect.ValueOf(v))
		}
		return st
	}
	first := historyOf([]*step{call(push, 1, 3), call(pop, 2, 4, 7, true)})
	for _, c := range []struct {
		name  string
		other []*step
		want  bool
	}{
		{"other times", []*step{call(push, 10, 30), call(pop, 5, 20, 7, true)}, true},
		{"one after the other", []*step{call(push, 1, 2), call(pop, 3, 4, 7, true)}, false},
		{"another result", []*step{call(push, 1, 3), call(pop, 2, 4, 7, false)}, false},
		{"another call", []*step{call(push, 1, 3), call(push, 2, 4, 7, true)}, false},
		{"a call less", []*step{call(push, 1, 3)}, false},
	} {
		if got := first.same(historyOf(c.other)); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
	panics := historyOf([]*step{call(push, 1, 3), call(pop, 2, 4, 7, true)})
	if panics.calls[1].panicked = "empty"; first.same(panics) {
		t.Error("one of the calls panics")
	}
}
