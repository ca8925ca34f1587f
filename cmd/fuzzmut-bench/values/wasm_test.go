package values

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestEachFaultOfWazeroHasItsCounterexamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds wazero")
	}
	binary, err := buildWasm("../../..", t.TempDir(), wasmParts{faults: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(binary, "counterexamples").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int]bool)
	for line := range strings.Lines(string(out)) {
		var fault int
		var with, without string
		if _, err := fmt.Sscan(line, &fault, &with, &without); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		seen[fault] = true
		valid := fault > 10 // the interpreter's are valid modules
		want := "discarded"
		if valid {
			want = "passed"
		}
		if with != "failed" || without != want {
			t.Errorf("fault %d: %s with it, %s without, want failed and %s", fault, with, without, want)
		}
	}
	for fault := 1; fault <= 15; fault++ {
		if !seen[fault] {
			t.Errorf("fault %d has no counterexample", fault)
		}
	}
}

func TestPatchesFailLoudly(t *testing.T) {
	p := patch{"f.go", "case A:", "if x", "if y"}
	for _, c := range []struct{ source, want string }{
		{"case A:\n\tif x {", "case A:\n\tif y {"},
		{"if x\ncase A:\n\tif x {\nif x", "if x\ncase A:\n\tif y {\nif x"},
		{"case B:\n\tif x {", `f.go is not as expected: it has "case A:" 0 times, not once`},
		{"case A:\n\tif x {\ncase A:", `f.go is not as expected: it has "case A:" 2 times, not once`},
		{"if x\ncase A:", `f.go is not as expected: it has no "if x" close after "case A:"`},
		{"case A:" + strings.Repeat(" ", farthest) + "if x", `f.go is not as expected: it has no "if x" close after "case A:"`},
	} {
		got, err := p.apply(c.source)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.40q: got %q, want %q", c.source, got, c.want)
		}
	}
}
