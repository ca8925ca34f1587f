package corpus

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus/layout"
)

// seedCorpus writes an archive and returns its path.
func seedCorpus(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fuzz"+SeedCorpus)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// texts lists entries in Go's encoding, sorted.
func texts(entries []Entry) (list []string) {
	for _, e := range entries {
		list = append(list, string(e.Input.Encode()))
	}
	slices.Sort(list)
	return list
}

func TestASeedCorpusComesBack(t *testing.T) {
	for _, c := range []struct {
		l       *layout.Layout
		entries []Entry
		types   []string
	}{
		{layout.V2, []Entry{Of("a", int32(-1), []byte("bc")).Seed(0), Of("", int32(7), []byte{}).Found()}, []string{"string", "rune", "[]uint8"}},
		{layout.V1, []Entry{Of("a", int32(-1), []byte("bc")).Seed(0), Of("", int32(7), []byte{}).Found()}, []string{"string", "rune", "[]uint8"}},
		{layout.Raw, []Entry{Of("go test fuzz v1\nstring(\"no entry\")\n").Found(), Of("").Found()}, []string{"string"}},
	} {
		var first, second bytes.Buffer
		files, left, reason, err := WriteSeedCorpus(&first, c.entries, c.types, c.l)
		if files != 2 || left != 0 || reason != nil || err != nil {
			t.Fatalf("%s: %d files, %d left, %v, %v", c.l.Name, files, left, reason, err)
		}
		slices.Reverse(c.entries)
		if _, _, _, err := WriteSeedCorpus(&second, append(c.entries, c.entries[0]), c.types, c.l); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the archive depends on the order of the entries, or has one twice; %v", c.l.Name, err)
		}
		entries, bad, err := ReadForeign(seedCorpus(t, first.Bytes()), c.types, nil, 0)
		if diff := cmp.Diff(texts(c.entries), texts(entries)); diff != "" || len(bad) > 0 || err != nil {
			t.Errorf("%s: %v, %v (-written +read):\n%s", c.l.Name, bad, err, diff)
		}
	}
}

func TestEntriesWithoutBytesAreLeftOut(t *testing.T) {
	var out bytes.Buffer
	entries := []Entry{Of("a", "b", strings.Repeat("x", 100000)).Seed(3), Of("a", "b", "c").Seed(4)}
	files, left, reason, err := WriteSeedCorpus(&out, entries, []string{"string", "string", "string"}, layout.V2)
	if files != 1 || left != 1 || err != nil || !strings.HasPrefix(reason.Error(), "seed#3: no weights") {
		t.Errorf("%d files, %d left, %v, %v", files, left, reason, err)
	}
}

func TestALayoutThatIsGivenReadsFilesWithoutAComment(t *testing.T) {
	dir := writeTree(t, map[string]string{"a": "\x03\x00abc", "b": "go test fuzz v1\nstring(\"x\")\nstring(\"y\")\n"})
	entries, bad, err := ReadForeign(dir, []string{"string", "string"}, layout.V2, 0)
	want := []string{"go test fuzz v1\nstring(\"abc\")\nstring(\"\")\n", "go test fuzz v1\nstring(\"x\")\nstring(\"y\")\n"}
	if diff := cmp.Diff(want, texts(entries)); diff != "" || len(bad) > 0 || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", bad, err, diff)
	}
	_, bad, err = ReadForeign(dir, []string{"string", "string"}, layout.V1, 0)
	if err != nil || len(bad) != 1 || !strings.Contains(bad[0].Error(), "can't be read in layout v1: it has too few bytes") {
		t.Errorf("%v, %v", bad, err)
	}
}

func TestSeedCorporaOfOthersAreRefused(t *testing.T) {
	archive := func(comment string) string {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		if err := w.SetComment(comment); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Create("x"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return seedCorpus(t, out.Bytes())
	}
	for comment, want := range map[string]string{
		"fuzzmut seed corpus v2 string":      "",
		"fuzzmut seed corpus v1 string":      "it is in layout v1, by its comment, and not in v2",
		"fuzzmut seed corpus v9 string":      `"v9" is no layout; write v2, v1, raw`,
		"fuzzmut seed corpus v2 string,bool": "a fuzz target that takes (string,bool), and this one takes (string)",
		"fuzzmut seed corpus v2":             "its comment is not that of a seed corpus of fuzzmut",
		"made by hand":                       "",
	} {
		path := archive(comment)
		_, _, err := ReadForeign(path, []string{"string"}, layout.V2, 0)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%q: %v, want %q", comment, err, want)
		}
	}
}

// FuzzSeedCorpus checks that what is read of any archive can be written and read again.
func FuzzSeedCorpus(f *testing.F) {
	types := []string{"string", "int16", "[]byte"}
	var out bytes.Buffer
	for _, l := range []*layout.Layout{layout.V2, layout.V1} {
		out.Reset()
		if _, _, _, err := WriteSeedCorpus(&out, []Entry{Of("ab", int16(-2), []byte("cde")).Seed(0)}, types, l); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(out.Bytes()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _, err := ReadForeign(seedCorpus(t, data), types, nil, 1<<16)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if _, left, reason, err := WriteSeedCorpus(&again, entries, types, layout.V1); err != nil || left > 0 {
			t.Fatalf("%d left: %v, %v", left, reason, err)
		}
		back, bad, err := ReadForeign(seedCorpus(t, again.Bytes()), types, layout.V1, 0)
		if err != nil || len(bad) > 0 {
			t.Fatalf("%v, %v", bad, err)
		}
		if diff := cmp.Diff(slices.Compact(texts(entries)), texts(back)); diff != "" {
			t.Errorf("(-read +again):\n%s", diff)
		}
	})
}
