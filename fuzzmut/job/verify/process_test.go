//go:build unix

package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// first is the value that a word "v" says.
const first = "fake.Target #1 result 0"

// keep writes golden values for an input of a fake fuzz test.
func keep(t *testing.T, x *trial.Trial, words string, values ...golden.Value) (name string) {
	t.Helper()
	e := corpus.Of(words).Found()
	put := store.Entry(&e, values)
	if err := store.Apply(x.GoldenFile(), store.Change{Packages: ".", Put: []golden.Entry{put}}); err != nil {
		t.Fatal(err)
	}
	return put.Name
}

// verified verifies the golden values of a fake fuzz test.
func verified(t *testing.T, x *trial.Trial, update bool) *report.VerifiedTest {
	t.Helper()
	v := &verifiedTest{trial: x, report: new(report.VerifiedTest)}
	if err := v.verify(t.Context(), update); err != nil {
		t.Fatal(err)
	}
	return v.report
}

func TestGoldenValuesAreCompared(t *testing.T) {
	one := golden.Value{Name: first, Text: "1"}
	for _, c := range []struct {
		name   string
		entry  string
		values []golden.Value
		want   string // values, unstable and changed ones
		change report.ValueChange
	}{
		{name: "as they were", entry: "v1", values: []golden.Value{one}, want: "1 0 0"},
		{name: "another", entry: "v2", values: []golden.Value{one}, want: "0 0 1", change: report.ValueChange{Value: first, Function: "fake.Target", File: "fake.go", Line: 7, Want: "1", Got: "2"}},
		{name: "gone", entry: "k1", values: []golden.Value{one}, want: "0 0 1", change: report.ValueChange{Value: first, Function: "fake.Target", File: "fake.go", Line: 7, Want: "1"}},
		{name: "new", entry: "v1", want: "0 0 1", change: report.ValueChange{Value: first, Function: "fake.Target", File: "fake.go", Line: 7, Got: "1"}},
		{name: "of no function any more", entry: "k1", values: []golden.Value{{Name: "fake.Gone #1 result", Text: "1"}}, want: "0 0 1", change: report.ValueChange{Value: "fake.Gone #1 result", File: "fake_test.go", Line: 3, Want: "1"}},
		{name: "unstable now", entry: "tick", values: []golden.Value{one}, want: "1 0 0"},
		{name: "unstable before", entry: "v1", values: []golden.Value{{Name: first, Text: golden.Unstable}}, want: "0 1 0"},
		{name: "a failure", entry: "v1 fail", values: []golden.Value{one}, want: "0 0 0", change: report.ValueChange{Value: "fuzz target", File: "fake_test.go", Line: 3, Failure: "boom"}},
	} {
		x := trialtest.Fake(t, trial.Hooks{}, c.entry)
		name := keep(t, x, c.entry, c.values...)
		r := verified(t, x, false)
		want := &report.VerifiedTest{Entries: 1}
		for i, n := range []*int{&want.Values, &want.Unstable, &want.Changed} {
			*n = int(strings.Fields(c.want)[i][0] - '0')
		}
		if c.change != (report.ValueChange{}) {
			c.change.Entry = "testdata/fuzz/FuzzFake/" + name
			want.Changes = []report.ValueChange{c.change}
		}
		if c.change.Failure != "" {
			want.Failing = 1
		}
		if (len(r.Causes) > 0) != (len(r.Changes) > 0) {
			t.Errorf("%s: %d changes, %d causes", c.name, len(r.Changes), len(r.Causes))
		}
		r.Causes = nil
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A failure on the list is no difference, and another one is; -update writes neither.
func TestKnownFailuresAreSkipped(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "v1", "k1 fail", "end")
	keep(t, x, "v1", golden.Value{Name: first, Text: "1"})
	list, err := known.Open(known.Path(filepath.Dir(x.Test.File)), false, "example.com/fake", "FuzzFake")
	if err != nil {
		t.Fatal(err)
	}
	boom := wire.Outcome{Kind: wire.Panic, Message: "boom", Frames: []string{"fake.Target fake.go:1"}}
	if err := list.Write([]known.Found{{Outcome: boom, Input: "elsewhere", What: "panic: boom"}}); err != nil {
		t.Fatal(err)
	}
	for _, update := range []bool{false, true} {
		r := verified(t, x, update)
		if want := []string{"testdata/fuzz/FuzzFake/" + corpus.Of("k1 fail").Found().Name}; !slices.Equal(r.Known, want) {
			t.Errorf("known %q, want %q", r.Known, want)
		}
		if r.Failing != 1 || len(r.Changes) != 1 || r.Changes[0].Entry != "testdata/fuzz/FuzzFake/"+corpus.Of("end").Found().Name || r.Values != 1 || len(r.Written) > 0 {
			t.Errorf("update %v: %+v", update, r)
		}
	}
}

// Entries that differ in the same values are one cause, shown by the smallest of them.
func TestChangesAreSortedByWhatDiffers(t *testing.T) {
	two := func(a, b string) []golden.Value {
		return []golden.Value{{Name: first, Text: a}, {Name: "fake.Other #1 result 0", Text: b}}
	}
	x := trialtest.Fake(t, trial.Hooks{}, "v10 v2", "v1 v2", "v3 v4", "v5 v6", "v7 fail", "v8 fail")
	names := map[string]string{
		"a": keep(t, x, "v10 v2", two("1", "2")...), "b": keep(t, x, "v1 v2", two("2", "2")...),
		"c": keep(t, x, "v3 v4", two("1", "1")...), "e": keep(t, x, "v7 fail", two("7", "")[:1]...),
		"same": keep(t, x, "v5 v6", two("5", "6")...), "f": corpus.Of("v8 fail").Found().Name,
	}
	file := func(name string) string { return "testdata/fuzz/FuzzFake/" + names[name] }
	want := []behavior.Cause{
		{
			Kind: behavior.KindValue, Input: `string("v1 v2")`, Inputs: 2, Entries: []string{file("b"), file("a")},
			Values: []behavior.Value{{Name: first, Old: "2", New: "1", Place: "fake.go:7"}},
		},
		{
			Kind: behavior.KindValue, Input: `string("v3 v4")`, Inputs: 1, Entries: []string{file("c")},
			Values: []behavior.Value{{Name: first, Old: "1", New: "3", Place: "fake.go:7"}, {Name: "fake.Other #1 result 0", Old: "1", New: "4", Place: "fake.go:8"}},
		},
		{Kind: behavior.KindPanic, Input: `string("v7 fail")`, Inputs: 1, Entries: []string{file("e")}, Values: []behavior.Value{{Name: "fuzz target", Old: "passes", New: "boom", Place: "fake_test.go:3"}}},
		{Kind: behavior.KindFails, Input: `string("v8 fail")`, Inputs: 1, Entries: []string{file("f")}, Values: []behavior.Value{{Name: "fuzz target", New: "boom", Place: "fake_test.go:3"}}},
	}
	got := verified(t, x, false).Causes
	byKind := func(a, b behavior.Cause) int { return strings.Compare(a.Kind, b.Kind) } // files come in the order of their names
	slices.SortStableFunc(want, byKind)
	slices.SortStableFunc(got, byKind)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(behavior.Cause{}, "Call", "Fuzz", "Package", "Entry")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where nothing could have golden values, recording them does not help.
func TestNoEntriesHaveNoGoldenValues(t *testing.T) {
	const want = "it has no entries; fuzzmut -C DIR -fuzz='^FuzzFake$' . finds some, and records their golden values"
	for _, update := range []bool{false, true} {
		x := trialtest.Fake(t, trial.Hooks{})
		r := verified(t, x, update)
		if got := strings.Replace(r.Nothing, x.Package.Program.Test.Dir, "DIR", 1); !r.None || got != want {
			t.Errorf("-update=%v: %v %q, want %q", update, r.None, got, want)
		}
	}
}

func TestFilesWithoutTheirEntriesAreReported(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "v1", "v2")
	if r := verified(t, x, false); !r.None {
		t.Errorf("there are no golden values: %+v", r)
	}
	x = trialtest.Fake(t, trial.Hooks{}, "v1", "v2")
	damaged, orphan := keep(t, x, "v1"), keep(t, x, "v3", golden.Value{Name: first, Text: "3"})
	data, err := os.ReadFile(x.GoldenFile())
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(damaged+", 0 values"), []byte(damaged+", 1 value"), 1)
	if err := os.WriteFile(x.GoldenFile(), data, 0o666); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/fuzz-golden/FuzzFake.txt"
	want := []string{
		"damaged " + file + " " + damaged,
		"missing " + file + " testdata/fuzz/FuzzFake/" + corpus.Of("v2").Found().Name,
		"orphaned " + file + " " + orphan,
	}
	var got []string
	for _, f := range verified(t, x, false).Files {
		got = append(got, f.Kind+" "+f.Path+" "+f.Entry)
		if (f.Line > 0) != (f.Kind != report.FileMissing) {
			t.Errorf("%+v", f)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What an earlier version has written is one difference, and is replaced.
func TestGoldenValuesOfAnEarlierVersionAreOutdated(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "v1", "v2")
	old := filepath.Join(strings.TrimSuffix(x.GoldenFile(), ".txt"), corpus.Of("v1").Found().Name)
	if err := os.MkdirAll(filepath.Dir(old), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("fuzzmut golden v2\nobserves .\n\nend, 0 values\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := verified(t, x, false)
	if len(r.Files) != 1 || r.Files[0].Kind != report.FileOutdated || r.Files[0].Path != "testdata/fuzz-golden/FuzzFake" || len(r.Changes) > 0 {
		t.Errorf("%+v", r)
	}
	x = trial.New(x.Project, x.Package, x.Test, nil, trial.Hooks{})
	if r := verified(t, x, true); !r.Updated || len(r.Written) != 2 || len(r.Files) != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Dir(old)); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	x = trial.New(x.Project, x.Package, x.Test, nil, trial.Hooks{})
	if r := verified(t, x, false); r.Values != 2 || len(r.Files) > 0 {
		t.Errorf("%+v", r)
	}
}

func TestAnUpdateAcceptsWhatIsObserved(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "v1", "v2", "v3", "v4 fail")
	same := keep(t, x, "v1", golden.Value{Name: first, Text: "1"})
	changed := keep(t, x, "v2", golden.Value{Name: first, Text: "7"})
	orphan := keep(t, x, "gone")
	failing := keep(t, x, "v4 fail", golden.Value{Name: first, Text: "4"})
	r := verified(t, x, true)
	written := []string{changed, corpus.Of("v3").Found().Name}
	slices.Sort(written)
	if !r.Updated || !slices.Equal(r.Written, written) || !slices.Equal(r.Removed, []string{orphan}) || r.Changed != 1 || r.Failing != 1 {
		t.Errorf("%+v", r)
	}
	values, err := store.Read(x.GoldenFile())
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, e := range values.Entries {
		texts[e.Name] = e.Values[0].Text
	}
	want := map[string]string{same: "1", changed: "2", corpus.Of("v3").Found().Name: "3", failing: "4"}
	if diff := cmp.Diff(want, texts); diff != "" || len(values.Bad) > 0 {
		t.Errorf("%v (-want +got):\n%s", values.Bad, diff)
	}
	// Then all is as it was, but for the failure.
	again := trial.New(x.Project, x.Package, x.Test, nil, trial.Hooks{})
	if r := verified(t, again, false); r.Values != 3 || r.Failing != 1 || len(r.Files) != 0 {
		t.Errorf("again: %+v", r)
	}
}

// An entry whose values twins have is compared once, and seeds go by their numbers.
func TestEntriesAreNamedByTheirFiles(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{})
	v := &verifiedTest{trial: x}
	seed := corpus.Of("a").Seed(3)
	file := corpus.Entry{Name: "x", Path: filepath.Join(x.Package.Program.Test.ModuleDir, "testdata", "x")}
	if got := v.entryName(&seed) + " " + v.entryName(&file); got != "seed#3 testdata/x" {
		t.Errorf("%s", got)
	}
	o := &observed.Observation{Sites: map[string]*instrument.Site{"name": {Name: "own"}}}
	if got := v.siteOf(o, "name"); got.Name != "own" {
		t.Errorf("%+v", got)
	}
}

func TestADifferenceIsAnError(t *testing.T) {
	change := []report.ValueChange{{}}
	for _, c := range []struct {
		tests []report.VerifiedTest
		want  string
	}{
		{nil, ""},
		{[]report.VerifiedTest{{Changed: 2, Changes: make([]report.ValueChange, 2)}}, "the golden values do not match: fix the code, or accept with fuzzmut corpus verify -update ./..."},
		{[]report.VerifiedTest{{Values: 3}}, ""},
		{[]report.VerifiedTest{{Changed: 1, Changes: change}}, "the golden values do not match: fix the code"},
		{[]report.VerifiedTest{{Files: []report.FileProblem{{Kind: report.FileMissing}}}, {Values: 3}}, "entries have no golden values: record them with fuzzmut corpus verify -update ./..."},
		{[]report.VerifiedTest{{Files: []report.FileProblem{{Kind: report.FileMissing}}}, {Changed: 1, Changes: change}}, "the golden values do not match"},
		{[]report.VerifiedTest{{Files: make([]report.FileProblem, 2)}, {Changed: 1, Changes: change}}, "the golden values do not match"},
		{[]report.VerifiedTest{{Changed: 1, Changes: change, Updated: true}}, ""},
		{[]report.VerifiedTest{{Failing: 1, Changes: []report.ValueChange{{Failure: "boom"}}}, {Values: 3}}, "1 entry fails, which can't be accepted: fix the code, or remove the file of the entry"},
		{[]report.VerifiedTest{{Failing: 1, Changed: 1, Changes: []report.ValueChange{{Failure: "boom"}, {}}}}, "the golden values do not match"},
		{[]report.VerifiedTest{{Failing: 1, Changes: []report.ValueChange{{Failure: "boom"}}, Updated: true}}, "1 entry fails, which can't be accepted: fix the code, or remove the file of the entry"},
	} {
		err := verifyVerdict(&report.Verification{Tests: c.tests, Next: "fuzzmut corpus verify -update ./..."})
		if (err == nil) != (c.want == "") || err != nil && (exit.CodeOf(err) != exit.Failing || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// The command that records values chooses what was verified, wherever that was.
func TestTheNextCommandRecordsTheSame(t *testing.T) {
	p := &project.Project{Options: project.Options{Dir: "/other", Packages: []string{"./..."}, Mutate: []string{"./calc"}}}
	const all = "fuzzmut corpus verify -update -C /other -mutate ./calc "
	none, same := report.VerifiedTest{None: true}, report.VerifiedTest{Values: 3}
	missing := report.VerifiedTest{Files: []report.FileProblem{{Kind: report.FileMissing}}}
	for _, c := range []struct {
		opts  Options
		tests []report.VerifiedTest
		want  string
	}{
		{Options{}, []report.VerifiedTest{same}, ""},
		{Options{}, []report.VerifiedTest{same, missing}, all + "./..."},
		{Options{Options: project.Options{Fuzz: "^FuzzX$"}}, []report.VerifiedTest{same, none}, all + "-fuzz '^FuzzX$' ./..."},
		{Options{}, []report.VerifiedTest{{None: true, Nothing: "it has no entries"}}, ""},
		{Options{Update: true}, []report.VerifiedTest{missing}, ""},
	} {
		v := &verifier{project: p, opts: c.opts, report: &report.Verification{Tests: c.tests}}
		if got := v.next(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.tests, got, c.want)
		}
	}
}

func TestGoldenValuesOfFuzzTestsThatAreGone(t *testing.T) {
	for _, update := range []bool{false, true} {
		x := trialtest.Fake(t, trial.Hooks{})
		keep(t, x, "v1")
		dir := x.Package.Program.Test.Dir
		var entries []golden.Entry
		for _, name := range []string{"a", "b"} {
			entries = append(entries, golden.Entry{Name: corpus.ManagedName([]byte(name))})
		}
		if err := store.Apply(store.Path(dir, "FuzzGone"), store.Change{Packages: ".", Put: entries}); err != nil {
			t.Fatal(err)
		}
		v := &verifier{project: x.Project, opts: Options{Update: update}, report: new(report.Verification)}
		if err := v.vanished(&load.Result{Test: x.Package.Program.Test}); err != nil {
			t.Fatal(err)
		}
		if len(v.report.Tests) != 1 {
			t.Fatalf("%+v", v.report.Tests)
		}
		r := v.report.Tests[0]
		if r.Name != "FuzzGone" || len(r.Files) != 1 || r.Files[0].Kind != report.FileOrphaned || r.Files[0].Path != "testdata/fuzz-golden/FuzzGone.txt" || r.Updated != update {
			t.Errorf("%+v", r)
		}
		if _, err := os.Stat(store.Path(dir, "FuzzGone")); os.IsNotExist(err) != update || (len(r.Removed) == 2) != update {
			t.Errorf("update %v: %v, removed %q", update, err, r.Removed)
		}
	}
}

func TestGeneratedTestsAreBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"same", "changed", "gone"} {
		if err := os.WriteFile(path(name), []byte("old "+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have := map[string][]byte{path("same"): []byte("old same"), path("changed"): []byte("old changed"), path("gone"): []byte("old gone")}
	want := map[string][]byte{path("same"): []byte("old same"), path("changed"): []byte("changed"), path("fresh"): []byte("fresh")}
	v := &verifier{report: new(report.Verification)}
	if err := v.writeTests(&load.Result{Test: instrument.TestPackage{ModuleDir: dir}}, have, want); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(v.report.Generated, []string{"changed", "fresh"}) {
		t.Errorf("%q", v.report.Generated)
	}
	got := make(map[string][]byte)
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		got[path(f.Name())], _ = os.ReadFile(path(f.Name()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file of the name of a generated test may be the user's.
func TestFilesOfTheUserAreNotReplaced(t *testing.T) {
	for _, name := range []string{"fuzzmut_golden_test.go", "parse_golden_test.go"} {
		dir := t.TempDir()
		loaded := &load.Result{Test: instrument.TestPackage{Dir: dir, ModuleDir: dir, Fuzz: []instrument.FuzzTest{{Name: "FuzzParse"}}}}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("package mine\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if g, err := findGenerated(loaded, loaded.Test.Fuzz, false); err != nil || len(g.have) > 0 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := findGenerated(loaded, loaded.Test.Fuzz, true); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), name+" was not generated by fuzzmut") {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.WriteFile(path, []byte("// Code generated by fuzzmut; DO NOT EDIT.\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if g, err := findGenerated(loaded, loaded.Test.Fuzz, true); err != nil || g.have[path] == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The values in the file say what is not up to date.
func TestGeneratedTestsThatAreOutOfDate(t *testing.T) {
	dir := t.TempDir()
	g := &generatedTests{
		loaded: &load.Result{Test: instrument.TestPackage{ModuleDir: dir}},
		have:   map[string][]byte{filepath.Join(dir, "gone"): []byte("a"), filepath.Join(dir, "same"): []byte("a"), filepath.Join(dir, "other"): []byte("a")},
	}
	var got []string
	for _, p := range g.stale(map[string][]byte{filepath.Join(dir, "same"): []byte("a"), filepath.Join(dir, "other"): []byte("b"), filepath.Join(dir, "new"): []byte("a")}) {
		got = append(got, p.Kind+" "+p.Path)
	}
	if diff := cmp.Diff([]string{"stale gone", "stale new", "stale other"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Generated tests are made of the golden values whose entries are there: those of the fuzz
// tests that were verified with their inputs, and of others as they are kept.
func TestGeneratedTestsAreMadeOfGoldenValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		write   bool
		table   bool // there is one
		cases   int  // "v1", and "v2" without a value
		earlier bool
	}{
		{"none, and none is wanted", false, false, 0, false},
		{"one is wanted", true, false, 2, false},
		{"one is there", false, true, 2, false},
		{"of an earlier version", true, true, 0, true},
	} {
		x := trialtest.Fake(t, trial.Hooks{}, "v1", "v2", "v3")
		names := map[string]string{"v1": keep(t, x, "v1", golden.Value{Name: first, Text: "1"}), "v2": keep(t, x, "v2")}
		keep(t, x, "gone", golden.Value{Name: first, Text: "7"})
		dir := x.Package.Program.Test.Dir
		other := instrument.FuzzTest{Name: "FuzzOther", File: x.Test.File}
		entry := corpus.Of("o").Found()
		if err := store.Apply(store.Path(dir, other.Name), store.Change{Packages: ".", Put: []golden.Entry{store.Entry(&entry, nil)}}); err != nil {
			t.Fatal(err)
		}
		if c.earlier {
			if err := os.WriteFile(x.GoldenFile(), []byte("fuzzmut golden v2\nobserves .\n\nend, 0 values\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		all := []instrument.FuzzTest{x.Test, other}
		if c.table {
			for _, name := range []string{"fake_golden_test.go", "other_golden_test.go"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("// Code generated by fuzzmut; DO NOT EDIT.\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := x.Greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		g, err := findGenerated(x.Package.Loaded, all, c.write)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.others(all, []instrument.FuzzTest{x.Test}); err != nil {
			t.Fatal(err)
		}
		if n := len(g.tests); c.table != (n == 1) || n == 1 && (g.tests[0].Name != "FuzzOther" || len(g.tests[0].Cases) != 1 || g.tests[0].Table) {
			t.Errorf("%s: other tests %+v", c.name, g.tests)
		}
		g.tests = nil
		if err := g.add(&verifiedTest{trial: x}, c.write); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, test := range g.tests {
			n += len(test.Cases)
			for _, k := range test.Cases {
				if words := fmt.Sprint(k.Args...); names[words] != k.Name || len(k.Values) != map[bool]int{true: 1}[words == "v1"] || !test.Table {
					t.Errorf("%s: %+v", c.name, k)
				}
			}
		}
		if n != c.cases || g.incomplete != c.earlier {
			t.Errorf("%s: %d cases, want %d; incomplete %v", c.name, n, c.cases, g.incomplete)
		}
		// Where nothing is asked for, or the values can't be told, files stay as they are.
		if n == 0 {
			v := &verifier{opts: Options{WriteTest: c.write}, report: new(report.Verification)}
			if stale, err := v.settle(t.Context(), load.Config{}, g); err != nil || stale != nil || v.report.Generated != nil {
				t.Errorf("%s: %v, %v", c.name, stale, err)
			}
		}
	}
}
