package export

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/layout"
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

// several is a fuzz test with arguments that have no raw form.
const several = `func FuzzX(f *testing.F) {
	f.Add("seed", 1, []byte("abc"))
	f.Add("magic", -1, []byte(nil))
	f.Fuzz(func(t *testing.T, s string, n int, b []byte) { Has(s) })
}
`

func TestSeedCorporaOfOSSFuzz(t *testing.T) {
	dir := trialtest.Module(t, code, several, []any{"entry", 2, []byte("x")})
	to := t.TempDir()
	opts := Options{Options: trialtest.Options(t, dir), OSSFuzz: to}
	r, err := Run(t.Context(), opts)
	if err != nil || len(r.Tests) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	x := r.Tests[0]
	if x.Archive != filepath.Join(to, "FuzzX_seed_corpus.zip") || x.Dictionary != filepath.Join(to, "FuzzX.dict") || x.Layout != "v2" || x.Files != 3 || x.Left != 0 || x.Dir != "" {
		t.Errorf("%+v", x)
	}
	first, err := os.ReadFile(x.Archive)
	if err != nil {
		t.Fatal(err)
	}
	entries, bad, err := corpus.ReadForeign(x.Archive, []string{"string", "int", "[]byte"}, nil, 0)
	if err != nil || len(bad) > 0 || len(entries) != 3 {
		t.Errorf("%d entries, %v, %v", len(entries), bad, err)
	}
	// What fuzzmut wrote is replaced, by the same bytes. One archive may be named.
	opts.OSSFuzz = x.Archive
	if _, err := Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(x.Archive); err != nil || !bytes.Equal(first, second) {
		t.Errorf("the second archive differs, %v", err)
	}
	for name, want := range map[string]string{"seeds.zip": "the name of a seed corpus ends in _seed_corpus.zip", "own_seed_corpus.zip": "own_seed_corpus.zip was not written by fuzzmut"} {
		opts.OSSFuzz = filepath.Join(to, name)
		if err := os.WriteFile(opts.OSSFuzz, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), opts); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(opts.OSSFuzz); string(data) != "mine" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	opts.OSSFuzz, opts.Layout = to, layout.Raw
	if r, err := Run(t.Context(), opts); exit.CodeOf(err) != exit.Usage || r == nil || r.Tests[0].Reason == "" {
		t.Errorf("raw: %+v, %v", r, err)
	}
}
