//go:build linux

package faults

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestRowsAreChosenByPrefix(t *testing.T) {
	for _, c := range []struct {
		rows []string
		name string
		want bool
	}{
		{nil, "full disk: TMPDIR", true},
		{[]string{"full disk"}, "full disk: TMPDIR", true},
		{[]string{"workers", "full disk: TMP"}, "full disk: TMPDIR", true},
		{[]string{"full disk: testdata"}, "full disk: TMPDIR", false},
		{[]string{"disk"}, "full disk: TMPDIR", false},
	} {
		b := &bench{Config: Config{Rows: c.rows}}
		if got := b.wants(c.name); got != c.want {
			t.Errorf("%q of %q: %t", c.name, c.rows, got)
		}
	}
}

func TestCountsAreScaledButNeverZero(t *testing.T) {
	for _, c := range []struct {
		scale   float64
		n, want int
	}{{1, 40, 40}, {0.1, 40, 4}, {0.01, 40, 1}, {2.5, 3, 8}, {0, 1000, 1}} {
		b := &bench{Config: Config{N: c.scale}}
		if got := b.count(c.n); got != c.want {
			t.Errorf("%v times %d: %d, want %d", c.scale, c.n, got, c.want)
		}
	}
}

// newBench returns a bench with slots that run nothing.
func newBench(t *testing.T, slots int) (b *bench, log *bytes.Buffer) {
	t.Helper()
	log = new(bytes.Buffer)
	b = &bench{Config: Config{Seed: 3, N: 1, Slots: slots, Keep: filepath.Join(t.TempDir(), "kept"), Out: new(bytes.Buffer), Log: log}, work: t.TempDir()}
	b.slots = make(chan *slot, slots)
	for range slots {
		b.slots <- &slot{}
	}
	return b, log
}

// What a trial draws is a function of the seed, the row and its number: not of the order
// in which trials run.
func TestTrialsDrawTheSameWhateverTheOrder(t *testing.T) {
	drawn := func(row *row, slots int) map[int]uint64 {
		b, _ := newBench(t, slots)
		var mu sync.Mutex
		list := make(map[int]uint64)
		b.each(t.Context(), row, 20, func(t *trial, i int) {
			n := t.rnd.Uint64()
			mu.Lock()
			defer mu.Unlock()
			list[i] = n
		})
		return list
	}
	one, three, other := drawn(&row{name: "a"}, 1), drawn(&row{name: "a"}, 3), drawn(&row{name: "b"}, 1)
	if fmt.Sprint(one) != fmt.Sprint(three) || len(one) != 20 {
		t.Errorf("with one slot %v, with three %v", one, three)
	}
	if fmt.Sprint(one) == fmt.Sprint(other) || one[0] == one[1] {
		t.Errorf("two rows draw %v and %v", one, other)
	}
}

func TestNoTrialBeginsOnceInterrupted(t *testing.T) {
	b, _ := newBench(t, 1)
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	b.each(ctx, &row{}, 10, func(*trial, int) { n++; stop() })
	if n < 1 || n > 2 {
		t.Errorf("%d trials ran", n)
	}
}

func TestOnlyTrialsThatShowSomethingAreKept(t *testing.T) {
	b, log := newBench(t, 1)
	r := b.row("row")
	var dirs []string
	b.each(t.Context(), r, 3, func(t *trial, i int) {
		dirs = append(dirs, t.dir)
		os.MkdirAll(t.dir, 0o777)
		os.WriteFile(filepath.Join(t.dir, "output"), []byte("said"), 0o666)
		if i == 1 {
			t.lose("entry %d", 7)
			t.leave("file")
		}
		b.book(r, t)
	})
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
	kept, _ := filepath.Glob(filepath.Join(b.Keep, "*", "*"))
	if len(kept) != 2 { // output and problems of the one
		t.Errorf("kept %q", kept)
	}
	if text := log.String(); strings.Count(text, "row, run 1 of seed 3: ") != 2 || !strings.Contains(text, "entry 7; kept in ") {
		t.Errorf("logged %q", text)
	}
	if r.runs != 3 || len(r.lost) != 1 || len(r.left) != 1 || len(r.misreported) != 0 {
		t.Errorf("booked %+v", r)
	}
}

func TestTheLogSaysHowFarARowIs(t *testing.T) {
	b, log := newBench(t, 2)
	r := b.row("row")
	b.each(t.Context(), r, 20, func(t *trial, i int) {
		if i == 7 {
			t.leave("file")
		}
		b.book(r, t)
	})
	text := log.String()
	if n := strings.Count(text, " of at most 20 trials after "); n != 9 {
		t.Errorf("%d lines between the first and the last, want 9, in\n%s", n, text)
	}
	first, last := " row: begins, at most 20 trials\n", ": 20 times, 0 lost, 1 left behind, 0 misreported\n"
	if !strings.HasSuffix(text, last) || !strings.Contains(text[:strings.Index(text, "\n")+1], first) {
		t.Errorf("the log does not begin with %q and end with %q:\n%s", first, last, text)
	}
}

func TestTheTableCountsAndFails(t *testing.T) {
	b, _ := newBench(t, 1)
	r := b.row("good")
	r.runs = 5
	if err := b.print(); err != nil {
		t.Errorf("nothing is wrong, but %v", err)
	}
	bad := b.row("bad")
	bad.runs, bad.note, bad.lost, bad.misreported = 2, "left out: no mount", []string{"a"}, []string{"b", "c"}
	b.Out = new(bytes.Buffer)
	if err := b.print(); err == nil || !strings.HasPrefix(err.Error(), "3 times") {
		t.Errorf("the error is %v", err)
	}
	table := b.Out.(*bytes.Buffer).String()
	for _, line := range []string{"| good ", "| bad (left out: no mount) "} {
		if !strings.Contains(table, line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
	if fields := strings.Fields(table[strings.Index(table, "no mount)"):]); !slices.Equal(fields[2:9], []string{"|", "2", "|", "1", "|", "0", "|"}) {
		t.Errorf("counts %q", fields)
	}
}

func TestWhatCantBeSaidIsNoticed(t *testing.T) {
	for _, c := range []struct {
		code   int
		signal syscall.Signal
		out    string
		wrong  bool
	}{
		{0, 0, "all is well", false},
		{1, 0, "a failing input\n\ngoroutine 1 [running]:\n", false}, // the target's traceback
		{2, 0, "panic: no\n\ngoroutine 1 [running]:\n", true},
		{2, 0, "no such package", false},
		{70, 0, "internal error", true},
		{-1, syscall.SIGKILL, "", false},
		{-1, syscall.SIGSEGV, "", true},
	} {
		tr := &trial{}
		r := &run{code: c.code, signal: c.signal}
		r.out.WriteString(c.out)
		if tr.checkSaid(r); len(tr.misreported) > 0 != c.wrong {
			t.Errorf("exit %d, signal %v, %q: %q", c.code, c.signal, c.out, tr.misreported)
		}
	}
}

func TestVerdictsAreComparedMutantByMutant(t *testing.T) {
	test := func(status ...string) *report.FuzzTest {
		f := &report.FuzzTest{}
		for i, s := range status {
			f.Mutants = append(f.Mutants, report.Mutant{ID: fmt.Sprint("m", i), Status: s})
		}
		f.Score = report.Summarise(f.Mutants)
		return f
	}
	for _, c := range []struct {
		said, is *report.FuzzTest
		wrong    int
	}{
		{test(report.Killed, report.Survived), test(report.Killed, report.Survived), 0},
		{test(report.Killed, report.Survived), test(report.Killed, report.NotCovered), 0},
		{test(report.Killed, report.Survived), test(report.Survived, report.Killed), 2},
		{test(report.Killed, report.Killed), test(report.Killed, report.Survived), 2}, // and the sum
	} {
		tr := &trial{}
		if tr.compare(c.said, c.is); len(tr.misreported) != c.wrong {
			t.Errorf("%q, want %d", tr.misreported, c.wrong)
		}
	}
}

func TestHalfWrittenFilesAndBadEntriesAreNoticed(t *testing.T) {
	tr := &trial{dir: t.TempDir(), rnd: rand.New(rand.NewPCG(1, 1))}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(tr.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("tree/p.go", "package p\n")
	write("tree/testdata/fuzz/FuzzX/good", "go test fuzz v1\nint(1)\n")
	tr.checkHalves()
	tr.checkTemp() // there is no directory at all
	if len(tr.lost)+len(tr.left)+len(tr.misreported) > 0 {
		t.Fatalf("of a good tree: lost %q, left %q, %q", tr.lost, tr.left, tr.misreported)
	}
	write("tree/testdata/fuzz/FuzzX/bad", "go test fuzz v1\nint(")
	write("tree/testdata/fuzz/FuzzX/.tmp123/x", "")
	write("tree/q/.fuzzmut-lock", "")
	write("tmp-fuzzmut-fault/rest", "")
	tr.checkHalves()
	tr.checkTemp()
	if len(tr.lost) == 0 || !strings.Contains(tr.lost[0], "FuzzX") {
		t.Errorf("lost %q", tr.lost)
	}
	if want := 3; len(tr.left) != want {
		t.Errorf("left %q, want %d", tr.left, want)
	}
}

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "one": "one", "one\ntwo\n\n": "two", "a\n" + strings.Repeat("x", 400): strings.Repeat("x", 300),
	} {
		if got := lastLine(text); got != want {
			t.Errorf("of %q: %q", text, got)
		}
	}
}

func TestKindsOfMisbehaviourHaveAFuzzTestEach(t *testing.T) {
	const tree = "../../../testdata/trees/misbehave"
	files, err := filepath.Glob(filepath.Join(tree, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var src []byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src = append(src, text...)
	}
	names := make(map[string]bool)
	for _, k := range kinds {
		if names[k.name()] {
			t.Errorf("%s is there twice", k.name())
		}
		names[k.name()] = true
		if k.dir == "" && !bytes.Contains(src, []byte("func "+k.fuzz+"(")) {
			t.Errorf("there is no fuzz test %s", k.fuzz)
		}
		if k.dir != "" {
			if _, err := os.Stat(filepath.Join(tree, k.dir)); err != nil {
				t.Error(err)
			}
		}
	}
}

// A signal may come before a run has begun anything, and when all of it is done.
func TestEndsThatNoSignalHasPartIn(t *testing.T) {
	tr := &trial{dir: t.TempDir()}
	if err := os.Mkdir(tr.temp(), 0o777); err != nil {
		t.Fatal(err)
	}
	r := &run{}
	if !tr.untouched(r) || tr.complete() {
		t.Error("a run that has done nothing counts as begun, or as done")
	}
	for text, complete := range map[string]bool{
		`{"tests": [{"name": "FuzzX"}]}`:                                       true,
		`{"tests": [{"name": "FuzzX", "interrupted": true}]}`:                  false,
		`{"tests": [{"name": "FuzzX", "not_measured": "it was interrupted"}]}`: false,
		`{"tests": []}`: false,
	} {
		if err := os.WriteFile(tr.result(), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if tr.complete() != complete || tr.untouched(r) {
			t.Errorf("%s: complete %v, untouched %v", text, tr.complete(), tr.untouched(r))
		}
	}
	os.Remove(tr.result())
	for _, leave := range []func(){
		func() { r.out.WriteString("loading .\n") },
		func() { r.out.Reset(); os.WriteFile(filepath.Join(tr.temp(), "x"), nil, 0o666) },
	} {
		if leave(); tr.untouched(r) {
			t.Error("what a run has said or left counts for nothing")
		}
	}
}
