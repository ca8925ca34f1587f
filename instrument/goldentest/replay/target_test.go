package replay

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A module of a golden test: its entries and golden files, in the working directory.
type module struct {
	t   *testing.T
	dir string
}

// entry writes an entry, and the golden values of it if there are any.
func (m module) entry(name string, n int, values ...golden.Value) {
	m.t.Helper()
	e := corpus.Of(n).Found()
	m.write(filepath.Join("fuzz", "FuzzX", name), e.Input.Encode())
	if values != nil {
		path := store.Path(m.dir, "FuzzX")
		if err := store.Apply(path, store.Change{Packages: "example.com/p", Put: []golden.Entry{store.Entry(&e, values)}}); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m module) write(name string, data []byte) {
	m.t.Helper()
	path := filepath.Join(m.dir, "testdata", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		m.t.Fatal(err)
	}
}

// double is what is observed: a call of p.Double for each argument of the target.
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
}

func values(texts ...string) (list []golden.Value) {
	names := []string{"p.Double #1 result 0", "p.Double #2 result 0"}
	for i, text := range texts {
		list = append(list, golden.Value{Name: names[i], Text: text})
	}
	return list
}

// TestReplayed runs the golden test of the module that the environment names. It is
// started by the others, which look at what it says.
func TestReplayed(t *testing.T) {
	dir := os.Getenv("FUZZMUT_TEST_MODULE")
	if dir == "" {
		t.Skip("the other tests run this one")
	}
	t.Chdir(dir)
	f := &CopiedF{
		T: t, fuzz: "FuzzX", packages: "example.com/p", partial: os.Getenv("FUZZMUT_TEST_PARTIAL") != "",
		calls: []Call{
			{Function: "p.Double", Values: []string{"result 0"}, Place: "p_test.go:12"},
			{Function: "p.Extra", Values: []string{"result 0"}, Place: "p_test.go:14"},
		},
	}
	if f.Name() != "FuzzX" {
		t.Errorf("its name is %s", f.Name())
	}
	if os.Getenv("FUZZMUT_TEST_SEED") != "" {
		f.Add(7)
	}
	f.Fuzz(double)
}

func TestGoldenValuesAreCompared(t *testing.T) {
	good := func(m module) { m.entry("a", 7, values("int 14", "int 15")...) }
	for _, c := range []struct {
		name string
		lay  func(m module)
		env  string
		says []string // "" for a test that passes
	}{
		{"as they were", good, "", nil},
		{"of a seed", good, "FUZZMUT_TEST_SEED=1", nil},
		{
			"changed", func(m module) { good(m); m.entry("b", 8, values("int 16", "int 18")...) }, "",
			[]string{"--- FAIL: TestReplayed/b", "p_test.go:12: p.Double #2 result 0\n", "- int 18\n", "+ int 17\n", "corpus verify -update"},
		},
		{
			"called less often", func(m module) {
				m.entry("a", 7, append(values("int 14", "int 15"), golden.Value{Name: "p.Double #3 result 0", Text: "int 9"})...)
			}, "",
			[]string{"p.Double #3 result 0\n", "- int 9\n"},
		},
		{
			"called more often", func(m module) { m.entry("a", 50, values("int 100", "int 101")...) }, "",
			[]string{"p_test.go:14: p.Extra #1 result 0\n"},
		},
		{"called more often where not all is observed", func(m module) { m.entry("a", 50, values("int 100", "int 101")...) }, "FUZZMUT_TEST_PARTIAL=1", nil},
		{
			"observed by fuzzmut alone", func(m module) {
				m.entry("a", 7, append(values("int 14", "int 15"), golden.Value{Name: "p.Other in q #1 result 0", Text: "int 9"}, golden.Value{Name: "more values", Text: "3, hash x"})...)
			}, "FUZZMUT_TEST_PARTIAL=1", nil,
		},
		{"unstable", func(m module) { m.entry("a", 7, values("int 14", golden.Unstable)...) }, "", nil},
		{"skipped", func(m module) { m.entry("a", -1, golden.Value{Name: "fuzz target #1 outcome", Text: "skip"}) }, "", nil},
		{"no longer skipped", func(m module) {
			m.entry("a", 7, append(values("int 14", "int 15"), golden.Value{Name: "fuzz target #1 outcome", Text: "skip"})...)
		}, "", []string{"fuzz target #1 outcome"}},
		{"a target that fails", func(m module) { m.entry("a", 99, values("int 1")...) }, "", []string{"the target itself fails"}},
		{"nothing recorded", func(m module) { m.entry("a", 7) }, "", []string{"--- SKIP", "no golden values; fuzzmut corpus verify -update records them"}},
		{"an entry without", func(m module) { good(m); m.entry("b", 8) }, "", []string{"--- PASS: TestReplayed/a", "--- FAIL: TestReplayed/b", "testdata/fuzz-golden/FuzzX.txt has no golden values of this entry"}},
		{
			"an entry that was removed", func(m module) {
				good(m)
				m.entry("b", 8, values("int 16")...)
				os.Remove(filepath.Join(m.dir, "testdata/fuzz/FuzzX/b"))
			}, "",
			[]string{"--- PASS: TestReplayed/a", "testdata/fuzz-golden/FuzzX.txt:", ": golden values without an entry: fuzzmut-", "corpus verify -update removes them"},
		},
		{"an entry of other types", func(m module) { good(m); m.write("fuzz/FuzzX/b", []byte("go test fuzz v1\nstring(\"a\")\n")) }, "", []string{"value 1 is string(\"a\"), the fuzz target takes a int"}},
		{
			"values of other packages", func(m module) {
				m.entry("a", 7)
				m.write("fuzz-golden/FuzzX.txt", (&golden.File{Packages: "example.com/q"}).Marshal())
			}, "", []string{"has values of calls of example.com/q, and this test observes example.com/p"},
		},
		{
			"a damaged file", func(m module) {
				m.entry("a", 7)
				m.write("fuzz-golden/FuzzX.txt", []byte("odd\n"))
			}, "",
			[]string{"testdata/fuzz-golden/FuzzX.txt: line 1: ", "corpus verify -update rewrites it"},
		},
		{
			"a file of a later version", func(m module) { good(m); m.write("fuzz-golden/FuzzX.txt", []byte("fuzzmut golden v99\n")) }, "",
			[]string{"testdata/fuzz-golden/FuzzX.txt was written by a newer fuzzmut"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := module{t, t.TempDir()}
			c.lay(m)
			cmd := exec.Command(os.Args[0], "-test.run=^TestReplayed$", "-test.v")
			cmd.Env = append(os.Environ(), "FUZZMUT_TEST_MODULE="+m.dir, c.env)
			out, err := cmd.CombinedOutput()
			skips := len(c.says) > 0 && c.says[0] == "--- SKIP"
			if (err == nil) != (c.says == nil || skips) {
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
