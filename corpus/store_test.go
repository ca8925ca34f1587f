package corpus

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var one = Marshal([]any{1})

// symlink makes a symbolic link or skips the test where that can't be done.
func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip(err)
	}
}

// list gives the names in dir, directories with a slash.
func list(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, f := range files {
		name := f.Name()
		if f.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}

func TestReadDirOfMissingDir(t *testing.T) {
	entries, bad, err := ReadDir(filepath.Join(t.TempDir(), "none"), nil, 0)
	if entries != nil || bad != nil || err != nil {
		t.Errorf("%v, %v, %v; want nothing", entries, bad, err)
	}
}

func TestReadDirInOrder(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"b":              "go test fuzz v1\r\nint(0x1)\r\n",
		"a":              "go test fuzz v1\nint(2)\n",
		"B":              "go test fuzz v1\nint(3)\n",
		ManagedName(one): string(one),
		// Managed once, edited since.
		ManagedName([]byte("old")): "go test fuzz v1\nint(4)\n",
		// A file that go test reads, whatever it is called.
		tempPrefix + "user": "go test fuzz v1\nint(6)\n",
		// Half a file of a run that was interrupted.
		tempPrefix + "1/entry": "go test fuzz v1\nint(",
	})
	elsewhere := writeTree(t, map[string]string{"five": "go test fuzz v1\nint(5)\n"})
	symlink(t, filepath.Join(elsewhere, "five"), filepath.Join(dir, "c"))

	entries, bad, err := ReadDir(dir, []string{"int"}, 0)
	if len(bad) != 0 || err != nil {
		t.Fatal(bad, err)
	}
	type brief struct {
		Name    string
		Value   any
		Size    int
		Managed bool
	}
	var got []brief
	for _, e := range entries {
		got = append(got, brief{e.Name, e.Input.Values()[0], e.Input.Size(), e.Managed()})
		if e.Path != filepath.Join(dir, e.Name) || e.Source != File {
			t.Errorf("entry %+v", e)
		}
	}
	want := []brief{
		{tempPrefix + "user", 6, 23, false},
		{"B", 3, 23, false},
		{"a", 2, 23, false},
		{"b", 1, 23, false},
		{"c", 5, 23, false},
		{ManagedName(one), 1, 23, true},
		{ManagedName([]byte("old")), 4, 23, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if entries[3].Input.Hash() != FileName(one) {
		t.Errorf("hash %s depends on the spelling", entries[2].Input.Hash())
	}
}

func TestReadDirReportsBadEntries(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"corrupt":     "go test fuzz v1\nint(",
		"empty":       "",
		"good":        "go test fuzz v1\nint(1)\n",
		"large":       "go test fuzz v1\nint(1)\n" + strings.Repeat("\n", 100),
		"largest":     "go test fuzz v1\nint(1)\n" + strings.Repeat("\n", 77),
		"novalue":     "go test fuzz v1\n\n",
		"wrongtypes":  "go test fuzz v1\nint(1)\nstring(\"\")\n",
		"dir/file":    "go test fuzz v1\nint(1)\n",
		"README.md":   "# Corpus\n",
		"unconflict":  "go test fuzz v1\n<<<<<<< HEAD\nint(1)\n=======\nint(2)\n>>>>>>> x\n",
		".git/config": "",
	})
	symlink(t, "nowhere", filepath.Join(dir, "dangling"))
	symlink(t, "loop", filepath.Join(dir, "loop"))
	symlink(t, "dir", filepath.Join(dir, "linkdir"))
	if runtime.GOOS != "windows" {
		symlink(t, "/dev/null", filepath.Join(dir, "device"))
	}

	entries, bad, err := ReadDir(dir, []string{"int"}, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 || entries[0].Name != "good" || entries[1].Name != "largest" {
		t.Errorf("entries %v", entries)
	}
	headerMend := `; the first line must be "go test fuzz v1", and one line per value must follow; correct or remove the file`
	want := map[string]string{
		".git":       ": is a directory, whose files are not entries; move it out of the corpus directory",
		"README.md":  `: line 1: "# Corpus": not a fuzz corpus entry in Go's encoding` + headerMend,
		"corrupt":    `: line 2: "int(": column 5: expected ')', found 'EOF'; ` + fixLine + "; correct or remove the file",
		"dangling":   ": is a symbolic link to nowhere: file does not exist; restore the link's target or remove the link",
		"device":     ": is not a regular file; move it out of the corpus directory",
		"dir":        ": is a directory, whose files are not entries; move it out of the corpus directory",
		"empty":      ": line 1: the file is empty" + headerMend,
		"large":      ": is larger than 100 bytes; shorten or remove the file",
		"linkdir":    ": is a directory, whose files are not entries; move it out of the corpus directory",
		"loop":       ": too many levels of symbolic links; make it readable or remove it",
		"novalue":    ": has no values; remove the file",
		"unconflict": `: line 2: "<<<<<<< HEAD": column 1: expected operand, found '<<'; ` + fixLine + "; correct or remove the file",
		"wrongtypes": ": has 2 values of types (int, string); the fuzz target takes (int); adapt the file to the fuzz target, or remove it",
	}
	got := make(map[string]string)
	for _, b := range bad {
		got[filepath.Base(b.Path)] = strings.TrimPrefix(b.Error(), b.Path)
	}
	if diff := cmp.Diff(want, got); diff != "" && runtime.GOOS == "linux" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadDirOfFile(t *testing.T) {
	dir := writeTree(t, map[string]string{"file": ""})
	_, _, err := ReadDir(filepath.Join(dir, "file"), nil, 0)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "file")) || !strings.Contains(err.Error(), "; move the file that has") {
		t.Errorf("error %v does not name file and fix", err)
	}
}

func TestReadDirWithoutTypesRefusesEntriesWithoutValues(t *testing.T) {
	dir := writeTree(t, map[string]string{"x": "go test fuzz v1\n", "y": "go test fuzz v1\nint(1)\nbool(true)\n"})
	entries, bad, err := ReadDir(dir, nil, 0)
	if len(entries) != 1 || len(bad) != 1 || err != nil {
		t.Errorf("%v, %v, %v", entries, bad, err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "testdata", "fuzz", "FuzzX")
	name := ManagedName(one)
	if created, err := WriteFile(dir, name, one); !created || err != nil {
		t.Fatal(created, err)
	}
	before, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if created, err := WriteFile(dir, name, one); created || err != nil {
		t.Errorf("second write: created = %v, error %v", created, err)
	}
	after, err := os.Stat(filepath.Join(dir, name))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("an identical file was replaced (%v)", err)
	}
	if diff := cmp.Diff([]string{name}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	entries, bad, err := ReadDir(dir, []string{"int"}, 0)
	if len(entries) != 1 || !entries[0].Managed() || len(bad) != 0 || err != nil {
		t.Errorf("read back: %v, %v, %v", entries, bad, err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestWriteFileKeepsOtherContent(t *testing.T) {
	managed := ManagedName(one)
	tests := []struct {
		name, old string
		created   bool
		conflict  bool
	}{
		{managed, "", true, false},                                     // cut short: ours to replace
		{managed, "go test fuzz v1\n", true, false},                    // cut short
		{"mine", "go test fuzz v1\n", false, true},                     // the user's own, in the making
		{managed, "go test fuzz v1\nint(", true, false},                // cut short
		{managed, "go test fuzz v1\r\nint(1)\r\n", false, false},       // as checked out on Windows
		{managed, "go test fuzz v1\nint(2)\n", false, true},            // the user's edit
		{"mine", "go test fuzz v1\nint(2)\n", false, true},             // the user's own
		{"mine", "", false, true},                                      // the user's own, in the making
		{FileName(one), "go test fuzz v1\nint(", false, true},          // go test wrote it
		{FileName(one), "go test fuzz v1\n\nint(0x1)\n", false, false}, // the same in another spelling
	}
	for _, test := range tests {
		dir := writeTree(t, map[string]string{test.name: test.old})
		created, err := WriteFile(dir, test.name, one)
		if created != test.created || errors.Is(err, ErrConflict) != test.conflict || (err == nil) == test.conflict {
			t.Errorf("%s over %q: created = %v, error %v", test.name, test.old, created, err)
		}
		got, _ := os.ReadFile(filepath.Join(dir, test.name))
		if want := test.old; test.created == (string(got) == want) {
			t.Errorf("%s over %q: the file holds %q", test.name, test.old, got)
		}
		if err != nil && !strings.Contains(err.Error(), filepath.Join(dir, test.name)+" exists with other content; rename or remove it") {
			t.Errorf("error %q does not name path and fix", err)
		}
		if len(list(t, dir)) != 1 {
			t.Errorf("files left: %v", list(t, dir))
		}
	}
}

func TestWriteFileRefusesNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", ".", "..", "a/b", "../x", "/x", tempPrefix + "1"} {
		if _, err := WriteFile(dir, name, one); err == nil || !strings.Contains(err.Error(), "use a plain file name") {
			t.Errorf("name %q: error %v", name, err)
		}
		if err := Remove(dir, name); err == nil {
			t.Errorf("Remove(%q) succeeded", name)
		}
	}
	if got := list(t, dir); len(got) != 0 {
		t.Errorf("files written: %v", got)
	}
}

// TestWriteFileFailure makes writing fail at each step.
func TestWriteFileFailure(t *testing.T) {
	errDisk := errors.New("disk on fire")
	half := func(f *os.File) error {
		f.WriteString("go test fuz")
		return errDisk
	}
	full := func(f *os.File) error { _, err := f.Write(one); return err }
	tests := []struct {
		what string
		dir  string
		fill func(*os.File) error
		fix  string
	}{
		{"write fails half-way", ".", half, "; fix the directory, or name another with -corpus"},
		{"file for directory", "file", full, "; move the file that has the directory's name"},
		{"file for parent", "file/sub", full, "; move the file that has the directory's name"},
		{"name too long", strings.Repeat("x", 300), full, "; name a directory with a shorter path with -corpus"},
	}
	for _, test := range tests {
		root := writeTree(t, map[string]string{"file": "precious"})
		dir := filepath.Join(root, test.dir)
		created, err := writeFile(dir, "entry", one, test.fill)
		if created || err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "entry")) || !strings.HasSuffix(err.Error(), test.fix) {
			t.Errorf("%s: created = %v, error %v", test.what, created, err)
		}
		if diff := cmp.Diff([]string{"file"}, list(t, root)); diff != "" {
			t.Errorf("%s leaves something:\n%s", test.what, diff)
		}
	}
}

func TestWriteFileOverDirectoryOrDanglingLink(t *testing.T) {
	dir := writeTree(t, map[string]string{"sub/file": ""})
	symlink(t, "nowhere", filepath.Join(dir, "link"))
	for _, name := range []string{"sub", "link"} {
		if created, err := WriteFile(dir, name, one); created || err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: created = %v, error %v", name, created, err)
		}
	}
	if diff := cmp.Diff([]string{"link", "sub/"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestWriteFileDuringCleanup lets another process clean up in the middle of
// each write but the last.
func TestWriteFileDuringCleanup(t *testing.T) {
	for _, times := range []int{1, 3, 5, 6} {
		dir := t.TempDir()
		left := times
		created, err := writeFile(dir, "x", one, func(f *os.File) error {
			if left--; left >= 0 {
				if err := RemoveLeftovers(dir); err != nil {
					t.Fatal(err)
				}
			}
			_, err := f.Write(one)
			return err
		})
		if want := times <= 5; created != want || (err == nil) != want {
			t.Errorf("cleaned up %d times: created = %v, error %v", times, created, err)
		}
		if created && len(list(t, dir)) != 1 || !created && len(list(t, dir)) != 0 {
			t.Errorf("cleaned up %d times: files %v", times, list(t, dir))
		}
	}
}

func TestConcurrentWritersAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 20 {
				data := Marshal([]any{i})
				if _, err := WriteFile(dir, ManagedName(data), data); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	entries, bad, err := ReadDir(dir, []string{"int"}, 0)
	if len(entries) != 20 || len(bad) != 0 || err != nil {
		t.Errorf("%d entries, %v, %v", len(entries), bad, err)
	}
	if n := len(list(t, dir)); n != 20 {
		t.Errorf("%d files, want 20", n)
	}
}

func TestRemove(t *testing.T) {
	dir := writeTree(t, map[string]string{"x": "", "sub/file": ""})
	symlink(t, "sub", filepath.Join(dir, "link"))
	for _, name := range []string{"x", "x", "link"} {
		if err := Remove(dir, name); err != nil {
			t.Error(err)
		}
	}
	if err := Remove(filepath.Join(dir, "none"), "x"); err != nil {
		t.Error(err)
	}
	if err := Remove(dir, "sub"); err == nil || !strings.Contains(err.Error(), "remove it yourself") {
		t.Errorf("removing a directory: %v", err)
	}
	if diff := cmp.Diff([]string{"sub/"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestRemoveManagedLeavesTheUsersFilesAlone(t *testing.T) {
	data, other := Marshal([]any{1}), Marshal([]any{2})
	name := ManagedName(data)
	for _, c := range []struct {
		what    string
		name    string
		content []byte
		link    bool
		want    bool
	}{
		{"as written", name, data, false, true},
		{"with other line ends", name, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), false, true},
		{"edited", name, other, false, false},
		{"in conflict", name, []byte("<<<<<<<"), false, false},
		{"with another name", "mine", data, false, false},
		{"a link", name, data, true, false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.name)
		if c.link {
			target := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(target, c.content, 0o666); err != nil {
				t.Fatal(err)
			}
			symlink(t, target, path)
		} else if err := os.WriteFile(path, c.content, 0o666); err != nil {
			t.Fatal(err)
		}
		removed, err := RemoveManaged(path)
		_, gone := os.Lstat(path)
		if removed != c.want || err != nil || (gone != nil) != c.want {
			t.Errorf("%s: removed %v, %v; %v", c.what, removed, err, gone)
		}
	}
	if removed, err := RemoveManaged(filepath.Join(t.TempDir(), name)); !removed || err != nil {
		t.Errorf("absent: %v, %v", removed, err)
	}
}

func TestStaleEntriesTellWhatTheyHold(t *testing.T) {
	dir := writeTree(t, map[string]string{ManagedName([]byte("go test fuzz v1\nint(1)\n")): "go test fuzz v1\nint(1)\n"})
	_, bad, err := ReadDir(dir, []string{"string"}, 0)
	var stale *StaleError
	if err != nil || len(bad) != 1 || !errors.As(bad[0], &stale) || !stale.Entry.Managed() {
		t.Errorf("%v, %v", bad, err)
	}
}

func TestRemoveLeftovers(t *testing.T) {
	dir := writeTree(t, map[string]string{
		tempPrefix + "1/entry": "", tempPrefix + "2/entry": "", tempPrefix + "file": "the user's", "x": "", ".fuzzmut/x": "",
	})
	if err := RemoveLeftovers(dir); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{".fuzzmut/", tempPrefix + "file", "x"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := RemoveLeftovers(filepath.Join(dir, "none")); err != nil {
		t.Error(err)
	}
}

func TestManagedNames(t *testing.T) {
	if name := ManagedName(one); !IsManagedName(name) || name != managedPrefix+"1-"+FileName(one) {
		t.Errorf("ManagedName gives %q", name)
	}
	if name := managedPrefix + FileName(one); !IsManagedName(name) {
		t.Errorf("%q, as earlier versions named entries, is no managed name", name)
	}
	for _, name := range []string{
		FileName(one), "fuzzmut-", "fuzzmut-notes", "fuzzmut-0123456789abcdeg", "fuzzmut-0123456789abcde", "fuzzmut-0123456789ABCDEF", "fuzzmut-0123456789abcdef0",
		"fuzzmut--0123456789abcdef", "fuzzmut-a0123456789abcdef", "fuzzmut-A-0123456789abcdef", "fuzzmut-a--0123456789abcdef", "fuzzmut--a-0123456789abcdef",
		"fuzzmut-" + strings.Repeat("a", maxSlug+1) + "-0123456789abcdef",
	} {
		if IsManagedName(name) {
			t.Errorf("%q passes for a managed name", name)
		}
	}
	seed, found := Of(1).Seed(3), Of(1).Found()
	if seed.Name != "seed#3" || found.Name != ManagedName(one) || seed.Managed() || found.Managed() {
		t.Errorf("seed %+v, found %+v", seed, found)
	}
}

// Names say what is in the file, on any system, and the hash tells the rest.
func TestNamesSayWhatEntriesHold(t *testing.T) {
	for _, c := range []struct {
		vals []any
		want string
	}{
		{[]any{"TZ=UTC 0 5 * * *"}, "tz-utc-0-5"},
		{[]any{[]byte("<html>\n\t\xff&amp;\u2028x")}, "html-amp-x"},
		{[]any{-3, "a b", true, 'x', 1.5}, "3-a-b-true-x-1-5"},
		{[]any{""}, ""},
		{[]any{"\x00\xffé"}, ""},
		{[]any{"\\\"x"}, "x"},
		{[]any{strings.Repeat("abcdefghij", 1000)}, "abcdefghijabcdefghijabcd"},
		{[]any{strings.Repeat("-", 1<<20) + "a"}, ""},
		{[]any{"abcdefghijabcdefghijabc-d"}, "abcdefghijabcdefghijabc"},
	} {
		data := Marshal(c.vals)
		want := managedPrefix + FileName(data)
		if c.want != "" {
			want = managedPrefix + c.want + "-" + FileName(data)
		}
		name := ManagedName(data)
		if name != want || !IsManagedName(name) || Of(c.vals...).Found().Name != name {
			t.Errorf("%.40q: %s, want %s", c.vals, name, want)
		}
	}
}

func TestDirs(t *testing.T) {
	root := t.TempDir()
	cache, err := CacheDir(root, "example.com/a/b", "FuzzX")
	if want := filepath.Join(root, "fuzz", "example.com", "a", "b", "FuzzX"); cache != want || err != nil {
		t.Errorf("CacheDir = %s, %v; want %s", cache, err, want)
	}
	crashers, err := CrashersDir(root, "example.com/a/b", "FuzzX")
	if want := cache + ".crashers"; crashers != want || err != nil {
		t.Errorf("CrashersDir = %s, %v; want %s", crashers, err, want)
	}
	for _, args := range [][3]string{{"", "a", "FuzzX"}, {"off", "a", "FuzzX"}, {"rel", "a", "FuzzX"}, {root, "../a", "FuzzX"}, {root, "", "FuzzX"}, {root, "a", ""}} {
		if dir, err := CrashersDir(args[0], args[1], args[2]); err == nil || dir != "" {
			t.Errorf("CrashersDir(%q) = %q, %v", args, dir, err)
		}
	}
}

func TestCheckDirLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "a"), filepath.Join(dir, "a", "b")} {
		if err := CheckDir(path); err != nil || len(list(t, dir)) != 0 {
			t.Errorf("%s: %v; left %v", path, err, list(t, dir))
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, one, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CheckDir(filepath.Join(file, "a")); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("below a file: %v", err)
	}
}
