//go:build unix

package merge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// mergerOf merges directories into the corpus of a fake fuzz test.
func mergerOf(t *testing.T, by matrix.Features, from []string, given ...string) *merger {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, given...)
	how := campaign.Options{Job: engineName, Known: true, By: by, Thorough: true}
	return &merger{campaign: campaign.New(x.Project, x.Package, x.Test, nil, how), from: from}
}

// corpusOf lists the inputs in a directory of entries.
func corpusOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, _, err := corpus.ReadDir(dir, []string{"string"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Input.Values()[0].(string))
	}
	slices.Sort(list)
	return list
}

func TestMergingAddsWhatKillsOrCovers(t *testing.T) {
	for _, c := range []struct {
		name        string
		by          matrix.Features
		given, from []string
		want        []string
	}{
		{"kills and blocks", 0, []string{"k1"}, []string{"k1 i2", "k3", "f8", "i4"}, []string{"f8", "k1", "k3"}},
		{"kills", matrix.Kills, []string{"k1"}, []string{"k3", "f8"}, []string{"k1", "k3"}},
		{"one for several", 0, []string{"k1"}, []string{"k3", "f8", "k3 f8"}, []string{"k1", "k3 f8"}},
		{"what is there already", 0, []string{"k1"}, []string{"k1"}, []string{"k1"}},
		{"nothing", 0, []string{"k1"}, nil, []string{"k1"}},
	} {
		from := t.TempDir()
		for _, words := range c.from {
			trialtest.AddEntry(t, from, words)
		}
		m := mergerOf(t, c.by, []string{from}, c.given...)
		if err := m.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		x := m.campaign.Trial
		if got := corpusOf(t, x.Testdata()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := corpusOf(t, from); len(got) != len(c.from) {
			t.Errorf("%s: %q are left where they came from", c.name, got)
		}
		r := m.Result()
		if r.Engine != engineName || r.Seed != 0 || r.Corpus.Added != len(c.want)-len(c.given) {
			t.Errorf("%s: %+v", c.name, r.Corpus)
		}
		// Inputs that come from elsewhere are not kept in the cache.
		if dir, _ := x.CacheDir(); len(corpusOf(t, dir)) > 0 {
			t.Errorf("%s: the cache has %q", c.name, corpusOf(t, dir))
		}
	}
}

func TestTheCacheIsMergedByDefault(t *testing.T) {
	m := mergerOf(t, 0, nil, "k1")
	if paths, err := m.sources(); err != nil || paths != nil {
		t.Errorf("nothing was found yet: %q, %v", paths, err)
	}
	dir, _ := m.campaign.Trial.CacheDir()
	trialtest.AddEntry(t, dir, "k2")
	if err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := corpusOf(t, m.campaign.Trial.Testdata()); !slices.Equal(got, []string{"k1", "k2"}) {
		t.Errorf("%q", got)
	}
}

func TestInputsAreReadOnce(t *testing.T) {
	a, b, bad, mixed := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	trialtest.AddEntry(t, a, "k1")
	trialtest.AddEntry(t, a, "k2")
	trialtest.AddEntry(t, b, "k2")
	trialtest.AddEntry(t, b, "k3")
	trialtest.AddEntry(t, mixed, "k4")
	for _, dir := range []string{bad, mixed} {
		if err := os.WriteFile(filepath.Join(dir, "other"), []byte("go test fuzz v1\nint(1)\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x := trialtest.Fake(t, trial.Hooks{}, "k1")
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	inputs, err := readInputs(x, []string{a, b}, nil)
	var got []string
	for _, in := range inputs {
		got = append(got, fake.Words(in))
	}
	if err != nil || !slices.Equal(got, []string{"k2", "k3"}) || len(x.Warnings()) > 0 {
		t.Errorf("%q, %v; %q", got, err, x.Warnings())
	}
	if _, err := readInputs(x, []string{bad}, nil); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "is an input of example.com/fake.FuzzFake") {
		t.Errorf("of other types: %v", err)
	}
	if inputs, err = readInputs(x, []string{mixed}, nil); err != nil || len(inputs) != 1 {
		t.Errorf("%d inputs, %v", len(inputs), err)
	}
	if w := x.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "1 file in "+mixed+" skipped") {
		t.Errorf("%q", w)
	}
}

func TestALinkOutOfTheSourceIsRefused(t *testing.T) {
	from, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(from, "FuzzFake")); err != nil {
		t.Skip(err)
	}
	m := mergerOf(t, 0, []string{from})
	if err := m.Run(t.Context()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "is a symbolic link out of the directory") {
		t.Errorf("%v", err)
	}
	if m.Result() != nil {
		t.Error("there is a result")
	}
}
