package export

import (
	"crypto/sha1"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

const code = `// Has looks for a word.
func Has(s string) bool { return len(s) > 4 && s[:5] == "magic" }
`

const fuzz = `func FuzzX(f *testing.F) {
	f.Add("seed")
	f.Add("twin")
	f.Fuzz(func(t *testing.T, s string) { Has(s) })
}
`

func TestEntriesAreWrittenAsTheyAre(t *testing.T) {
	dir := trialtest.Module(t, code, fuzz, []any{"twin"}, []any{"magic word"})
	opts := Options{Options: trialtest.Options(t, dir), To: "out"}
	r, err := Run(t.Context(), opts)
	if err != nil || len(r.Tests) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	x := r.Tests[0]
	if x.Files != 3 || x.Dir != filepath.Join(dir, "out", "FuzzX") || x.Tokens == 0 {
		t.Errorf("%+v", x)
	}
	files, err := os.ReadDir(x.Dir)
	var texts []string
	for _, f := range files {
		data, rerr := os.ReadFile(filepath.Join(x.Dir, f.Name()))
		if rerr != nil {
			t.Fatal(rerr)
		}
		if sum := sha1.Sum(data); f.Name() != hex.EncodeToString(sum[:]) {
			t.Errorf("%q is called %s", data, f.Name())
		}
		texts = append(texts, string(data))
	}
	if all := strings.Join(texts, ","); err != nil || len(texts) != 3 || !strings.Contains(all, "magic word") || !strings.Contains(all, "seed") {
		t.Errorf("files %q, %v", texts, err)
	}
	dict, err := os.ReadFile(x.Dictionary)
	if err != nil || !strings.Contains(string(dict), `"magic"`) {
		t.Errorf("dictionary %q, %v", dict, err)
	}
	// A dictionary that somebody else has written stays.
	if err := corpus.ReplaceFile(filepath.Dir(x.Dictionary), filepath.Base(x.Dictionary), []byte("\"mine\"\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), opts); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "was not written by fuzzmut") {
		t.Errorf("a dictionary of the user's: %v", err)
	}
}

func TestOtherArgumentsHaveNoRawForm(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	r, err := Run(t.Context(), Options{Options: trialtest.Options(t, dir), To: t.TempDir()})
	if exit.CodeOf(err) != exit.Usage || r == nil || r.Tests[0].Reason != "it takes (int), not a single []byte or string" {
		t.Errorf("%+v, %v", r, err)
	}
}
