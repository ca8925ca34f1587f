package instrument_test

import (
	"maps"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestInnerSitesHaveTheFunctionsThatTheyStandIn(t *testing.T) {
	p := &instrument.Program{
		Funcs: []instrument.Func{
			{Name: "F", File: "/a.go", Line: 3},
			{Name: "G", File: "/a.go", Line: 9},
			{Name: "H", File: "/b.go", Line: 3},
			{Name: "", File: "/b.go", Line: 5},
		},
		Sites: []instrument.Site{
			{Name: "p.F", File: "/a.go", Line: 3, Inner: true},
			{Name: "p.G", File: "/a.go", Line: 9}, // a call that stands there
			{Name: "p.H", File: "/b.go", Line: 3, Inner: true},
			{Name: "p.None", File: "/b.go", Line: 4, Inner: true},
		},
	}
	if got, want := p.Inner(), map[int]string{0: "p.F", 2: "p.H"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := new(instrument.Program).Inner(); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestGoldenNames(t *testing.T) {
	for _, c := range []struct {
		site instrument.Site
		want string
	}{
		{instrument.Site{Name: "p.F"}, "p.F"},
		{instrument.Site{Name: "p.(*T).M", Called: "p.I.M"}, "p.I.M"},
		{instrument.Site{Name: "p.F", In: "check"}, "p.F in check"},
		{instrument.Site{Name: "p.F", Called: "p.G", In: "check"}, "p.G in check"},
	} {
		if got := c.site.GoldenName(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.site, got, c.want)
		}
	}
}

func TestGoldenValuesHaveNoTypes(t *testing.T) {
	s := instrument.Site{Values: []string{"result 0 (gjson.Result)", "argument v", "result 1 (func(int) (string))", "receiver t (*p.T)"}}
	for i, want := range []string{"result 0", "argument v", "result 1", "receiver t"} {
		if got := s.GoldenValue(i); got != want {
			t.Errorf("value %d: %q, want %q", i, got, want)
		}
	}
}

func TestGoldenViews(t *testing.T) {
	values := []string{"result 0 (int)", "receiver t (*p.T)", "receiver"}
	for _, view := range []golden.View{golden.ViewAll, golden.ViewNone} {
		s := instrument.Site{Values: values, View: view}
		for i, want := range []golden.View{view, golden.ViewNone, view} {
			if got := s.GoldenView(i); got != want {
				t.Errorf("%s of a site with view %v: %v, want %v", values[i], view, got, want)
			}
		}
		s.Receiver = true
		if got := s.GoldenView(1); got != view {
			t.Errorf("%s where test cases are made: %v, want %v", values[1], got, view)
		}
		s.Target = true
		for i := range values {
			if got := s.GoldenView(i); got != golden.ViewNone {
				t.Errorf("%s of a target: %v", values[i], got)
			}
		}
	}
}

// Nothing of a census is shared with one that it was added to.
func TestCensusIsCopiedWhenAdded(t *testing.T) {
	var sum, part instrument.Census
	part.Count(false, "cgo", false)
	part.Count(false, "logging call", true)
	sum.Add(part)
	sum.Add(part)
	part.Count(false, "cgo", false)
	if sum.Sites != 4 || sum.Left["cgo"] != 2 || sum.Noise["logging call"] != 2 {
		t.Errorf("%+v", sum)
	}
	if part.Sites != 3 || part.LeftOut() != 2 || part.Suppressed() != 1 {
		t.Errorf("%+v", part)
	}
	var none instrument.Census
	none.Add(instrument.Census{})
	if none.Sites != 0 || none.Left != nil || none.Noise != nil || none.LeftOut() != 0 {
		t.Errorf("%+v", none)
	}
}
