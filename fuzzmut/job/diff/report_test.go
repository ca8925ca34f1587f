package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// The command that a report names is to give the same again when it is pasted to a shell.
func TestCommand(t *testing.T) {
	for _, c := range []struct {
		name string
		opts Options
		want string
	}{
		{"a revision", Options{Revision: "main", Work: WorkFactor, Options: project.Options{Seed: 7}}, "fuzzmut diff -seed 7 main"},
		{
			"packages",
			Options{Revision: "HEAD~1", Work: WorkFactor, Options: project.Options{Seed: 7, Packages: []string{"./...", "./a b"}}},
			"fuzzmut diff -seed 7 'HEAD~1' ./... './a b'",
		},
		{
			"limits",
			Options{Old: "/o", Work: WorkFactor, Options: project.Options{Seed: 1, FuzzTime: project.FuzzTime{Execs: 500}, Total: project.FuzzTime{Duration: 90 * time.Second}, Fuzz: "^FuzzA$", Mutate: []string{"./a", "./b/..."}}},
			"fuzzmut diff -fuzztime 500x -seed 1 -total 1m30s -fuzz '^FuzzA$' -mutate ./a,./b/... -old /o",
		},
		{"workers", Options{Revision: "main", Work: WorkFactor, Options: project.Options{Seed: 7, Parallel: 1}}, "fuzzmut diff -seed 7 -parallel 1 main"},
		{"no work", Options{Revision: "main", Options: project.Options{Seed: 1}}, "fuzzmut diff -seed 1 -work 0 main"},
		{"another factor", Options{Revision: "main", Work: 1.5, Options: project.Options{Seed: 1}}, "fuzzmut diff -seed 1 -work 1.5 main"},
		{
			"an input",
			Options{Revision: "main", Work: WorkFactor, Input: []string{`string("it's")`, "int(1)"}, Options: project.Options{Seed: 1}},
			`fuzzmut diff -input 'string("it'\''s")' -input 'int(1)' main`,
		},
		{"modules", Options{With: []string{"x.org/a@v1.0.0", "x.org/b@<v2"}, Work: WorkFactor, Options: project.Options{Seed: 1}}, "fuzzmut diff -seed 1 -with x.org/a@v1.0.0 -with 'x.org/b@<v2'"},
		{"coverage alone", Options{Revision: "main", Work: WorkFactor, CoverageOnly: true, Options: project.Options{Seed: 1, Filter: project.FilterNone}}, "fuzzmut diff -seed 1 -coverage-only main"},
		{"another filter", Options{Revision: "main", Work: WorkFactor, Options: project.Options{Seed: 1, Filter: project.FilterNone}}, "fuzzmut diff -seed 1 -filter none main"},
		{
			"flags of the build",
			Options{Revision: "main", Work: WorkFactor, Options: project.Options{Seed: 1, BuildFlags: []string{"-race", "-tags=a b"}, Packages: []string{"./p"}}},
			"fuzzmut diff -seed 1 -race -tags='a b' main ./p",
		},
	} {
		if got := c.opts.command(); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// sidesOf are trials that know only their programs.
func sidesOf(j *job, test instrument.FuzzTest, old, now *instrument.Program) *comparison {
	s := new(sides)
	c := &comparison{job: j, sides: s, test: test, report: new(behavior.Test)}
	for i, p := range [2]*instrument.Program{old, now} {
		s.pkgs[i] = &project.Package{Program: p}
		s.covered[i] = make([]bool, len(p.Blocks))
		c.trials[i] = &trial.Trial{Package: s.pkgs[i]}
	}
	s.killed = make([]bool, len(now.Mutants)+1)
	return c
}

func TestReproduce(t *testing.T) {
	p := &instrument.Program{Test: instrument.TestPackage{ImportPath: "example.com/p"}}
	d := &difference{Result: lockstep.Result{Input: corpus.Of("it's", 3)}}
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Revision: "main", Work: WorkFactor}, `fuzzmut diff -fuzz '^FuzzX$' -input 'string("it'\''s")' -input 'int(3)' main example.com/p`},
		{Options{Revision: "main", Work: WorkFactor, Options: project.Options{BuildFlags: []string{"-modfile=/tmp/private/go.mod"}}}, `fuzzmut diff -fuzz '^FuzzX$' -input 'string("it'\''s")' -input 'int(3)' -tags=x main example.com/p`},
		{Options{Old: "/o", Work: 0}, `fuzzmut diff -fuzz '^FuzzX$' -input 'string("it'\''s")' -input 'int(3)' -work 0 -old /o example.com/p`},
	} {
		j := &job{opts: c.opts}
		if c.opts.BuildFlags != nil {
			j.buildFlags = []string{"-tags=x"} // what the user gave, whatever the sides are built with
		}
		k := sidesOf(j, instrument.FuzzTest{Name: "FuzzX"}, p, p)
		if got := k.reproduce(d); got != c.want {
			t.Errorf("%s, want\n%s", got, c.want)
		}
	}
}

// A cause has the inputs of all groups of its differences, and marks the hunks that are it.
func TestDescribeCause(t *testing.T) {
	p := &instrument.Program{Test: instrument.TestPackage{ImportPath: "example.com/p"}}
	one, two := &lockstep.Group{Count: 5}, &lockstep.Group{Count: 7}
	d := repairedBy("p.F #1 result 0", 1)
	d.group = one
	again, other := *d, *d
	other.group = two
	parts := []revert.Part{{{File: 0, Hunk: 0}}, {{File: 0, Hunk: 1}, {File: 1, Hunk: 0}}}
	for _, c := range []struct {
		name       string
		part       int
		opts       Options
		test       instrument.FuzzTest
		more       bool
		call       string
		attributed string
		seen       string // of the hunks
	}{
		{"known", 1, Options{}, instrument.FuzzTest{Name: "FuzzF"}, false, "FuzzF", behavior.ByRepair, "-++"},
		{"of a derived fuzz test", 0, Options{}, instrument.FuzzTest{Name: "FuzzF", Target: "F"}, false, "F", behavior.ByRepair, "+--"},
		{"of a derived fuzz test whose input stands for the arguments", 0, Options{}, instrument.FuzzTest{Name: "FuzzF", Target: "(*T).F"}, false, "FuzzF", behavior.ByRepair, "+--"},
		{"not known", -1, Options{}, instrument.FuzzTest{Name: "FuzzF"}, false, "FuzzF", behavior.ByValue, "---"},
		{"of one input", 1, Options{Input: []string{"x"}}, instrument.FuzzTest{Name: "FuzzF"}, false, "FuzzF", behavior.ByRepair, "-++"},
		{"not known of one input", -1, Options{Input: []string{"x"}}, instrument.FuzzTest{Name: "FuzzF"}, false, "FuzzF", behavior.ByValue, "---"},
		{"with more work", 1, Options{}, instrument.FuzzTest{Name: "FuzzF"}, true, "FuzzF", behavior.ByRepair, "-++"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &behavior.Report{Changes: []behavior.File{{Hunks: []behavior.Hunk{{File: "a.go", Line: 1}, {File: "a.go", Line: 5}}}, {Hunks: []behavior.Hunk{{File: "b.go", Line: 1}}}}}
			k := sidesOf(&job{opts: c.opts, report: r, meant: map[string]*meant{"example.com/p": emptyMeant(t)}}, c.test, p, p)
			d.More = c.more
			k.sides.pkgs[after].Loaded = &load.Result{Derived: []load.Derived{{Test: &target.Test{Name: "FuzzF", Stands: c.test.Target == "(*T).F"}}}}
			k.sides.work = lockstep.Measure{Factor: 4}
			if c.more {
				d.Runs[before].Work, d.Runs[after].Work = lockstep.Work{Fuel: 10, Bytes: 20}, lockstep.Work{Fuel: 9000, Bytes: 80_000}
			}
			cause := k.describeCause(d, bucket{part: c.part, list: []*difference{d, &again, &other}}, parts)
			if cause.Inputs != 12 || cause.Call != c.call || cause.Attributed != c.attributed || cause.Package != "example.com/p" || cause.Kind != behavior.KindValue {
				t.Errorf("%+v", cause)
			}
			if diff := cmp.Diff([]behavior.Value{{Name: "p.F #1 result 0", Old: "1", New: "2"}}, cause.Values); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
			work, memory := behavior.Work{}, behavior.Work{}
			if c.more {
				work, memory = behavior.Work{Old: 10, New: 9000}, behavior.Work{Old: 20, New: 80_000}
			}
			if cause.Work != work || cause.Memory != memory {
				t.Errorf("work %+v, memory %+v", cause.Work, cause.Memory)
			}
			seen := ""
			for _, f := range r.Changes {
				for _, h := range f.Hunks {
					if h.Seen != (h.Reached && h.Inside) {
						t.Errorf("%+v", h)
					}
					seen += map[bool]string{true: "+", false: "-"}[h.Seen]
				}
			}
			if seen != c.seen || len(cause.Hunks) != strings.Count(c.seen, "+") {
				t.Errorf("hunks %s, want %s; of the cause %+v", seen, c.seen, cause.Hunks)
			}
			if !strings.Contains(cause.Reproduce, "-fuzz '^FuzzF$'") || !strings.HasPrefix(cause.Entry, corpusHeader) {
				t.Errorf("%q, %q", cause.Reproduce, cause.Entry)
			}
		})
	}
}

func emptyMeant(t *testing.T) *meant {
	t.Helper()
	j := new(job)
	loaded := &load.Result{Test: instrument.TestPackage{ImportPath: "example.com/p", Dir: t.TempDir()}}
	if err := j.readMeant(loaded); err != nil {
		t.Fatal(err)
	}
	return j.meant["example.com/p"]
}

// Inputs are picked from each group in turn, up to the bound.
func TestPick(t *testing.T) {
	group := func(name string, n int) lockstep.Group {
		g := lockstep.Group{Signature: name}
		for i := range n {
			g.Results = append(g.Results, lockstep.Result{Differ: []string{name + string(rune('0'+i%10))}})
		}
		return g
	}
	var got []string
	for _, d := range pick(&lockstep.Found{Groups: []lockstep.Group{group("a", 3), group("b", 1), group("c", 0), group("d", 2)}}) {
		if !strings.HasPrefix(d.Differ[0], d.group.Signature) {
			t.Errorf("%s is said to be of group %s", d.Differ[0], d.group.Signature)
		}
		got = append(got, d.Differ...)
	}
	if want := []string{"a0", "b0", "d0", "a1", "d1", "a2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(pick(&lockstep.Found{Groups: []lockstep.Group{group("a", casesMost), group("b", 9)}})); n != casesMost {
		t.Errorf("%d are picked, want %d", n, casesMost)
	}
	if list := pick(new(lockstep.Found)); list != nil {
		t.Errorf("of nothing: %v", list)
	}
}

// The order of causes is total, whatever their order was.
func TestTheOrderOfCauses(t *testing.T) {
	causes := []behavior.Cause{
		{Kind: behavior.KindPanic, Inputs: 9, Input: "b"},
		{Kind: behavior.KindPanic, Inputs: 1, Input: "a"},
		{Kind: behavior.KindToError, Inputs: 1, Input: "b"},
		{Kind: behavior.KindToSuccess, Inputs: 4},
		{Kind: behavior.KindNoPanic, Inputs: 3},
		{Kind: behavior.KindValue, Inputs: 9, Input: "a"},
		{Kind: behavior.KindValue, Inputs: 9, Input: "b"},
		{Kind: behavior.KindValue, Inputs: 20, Values: []behavior.Value{{Old: `error "x"`, New: `error "y"`}}},
		{Kind: behavior.KindWork, Inputs: 100, Input: "a"},
		{Kind: behavior.KindWork, Inputs: 99, Input: "a"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		list := slices.Clone(causes)
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		slices.SortStableFunc(list, func(a, b behavior.Cause) int { return byWeight(&a, &b) })
		if diff := cmp.Diff(causes, list); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

func TestFilesThatNoPackageNeeds(t *testing.T) {
	for _, c := range []struct {
		needed []int
		files  []string
		note   string
	}{
		{[]int{0, 1, 2}, []string{"x/z/a", "y/b", "c"}, ""},
		{[]int{0, 2}, []string{"x/z/a", "c"}, "1 changed file in y: no package that was compared needs it"},
		{[]int{1}, []string{"y/b"}, "2 changed files in ., x/z: no package that was compared needs them"},
	} {
		j := &job{report: &behavior.Report{}, pair: &versions.Pair{}, needed: make(map[int]bool)}
		for _, name := range []string{"x/z/a", "y/b", "c"} {
			j.report.Changes = append(j.report.Changes, behavior.File{Name: name})
			j.pair.Files = append(j.pair.Files, versions.File{Name: name})
		}
		for _, i := range c.needed {
			j.needed[i] = true
		}
		j.finish()
		var files, notes []string
		for _, f := range j.report.Changes {
			files = append(files, f.Name)
		}
		for _, n := range j.report.NotCompared {
			notes = append(notes, n.What+": "+n.Reason)
		}
		if !slices.Equal(files, c.files) || strings.Join(notes, "; ") != c.note {
			t.Errorf("%v: files %q, notes %q", c.needed, files, notes)
		}
	}
}

// A dependency that only tests need is named in one line, and is no part of the change.
func TestDependenciesThatOnlyTestsNeed(t *testing.T) {
	const check, words = "a.b/check v1.1.0 in place of v1.0.0", "a.b/words v1.3.0 in place of v1.2.0"
	files := func(dependencies ...string) *job {
		j := &job{report: new(behavior.Report), pair: &versions.Pair{Raised: []string{check, words}}, needed: make(map[int]bool)}
		for i, d := range dependencies {
			name := fmt.Sprintf("d%d/x.go", i)
			j.pair.Files = append(j.pair.Files, versions.File{Name: name, Path: "/new/" + name, OldPath: "/old/" + name, Dependency: d})
			j.report.Changes = append(j.report.Changes, behavior.File{Name: name})
		}
		return j
	}
	for _, c := range []struct {
		name    string
		needed  int // file
		left    [2]map[string]bool
		notes   []string
		nothing string
	}{
		{"of both sides", 0, [2]map[string]bool{{"/old/d1": true}, {"/new/d1": true}}, []string{check + ": only tests need it", "1 changed file in d3: no package that was compared needs it"}, ""},
		{"of one side", 0, [2]map[string]bool{nil, {"/new/d2": true}}, []string{check + ": only tests need it", "1 changed file in d3: no package that was compared needs it"}, ""},
		{"another package needs it", 2, [2]map[string]bool{nil, {"/new/d1": true}}, []string{"3 changed files in d0, d1, d3: no package that was compared needs them"}, ""},
		{"nothing is compared", -1, [2]map[string]bool{nil, {"/new/d1": true, "/new/d3": true}}, nil, "which is in d0: name packages there, or ./...; only tests need " + check + ", " + words},
	} {
		j := files("", check, check, words)
		j.needed[c.needed] = true
		j.forTests = c.left
		if c.needed < 0 {
			if got := j.unneededWhy(); !strings.HasSuffix(got, c.nothing) {
				t.Errorf("%s: %q, want %q", c.name, got, c.nothing)
			}
			continue
		}
		j.finish()
		var notes []string
		for _, n := range j.report.NotCompared {
			notes = append(notes, n.What+": "+n.Reason)
		}
		if !slices.Equal(notes, c.notes) {
			t.Errorf("%s: %q, want %q", c.name, notes, c.notes)
		}
	}
	j := files(check)
	j.forTests[after] = map[string]bool{"/new/d0": true}
	if got, want := j.unneededWhy(), "only tests need "+check; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	j.report.Causes = []behavior.Cause{{Attributed: behavior.ByValue}}
	if j.tellRaised(); len(j.report.Warnings) != 1 || strings.Contains(j.report.Warnings[0], check) || !strings.Contains(j.report.Warnings[0], words) {
		t.Errorf("%q", j.report.Warnings)
	}
}

// The fuzz tests of a package show how to reach the change, if none of them does.
func TestTheWayToTheChange(t *testing.T) {
	j := &job{report: &behavior.Report{Tests: []behavior.Test{{Package: "p", Ended: lockstep.Unreached}, {Package: "p", Ended: "why"}, {Package: "q", Ended: lockstep.Unreached}}}}
	j.showWay("p", ", there")
	for i, want := range []string{lockstep.Unreached + ", there", "why", lockstep.Unreached} {
		if got := j.report.Tests[i].Ended; got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}

func TestNothingWasCompared(t *testing.T) {
	j := &job{report: &behavior.Report{}, pair: &versions.Pair{Files: []versions.File{{Name: "b/x.go"}, {Name: "a/x.go"}, {Name: "b/y.go"}}}}
	if got, want := j.unneededWhy(), "the packages and their tests need none of the changed code, which is in a, b: name packages there, or ./..."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range []struct {
		notes int
		want  string
	}{
		{0, "nothing was compared: no package has a fuzz test"},
		{1, "nothing was compared: p: why"},
		{7, "nothing was compared: p: why; p: why; p: why; p: why; p: why; 2 more"},
	} {
		j := &job{report: &behavior.Report{NotCompared: slices.Repeat([]behavior.Note{{What: "p", Reason: "why"}}, c.notes)}}
		if err := j.unreached(); exit.CodeOf(err) != exit.Usage || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestNewReport(t *testing.T) {
	pair := &versions.Pair{
		Old: versions.Side{Name: "main"}, New: versions.Side{Name: "the work tree"},
		Files: []versions.File{
			{Name: "a.go", Old: []byte("a\nb\n"), New: []byte("a\nc\n"), Hunks: []versions.Hunk{{OldLine: 2, OldCount: 1, NewLine: 2, NewCount: 1}}},
			{Name: "b.go", New: []byte("x\n"), Hunks: []versions.Hunk{{OldLine: 1, NewLine: 1, NewCount: 1}}},
		},
	}
	want := &behavior.Report{Version: behavior.FormatVersion, Old: "main", New: "the work tree", Changes: []behavior.File{
		{Name: "a.go", Hunks: []behavior.Hunk{{File: "a.go", Line: 2, End: 2, Was: "b", Is: "c", Number: 1}}},
		{Name: "b.go", Hunks: []behavior.Hunk{{File: "b.go", Line: 1, End: 1, Is: "x", Number: 1}}},
	}}
	if diff := cmp.Diff(want, newReport(pair)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := describe(pair); got != "2 changes in 2 files" {
		t.Error(got)
	}
}

// What of the change was reached: blocks and mutants of the new code, places where they
// are, and the hunks.
func TestReach(t *testing.T) {
	old := &instrument.Program{
		Blocks: []instrument.Block{{File: "/old/a.go", Line: 3, EndLine: 4}},
		Funcs:  []instrument.Func{{File: "/old/a.go", Line: 2, EndLine: 5}},
		Sites:  []instrument.Site{{Name: "p.F", File: "/old/a.go", Line: 2, Inner: true}},
	}
	now := &instrument.Program{
		Test:   instrument.TestPackage{ImportPath: "example.com/p", ModuleDir: "/new"},
		Blocks: []instrument.Block{{File: "/new/a.go", Line: 3, EndLine: 4}, {File: "/new/a.go", Line: 8, EndLine: 9}, {File: "/new/a.go", Line: 20, EndLine: 21}},
		Funcs:  []instrument.Func{{File: "/new/a.go", Line: 2, EndLine: 5}, {File: "/new/a.go", Line: 7, EndLine: 10}, {Package: "example.com/p", Name: "(*T).New", File: "/new/a.go", Line: 12, EndLine: 14}, {File: "/new/a.go", Line: 16, EndLine: 18}},
		Sites:  []instrument.Site{{Name: "p.F", File: "/new/a.go", Line: 2, Inner: true}, {Name: "p.G", File: "/new/a.go", Line: 7, Inner: true}},
		Mutants: []instrument.Mutant{
			{Index: 1, File: "/new/a.go", Line: 3, Description: "one"},
			{Index: 2, File: "/new/a.go", Line: 8, Description: "two"},
			{Index: 3, Status: instrument.StatusStatic},
			{Index: 4, FuncIndex: -1},
			{Index: 5, Status: instrument.StatusSkipped},
			{Index: 6, File: "/new/a.go", Line: 13, FuncIndex: 2},
		},
	}
	pair := &versions.Pair{Files: []versions.File{{
		Name: "a.go", Path: "/new/a.go", OldPath: "/old/a.go",
		Hunks: []versions.Hunk{{OldLine: 3, OldCount: 1, NewLine: 3, NewCount: 1}, {OldLine: 7, NewLine: 8, NewCount: 1}, {OldLine: 7, NewLine: 16, NewCount: 1}},
	}}}
	j := &job{pair: pair, report: newReport(pair), project: new(project.Project)}
	c := sidesOf(j, instrument.FuzzTest{Name: "FuzzX"}, old, now)
	c.sides.changed = &changed{at: [2]map[string]map[int]string{
		{"/old/a.go": {2: "example.com/p.F", 17: "example.com/p.H"}}, {"/new/a.go": {2: "example.com/p.F", 7: "example.com/p.G", 16: "example.com/p.H"}},
	}, spans: [2]map[string][]span{{"/old/a.go": {{3, 1}, {7, 0}}}, {"/new/a.go": {{3, 1}, {8, 1}}}}, names: map[string]bool{}}
	c.sides.covered[before][0] = true
	c.sides.killed[2] = true
	j.project.Filter = project.Filter{Name: "all"}
	j.fresh = map[string]bool{"example.com/p.(*T).New": true} // no input can show its mutant: it is not compared

	want := behavior.Reach{
		Package: "example.com/p", Blocks: behavior.Share{Some: 0, All: 2}, Mutants: behavior.Share{Some: 1, All: 2},
		NotReach: []behavior.Place{{File: "a.go", Line: 3}, {File: "a.go", Line: 8}},
		NotSeen:  []behavior.Place{{File: "a.go", Line: 3, Text: "one"}},
	}
	if diff := cmp.Diff(want, j.reach(c.sides)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.sides.unmeasured = true
	if got := j.reach(c.sides); got.Mutants.All != 0 || got.NotSeen != nil {
		t.Errorf("what was not measured is counted: %+v", got)
	}
	if got := c.patience(); got != patienceLeast {
		t.Errorf("where no input reaches the change: patience for %d differences", got)
	}
	c.climb(&lockstep.Found{Inside: map[string]int64{"p.G": 1}})
	if got := c.patience(); got != patienceMost {
		t.Errorf("patience for %d differences", got)
	}
	var climbed, compared []bool
	var only []string
	for _, h := range j.report.Changes[0].Hunks {
		climbed = append(climbed, h.Reached, h.Inside)
		compared, only = append(compared, h.Compared), append(only, h.OnlyIn)
	}
	if want := []bool{true, false, false, true, false, false}; !slices.Equal(climbed, want) {
		t.Errorf("reached and inside: %v, want %v", climbed, want)
	}
	if want := []bool{true, false, false}; !slices.Equal(compared, want) {
		t.Errorf("with something to compare: %v, want %v", compared, want)
	}
	if want := []string{"", behavior.New, ""}; !slices.Equal(only, want) {
		t.Errorf("on one side only: %q, want %q", only, want)
	}
	if got := j.touched(c.sides, revert.Part{{File: 0, Hunk: 1}, {File: 0, Hunk: 0}}); !slices.Equal(got, []string{"p.F", "p.G"}) {
		t.Errorf("a part touches %q", got)
	}
	for path, want := range map[string]string{"/new/a.go": "a.go", "/old/a.go": "a.go", "/new/b/c.go": "b/c.go"} {
		if got := j.relative(now, filepath.FromSlash(path)); got != want {
			t.Errorf("%s is %s in the report, want %s", path, got, want)
		}
	}
}

func TestErrorsSayWhichSideTheyAreAbout(t *testing.T) {
	side := &versions.Side{Name: "main"}
	if err := sideError(side, problem.Errorf(problem.KindBroken, "it is broken")); exit.CodeOf(err) != exit.Usage || err.Error() != "main: it is broken" {
		t.Error(err)
	}
	if err := sideError(side, os.ErrClosed); err != os.ErrClosed {
		t.Error(err)
	}
}

func TestKeysOfValues(t *testing.T) {
	key := func(kind string, names ...string) string {
		var list []behavior.Value
		for _, n := range names {
			list = append(list, behavior.Value{Name: n})
		}
		return namesKey(kind, list)
	}
	a := key("value", "p.F #1 result 0", "p.G #2 result 1")
	for name, same := range map[string]bool{
		key("value", "p.G #1 result 1", "p.F #3 result 0", "p.F #4 result 0"): true,
		key("order", "p.F #1 result 0", "p.G #2 result 1"):                    false,
		key("value", "p.F #1 result 0"):                                       false,
		key("value", "p.F #1 result 0", "p.G #2 result 0"):                    false,
	} {
		if (name == a) != same {
			t.Errorf("%q and %q: the same: %v", name, a, !same)
		}
	}
}

func TestObservedPackagesAreThoseOfBothSides(t *testing.T) {
	side := func(observe []string, packages ...string) *project.Package {
		l := &load.Result{Observe: observe}
		for _, p := range packages {
			l.Packages = append(l.Packages, &load.Package{ImportPath: p})
		}
		return &project.Package{Loaded: l}
	}
	s := &sides{pkgs: [2]*project.Package{side([]string{"d", "a"}, "a", "b"), side([]string{"e"}, "a", "c")}}
	if got, want := s.observed(), []string{"a", "b", "c", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Each side is loaded as it is built, and the same tests count on both.
func TestLoadConfigOfSides(t *testing.T) {
	pair := &versions.Pair{
		Old:      versions.Side{Name: "main", Dir: "/old", BuildFlags: []string{"-modfile=x"}, Env: []string{"A=1"}, Overlay: map[string][]byte{"/old/a.go": []byte("a")}},
		New:      versions.Side{Name: "the work tree", Dir: "/new", BuildFlags: []string{"-race"}, Env: []string{"A=2"}},
		OldTests: map[string][]byte{"/new/a_test.go": []byte("test")},
		Files: []versions.File{
			{Path: filepath.Join("/new", "b", "b.go"), OldPath: filepath.Join("/old", "b", "b.go")},
			{Path: filepath.Join("/new", "a", "a.go"), OldPath: filepath.Join("/old", "c", "a.go")},
			{Path: filepath.Join("/new", "a", "z.go"), OldPath: filepath.Join("/old", "c", "z.go")},
		},
	}
	j := &job{pair: pair, project: new(project.Project), targets: map[string][]load.Target{"p": {{Function: "p.F"}}}}
	for tests, has := range map[testFiles]string{testsOfNew: "", testsOfOld: "test", testsOfBoth: "//go:build ignore\n\npackage stub\n", noTests: ""} {
		j.tests = map[string]testFiles{"p": tests, "q": testsOfOld}
		for i, dirs := range [2][]string{{filepath.Join("/old", "b"), filepath.Join("/old", "c")}, {filepath.Join("/new", "a"), filepath.Join("/new", "b")}} {
			cfg, s := j.loadConfig(i, "p"), j.side(i)
			if cfg.Dir != s.Dir || !slices.Equal(cfg.Env, s.Env) || !slices.Equal(cfg.BuildFlags, s.BuildFlags) || !cfg.AnyTests || !cfg.Derive || len(cfg.Targets) != 1 {
				t.Errorf("side %d: %+v", i, cfg)
			}
			if !slices.Equal(cfg.MutateDirs, dirs) {
				t.Errorf("side %d: directories %q, want %q", i, cfg.MutateDirs, dirs)
			}
			if got := string(cfg.Overlay["/new/a_test.go"]); got != has || len(s.Overlay) != 1-i || (cfg.Blank != nil) != (tests == noTests) {
				t.Errorf("side %d, tests %d: overlay %v, of the side %v", i, tests, cfg.Overlay, s.Overlay)
			}
			if (cfg.Note == nil) != (i == before) {
				t.Errorf("side %d: what is said: %v", i, cfg.Note != nil)
			}
		}
	}
}

func TestInput(t *testing.T) {
	for _, c := range []struct {
		name  string
		input []string
		types []string
		want  string // the input, or the error
	}{
		{"as it is", []string{`string("a")`, "int(3)"}, []string{"string", "int"}, "string(\"a\")\nint(3)"},
		{"no Go", []string{"string("}, []string{"string"}, `-input: `},
		{"another type", []string{"int(3)"}, []string{"string"}, "-input: p.FuzzX takes string: write the flag once for each argument, and choose the fuzz test with -fuzz"},
		{"too few", []string{"int(3)"}, []string{"int", "string"}, "-input: p.FuzzX takes int, string: write the flag once"},
		{"two in one flag", []string{"int(3)\nint(4)"}, []string{"int", "int"}, "int(3)\nint(4)"},
	} {
		p := &instrument.Program{Test: instrument.TestPackage{ImportPath: "p"}}
		k := sidesOf(&job{opts: Options{Input: c.input}}, instrument.FuzzTest{Name: "FuzzX"}, p, p)
		k.trials[after].Types, k.trials[after].Test = c.types, k.test
		in, err := k.input()
		switch {
		case err != nil && (exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		case err == nil && in.String() != c.want:
			t.Errorf("%s: %s, want %s", c.name, in, c.want)
		}
	}
}

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		before, now lockstep.Work
		want        float64
	}{
		{lockstep.Work{Fuel: 10}, lockstep.Work{Fuel: 40}, 4},
		{lockstep.Work{}, lockstep.Work{Fuel: 40}, 40},
		{lockstep.Work{Fuel: 40}, lockstep.Work{Fuel: 10}, 0.25},
		{lockstep.Work{}, lockstep.Work{}, 0},
		{lockstep.Work{Fuel: 10, Bytes: 100}, lockstep.Work{Fuel: 20, Bytes: 500}, 5},
		{lockstep.Work{Fuel: 10}, lockstep.Work{Fuel: 20, Bytes: 500}, 2}, // not measured before
	} {
		if got := growth(c.before, c.now); got != c.want {
			t.Errorf("%+v to %+v: %v, want %v", c.before, c.now, got, c.want)
		}
	}
}

// A dependency with another version may be the cause of what no line of the change is known to be.
func TestRaisedDependenciesAreNamedBesideUnknownCauses(t *testing.T) {
	const raised = "a.b/c v1.1.0 in place of v1.0.0"
	const named = "named" // the cause is known to be a dependency
	for _, c := range []struct {
		raised     []string
		attributed []string
		want       []string
	}{
		{[]string{raised}, []string{behavior.ByRepair, behavior.ByValue}, []string{"go.mod has other versions, and a cause whose lines are not known may be there: " + raised}},
		{[]string{raised}, []string{behavior.NotTried}, []string{"go.mod has other versions, and a cause whose lines are not known may be there: " + raised}},
		{[]string{raised}, []string{behavior.ByRepair}, nil},
		{[]string{raised}, []string{named}, nil},
		{[]string{raised}, nil, nil},
		{nil, []string{behavior.ByValue}, nil},
	} {
		j := &job{pair: &versions.Pair{Raised: c.raised}, report: new(behavior.Report)}
		for _, a := range c.attributed {
			cause := behavior.Cause{Attributed: a}
			if a == named {
				cause = behavior.Cause{Attributed: behavior.ByValue, Dependency: raised}
			}
			j.report.Causes = append(j.report.Causes, cause)
		}
		if j.tellRaised(); !slices.Equal(j.report.Warnings, c.want) {
			t.Errorf("%q, %q: %q, want %q", c.raised, c.attributed, j.report.Warnings, c.want)
		}
	}
}
