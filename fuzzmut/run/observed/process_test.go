//go:build unix

package observed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// keeper is the trial of a fake fuzz test whose golden values are kept.
func keeper(t *testing.T, inputs ...string) *trial.Trial {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, inputs...)
	x.Project.Options.NoGolden = false
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

// show lists the values of an observation.
func show(o *Observation) string {
	list := []string{o.Failure}
	for _, v := range o.Values {
		list = append(list, v.Name+"="+v.Text)
	}
	return strings.TrimPrefix(strings.Join(list, "; "), "; ")
}

func TestEntriesAreObserved(t *testing.T) {
	const first, second = "fake.Target #1 result 0=", "fake.Other #1 result 0="
	for words, want := range map[string][2]string{
		"v5":      {first + "5", first + "5"},
		"v5 v6":   {first + "5; " + second + "6", first + "5; " + second + "6"},
		"v5 tick": {first + "5; " + second, first + "5; " + second + golden.Unstable},
		"v5 fail": {"boom", "boom"},
		"k1":      {"", ""},
		"end":     {"the process ended: ", "the process ended: "},
	} {
		x := keeper(t, words)
		once, err := Once(t.Context(), x, x.Given)
		if err != nil {
			t.Fatal(err)
		}
		stable, err := Stable(t.Context(), x, x.Given)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{show(&once[0]), show(&stable[0])}; !strings.HasPrefix(got[0], want[0]) || !strings.HasPrefix(got[1], want[1]) {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}

// What fails in one of several runs fails.
func TestEntriesThatDependOnTheOrderFail(t *testing.T) {
	x := keeper(t, "v1", "crowd v2")
	stable, err := Stable(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range x.Given {
		if failed := stable[i].Failure != ""; failed != (e.Input.Values()[0] == "crowd v2") {
			t.Errorf("%q: %q", e.Input.Values()[0], stable[i].Failure)
		}
	}
}

func TestValuesAreNamedBySite(t *testing.T) {
	x := &trial.Trial{Package: trialtest.Fake(t, trial.Hooks{}).Package}
	x.Package.Program.Sites = append(x.Package.Program.Sites, instrument.Site{Name: "fake.Marked", Target: true, Values: []string{"result"}})
	seen := func(site uint32, value int, text string, folded bool) wire.Seen {
		return wire.Seen{Site: site, Value: value, Text: text, Folded: folded}
	}
	o := Named(x, &evaluate.Observed{Recording: wire.Recording{Kind: wire.Skip, Events: []wire.Seen{
		seen(0, 0, "a", false), seen(0, 0, "b", false), seen(2, 0, "of a marked function", false), seen(0, 9, "of no value", false), seen(1, 0, "hash", true),
	}}})
	var names []string
	for _, v := range o.Values {
		names = append(names, v.Name)
	}
	want := "fake.Target #1 result 0; fake.Target #2 result 0; more values; fuzz target #1 outcome"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(o.Sites) != 3 || o.Sites["fake.Target #2 result 0"].Line != 7 || o.Sites["fake.Other #1 result 0"].Line != 8 {
		t.Errorf("%+v", o.Sites)
	}
}

func TestOnlyWhatLacksGoldenValuesGetsThem(t *testing.T) {
	x := keeper(t, "v1", "v2 tick", "v3 fail")
	n, err := Keep(t.Context(), x)
	if err != nil || n.Entries() != 2 || n.Values() != 3 {
		t.Fatalf("%+v, %v", n, err)
	}
	if n, err = Keep(t.Context(), x); err != nil || n.Entries() != 0 || len(x.Warnings()) != 0 {
		t.Errorf("again: %+v, %v, %q", n, err, x.Warnings())
	}
	// Entries that come later, in the directory.
	trialtest.AddEntry(t, x.Testdata(), "v4")
	if n, err = Keep(t.Context(), x); err != nil || n.Entries() != 1 || n.Values() != 1 {
		t.Errorf("one more: %+v, %v", n, err)
	}
}

func TestGoldenValuesAreNotAlwaysKept(t *testing.T) {
	for name, change := range map[string]func(*trial.Trial){
		"none are wanted": func(x *trial.Trial) { x.Project.Options.NoGolden = true },
		"a dry run":       func(x *trial.Trial) { x.Project.Options.DryRun = true },
		"another place":   func(x *trial.Trial) { x.Project.Options.CorpusDir = "other" },
	} {
		x := keeper(t, "v1")
		change(x)
		if n, err := Keep(t.Context(), x); err != nil || n.Entries() != 0 {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
		if _, err := os.Stat(x.GoldenFile()); err == nil {
			t.Errorf("%s: there is a directory", name)
		}
	}
}

func TestGoldenValuesThatDifferAreTold(t *testing.T) {
	is := func(text string) golden.File {
		return golden.File{Packages: ".", Entries: []golden.Entry{{Values: []golden.Value{{Name: "fake.Target #1 result 0", Text: text}}}}}
	}
	for _, c := range []struct {
		name    string
		entry   string
		file    golden.File // its one entry is that of the input
		damage  string      // of it
		earlier bool
		want    string
		written int // of the other entry
	}{
		{name: "as they were", entry: "v1", file: is("1"), written: 1},
		{name: "others", entry: "v1", file: is("7"), want: "1 golden value of 1 entry differs from what is observed now", written: 1},
		{name: "a failure", entry: "v1 fail", file: is("1"), want: "the golden values of 1 entry can't be compared", written: 1},
		{name: "of other packages", entry: "v1", file: golden.File{Packages: "example.com/q", Entries: make([]golden.Entry, 1)}, want: "observe calls of example.com/q, this run ."},
		{name: "damaged", entry: "v1", file: is("1"), damage: "<<<<<<< HEAD\n", want: "a git conflict marker; fuzzmut corpus verify -update rewrites the file"},
		{name: "of an earlier version", entry: "v1", earlier: true, want: "was written by an earlier fuzzmut, which wrote values in another way; fuzzmut corpus verify -update rewrites them"},
	} {
		x := keeper(t, c.entry, "v2")
		path, text := x.GoldenFile(), ""
		if c.earlier {
			path = filepath.Join(strings.TrimSuffix(path, ".txt"), corpus.ManagedName(nil))
		} else {
			e := corpus.Of(c.entry).Found()
			c.file.Entries[0] = store.Entry(&e, c.file.Entries[0].Values)
			text = string(c.file.Marshal()) + c.damage
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		n, err := Keep(t.Context(), x)
		if err != nil || n.Entries() != c.written {
			t.Errorf("%s: %+v, %v", c.name, n, err)
		}
		w := strings.Join(x.Warnings(), "\n")
		if (w == "") != (c.want == "") || !strings.Contains(w, c.want) {
			t.Errorf("%s: %q", c.name, w)
		}
		if after, _ := os.ReadFile(path); (string(after) == text) != (c.written == 0) {
			t.Errorf("%s: %s", c.name, after)
		}
	}
}

func TestGoldenValuesThatCannotBeWrittenAreCounted(t *testing.T) {
	x := keeper(t, "v1", "v2")
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(x.GoldenFile())), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(x.GoldenFile()), nil, 0o666); err != nil { // where a directory is to be
		t.Fatal(err)
	}
	_, err := writeMissing(t.Context(), x, x.Given, false)
	if exit.CodeOf(err) != exit.Usage || !strings.HasPrefix(err.Error(), "golden values of 2 entries could not be written") {
		t.Errorf("%v", err)
	}
}

// Where the time is short, some entries get their values nevertheless: the next run goes on
// with the others. Parts are small at first.
func TestPartsThatWereObservedInTimeCount(t *testing.T) {
	for most, want := range map[int]int{0: 0, 1: 1, 3: 7, 6: 47, 9: 50} {
		var parts []int
		seen, err := inParts(make([]corpus.Entry, 50), func(part []corpus.Entry) ([]Observation, error) {
			if len(parts) == most {
				return nil, fmt.Errorf("observing: %w", context.DeadlineExceeded)
			}
			parts = append(parts, len(part))
			return make([]Observation, len(part)), nil
		})
		if err != nil || len(seen) != want {
			t.Errorf("%d parts in time, %v: %d were observed, want %d (%v)", most, parts, len(seen), want, err)
		}
	}
	bad := errors.New("bad")
	if seen, err := inParts(make([]corpus.Entry, 2), func([]corpus.Entry) ([]Observation, error) { return nil, bad }); seen != nil || err != bad {
		t.Errorf("%v, %v", seen, err)
	}
}

// When the time is over at once, what has values was not compared with them: that is said.
func TestWhatThereIsNoTimeForIsCounted(t *testing.T) {
	x := keeper(t, "v1", "v2")
	trialtest.AddEntry(t, x.Testdata(), "v3")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if n, err := Keep(ctx, x); err != nil || n.Late != 3 || n.Entries() != 0 {
		t.Errorf("none has values: %+v (%v)", n, err)
	}
	if n, err := Keep(t.Context(), x); err != nil || n.Entries() != 3 || n.Late != 0 {
		t.Fatalf("%+v (%v)", n, err)
	}
	if n, err := Keep(ctx, x); err != nil || n.Late != 3 {
		t.Errorf("all have values: %+v (%v)", n, err)
	}
}

// While golden values are observed and compared, the status has how many entries are done.
func TestTheStatusCountsEntriesWithGoldenValues(t *testing.T) {
	x := keeper(t, "v1", "v2", "v3")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, doing := range []string{"observing golden values", "comparing golden values"} {
		var last project.Status
		x.Project.Options.Events = func(e project.Event) {
			if e.Status != nil {
				last = *e.Status
			}
		}
		if _, err := Keep(ctx, x); err != nil {
			t.Fatal(err)
		}
		if last.Doing != doing || last.Unit != "entry" || last.Evaluated != 3 || last.Evaluating != 3 {
			t.Errorf("%s: %d of %d of %q, %q", doing, last.Evaluated, last.Evaluating, last.Unit, last.Doing)
		}
	}
}

// Several processes at once observe what one after the other does.
func TestEntriesAreObservedAtOnce(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		x := keeper(t, "v1", "v2 tick", "v3 end")
		x.Project.Options.Parallel = parallel
		seen, err := Stable(t.Context(), x, x.Given)
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]bool)
		for i := range seen {
			got[show(&seen[i])] = true
		}
		const first, second = "fake.Target #1 result 0=", "fake.Other #1 result 0="
		if len(got) != 3 || !got[first+"1"] || !got[first+"2; "+second+golden.Unstable] {
			t.Errorf("%d workers: %v", parallel, got)
		}
	}
}
