//go:build unix

package diff

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// fakePackage is the package of the fake fuzz test.
const fakePackage = "example.com/fake"

// firstValue is the value that the first word "v" of an input says.
const firstValue = "fake.Target #1 result 0"

// comparing is the comparison of a fake fuzz test whose inputs say what old code does, by
// words "old:", and new code, by words "new:". Both begin with the same entries. No part of
// the change is known.
func comparing(t *testing.T, opts Options, entries ...string) *comparison {
	t.Helper()
	c := &comparison{
		job:   &job{opts: opts, pair: new(versions.Pair), report: new(behavior.Report)},
		sides: new(sides), search: new(lockstep.Search),
	}
	for i, name := range []string{"old", "new"} {
		t.Setenv(fake.Side, name) // the trial takes the environment over
		x := trialtest.Fake(t, trial.Hooks{}, entries...)
		p := x.Package.Program
		p.Funcs[0] = instrument.Func{File: "fake.go", Line: 20}
		p.Sites = append(p.Sites, instrument.Site{Name: "fake.changed", File: "fake.go", Line: 20, Values: []string{"result 0 (int)"}, Target: true, Inner: true})
		x.Package.Loaded.Main = true
		c.trials[i] = trial.New(x.Project, x.Package, x.Test, nil, c.search.Hooks())
		c.sides.pkgs[i] = x.Package
		c.sides.covered[i] = make([]bool, len(p.Blocks))
		c.sides.killed = make([]bool, len(p.Mutants)+1)
		c.test, c.project = x.Test, x.Project
	}
	if err := c.readMeant(c.sides.pkgs[after].Loaded); err != nil {
		t.Fatal(err)
	}
	c.repairs = &revert.Builder{Project: c.project, Pair: c.pair}
	t.Cleanup(func() { c.search.Close() })
	return c
}

// greeted is comparing for sides that have said what they begin with.
func greeted(t *testing.T, opts Options, entries ...string) *comparison {
	t.Helper()
	c := comparing(t, opts, entries...)
	if err := c.greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// asCode has the package of new code do what words say that begin with another name than
// "new:": as without some part of the change.
func (c *comparison) asCode(side string) *project.Package {
	c.project.Options.Env = append(slices.Clone(c.project.Options.Env), fake.Side+"="+side)
	return c.sides.pkgs[after]
}

// differing are differences of inputs, as both sides have shown them once.
func (c *comparison) differing(t *testing.T, inputs ...string) (list []*difference) {
	t.Helper()
	c.search.Begin(c.trials[before], c.trials[after], 1)
	rs, err := c.search.Lockstep().Run(t.Context(), fake.Inputs(inputs...))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rs {
		list = append(list, &difference{Result: r, group: &lockstep.Group{Count: 1}})
	}
	if err := c.observe(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	return list
}

// What entries do on both sides is compared before anything is searched for, and of the
// mutants of new code those are counted that the entries show to a caller.
func TestEntriesAreComparedAndMeasured(t *testing.T) {
	for _, filter := range []string{"all", project.FilterNone} {
		c := comparing(t, Options{}, "v1 f8 d1", "old:v1 new:v2 f16 n2", "new:fail", "i3 f17")
		c.project.Filter = project.Filter{Name: filter}
		for _, x := range c.trials {
			x.Project.Filter = c.project.Filter
		}
		if err := c.greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		var kinds []string
		found := c.search.Found()
		for _, g := range found.Groups {
			kinds = append(kinds, g.Signature)
		}
		slices.Sort(kinds)
		if want := []string{"fake.Target result 0", "outcome pass to panic"}; !slices.Equal(kinds, want) {
			t.Errorf("%s: %q, want %q", filter, kinds, want)
		}
		if r := c.report; r.Package != fakePackage || r.Name != "FuzzFake" || r.Execs != found.Compared || r.Execs < 4 || r.First == 0 || r.Derived != "" {
			t.Errorf("%s: %+v", filter, r)
		}
		for i, blocks := range c.sides.covered {
			if !blocks[1] || !blocks[2] || blocks[3] {
				t.Errorf("%s: side %d covers %v", filter, i, blocks)
			}
		}
		want := make([]bool, 9)
		want[1] = filter == "all"
		if !slices.Equal(c.sides.killed, want) || c.sides.unmeasured {
			t.Errorf("%s: mutants that show: %v, want %v", filter, c.sides.killed, want)
		}
	}
}

// A fuzz test that one side does not have is not compared, and neither is a derived one that
// does not start: nobody has asked for it. One of the user's that does not start is an error.
func TestFuzzTestsThatCanNotBeCompared(t *testing.T) {
	for _, c := range []struct {
		name, start, target, missing string
		code                         exit.Code
		left                         string
	}{
		{name: "old code has none", missing: "old", left: fakePackage + ".FuzzFake: there is none in main"},
		{name: "new code has none", missing: "new", left: fakePackage + ".FuzzFake: there is none in the work tree"},
		{name: "does not start", start: "e0", code: exit.Baseline},
		{name: "derived, does not start", start: "e0", target: "fake.Target", left: "fake.Target: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(fake.Start, c.start)
			k := comparing(t, Options{}, "v1")
			k.pair.Old.Name, k.pair.New.Name, k.test.Target = "main", "the work tree", c.target
			for i, side := range []string{"old", "new"} {
				if k.sides.pkgs[i].Program.Test.Fuzz = []instrument.FuzzTest{k.test}; c.missing == side {
					k.sides.pkgs[i].Program.Test.Fuzz = nil
				}
			}
			err := k.run(t.Context())
			if exit.CodeOf(err) != c.code || k.report != nil {
				t.Errorf("%v, report %+v", err, k.report)
			}
			var left string
			for _, n := range k.job.report.NotCompared {
				left += n.What + ": " + n.Reason
			}
			if !strings.HasPrefix(left, c.left) || (left == "") != (c.left == "") {
				t.Errorf("not compared: %q, want %q", left, c.left)
			}
		})
	}
}

// One input is compared as it is: nothing is searched for, or minimized. What it covers is known, but where it
// fails.
func TestOneInputIsCompared(t *testing.T) {
	for _, c := range []struct {
		input, kind, old, new string    // "" is no difference
		covered               [2]string // blocks of each side
		untraced              bool
	}{
		{"v3 old:v1 new:v2 f8 old:f16", behavior.KindValue, "1", "2", [2]string{"[1 2]", "[1]"}, false},
		{"v3 new:fail f8", behavior.KindPanic, "passes", "boom", [2]string{"[1]", "[]"}, true},
		{"v3 f16", "", "", "", [2]string{"[2]", "[2]"}, false},
		{"old:v1 new:tick", "", "", "", [2]string{"[]", "[]"}, false}, // it differs from run to run
	} {
		k := greeted(t, Options{Revision: "main", Work: WorkFactor, Input: []string{`string("` + c.input + `")`}}, "old:v1 new:v2")
		if err := k.lookAt(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := k.search.Found()
		if k.report.Execs != 1 || found.Compared != 1 {
			t.Errorf("%s: %+v", c.input, k.report)
		}
		for side, blocks := range k.sides.covered {
			got := []int{}
			for b, is := range blocks {
				if is {
					got = append(got, b)
				}
			}
			if fmt.Sprint(got) != c.covered[side] {
				t.Errorf("%s: side %d covers %v, want %v", c.input, side, got, c.covered[side])
			}
		}
		if k.sides.untraced != c.untraced {
			t.Errorf("%s: untraced is %v", c.input, k.sides.untraced)
		}
		if err := k.explain(t.Context(), &found); err != nil {
			t.Fatal(err)
		}
		causes := k.job.report.Causes
		if c.kind == "" {
			if len(causes) != 0 || k.report.Dropped != 0 || len(k.report.Unstable) != len(found.Groups) {
				t.Errorf("%s: %+v, %d dropped, unstable: %q", c.input, causes, k.report.Dropped, k.report.Unstable)
			}
			continue
		}
		if len(causes) != 1 || causes[0].Kind != c.kind || causes[0].Attributed != behavior.ByValue || causes[0].Input != `string("`+c.input+`")` || len(causes[0].Values) != 1 {
			t.Errorf("%s: %+v", c.input, causes)
			continue
		}
		if v := causes[0].Values[0]; v.Old != c.old || v.New != c.new {
			t.Errorf("%s: %+v", c.input, v)
		}
		if want := "fuzzmut diff -fuzz '^FuzzFake$' -input 'string(\"" + c.input + "\")' main " + fakePackage; causes[0].Reproduce != want {
			t.Errorf("%s, want %s", causes[0].Reproduce, want)
		}
	}
}

// What a search has found becomes causes, each shown by an input that was minimized and
// that still differs in the same kind of way.
func TestFoundDifferencesBecomeCauses(t *testing.T) {
	const padding = " f8 f9 f10 f11"
	k := greeted(t, Options{Revision: "main", Work: WorkFactor}, "old:v1 new:v2"+padding, "i1 new:fail"+padding, "i2 old:w50 new:w9000"+padding, "i3 v1 new:tick"+padding)
	k.sides.work = lockstep.Measure{Factor: WorkFactor}
	k.search.Work = k.sides.work
	if err := k.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := k.search.Found()
	if err := k.explain(t.Context(), &found); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]behavior.Cause)
	for _, cause := range k.job.report.Causes {
		if got[cause.Kind].Kind != "" {
			t.Errorf("two causes of the kind %s: %+v", cause.Kind, k.job.report.Causes)
		}
		got[cause.Kind] = cause
		if strings.Contains(cause.Input, "f11") || cause.Attributed != behavior.ByValue || cause.Inputs == 0 || cause.Hunks != nil {
			t.Errorf("%s: %+v", cause.Kind, cause)
		}
	}
	if len(got) != 3 || got[behavior.KindValue].Kind == "" || got[behavior.KindPanic].Kind == "" {
		t.Errorf("causes: %+v", k.job.report.Causes)
	}
	if v := got[behavior.KindValue].Values; len(v) != 1 || v[0].Name != firstValue || v[0].Old == v[0].New {
		t.Errorf("values: %+v", v)
	}
	if w := got[behavior.KindWork].Work; w.New <= WorkFactor*w.Old {
		t.Errorf("work: %+v", w)
	}
	if k.report.Dropped != 0 || !slices.Equal(k.report.Unstable, []string{"fake.Other result 0"}) {
		t.Errorf("%d are dropped, unstable: %q, want that which differs from run to run", k.report.Dropped, k.report.Unstable)
	}
}

// A part of the change repairs a difference if new code without it is as old code was, in
// what it shows, or in its work where that is the difference.
func TestWhatPartsRepair(t *testing.T) {
	inputs := map[string]string{ // which of two parts repair it
		"old:v1 new:v2 without0:v1 without1:v2":           "0",
		"old:v1 new:v2 without0:v2 without1:v1":           "1",
		"old:v1 new:v2 without0:v1 without1:v1":           "0 1",
		"old:v1 new:v2 without0:v3 without1:v2":           "",
		"new:fail without1:fail":                          "0",
		"old:w50 new:w9000 without0:w60 without1:w8000":   "0",
		"old:v1 new:v2 without0:v1 without0:end":          "",
		"v1 old:w50 new:w9000 without0:w60 without1:w60":  "0 1",
		"v1 old:w50 new:w9000 without0:v3 without1:w9000": "",
	}
	var words []string
	for w := range inputs {
		words = append(words, w)
	}
	slices.Sort(words)
	k := greeted(t, Options{})
	k.sides.work = lockstep.Measure{Factor: WorkFactor}
	k.search.Work = k.sides.work
	list := k.differing(t, words...)
	for part := range 2 {
		if err := k.tryRepair(t.Context(), list, k.asCode("without"+strconv.Itoa(part)), part); err != nil {
			t.Fatal(err)
		}
	}
	for i, w := range words {
		var got []string
		for _, part := range list[i].repaired {
			got = append(got, strconv.Itoa(part))
		}
		if strings.Join(got, " ") != inputs[w] {
			t.Errorf("%q is repaired by %q, want %q", w, got, inputs[w])
		}
	}
	// Code without the fuzz test repairs nothing.
	k.sides.pkgs[after].Program.Test.Fuzz = nil
	list[0].repaired = nil
	if err := k.tryRepair(t.Context(), list[:1], k.asCode("old"), 0); err != nil || list[0].repaired != nil {
		t.Errorf("%v, %v", list[0].repaired, err)
	}
}

// Of a bucket the smallest input is shown that does the same each time, if one of the first
// few does.
func TestTheSmallestInputThatIsConfirmedIsShown(t *testing.T) {
	flaky := func(n int) string { return "old:v1 new:tick" + strings.Repeat(" f8", n) }
	for _, c := range []struct {
		name   string
		inputs []string
		want   string // "none": the bucket is dropped
	}{
		{"the smallest", []string{"old:v1 new:v2 f8 f9", "old:v1 new:v2", "old:v1 new:v2 f8"}, "old:v1 new:v2"},
		{"not one that differs from run to run", []string{"old:v1 new:v2 f8 f9 f10", flaky(0), flaky(1)}, "old:v1 new:v2 f8 f9 f10"},
		{"too many that do", []string{"old:v1 new:v2 f8 f9 f10 f11 f12 f13 f14", flaky(0), flaky(1), flaky(2), flaky(3)}, "none"},
	} {
		k := greeted(t, Options{Input: []string{"as they are"}})
		b := bucket{part: -1, list: k.differing(t, c.inputs...)}
		small, err := k.smallest(t.Context(), &b, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if small != nil {
			got = fake.Words(small.Input)
		}
		if got != c.want || b.part != -1 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Where old and new code work alike once a process has warmed up, the work does not differ.
func TestWorkIsThatOfTheSecondRun(t *testing.T) {
	k := greeted(t, Options{})
	k.sides.work = lockstep.Measure{Factor: WorkFactor}
	k.search.Work = k.sides.work
	list := k.differing(t, "old:w50 new:w9000", "old:v1 new:v2")
	if !list[0].workOnly() || list[1].workOnly() {
		t.Fatalf("%+v, %+v", list[0].Result, list[1].Result)
	}
	for _, inputs := range [][]*difference{list, list[1:]} {
		seen, err := once(t.Context(), k.trials[after], inputs)
		if err != nil || len(seen) != len(inputs) {
			t.Fatalf("%d observations of %d inputs, %v", len(seen), len(inputs), err)
		}
		last := seen[len(seen)-1]
		if len(last.Values) != 1 || last.Values[0] != (golden.Value{Name: firstValue, Text: "2"}) {
			t.Errorf("%+v", last.Values)
		}
	}
}

// A side that ends the process on an input differs from one that does not, and the rest of
// the inputs is observed.
func TestObservationsOfBothSides(t *testing.T) {
	k := greeted(t, Options{})
	list := k.differing(t, "old:v1 new:v2", "old:end v1", "v1 v2")
	kinds := func(d *difference) string { return observed.Kind(&d.sides[before], &d.sides[after]) }
	if got := []string{kinds(list[0]), kinds(list[1]), kinds(list[2])}; !slices.Equal(got, []string{behavior.KindValue, behavior.KindNoPanic, ""}) {
		t.Errorf("%q", got)
	}
	if f := list[1].sides[before].Failure; !strings.HasPrefix(f, "the process ended: ") {
		t.Errorf("%q", f)
	}
}
