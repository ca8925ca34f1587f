package test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// owner is the package whose mutants the tests below judge, other is one that imports it.
const (
	owner = "example.com/owner"
	other = "example.com/other"
)

// sessionOf is the work on the tests of a package, with the mutants of a program. The sheet
// is that of all packages.
func sessionOf(pkg string, opts Options, shared *sheet, mutants ...instrument.Mutant) *testSession {
	p := &instrument.Program{Test: instrument.TestPackage{ImportPath: pkg, ModuleDir: "/m"}, Mutants: mutants}
	for i := range p.Mutants {
		m := &p.Mutants[i]
		m.Index, m.Package, m.File = i+1, owner, "/m/owner.go"
	}
	t := &tester{project: &project.Project{Options: opts.Options}, opts: opts, report: new(report.TestReport)}
	l := &lane{tester: t, pkg: pkg, sheet: shared, out: (&outputs{}).add(t.project)}
	s := &testSession{lane: l, program: p, code: change.NewSources(new(load.Result))}
	s.run.Package = pkg
	return s
}

// What several packages say of a mutant is put together: a kill decides, then a survival. The
// tests that reach it are of both, those first that it infects.
func TestVerdictsOfSeveralPackagesAreOne(t *testing.T) {
	type said struct {
		pkg string
		verdicts.Verdict
	}
	killed := verdicts.Verdict{Status: "killed", Kind: "panic", Test: "TestK", Detail: "boom", Reached: 2, Infected: 1}
	survived := verdicts.Verdict{Status: "survived", Tests: []string{"TestA", "TestB"}, Reached: 2, Infected: 1}
	later := verdicts.Verdict{Status: "survived", Tests: []string{"TestC"}, Reached: 1, Infected: 1, Reason: "a sample"}
	unmoved := verdicts.Verdict{Status: "survived", Tests: []string{"TestD"}, Reached: 1, Reason: "no test computes a different value"}
	uncovered := verdicts.Verdict{Status: "not-covered"}
	for _, c := range []struct {
		name   string
		said   []said
		static bool
		want   report.Mutant
	}{
		{"a kill", []said{{owner, killed}}, false, report.Mutant{Status: report.Killed, KillKind: "panic", KilledBy: "TestK", Detail: "boom", Reached: 2, Infected: 1}},
		{"a kill by tests of another package", []said{{other, killed}}, false, report.Mutant{Status: report.Killed, KillKind: "panic", KilledBy: other + ".TestK", Detail: "boom", Reached: 2, Infected: 1}},
		{"survivals", []said{{owner, survived}, {other, later}}, false, report.Mutant{
			Status: report.Survived, Reason: "a sample", Tests: []string{"TestA", other + ".TestC", "TestB"}, Reached: 3, Infected: 2,
		}},
		{"a survival, while the tests of another package change nothing", []said{{owner, survived}, {other, unmoved}}, false, report.Mutant{
			Status: report.Survived, Tests: []string{"TestA", other + ".TestD", "TestB"}, Reached: 3, Infected: 1,
		}},
		{"a kill after a survival", []said{{owner, later}, {other, killed}}, false, report.Mutant{
			Status: report.Killed, KillKind: "panic", KilledBy: other + ".TestK", Detail: "boom", Reached: 3, Infected: 2,
		}},
		{"covered by the second", []said{{owner, uncovered}, {other, unmoved}}, false, report.Mutant{
			Status: report.Survived, Reason: unmoved.Reason, Tests: []string{other + ".TestD"}, Reached: 1,
		}},
		{"not covered by the second", []said{{owner, survived}, {other, uncovered}}, false, report.Mutant{
			Status: report.Survived, Tests: []string{"TestA", "TestB"}, Reached: 2, Infected: 1,
		}},
		{"not run by the second", []said{{owner, survived}, {other, verdicts.Verdict{Status: "not-run", Reason: "interrupted"}}}, false, report.Mutant{
			Status: report.Pending, Reason: "interrupted", Reached: 2, Infected: 1,
		}},
		{"skipped", []said{{owner, verdicts.Verdict{Status: "skipped", Reason: "why"}}}, false, report.Mutant{Status: report.Skipped, Reason: "why"}},
		{"skipped by the second", []said{{owner, survived}, {other, verdicts.Verdict{Status: "skipped", Reason: "why"}}}, false, report.Mutant{
			Status: report.Survived, Tests: []string{"TestA", "TestB"}, Reached: 2, Infected: 1,
		}},
		{"in an initializer", []said{{owner, survived}, {other, unmoved}}, true, report.Mutant{
			Status: report.Survived, Start: report.Start{Reached: true, Infected: true},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shared := newSheet()
			m := instrument.Mutant{ID: "m", Status: instrument.StatusLive, Func: "F"}
			if c.static {
				m.Status = instrument.StatusStatic
			}
			for _, v := range c.said {
				s := sessionOf(v.pkg, Options{}, shared, m)
				if got := s.choose(); !slices.Equal(got, []uint32{1}) {
					t.Fatalf("chosen: %v", got)
				}
				s.enterVerdict(&s.program.Mutants[0], v.Verdict, false)
			}
			if len(shared.mutants) != 1 {
				t.Fatalf("%+v", shared.mutants)
			}
			got := shared.mutants[0]
			rest := cmpopts.IgnoreFields(report.Mutant{}, "ID", "Package", "Function", "File", "Root", "Diff")
			if c.static {
				rest = cmpopts.IgnoreFields(report.Mutant{}, "ID", "Package", "Function", "File", "Root", "Diff", "Reason")
			}
			if diff := cmp.Diff(c.want, got, rest, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A mutant that tests of another package have killed is not run again, one that can't be run
// is listed only, and a shard takes its own.
func TestWhichMutantsAreChosen(t *testing.T) {
	mutants := []instrument.Mutant{
		{ID: "live", Status: instrument.StatusLive, Func: "F", FuncIndex: 1},
		{ID: "skipped", Status: instrument.StatusSkipped, Reason: "why"},
		{ID: "static", Status: instrument.StatusStatic, Reason: "in an initializer", FuncIndex: -1},
		{ID: "killed", Status: instrument.StatusLive, Func: "F", FuncIndex: 1},
	}
	shared := newSheet()
	first := sessionOf(owner, Options{}, shared, slices.Clone(mutants)...)
	if got := first.choose(); !slices.Equal(got, []uint32{1, 3, 4}) {
		t.Errorf("at first %v", got)
	}
	first.enterVerdict(&first.program.Mutants[3], verdicts.Verdict{Status: "killed"}, false)
	second := sessionOf(other, Options{}, shared, slices.Clone(mutants)...)
	if got := second.choose(); !slices.Equal(got, []uint32{1, 3}) || len(shared.mutants) != 4 {
		t.Errorf("by other tests %v of %d", got, len(shared.mutants))
	}
	if n := second.functions([]uint32{1, 3, 4}); n != 1 { // an initializer is none
		t.Errorf("in %d functions", n)
	}
	var status []string
	for _, m := range shared.mutants {
		status = append(status, m.Status+" "+m.Reason)
	}
	if want := []string{"pending ", "skipped why", "pending ", "killed "}; !slices.Equal(status, want) {
		t.Errorf("%q, want %q", status, want)
	}
	// What no tests were run with is forgotten, and the rest is found where it now is.
	second.forget()
	if len(shared.mutants) != 2 || shared.of(&second.program.Mutants[3]).Status != report.Killed {
		t.Errorf("left: %+v", shared.mutants)
	}
	n := 0
	for k := range 3 {
		part := newSheet()
		s := sessionOf(owner, Options{Shard: Shard{K: k + 1, N: 3}}, part, slices.Clone(mutants)...)
		s.choose()
		n += len(part.mutants)
	}
	if n != len(mutants) {
		t.Errorf("%d mutants in all shards, want %d", n, len(mutants))
	}
}

// Why no test was run: the message names what was asked for, and the package.
func TestWhyNoTestWasRun(t *testing.T) {
	for _, c := range []struct {
		opts    Options
		fuzz    []instrument.FuzzTest
		noSeeds string
		want    string
	}{
		{want: "package example.com/owner has no test, no fuzz test, and no example with output"},
		{opts: Options{Run: "X"}, want: `-run "X" matches no test of example.com/owner`},
		{opts: Options{Run: "X", Skip: "Y"}, want: `-run "X" with -skip "Y" matches no test of example.com/owner`},
		{fuzz: []instrument.FuzzTest{{Name: "FuzzA"}}, noSeeds: "it calls f.Fuzz twice", want: "package example.com/owner has only fuzz tests, which can't be run here: it calls f.Fuzz twice"},
		{
			opts: Options{Skip: "Y"}, fuzz: []instrument.FuzzTest{{Name: "FuzzA"}}, noSeeds: "it calls f.Fuzz twice",
			want: `-skip "Y" matches no test of example.com/owner except perhaps fuzz tests, which can't be run here: it calls f.Fuzz twice`,
		},
		{ // derived ones are not the user's
			fuzz: []instrument.FuzzTest{{Name: "FuzzA", Target: "A"}}, noSeeds: "why", want: "package example.com/owner has no test, no fuzz test, and no example with output",
		},
	} {
		s := sessionOf(owner, c.opts, newSheet())
		s.program.Test.Fuzz, s.program.NoSeeds = c.fuzz, c.noSeeds
		if err := s.noTests(); exit.CodeOf(err) != exit.Usage || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A package without tests is not covered, unless that may be due to what was chosen.
func TestAPackageWithoutTestsIsNotCovered(t *testing.T) {
	why := errors.New("no tests")
	for _, c := range []struct {
		opts Options
		fuzz []instrument.FuzzTest
		want bool
	}{
		{Options{}, nil, true},
		{Options{}, []instrument.FuzzTest{{Name: "FuzzA", Target: "A"}}, true},
		{Options{Run: "X"}, nil, false},
		{Options{}, []instrument.FuzzTest{{Name: "FuzzA"}}, false},
	} {
		s := sessionOf(owner, c.opts, newSheet(), instrument.Mutant{ID: "a", Status: instrument.StatusLive}, instrument.Mutant{ID: "b", Status: instrument.StatusLive})
		s.program.Test.Fuzz = c.fuzz
		if err := s.uncovered(why); err != nil {
			t.Fatal(err)
		}
		if covered := s.lane.run == nil; covered == c.want || (s.lane.nothing == why) == c.want {
			t.Errorf("%+v: run %+v, nothing to do %v", c, s.lane.run, s.lane.nothing)
			continue
		}
		if !c.want {
			continue
		}
		if !s.lane.run.Untested || s.lane.run.Judged != 2 {
			t.Errorf("%+v", s.lane.run)
		}
		for _, m := range s.lane.sheet.mutants {
			if m.Status != report.NotCovered {
				t.Errorf("%+v", m)
			}
		}
	}
}

// Tests that do not pass without a mutant are named with what they print, a few of them.
func TestErrorsOfTheBaseline(t *testing.T) {
	flaky := unittest.SetAside{Test: "TestA", Passed: 3, Failed: 1, Output: "got 1\nmore"}
	red := unittest.SetAside{Test: "TestB", Failed: 1}
	for _, c := range []struct {
		strict bool
		tests  []unittest.SetAside
		start  string
		want   string
	}{
		{false, []unittest.SetAside{flaky, red}, "", "no test passes: without a mutant TestA failed once and passed 3 times (got 1), TestB fails; fix that, or choose other tests with -run or -skip (-v shows the output)"},
		{true, []unittest.SetAside{red}, "", "without a mutant TestB fails; fix that, or run without -strict (-v shows the output)"},
		{false, nil, "flag provided but not defined\nusage", "without a mutant the tests end before the first of them: flag provided but not defined; fix TestMain or the package's initialization"},
		{true, slices.Repeat([]unittest.SetAside{red}, 7), "", "without a mutant TestB fails, TestB fails, TestB fails, TestB fails, TestB fails, 2 more do the like; fix that, or run without -strict (-v shows the output)"},
	} {
		s := sessionOf(owner, Options{Strict: c.strict}, newSheet())
		err := s.baselineError(&unittest.BaselineError{Tests: c.tests, Start: c.start})
		if exit.CodeOf(err) != exit.Baseline || err.Error() != owner+": "+c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// With -v each verdict is a line, as that of a test is for go test -v.
func TestVerdictsAreTold(t *testing.T) {
	for _, c := range []struct {
		v    unittest.Verdict
		want string
	}{
		{unittest.Verdict{Mutant: 1, Status: unittest.StatusKilled, Kind: oracle.Panic, Test: "TestA"}, "--- KILLED: owner.go:7:3 swap: a to b (panic, TestA)\n"},
		{unittest.Verdict{Mutant: 1, Status: unittest.StatusKilled, Kind: oracle.Exit}, "--- KILLED: owner.go:7:3 swap: a to b (exit)\n"},
		{unittest.Verdict{Mutant: 1, Status: unittest.StatusNotCovered}, "--- NOT COVERED: owner.go:7:3 swap: a to b\n"},
		{unittest.Verdict{Mutant: 1, Status: unittest.StatusSkipped}, ""},
	} {
		var log bytes.Buffer
		opts := Options{}
		s := sessionOf(owner, opts, newSheet(), instrument.Mutant{ID: "m", Line: 7, Column: 3, Operator: "swap", Description: "a to b"})
		s.tell(c.v) // without a log
		s.lane.opts.Log, s.lane.project.Options.Log = &log, &log
		s.tell(c.v)
		if log.String() != c.want {
			t.Errorf("%q, want %q", log.String(), c.want)
		}
	}
}

// The report has what was found on all packages, in their order, also beside an error; each
// error once, and nothing after one of our own.
func TestWhatIsFoundOnPackagesIsPutTogether(t *testing.T) {
	broken, internal := exit.Errorf(exit.Usage, "owner does not compile"), exit.Errorf(exit.Internal, "a mistake")
	nothing := exit.Errorf(exit.Usage, "nothing to mutate")
	done := func(pkg string) *lane {
		return &lane{pkg: pkg, sheet: &sheet{mutants: []report.Mutant{{ID: pkg, Status: report.Killed}}}, run: &report.TestRun{Package: pkg}, warnings: []string{"the same"}}
	}
	failed := func(err error) *lane { return &lane{sheet: newSheet(), err: err} }
	empty := &lane{sheet: newSheet(), nothing: nothing}
	stopped := done("b")
	stopped.run.Interrupted = true
	for _, c := range []struct {
		name     string
		lanes    []*lane
		canceled bool
		packages string // "none": there is no report
		code     exit.Code
		want     string // of the error
	}{
		{"all is well", []*lane{done("a"), done("b")}, false, "a b", exit.OK, ""},
		{"one does not compile", []*lane{done("a"), failed(broken)}, false, "a", exit.Usage, "owner does not compile"},
		{"two for the same reason", []*lane{failed(broken), done("b"), failed(exit.Errorf(exit.Usage, "owner does not compile"))}, false, "b", exit.Usage, "owner does not compile"},
		{"none compiles", []*lane{failed(broken), failed(broken)}, false, "none", exit.Usage, "owner does not compile"},
		{"one has nothing", []*lane{empty, done("b")}, false, "b", exit.OK, ""},
		{"none has anything", []*lane{empty, empty}, false, "none", exit.Usage, "nothing to mutate\nnothing to mutate"},
		{"our own fault", []*lane{done("a"), failed(internal), done("c")}, false, "a", exit.Internal, "a mistake"},
		{"interrupted", []*lane{done("a"), stopped}, false, "a b", exit.Interrupted, "interrupted; the verdicts so far are kept, and -resume continues from there"},
		{"interrupted before", []*lane{failed(nil)}, true, "none", exit.Interrupted, "interrupted before any mutant was run"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if c.canceled {
			cancel()
		}
		tt := &tester{project: &project.Project{Packages: []string{"a", "b"}}, report: new(report.TestReport)}
		r, err := tt.conclude(ctx, c.lanes, nil)
		cancel()
		got := "none"
		if r != nil {
			var names []string
			for _, p := range r.Packages {
				names = append(names, p.Package)
			}
			got = strings.Join(names, " ")
			if len(r.Mutants) != len(r.Packages) || r.Score.Killed != len(r.Packages) || len(r.Warnings) != 1 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != c.packages || exit.CodeOf(err) != c.code || text != c.want {
			t.Errorf("%s: packages %s, %v; want %s, %q", c.name, got, err, c.packages, c.want)
		}
	}
}
