package golden

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	one = "fuzzmut-0123456789abcdef"
	two = "fuzzmut-a-word-fedcba9876543210"
)

// sample is a file with an entry that has texts of several lines, and one with a value.
func sample() *File {
	return &File{Packages: "a.b/c d", Entries: []Entry{
		{Name: one, Input: `"# text"`, Values: []Value{
			{"p.F #1 result 0 (struct{A int \"x: y\"})", Render([]string{strings.Repeat("long ", 20), "<<<<<<< text"})},
			{"p.F #1 result 1 (string)", "int\n\n2" + strings.Repeat("\nmore", 20)},
		}},
		{Name: two, Values: []Value{{"p.F #1 result 0 (int)", "int 1"}}},
	}}
}

// lines leaves out where entries are.
var lines = cmpopts.IgnoreFields(Entry{}, "Line")

func crlf(data []byte) []byte { return []byte(strings.ReplaceAll(string(data), "\n", "\r\n")) }

func TestAFileReadsAsItWasWritten(t *testing.T) {
	f := sample()
	data := f.Marshal()
	for _, text := range [][]byte{data, crlf(data)} {
		got, damage := Unmarshal(text)
		if diff := cmp.Diff(f, got, lines); diff != "" || damage != nil {
			t.Errorf("%v (-want +got):\n%s", damage, diff)
		}
		again, damage := Recover(text)
		if diff := cmp.Diff(got, again); diff != "" || damage != nil {
			t.Errorf("Recover: %v (-want +got):\n%s", damage, diff)
		}
		for _, e := range got.Entries {
			if line := strings.Split(string(data), "\n")[e.Line-1]; !strings.HasPrefix(line, "-- "+e.Name) {
				t.Errorf("line %d is %q", e.Line, line)
			}
		}
	}
}

func TestTheFormat(t *testing.T) {
	f := &File{Packages: ".", Entries: []Entry{
		{Name: two, Values: []Value{{"p.F #1 result 0 (int)", "int 1"}}},
		{Name: one, Input: `"a"`, Values: []Value{{"p.F #1 result 0 (p.T)", "p.T {\n\ta: 1\n}"}, {"p.F #1 result 1 (error)", "nil"}}},
	}}
	const want = `fuzzmut golden v3
observes .

-- fuzzmut-0123456789abcdef, 2 values --
# "a"
p.F #1 result 0 (p.T)
	p.T {
		a: 1
	}
p.F #1 result 1 (error)
	nil

-- fuzzmut-a-word-fedcba9876543210, 1 value --
p.F #1 result 0 (int)
	int 1

-- end --
`
	if diff := cmp.Diff(want, string(f.Marshal())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if Key(one) != "0123456789abcdef" || Key(two) != "fedcba9876543210" {
		t.Errorf("keys %s, %s", Key(one), Key(two))
	}
}

func TestEveryTruncationIsNoticed(t *testing.T) {
	for _, data := range [][]byte{sample().Marshal(), crlf(sample().Marshal()), (&File{Packages: "p"}).Marshal()} {
		for n := range data {
			if got, damage := Unmarshal(data[:n]); damage == nil {
				t.Errorf("%q is taken for a whole file: %v", data[:n], got)
			}
		}
	}
}

// A line that is lost or doubled is noticed, or is a difference within a text.
func TestLostLinesAreNoticed(t *testing.T) {
	f := sample()
	all := strings.SplitAfter(string(f.Marshal()), "\n")
	for i, line := range all {
		for _, change := range [][]string{nil, {line, line}} {
			if line == "\n" || line == "" {
				continue
			}
			text := strings.Join(all[:i], "") + strings.Join(change, "") + strings.Join(all[i+1:], "")
			got, damage := Unmarshal([]byte(text))
			if damage == nil && !strings.HasPrefix(line, comment) && cmp.Equal(f, got, lines) {
				t.Errorf("line %d, %q, becomes %q: %+v", i+1, line, change, got)
			}
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	const (
		head  = "fuzzmut golden v3\nobserves p\n"
		first = "-- " + one + ", 1 value --\nx\n\t1\n"
		last  = "-- " + two + ", 1 value --\ny\n\t1\n-- end --\n"
		of    = ": " + one + ": "
	)
	for text, want := range map[string]struct {
		damage string
		left   string // entries
	}{
		"":                               {"line 1: the file is cut off: there is no line", ""},
		"something else\n":               {"line 1: not \"fuzzmut golden v3\"", ""},
		"fuzzmut golden v\n":             {"line 1: not \"fuzzmut golden v3\"", ""},
		"fuzzmut golden v2\n":            {"line 1: not \"fuzzmut golden v3\"", ""},
		"3\n":                            {"line 1: not \"fuzzmut golden v3\"", ""},
		"fuzzmut golden v4":              {"line 1: a newer version of fuzzmut wrote it", ""},
		"fuzzmut golden v10\r\nob":       {"line 1: a newer version of fuzzmut wrote it", ""},
		"fuzzmut golden v3\nx\n":         {"line 2: does not name packages", ""},
		"fuzzmut golden v3\nobserves \n": {"line 2: does not name packages", ""},
		head + first:                     {"line 6: the file is cut off: there is no line \"-- end --\"", one},
		head + first + "-- end --":       {"line 6: the file is truncated: the line has no end", one},
		head + first + last + "z\n":      {"line 10: a line after the end", one + two},
		head + "\t1\n" + first + last:    {"line 3: a line that belongs to no entry", ""},
		head + "-- " + one + " --\nx\n\t1\n" + last:                     {"line 3: a line that belongs to no entry", ""},
		head + "-- " + one + ", 1 value --\n\t1\n" + last:               {"line 4" + of + "a value without a name", two},
		head + "-- " + one + ", 1 value --\nx\n" + last:                 {"line 5" + of + "the value \"x\" has no text", two},
		head + "-- " + one + ", 2 values --\nx\nz\n\t1\n" + last:        {"line 5" + of + "the value \"x\" has no text", two},
		head + "-- " + one + ", 2 values --\nx\n\t1\n" + last:           {"line 6" + of + "1 values, not 2", two},
		head + "-- " + one + ", 1 value --\nx\n\t1\rb\n" + last:         {"line 5" + of + "a carriage return", two},
		head + "-- " + one + ", 2 values --\nx\n\t1\nx\n\t2\n" + last:   {"line 8" + of + "two values have the same name", two},
		head + first + first + last:                                     {"line 9" + of + "is there twice: line 3 has it, too", one + two},
		head + "<<<<<<< HEAD\n" + first + last:                          {"line 3: a git conflict marker", one + two},
		head + first + "=======\n" + last:                               {"line 6" + of + "a git conflict marker", two},
		"<<<<<<< HEAD\n" + head + first + "=======\n>>>>>>> b\n" + last: {"line 1: a git conflict marker", two},
	} {
		f, damage := Unmarshal([]byte(text))
		left := ""
		for _, e := range f.Entries {
			left += e.Name
		}
		if damage == nil || !strings.Contains(damage[0].Error(), want.damage) || left != want.left {
			t.Errorf("%q: %v, left %s; want %q, %s", text, damage, left, want.damage, want.left)
		}
	}
}

func TestBothSidesOfAMergeAreRead(t *testing.T) {
	entry := func(name, text string) string { return "-- " + name + ", 1 value --\nx\n\t" + text + "\n" }
	const (
		head  = "fuzzmut golden v3\nobserves p\n"
		three = "fuzzmut-3333333333333333"
	)
	for _, c := range []struct {
		name, text string
		damage     string
		left       string
	}{
		{
			"each adds an entry", head + "<<<<<<< HEAD\n" + entry(one, "1") + "=======\n" + entry(two, "2") + ">>>>>>> b\n" + entry(three, "3") + closing + "\n",
			"line 3: a git conflict marker", one + three + two,
		},
		{
			"with what was there before, and lines in common", head + "<<<<<<< HEAD\n-- " + one + ", 1 value --\n||||||| 12\n=======\n-- " + two + ", 1 value --\n>>>>>>> b\nx\n\t1\n" + closing + "\n",
			"line 3: a git conflict marker", one + two,
		},
		{
			"both change an entry", head + "-- " + one + ", 1 value --\nx\n<<<<<<< HEAD\n\t1\n=======\n\t2\n>>>>>>> b\n" + entry(two, "2") + closing + "\n",
			"line 5: " + one + ": a git conflict marker; line 3: " + one + ": the sides of the merge have other values", two,
		},
		{
			"the same change", head + "-- " + one + ", 1 value --\n<<<<<<< HEAD\nx\n\t1\n=======\nx\n\t1\n>>>>>>> b\n" + closing + "\n",
			"line 4: " + one + ": a git conflict marker", one,
		},
		{
			"one is damaged", head + "<<<<<<< HEAD\n" + entry(one, "1") + "=======\n-- " + two + ", 2 values --\nx\n\t1\n>>>>>>> b\n" + closing + "\n",
			"line 3: a git conflict marker; line 12: " + two + ": 1 values, not 2: lines are missing or were added", one,
		},
		{
			"other packages", "fuzzmut golden v3\n<<<<<<< HEAD\nobserves p\n=======\nobserves q\n>>>>>>> b\n" + entry(one, "1") + closing + "\n",
			"line 2: a git conflict marker; line 2: the sides of the merge observe calls of other packages", "",
		},
	} {
		f, damage := Recover([]byte(c.text))
		var texts []string
		for _, d := range damage {
			texts = append(texts, d.Error())
		}
		left := ""
		for _, e := range f.Entries {
			left += e.Name
		}
		if got := strings.Join(texts, "; "); got != c.damage || left != c.left {
			t.Errorf("%s:\n got %s, left %s\nwant %s, left %s", c.name, got, left, c.damage, c.left)
		}
	}
}

func TestVersionsAreKnown(t *testing.T) {
	for text, want := range map[string]string{
		"fuzzmut golden v1\nobserves a b\n":       "earlier a b",
		"fuzzmut golden v2\r\nobserves .\r\n\r\n": "earlier .",
		"fuzzmut golden v3\nobserves .\n":         " .",
		"fuzzmut golden v4\nother\n":              "later ",
		"fuzzmut golden vx":                       " ",
		"":                                        " ",
	} {
		got := ""
		if Earlier([]byte(text)) {
			got = "earlier"
		}
		if Later([]byte(text)) {
			got += "later"
		}
		if got += " " + PackagesOf([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzUnmarshal checks that what is read of a file, whole or damaged, is written as it is
// read, and that a file that is whole loses nothing.
func FuzzUnmarshal(f *testing.F) {
	data := string(sample().Marshal())
	for _, s := range []string{
		data, string(crlf([]byte(data))), data[:len(data)/2], strings.Replace(data, "x: y", "", 1), data + data,
		strings.Replace(data, "-- fuzz", "<<<<<<< a\n-- fuzz", 1) + "=======\n" + data + ">>>>>>> b\n",
		"fuzzmut golden v1\nobserves .\n\na\n\t1\n", "fuzzmut golden v3\nobserves .\n-- x, 0 values --\n-- end --\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, damage := Unmarshal(data)
		recovered, more := Recover(data)
		if len(damage) == 0 && (len(more) > 0 || !cmp.Equal(read, recovered)) {
			t.Errorf("whole, but not to Recover: %v", more)
		}
		if read.Packages == "" {
			return
		}
		for _, f := range []*File{read, recovered} {
			if f.Packages == "" {
				continue
			}
			again, damage := Unmarshal(f.Marshal())
			byName := cmpopts.SortSlices(func(a, b Entry) bool { return a.Name < b.Name })
			if diff := cmp.Diff(f, again, lines, byName, cmpopts.EquateEmpty()); diff != "" || damage != nil {
				t.Errorf("%v (-read +again):\n%s", damage, diff)
			}
		}
	})
}
