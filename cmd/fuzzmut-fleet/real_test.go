package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// envBinary names the file of a fuzzmut, as it is built of this repository: make cloud does.
const envBinary = "FLEET_TEST_FUZZMUT"

// realTree copies a tree of the repository, and has this process work there with the real command.
// It is a separate module: Go's cache has nothing that other runs have found for it.
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
	own := "example.com/fleet/" + name
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			write(file, strings.ReplaceAll(string(text), "example.com/"+name, own))
		}
	}
	t.Chdir(dir)
	t.Setenv(envCommand, binary)
	cache, err := output(dir, "go", "env", "GOCACHE")
	if err == nil {
		err = os.RemoveAll(filepath.Join(cache, "fuzz", filepath.FromSlash(own)))
	}
	if err != nil {
		t.Fatal(err)
	}
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

// facts lists all inputs of a shared directory, and what its logs say, without the names of logs.
func facts(t *testing.T, share string) (list []string) {
	t.Helper()
	names, err := files(share, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(share, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".log") {
			list = append(list, name+" "+string(text))
			continue
		}
		_, text, _ = bytes.Cut(text, []byte("\n"))
		for len(text) > 8 { // length, checksum and the record
			n := 8 + int(binary.LittleEndian.Uint32(text))
			list = append(list, path.Dir(name)+" "+string(text[8:n]))
			text = text[n:]
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A fleet leaves what its slices leave alone, wherever they run: the same inputs, kills, coverage
// and failing inputs, and so the same corpus after minimizing. One worker has a checkout, and one
// has not.
func TestAFleetIsTheUnionOfItsSlices(t *testing.T) {
	command := realTree(t, "crashes")
	temp := t.TempDir()
	run := func(code int, args ...string) {
		cmd := exec.Command(command, args...)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != code {
			t.Fatalf("%s: %v: %s", args, cmd.ProcessState, out)
		}
	}
	share, union := filepath.Join(temp, "found"), filepath.Join(temp, "union")
	s, joins := served(t, share, "-state", t.TempDir(), "-send", "-slices", "4", "-execs", "700", ".")
	a := begin(t, append(joins, ".")...)
	b := begin(t, append([]string{"join", "-fetch"}, joins[1:]...)...)
	s.ends(t, 0)
	a.ends(t, 0)
	b.ends(t, 0)
	if exists("testdata") {
		t.Error("the user's tree has a failing input")
	}
	for seed := range 4 {
		if err := os.RemoveAll("testdata"); err != nil { // a slice leaves no failing input for the next
			t.Fatal(err)
		}
		alone := filepath.Join(temp, fmt.Sprint("alone", seed))
		run(1, "-q", "-share", alone, "-fuzz", "^FuzzRun$", "-fuzztime", "700x", "-seed", fmt.Sprint(seed+1), "-parallel", "1", "-golden=false", "-corpus-size", "0", "-corpus", alone+"-corpus", ".")
		list, err := files(alone, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list {
			text, err := os.ReadFile(filepath.Join(alone, name))
			if err == nil {
				err = keep(union, name, text)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if text := s.String(); !strings.Contains(text, "4 slices, 0 without a result; 2800 executions") {
		t.Error(text)
	}
	want, got := facts(t, union), facts(t, share)
	for _, kind := range []string{"entries/", "failing/", `{"fuzz":"FuzzRun","kill":`, `{"fuzz":"FuzzRun","cover":`, `{"fuzz":"FuzzRun","fail":`} {
		if !slices.ContainsFunc(want, func(fact string) bool { return strings.Contains(fact, kind) }) {
			t.Errorf("there is no %s", kind)
		}
	}
	if !slices.Equal(want, got) {
		t.Errorf("%d facts, want %d: lost %q, additional %q", len(got), len(want), without(want, got), without(got, want))
	}
	if text := b.String(); strings.Contains(text, "; 0 slices were done here") || !strings.Contains(text, "FuzzRun r0-") {
		t.Error(text)
	}
	corpora := [2][]string{}
	for i, dir := range []string{union, share} {
		if err := os.RemoveAll("testdata"); err != nil {
			t.Fatal(err)
		}
		run(0, "corpus", "merge", "-q", "-share", dir, ".")
		run(0, "corpus", "minimize", "-q", ".")
		entries, err := os.ReadDir(filepath.Join("testdata", "fuzz", "FuzzRun"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			corpora[i] = append(corpora[i], e.Name())
		}
	}
	if len(corpora[0]) < 3 || !slices.Equal(corpora[0], corpora[1]) {
		t.Errorf("minimized: %q, want %q", corpora[1], corpora[0])
	}
}

// without lists what is in a and not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// In a live job, the real command takes the kills of the slices before it.
func TestRealSlicesTakeWhatIsKnown(t *testing.T) {
	realTree(t, "crashes")
	share := filepath.Join(t.TempDir(), "found")
	s, joins := served(t, share, "-state", t.TempDir(), "-live", "-slices", "2", "-execs", "300", ".")
	begin(t, append(joins, ".")...).ends(t, 0)
	s.ends(t, 0)
	logs, err := filepath.Glob(filepath.Join(share, "*", "*.log"))
	if err != nil || len(logs) != 2 {
		t.Fatalf("%q, %v", logs, err)
	}
	seen := make(map[string]bool)
	n := 0
	for _, file := range logs {
		log, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range readKills(log, "FuzzRun") {
			if !exists(filepath.Join(share, "entries", "example.com", "fleet", "crashes", "FuzzRun", k.Input)) {
				continue // a seed, which each slice runs
			}
			n++
			if name := fmt.Sprint(k.Mutant, " ", k.Input); seen[name] {
				t.Errorf("%s was found again", name)
			} else {
				seen[name] = true
			}
		}
	}
	if n < 30 {
		t.Errorf("%d kills", n)
	}
}
