//go:build unix

package diff

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// With -accept the inputs of new causes become entries, and of the entries that are there
// those get new values which differ in the same way. What fails, or is slow, stays out.
func TestWhatAcceptedCausesKeep(t *testing.T) {
	entries := []string{"v1", "old:v5 new:v6", "v1 old:v5 new:v6", "i1 new:fail", "old:v5 i1"}
	find := func(k *comparison, input string, kind string) explained {
		d := k.differing(t, input)[0]
		cause := &behavior.Cause{Kind: kind, Package: fakePackage, Fuzz: "FuzzFake", Input: d.Input.String()}
		for _, ch := range changes(d) {
			cause.Values = append(cause.Values, behavior.Value{Name: ch.Name, Old: ch.Want, New: ch.Got})
		}
		return explained{cause: cause, seen: d, part: -1}
	}
	for _, c := range []struct {
		name           string
		opts           Options
		target         string
		cause, kind    string // "" is no cause
		accepted       bool   // before
		fresh, altered string
		nothing        bool // is noted
	}{
		{name: "a value", opts: Options{Accept: true}, cause: "old:v1 new:v2", kind: behavior.KindValue, fresh: "old:v1 new:v2", altered: "old:v5 i1, old:v5 new:v6"},
		{name: "accepted before", opts: Options{Accept: true}, accepted: true, cause: "old:v1 new:v2", kind: behavior.KindValue, altered: "old:v5 i1, old:v5 new:v6"},
		{name: "a failure", opts: Options{Accept: true}, cause: "v1 new:fail", kind: behavior.KindPanic},
		{name: "work", opts: Options{Accept: true}, cause: "old:w50 new:w9000", kind: behavior.KindWork},
		{name: "not with -accept", cause: "old:v1 new:v2", kind: behavior.KindValue, nothing: true},
		{name: "of a derived fuzz test", opts: Options{Accept: true}, target: "fake.Target", cause: "old:v1 new:v2", kind: behavior.KindValue, nothing: true},
		{name: "no cause", opts: Options{Accept: true}, nothing: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := greeted(t, c.opts, entries...)
			k.test.Target = c.target
			var causes []explained
			if c.cause != "" {
				causes = append(causes, find(k, c.cause, c.kind))
			}
			if c.accepted {
				k.meant[fakePackage].list.Add(*asDifference(causes[0].cause))
			}
			if err := k.keep(t.Context(), causes, nil); err != nil {
				t.Fatal(err)
			}
			if c.nothing {
				if k.kept != nil {
					t.Errorf("%+v", k.kept)
				}
				return
			}
			if len(k.kept) != 1 || k.kept[0].pkg != fakePackage || k.kept[0].fuzz != "FuzzFake" {
				t.Fatalf("%+v", k.kept)
			}
			if got := sortedWords(k.kept[0].fresh); got != c.fresh {
				t.Errorf("new entries %q, want %q", got, c.fresh)
			}
			if got := sortedWords(k.kept[0].altered); got != c.altered {
				t.Errorf("altered entries %q, want %q", got, c.altered)
			}
		})
	}
}

func sortedWords(entries []corpus.Entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, fake.Words(e.Input))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// goldenOf reads the golden values of a fake fuzz test: the first of each entry, by its words.
func goldenOf(t *testing.T, x *trial.Trial, inputs ...string) map[string]string {
	t.Helper()
	values, err := store.Read(x.GoldenFile())
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, w := range inputs {
		e := corpus.Of(w).Found()
		if g := values.Of(&e); g != nil {
			got[w] = "none"
			if len(g.Values) > 0 {
				got[w] = g.Values[0].Text
			}
		}
	}
	return got
}

// What is accepted is written: new entries as files with golden values, and of entries that
// have golden values those of new code. Entries without any get none.
func TestAcceptedEntriesAreWritten(t *testing.T) {
	c := greeted(t, Options{Accept: true}, "v1 new:v7", "v2 new:v8", "new:v5")
	x := c.trials[after]
	kept1, kept2 := corpus.Of("v1 new:v7").Found(), corpus.Of("v2 new:v8").Found()
	put := store.Entry(&kept1, []golden.Value{{Name: firstValue, Text: "old"}})
	other := store.Entry(&kept2, []golden.Value{{Name: firstValue, Text: "stays"}})
	if err := store.Apply(x.GoldenFile(), store.Change{Packages: x.Package.Loaded.Observed(), Put: []golden.Entry{put, other}}); err != nil {
		t.Fatal(err)
	}
	entry := func(words string) corpus.Entry { return corpus.Of(words).Found() }
	k := &kept{
		pkg: fakePackage, fuzz: "FuzzFake",
		fresh:   []corpus.Entry{entry("old:v3 new:v4"), entry("new:v5"), entry("i1"), entry("v6 fail")},
		altered: []corpus.Entry{entry("v1 new:v7"), entry("new:v9")},
	}
	if err := c.keepIn(t.Context(), x, k); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"v1 new:v7": "1", "v2 new:v8": "stays", "old:v3 new:v4": "4", "new:v5": "5"}
	got := goldenOf(t, x, "v1 new:v7", "v2 new:v8", "old:v3 new:v4", "new:v5", "i1", "v6 fail", "new:v9")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("golden values (-want +got):\n%s", diff)
	}
	var files []string
	for _, words := range []string{"old:v3 new:v4", "i1", "v6 fail"} {
		files = append(files, "testdata/fuzz/FuzzFake/"+corpus.FileName(corpus.Of(words).Encode()))
	}
	files = append(files, "testdata/fuzz-golden/FuzzFake.txt")
	if diff := cmp.Diff(files, c.job.report.Written); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(x.Package.Program.Test.ModuleDir, name)); err != nil {
			t.Error(err)
		}
	}
}

// A damaged golden file stays as it is, and the entries are written all the same.
func TestAcceptLeavesDamagedGoldenValuesAlone(t *testing.T) {
	c := greeted(t, Options{Accept: true})
	x := c.trials[after]
	const damaged = "no golden file\n"
	if err := os.MkdirAll(filepath.Dir(x.GoldenFile()), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(x.GoldenFile(), []byte(damaged), 0o666); err != nil {
		t.Fatal(err)
	}
	e := corpus.Of("v1").Found()
	if err := c.keepIn(t.Context(), x, &kept{fresh: []corpus.Entry{e}}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(x.GoldenFile()); err != nil || string(data) != damaged {
		t.Errorf("%q, %v", data, err)
	}
	if want := []string{"testdata/fuzz/FuzzFake/" + corpus.FileName(e.Input.Encode())}; !slices.Equal(c.job.report.Written, want) {
		t.Errorf("written %q, want %q", c.job.report.Written, want)
	}
	if w := c.job.report.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], x.GoldenFile()+" is damaged") || !strings.Contains(w[0], "fuzzmut corpus verify") {
		t.Errorf("warnings %q", w)
	}
}

// Generated tests have to follow golden values that changed, and the user's own tests do not.
func TestGeneratedTestsAreNamedAsStale(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       bool
	}{
		"generated":  {"fuzzmut_golden_test.go", "// Code generated by fuzzmut; DO NOT EDIT.\n\npackage fake\n", true},
		"own":        {"my_golden_test.go", "package fake\n", false},
		"other name": {"my_test.go", "// Code generated by fuzzmut; DO NOT EDIT.\n\npackage fake\n", false},
	} {
		k := comparing(t, Options{})
		loaded := k.sides.pkgs[after].Loaded
		for _, prefix := range []string{"", "x_"} {
			if err := os.WriteFile(filepath.Join(loaded.Test.Dir, prefix+c.file), []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.tellStale(loaded); err != nil {
			t.Fatal(err)
		}
		if w := k.job.report.Warnings; len(w) != map[bool]int{true: 1}[c.want] {
			t.Errorf("%s: %q", name, w)
		}
	}
}

// A go command that does what it says stands in for the real one: written tests are kept
// only if they do with new code what was seen.
func TestWrittenTestsAreTried(t *testing.T) {
	for _, c := range []struct {
		name     string
		keep     string
		compiles bool
		passes   bool
		code     exit.Code
	}{
		{"they pass", KeepNew, true, true, exit.OK},
		{"they fail", KeepNew, true, false, exit.Failing},
		{"those of old code fail", KeepOld, true, false, exit.OK},
		{"those of old code pass", KeepOld, true, true, exit.Failing},
		{"they do not compile", KeepNew, false, true, exit.Internal},
	} {
		dir := t.TempDir()
		script := "#!/bin/sh\necho \"$@\" >> " + filepath.Join(dir, "calls") + "\ncase \"$*\" in\n*'-run=^$'*) exit " + status(c.compiles) + ";;\nesac\necho it says so\nexit " + status(c.passes) + "\n"
		command := filepath.Join(dir, "go")
		if err := os.WriteFile(command, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		loaded := ownPackage(t)
		loaded.Toolchain.Command = command
		j := &job{opts: Options{Keep: c.keep}, pair: &versions.Pair{New: versions.Side{Dir: dir, Env: os.Environ(), BuildFlags: []string{"-tags=x"}}}}
		err := j.tryTests(t.Context(), loaded, &goldentest.PlainTests{
			Files: map[string][]byte{"/p/a_test.go": []byte("package p\n\nfunc TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) {}\n")},
			Tests: []goldentest.Written{{Name: "TestA"}, {Name: "TestB"}},
		})
		if exit.CodeOf(err) != c.code || c.code == exit.Failing && !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("%s: %v", c.name, err)
		}
		calls, err := os.ReadFile(filepath.Join(dir, "calls"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(calls)), "\n")
		want := 2
		if !c.compiles {
			want = 1
		}
		if len(lines) != want {
			t.Errorf("%s: %q", c.name, lines)
			continue
		}
		for i, pattern := range []string{"^$", "^(TestA|TestB)$"}[:want] {
			if !strings.HasPrefix(lines[i], "test -tags=x -overlay=") || !strings.HasSuffix(lines[i], " -count=1 -run="+pattern+" example.com/p") {
				t.Errorf("%s: %s", c.name, lines[i])
			}
		}
	}
}

// status is the exit status of a command.
func status(ok bool) string {
	if ok {
		return "0"
	}
	return "1"
}

// The values of entries are those that differ, by name, whichever call they are of.
func TestEntriesDifferInTheSameValues(t *testing.T) {
	k := greeted(t, Options{Accept: true}, "old:v1 new:v2", "v1 old:v1 new:v2", "old:v1 old:v1 new:v2 new:v2", "v1")
	names := func(list ...string) explained {
		c := &behavior.Cause{Kind: behavior.KindValue}
		for _, n := range list {
			c.Values = append(c.Values, behavior.Value{Name: n})
		}
		return explained{cause: c, part: -1}
	}
	for _, c := range []struct {
		causes []explained
		want   string
	}{
		{[]explained{names(firstValue)}, "old:v1 new:v2"},
		{[]explained{names("fake.Target #7 result 0")}, "old:v1 new:v2"},
		{[]explained{names("fake.Other #1 result 0")}, "v1 old:v1 new:v2"},
		{[]explained{names("fake.Other #1 result 0", firstValue)}, "old:v1 old:v1 new:v2 new:v2"},
		{[]explained{names("fake.Other #1 result 0"), names(firstValue)}, "old:v1 new:v2, v1 old:v1 new:v2"},
		{[]explained{names("fake.Gone #1 result 0")}, ""},
	} {
		got, err := k.altered(t.Context(), c.causes, nil)
		if err != nil || sortedWords(got) != c.want {
			t.Errorf("%+v: %q, want %q; %v", c.causes[0].cause.Values, sortedWords(got), c.want, err)
		}
	}
}
