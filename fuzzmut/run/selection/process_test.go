//go:build unix

package selection

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func entry(words string) corpus.Entry { return corpus.Of(words).Found() }

// selectorOf makes a selector whose engine knows the kills of inputs.
func selectorOf(t *testing.T, by matrix.Features, inputs ...string) *Selector {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{})
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	ev, err := x.Engine.Exact.Evaluate(t.Context(), evaluate.Query{Inputs: fake.Inputs(inputs...), Select: wire.SelectAlive})
	if err != nil {
		t.Fatal(err)
	}
	x.Engine.Credit(ev)
	return &Selector{Trial: x, By: by}
}

func TestTheFewestEntriesAreChosen(t *testing.T) {
	for _, c := range []struct {
		name        string
		by          matrix.Features
		stay, among []string
		cost        int64 // of each candidate
		want        []string
	}{
		{"nothing is new", 0, []string{"k1 f8"}, []string{"k1", "f8"}, 1, nil},
		{"each has something", 0, []string{"k1"}, []string{"k2", "k3"}, 1, []string{"k2", "k3"}},
		{"one has it all", 0, nil, []string{"k1", "k2", "k1 k2"}, 1, []string{"k1 k2"}},
		{"what the first has falls out for what comes later", 0, nil, []string{"k1 k2", "k2 k3 k4", "k1 k4 i5"}, 1, []string{"k1 k2", "k2 k3 k4"}},
		{"by kills", matrix.Kills, nil, []string{"k1", "f8"}, 1, []string{"k1"}},
		{"by coverage", matrix.Coverage, nil, []string{"k1", "f8"}, 1, []string{"f8"}},
		{"what is too dear for a whole matrix is chosen by first kills", 0, nil, []string{"k1", "k2", "k1 k2"}, 2 * fullMatrix, []string{"k1", "k2"}},
	} {
		s := selectorOf(t, c.by, slices.Concat(c.stay, c.among)...)
		var stay []corpus.Entry
		for _, words := range c.stay {
			stay = append(stay, entry(words))
		}
		fixed, err := s.Fix(t.Context(), stay)
		if err != nil {
			t.Fatal(err)
		}
		var among []Candidate
		for i, words := range c.among {
			among = append(among, Candidate{Entry: entry(words), Cost: c.cost, At: i})
		}
		kept, err := s.Choose(t.Context(), fixed, among)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range kept {
			got = append(got, k.Input.Values()[0].(string))
			if c.among[k.At] != k.Input.Values()[0] {
				t.Errorf("%s: %q does not come from %d", c.name, k.Input.Values()[0], k.At)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The whole matrix costs each candidate with each mutant that is not killed anyway.
func TestTheMatrixHasABound(t *testing.T) {
	for _, c := range []struct {
		cost     int64
		killed   int
		thorough bool
		want     wire.Select
	}{
		{1, 0, false, wire.SelectInfected},
		{fullMatrix, 0, false, wire.SelectAlive},
		{fullMatrix, 0, true, wire.SelectInfected},
		{fullMatrix, 2, false, wire.SelectInfected},
		{thoroughMatrix, 0, true, wire.SelectAlive},
	} {
		s := selectorOf(t, 0, "k1 k2")
		s.Thorough = c.thorough
		if got := s.selectionFor([]Candidate{{Cost: c.cost}}, c.killed); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := selectorOf(t, 0, "i1").selectionFor(nil, 0); got != wire.SelectNone {
		t.Errorf("nothing is killed: %v", got)
	}
	if got := selectorOf(t, matrix.Coverage, "k1").selectionFor(nil, 0); got != wire.SelectNone {
		t.Errorf("by coverage alone: %v", got)
	}
}

func TestEntriesWithDearKillsComeLast(t *testing.T) {
	s := selectorOf(t, 0)
	kill := func(m uint32, kind oracle.Kind) evaluate.Kill {
		return evaluate.Kill{Kill: wire.Kill{Mutant: m, Kind: kind}}
	}
	rows := []candidateRow{
		{Candidate: Candidate{Entry: entry("dear")}, kills: []evaluate.Kill{kill(1, oracle.Fuel)}},
		{Candidate: Candidate{Entry: entry("cheap")}, kills: []evaluate.Kill{kill(2, oracle.Panic)}},
		{Candidate: Candidate{Entry: entry("both")}, kills: []evaluate.Kill{kill(3, oracle.Panic), kill(1, oracle.Fuel)}},
		{Candidate: Candidate{Entry: entry("none")}},
	}
	var got []string
	for _, c := range s.dearLast(new(Fixed), rows) {
		got = append(got, c.Input.Values()[0].(string))
	}
	if len(got) != 3 || got[2] != "dear" {
		t.Errorf("%q", got)
	}
}

// A block is hit once, however often it is run, and what is no block is not.
func TestHitsAreBlocks(t *testing.T) {
	p := &instrument.Program{Blocks: make([]instrument.Block, 3)}
	r := &wire.Result{Features: wire.Features{wire.FeatureOf(0, 1), wire.FeatureOf(2, 0), wire.FeatureOf(2, 5), wire.FeatureOf(3, 0)}}
	want := []matrix.Hit{{Block: 0, Bucket: 1}, {Block: 2, Bucket: 1}}
	if got := hitsOf(p, r.Features); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsMissingIsKept(t *testing.T) {
	s := selectorOf(t, 0, "k1", "k2 f8")
	var entries []corpus.Entry
	for _, words := range []string{"k1", "k2 f8", "f8 f16", "k2"} {
		entries = append(entries, entry(words))
	}
	was, err := trial.NewReplay(t.Context(), s.Trial, entries)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by   matrix.Features
		keep []bool
		want string // places of what stands in the end
	}{
		{0, []bool{false, false, false, false}, "0 1 2"},
		{0, []bool{true, false, true, true}, "0 2 3"},
		{matrix.Kills, []bool{true, false, false, false}, "0 1"},
		{matrix.Coverage, []bool{false, false, true, false}, "2"},
		{0, []bool{true, true, true, true}, "0 1 2 3"},
	} {
		s.By = c.by
		now, err := s.confirm(t.Context(), was, slices.Clone(c.keep))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range now.Entries {
			got = append(got, fmt.Sprint(slices.IndexFunc(entries, func(x corpus.Entry) bool { return x.Input.Hash() == e.Input.Hash() })))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v of %v: %q stand, want %s", c.by, c.keep, got, c.want)
		}
	}
}

func TestOnlyFilesOfFuzzmutAreReplaceable(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1", "k2")
	dir := x.Testdata()
	if _, err := corpus.WriteFile(dir, "mine", corpus.Marshal([]any{"k3"})); err != nil {
		t.Fatal(err)
	}
	linked := corpus.Marshal([]any{"k4"})
	elsewhere := filepath.Join(t.TempDir(), "k4")
	if err := os.WriteFile(elsewhere, linked, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, corpus.ManagedName(linked))); err != nil {
		t.Skip(err)
	}
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := Replaceable(x); len(x.Given) != 4 || len(got) != 2 || !got[filepath.Join(dir, entry("k1").Name)] {
		t.Errorf("%d given, %v", len(x.Given), got)
	}
	// Another directory of results leaves those of testdata alone.
	x.Project.Options.CorpusDir = "results"
	if got := Replaceable(x); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestWhatCannotBeKeptIsNotRemoved(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1", "k2")
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.Project.GoCache = filepath.Join(x.Testdata(), entry("k1").Name) // a file
	names, err := Remove(x, x.Given)
	if exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), "2 of 2 entries kept") || len(names) != 0 {
		t.Errorf("%q, %v", names, err)
	}
	if left, _ := os.ReadDir(x.Testdata()); len(left) != 2 {
		t.Errorf("%d files are left", len(left))
	}
}
