package suggest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

func TestResultsThatCanNotBeRead(t *testing.T) {
	dir := t.TempDir()
	var rep suggestion.Report
	if err := readJSON(filepath.Join(dir, "none"), &rep); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	file := filepath.Join(dir, "result.json")
	for text, fine := range map[string]bool{"": false, "{": false, "[]": false, "{}": true, `{"packages": [{"package": "p"}]}`: true} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := readJSON(file, &rep); (err == nil) != fine {
			t.Errorf("%q: %v", text, err)
		}
	}
	if len(rep.Packages) > 1 {
		t.Errorf("%+v", rep)
	}
}

// The mutants of all cases are checked, in their order.
func TestMutantsOfCases(t *testing.T) {
	var got []string
	for _, m := range closed([]suggestion.Case{
		{Closes: []suggestion.Mutant{{ID: "a"}, {ID: "b"}}}, {}, {Closes: []suggestion.Mutant{{ID: "c"}}},
	}) {
		got = append(got, m.ID)
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// All mutants that are killed by fuel are in a sample.
func TestSampleHasKillsByFuel(t *testing.T) {
	list := make([]suggestion.Mutant, 50)
	for i := range list {
		if i%10 == 0 {
			list[i].Kind = "fuel"
		}
	}
	for check, most := range map[int]int{0: 0, 3: 8, 50: 50} {
		fuel, got := 0, (&bench{check: check}).sample(slices.Clone(list))
		for _, m := range got {
			if m.Kind == "fuel" {
				fuel++
			}
		}
		if len(got) < check || len(got) > most || check > 0 && fuel != 5 {
			t.Errorf("%d asked for: %d drawn, %d of 5 killed by fuel", check, len(got), fuel)
		}
	}
}

// A name that no package has is an error before anything is built.
func TestPackagesThatAreNotKnown(t *testing.T) {
	if err := RunSuggest([]string{"no-such-module"}); err == nil || !strings.Contains(err.Error(), "no-such-module") {
		t.Errorf("%v", err)
	}
}
