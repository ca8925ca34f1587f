package versions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const before = `package p

// A is one.
func A(n int) int {
	if n > 1 {
		return 1
	}
	return n
}

func B() string {
	return "b"
}
`

func TestHunks(t *testing.T) {
	many := func(first, last string) string {
		return "package p\n\nfunc A(x []int) {\n" + first + strings.Repeat("\tx = append(x, 1)\n\tx = append(x, 2)\n", 4) +
			"\tfor i := range x {\n\t\tx[i]++\n\t}\n\tx[0] = 3\n" + last + "}\n"
	}
	wrapped := strings.NewReplacer("{\n\tx = ", "{\n\tif x != nil {\n\tx = ", "\tx", "\t\tx", "\tfor", "\t\tfor", "\t}\n", "\t\t}\n").Replace(many("", ""))
	wrapped = strings.TrimSuffix(wrapped, "}\n") + "\t}\n}\n"
	for _, c := range []struct {
		name, old, new string
		want           []Hunk
	}{
		{"the same", before, before, nil},
		{"a line", before, strings.Replace(before, "n > 1", "n >= 1", 1), []Hunk{{5, 1, 5, 1}}},
		{"a comment", before, strings.Replace(before, "one", "two", 1), nil},
		{"layout", before, strings.ReplaceAll(strings.Replace(before, "(n int)", "(\n\tn int,\n)", 1), "\t", "  "), nil},
		{"a comment and a line", before, strings.Replace(strings.Replace(before, "one", "two", 1), "n > 1", "n >= 1", 1), []Hunk{{5, 1, 5, 1}}},
		{"what is built", before, "//go:build linux\n\n" + before, []Hunk{{1, 0, 1, 2}}},
		{"white space in a string", before, strings.Replace(before, `"b"`, "`b\n`", 1), []Hunk{{12, 1, 12, 2}}},
		{"within a string of lines", "package p\n\nvar s = `a\nb\nc`\n", "package p\n\nvar s = `a\nb \nc`\n", []Hunk{{4, 1, 4, 1}}},
		{"lines taken out", before, strings.Replace(before, "\tif n > 1 {\n\t\treturn 1\n\t}\n", "", 1), []Hunk{{5, 3, 5, 0}}},
		{"no syntax", "package p\nvar a = \"\n", "package p\n// a\nvar a = \"\n", []Hunk{{2, 0, 2, 1}}},
		{
			"several new functions", before, before + "\n// C is new.\nfunc C() {\n\tA(1)\n\tA(2)\n\tA(3)\n}\n\nfunc D() {\n\tA(1)\n\tA(2)\n\tA(3)\n\tA(4)\n\tA(5)\n}\n",
			[]Hunk{{14, 0, 15, 7}, {14, 0, 22, 7}},
		},
		{"indented", many("", ""), wrapped, []Hunk{{4, 0, 4, 1}, {16, 0, 17, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hunksOf([]byte(c.old), []byte(c.new))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRevertOneHunk(t *testing.T) {
	after := strings.NewReplacer("n > 1", "n >= 1", `"b"`, `"c"`).Replace(before)
	f := &File{Old: []byte(before), New: []byte(after)}
	f.Hunks = hunksOf(f.Old, f.New)
	if len(f.Hunks) != 2 {
		t.Fatalf("%v", f.Hunks)
	}
	for hunk, want := range []string{strings.Replace(after, "n >= 1", "n > 1", 1), strings.Replace(after, `"c"`, `"b"`, 1)} {
		if diff := cmp.Diff(want, string(f.Revert(hunk))); diff != "" {
			t.Errorf("hunk %d (-want +got):\n%s", hunk, diff)
		}
	}
}

// Without the hunks that change nothing, all of them give a file with the old tokens.
func FuzzRevert(f *testing.F) {
	f.Add([]byte(before), []byte(strings.Replace(before, "n > 1", "n >= 1", 1)))
	f.Add([]byte(before), []byte(strings.ReplaceAll(before, "\n", "\n\n")))
	f.Add([]byte("a\nb\nc"), []byte("c\nb\na\nd\n"))
	f.Add([]byte("package p\n\nfunc f() {\n"+strings.Repeat("\tg()\n", 14)+"}\n"), []byte("package p\n\nfunc f() {\n\tif a {\n"+strings.Repeat("\t\tg()\n", 14)+"\t}\n}\n\nvar x = 1\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		file := &File{Old: old, New: new, Hunks: cut(old, new, lineHunks(splitLines(old), splitLines(new)))}
		whole := func(text []byte) []byte { return []byte(strings.Join(splitLines(text), "")) }
		if got := file.Revert(); !bytes.Equal(got, whole(new)) {
			t.Errorf("no hunk: %q", got)
		}
		if got := file.Revert(all(file)...); !bytes.Equal(got, whole(old)) {
			t.Errorf("all hunks: %q", got)
		}
		for _, h := range file.Hunks {
			if h.OldCount == 0 && h.NewCount == 0 || h.OldCount < 0 || h.NewCount < 0 {
				t.Errorf("hunk %v", h)
			}
		}
		file.Hunks = hunksOf(old, new)
		if got := tokensOf(file.Revert(all(file)...)); !got.broken && !tokensOf(old).broken && !got.equal(tokensOf(old)) {
			t.Errorf("%q and not %q", got.text, tokensOf(old).text)
		}
	})
}

func all(f *File) (list []int) {
	for i := range f.Hunks {
		list = append(list, i)
	}
	return list
}
