package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// envBinary names the file of a fuzzmut, as it is built of this repository: make cloud does.
const envBinary = "FLEET_TEST_FUZZMUT"

// The real command does slices, and what it leaves is found in the server's directory.
func TestWithTheRealCommand(t *testing.T) {
	binary := os.Getenv(envBinary)
	if binary == "" {
		t.Skip("make cloud runs it")
	}
	dir := filepath.Join(t.TempDir(), "crashes")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "trees", "crashes"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv(envCommand, binary)
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-state", t.TempDir(), "-slices", "2", "-execs", "1500")
	begin(t, joins...).ends(t, 0)
	s.ends(t, 0)
	list, err := files(share, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for _, name := range list {
		first, _, _ := strings.Cut(name, "/")
		kinds[first]++
	}
	if kinds["entries"] < 10 || kinds["failing"] < 2 || kinds["fuzzmut-share.json"] != 1 || len(kinds) != 4 {
		t.Errorf("%v", kinds)
	}
	if text := s.String(); !strings.Contains(text, "2 slices, 0 without a result; 3000 executions") {
		t.Error(text)
	}
	if exists("testdata") {
		t.Error("the user's tree has a failing input")
	}
}

// realTree copies a tree of the repository, and has this process work there with the real command.
func realTree(t *testing.T, name string) (binary string) {
	t.Helper()
	binary = os.Getenv(envBinary)
	if binary == "" {
		t.Skip("make cloud runs it")
	}
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "trees", name))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv(envCommand, binary)
	return binary
}

// verdicts are what a result of fuzzmut test says of each mutant.
func verdicts(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rep tested
	if err := json.Unmarshal(text, &rep); err != nil {
		t.Fatal(err)
	}
	list := make(map[string]string)
	for _, m := range rep.Mutants {
		list[m.Package+" "+m.ID] = m.Status
	}
	return list
}

// The parts of all packages are together what one process says of the mutants.
func TestRealUnitTestsAreDivided(t *testing.T) {
	binary := realTree(t, "ledger")
	temp := t.TempDir()
	write(filepath.Join("untested", "untested.go"), "package untested\n\nfunc F(a, b int) int { return a + b }\n")
	one, all := filepath.Join(temp, "one.json"), filepath.Join(temp, "all.json")
	if out, err := exec.Command(binary, "test", "-q", "-fresh", "-json", one, "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s, joins := served(t, filepath.Join(temp, "found"), "-state", t.TempDir(), "-job", "test", "-slices", "2", "-json", all, "./...")
	begin(t, append(joins, "./...")...).ends(t, 0)
	s.ends(t, 0)
	want, got := verdicts(t, one), verdicts(t, all)
	if len(want) < 50 || !reflect.DeepEqual(want, got) {
		t.Errorf("%d verdicts, want those of %d", len(got), len(want))
	}
}

// The result of triage is the same as alone, but for times and places.
func TestRealTriageIsDivided(t *testing.T) {
	binary := realTree(t, "crashes")
	temp := t.TempDir()
	share := filepath.Join(temp, "found")
	run := func(code int, args ...string) {
		cmd := exec.Command(binary, args...)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != code {
			t.Fatalf("%s: %v: %s", args, cmd.ProcessState, out)
		}
	}
	run(1, "-q", "-share", share, "-fuzztime", "2000x", "-seed", "1", "-parallel", "1", "-golden=false", ".")
	if err := os.RemoveAll("testdata"); err != nil {
		t.Fatal(err)
	}
	alone, all := filepath.Join(temp, "alone"), filepath.Join(temp, "all.json")
	if err := os.CopyFS(alone, os.DirFS(share)); err != nil {
		t.Fatal(err)
	}
	run(1, "triage", "-q", "-share", alone, "-json", filepath.Join(temp, "one.json"), ".")
	s, joins := served(t, share, "-state", t.TempDir(), "-job", "triage", "-slices", "3", "-json", all, ".")
	begin(t, append(joins, ".")...).ends(t, 0)
	s.ends(t, 1)
	if want, got := results(t, filepath.Join(temp, "one.json")), results(t, all); want != got || len(want) < 1000 {
		t.Errorf("got %s, want %s", got, want)
	}
}

// results is a result of triage without times, places, and what it took.
func results(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "seconds\"") && !strings.Contains(line, "\"path\"") && !strings.Contains(line, "mutant_executions") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
