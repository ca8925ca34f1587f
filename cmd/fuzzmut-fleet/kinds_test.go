package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The parts of the mutants are divided, and fuzzmut merge has all their results.
func TestUnitTestsAreDivided(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-job", "test", "-slices", "3", "./...")
	joins = append(joins, "./...")
	a, b := begin(t, joins...), begin(t, joins...)
	a.ends(t, 0)
	b.ends(t, 0)
	s.ends(t, 0)
	for _, want := range []string{"3 slices, 0 without a result; 21 executions\n", "3 of 3 slices, 3 mutants killed: ", "merged 4\n"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %q in %s", want, s.String())
		}
	}
}

// The parts of the matrix are divided, and fuzzmut triage has them all.
func TestTriageIsDivided(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-job", "triage", "-slices", "4", "-triagetime", "2s", "./...")
	begin(t, append(joins, "./...")...).ends(t, 0)
	s.ends(t, 1) // failing inputs
	for _, want := range []string{"4 slices, 0 without a result; 36 executions\n", "sorted with 4 parts"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %q in %s", want, s.String())
		}
	}
}

// A fuzz test that has found nothing for some rounds gets no more slices, and the job ends early.
func TestAFuzzTestThatIsDryGetsNoSlices(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-fuzz", "^FuzzA$", "-slices", "1", "-rounds", "20", "-dry", "2")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	if !regexp.MustCompile(`round 2: slices of FuzzA 1 \(\d+ new in the last 1\)`).MatchString(s.String()) {
		t.Error(s.String())
	}
}

// A worker that starts again does not build to know the binaries; when the tree has changed, it does.
func TestBinariesAreKnownBySomebodyElsesBuild(t *testing.T) {
	module(t, "")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-slices", "1")
	w := &worker{}
	w.work = t.TempDir()
	known := func() int {
		list, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "fuzzmut", "fleet", "known", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	if known() != 1 {
		t.Fatalf("%d files", known())
	}
	// The binary is another one now, which the file does not say: the slices show it.
	s, joins = served(t, share, "-slices", "1", "-rounds", "2")
	t.Setenv(envFake, "plays other")
	p := begin(t, joins...)
	p.ends(t, usage)
	if !strings.Contains(p.String(), "the test binary is another one") {
		t.Error(p.String())
	}
	if known() != 0 {
		t.Errorf("%d files", known())
	}
	s.stop()
	s.ends(t, interrupted)
	write("p.go", "package p\n")
	t.Setenv(envFake, "plays")
	s, joins = served(t, share, "-slices", "1", "-replace")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	if known() != 1 {
		t.Errorf("%d files", known())
	}
}
