package crashers

import (
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
)

// TestCrashersAreWhole: each failing input has a label, and each label an input.
func TestCrashersAreWhole(t *testing.T) {
	b := &Collection{Data: filepath.Join("..", "..", "..", "testdata", "crashers")}
	names, err := b.Names(nil)
	if err != nil || len(names) < 9 {
		t.Fatalf("modules %v, error %v", names, err)
	}
	for _, name := range names {
		dir := filepath.Join(b.Data, name)
		labels, err := triage.ReadLabels(filepath.Join(dir, "labels.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		entries, bad, err := corpus.ReadDir(corpus.TestdataDir(dir, "FuzzTarget"), []string{"[]byte"}, 0)
		if err != nil || len(bad) > 0 || len(entries) != len(labels) {
			t.Errorf("%s: %d inputs, %d bad, %d labels, error %v", name, len(entries), len(bad), len(labels), err)
		}
		for _, e := range entries {
			if labels[e.Name] == "" {
				t.Errorf("%s has no label", e.Path)
			}
		}
		if _, _, _, err := Description(dir); err != nil {
			t.Errorf("%s: the README does not name the version (%v)", name, err)
		}
	}
}
