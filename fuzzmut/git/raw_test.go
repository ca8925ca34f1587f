package git

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rawOf writes changes as git diff --raw -z does.
func rawOf(list []Changed) (fields []string) {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	for _, c := range list {
		status, paths := "M", []string{c.New.Path}
		switch {
		case c.Old.Path == "":
			status = "A"
		case c.New.Path == "":
			status, paths = "D", []string{c.Old.Path}
		case c.Old.Path != c.New.Path:
			status, paths = "R090", []string{c.Old.Path, c.New.Path}
		}
		head := []string{or(c.Old.Mode, "000000"), or(c.New.Mode, "000000"), or(c.Old.Hash, zero), or(c.New.Hash, zero), status}
		fields = append(append(fields, ":"+strings.Join(head, " ")), paths...)
	}
	return fields
}

// What is written is read again, whatever the paths hold.
func TestRawOfAnyPath(t *testing.T) {
	file := func(path string) Blob { return Blob{Path: path, Mode: "100644", Hash: strings.Repeat("a", 40)} }
	work := func(path string) Blob { return Blob{Path: path, Mode: "100755"} }
	var want []Changed
	for _, path := range []string{"a.go", "a b.go", "a\nb.go", ":100644", "ä/\"q\".go", "-x", "000000 000000 0 0 A"} {
		want = append(want,
			Changed{Old: file(path), New: work(path)}, Changed{New: file(path)}, Changed{Old: file(path)}, Changed{Old: file(path), New: file(path + ".moved")})
	}
	got, err := parseRaw(rawOf(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Any output is read or refused; what was read is written and read as the same again, and each
// record by itself.
func FuzzRaw(f *testing.F) {
	for _, c := range [][]Changed{
		{{Old: Blob{Path: "a", Mode: "100644", Hash: "1"}, New: Blob{Path: "b", Mode: "100644"}}},
		{{New: Blob{Path: "a", Mode: "100644", Hash: "1"}}, {Old: Blob{Path: "c", Mode: "160000", Hash: "2"}}},
	} {
		f.Add(strings.Join(rawOf(c), "\x00"))
	}
	f.Add(":100644 100644 1 2 C100\x00a\x00b\x00:000000 000000 0 0 U\x00a")
	f.Fuzz(func(t *testing.T, output string) {
		fields := strings.Split(output, "\x00")
		list, err := parseRaw(fields)
		if err != nil {
			return
		}
		if len(list) > len(fields)/2 {
			t.Fatalf("%d changes of %d fields", len(list), len(fields))
		}
		var known []Changed // with a path, as git always has
		for _, c := range list {
			if c.path() != "" {
				known = append(known, c)
			}
		}
		again, err := parseRaw(rawOf(known))
		if err != nil {
			t.Fatalf("%q is not read again: %v", rawOf(known), err)
		}
		if diff := cmp.Diff(known, again); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		for _, c := range known {
			if one, err := parseRaw(rawOf([]Changed{c})); err != nil || len(one) != 1 || one[0] != c {
				t.Fatalf("%+v alone: %+v, %v", c, one, err)
			}
		}
	})
}

func TestUntrackedFiles(t *testing.T) {
	kept := Changed{Old: Blob{Path: "kept.go", Mode: "100644", Hash: "1"}, New: Blob{Path: "kept.go", Mode: "100644"}}
	gone := Changed{Old: Blob{Path: "gone.go", Mode: "100755", Hash: "2"}}
	for _, c := range []struct {
		name  string
		list  []Changed
		names []string
		want  []Changed
	}{
		{"none", []Changed{kept, gone}, nil, []Changed{kept, gone}},
		{"a new file", []Changed{kept}, []string{"new.go"}, []Changed{kept, {New: Blob{Path: "new.go", Mode: "100644"}}}},
		{"one that git is to forget keeps its mode", []Changed{gone}, []string{"gone.go"}, []Changed{{Old: gone.Old, New: Blob{Path: "gone.go", Mode: "100755"}}}},
		{"a repository inside", []Changed{kept}, []string{"inner/"}, []Changed{kept}},
		{"one that has changed is no deleted one", []Changed{kept}, []string{"kept.go"}, []Changed{kept, {New: Blob{Path: "kept.go", Mode: "100644"}}}},
	} {
		list := append([]Changed(nil), c.list...)
		if diff := cmp.Diff(c.want, addUntracked(list, c.names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
