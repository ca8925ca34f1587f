package replay

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// double is what is observed: two calls of p.Double.
func double(t *testing.T, n int) {
	if n < 0 {
		t.Skip("negative")
	}
	if n == 99 {
		t.Fatal("the target itself fails")
	}
	for i := range 2 {
		if Observing {
			ObserveHook(0, []any{2*n + i})
		}
	}
	if Observing && n == 50 {
		ObserveHook(1, []any{"extra"})
	}
	if Observing && n == 60 {
		ObserveHook(1, []any{stuck{}})
	}
}

// stuck has an accessor that does not return.
type stuck struct{}

func (stuck) Size() int { select {} }

// played is a table that a process runs.
type played struct {
	N       int
	Lines   []string
	Always  []string
	Partial bool
	Args    []any
}

// TestReplayed runs the table that the environment has. It is started by the others, which
// look at what it says.
func TestReplayed(t *testing.T) {
	text := os.Getenv("FUZZMUT_TEST_TABLE")
	if text == "" {
		t.Skip("the other tests run this one")
	}
	var p played
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	args := []any{p.N}
	if p.Args != nil {
		args = p.Args
	}
	patience = time.Second
	f := &CopiedF{
		T: t, fuzz: "FuzzX", partial: p.Partial, always: p.Always,
		calls: []Call{
			{Function: "p.Double", Values: []string{"result 0"}, Place: "p_test.go:12"},
			{Function: "p.Extra", Values: []string{"result 0"}, Place: "p_test.go:14"},
		},
		cases: []Case{{"a", args, p.Lines}},
	}
	if f.Name() != "FuzzX" {
		t.Errorf("its name is %s", f.Name())
	}
	f.Add(7)
	f.Fuzz(double)
}

func TestTablesAreCompared(t *testing.T) {
	of7 := []string{"p.Double = int 14", "p.Double #2 = int 15"}
	of50 := []string{"p.Double = int 100", "p.Double #2 = int 101"}
	for _, c := range []struct {
		name  string
		table played
		says  []string // nil for a test that passes
	}{
		{"as they were", played{N: 7, Lines: of7}, nil},
		{"the same in all cases", played{N: 7, Lines: of7[1:], Always: of7[:1]}, nil},
		{
			"changed",
			played{N: 8, Lines: []string{"p.Double = int 16", "p.Double #2 = int 18"}},
			[]string{"--- FAIL: TestReplayed/a", "p_test.go:12: p.Double #2\n", "- int 18\n", "+ int 17\n", "corpus verify -update"},
		},
		{"another that all cases have", played{N: 7, Lines: of7[1:], Always: []string{"p.Double = int 1"}}, []string{"p.Double\n- int 1\n+ int 14"}},
		{"called less often", played{N: 7, Lines: append([]string{"p.Double #3 = int 9"}, of7...)}, []string{"p.Double #3\n", "- int 9\n"}},
		{"called more often", played{N: 50, Lines: of50}, []string{"p_test.go:14: p.Extra\n"}},
		{"called more often where not all is observed", played{N: 50, Lines: of50, Partial: true}, nil},
		{"unstable", played{N: 7, Lines: []string{of7[0], "unstable = p.Double #2 result 0"}}, nil},
		{"skipped", played{N: -1, Lines: []string{"fuzz target = outcome: skip"}}, nil},
		{"no longer skipped", played{N: 7, Lines: append([]string{"fuzz target = outcome: skip"}, of7...)}, []string{"FuzzX: fuzz target\n- outcome: skip\n"}},
		{"a target that fails", played{N: 99}, []string{"the target itself fails"}},
		{"other arguments", played{Args: []any{"a"}}, []string{"FuzzX takes a int, and the case has a string; fuzzmut corpus verify -write-test writes the test again"}},
		{"more arguments", played{Args: []any{1, 2}}, []string{"FuzzX takes 1 arguments, and the case has 2; "}},
		{"an accessor that does not return", played{N: 60}, []string{"the text of a replay.stuck has taken more than 1s", "//fuzzmut:opaque"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			table, err := json.Marshal(c.table)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestReplayed$", "-test.v")
			cmd.Env = append(os.Environ(), "FUZZMUT_TEST_TABLE="+string(table))
			out, err := cmd.CombinedOutput()
			if (err == nil) != (c.says == nil) {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range c.says {
				if !strings.Contains(strings.ReplaceAll(string(out), "        ", ""), want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

// A value within the values of a call is a golden value, too: its text in a table is that of
// a golden file, in one line.
func TestTextsAreThoseOfGoldenFiles(t *testing.T) {
	v := []string{strings.Repeat("a", 50), strings.Repeat("b", 50)}
	if got, want := golden.Flat(WriteWithin(golden.Renderer{}, v, "")), "[]string [\""+v[0]+"\", \""+v[1]+"\"]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
