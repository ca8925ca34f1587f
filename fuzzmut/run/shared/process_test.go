//go:build unix

package shared_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

const (
	pkg  = "example.com/fake"
	fuzz = "FuzzFake"
)

func opened(t *testing.T) *share.Dir {
	t.Helper()
	d, err := share.Open(filepath.Join(t.TempDir(), "share"), true)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// member makes a search of a fake fuzz test take part in a directory, with a corpus.
func member(t *testing.T, d *share.Dir, given ...string) (*trial.Trial, *shared.Member) {
	t.Helper()
	var m *shared.Member
	x := trialtest.Fake(t, trial.Hooks{OnFound: func(in *corpus.Input) { m.Found(in) }, OnFailure: func(f failures.Failure) { m.Failed(f) }}, given...)
	x.Project.Share = d
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	m = shared.Join(x)
	return x, m
}

// begun is member, up to the baseline.
func begun(t *testing.T, d *share.Dir, given ...string) (*trial.Trial, *shared.Member) {
	t.Helper()
	x, m := member(t, d, given...)
	if err := x.Baseline(t.Context(), m.Begin()); err != nil {
		t.Fatal(err)
	}
	return x, m
}

// finds has a search find inputs, which are run with all mutants.
func finds(t *testing.T, x *trial.Trial, words ...string) {
	t.Helper()
	inputs := fake.Inputs(words...)
	ev, err := x.Engine.Exact.Evaluate(t.Context(), evaluate.Query{Inputs: inputs, Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	x.Engine.Found(inputs, ev)
}

// dead lists the mutants that were killed, in order.
func dead(x *trial.Trial) []uint32 {
	list, _ := x.Engine.Kills.Since(0)
	return slices.Sorted(slices.Values(list))
}

func wordsOf(entries []corpus.Entry) []string {
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Input.Values()[0].(string))
	}
	slices.Sort(list)
	return list
}

func TestASearchBeginsWithWhatAnotherFound(t *testing.T) {
	d := opened(t)
	x, m := begun(t, d, "k1")
	finds(t, x, "k2 f8", "k3 f9", "fail")
	m.Close()

	x, m = member(t, d, "k4")
	hints := m.Begin()
	if got := slices.Sorted(maps.Keys(hints)); !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("hints for %v", got)
	}
	if got := wordsOf(x.Cached); !slices.Equal(got, []string{"fail", "k1", "k2 f8", "k3 f9"}) {
		t.Errorf("took %q", got)
	}
	if err := x.Baseline(t.Context(), hints); err != nil {
		t.Fatal(err)
	}
	if got := dead(x); !slices.Equal(got, []uint32{1, 2, 3, 4}) || x.Engine.Failures.Len() != 1 {
		t.Errorf("killed %v, %d stacks", got, x.Engine.Failures.Len())
	}
	m.Close()
	want := report.Shared{Place: d.Path(), Binary: nameOf(t, x), Taken: report.SharedAmount{Inputs: 3, Failing: 1, Kills: 3}, Left: report.SharedAmount{Inputs: 1, Kills: 1}, Refused: []report.SharedRefusal{}}
	if got := m.Report(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if _, third := begun(t, d); third.Begin() == nil {
		t.Error("no directory")
	}
}

// Nobody believes a kill: a mutant is run on the input that is said to kill it, and on others
// if that does not.
func TestAFalseKillIsNoKill(t *testing.T) {
	d := opened(t)
	x, _ := member(t, d)
	log := d.NewLog(nameOf(t, x), pkg)
	liar, honest := corpus.Of("f8"), corpus.Of("k2")
	for _, in := range []*corpus.Input{liar, honest} {
		if _, err := d.Keep(share.Entries, pkg, fuzz, in); err != nil {
			t.Fatal(err)
		}
	}
	err := log.Add(says(2, liar), says(3, liar), says(4_000, liar), says(2, honest), says(5, corpus.Of("gone")), share.Record{Fuzz: "FuzzOther", Kill: &share.Kill{Mutant: 7, Input: liar.Hash()}})
	if err != nil {
		t.Fatal(err)
	}
	x, m := begun(t, d)
	if got := dead(x); !slices.Equal(got, []uint32{2}) {
		t.Errorf("killed %v", got)
	}
	m.Close()
	refused := []report.SharedRefusal{
		{What: "kill", Number: 1, Reason: "not taken: the input is not there"},
		{What: "kill", Number: 1, Reason: "not taken: the mutant is not killed here"},
		{What: "kill", Number: 1, Reason: "not taken: there is no such mutant"},
	}
	if got := m.Report(); !reflect.DeepEqual(got.Refused, refused) || got.Taken.Inputs != 2 {
		t.Errorf("%+v", got)
	}
	// What is true is said, also after somebody has said otherwise.
	if got := kills(t, d, x)[kill{2, honest.Hash()}]; got < 1 {
		t.Errorf("kills %v", kills(t, d, x))
	}
}

// A stack is the same in a log, wherever the tree lies: of each stack, pruning keeps a few inputs.
func TestAStackHasNoPlaceInALog(t *testing.T) {
	d := opened(t)
	for _, word := range []string{"a", "b"} { // each has another tree
		x, m := begun(t, d)
		root := x.Package.Program.Test.ModuleDir
		m.Failed(failures.Failure{Input: fake.Inputs(word)[0], Key: "panic\nm.F " + filepath.Join(root, "m.go") + ":3\nm.G " + filepath.Join(root, "g.go") + ":4"})
		m.Close()
		list, err := d.NewReader(nameOf(t, x), nil).Next()
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, r := range list {
			if r.Fail != nil {
				keys = append(keys, r.Fail.Key)
			}
		}
		if slices.Sort(keys); len(keys) == 0 || len(slices.Compact(keys)) != 1 || strings.Contains(keys[0], root) {
			t.Errorf("%q", keys)
		}
	}
}

// A directory has a bound while many write to it: who comes too late leaves no more.
func TestADirectoryHasABound(t *testing.T) {
	d := opened(t)
	dir := filepath.Join(d.Path(), share.Failing, pkg, fuzz)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 1024 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%016x", i)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, m := begun(t, d)
	finds(t, x, "fail", "k2")
	m.Close()
	got := m.Report()
	if !slices.Contains(got.Refused, report.SharedRefusal{What: "input", Number: 1, Reason: "not left: the directory has as many as a run takes; fuzzmut corpus prune makes room"}) {
		t.Errorf("%+v", got)
	}
	if names, err := d.Names(share.Failing, pkg, fuzz); len(names) != 1024 || err != nil || got.Left.Failing != 0 {
		t.Errorf("%d failing, %+v, %v", len(names), got, err)
	}
}

type kill struct {
	mutant uint32
	input  string
}

// kills counts how often a kill was said.
func kills(t *testing.T, d *share.Dir, x *trial.Trial) map[kill]int {
	t.Helper()
	list, err := d.NewReader(nameOf(t, x), nil).Next()
	if err != nil {
		t.Fatal(err)
	}
	n := make(map[kill]int)
	for _, r := range list {
		if r.Kill != nil {
			n[kill{r.Kill.Mutant, r.Kill.Input}]++
		}
	}
	return n
}

func says(mutant uint32, in *corpus.Input) share.Record {
	return share.Record{Fuzz: fuzz, Kill: &share.Kill{Mutant: mutant, Input: in.Hash(), Kind: "panic"}}
}

func nameOf(t *testing.T, x *trial.Trial) string {
	t.Helper()
	name, err := x.Project.BinaryName(x.Package.Program, x.Package.Binary)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Other code takes the inputs, and runs them for itself.
func TestOtherCodeTakesInputsAlone(t *testing.T) {
	d := opened(t)
	x, m := begun(t, d, "k1")
	finds(t, x, "k2")
	m.Close()
	x, _ = member(t, d)
	binary := filepath.Join(t.TempDir(), "other.bin")
	if err := os.WriteFile(binary, []byte("other"), 0o777); err != nil {
		t.Fatal(err)
	}
	x.Package.Binary = binary
	m = shared.Join(x)
	if hints := m.Begin(); len(hints) != 0 || !slices.Equal(wordsOf(x.Cached), []string{"k1", "k2"}) {
		t.Errorf("hints %v, inputs %q", hints, wordsOf(x.Cached))
	}
}

func TestWhatOthersFindIsTakenInBetween(t *testing.T) {
	d := opened(t)
	a, ma := begun(t, d, "k1")
	b, mb := begun(t, d, "k4")
	finds(t, a, "k2 f8", "k3")
	ma.Round()
	for _, want := range [][]uint32{{2, 3, 4}, {2, 3, 4}} { // what is known is not run again
		if err := mb.Intake(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := dead(b); !slices.Equal(got, append([]uint32{1}, want...)) {
			t.Errorf("killed %v, want %v and 1", got, want)
		}
	}
	if n := b.Engine.Pool.Size(); n.Entries != 4 || n.Covered == 0 {
		t.Errorf("%+v", n)
	}
	mb.Round()
	if err := ma.Intake(t.Context()); err != nil || !slices.Equal(dead(a), []uint32{1, 2, 3, 4}) {
		t.Errorf("killed %v, %v", dead(a), err)
	}
	// Each has said what it was the first to know, and no more.
	for k, n := range kills(t, d, a) {
		if n != 1 {
			t.Errorf("%v was said %d times", k, n)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	finds(t, a, "k5")
	ma.Round()
	if err := mb.Intake(canceled); err != nil {
		t.Error("the end of the time is no error:", err)
	}
}

func TestADryRunTakesAndLeavesNothing(t *testing.T) {
	d := opened(t)
	_, m := begun(t, d, "k1")
	m.Close()
	x, _ := member(t, d)
	x.Project.Options.DryRun = true
	m = shared.Join(x)
	if err := x.Baseline(t.Context(), m.Begin()); err != nil {
		t.Fatal(err)
	}
	finds(t, x, "k2", "fail")
	m.Round()
	m.Close()
	if got := dead(x); !slices.Equal(got, []uint32{1, 2}) || len(kills(t, d, x)) != 1 {
		t.Errorf("killed %v, said %v", got, kills(t, d, x))
	}
}

func TestDamagedFilesAreWarnedOfOnce(t *testing.T) {
	d := opened(t)
	x, _ := member(t, d)
	dir := filepath.Join(d.Path(), share.Entries, filepath.FromSlash(pkg), fuzz)
	for _, name := range []string{"000000000000000a", "000000000000000b"} {
		write(t, filepath.Join(dir, name), "garbage")
	}
	if _, err := d.Keep(share.Entries, pkg, fuzz, corpus.Of(7)); err != nil { // of another type
		t.Fatal(err)
	}
	if _, err := d.Keep(share.Entries, pkg, fuzz, corpus.Of("k2")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(d.Path(), nameOf(t, x), "a.log"), "garbage")
	x, m := begun(t, d)
	if err := m.Intake(t.Context()); err != nil {
		t.Error(err)
	}
	m.Close()
	warned := x.Warnings()
	if len(warned) != 2 || !strings.Contains(warned[0], "a.log is no log") || !strings.Contains(warned[1], "000000000000000a") {
		t.Errorf("%q", warned)
	}
	if got := dead(x); !slices.Equal(got, []uint32{2}) {
		t.Errorf("killed %v", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A member of no directory does nothing.
func TestNoDirectoryIsShared(t *testing.T) {
	x, m := member(t, nil)
	if m != nil || m.Begin() != nil {
		t.Error("there is one")
	}
	m.Found(corpus.Of("a"))
	m.Failed(failures.Failure{})
	m.Round()
	m.Close()
	if len(x.Warnings()) != 0 {
		t.Error(x.Warnings())
	}
}
