package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// zero is what git writes where no object is.
var zero = strings.Repeat("0", 40)

// newRepository makes a repository, and returns with it what runs git there.
func newRepository(t *testing.T) (r *Repository, run func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=a", "GIT_"+who+"_EMAIL=a@example.com")
	}
	r = &Repository{Root: t.TempDir(), Env: env}
	run = func(args ...string) string {
		t.Helper()
		out, err := r.Run(t.Context(), args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "--template=")
	return r, run
}

// write writes a file of a work tree; "" removes it.
func write(t *testing.T, r *Repository, name, text string) {
	t.Helper()
	path := filepath.Join(r.Root, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil && text == "" {
		err = os.Remove(path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// moves lists changes as "old -> new", with "-" for none.
func moves(list []Changed) (all []string) {
	for _, c := range list {
		name := func(b Blob) string {
			if b == (Blob{}) {
				return "-"
			}
			return b.Path
		}
		all = append(all, name(c.Old)+" -> "+name(c.New))
	}
	return all
}

func TestWhatDiffersBetweenTrees(t *testing.T) {
	r, run := newRepository(t)
	long := strings.Repeat("a line that stays\n", 20)
	for name, text := range map[string]string{"same": "1\n", "z edited": "1\n", "gone": "1\n", "moved/old": long, "forgotten": "1\n", "tree/known": "1\n", ".gitignore": "*.o\n"} {
		write(t, r, name, text)
	}
	run("add", ".")
	run("commit", "-qm", "first")
	write(t, r, "z edited", "2\n")
	write(t, r, "gone", "")
	write(t, r, "moved/old", "")
	write(t, r, "moved/new", long+"more\n")
	write(t, r, "added", "none of the others\n")
	run("add", ".")
	run("commit", "-qm", "second")

	want := []string{"- -> added", "gone -> -", "moved/old -> moved/new", "z edited -> z edited"}
	list, err := r.Changed(t.Context(), "HEAD~", "HEAD")
	if diff := cmp.Diff(want, moves(list)); err != nil || diff != "" {
		t.Errorf("of two commits: %v (-want +got):\n%s", err, diff)
	}
	for _, c := range list {
		for _, b := range []Blob{c.Old, c.New} {
			if b.Path != "" && (b.Mode != "100644" || len(b.Hash) != 40) {
				t.Errorf("%+v", b)
			}
		}
	}

	// The work tree has files that git does not know, and one that it is to forget.
	write(t, r, "same", "3\n")
	write(t, r, "new/file name", "1\n")
	write(t, r, "ignored.o", "1\n")
	run("rm", "-q", "--cached", "forgotten")
	run("init", "-q", "--template=", "other") // its own repository
	write(t, r, "other/inside", "1\n")
	want = []string{"forgotten -> forgotten", "- -> new/file name", "same -> same"}
	list, err = r.Changed(t.Context(), "HEAD", "")
	if diff := cmp.Diff(want, moves(list)); err != nil || diff != "" {
		t.Errorf("of the work tree: %v (-want +got):\n%s", err, diff)
	}
	for _, c := range list {
		if c.New.Hash != "" || c.New.Mode != "100644" {
			t.Errorf("%+v: the work tree has no objects", c.New)
		}
	}
	if _, err := r.Changed(t.Context(), "nowhere", ""); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v", err)
	}
}

// While a merge is in conflict, the work tree's file counts, once.
func TestAnUnmergedPathIsOneChange(t *testing.T) {
	r, run := newRepository(t)
	write(t, r, "a", "1\n")
	run("add", ".")
	run("commit", "-qm", "base")
	run("checkout", "-q", "-b", "side")
	write(t, r, "a", "2\n")
	run("commit", "-qam", "side")
	run("checkout", "-q", "-")
	write(t, r, "a", "3\n")
	run("commit", "-qam", "main")
	if _, err := r.Run(t.Context(), "merge", "-q", "side"); err == nil {
		t.Fatal("there is no conflict")
	}
	list, err := r.Changed(t.Context(), "HEAD", "")
	if diff := cmp.Diff([]string{"a -> a"}, moves(list)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRecordsOfChanges(t *testing.T) {
	one, two := strings.Repeat("1", 40), strings.Repeat("2", 40)
	for _, c := range []struct {
		name   string
		fields []string
		want   []Changed
		err    string
	}{
		{"none", nil, nil, ""},
		{"a copy", []string{":100644 100755 " + one + " " + two + " C90", "old", "new"}, []Changed{{New: Blob{"new", "100755", two}}}, ""},
		{"a link", []string{":100644 120000 " + one + " " + zero + " T", "a"}, []Changed{{Blob{"a", "100644", one}, Blob{"a", ModeLink, ""}}}, ""},
		{"unmerged", []string{":000000 100644 " + zero + " " + zero + " U", "a", ":100644 100644 " + one + " " + zero + " M", "a"}, []Changed{{Blob{"a", "100644", one}, Blob{"a", "100644", ""}}}, ""},
		{"no record", []string{"100644 100644 " + one + " " + two + " M", "a"}, nil, "unexpected record"},
		{"too short", []string{":100644 100644 " + one + " M", "a"}, nil, "unexpected record"},
		{"without a path", []string{":100644 100644 " + one + " " + two + " M"}, nil, "unexpected record"},
		{"without the new name", []string{":100644 100644 " + one + " " + two + " R100", "a"}, nil, `the new name of "a" is missing`},
	} {
		got, err := parseRaw(c.fields)
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
}

// Objects are read by one process, with whatever bytes they hold.
func TestContentsOfObjects(t *testing.T) {
	r, _ := newRepository(t)
	texts := []string{"", "a\nb\n", "0123 blob 4\n\x00\xff", "last"}
	var hashes []string
	for _, text := range texts {
		hash, err := r.Feed(t.Context(), []byte(text), "hash-object", "-w", "--stdin")
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, strings.TrimSpace(string(hash)))
	}
	got, err := r.Contents(t.Context(), append(hashes, hashes[1]))
	if err != nil || len(got) != len(texts)+1 {
		t.Fatalf("%q, %v", got, err)
	}
	for i, text := range append(texts, texts[1]) {
		if string(got[i]) != text {
			t.Errorf("%q, want %q", got[i], text)
		}
	}
	if _, err := r.Contents(t.Context(), []string{hashes[0], strings.Repeat("7", 40)}); err == nil || !strings.Contains(err.Error(), "7777 can't be read") {
		t.Errorf("an object that is not there: %v", err)
	}
	if list, err := r.Contents(t.Context(), nil); list != nil || err != nil {
		t.Errorf("none: %v, %v", list, err)
	}
}
