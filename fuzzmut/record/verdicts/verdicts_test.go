package verdicts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// open opens the store in dir and begins a run of the program.
func open(t *testing.T, dir, program string, resume bool) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(program, resume); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Store) mustAdd(t *testing.T, mutant, key, status string) {
	t.Helper()
	if err := s.Add(ID{"p", mutant}, key, verdictOf(status)); err != nil {
		t.Fatal(err)
	}
}

// verdictOf is a verdict as runs give it.
func verdictOf(status string) Verdict {
	v := Verdict{Status: status, Tests: []string{"TestA<"}, Seen: &report.Seen{Test: "TestA<", Call: "p.F", File: "p_test.go", Line: 3}}
	if status == "killed" {
		v.Kind = "panic"
	}
	return v
}

func mustClose(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// status is what is known of a mutant under a key, or "".
func (s *Store) status(mutant, key string) string {
	v, _ := s.Known(ID{"p", mutant}, key)
	return v.Status
}

func TestVerdictsAreKnownUnderTheirKeyAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "dir")
	s := open(t, dir, "v1", false)
	s.mustAdd(t, "a", "k1", "survived")
	s.mustAdd(t, "a", "k1", "killed")
	s.mustAdd(t, "b", "k1", "survived")
	mustClose(t, s)
	s = open(t, dir, "v2", false)
	defer s.Close()
	want := verdictOf("killed")
	if v, ok := s.Known(ID{"p", "a"}, "k1"); !ok || !cmp.Equal(v, want) {
		t.Errorf("got %v, %v", v, ok)
	}
	if s.status("a", "k2") != "" || s.status("c", "k1") != "" {
		t.Error("what was never said is known")
	}
	if _, ok := s.Known(ID{"q", "a"}, "k1"); ok {
		t.Error("a mutant of another package is known")
	}
}

func TestARunGoesOnWithTheLastOneOfItsProgram(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.mustAdd(t, "old", "k", "killed")
	mustClose(t, s)
	s = open(t, dir, "v1", false)
	s.mustAdd(t, "a", "k", "killed")
	mustClose(t, s)
	other := open(t, dir, "v2", false)
	other.mustAdd(t, "a", "k2", "survived")
	mustClose(t, other)
	s = open(t, dir, "v1", true)
	s.mustAdd(t, "b", "k", "survived")
	mustClose(t, s)

	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, ok, err := s.Begin("v1", true); n != 2 || !ok || err != nil {
		t.Fatalf("resumes %d, %v, %v", n, ok, err)
	}
	for mutant, want := range map[string]string{"a": "killed", "b": "survived", "old": ""} {
		if v, _ := s.Resumed(ID{"p", mutant}); v.Status != want {
			t.Errorf("%s: %q, want %q", mutant, v.Status, want)
		}
	}
}

// Of says what all runs with one program have said, not only the last, and not what one has taken back.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.mustAdd(t, "a", "k", "killed")
	s.mustAdd(t, "b", "k", "killed")
	s.mustAdd(t, "c", "k", "survived")
	mustClose(t, s)
	s = open(t, dir, "v2", false)
	s.mustAdd(t, "a", "k2", "survived")
	mustClose(t, s)
	s = open(t, dir, "v1", false)
	s.mustAdd(t, "b", "k3", "survived")
	if err := s.Withdraw(ID{"p", "c"}, verdictOf("survived")); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	s = open(t, dir, "v3", false)
	defer mustClose(t, s)
	got := make(map[string]string)
	for id, v := range s.Of("v1") {
		got[id.Mutant] = v.Status
	}
	if len(got) != 2 || got["a"] != "killed" || got["b"] != "survived" {
		t.Errorf("%v", got)
	}
}

// A verdict that was taken back is known to no later run, also if the run that it was of
// is resumed.
func TestWithdrawnVerdictsAreGone(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.mustAdd(t, "a", "k", "killed")
	s.mustAdd(t, "b", "k", "killed")
	s.mustAdd(t, "c", "k", "killed")
	mustClose(t, s)
	s = open(t, dir, "v1", true)
	for _, mutant := range []string{"a", "b"} {
		if err := s.Withdraw(ID{"p", mutant}, verdictOf("killed")); err != nil {
			t.Fatal(err)
		}
	}
	s.mustAdd(t, "b", "k", "survived")
	mustClose(t, s)
	s = open(t, dir, "v1", true)
	defer s.Close()
	if s.status("a", "k") != "" || s.status("b", "k") != "survived" || s.status("c", "k") != "killed" {
		t.Errorf("known: a %q, b %q, c %q", s.status("a", "k"), s.status("b", "k"), s.status("c", "k"))
	}
	if _, ok := s.Resumed(ID{"p", "a"}); ok || len(s.resumed) != 2 {
		t.Errorf("resumed: %v", s.resumed)
	}
	if _, lines := s.Damaged(); len(lines) > 0 {
		t.Errorf("damaged: %d", lines)
	}
}

func TestThereMayBeNothingToGoOnWith(t *testing.T) {
	dir := t.TempDir()
	mustClose(t, open(t, dir, "v1", false))
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, ok, err := s.Begin("v2", true); n != 0 || ok || err != nil {
		t.Errorf("resumes %d, %v, %v", n, ok, err)
	}
}

func TestATornLineIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.mustAdd(t, "a", "k", "killed")
	s.mustAdd(t, "b", "k", "killed")
	mustClose(t, s)
	data, err := os.ReadFile(s.path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(), data[:len(data)-7], 0o666); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, "v1", true)
	if s.status("a", "k") != "killed" || s.status("b", "k") != "" {
		t.Error("the wrong line was passed over")
	}
	s.mustAdd(t, "c", "k", "killed")
	mustClose(t, s)
	s = open(t, dir, "v1", true)
	defer s.Close()
	if s.status("c", "k") != "killed" {
		t.Error("the line after a torn one is lost")
	}
	if _, lines := s.Damaged(); len(lines) > 0 {
		t.Errorf("lines %v: what a killed run leaves is no damage", lines)
	}
}

// Lines that no killed run can have torn are damaged. A warning names them once.
func TestDamagedLinesAreTold(t *testing.T) {
	const verdict = `{"run":"r","package":"p","mutant":"m","key":"k","verdict":{"status":"survived"}}`
	const head = `{"format":"fuzzmut verdicts"}`
	for text, want := range map[string][]int{
		"\n" + verdict + "\n":                      nil,
		"\n" + verdict[:9]:                         nil,
		"\n" + verdict[:9] + "\n" + head + "\n":    nil,
		"\n" + verdict[:9] + "\n":                  {2},
		"\n" + verdict[:9] + "\n" + verdict + "\n": {2},
		"\n" + verdict + "\nx\ny\n" + head + "\nz": {3},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, journalName)
		if err := os.WriteFile(path, []byte(head+text), 0o666); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, "v1", false)
		where, got := s.Damaged()
		if !slices.Equal(got, want) || where != path {
			t.Errorf("%q: lines %v of %s are damaged, want %v", text, got, where, want)
		}
		mustClose(t, s)
		s = open(t, dir, "v1", true)
		if _, again := s.Damaged(); len(again) > 0 {
			t.Errorf("%q: lines %v are told again", text, again)
		}
		if _, known := s.Known(ID{"p", "m"}, "k"); known != strings.Contains(text, "\n"+verdict) {
			t.Errorf("%q: the verdict is known: %v", text, known)
		}
		mustClose(t, s)
	}
}

func TestAStoreThatCantBeUsedIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, journalName)
	if err := os.WriteFile(path, []byte("\x00\x01"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func TestRunsShareAStore(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	const runs, each = 4, 200
	for i := range runs {
		s := open(t, dir, fmt.Sprint("v", i), false)
		wg.Go(func() {
			for j := range each {
				s.mustAdd(t, fmt.Sprint(i, "-", j), "k", "killed")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := open(t, dir, "v0", true)
	defer s.Close()
	if len(s.last) != runs*each || len(s.resumed) != each {
		t.Errorf("%d verdicts, %d of the run that is resumed", len(s.last), len(s.resumed))
	}
}

// addLong adds verdicts that make the journal too long to be left alone.
func (s *Store) addLong(t *testing.T, mutant func(i int) string) {
	t.Helper()
	v := Verdict{Status: "killed", Kind: "panic", Detail: strings.Repeat("x", 10_000)}
	for i := range small/10_000 + 1 {
		if err := s.Add(ID{"p", mutant(i)}, fmt.Sprint(i), v); err != nil {
			t.Fatal(err)
		}
	}
}

// size returns the size of the journal.
func (s *Store) size(t *testing.T) int64 {
	t.Helper()
	info, err := os.Stat(s.path())
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestTheJournalLosesWhatWasReplaced(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.addLong(t, func(int) string { return "a" })
	s.mustAdd(t, "b", "k", "survived")
	mustClose(t, s)
	if n := s.size(t); n > small/2 {
		t.Errorf("%d bytes", n)
	}
	s = open(t, dir, "v1", true)
	defer s.Close()
	if s.status("a", fmt.Sprint(small/10_000)) != "killed" || s.status("b", "k") != "survived" {
		t.Error("the latest verdict is lost")
	}
	if len(s.resumed) != 2 {
		t.Errorf("of the last run %d verdicts are left", len(s.resumed))
	}
}

func TestTheJournalLosesWhatNoRunNeededForLong(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "v1", false)
	s.addLong(t, func(i int) string { return fmt.Sprint("gone", i) })
	mustClose(t, s)
	if n := s.size(t); n < small {
		t.Errorf("%d bytes: rewritten too soon", n)
	}
	for i := range remembered { // one more run than is remembered
		s = open(t, dir, "v2", false)
		s.mustAdd(t, fmt.Sprint("new", i), "k", "killed")
		mustClose(t, s)
	}
	if n := s.size(t); n > small/2 {
		t.Errorf("%d bytes", n)
	}
}

func TestTheJournalIsNotRewrittenUnderARun(t *testing.T) {
	dir := t.TempDir()
	reader := open(t, dir, "v1", false)
	writer := open(t, dir, "v1", false)
	writer.addLong(t, func(int) string { return "a" })
	mustClose(t, writer)
	if n := reader.size(t); n < small {
		t.Errorf("%d bytes: rewritten while another run had it open", n)
	}
	reader.mustAdd(t, "b", "k", "killed")
	mustClose(t, reader)
	if n := reader.size(t); n > small/2 {
		t.Errorf("%d bytes: not rewritten by the last one", n)
	}
	s := open(t, dir, "v1", false)
	defer s.Close()
	if s.status("b", "k") != "killed" {
		t.Error("a verdict is lost")
	}
}

// A line that is whole, and yet no run can have written it, is no torn one: what it says
// must not be taken for a verdict, nor skipped in silence.
func TestLinesThatNoRunWritesAreRefused(t *testing.T) {
	const verdict = `{"run":"r","package":"p","mutant":"m","key":"k","verdict":{"status":"killed","kind":"panic"}}`
	const unknown = `{"run":"r","package":"p","mutant":"m","key":"k","verdict":`
	for text, want := range map[string]string{
		unknown + `{"status":"dead"}}`:                             `the unknown verdict "dead"`,
		unknown + `{"status":"killed"}}`:                           `the unknown kind of kill ""`,
		unknown + `{"status":"survived","reached":-1}}`:            "a number of tests below 0",
		unknown + `{"status":"survived","reached":1e99}}`:          "cannot unmarshal number 1e99",
		unknown + `{"status":"not-run"}}`:                          `the verdict "not-run" with 0 tests that are left`,
		unknown + `{"status":"survived","left":["TestA"]}}`:        `the verdict "survived" with 1 tests that are left`,
		unknown + `null}`:                                          "neither a verdict nor the beginning of a run",
		`{"run":"r","mutant":"m","verdict":{"status":"survived"}}`: "neither a verdict nor the beginning of a run",
		`[]`: "cannot unmarshal array",
		`{}`: "neither a verdict",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, journalName)
		journal := `{"format":"fuzzmut verdicts"}` + "\n" + verdict + "\n" + `{"run":"r","pack` + "\n" + text + "\n" + verdict + "\n"
		if err := os.WriteFile(path, []byte(journal), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), path+":4: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want line 4 and %q", text, err, want)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != journal {
			t.Errorf("%s: the journal was changed, %v", text, err)
		}
	}
}

// FuzzJournal checks that what is read of a journal is read again when it is written.
func FuzzJournal(f *testing.F) {
	text, err := encode(
		line{Format: format}, line{Run: "a", Program: "v1"}, line{Run: "b", Program: "v1", Resumes: "a"},
		line{Run: "b", Package: "p", Mutant: "m", Key: "k", Verdict: &Verdict{Status: "killed", Kind: "fuel", Test: "TestA", Detail: "out of fuel"}},
		line{Run: "b", Package: "p", Mutant: "n", Key: "k", Verdict: &Verdict{Status: "survived", Reached: 2, Infected: 1, Tests: []string{"TestA<"}}},
		line{Run: "b", Package: "p", Mutant: "o", Key: "k", Verdict: &Verdict{Status: "not-run", Reached: 2, Infected: 1, Left: []string{"TestA"}}},
	)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-9])
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, _, err := parse(data)
		if err != nil || len(lines) == 0 {
			return
		}
		text, err := encode(lines...)
		if err != nil {
			t.Fatal(err)
		}
		again, damaged, err := parse(text)
		if diff := cmp.Diff(lines, again, cmpopts.EquateEmpty()); diff != "" || err != nil || len(damaged) > 0 {
			t.Errorf("%v (-read +again):\n%s", err, diff)
		}
	})
}
