package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestWhatToDoNext(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"testdata/fuzz/FuzzX", "testdata/fuzz-golden", "testdata/other"} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p := &Project{Options: Options{Dir: wd, Packages: []string{"."}}}
	of := func(added, golden int, crashes ...report.Crash) report.FuzzTest {
		return report.FuzzTest{
			Corpus:  report.Corpus{Dir: filepath.Join(wd, "testdata", "fuzz", "FuzzX"), Added: added, Golden: golden},
			Crashes: crashes,
		}
	}
	derived := of(0, 1)
	derived.Derived, derived.Corpus.Dir = true, filepath.Join(wd, "cache")
	late := of(1, 1)
	late.Late.Golden = 2
	slow := of(1, 1)
	slow.Corpus.WithoutGolden = 1
	const add = "git add testdata/fuzz testdata/fuzz-golden"
	elsewhere := of(1, 0)
	elsewhere.Corpus.Dir = filepath.Join(wd, "corpus")
	for _, c := range []struct {
		name  string
		tests []report.FuzzTest
		git   bool
		want  []string
	}{
		{"nothing", []report.FuzzTest{of(0, 0)}, true, nil},
		{"entries", []report.FuzzTest{of(2, 0), of(1, 1)}, true, []string{"fuzzmut corpus verify .", add}},
		{"golden values that are left", []report.FuzzTest{of(2, 1), late}, true, []string{add}},
		{"golden values that no run records", []report.FuzzTest{of(2, 1), slow}, true, []string{"fuzzmut corpus verify -update .", add}},
		{"without git", []report.FuzzTest{of(2, 1)}, false, []string{"fuzzmut corpus verify ."}},
		{"a new failing input", []report.FuzzTest{of(0, 0, report.Crash{Repro: "a", Known: true, Before: true}, report.Crash{Repro: "b"})}, true, []string{"b", "fuzzmut triage ."}},
		{"golden values of code that fails", []report.FuzzTest{of(2, 1, report.Crash{Repro: "a"}), of(1, 1)}, true, []string{"a", "fuzzmut triage ."}},
		{"a failing input that could not be written", []report.FuzzTest{of(2, 1, report.Crash{})}, true, nil},
		{"a known failure", []report.FuzzTest{of(2, 1, report.Crash{Repro: "a", Known: true})}, true, []string{"fuzzmut corpus verify .", add}},
		{"one of an earlier run", []report.FuzzTest{of(0, 0, report.Crash{Repro: "a", Before: true})}, true, []string{"a", "fuzzmut triage ."}},
		{"a derived fuzz test", []report.FuzzTest{derived}, true, []string{"fuzzmut corpus verify .", "fuzzmut -write-test ."}},
		{"a corpus elsewhere", []report.FuzzTest{elsewhere}, true, nil},
	} {
		os.RemoveAll(".git")
		if c.git {
			if err := os.Mkdir(".git", 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.next(t.Context(), c.tests); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	p.Options.Dir, p.Options.Packages = "/other dir", []string{"./..."}
	if got := p.next(t.Context(), []report.FuzzTest{of(0, 1)}); got[0] != "fuzzmut corpus verify -C '/other dir' ./..." {
		t.Errorf("from elsewhere: %q", got)
	}
	p.Options.Mutate, p.Options.Generated = []string{"./...", "example.com/x"}, true
	if got := p.next(t.Context(), []report.FuzzTest{of(0, 1)}); got[0] != "fuzzmut corpus verify -C '/other dir' -mutate ./...,example.com/x -generated ./..." {
		t.Errorf("with other code mutated: %q", got)
	}
	p.Options.Dir, p.Options.Mutate, p.Options.Generated = wd, nil, false
	costly := of(0, 0)
	costly.Costs = []report.Cost{{}, {Entry: "x"}}
	if got := p.next(t.Context(), []report.FuzzTest{costly}); len(got) != 1 || got[0] != "fuzzmut triage ./..." {
		t.Errorf("with costly inputs: %q", got)
	}
	costly.Crashes = []report.Crash{{Repro: "go test"}}
	if got := p.next(t.Context(), []report.FuzzTest{costly}); !slices.Equal(got, []string{"go test", "fuzzmut triage ./..."}) {
		t.Errorf("with costly and failing inputs: %q", got)
	}
}

// A fuzz test in a new file is to be committed with its corpus.
func TestANewFuzzTestIsAdded(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if out, err := exec.Command("git", "init", "-q", "--template=").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	test := report.FuzzTest{Name: "FuzzX", File: "pkg/x_fuzz_test.go", Corpus: report.Corpus{Dir: filepath.Join(dir, "pkg", "testdata", "fuzz", "FuzzX"), Added: 1}}
	if err := os.MkdirAll(test.Corpus.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(test.File, []byte("package pkg\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := &Project{Options: Options{Dir: dir}}
	if got := p.next(t.Context(), []report.FuzzTest{test}); !slices.Equal(got, []string{"git add pkg/x_fuzz_test.go pkg/testdata/fuzz"}) {
		t.Errorf("a new file: %q", got)
	}
	if out, err := exec.Command("git", "add", test.File).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := p.next(t.Context(), []report.FuzzTest{test}); !slices.Equal(got, []string{"git add pkg/testdata/fuzz"}) {
		t.Errorf("one that git has: %q", got)
	}
}
