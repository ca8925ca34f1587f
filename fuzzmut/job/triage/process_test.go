//go:build unix

package triage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// triagerOf is the triage of a fake fuzz test with a corpus.
func triagerOf(t *testing.T, opts Options, inputs ...string) *triager {
	t.Helper()
	opts.Time, opts.NoTests = time.Hour, true
	x := trialtest.Fake(t, trial.Hooks{}, inputs...)
	return &triager{trial: x, opts: &opts, sort: bugs.New(x, bugs.Options{Time: opts.Time, First: opts.First, NoTests: true})}
}

// triaged is the result of it.
func triaged(t *testing.T, opts Options, inputs ...string) (*triager, *report.Triage) {
	t.Helper()
	x := triagerOf(t, opts, inputs...)
	if err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x, x.result
}

// name is that of an input of a fake fuzz test in its corpus.
func name(words string) string { return corpus.Of(words).Found().Name }

func TestInputsAreCollectedFromAllDirectories(t *testing.T) {
	x := triagerOf(t, Options{Crashers: []string{"named", "several"}}, "k1", "fail r1")
	dir := x.trial.Project.Options.Dir
	beside, err := x.trial.CrashersDir()
	if err != nil {
		t.Fatal(err)
	}
	trialtest.AddEntry(t, beside, "fail r2")
	trialtest.AddEntry(t, filepath.Join(dir, "named"), "fail r3")
	trialtest.AddEntry(t, filepath.Join(dir, "several", "FuzzFake"), "fail r4")
	trialtest.AddEntry(t, filepath.Join(dir, "several", "FuzzOther"), "fail r5")
	for path, text := range map[string]string{
		"named/raw": "fail r6", "named/other": "go test fuzz v1\nint(3)\n", "several/beside": "fail r7",
		"testdata/fuzz/FuzzFake/broken": "go test fuzz v1\nstring(\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range x.sort.Inputs {
		if in.Status == report.Undecodable {
			got = append(got, "undecodable "+in.Entry.Name)
			continue
		}
		got = append(got, fmt.Sprintf("%v %s", in.Asked, fake.Words(in.Entry.Input)))
	}
	slices.Sort(got)
	want := []string{
		"false fail r1", "false k1", "true fail r2", "true fail r3", "true fail r4", "true fail r6", "undecodable broken", "undecodable other",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// What fuzzing has left beside Go's fuzz cache and written to testdata as well is shown where go test
// runs it.
func TestTheRepresentativeIsShownInTestdata(t *testing.T) {
	x := triagerOf(t, Options{}, "fail r1")
	beside, err := x.trial.CrashersDir()
	if err != nil {
		t.Fatal(err)
	}
	trialtest.AddEntry(t, beside, "fail r1")
	if err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := x.result.Buckets[0]
	if want := filepath.Join(x.trial.Testdata(), name("fail r1")); b.Path != want || !strings.Contains(b.Repro, name("fail r1")) {
		t.Errorf("%q, %q; want %q", b.Path, b.Repro, want)
	}
}

func TestDirectoriesThatCannotBeReadAreUsageErrors(t *testing.T) {
	x := triagerOf(t, Options{})
	file := filepath.Join(x.trial.Project.Options.Dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"absent": "no directory ", "file": "is a file; name the directory", file: "is a file"} {
		if err := x.readCrashers(dir); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestFilesOfOtherFormatsAreTakenAsTheyAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		types []string
		text  string
		err   error
		want  any
	}{
		{[]string{"string"}, "text", &corpus.SyntaxError{}, "text"},
		{[]string{"[]byte"}, "text", &corpus.SyntaxError{}, []byte("text")},
		{[]string{"[]uint8"}, "text", &corpus.SyntaxError{}, []byte("text")},
		{[]string{"int"}, "text", &corpus.SyntaxError{}, nil},
		{[]string{"string", "string"}, "text", &corpus.SyntaxError{}, nil},
		{[]string{"string"}, "go test fuzz v1\nint(", &corpus.SyntaxError{}, nil},
		{[]string{"string"}, "text", os.ErrPermission, nil},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		x := &triager{trial: &trial.Trial{Types: c.types}}
		e, ok := x.raw(corpus.BadEntry{Path: path, Err: c.err})
		if ok != (c.want != nil) || ok && (fmt.Sprintf("%#v", e.Input.Values()) != fmt.Sprintf("%#v", []any{c.want}) || e.Name != "file" || e.Source != corpus.File) {
			t.Errorf("%q as %v: %+v, %v", c.text, c.types, e, ok)
		}
	}
	x := &triager{trial: &trial.Trial{Types: []string{"string"}}}
	if _, ok := x.raw(corpus.BadEntry{Path: path + ".gone", Err: &corpus.SyntaxError{}}); ok {
		t.Error("a file that is gone is read")
	}
}

func TestBucketsAreDescribed(t *testing.T) {
	x, r := triaged(t, Options{}, "fail r1 i2", "fail r1 r3 i2 i4", "fail r5", "k3", "i7")
	if r.Passing != 2 || len(r.Buckets) != 2 || len(r.Inputs) != 3 {
		t.Fatalf("%d pass, %d buckets, %d inputs", r.Passing, len(r.Buckets), len(r.Inputs))
	}
	first, second := &r.Buckets[0], &r.Buckets[1]
	if len(first.Inputs) == 1 {
		first, second = second, first
	}
	slices.Sort(first.Inputs)
	want := []string{name("fail r1 i2"), name("fail r1 r3 i2 i4")}
	slices.Sort(want)
	if !slices.Equal(first.Inputs, want) || !slices.Equal(second.Inputs, []string{name("fail r5")}) {
		t.Errorf("%q and %q", first.Inputs, second.Inputs)
	}
	if first.Kind != "panic" || first.Message != "boom" || first.ByStack || first.Representative != `string("fail r1 i2")` {
		t.Errorf("%+v", first)
	}
	if !strings.HasSuffix(first.Path, name("fail r1 i2")) || !strings.Contains(first.Repro, "-run='^FuzzFake$/^"+name("fail r1 i2")+"$'") {
		t.Errorf("%s: %s", first.Path, first.Repro)
	}
	// 3 repairs one, but breaks what passes.
	if len(first.Repairs) != 1 || r.Repairs[first.Repairs[0].Repair].ID != "m1" || first.Repairs[0].Here != 2 {
		t.Errorf("repairs %+v of %+v", first.Repairs, r.Repairs)
	}
	for i, in := range r.Inputs {
		if in.Rank != i+1 || in.Status != report.Repaired || in.Bucket == 0 {
			t.Errorf("%+v", in)
		}
	}
	if x.trial.Engine.Status().MutantExecs != r.MutantExecutions {
		t.Error("executions")
	}
}

func TestWhatNothingRepairsIsSortedByStack(t *testing.T) {
	x := triagerOf(t, Options{}, "fail i1", "fail r2", "k2")
	x.trial.Package.Program.Funcs[0] = instrument.Func{File: "fake.go", Line: 1, EndLine: 1} // of the failure
	if err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := x.result
	if len(r.Buckets) != 1 {
		t.Fatalf("%d buckets", len(r.Buckets))
	}
	b := &r.Buckets[0]
	if !b.ByStack || len(b.Repairs) != 0 || len(b.Noisy) != 1 || r.Repairs[b.Noisy[0].Repair].ID != "m2" {
		t.Errorf("%+v, repairs %+v", b, r.Repairs)
	}
	for _, in := range r.Inputs {
		if in.Status != report.Unrepaired {
			t.Errorf("%s is %s", in.Name, in.Status)
		}
	}
}

func TestARepresentativeIsWritten(t *testing.T) {
	x := triagerOf(t, Options{Write: true})
	dir, _ := x.trial.CrashersDir()
	trialtest.AddEntry(t, dir, "fail r1")
	if err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, _, err := corpus.ReadDir(x.trial.Testdata(), nil, 0)
	if err != nil || len(entries) != 1 || entries[0].Input.Values()[0] != "fail r1" {
		t.Fatal(entries, err)
	}
	if b := &x.result.Buckets[0]; b.Path != entries[0].Path || b.Repro == "" {
		t.Errorf("%s: %s", b.Path, b.Repro)
	}
	// It is not written unless that is asked for, and then go test does not find it.
	x = triagerOf(t, Options{})
	dir, _ = x.trial.CrashersDir()
	file := trialtest.AddEntry(t, dir, "fail r1")
	if err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b := &x.result.Buckets[0]; b.Path != filepath.Join(dir, file) || b.Repro != "" {
		t.Errorf("%s: %s", b.Path, b.Repro)
	}
}

// go test finds an input in the directory of the fuzz test itself alone, whatever that of
// another is called.
func TestARepresentativeInAnotherDirectoryHasNoCommand(t *testing.T) {
	for dir, want := range map[string]bool{"testdata/fuzz/FuzzFake": true, "testdata/fuzz/FuzzFakeAll": false, "testdata/fuzz/FuzzFake/more": false} {
		x := triagerOf(t, Options{Crashers: []string{dir}}, "i1")
		dir := filepath.Join(x.trial.Project.Options.Dir, filepath.FromSlash(dir))
		file := trialtest.AddEntry(t, dir, "fail r1")
		if err := x.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(x.result.Buckets) != 1 {
			t.Errorf("%s: %d buckets", dir, len(x.result.Buckets))
			continue
		}
		if b := &x.result.Buckets[0]; b.Path != filepath.Join(dir, file) || (b.Repro != "") != want {
			t.Errorf("%s: %s", b.Path, b.Repro)
		}
	}
}

func TestLabelsAreDiscovered(t *testing.T) {
	labels := map[string]string{name("fail r1"): "one", name("fail r1 i5"): "one", name("fail r2"): "two", name("fail r3"): ""}
	_, r := triaged(t, Options{Labels: labels}, "fail r1", "fail r1 i5", "fail r2", "fail r3", "k4")
	if r.Labels != 2 || len(r.Discovery) != 3 || r.Discovery[2] != 2 || r.APFD <= 0 {
		t.Errorf("%d labels, discovered %v, APFD %v", r.Labels, r.Discovery, r.APFD)
	}
	_, r = triaged(t, Options{}, "fail r1")
	if r.Labels != 0 || r.Discovery != nil {
		t.Errorf("nobody knows them: %+v", r)
	}
}

// Buckets that share repairs are near each other.
func TestRingsAreBucketsThatShareRepairs(t *testing.T) {
	_, r := triaged(t, Options{}, "fail r1 r2 r3", "fail r1 r4 r5", "fail r6")
	if len(r.Buckets) != 3 {
		t.Fatalf("%d buckets", len(r.Buckets))
	}
	for i := range r.Buckets {
		b := &r.Buckets[i]
		alone := slices.Contains(b.Inputs, name("fail r6"))
		near := 0
		for _, ring := range b.Rings {
			near += len(ring.Buckets)
			if slices.Contains(ring.Buckets, b.Number) {
				t.Errorf("bucket %d is near itself", b.Number)
			}
		}
		if alone != (near == 0) {
			t.Errorf("bucket %d (%q): %+v", b.Number, b.Inputs, b.Rings)
		}
	}
}

func TestFailingInputsAreAnError(t *testing.T) {
	sorted := report.FailingInput{Rank: 1, Status: report.Repaired}
	flaky := report.FailingInput{Status: report.Flaky}
	for _, c := range []struct {
		tests []report.Triage
		want  string
	}{
		{nil, ""},
		{[]report.Triage{{Inputs: []report.FailingInput{{Status: report.Passes}}}}, ""},
		{[]report.Triage{{Buckets: make([]report.Bucket, 1), Inputs: []report.FailingInput{sorted}}}, "failing inputs, in 1 bucket: "},
		{[]report.Triage{{Buckets: make([]report.Bucket, 1)}, {Buckets: make([]report.Bucket, 2), Inputs: []report.FailingInput{flaky}}}, "failing inputs, in 3 buckets, and 1 not sorted"},
		{[]report.Triage{{Inputs: []report.FailingInput{flaky, flaky}}}, "2 failing inputs not sorted"},
	} {
		err := triageVerdict(&report.TriageReport{Tests: c.tests})
		if (err == nil) != (c.want == "") || err != nil && (exit.CodeOf(err) != exit.Failing || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
