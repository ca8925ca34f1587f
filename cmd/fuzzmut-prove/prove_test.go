package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestReadList(t *testing.T) {
	units, err := readList("../../testdata/targets/prove.txt", []string{"wasm/binary", "goccy", "strconv", "uuid"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range units {
		got = append(got, u.module+" "+u.version+" "+u.name()+" "+strings.Join(u.mutate, ",")+u.skip)
	}
	want := []string{
		"github.com/google/uuid v1.6.0 github.com/google/uuid ^TestVersion6$",
		"github.com/goccy/go-yaml v1.19.2 github.com/goccy/go-yaml .,./ast,./lexer,./parser,./scanner,./token",
		"github.com/tetratelabs/wazero v1.12.0 github.com/tetratelabs/wazero/internal/wasm/binary ",
		"std - strconv ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if _, err := readList("../../testdata/targets/prove.txt", []string{"nosuch"}); err == nil {
		t.Error("no error for a name that matches nothing")
	}
	bad := filepath.Join(t.TempDir(), "list")
	for _, line := range []string{"example.com/m v1.0.0", "example.com/m v1.0.0 skip=TestX"} {
		if err := os.WriteFile(bad, []byte("# a comment\n"+line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readList(bad, nil); err == nil || !strings.Contains(err.Error(), "list:2: want module") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A test binary is played by the shell.
func TestRunTests(t *testing.T) {
	script := func(text string) string {
		file := filepath.Join(t.TempDir(), "x.test")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
		return file
	}
	run := func(text string) *results {
		r, err := runTests(t.Context(), script(text), t.TempDir(), []string{"WORD=Sub"}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	pass := run(`printf 'noise\026--- PASS: TestA (0.00s)\n    \026--- SKIP: TestA/%s (0.00s)\n' $WORD`)
	if pass.failed || len(pass.tests) != 2 || pass.tests["TestA/Sub"] != "SKIP" {
		t.Errorf("got %+v", pass)
	}
	fail := run(`printf '\026--- FAIL: TestA (0.00s)\npanic: no\n'; exit 2`)
	if !fail.failed || fail.ended != "panic: no" {
		t.Errorf("got %+v", fail)
	}
	want := []string{
		"TestA: PASS, rewritten FAIL",
		"TestA/Sub: SKIP, rewritten no result",
		"process: exit status 0, rewritten panic: no",
	}
	if got := differences(pass, fail); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := differences(pass, pass); len(got) > 0 {
		t.Errorf("a run differs from itself: %q", got)
	}
}

func TestChoose(t *testing.T) {
	s := &subject{unit: &unit{module: "m", pkg: "."}, program: &instrument.Program{}}
	for i := range 50 {
		m := instrument.Mutant{Index: i + 1}
		if i%5 == 0 {
			m.Status = instrument.StatusSkipped
		}
		s.program.Mutants = append(s.program.Mutants, m)
	}
	sampled := func(seed uint64) (indices []int) {
		for _, a := range choose(s, seed, 10) {
			indices = append(indices, a.mutant.Index)
		}
		return indices
	}
	a, b, c := sampled(1), sampled(1), sampled(2)
	if len(a) != 10 || !slices.IsSorted(a) || !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("samples %v, %v and of another seed %v", a, b, c)
	}
	for _, i := range a {
		if i%5 == 1 {
			t.Errorf("mutant %d can't be run", i)
		}
	}
}
