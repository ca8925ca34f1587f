package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestPartsOfAProof(t *testing.T) {
	for _, c := range []struct {
		n, mutants int
		seed       uint64
		chosen     []int
		all        int
	}{
		{0, 1, 1, []int{1}, 1},
		{0, 1000, 1, []int{2, 3, 1}, 3},
		{500, 4000, 1, []int{2, 3}, 10},
		{500, 4000, 9, []int{10, 1}, 10},
		{40, 1000, 1, []int{2}, 25},
		{5000, 1000, 0, []int{1, 2, 3}, 3},
		{10, 0, 1, []int{1}, 1},
	} {
		o := isolation{n: c.n, seed: c.seed}
		chosen, all := o.parts(c.mutants)
		if !slices.Equal(chosen, c.chosen) || all != c.all {
			t.Errorf("%d of %d: %v of %d, want %v of %d", c.n, c.mutants, chosen, all, c.chosen, c.all)
		}
	}
}

// The command is played by the shell: it writes a result, the second time another.
func TestResultsOfAProofAreKept(t *testing.T) {
	dir := t.TempDir()
	c := &parted{unit: &unit{module: "example.com/m", pkg: ".", mutate: []string{"./a", "./b"}}, operator: "all", root: dir, dir: dir, tool: filepath.Join(dir, "fuzzmut")}
	script := "#!/bin/sh\necho \"$@\" >> args\nfor a; do case $a in -json=*) echo '{\"version\": 1, \"packages\": [], \"mutants\": []}' > ${a#-json=};; esac; done\ntest ! -e fail || { echo no such package; exit 2; }\n"
	if err := os.WriteFile(c.tool, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.test(t.Context(), "shared", "-fresh"); err != nil {
			t.Fatal(err)
		}
	}
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	if want := fmt.Sprintf("test -q -operators=all -json=%s -fresh -mutate=./a,./b .\n", filepath.Join(dir, "shared.json.new")); err != nil || string(args) != want {
		t.Errorf("ran %q, want %q", args, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "fail"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := c.test(t.Context(), "alone", "-isolate"); err == nil || !strings.Contains(err.Error(), "no such package") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "alone.json")); err == nil {
		t.Error("the result of a command that failed is kept")
	}
}

func TestMutantsWithTwoVerdicts(t *testing.T) {
	m := func(id, status string) report.Mutant {
		return report.Mutant{ID: id, Package: "p", Operator: "math", File: "/d/p.go", Line: 7, Description: "changed", Status: status}
	}
	run := func(cpu float64, ms ...report.Mutant) *report.TestReport {
		return &report.TestReport{Packages: []report.TestRun{{CPUSeconds: cpu}}, Mutants: ms}
	}
	c := &parted{unit: &unit{module: "std", pkg: "sort"}}
	c.shared = run(1, m("a", report.Killed), m("b", report.Survived), m("c", report.NotCovered), m("d", report.Killed), m("e", report.Survived), m("f", report.Skipped))
	c.shared.Mutants[3].KillKind, c.shared.Mutants[3].KilledBy = "panic", "TestD"
	c.alone = []*report.TestReport{
		run(2, m("a", report.Killed), m("b", report.NotCovered), m("c", report.Killed)),
		run(4, m("d", report.Survived), m("e", report.Pending), m("f", report.Skipped), m("unknown", report.Killed)),
	}
	c.compare()
	if c.compared != 4 || c.killed != 2 || len(c.differ) != 2 {
		t.Fatalf("%+v", c)
	}
	c.differ[0].unsteady = true
	var b bytes.Buffer
	c.write(&b)
	if got, want := strings.Fields(b.String()), strings.Fields("sort 6 4 2 1 1 200.00 1200.00"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Reset()
	c.describe(&b)
	want := "sort: c math p.go:7: changed\n\tdiffers from run to run\n\tfuzzmut test: not-covered\n\talone: killed\nsort: d math p.go:7: changed\n\tfuzzmut test: killed, panic, TestD\n\talone: survived\n"
	if b.String() != want {
		t.Errorf("got %s", &b)
	}
}
