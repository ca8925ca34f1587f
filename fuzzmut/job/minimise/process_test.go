//go:build unix

package minimise

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// minimised minimizes the corpus of a fake fuzz test and returns the words of the inputs
// that are gone.
func minimised(t *testing.T, x *trial.Trial, opts Options) (*minimiser, []string, error) {
	t.Helper()
	opts.Options = x.Project.Options
	x.Project.Unmutated = opts.By == matrix.Coverage
	m := &minimiser{project: x.Project, opts: opts, report: new(report.Minimization)}
	err := m.minimise(t.Context(), x)
	words := make(map[string]string)
	for _, e := range slices.Concat(x.Given, x.Cached) {
		words[e.Name] = e.Input.Values()[0].(string)
	}
	gone := []string{}
	for _, r := range m.report.Tests {
		for _, name := range r.Removed {
			gone = append(gone, words[name])
		}
	}
	slices.Sort(gone)
	return m, gone, err
}

func TestEntriesThatOthersReplaceGo(t *testing.T) {
	for _, c := range []struct {
		name  string
		by    matrix.Features
		given []string
		want  []string
	}{
		{"all are needed", 0, []string{"k1", "k2", "f8"}, []string{}},
		{"one kills what the others do", 0, []string{"k1", "k2", "k1 k2"}, []string{"k1", "k2"}},
		{"coverage counts, too", 0, []string{"k1", "k1 f8"}, []string{"k1"}},
		{"kills alone", matrix.Kills, []string{"k1", "f8"}, []string{"f8"}},
		{"coverage alone", matrix.Coverage, []string{"k1", "f8"}, []string{"k1"}},
		{"of equals the smaller stays", 0, []string{"k1 i2", "k1"}, []string{"k1 i2"}},
		{"what fails stays, and counts for nothing", 0, []string{"fail k1", "k1"}, []string{}},
	} {
		x := trialtest.Fake(t, trial.Hooks{}, c.given...)
		m, gone, err := minimised(t, x, Options{By: c.by})
		if err != nil || !slices.Equal(gone, c.want) {
			t.Errorf("%s: %q are gone, %v", c.name, gone, err)
			continue
		}
		r := &m.report.Tests[0]
		left, _, err := corpus.ReadDir(x.Testdata(), nil, 0)
		if err != nil || len(left) != len(c.given)-len(gone) || r.After.Files != len(left) || r.Before.Files != len(c.given) {
			t.Errorf("%s: %d files are left, from %+v to %+v", c.name, len(left), r.Before, r.After)
		}
		if c.by != matrix.Coverage && r.After.Killed != r.Before.Killed || c.by != matrix.Kills && r.After.Covered != r.Before.Covered {
			t.Errorf("%s: from %+v to %+v", c.name, r.Before, r.After)
		}
	}
}

func TestFilesOfTheUserStay(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1 k2")
	if _, err := corpus.WriteFile(x.Testdata(), "mine", corpus.Marshal([]any{"k1"})); err != nil {
		t.Fatal(err)
	}
	m, gone, err := minimised(t, x, Options{})
	if err != nil || len(gone) != 0 || m.report.Tests[0].Own != 1 {
		t.Errorf("%q are gone, %v; %+v", gone, err, m.report.Tests)
	}
}

func TestADryRunRemovesNothing(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1", "k1 k2")
	x.Project.Options.DryRun = true
	m, gone, err := minimised(t, x, Options{})
	if err != nil || !slices.Equal(gone, []string{"k1"}) || m.report.Tests[0].After.Files != 1 {
		t.Errorf("%q, %v; %+v", gone, err, m.report.Tests)
	}
	if left, _, _ := corpus.ReadDir(x.Testdata(), nil, 0); len(left) != 2 {
		t.Errorf("%d are left", len(left))
	}
}

// In Go's fuzz cache all may go that the corpus makes redundant, and that has the name
// that go test gives.
func TestTheCacheIsMinimised(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	dir, _ := x.CacheDir()
	for _, words := range []string{"k1 i5", "k2", "k2 k3"} {
		data := corpus.Marshal([]any{words})
		if _, err := corpus.WriteFile(dir, corpus.FileName(data), data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := corpus.WriteFile(dir, "named", corpus.Marshal([]any{"k1 i6"})); err != nil {
		t.Fatal(err)
	}
	m, gone, err := minimised(t, x, Options{Cache: true})
	if err != nil || !slices.Equal(gone, []string{"k1 i5", "k2"}) {
		t.Errorf("%q are gone, %v", gone, err)
	}
	if r := m.report.Tests[0]; r.Dir != dir || r.Own != 1 || r.Before.Files != 4 {
		t.Errorf("%+v", r)
	}
	if left, _, _ := corpus.ReadDir(x.Testdata(), nil, 0); len(left) != 1 {
		t.Errorf("%d of the corpus are left", len(left))
	}
}

// In the cache, too, a file with a name of the user's stays.
func TestOnlyStaleEntriesOfTheCacheArePruned(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	dir, _ := x.CacheDir()
	stale := corpus.Marshal([]any{1})
	for _, name := range []string{corpus.FileName(stale), "named"} {
		if _, err := corpus.WriteFile(dir, name, stale); err != nil {
			t.Fatal(err)
		}
	}
	m, _, err := minimised(t, x, Options{Cache: true, Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "named" || len(m.report.Stale) != 2 {
		t.Errorf("%v are left, %v; %+v", files, err, m.report.Stale)
	}
}

func TestFailingFilesAreNamed(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "fail", "k1")
	m, _, err := minimised(t, x, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(x.Testdata(), corpus.Of("fail").Found().Name)}
	if diff := cmp.Diff(want, m.report.Tests[0].Failing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDamagedEntriesAreRefused(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	if err := os.WriteFile(filepath.Join(x.Testdata(), "broken"), []byte("go test fuzz v1\nstring(\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := minimised(t, x, Options{Prune: true}); exit.CodeOf(err) != exit.Baseline || !strings.Contains(err.Error(), "broken") {
		t.Errorf("%v", err)
	}
}

func TestOnlyStaleEntriesOfFuzzmutArePruned(t *testing.T) {
	stale := corpus.Marshal([]any{1})
	for _, c := range []struct {
		name          string
		opts          Options
		file          string
		managed, gone bool
	}{
		{"not asked for", Options{}, corpus.ManagedName(stale), true, false},
		{"asked for", Options{Prune: true}, corpus.ManagedName(stale), true, true},
		{"the user's", Options{Prune: true}, "mine", false, false},
	} {
		x := trialtest.Fake(t, trial.Hooks{}, "k1")
		path := filepath.Join(x.Testdata(), c.file)
		if _, err := corpus.WriteFile(x.Testdata(), c.file, stale); err != nil {
			t.Fatal(err)
		}
		m, _, err := minimised(t, x, c.opts)
		if err != nil || len(m.report.Stale) != 1 {
			t.Fatalf("%s: %v, %+v", c.name, err, m.report.Stale)
		}
		e := m.report.Stale[0]
		_, err = os.Lstat(path)
		if e.Path != path || e.Managed != c.managed || e.Removed != c.gone || os.IsNotExist(err) != c.gone {
			t.Errorf("%s: %+v, %v", c.name, e, err)
		}
		if verdict := m.staleVerdict(); (verdict == nil) != c.gone || verdict != nil && exit.CodeOf(verdict) != exit.Baseline {
			t.Errorf("%s: %v", c.name, verdict)
		}
	}
}

// Directories of fuzz tests that are not there are looked through once.
func TestEntriesOfNoFuzzTestAreReported(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	dir := x.Package.Program.Test.Dir
	trialtest.AddEntry(t, corpus.TestdataDir(dir, "FuzzGone"), "k2")
	if _, err := corpus.WriteFile(corpus.TestdataDir(dir, "FuzzGone"), "mine", corpus.Marshal([]any{"k3"})); err != nil {
		t.Fatal(err)
	}
	m, _, err := minimised(t, x, Options{Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.lookThrough(x.Package); err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, e := range m.report.Stale {
		got = append(got, e.Managed, e.Removed)
	}
	if !slices.Equal(got, []bool{true, true, false, false}) {
		t.Errorf("%+v", m.report.Stale)
	}
	m.opts.CorpusDir, m.seen, m.report.Stale = "elsewhere", nil, nil
	if err := m.lookThrough(x.Package); err != nil || len(m.report.Stale) > 0 {
		t.Errorf("where entries are elsewhere: %+v, %v", m.report.Stale, err)
	}
}
