package share

import (
	"testing"
	"time"
)

// A run that ends has a directory within its limits, whoever wrote to it.
func TestTidy(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		age     time.Duration // of the files
		lim     Limits
		tidied  bool // a run has looked just now
		removed int
	}{
		"within the limits":    {age: 2 * time.Hour},
		"too much":             {age: 2 * time.Hour, lim: Limits{Size: 30}, removed: 1},
		"too much, and fresh":  {lim: Limits{Size: 30}},
		"too much, and looked": {age: 2 * time.Hour, lim: Limits{Size: 30}, tidied: true},
		"old":                  {age: 91 * day, removed: 2},
		"not yet old":          {age: 89 * day},
	} {
		d := open(t)
		keep(t, d, Entries, "a")
		keep(t, d, Entries, "b")
		age(t, d, c.age)
		if c.tidied {
			if done, err := d.tidy(time.Now(), Limits{}); done != nil || err != nil {
				t.Errorf("%s: %+v, %v", name, done, err)
			}
		}
		done, err := d.tidy(time.Now(), c.lim)
		if err != nil {
			t.Fatal(err)
		}
		removed := 0
		if done.Removed() {
			removed = done.Old.Files + done.Cut.Files
		}
		if names, _ := d.Names(Entries, "example.com/p", "FuzzX"); removed != c.removed || len(names) != 2-removed {
			t.Errorf("%s: %d removed, want %d; %d are there", name, removed, c.removed, len(names))
		}
		if done, err := d.tidy(time.Now(), Limits{Size: 1}); done != nil || err != nil {
			t.Errorf("%s: again: %+v, %v", name, done, err)
		}
		if _, err := Open(d.Path(), true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
