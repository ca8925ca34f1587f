package merge

import (
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestSourcesAreThoseOfTheFuzzTest(t *testing.T) {
	dir := trialtest.Files(t, map[string]string{"all/FuzzA/x": "", "all/FuzzB/x": "", "one/x": "", "b/FuzzB/x": "", "zip/FuzzA_seed_corpus.zip": "", "other/FuzzB_seed_corpus.zip": ""})
	both := []instrument.FuzzTest{{Name: "FuzzA"}, {Name: "FuzzB"}}
	for _, c := range []struct {
		from string
		all  []instrument.FuzzTest
		want string // below dir; "!" for an error
	}{
		{"all", both, "all/FuzzA"},
		{"all", both[:1], "all/FuzzA"},
		{"one", both[:1], "one"},
		{"b", both, ""},
		{"one", both, "!"},
		{"zip", both, "zip/FuzzA_seed_corpus.zip"},
		{"zip", both[:1], "zip/FuzzA_seed_corpus.zip"},
		{"other", both, ""},
		{"absent", both, "!"},
	} {
		got, err := sourceOf(filepath.Join(dir, c.from), "FuzzA", c.all)
		if rel, rerr := filepath.Rel(dir, got); rerr == nil {
			got = rel
		}
		if err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%s of %d: %q, %v", c.from, len(c.all), got, err)
		}
	}
}
