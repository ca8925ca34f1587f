package samples

import (
	"fmt"
	"go/constant"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// show writes rows as text.
func show(rows []Row) (list []string) {
	for _, r := range rows {
		var words []string
		for _, v := range r {
			words = append(words, v.ExactString())
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

func TestOfFile(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", "", nil},
		{"imports and tags are none", "import \"fmt\"\n\ntype t struct {\n\ta int `json:\"a\"`\n}\n\nvar _ = fmt.Sprint", nil},
		{"a text", `var a = "x"`, []string{`"x"`}},
		{"raw text", "var a = `x\ny`", []string{`"x\ny"`}},
		{"a sum is one text", `var a = "x" + "y" + ("z")`, []string{`"xyz"`}},
		{"bytes", `var a = []byte("x")`, []string{`"x"`}},
		{"numbers", `var a, b, c, d = 1, -2.5, 'a', -3`, []string{"1", "-5/2", "97", "-3"}},
		{"true and false", `var a = []bool{true, false}`, []string{"true false", "true", "false"}},
		{"a call", `var _ = f("a", 1, g(), "b", 2)`, []string{`"a" 1`, `"b" 2`, `"a"`, "1", `"b"`, "2"}},
		{"a table", `var _ = []struct{ in string; n int }{{"a", 1}, {in: "b", n: 2}}`, []string{`"a" 1`, `"a"`, "1", `"b" 2`, `"b"`, "2"}},
		{"what does not parse ends it", "var a = \"x\"\n\nfunc {", []string{`"x"`}},
	} {
		if got := show(OfFile([]byte("package p\n\n" + c.body + "\n"))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := OfFile([]byte("no Go")); got != nil {
		t.Errorf("%q", show(got))
	}
	long := strings.Repeat("x", textMost)
	if got := OfFile([]byte("package p\n\nvar a, b = \"" + long + "\", \"y" + long + "\"\n")); len(got) != 1 {
		t.Errorf("%d texts, want the one that is not too long", len(got))
	}
}

func TestOfTests(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a_test.go", "package p\n\nvar a = \"a\"\n")
	write("b_test.go", "package p\n\nvar b, again = \"b\", \"a\"\n")
	write("p.go", "package p\n\nvar p = \"p\"\n")
	overlay := map[string][]byte{
		filepath.Join(dir, "a_test.go"):           []byte("package p\n\nvar a = \"other\"\n"),
		filepath.Join(dir, "c_test.go"):           []byte("package p\n\nvar c = \"c\"\n"),
		filepath.Join(dir, "elsewhere/d_test.go"): []byte("package p\n\nvar d = \"d\"\n"),
	}
	if got := show(OfTests([]string{dir, filepath.Join(dir, "gone")}, nil)); !slices.Equal(got, []string{`"a"`, `"b"`}) {
		t.Errorf("%q", got)
	}
	if got := show(OfTests([]string{dir}, overlay)); !slices.Equal(got, []string{`"other"`, `"b"`, `"a"`, `"c"`}) {
		t.Errorf("%q", got)
	}
}

func TestOfData(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"testdata/large":             strings.Repeat("\xff", fileMost+1),
		"testdata/text":              strings.Repeat("x", textMost+1),
		"testdata/image":             strings.Repeat("\xff", textMost+1),
		"testdata/b":                 "longer",
		"testdata/deep/a":            "a",
		"testdata/deep/again":        "a",
		"testdata/empty":             "",
		"testdata/p.go":              "package p",
		"testdata/fuzz/FuzzX/entry":  "go test fuzz v1",
		"testdata/fuzz-golden/X":     "fuzzmut golden v3",
		"testdata/fuzz-known.txt":    "# known",
		"testdata/fuzz-accepted.txt": "example.com/m FuzzX",
		"testdata/mod/go.mod":        "module m",
		"testdata/mod/data":          "of another module",
		"other":                      "other",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := show(OfData([]string{dir, filepath.Join(dir, "gone")}, nil))
	if len(got) != 3 || !slices.Equal(got[:2], []string{`"a"`, `"longer"`}) || !strings.HasPrefix(got[2], `"\xff`) {
		t.Errorf("%q", got)
	}
	for i := range filesMost + 1 {
		if err := os.WriteFile(filepath.Join(dir, "testdata", fmt.Sprint("n", i)), fmt.Append(nil, "n", i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := OfData([]string{dir}, nil); len(got) != filesMost {
		t.Errorf("%d files", len(got))
	}
}

// Tests name files elsewhere in the module, and which of the files they are about.
func TestOfDataThatTestsName(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                   "module m",
		"testdata/b.tiff":          "named",
		"testdata/long.tiff":       "of the same kind",
		"testdata/a.png":           "a",
		"testdata/fuzz/FuzzX/seed": "go test fuzz v1",
		"docs/d":                   "docs are not named",
		"p/local/x":                "directory",
		"p/one.bin":                "file",
		"p/p.go":                   "package p",
		".git/config":              "hidden",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(filepath.Dir(root), "outside")
	if err := os.WriteFile(outside, []byte("outside"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := texts("../testdata/", "b", "local", "one.bin", "..", ".", "", "../.git", "../../outside", "p.go", "gone")
	got := show(OfData([]string{filepath.Join(root, "p")}, tests))
	if want := []string{`"file"`, `"named"`, `"of the same kind"`, `"a"`, `"directory"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTextsAndFilesTakeTurns(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("p_test.go", "package p\n\nvar a, b, c = \"x\", \"y\", \"z\"\n")
	write("testdata/1", "one")
	write("testdata/2", "two2")
	got := show(Of([]string{dir}, nil))
	if want := []string{`"x"`, `"one"`, `"y"`, `"two2"`, `"z"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func texts(words ...string) (rows []Row) {
	for _, w := range words {
		rows = append(rows, Row{constant.MakeString(w)})
	}
	return rows
}

// What the change adds to the tests comes first, and what it takes away next.
func TestNewFirst(t *testing.T) {
	got := show(NewFirst(texts("same", "new", "both"), texts("gone", "same", "both")))
	if want := []string{`"new"`, `"gone"`, `"same"`, `"both"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInputs(t *testing.T) {
	rows := OfFile([]byte("package p\n\nvar _ = []any{\"a\", 7, \"b\"}\n\nvar _ = \"\"\n"))
	for _, c := range []struct {
		types []string
		base  []any
		want  []string
	}{
		{[]string{"string"}, []any{"b"}, []string{`string("a")`, `string("")`}}, // "b" is there
		{[]string{"[]byte"}, []any{[]byte(nil)}, []string{`[]byte("a")`, `[]byte("b")`}},
		{[]string{"int8"}, []any{int8(0)}, []string{"int8(7)"}},
		{[]string{"string", "uint8"}, []any{"x", byte(1)}, []string{`string("a"),byte('\a')`, `string("a"),byte('\x01')`, `string("b"),byte('\x01')`, `string(""),byte('\x01')`}},
		{[]string{"string", "string"}, []any{"x", "y"}, []string{
			`string("a"),string("y")`, `string("x"),string("a")`, `string("b"),string("y")`,
			`string("x"),string("b")`, `string(""),string("y")`, `string("x"),string("")`,
		}},
		{[]string{"bool"}, []any{false}, nil},
	} {
		var got []string
		for _, in := range Inputs(rows, c.types, corpus.Of(c.base...)) {
			got = append(got, strings.ReplaceAll(strings.TrimSpace(in.String()), "\n", ","))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.types, got, c.want)
		}
	}
}

func TestInputsAreBounded(t *testing.T) {
	var many, large []Row
	for i := range 2 * inputsMost {
		many = append(many, texts(fmt.Sprint(i))...)
	}
	for i := range 2 * bytesMost / fileMost {
		large = append(large, texts(fmt.Sprint(i)+strings.Repeat("x", fileMost))...)
	}
	base := corpus.Of("")
	if got := Inputs(many, []string{"string"}, base); len(got) != inputsMost || got[0].Values()[0] != "0" {
		t.Errorf("%d inputs, want the first %d", len(got), inputsMost)
	}
	size := 0
	for _, in := range Inputs(large, []string{"string"}, base) {
		size += in.Len()
	}
	if size == 0 || size > bytesMost {
		t.Errorf("%d bytes, want at most %d", size, bytesMost)
	}
}

func TestConvert(t *testing.T) {
	text, char := constant.MakeString("x"), constant.MakeInt64('x')
	large, negative := constant.MakeUint64(math.MaxUint64), constant.MakeInt64(-1)
	half, huge := constant.MakeFloat64(0.5), constant.MakeFromLiteral("1e999", 6, 0)
	for _, c := range []struct {
		v    constant.Value
		typ  string
		want any // nil: it can't hold it
	}{
		{text, "string", "x"},
		{text, "int", nil},
		{char, "string", nil},
		{char, "rune", 'x'},
		{char, "byte", byte('x')},
		{char, "int16", int16('x')},
		{char, "int64", int64('x')},
		{char, "uint16", uint16('x')},
		{char, "uint32", uint32('x')},
		{char, "uint", uint('x')},
		{char, "bool", nil},
		{constant.MakeBool(true), "bool", true},
		{large, "uint64", uint64(math.MaxUint64)},
		{large, "int64", nil},
		{large, "uint32", nil},
		{negative, "int8", int8(-1)},
		{negative, "uint8", nil},
		{constant.MakeInt64(128), "int8", nil},
		{constant.MakeInt64(70000), "int16", nil},
		{half, "float32", float32(0.5)},
		{half, "float64", 0.5},
		{half, "int", nil},
		{constant.MakeInt64(2), "float64", 2.0},
		{constant.MakeFloat64(1e300), "float32", nil},
		{huge, "float64", nil},
		{char, "[]string", nil},
	} {
		got, ok := convert(c.v, c.typ)
		if ok != (c.want != nil) || ok && got != c.want {
			t.Errorf("%v as %s: %v, %v, want %v", c.v, c.typ, got, ok, c.want)
		}
	}
	if got, ok := convert(text, "[]byte"); !ok || string(got.([]byte)) != "x" {
		t.Errorf("%v, %v", got, ok)
	}
}

// Whatever a file holds, its rows are not empty, and no text is longer than the bound.
func FuzzOfFile(f *testing.F) {
	f.Add([]byte("package p\n\nvar _ = f(\"a\", -1, []byte(\"b\"+`c`), 'x', 1e9, 0x1p-2)\n"))
	f.Fuzz(func(t *testing.T, source []byte) {
		rows := OfFile(source)
		for _, r := range rows {
			if len(r) == 0 {
				t.Fatal("an empty row")
			}
			for _, v := range r {
				if v.Kind() == constant.String && len(constant.StringVal(v)) > textMost {
					t.Fatalf("a text of %d bytes", len(constant.StringVal(v)))
				}
			}
		}
		for _, in := range Inputs(rows, []string{"string", "int"}, corpus.Of("", 0)) {
			if !in.Is([]string{"string", "int"}) {
				t.Fatal(in)
			}
		}
	})
}

// Someone waits for the search: a tree that has no end is looked at in part, the same part
// each time.
func TestWhatIsLookedAtIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 9 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("n", i)), []byte("0123456789"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l := dataFiles{room: 4}
	l.look(dir)
	l.look(dir)
	var names []string
	for _, f := range l.list {
		names = append(names, filepath.Base(f.path))
	}
	if !slices.Equal(names, []string{"n0", "n1", "n2"}) {
		t.Errorf("%q: the directory counts, too", names)
	}
	path := filepath.Join(dir, "n0")
	if a, b, c := sourceOf(path, 10), sourceOf(path, 9), sourceOf(filepath.Join(dir, "gone"), 10); len(a) != 10 || b != nil || c != nil {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}
