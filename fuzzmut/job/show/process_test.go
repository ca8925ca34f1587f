//go:build unix

package show

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func TestEntriesAreListedWithWhatTheyAreKeptFor(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1 k2 f8", "k1 f16", "f8")
	if _, err := corpus.WriteFile(x.Testdata(), "mine", corpus.Marshal([]any{"k3 v5"})); err != nil {
		t.Fatal(err)
	}
	mine := corpus.Of("k3 v5").Found()
	put := store.Entry(&mine, []golden.Value{{Name: "fake.Target #1 result 0", Text: "5"}})
	if err := store.Apply(x.GoldenFile(), store.Change{Packages: ".", Put: []golden.Entry{put}}); err != nil {
		t.Fatal(err)
	}
	list, err := entriesOf(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]report.ListedEntry)
	for _, e := range list.Entries {
		got[e.Input] = e
	}
	alone := func(id string) []report.ListedMutant {
		for _, m := range x.Package.Program.Mutants {
			if m.ID == id {
				return []report.ListedMutant{{ID: id, File: report.RelativeFile(x.Package.Program.Test.ModuleDir, m.File), Line: m.Line, Operator: m.Operator}}
			}
		}
		return nil
	}
	entry := func(words string) report.ListedEntry {
		name := corpus.Of(words).Found().Name
		return report.ListedEntry{Name: name, Path: "testdata/fuzz/FuzzFake/" + name, Origin: report.OriginFuzzmut, Input: `"` + words + `"`}
	}
	one, two, three := entry("k1 k2 f8"), entry("k1 f16"), entry("f8")
	one.Kills, one.Alone, one.Blocks = 2, alone("m2"), 1
	two.Kills, two.Blocks, two.AloneBlocks = 1, 1, 1
	three.Blocks = 1
	four := report.ListedEntry{
		Name: "mine", Path: "testdata/fuzz/FuzzFake/mine", Origin: report.OriginUser, Input: `"k3 v5"`, Kills: 1, Alone: alone("m3"),
		Values: []report.ListedValue{{Name: "fake.Target #1 result 0", Text: "5"}},
	}
	want := map[string]report.ListedEntry{one.Input: one, two.Input: two, three.Input: three, four.Input: four}
	if diff := cmp.Diff(want, got); diff != "" || list.Killed != 3 || list.Covered != 2 {
		t.Errorf("%d killed, %d covered (-want +got):\n%s", list.Killed, list.Covered, diff)
	}
}

func TestAnEntryThatFailsIsListed(t *testing.T) {
	x := trialtest.Fake(t, trial.Hooks{}, "k1 fail", "k1")
	list, err := entriesOf(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Entries {
		if failed := e.Failure == "boom"; failed != (e.Input == `"k1 fail"`) || failed && e.Kills > 0 {
			t.Errorf("%+v", e)
		}
	}
}
