package unittest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// writes has a test that makes a file in the directory of the package, and fails if a different process does so meanwhile. It
// checks nothing that a mutant changes.
const writes = `
-- p.go --
package p

func Less(a, b int) bool { return a < b }

func Sum(a, b int) int { return a + b }

func Half(a int) int { return a / 2 }
-- p_test.go --
package p

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func TestFile(t *testing.T) {
	Less(1, 2)
	Sum(3, 4)
	Half(9)
	want := strconv.Itoa(os.Getpid())
	if err := os.WriteFile("tmpfile", []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove("tmpfile")
	for range 20 {
		time.Sleep(time.Millisecond)
		if got, err := os.ReadFile("tmpfile"); err != nil || string(got) != want {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

func TestLess(t *testing.T) { Less(2, 1) }
`

// Where a test makes files that others would make as well, no mutant is killed by another process.
func TestProcessesRunOneAtATimeWhereTestsMakeFiles(t *testing.T) {
	b := build(t, unpack(t, writes), "all")
	b.Parallel = 4
	var told []string
	b.Options.Alone = func(test string) { told = append(told, test) }
	b.Options.SetAside = func(list []SetAside) { t.Errorf("set aside: %v", Describe(list)) }
	res := b.run(t)
	if !slices.Equal(told, []string{"TestFile"}) {
		t.Errorf("told of %v", told)
	}
	for _, v := range res.Verdicts {
		if v.Status != StatusSurvived {
			t.Errorf("%s: %s", b.Program.Mutants[v.Mutant-1].Description, v.show())
		}
	}
}

var past = time.Unix(1_000_000_000, 0)

func TestDirectoriesThatChange(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "testdata", "deep")
	for _, d := range []string{deep, filepath.Join(dir, "other")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	for _, path := range []string{file("a"), file("testdata", "deep", "b"), file("other", "c")} {
		// The time of the file system moves in steps: what happens begins in the past.
		for _, d := range []string{dir, deep} {
			if err := os.Chtimes(d, past, past); err != nil {
				t.Fatal(err)
			}
		}
		w := watchDirectories(dir)
		if w.changed() {
			t.Errorf("%s: changed before", path)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, want := w.changed(), filepath.Base(path) != "c"; got != want {
			t.Errorf("%s: %v", path, got)
		}
		if w.changed() {
			t.Errorf("%s: changed again", path)
		}
	}
	if watchDirectories(file("missing")).changed() {
		t.Error("a directory that is not there")
	}
}

// A file that an editor makes while a test runs is not the test's: when it runs again, it makes none.
func TestMakersMakeFilesAgain(t *testing.T) {
	one, other := &test{Test: Test{Name: "TestOne"}}, &test{Test: Test{Name: "TestOther"}, index: 1}
	for _, c := range []struct {
		name     string
		parallel int
		runs     string // the test, and + if a file was made; / before the later runs
		told     string
		want     int
	}{
		{"none", 4, "1 2 / 1 2", "", 4},
		{"one", 4, "1+ 2 / 1+ 2", "TestOne", 1},
		{"one that is not run again", 4, "1 2+ / 1", "TestOther", 1},
		{"an editor", 4, "1+ 2 / 1 2", "", 4},
		{"an editor later", 4, "1 2 / 1+ 2", "", 4},
		{"both", 4, "1+ 2+ / 1+ 2+", "TestOne", 1},
		{"one process", 1, "1+ 2 / 1+ 2", "", 1},
	} {
		dir := t.TempDir()
		if err := os.Chtimes(dir, past, past); err != nil {
			t.Fatal(err)
		}
		told := ""
		o := &Options{Dir: dir, Parallel: c.parallel, Alone: func(name string) { told = name }}
		m := newMakers(o)
		first := true
		for i, run := range strings.Fields(c.runs) {
			if run == "/" {
				first = false
				continue
			}
			if strings.HasSuffix(run, "+") {
				if err := os.Chtimes(dir, past, past.Add(time.Duration(i+1)*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
			m.ran(map[byte]*test{'1': one, '2': other}[run[0]], first)
		}
		if m.settle(o); told != c.told || o.Parallel != c.want {
			t.Errorf("%s: told %q, %d processes", c.name, told, o.Parallel)
		}
	}
}
