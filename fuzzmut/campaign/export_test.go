package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestDictionariesComeBack(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	tokens := [][]byte{[]byte("GET"), []byte(`a"b\c`), all, []byte("GET"), []byte("\n")}
	text, n := dictionaryText(tokens)
	path := filepath.Join(t.TempDir(), "x.dict")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadDictionary(path)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]byte{tokens[0], tokens[1], tokens[2], tokens[4]}
	if diff := cmp.Diff(want, got); diff != "" || n != len(want) {
		t.Errorf("%d tokens (-want +got):\n%s", n, diff)
	}
	if err := checkDictionary(path); err != nil {
		t.Errorf("its own dictionary: %v", err)
	}
	if err := checkDictionary(path + ".absent"); err != nil {
		t.Errorf("none: %v", err)
	}
	if err := checkDictionary(filepath.Dir(path)); CodeOf(err) != ExitUsage {
		t.Errorf("a directory: %v", err)
	}
}

func TestSourcesAreThoseOfTheFuzzTest(t *testing.T) {
	dir := writeFiles(t, map[string]string{"all/FuzzA/x": "", "all/FuzzB/x": "", "one/x": "", "b/FuzzB/x": ""})
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
