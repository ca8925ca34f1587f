package observed

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Runs that add entries to the same golden file at once do not undo each other's.
func TestChangesAtOnceAreAllKept(t *testing.T) {
	cache, path := t.TempDir(), store.Path(t.TempDir(), "FuzzX")
	var group sync.WaitGroup
	const runs, each = 8, 10
	for i := range runs {
		group.Go(func() {
			for j := range each {
				e := golden.Entry{Name: corpus.ManagedName(fmt.Appendf(nil, "%d %d", i, j)), Values: []golden.Value{{Name: "p.F #1 result 0", Text: "int 1"}}}
				if err := Apply(cache, path, store.Change{Packages: ".", Put: []golden.Entry{e}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	values, err := store.Read(path)
	if err != nil || len(values.Entries) != runs*each {
		t.Errorf("%d entries of %d, %v", len(values.Entries), runs*each, err)
	}
	// Without a place for the lock the change is made, too.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Apply(file, path, store.Change{Packages: ".", Drop: []string{golden.Key(values.Entries[0].Name)}}); err != nil {
		t.Error(err)
	}
	if values, err = store.Read(path); err != nil || len(values.Entries) != runs*each-1 {
		t.Errorf("%d entries, %v", len(values.Entries), err)
	}
}
