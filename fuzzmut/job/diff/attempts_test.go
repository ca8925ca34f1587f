//go:build unix

package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// changing are attempts to revert a change of hunks that have a letter each. The word "a:v1"
// of an input acts in all code that has hunk a, so that "a:v1 b:v2" differs in two values:
// reverting hunk a takes the first of them back. Code with the hunks left that broken lists
// does not compile. Hunks after a bar are of a dependency: "ab|c" has hunk c in dep1.
func changing(t *testing.T, hunks string, broken []string, inputs ...string) *attempts {
	t.Helper()
	c := greeted(t, Options{Input: []string{"as they are"}})
	c.project.Options.FuzzTime = project.FuzzTime{Execs: 100} // no clock decides
	now := "new+" + strings.Join(strings.Split(strings.ReplaceAll(hunks, "|", ""), ""), "+")
	for i, side := range []string{"old", now} {
		c.sides.pkgs[i].Binary = fake.BinaryOf(t, side)
		c.trials[i] = trial.New(c.trials[i].Project, c.sides.pkgs[i], c.test, nil, c.search.Hooks())
	}
	for k, letters := range strings.Split(hunks, "|") {
		var was, is strings.Builder
		name, dependency := "p.go", ""
		if k > 0 {
			dependency = fmt.Sprint("dep", k)
			name = dependency + "/p.go"
		}
		file := behavior.File{Name: name}
		for i, h := range letters {
			fmt.Fprintf(&was, "func %c() int { return 1 }\n\n", h)
			fmt.Fprintf(&is, "func %c() int { return 2 }\n\n", h)
			file.Hunks = append(file.Hunks, behavior.Hunk{File: name, Line: 3 + 2*i, End: 3 + 2*i, Was: string(h), Is: strings.ToUpper(string(h))})
		}
		old, text := []byte("package p\n\n"+was.String()), []byte("package p\n\n"+is.String())
		f := versions.File{Name: name, Path: "/new/" + name, OldPath: "/old/" + name, Old: old, New: text, Hunks: hunk.Diff(old, text), Dependency: dependency}
		if n := len(f.Hunks); n != len(letters) {
			t.Fatalf("%d hunks for %q", n, letters)
		}
		c.pair.Files = append(c.pair.Files, f)
		c.job.report.Changes = append(c.job.report.Changes, file)
	}
	c.repairs = &revert.Builder{
		Project: c.project, Pair: c.pair, Takes: func(*versions.File) bool { return true },
		Make: func(_ context.Context, p revert.Part, _ string) (*project.Package, error) {
			left := now
			for _, ref := range p {
				left = strings.Replace(left, "+"+letterOf(hunks, ref), "", 1)
			}
			if slices.Contains(broken, lettersOf(hunks, p)) {
				return nil, errors.New("it does not compile")
			}
			b := *c.sides.pkgs[after]
			b.Binary = fake.BinaryOf(t, left)
			return &b, nil
		},
	}
	r := &attempts{comparison: c, list: c.differing(t, inputs...), least: make(map[int]bool), depends: make(map[*difference]int)}
	for _, d := range r.list {
		if len(changes(d)) == 0 && !d.More {
			t.Fatalf("%q does not differ", fake.Words(d.Input))
		}
	}
	return r
}

// Parts of the change are reverted for one input as for those of a search.
func TestCausesOfOneInput(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{"b:v1", "b repair"},
		{"a:v1 c:v2", "ac repair"},
		{"c:fail", "c repair"},
		{"new:v1", " value"},
	} {
		r := changing(t, "abc", nil)
		r.opts.Input = []string{`string("` + c.input + `")`}
		if err := r.greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.lookAt(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := r.search.Found()
		if err := r.explain(t.Context(), &found); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, cause := range r.job.report.Causes {
			var hunks string
			for _, h := range cause.Hunks {
				hunks += h.Was
			}
			got = append(got, hunks+" "+cause.Attributed)
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.input, diff)
		}
	}
}

// letterOf names a hunk.
func letterOf(hunks string, ref versions.Ref) string {
	return strings.Split(hunks, "|")[ref.File][ref.Hunk : ref.Hunk+1]
}

// lettersOf names a part by its hunks.
func lettersOf(hunks string, p revert.Part) string {
	var list []string
	for _, ref := range p {
		list = append(list, letterOf(hunks, ref))
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

// partOf is the part with some hunks.
func partOf(hunks, letters string) (p revert.Part) {
	for _, l := range letters {
		p = append(p, versions.Ref{Hunk: strings.IndexRune(hunks, l)})
	}
	return p
}

// Each difference gets the smallest part of the change that takes it back, whatever has to be
// reverted together.
func TestPartsOfAChangeAreTried(t *testing.T) {
	for _, c := range []struct {
		name, hunks string
		broken      []string
		inputs      []string
		want        []string // the smallest parts that repair each
	}{
		{"one hunk", "a", nil, []string{"a:v1"}, []string{"a"}},
		{"one of two", "ab", nil, []string{"b:v1"}, []string{"b"}},
		{"a cause each", "abc", nil, []string{"a:v1", "c:v1", "b:fail"}, []string{"a", "c", "b"}},
		{"one input shows two causes", "abc", nil, []string{"a:v1", "b:v2", "a:v1 b:v2"}, []string{"a", "b", "ab"}},
		{"two hunks that act together only", "abc", nil, []string{"a:c:v1"}, []string{"a"}},
		{"either would do, both are needed", "abc", nil, []string{"a:v1 c:v1"}, []string{"ac"}},
		{"nothing repairs it", "ab", nil, []string{"new:v1"}, []string{""}},
		{"less is not looked for beside a known cause", "abcd", nil, []string{"a:v1", "a:v1 b:v2 c:v3"}, []string{"a", "abcd"}},
		{"a hunk that does not compile alone", "abc", []string{"a"}, []string{"a:v1"}, []string{"ac"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, c.hunks, c.broken, c.inputs...)
			if err := r.find(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.list {
				least := len(c.hunks) + 1
				for _, number := range d.repaired {
					least = min(least, len(r.tried[number]))
				}
				var parts []string
				for _, number := range d.repaired {
					if len(r.tried[number]) == least {
						parts = append(parts, lettersOf(c.hunks, r.tried[number]))
					}
				}
				slices.Sort(parts)
				got = append(got, strings.Join(parts, " "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for i, p := range r.tried {
				if r.number(p) != i {
					t.Errorf("part %s was tried twice", lettersOf(c.hunks, p))
				}
			}
		})
	}
}

// The time that is over is no error: what is not explained stays so.
func TestPartsAreTriedUntilTheTimeIsOver(t *testing.T) {
	r := changing(t, "ab", nil, "a:v1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.find(ctx); err != nil || len(r.tried) != 0 || r.list[0].repaired != nil {
		t.Errorf("%v, tried %v, repaired by %v", err, r.tried, r.list[0].repaired)
	}
}

// Where the budget is a number of executions, so is the bound on parts: however fast the machine
// is, the same are tried, and the report says that others were not.
func TestPartsAreCountedWhereNoClockDecides(t *testing.T) {
	for most, want := range []string{"a b c d", "a", "a b", "a b c"} {
		r := changing(t, "abcd", nil, "a:v1", "b:v1", "c:v1", "d:v1")
		r.most = most
		if err := r.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		var tried []string
		for _, p := range r.tried {
			tried = append(tried, lettersOf("abcd", p))
		}
		if got := strings.Join(tried, " "); got != want || (r.bounded != "") != (most > 0) {
			t.Errorf("at most %d: %s, %q, want %s", most, got, r.bounded, want)
		}
	}
}

// The causes of a fuzz test: one for each part that takes differences back and needs no other
// cause, with the inputs of what depends on them.
func TestCausesOfDifferences(t *testing.T) {
	type cause struct {
		input, hunks, attributed string
		inputs                   int64
	}
	for _, c := range []struct {
		name   string
		inputs []string
		want   []cause
	}{
		{"one", []string{"a:v1", "a:v2 f8"}, []cause{{"a:v1", "a", behavior.ByRepair, 2}}},
		{"two", []string{"a:v1", "b:fail"}, []cause{{"a:v1", "a", behavior.ByRepair, 1}, {"b:fail", "b", behavior.ByRepair, 1}}},
		{"two, and an input that shows both", []string{"a:v1", "b:v2", "a:v1 b:v2"}, []cause{{"a:v1", "a", behavior.ByRepair, 2}, {"b:v2", "b", behavior.ByRepair, 2}}},
		{"one is only seen beside the other", []string{"a:v1", "a:v1 b:v2"}, []cause{{"a:v1", "a", behavior.ByRepair, 1}, {"b:v0", "b", behavior.ByRepair, 1}}},
		{"none is known", []string{"new:v1", "a:v2"}, []cause{{"a:v2", "a", behavior.ByRepair, 1}, {"new:v1", "", behavior.ByValue, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, "abc", nil, c.inputs...)
			if err := r.find(t.Context()); err != nil {
				t.Fatal(err)
			}
			all, err := r.causesOf(t.Context(), r.list)
			if err != nil {
				t.Fatal(err)
			}
			var got []cause
			for _, e := range all {
				var hunks string
				for _, h := range e.cause.Hunks {
					hunks += h.Was
				}
				got = append(got, cause{strings.TrimSpace(fake.Words(e.seen.Input)), hunks, e.cause.Attributed, e.cause.Inputs})
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(cause{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for i := range r.job.report.Changes[0].Hunks {
				h := &r.job.report.Changes[0].Hunks[i]
				if named := slices.ContainsFunc(got, func(c cause) bool { return strings.Contains(c.hunks, h.Was) }); h.Seen != named {
					t.Errorf("hunk %s: seen %v, named by a cause %v", h.Was, h.Seen, named)
				}
			}
		})
	}
}

// After many differences that were not confirmed, those that nothing repairs are left out; what a part repairs is not, and
// one that is confirmed makes others worth it again.
func TestPatienceEnds(t *testing.T) {
	for _, c := range []struct {
		unconfirmed int
		inputs      []string
		causes      int
		cut         bool
	}{
		{0, []string{"new:v1"}, 1, false},
		{patienceMost - 1, []string{"new:v1"}, 1, false},
		{patienceMost, []string{"new:v1"}, 0, true},
		{patienceMost, []string{"a:v2"}, 1, false},
		{patienceMost, []string{"new:v1", "a:v2"}, 2, false},
	} {
		r := changing(t, "abc", nil, c.inputs...)
		if err := r.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.job.report.Changes[0].Hunks[0].Reached = true
		r.unconfirmed, r.report = c.unconfirmed, new(behavior.Test)
		all, err := r.causesOf(t.Context(), r.list)
		if err != nil || len(all) != c.causes || r.report.Cut != c.cut {
			t.Errorf("%q after %d: %d causes, cut %v, %v", c.inputs, c.unconfirmed, len(all), r.report.Cut, err)
		}
	}
}

// Two causes are one if neither can be taken back alone: inputs on which both sides do the same
// show it, if reverting both leaves these as they are.
func TestCausesThatNeedEachOtherAreOne(t *testing.T) {
	differ := []string{"a:v1", "b:v2", "c:v3"}
	for _, c := range []struct {
		name   string
		alike  []string
		causes string
	}{
		{"nothing is known", nil, "a b c"},
		{"each can be taken back", []string{"f8", "v4"}, "a b c"},
		{"a needs b", []string{"f8", "-a:b:v4", "f9 -a:b:v4"}, "ab c"},
		{"b needs a", []string{"a:-b:v4", "f9 a:-b:v4"}, "ab c"},
		{"both need a third one", []string{"-a:b:v4", "f9 -a:b:v4", "-b:c:v5", "f9 -b:c:v5"}, "abc"},
		{"no cause is enough", []string{"new:-a:v4", "f9 new:-a:v4"}, "a b c"},
		{"it is not enough for all", []string{"-a:b:v4", "f9 -a:b:v4", "new:-a:v4"}, "a b c"},
		{"on one of two", []string{"f8", "-a:b:v4"}, "a b c"},
		{"on few of many", append(slices.Repeat([]string{"f8"}, 250), "-a:b:v4", "f9 -a:b:v4"), "a b c"},
		{"on some of many", append(slices.Repeat([]string{"f8"}, 150), "-a:b:v4", "f9 -a:b:v4"), "ab c"},
		{"what differs is not alike", []string{"-a:b:v4 new:v5", "f9 -a:b:v4 new:v5"}, "a b c"},
		{"one is accepted", []string{"-a:b:v4", "f9 -a:b:v4"}, "a b c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, "abc", nil, differ...)
			r.alike = fake.Inputs(c.alike...)
			if err := r.find(t.Context()); err != nil {
				t.Fatal(err)
			}
			all, err := r.causesOf(t.Context(), r.list)
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "one is accepted" {
				r.meant[r.importPath()].list.Add(*asDifference(all[0].cause))
			}
			if all, err = r.entangled(t.Context(), all); err != nil {
				t.Fatal(err)
			}
			var got []string
			inputs := int64(0)
			for _, e := range all {
				got = append(got, lettersOf("abc", r.tried[e.part]))
				inputs += e.cause.Inputs
				var shown string
				for _, h := range e.cause.Hunks {
					shown += h.Was
				}
				if shown != got[len(got)-1] {
					t.Errorf("a cause shows the hunks %s, and is repaired by %s", shown, got[len(got)-1])
				}
			}
			slices.Sort(got)
			if list := strings.Join(got, " "); list != c.causes || inputs != int64(len(differ)) {
				t.Errorf("causes %s of %d inputs, want %s", list, inputs, c.causes)
			}
		})
	}
}

// Where one part of the change makes new code fail on some inputs and alters values on
// others, both are reported.
func TestFailuresAreReportedBesideValuesOfTheSamePart(t *testing.T) {
	r := changing(t, "ab", nil, "a:v1", "a:v2 a:fail", "b:v1")
	found := new(lockstep.Found)
	for _, d := range r.list {
		found.Groups = append(found.Groups, lockstep.Group{Results: []lockstep.Result{d.Result}, Count: 1})
	}
	r.comparison.report = new(behavior.Test)
	if err := r.explain(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.job.report.Causes {
		got = append(got, fmt.Sprintf("%s: %s %s", c.Hunks[0].Was, c.Kind, strings.TrimSpace(c.Input)))
	}
	if diff := cmp.Diff([]string{`a: panic string("a:v2 a:fail")`, `a: value string("a:v1")`, `b: value string("b:v1")`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where the clock ends an input on new code without a part, the code is built again so that
// fuel does, and all inputs are run on that.
func TestCodeThatBlocksIsBuiltWithFuel(t *testing.T) {
	r := changing(t, "a", nil, "old:v1 new:v2 burning:v1", "old:v1 new:v2 plain:block burning:v2", "old:v3 new:v4 plain:block burning:v3")
	r.project.Options.Timeout = 100 * time.Millisecond
	var built []string
	r.repairs.Make = func(_ context.Context, _ revert.Part, _ string) (*project.Package, error) {
		side := []string{"plain", "burning"}[len(built)]
		built = append(built, side)
		b := *r.sides.pkgs[after]
		b.Binary = fake.BinaryOf(t, side)
		return &b, nil
	}
	compiles, err := r.revert(t.Context(), partOf("a", "a"))
	if err != nil || !compiles || len(built) != 2 {
		t.Fatalf("%v, %v, built %q", compiles, err, built)
	}
	for i, want := range []int{1, 0, 1} {
		if got := r.list[i].repaired; len(got) != want {
			t.Errorf("%q is repaired by %v", fake.Words(r.list[i].Input), got)
		}
	}
}

// Not all inputs are run on code that many of them hang on. What failed before is: there, a
// hang is no difference.
func TestFewInputsAreRunOnCodeThatHangs(t *testing.T) {
	var inputs []string
	for i := range 3 * hangsMost {
		inputs = append(inputs, fmt.Sprintf("i%d old:v1 new:v2 burning:%s", i+1, map[bool]string{true: "hang", false: "v1"}[i%4 > 0]))
	}
	inputs = append(inputs, "old:fail new:v2 burning:hang")
	r := changing(t, "a", nil, inputs...)
	b := *r.sides.pkgs[after]
	b.Binary = fake.BinaryOf(t, "burning")
	seen, err := r.untilHangs(t.Context(), r.trialOf(&b, trial.Hooks{}), r.list)
	if err != nil {
		t.Fatal(err)
	}
	var repaired []int
	for i, d := range r.list {
		if r.isRepaired(d, &seen[i]) {
			repaired = append(repaired, i)
		}
	}
	// Two of three hang, so that the second three are run, and the third are not.
	if want := []int{0, 4, 3 * hangsMost}; !slices.Equal(repaired, want) {
		t.Errorf("repaired: %v, want %v", repaired, want)
	}
}

// What belongs to a hunk is found by lines, on either side.
func TestHunksWithinFunctions(t *testing.T) {
	r := changing(t, "ab", nil, "a:v1")
	r.sides.pkgs[before].Program.Funcs = []instrument.Func{{File: "/old/p.go", Line: 3, EndLine: 3}}
	r.sides.pkgs[after].Program.Funcs = []instrument.Func{{File: "/new/p.go", Line: 9, EndLine: 12}}
	if !r.within(r.sides, versions.Ref{Hunk: 0}) || r.within(r.sides, versions.Ref{Hunk: 1}) {
		t.Error("the old function holds hunk 0, and nothing holds hunk 1")
	}
	r.sides.pkgs[after].Program.Funcs[0].Line = 5
	if !r.within(r.sides, versions.Ref{Hunk: 1}) {
		t.Error("the new function holds hunk 1")
	}
}

// Where all has to end at a time, parts are reverted for a share of it: what was found has to be
// confirmed, and other fuzz tests have their turn. Else the limit is that of the budget.
func TestReversalsLeaveTimeToConfirm(t *testing.T) {
	for _, c := range []struct {
		left     time.Duration // 0: no end
		follow   int
		reverted time.Duration // for other fuzz tests
		search   time.Duration
		want     time.Duration
	}{
		{0, 3, 0, time.Minute, explainLeast},
		{20 * time.Second, 0, 0, time.Minute, 10 * time.Second},
		{20 * time.Second, 1, 0, time.Minute, 5 * time.Second},
		{time.Hour, 1, 0, time.Minute, explainLeast},
		{-time.Second, 0, 0, time.Minute, time.Millisecond},
		{0, 3, 10 * time.Second, time.Minute, explainLeast - 10*time.Second},
		{0, 3, time.Minute, time.Minute, 30 * time.Second},
		{0, 3, time.Minute, 5 * time.Second, explainEach},
	} {
		j := &job{project: &project.Project{Options: project.Options{FuzzTime: project.FuzzTime{Duration: c.search}}}, reverted: c.reverted}
		x := &comparison{job: j, follow: c.follow}
		if c.left != 0 {
			x.end = time.Now().Add(c.left)
		}
		if got := x.revertTime(); got > c.want || got < c.want-time.Second {
			t.Errorf("%v left, %d follow: %v, want %v", c.left, c.follow, got, c.want)
		}
		if got := x.shrinkTime(); got > shrinkMost || got <= 0 || c.left > 0 && got > c.left/8 {
			t.Errorf("%v left: an input is made smaller for %v", c.left, got)
		}
	}
}

// A budget in executions has no limit by the clock.
func TestTheClockIsAskedOnlyForABudgetOfTime(t *testing.T) {
	for _, c := range []struct {
		budget project.FuzzTime
		want   time.Duration
	}{
		{project.FuzzTime{Execs: 5}, 0},
		{project.FuzzTime{Duration: time.Second}, shrinkMost},
	} {
		j := &job{project: &project.Project{Options: project.Options{FuzzTime: c.budget}}}
		if got := (&comparison{job: j}).unlessCounted(shrinkMost); got != c.want {
			t.Errorf("%+v: %v, want %v", c.budget, got, c.want)
		}
	}
}

// Where no input reached the change, all of it is reverted at once. If that takes nothing back, no part is tried; what runs
// while packages are initialized is reached by no input, and found.
func TestAnIdleChangeIsRevertedOnce(t *testing.T) {
	for _, c := range []struct {
		name, hunks, broken string
		reached             bool
		inputs              []string
		made                int // at most
		cause, bounded      string
	}{
		{"nothing of it matters", "abc", "", false, []string{"new:v1", "new:v2"}, 1, "", "no input reached the changed code, and without all of it the differences stay"},
		{"some input reached it", "abc", "", true, []string{"new:v1"}, 10, "", ""},
		{"it matters all the same", "abc", "", false, []string{"new:v1", "b:v1"}, 10, "b", ""},
		{"it can't be reverted", "abc", "abc", false, []string{"new:v1"}, 10, "", ""},
	} {
		r := changing(t, c.hunks, []string{c.broken}, c.inputs...)
		for side, path := range []string{"/old/p.go", "/new/p.go"} {
			r.sides.pkgs[side].Program.Funcs = []instrument.Func{{Name: "f", File: path, Line: 1, EndLine: 100}}
		}
		r.job.report.Changes[0].Hunks[0].Reached = c.reached
		if err := r.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		cause := ""
		for _, d := range r.list {
			for _, n := range d.repaired {
				if len(r.tried[n]) == 1 {
					cause += lettersOf(c.hunks, r.tried[n])
				}
			}
		}
		if r.repairs.Made() > c.made || c.made > 1 && c.broken == "" && r.repairs.Made() < 3 || cause != c.cause || r.bounded != c.bounded {
			t.Errorf("%s: %d built, cause %q, bounded %q", c.name, r.repairs.Made(), cause, r.bounded)
		}
	}
}
