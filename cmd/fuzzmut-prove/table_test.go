package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// words are those of the line that begins with a word.
func words(t *testing.T, table, first string) []string {
	t.Helper()
	for line := range strings.Lines(table) {
		if w := strings.Fields(line); len(w) > 0 && w[0] == first {
			return w[1:]
		}
	}
	t.Fatalf("no line %q in\n%s", first, table)
	return nil
}

func TestDormantTable(t *testing.T) {
	row := func(name string, census instrument.Census) *dormantRow {
		return &dormantRow{subject: &subject{
			unit: &unit{module: "std", pkg: name}, lines: 900,
			program: &instrument.Program{Packages: []instrument.Package{{Mutated: true}, {}, {Mutated: true}}, Census: census},
		}, plain: cost{cpu: 2 * time.Second, size: 3 << 20}, rewritten: cost{cpu: 5 * time.Second, rss: 100 << 20, size: 6 << 20}}
	}
	a := row("strconv", instrument.Census{Sites: 200, Left: map[string]int{"constant": 8, "label": 2}, Noise: map[string]int{"log": 1}})
	a.live, a.static, a.tests = 30, 4, 12
	a.before, a.after, a.traced = time.Second, 1500*time.Millisecond, 9*time.Second
	a.differ = []string{"TestA: PASS, rewritten FAIL", "TestB/" + strings.Repeat("x", 200) + ": PASS, rewritten SKIP"}
	a.log.WriteString("p.go:1: does not compile\n")
	b := row("sort", instrument.Census{Sites: 100, Left: map[string]int{"label": 7}})
	b.live, b.unsteady = 10, []string{"TestClock: FAIL, rewritten PASS"}
	var out bytes.Buffer
	printDormant(&out, []*dormantRow{a, b})
	got := words(t, out.String(), "strconv")
	want := strings.Fields("2 900 200 5.0 % 0.5 % 30 4 2.0 5.0 2.5 100 3.0 6.0 12 1.00 1.50 9.00 2")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, text := range []string{
		"in all 44 mutants at 300 sites, 5.7 % left out, 0.3 % suppressed as noise, 2 differences\n",
		"sites left out, by reason:\n      9  label\n      8  constant\n", "sites suppressed as noise, by reason:\n      1  log\n",
		"strconv: TestA: PASS, rewritten FAIL\n", "xxx…\n", "p.go:1: does not compile\n",
		"sort: differs from run to run without us: TestClock: FAIL, rewritten PASS\n",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("no %q in\n%s", text, &out)
		}
	}
}

// judgedProof has mutants of every outcome.
func judgedProof() *proof {
	mutant := func(i int) *instrument.Mutant {
		return &instrument.Mutant{Index: i, ID: string(rune('a' + i)), File: "/src/p.go", Line: 10 + i, Description: "changed"}
	}
	passed, failed := &results{}, &results{failed: true, ended: "panic: no"}
	killed := unittest.Verdict{Status: unittest.StatusKilled, Kind: oracle.Panic, Test: "TestA"}
	lived := unittest.Verdict{Status: unittest.StatusSurvived}
	return &proof{
		unit:     &unit{module: "std", pkg: "strconv"},
		verdicts: []unittest.Verdict{killed, killed, lived, lived},
		sample: []*agreement{
			{mutant: mutant(0), plain: failed, verdict: killed, agree: true},
			{mutant: mutant(1), plain: passed, verdict: lived, agree: true},
			{mutant: mutant(2), plain: passed, verdict: killed},
			{mutant: mutant(3), plain: failed, verdict: lived, unsteady: true},
			{mutant: mutant(4), noCompile: "undefined: x", verdict: killed},
		},
		fromStart: []*fromStart{
			{mutant: mutant(5), verdict: lived, ran: passed},
			{mutant: mutant(6), verdict: lived, ran: failed},
			{mutant: mutant(7), verdict: lived, ran: failed, unsteady: true},
		},
	}
}

func TestSchemataTable(t *testing.T) {
	p := judgedProof()
	all := &proof{unit: &unit{module: "in all"}}
	all.add(p)
	all.add(p)
	var out bytes.Buffer
	p.write(&out)
	all.write(&out)
	(&proof{unit: &unit{module: "m", pkg: "."}, note: noTests}).write(&out)
	want := "strconv\t4\t2\t3\t1\t5\t1\t1\t2\t50.0 %\t\n" +
		"in all\t8\t4\t6\t2\t10\t2\t2\t4\t50.0 %\t\n" +
		"m\tno tests: nothing to compare\t\t\t\t\t\t\t\t\t\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	if d := disagreeing(p.sample); d != 2 {
		t.Errorf("%d disagree, want 2", d)
	}
	if n := falseSurvivors(p.fromStart); n != 1 {
		t.Errorf("%d false survivors, want 1", n)
	}
}

func TestOnlyWhatDiffersIsDescribed(t *testing.T) {
	var out bytes.Buffer
	judgedProof().describe(&out)
	want := `strconv: c  p.go:12: changed
	plain edit: exit status 0
	fuzzmut test: killed, panic, TestA
strconv: d  p.go:13: changed
	differs from run to run
	plain edit: panic: no
	fuzzmut test: survived
strconv: e  p.go:14: changed
	the plain edit does not compile: undefined: x
strconv: g  p.go:16: changed
	active from the start: panic: no
	fuzzmut test: survived
strconv: h  p.go:17: changed
	differs from run to run
	active from the start: panic: no
	fuzzmut test: survived
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestSurvivorsAreThoseThatNoTestKills(t *testing.T) {
	s := &subject{program: &instrument.Program{}}
	var verdicts []unittest.Verdict
	status := []unittest.Status{unittest.StatusSurvived, unittest.StatusKilled, unittest.StatusNotCovered}
	for i := range 30 {
		s.program.Mutants = append(s.program.Mutants, instrument.Mutant{Index: i + 1})
		verdicts = append(verdicts, unittest.Verdict{Mutant: uint32(i + 1), Status: status[i%3]})
	}
	drawn := func(n int, seed uint64) (list []int) {
		for _, f := range s.survivors(verdicts, sample{survivors: n, seed: seed}) {
			if f.verdict.Status == unittest.StatusKilled || int(f.verdict.Mutant) != f.mutant.Index {
				t.Errorf("mutant %d: %+v", f.mutant.Index, f.verdict)
			}
			list = append(list, f.mutant.Index)
		}
		return list
	}
	if all := drawn(-1, 1); len(all) != 20 || !slices.IsSorted(all) {
		t.Errorf("all: %v", all)
	}
	if all := drawn(20, 1); len(all) != 20 {
		t.Errorf("as many as there are: %v", all)
	}
	a, b, c := drawn(5, 1), drawn(5, 1), drawn(5, 2)
	if len(a) != 5 || !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("drawn %v, again %v, by another seed %v", a, b, c)
	}
	if none := drawn(0, 1); len(none) != 0 {
		t.Errorf("none: %v", none)
	}
	if at := verdictOf(verdicts, &instrument.Mutant{Index: 7}); at != 6 {
		t.Errorf("the verdict on mutant 7 is number %d", at)
	}
}

func TestEachWorksOnAllItems(t *testing.T) {
	var sum atomic.Int64
	if err := each([]int{1, 2, 3, 4, 5}, 3, func(n, worker int) error {
		if worker < 0 || worker > 2 {
			t.Errorf("worker %d", worker)
		}
		sum.Add(int64(n))
		return nil
	}); err != nil || sum.Load() != 15 {
		t.Errorf("sum %d, %v", sum.Load(), err)
	}
	no := errors.New("no")
	calls := 0
	err := each([]int{1, 2, 3, 4}, 1, func(n, _ int) error {
		calls++
		if n == 2 {
			return no
		}
		return nil
	})
	if !errors.Is(err, no) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestTheLimitOfARunFollowsItsLength(t *testing.T) {
	for wall, want := range map[time.Duration]time.Duration{
		0: 3 * time.Second, 200 * time.Millisecond: 3 * time.Second, 1234 * time.Millisecond: 12 * time.Second, time.Minute: 10 * time.Minute,
	} {
		if got := endless(&results{wall: wall}); got != want {
			t.Errorf("%v: %v, want %v", wall, got, want)
		}
	}
}

func TestEnding(t *testing.T) {
	failed := errors.New("exit status 2")
	for out, want := range map[string]string{
		"":                        "exit status 2",
		"--- FAIL: TestA\nFAIL\n": "exit status 2",
		"log\npanic: no\n\tmore\n\ngoroutine 1\n":                         "panic: no",
		"fatal error: all goroutines are asleep - deadlock!\npanic: no\n": "fatal error: all goroutines are asleep - deadlock!",
		"runtime: goroutine stack exceeds 1000000000-byte limit\n":        "runtime: goroutine stack exceeds 1000000000-byte limit",
		"a panic: no\n": "exit status 2",
	} {
		if got := ending([]byte(out), failed); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	b := &bounded{text: make([]byte, mostOutput-3)}
	for _, part := range []string{"ab", "cdef", "gh"} {
		if n, err := b.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%q: %d, %v", part, n, err)
		}
	}
	if got := string(b.text[mostOutput-3:]); got != "abc" {
		t.Errorf("kept %q", got)
	}
}

func TestOverlaysAreFreshEachTime(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, rewritten, other := file("a.go", "package p\n"), file("b.go", "package p // b\n"), file("r.go", "package p // r\n"), file("o.go", "")
	s := &subject{dir: dir, sources: map[string][]byte{a: nil, b: nil}}
	replace := map[string]string{a: rewritten, other: other} // b has no functions
	var seen []string
	for range 2 {
		over, err := s.fresh(replace)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readOverlay(over)
		if err != nil || got[other] != other || got[b] != "" || got[a] == rewritten {
			t.Fatalf("the overlay is %v, %v", got, err)
		}
		text, err := os.ReadFile(got[a])
		if err != nil || !strings.HasPrefix(string(text), "package p // r\n\n// ") {
			t.Errorf("a.go is %q, %v", text, err)
		}
		seen = append(seen, string(text))
	}
	if seen[0] == seen[1] || !maps.Equal(replace, map[string]string{a: rewritten, other: other}) {
		t.Errorf("twice %q; the map is %v", seen, replace)
	}
	if _, err := readOverlay(file("bad.json", "{")); err == nil {
		t.Error("no error for a file that is no JSON")
	}
}

func TestMemoryOfTheLargestProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rss")
	if err := measure([]string{file, "sh", "-c", "exit 0"}); err != nil {
		t.Skip(err) // not every system tells
	}
	if n, err := readRSS(file); err != nil || n < 1<<16 || n > 1<<30 {
		t.Errorf("a shell takes %d bytes, %v", n, err)
	}
	if err := measure([]string{file, "sh", "-c", "exit 3"}); err == nil {
		t.Error("no error for a program that fails")
	}
	if err := measure([]string{file}); err == nil {
		t.Error("no error without a program")
	}
	if err := os.WriteFile(file, []byte("some"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readRSS(file); err == nil {
		t.Error("no error for a size that is no number")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"plain"}, {"dormant", "-n", "3"}, {"schemata", "-operators", "nosuch"}, {"schemata", "-list", "nosuch"}} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
