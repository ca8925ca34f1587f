package sequence

import (
	"go/format"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// errorsCode has errors of other types than error: a list of values that are kept, one of others, a pointer, and an
// interface.
const errorsCode = `package p

import "strconv"

type Level int

const High, Low Level = 1, 2

// A Mistake is kept: it has a method.
type Mistake struct {
	Level Level
	Text  string
	Code  string
	from  *Doc
}

func (m *Mistake) Error() string { return m.Text }
func (m *Mistake) Short() string { return m.Text[:1] }

type mistakes []*Mistake

func (m mistakes) Error() string {
	if len(m) == 0 {
		return "no mistake"
	}
	return m[0].Error() + " of " + strconv.Itoa(len(m))
}

type fault struct {
	Line  int
	Known bool
	err   error
}

func (f *fault) Error() string {
	if f.Line == 7 {
		panic("no text")
	}
	return "line " + strconv.Itoa(f.Line)
}

type timed interface {
	error
	Timeout() bool
}

func (f *fault) Timeout() bool { return f.Known }

type Doc struct{ text string }

func NewDoc(text string) *Doc { return &Doc{text} }

func (d *Doc) Check(n int) (string, mistakes) {
	var list mistakes
	for i := range n % 3 {
		list = append(list, &Mistake{Level: Level(i + 1), Text: []string{"bad ", "worse "}[i] + d.text + strconv.Itoa(n), Code: "c" + strconv.Itoa(i)})
	}
	return d.text, list
}

func (d *Doc) First(n int) *Mistake {
	if n == 0 {
		return nil
	}
	return &Mistake{Level: Low, Text: "first " + d.text, Code: "first"}
}

func (d *Doc) Find(n int) *fault {
	if n == 0 {
		return nil
	}
	return &fault{Line: n, Known: n > 1}
}

func (d *Doc) Wait(n int) timed {
	if n == 0 {
		return nil
	}
	return &fault{Line: n}
}
`

// What errors of other types than error say is compared, and so are their plain fields that the text does not have.
func TestErrorsOfOtherTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	pkg := checked(t, errorsCode)
	s := New(Config{
		Package: pkg, Types: Values(pkg), Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 }, Texts: []string{"a"},
	})
	at := make(map[string]int)
	for i, c := range s.calls {
		at[c.function] = i
	}
	op := func(function string, n byte) string {
		op := []byte(s.record(at[function]))
		op[2] += n
		return string(op)
	}
	doc := op("NewDoc", 0)
	var inputs [][]any
	for _, ops := range []string{
		op("Check", 0), op("Check", 2), op("First", 0), op("First", 1), op("First", 1) + op("Short", 0), op("Check", 1) + op("Short", 0),
		op("Find", 0), op("Find", 2), op("Find", 7), op("Wait", 0), op("Wait", 1),
	} {
		inputs = append(inputs, []any{[]byte(doc + ops), "x", ""})
	}
	dir := t.TempDir()
	var file, results strings.Builder
	file.WriteString("package p\n\nimport \"testing\"\n\nfunc TestCase(t *testing.T) {\n")
	for i, seen := range recordIn(t, dir, errorsCode, s, inputs) {
		steps, ok := s.Read(inputs[i], seen)
		if !ok {
			t.Fatalf("%q, seen %q: not read", inputs[i], seen)
		}
		c := steps.Case()
		file.WriteString("t.Run(\"\", func(t *testing.T) {\n" + c.Body + "})\n")
		results.WriteString(c.Result + "\n")
		if want := strings.Contains(c.Result, "bad") || strings.Contains(c.Result, "first") || strings.Contains(c.Result, "line"); steps.Fails() != want && !strings.Contains(c.Call, "Short") && !strings.Contains(c.Call, "Find(7)") {
			t.Errorf("%s = %s: fails: %t", c.Call, c.Result, steps.Fails())
		}
	}
	if want := `"x", len 0
"x", len 2: "bad x2 of 2", with [0].Level High, with [0].Code "c0", with [1].Error() "worse x2", with [1].Level Low, with [1].Code "c1"
nil
"first x", with Level Low
"f"
"b"
nil
"line 2", with Line 2, with Known true
not nil
nil
"line 1"
`; results.String() != want {
		t.Errorf("%swant\n%s", results.String(), want)
	}
	src, err := format.Source([]byte(file.String() + "}\n"))
	if err != nil {
		t.Fatal(err)
	}
	test := func(code string) (string, error) {
		write(t, filepath.Join(dir, "p.go"), code)
		out, err := goTest(dir, "-run=TestCase").CombinedOutput()
		return string(out), err
	}
	write(t, filepath.Join(dir, "cases_test.go"), string(src))
	if out, err := test(errorsCode); err != nil {
		t.Errorf("%v: %s\n%s", err, out, src)
	}
	for _, c := range []struct{ was, is, want string }{
		{`Level(i + 1)`, `Level(i + 2)`, `got2[1].Level, got2[1].Code = 2, "c0", "worse x2", 3, "c1", want High, "c0", "worse x2", Low, "c1"`},
		{`"c" +`, `"C" +`, `, got2[1].Code = 1, "C0", `},
		{`"worse "`, `"WORSE "`, `"c0", "WORSE x2",`},
		{`"bad "`, `"BAD "`, `doc.Check(2) = "x", len 2: BAD x2 of 2, want "x", len 2: "bad x2 of 2"`},
		{`range n % 3`, `range min(n%3, 1)`, `len 1: bad x2 of 1, want`},
		{`Level: Low`, `Level: High`, `doc.First(1): got.Level = 1, want Low`},
		{`n > 1`, `n > 2`, `doc.Find(2): got.Line, got.Known = 2, false, want 2, true`},
		{`return &fault{Line: n, K`, `return nil; return &fault{Line: n, K`, `doc.Find(2) = <nil>, want "line 2"`},
		{`&fault{Line: n}`, `&fault{Line: n + 1}`, `doc.Wait(1) = line 2, want "line 1"`},
	} {
		if out, err := test(strings.Replace(errorsCode, c.was, c.is, 1)); err == nil || strings.Contains(out, "panic:") || !strings.Contains(out, c.want) {
			t.Errorf("%s in place of %s: %v: %s, want %s", c.is, c.was, err, out, c.want)
		}
	}
}
