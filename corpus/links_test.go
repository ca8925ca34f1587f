package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLeadsOut(t *testing.T) {
	dir := t.TempDir()
	root, outside := filepath.Join(dir, "real"), filepath.Join(dir, "outside")
	for _, d := range []string{filepath.Join(root, "in"), outside} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"real/out": "../outside", "real/within": "in", "real/nowhere": "gone", "real/chain": "out", "linked": "real",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, root := range []string{root, filepath.Join(dir, "linked")} {
		for path, want := range map[string]bool{
			"in": false, "in/new/dir": false, "within": false, "within/new": false, "new/dir": false, ".": false,
			"out": true, "out/new/dir": true, "chain": true, "nowhere": true, "nowhere/new": true,
		} {
			if to, out := LeadsOut(root, filepath.Join(root, path)); out != want {
				t.Errorf("%s of %s: leads to %q, out %v", path, root, to, out)
			}
		}
	}
	if to, _ := LeadsOut(root, filepath.Join(root, "out", "new")); filepath.Base(to) != "outside" {
		t.Errorf("it leads to %q", to)
	}
}

// What a directory links to is no part of it.
func TestForeignFilesBehindLinksAreNotRead(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "secret")
	if err := os.MkdirAll(filepath.Join(in, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{out, filepath.Join(in, "plain"), filepath.Join(in, "sub", "other")} {
		if err := os.WriteFile(path, []byte(filepath.Base(path)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"stolen": "../secret", "absolute": out, "near": "sub/other"} {
		if err := os.Symlink(to, filepath.Join(in, link)); err != nil {
			t.Skip(err)
		}
	}
	entries, bad, err := ReadForeign(in, []string{"string"}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, e := range entries {
		got = append(got, e.Input.Values()[0])
	}
	if len(got) != 2 || got[0] != "other" || got[1] != "plain" {
		t.Errorf("read %q", got)
	}
	if len(bad) != 2 || bad[0].Path != filepath.Join(in, "absolute") || bad[1].Path != filepath.Join(in, "stolen") {
		t.Errorf("bad: %v", bad)
	}
	// The directory that is named may be a link itself.
	link := filepath.Join(dir, "link")
	if err := os.Symlink("in", link); err != nil {
		t.Fatal(err)
	}
	if entries, _, err := ReadForeign(link, []string{"string"}, nil, 0); len(entries) != 2 || err != nil {
		t.Errorf("by a link: %v, %v", entries, err)
	}
}
