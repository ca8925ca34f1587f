package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPackedFilesComeBack(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "new")
	leave(from, "FuzzA", "1", strings.Repeat("0a", 32))
	write(filepath.Join(from, "notes"), "not of a shared directory")
	write(filepath.Join(from, "tidied"), "nor of others")
	list, err := files(from, map[string]bool{"fuzzmut-share.json": true})
	if err != nil || len(list) != 2 {
		t.Fatalf("%q, %v", list, err)
	}
	data, err := pack(from, list, extraName, []byte("extra"))
	if err != nil {
		t.Fatal(err)
	}
	got, extra, err := unpack(data, to, extraName)
	if err != nil || len(got) != 2 || string(extra) != "extra" {
		t.Errorf("%q, %q, %v", got, extra, err)
	}
	for _, name := range list {
		a, _ := os.ReadFile(filepath.Join(from, name))
		if b, err := os.ReadFile(filepath.Join(to, name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

// archive makes an archive of one file, as anybody may.
func archive(t *testing.T, h *tar.Header, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(h); err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text)) //nolint:errcheck // the reader says what is wrong
	w.Close()             //nolint:errcheck // likewise
	z.Close()             //nolint:errcheck // likewise
	return b.Bytes()
}

func TestForeignFilesAreRefused(t *testing.T) {
	hash := strings.Repeat("0", 16)
	for _, name := range []string{
		"../x", "/x", "entries/../../x/FuzzX/" + hash, "entries/p/FuzzX/../" + hash, `entries/p\..\x/FuzzX/` + hash, "entries/c:/FuzzX/" + hash,
		"entries/p/FuzzX/" + hash + ".txt", "x/a.log", strings.Repeat("0", 64) + "/../a.log", "notes", "",
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		if _, _, err := unpack(archive(t, &tar.Header{Name: name, Size: 1, Mode: 0o666}, "x"), dir, extraName); err == nil {
			t.Errorf("%q is taken", name)
		}
		if exists(dir) {
			t.Errorf("%q is written", name)
		}
	}
	for _, h := range []*tar.Header{
		{Name: "entries/p/FuzzX/" + hash, Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "entries/p/FuzzX/" + hash, Size: fileMost + 1},
	} {
		if _, _, err := unpack(archive(t, h, ""), t.TempDir(), extraName); err == nil {
			t.Errorf("%+v is taken", h)
		}
	}
	if _, _, err := unpack([]byte("garbage"), t.TempDir(), extraName); err == nil {
		t.Error("garbage is taken")
	}
}

func TestWhatIsThereStays(t *testing.T) {
	dir := t.TempDir()
	name := "entries/p/FuzzX/" + strings.Repeat("0", 16)
	for _, text := range []string{"first", "second"} {
		if err := keep(dir, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	log := strings.Repeat("0", 64) + "/a.log"
	for _, text := range []string{"a", "abc", "ab"} {
		if err := keep(dir, log, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{name: "first", log: "abc"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestKeysAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "key")
	a, err := readKey(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := readKey(path)
	if err != nil || public(a) != public(b) {
		t.Error(err)
	}
	write(path, "garbage")
	if _, err := readKey(path); err == nil || !strings.Contains(err.Error(), "holds no key") {
		t.Error(err)
	}
	text, err := sign(a, map[string]int{"x": 1})
	if err != nil {
		t.Fatal(err)
	}
	key, err := parsePublic(public(a))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]int
	if err := verify(key, text, &v); err != nil || v["x"] != 1 {
		t.Error(v, err)
	}
	for _, bad := range [][]byte{nil, []byte("{}"), bytes.Replace(text, []byte(`"body":"`), []byte(`"body":"e30`), 1)} {
		if err := verify(key, bad, &v); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// What fuzzmut writes, package fuzzmut/record/share has as a golden directory: this program takes all of
// it, reads its kills, and writes the same for a live job.
func TestSharedDirectoriesAreThoseOfFuzzmut(t *testing.T) {
	golden := filepath.Join("..", "..", "fuzzmut", "record", "share", "testdata", "fleet")
	list, err := files(golden, nil)
	if err != nil || len(list) != 4 {
		t.Fatalf("%q, %v", list, err)
	}
	var name string
	for _, one := range list {
		if strings.HasSuffix(one, ".log") {
			name = one
		}
	}
	want, err := os.ReadFile(filepath.Join(golden, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	kills := readKills(want, "FuzzA")
	if len(kills) != 1 || kills[0].Mutant != 7 || kills[0].Kind != "difference" || !slices.Contains(list, "entries/example.com/p/FuzzA/"+kills[0].Input) {
		t.Fatalf("%+v in %q", kills, list)
	}
	first := record{}
	first.Begin = &struct {
		Package string `json:"package"`
	}{"example.com/p"}
	if got := (&record{Fuzz: "FuzzA", Kill: &kills[0]}).append(first.append([]byte(logHead))); string(got) != string(want) {
		t.Errorf("%q, want %q", got, want)
	}
	mark, err := os.ReadFile(filepath.Join(golden, markName))
	if err != nil || string(mark) != markText {
		t.Errorf("%q, want %q, %v", markText, mark, err)
	}
}
