package hook

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// repository is one with a package that has a corpus of fuzzmut's, in a module at its
// root, all of it committed.
type repository struct {
	t     *testing.T
	dir   string
	env   []string
	entry string // of FuzzX
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{t: t, dir: t.TempDir(), entry: "testdata/fuzz/FuzzX/" + corpus.ManagedName([]byte("a"))}
	r.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GOCACHE="+t.TempDir(), "GOWORK=off", "GOFLAGS=",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
	r.git("init", "--quiet")
	r.write("go.mod", "module example.com/p\n\ngo 1.26\n")
	r.write("p.go", "package p\n\nfunc F() int { return 1 }\n")
	r.write("README", "p\n")
	r.write(r.entry, "a")
	r.git("add", ".")
	r.git("commit", "--quiet", "-m", "first")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Skipf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// run runs the hook. Golden values are as they were, unless something else is given.
func (r *repository) run(o Options) (out string, err error) {
	r.t.Helper()
	var b strings.Builder
	o.Dir, o.Env, o.Out = r.dir, r.env, &b
	if o.Verify == nil {
		o.Verify = func(context.Context, project.Options, bool) (*report.Verification, error) {
			return &report.Verification{Tests: []report.VerifiedTest{{Values: 3, Entries: 2}}}, nil
		}
	}
	err = Run(r.t.Context(), o)
	return b.String(), err
}

func TestOnlyWhatConcernsACorpusIsVerified(t *testing.T) {
	r := newRepository(t)
	verified := 0
	verify := func(_ context.Context, o project.Options, update bool) (*report.Verification, error) {
		verified++
		// It sees what is staged, and not what is in the tree.
		data, err := os.ReadFile(filepath.Join(o.Dir, "p.go"))
		if err != nil || !strings.Contains(string(data), "return 2") || !o.NoDerive || update {
			t.Errorf("%q, %v", data, err)
		}
		return &report.Verification{Tests: []report.VerifiedTest{{Values: 3, Entries: 2}}}, nil
	}
	r.write("README", "q\n")
	r.git("add", ".")
	if out, err := r.run(Options{Verify: verify, Verbose: true}); err != nil || verified != 0 || !strings.Contains(out, "no staged change affects a corpus") {
		t.Errorf("%d verified, %q, %v", verified, out, err)
	}
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	r.write("p.go", "package p\n\nfunc F() int { return 3 }\n")
	if out, err := r.run(Options{Verify: verify}); err != nil || verified != 1 || out != "fuzzmut: .: 3 golden values of 2 entries unchanged\n" {
		t.Errorf("%d verified, %q, %v", verified, out, err)
	}
	if out, err := r.run(Options{Verify: verify, Quiet: true}); err != nil || out != "" {
		t.Errorf("quiet: %q, %v", out, err)
	}
}

func TestChangedGoldenValuesStopTheCommit(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	for code, want := range map[exit.Code]string{
		exit.Failing:  "fuzzmut corpus verify -update . && git add testdata",
		exit.Baseline: ".: p.go is bad; git commit --no-verify commits without this check",
	} {
		_, err := r.run(Options{Verify: func(_ context.Context, o project.Options, _ bool) (*report.Verification, error) {
			rep := &report.Verification{Tests: []report.VerifiedTest{{Changed: 1, Changes: []report.ValueChange{{}}}}}
			return rep, exit.Errorf(code, "p.go is bad")
		}})
		if exit.CodeOf(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

func TestWhatIsRegeneratedIsStaged(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", "p.go")
	fresh := "testdata/fuzz/FuzzX/" + corpus.ManagedName([]byte("b"))
	regen := func(_ context.Context, o project.Options, changed *change.Set) (*report.Report, error) {
		if changed.Empty() || o.FuzzTime.Duration < leastFuzz || o.Fuzz != "^(FuzzX)$" {
			t.Errorf("%+v", o)
		}
		dir := filepath.Join(o.Dir, "testdata", "fuzz", "FuzzX")
		if err := errors.Join(os.WriteFile(filepath.Join(o.Dir, fresh), []byte("b"), 0o666), os.Remove(filepath.Join(o.Dir, r.entry)),
			os.WriteFile(filepath.Join(dir, "other"), nil, 0o666)); err != nil {
			t.Error(err)
		}
		return &report.Report{Tests: []report.FuzzTest{{
			Package: "example.com/p", Name: "FuzzX", Corpus: report.Corpus{Dir: dir}, Regenerated: report.Regenerated{Functions: 1, Mutants: 4, Gained: 2, Lost: []string{"m"}},
		}}}, nil
	}
	out, err := r.run(Options{Budget: time.Hour, Regen: regen})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"A\t" + fresh, "D\t" + r.entry, "M\tp.go"}
	got := strings.Split(r.git("diff", "--cached", "--name-status", "--no-renames"), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("staged %q, want %q", got, want)
	}
	if left := r.git("status", "--porcelain", "--untracked-files=all"); strings.Contains(left, "other") || strings.Contains(left, "??") {
		t.Errorf("in the tree: %s", left)
	}
	for _, text := range []string{"1 function with 4 mutants changed", "2 gained, 1 lost", "lost: m", "1 added, 1 removed, 0 changed", "2 files staged in addition to yours"} {
		if !strings.Contains(out, text) {
			t.Errorf("%q is not in %q", text, out)
		}
	}
}

func TestNothingIsRegeneratedWhereThatIsNotFit(t *testing.T) {
	failing := []report.FuzzTest{{Name: "FuzzX", Crashes: []report.Crash{{Kind: "panic", Message: "boom"}}}}
	for _, c := range []struct {
		name   string
		before func(*repository)
		budget time.Duration
		rep    *report.Report
		err    error
		code   exit.Code
		out    string
		runs   int
	}{
		{name: "no budget"},
		{name: "a merge is in progress", budget: time.Hour, before: func(r *repository) { r.write(".git/MERGE_HEAD", r.git("rev-parse", "HEAD")) }, out: "a merge is in progress: corpora are not regenerated"},
		{name: "a commit of paths", budget: time.Hour, before: func(r *repository) {
			index := filepath.Join(r.dir, ".git", "next-index-1.lock")
			data, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
			if err == nil {
				err = os.WriteFile(index, data, 0o666)
			}
			if err != nil {
				r.t.Fatal(err)
			}
			r.env = append(r.env, "GIT_INDEX_FILE="+index)
		}, out: "the commit takes some files from the work tree"},
		{name: "an error is no reason to hold a commit up", budget: time.Hour, err: errors.New("no room"), out: ". is not regenerated: no room", runs: 1},
		{name: "a baseline that fails is", budget: time.Hour, err: exit.Errorf(exit.Baseline, "seed#0 fails"), code: exit.Baseline, runs: 1},
		{name: "so are failing inputs", budget: time.Hour, rep: &report.Report{Tests: failing}, code: exit.Failing, out: "boom", runs: 1},
		{name: "what was interrupted is not staged", budget: time.Hour, rep: &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Interrupted: true}}}, runs: 1},
		{name: "a budget that is too small", budget: 2 * time.Millisecond, out: "were not enough to regenerate all"},
	} {
		r := newRepository(t)
		r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
		r.git("add", ".")
		if c.before != nil {
			c.before(r)
		}
		runs := 0
		out, err := r.run(Options{Budget: c.budget, Regen: func(context.Context, project.Options, *change.Set) (*report.Report, error) {
			runs++
			return c.rep, c.err
		}})
		if exit.CodeOf(err) != c.code || !strings.Contains(out, c.out) || runs != c.runs {
			t.Errorf("%s: %d runs, %q, %v", c.name, runs, out, err)
		}
		if staged := r.git("diff", "--cached", "--name-only"); staged != "p.go" {
			t.Errorf("%s: staged %q", c.name, staged)
		}
	}
}

// Golden values that are missing are written, where nothing else differs.
func TestMissingGoldenValuesAreStaged(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	const golden = "testdata/fuzz-golden/FuzzX.txt"
	verify := func(_ context.Context, o project.Options, update bool) (*report.Verification, error) {
		if !update {
			missing := []report.FileProblem{{Path: golden, Entry: r.entry, Kind: report.FileMissing}}
			return &report.Verification{Tests: []report.VerifiedTest{{Files: missing}}}, exit.Errorf(exit.Failing, "missing")
		}
		path := filepath.Join(o.Dir, golden)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte("fuzzmut golden v3\nobserves .\n-- "+filepath.Base(r.entry)+", 0 values --\n-- end --\n"), 0o666)
		}
		return &report.Verification{Tests: []report.VerifiedTest{{Values: 1, Entries: 1}}}, err
	}
	regen := func(context.Context, project.Options, *change.Set) (*report.Report, error) { return nil, nil }
	out, err := r.run(Options{Budget: time.Hour, Verify: verify, Regen: regen})
	if err != nil || !strings.Contains(out, "golden values staged for 1 entry without any; removed for 0 that no longer exist") {
		t.Errorf("%q, %v", out, err)
	}
	if staged := r.git("diff", "--cached", "--name-only"); staged != "p.go\n"+golden {
		t.Errorf("staged %q", staged)
	}
	// Not where nothing is to be added to the commit.
	r.git("rm", "--quiet", "--cached", golden)
	if _, err := r.run(Options{Verify: verify}); exit.CodeOf(err) != exit.Failing {
		t.Errorf("without a budget: %v", err)
	}
}

// What was interrupted says nothing, and is not staged; what has ended is.
func TestOnlyWhatHasEndedIsStaged(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	name := corpus.ManagedName([]byte("b"))
	regen := func(_ context.Context, o project.Options, _ *change.Set) (*report.Report, error) {
		rep := new(report.Report)
		for _, test := range []string{"FuzzX", "FuzzY"} {
			dir := filepath.Join(o.Dir, "testdata", "fuzz", test)
			if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), []byte("b"), 0o666)); err != nil {
				t.Error(err)
			}
			rep.Tests = append(rep.Tests, report.FuzzTest{Name: test, Interrupted: test == "FuzzX", Corpus: report.Corpus{Dir: dir}})
		}
		return rep, nil
	}
	if _, err := r.run(Options{Budget: time.Hour, Regen: regen}); err != nil {
		t.Fatal(err)
	}
	if staged := r.git("diff", "--cached", "--name-only"); staged != "p.go\ntestdata/fuzz/FuzzY/"+name {
		t.Errorf("staged %q", staged)
	}
}

func TestOnlyMissingFilesAreWritten(t *testing.T) {
	const path = "testdata/fuzz-golden/FuzzX.txt"
	file := func(kind, entry string) report.FileProblem {
		return report.FileProblem{Path: path, Entry: entry, Kind: kind}
	}
	for _, c := range []struct {
		name string
		test report.VerifiedTest
		want bool
	}{
		{"nothing", report.VerifiedTest{}, false},
		{"missing and orphaned", report.VerifiedTest{Files: []report.FileProblem{file(report.FileMissing, "a"), file(report.FileOrphaned, "b")}}, true},
		{"damaged", report.VerifiedTest{Files: []report.FileProblem{file(report.FileDamaged, "a")}}, false},
		{"a change besides", report.VerifiedTest{Files: []report.FileProblem{file(report.FileMissing, "a")}, Changes: make([]report.ValueChange, 1)}, false},
		{"a fuzz test that is gone", report.VerifiedTest{Files: []report.FileProblem{file(report.FileOrphaned, "")}}, false},
		{"values of an earlier version", report.VerifiedTest{Files: []report.FileProblem{file(report.FileOutdated, "")}}, false},
	} {
		if got := onlyFiles(&report.Verification{Tests: []report.VerifiedTest{c.test}}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestSlowTargetsWait(t *testing.T) {
	base := filepath.Join(t.TempDir(), "tree")
	at := func(budget time.Duration) *job {
		return &job{opts: Options{Budget: budget}, tree: &checkout{base: base}}
	}
	a, b := target{dir: "a"}, target{dir: "b"}
	at(time.Second).noteSlow(a, true)
	for budget, want := range map[time.Duration]bool{time.Second: true, time.Millisecond: true, 2 * time.Second: false} {
		if got := at(budget).wasSlow(a); got != want {
			t.Errorf("with %v: %v", budget, got)
		}
	}
	if at(time.Second).wasSlow(b) {
		t.Error("another is slow, too")
	}
	old := time.Now().Add(-2 * patience)
	if err := os.Chtimes(at(0).slowFile(a), old, old); err != nil {
		t.Fatal(err)
	}
	if at(time.Second).wasSlow(a) {
		t.Error("it is not tried again")
	}
	at(time.Second).noteSlow(a, true)
	at(time.Second).noteSlow(a, false)
	if at(time.Second).wasSlow(a) {
		t.Error("what has ended in time is slow")
	}
}

func TestAHookIsInstalledBesideTheOneThatIsThere(t *testing.T) {
	r := newRepository(t)
	path := filepath.Join(r.dir, ".git", "hooks", Commit.name)
	if i, err := Uninstall(t.Context(), r.dir, r.env, Commit); err != nil || i != nil {
		t.Errorf("there is none: %+v, %v", i, err)
	}
	r.write(".git/hooks/pre-commit", "#!/bin/sh\ntrue\n")
	program := &Program{Words: []string{"/bin/fuzzmut"}, Local: true}
	for again := range 2 {
		i, err := Install(t.Context(), r.dir, r.env, Commit, program, []string{"-quiet"})
		if err != nil || i.Path != path || i.Before != filepath.Join(filepath.Dir(path), Commit.beforeName()) || i.Already != (again == 1) || i.Everywhere || i.Tracked {
			t.Errorf("%+v, %v", i, err)
		}
	}
	i, err := Uninstall(t.Context(), r.dir, r.env, Commit)
	if err != nil || i == nil || i.Before == "" {
		t.Errorf("%+v, %v", i, err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "#!/bin/sh\ntrue\n" {
		t.Errorf("%q, %v", data, err)
	}
	r.write(".git/hooks/pre-commit", string(Commit.scriptFor(program, nil))+"true\n")
	if _, err := Uninstall(t.Context(), r.dir, r.env, Commit); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "was edited after fuzzmut wrote it") {
		t.Errorf("%v", err)
	}
	if _, err := Install(t.Context(), t.TempDir(), r.env, Commit, program, nil); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "is not in a git work tree") {
		t.Errorf("%v", err)
	}
}
