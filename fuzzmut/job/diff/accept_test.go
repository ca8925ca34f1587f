package diff

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// ownPackage is a package under test of the user's own module, in a new directory.
func ownPackage(t *testing.T) *load.Result {
	t.Helper()
	dir := t.TempDir()
	return &load.Result{Main: true, Toolchain: &gotool.Toolchain{Root: "/nosuch"}, Test: instrument.TestPackage{ImportPath: "example.com/p", Dir: dir, ModuleDir: dir, ModulePath: "example.com/p"}}
}

// What a run records is accepted in the next one, and by a fuzz test that has not seen it
// only once it has.
func TestAccept(t *testing.T) {
	loaded := ownPackage(t)
	cause := behavior.Cause{
		Kind: behavior.KindValue, Package: "example.com/p", Fuzz: "FuzzF", Input: "int(1)",
		Hunks: []behavior.Hunk{{Was: "\treturn 1", Is: "\treturn 2"}},
	}
	other := cause
	other.Kind = behavior.KindPanic
	run := func(accept bool, causes ...behavior.Cause) *behavior.Report {
		t.Helper()
		j := &job{opts: Options{Accept: accept}, report: &behavior.Report{Causes: causes}}
		if err := j.readMeant(loaded); err != nil {
			t.Fatal(err)
		}
		j.markAccepted()
		if accept {
			if err := j.accept(); err != nil {
				t.Fatal(err)
			}
		}
		return j.report
	}
	if r := run(false, cause); r.Differences() != 1 || r.Written != nil {
		t.Errorf("nothing is recorded: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(loaded.Test.Dir, "testdata")); err == nil {
		t.Error("a run that accepts nothing writes")
	}
	r := run(true, cause)
	if r.Differences() != 0 || !r.Causes[0].Recorded || !slices.Equal(r.Written, []string{"testdata/" + acceptedName}) {
		t.Errorf("recorded: %+v", r)
	}
	if r := run(true, cause); r.Causes[0].Recorded || !r.Causes[0].Accepted || r.Written != nil {
		t.Errorf("a second time: %+v", r)
	}
	moved := cause
	moved.Hunks = []behavior.Hunk{{Line: 70, Was: "return 1", Is: "return 2"}}
	seen := cause
	seen.Also = []string{"FuzzG"}
	if r := run(false, moved, other, seen); !r.Causes[0].Accepted || r.Causes[1].Accepted || r.Causes[2].Accepted {
		t.Errorf("accepted: %v, %v, %v", r.Causes[0].Accepted, r.Causes[1].Accepted, r.Causes[2].Accepted)
	}
	run(true, seen)
	if r := run(false, seen, cause); r.Differences() != 0 {
		t.Errorf("%+v", r.Causes)
	}
}

func TestListsOfAcceptedDifferencesThatCantBeUsed(t *testing.T) {
	loaded := ownPackage(t)
	dir := filepath.Join(loaded.Test.Dir, "testdata")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, acceptedName)
	if err := os.WriteFile(path, []byte("nothing of ours\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := new(job).readMeant(loaded); exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), "the accepted differences: "+path+":1:") {
		t.Errorf("damaged: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	foreign := *loaded
	foreign.Toolchain = &gotool.Toolchain{Root: "/nosuch", ModCache: filepath.Dir(loaded.Test.Dir)}
	accept := &job{opts: Options{Accept: true}}
	if err := accept.readMeant(&foreign); exit.CodeOf(err) != exit.Usage {
		t.Errorf("of another module: %v", err)
	}
	if err := new(job).readMeant(&foreign); err != nil {
		t.Errorf("of another module, where nothing is written: %v", err)
	}
}

func TestAcceptedDifferencesAreNotWrittenThroughALink(t *testing.T) {
	loaded, elsewhere := ownPackage(t), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(loaded.Test.Dir, "testdata")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		opts Options
		want bool
	}{
		{Options{}, true},
		{Options{Accept: true}, false},
		{Options{Accept: true, Options: project.Options{FollowLinks: true}}, true},
	} {
		err := (&job{opts: c.opts}).readMeant(loaded)
		if (err == nil) != c.want || err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "symbolic link")) {
			t.Errorf("%+v: %v", c.opts, err)
		}
	}
}

// Where bytes stand for calls, that is the reason, and no fault of a fuzz target that fuzzmut may have derived.
func TestWhyACaseIsLeft(t *testing.T) {
	w := &cases{
		tests: []goldentest.Test{{Name: "FuzzF", Cases: []goldentest.Case{{Name: "a"}, {Name: "b"}}}, {Name: "FuzzG", Cases: []goldentest.Case{{Name: "c"}}}},
		shown: map[string]bool{"b": true},
	}
	for _, c := range []struct {
		left goldentest.Left
		want string
	}{
		{goldentest.Left{Test: "FuzzF", Case: 0, Why: goldentest.NoCall}, goldentest.NoCall},
		{goldentest.Left{Test: "FuzzF", Case: 1, Why: goldentest.NoCall}, "the bytes of its input stand for the calls that are shown with it: write these into a test"},
		{goldentest.Left{Test: "FuzzF", Case: 1, Why: "no"}, "no; write the calls that are shown with it into a test"},
		{goldentest.Left{Test: "FuzzG", Case: 0, Why: "no"}, "no"},
		{goldentest.Left{Test: "FuzzG", Case: 1, Why: "no"}, "no"},
	} {
		if got := w.why(&c.left); got != c.want {
			t.Errorf("%+v: %q, want %q", c.left, got, c.want)
		}
	}
}

// A test wants what the code does, be it right or not: its file says which code that is.
func TestWrittenTestsSayWhatTheyWant(t *testing.T) {
	for keep, want := range map[string]string{"": "new", KeepNew: "new", KeepOld: "old"} {
		files := (&Options{Keep: keep}).files()
		if !strings.HasSuffix(files.Mark, "\n// The tests want what the "+want+" code does: check that it is right.\n") || files.Name != plain.Name || files.ExternalName != plain.ExternalName {
			t.Errorf("-keep %q: %+v", keep, files)
		}
	}
}

// A file of tests that is there may be somebody's own by now.
func TestWrittenTestsReplaceNothing(t *testing.T) {
	for _, name := range []string{plain.Name, plain.ExternalName} {
		loaded := ownPackage(t)
		path := filepath.Join(loaded.Test.Dir, name)
		write := &job{opts: Options{WriteTest: true}}
		if err := write.readMeant(loaded); err != nil {
			t.Errorf("before: %v", err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := write.readMeant(loaded); exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), "-write-test: "+path+" exists and is not overwritten") {
			t.Errorf("%s: %v", name, err)
		}
		if err := (&job{opts: Options{Accept: true}}).readMeant(loaded); err != nil {
			t.Errorf("%s is in the way of -accept: %v", name, err)
		}
	}
}

// Of the causes those become tests that are not accepted, and whose code to keep gives
// values.
func TestCausesAsTests(t *testing.T) {
	loaded := ownPackage(t)
	kinds := []string{behavior.KindValue, behavior.KindWork, behavior.KindPanic, behavior.KindNoPanic, behavior.KindOrder}
	values := []behavior.Value{{Name: "p.F #1 result 0"}}
	var causes []explained
	for _, kind := range kinds {
		d := repairedBy("p.F #1 result 0")
		switch kind {
		case behavior.KindPanic:
			d.sides[after] = observation("fails=boom")
		case behavior.KindNoPanic:
			d.sides[before] = observation("fails=boom")
		}
		causes = append(causes, explained{cause: &behavior.Cause{Kind: kind, Package: "example.com/p", Fuzz: "FuzzF", Input: "string(\"x\")\nint(1)", Values: values}, seen: d, part: -1})
	}
	for _, c := range []struct {
		opts     Options
		accepted string
		cases    int
		warnings []string
	}{
		{Options{}, "", 0, nil},
		{Options{WriteTest: true}, "", 3, []string{"how much work is done is no value", "the new code fails on it"}},
		{Options{WriteTest: true, Keep: KeepNew}, behavior.KindOrder, 2, []string{"how much work is done is no value", "the new code fails on it"}},
		{Options{WriteTest: true, Keep: KeepOld}, "", 3, []string{"how much work is done is no value", "the old code fails on it"}},
	} {
		j := &job{opts: c.opts, report: new(behavior.Report), project: new(project.Project)}
		if err := j.readMeant(loaded); err != nil {
			t.Fatal(err)
		}
		if c.accepted != "" {
			j.meant["example.com/p"].list.Add(*asDifference(&behavior.Cause{Kind: c.accepted, Package: "example.com/p", Fuzz: "FuzzF", Values: values}))
		}
		k := sidesOf(j, instrument.FuzzTest{Name: "FuzzF"}, &instrument.Program{}, &instrument.Program{})
		k.sides.pkgs[after].Loaded = loaded
		k.asCases(causes)
		k.asCases(causes[:2]) // another fuzz test of the package
		n := 0
		for _, w := range j.written {
			for _, test := range w.tests {
				n += len(test.Cases)
			}
		}
		if c.cases > 0 {
			n-- // that of the second call
			if len(j.written) != 1 || len(j.written[0].tests) != 2 {
				t.Errorf("%+v: %d packages", c.opts, len(j.written))
				continue
			}
			for _, v := range j.written[0].tests[0].Cases[0].Values {
				if want := map[bool]string{true: "1", false: "2"}[c.opts.Keep == KeepOld]; v.Text != want {
					t.Errorf("%+v: the value %s, want %s", c.opts, v.Text, want)
				}
			}
		}
		warnings := j.report.Warnings
		if c.opts.WriteTest {
			warnings = warnings[:len(warnings)-1]
		}
		ok := len(warnings) == len(c.warnings)
		for i := range c.warnings {
			ok = ok && warnings[i] == `not written as a test: FuzzF(string("x"), int(1)): `+c.warnings[i]
		}
		if n != c.cases || !ok {
			t.Errorf("%+v: %d cases, want %d; warnings %q", c.opts, n, c.cases, warnings)
		}
	}
}
