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

// A name that no package has is an error before anything is built.
func TestPackagesThatAreNotKnown(t *testing.T) {
	if err := RunSuggest([]string{"no-such-module"}); err == nil || !strings.Contains(err.Error(), "no-such-module") {
		t.Errorf("%v", err)
	}
}
