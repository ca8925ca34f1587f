package tables

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
)

const code = `
type V struct{ n int }

func New(s string) (*V, error) {
	if s == "" {
		return nil, errors.New("no text")
	}
	return &V{len(s)}, nil
}

func Must(s string) *V { v, _ := New(s); return v }

func (v *V) Less(o *V) bool { return v.n < o.n }

func (v *V) String() string { return strings.Repeat("v", v.n) }

type Mode int

const Loud Mode = 2

func Say(s string, m Mode) string { return strings.Repeat(s, int(m)) }

func Twice(s string, n int) string { return strings.Repeat(s, 2*n) }

func Sum(data []byte) (n int) {
	for _, b := range data {
		n += int(b)
	}
	return n
}
`

const fuzzed = `
func FuzzNew(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { New(s) })
}

func FuzzLess(f *testing.F) {
	f.Fuzz(func(t *testing.T, s, other string) {
		v, err := New(s)
		if err != nil {
			return
		}
		o, err := New(other)
		if err != nil {
			return
		}
		v.Less(o)
	})
}

func FuzzSay(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, m int) { Say(s, Mode(m)) })
}

func FuzzTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, n int) { Twice(s, n) })
}

func FuzzSum(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { Sum(data) })
}
`

// called is a call of each fuzz test, as it stands in its line.
var called = map[string]string{"FuzzNew": "New(s) })", "FuzzLess": "v.Less(o)", "FuzzSay": "Say(s, Mode(m)) })", "FuzzTwice": "Twice(s, n) })", "FuzzSum": "Sum(data) })"}

// loaded is the package with tests, and the line of the call of a fuzz test.
func loaded(t *testing.T, tests, fuzz string) (*load.Result, int) {
	t.Helper()
	r := loadtest.Typed(t, code, fuzzed+tests)
	src := string(r.Tests[0].Files[0].Src)
	return r, strings.Count(src[:strings.Index(src, called[fuzz])], "\n") + 1
}

// newRow is a row for New; v is what String returns, and err what the error says.
func newRow(s, v, err string) Row {
	return Row{Args: map[string]string{"s": s}, Results: []Result{{Source: v, Said: true}, {Source: err, Error: true}}, Title: "a title", Comment: []string{"m.go:3: changed"}}
}

func TestRowsAreAddedToTables(t *testing.T) {
	less := Row{Args: map[string]string{"s": `"a"`, "other": `"bc"`}, Results: []Result{{Source: "true"}}, Title: "a, bc"}
	for name, c := range map[string]struct {
		tests string
		fuzz  string
		row   Row
		want  string // lines that are added
	}{
		"values in order": {
			tests: `func TestTwice(t *testing.T) {
	tests := []struct {
		in    string
		count int
		want  string
	}{
		{"a", 1, "aa"}, // first
		// none
	}
	for _, tt := range tests {
		if got := Twice(tt.in, tt.count); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
`, fuzz: "FuzzTwice",
			row:  Row{Args: map[string]string{"s": "`\"`", "n": "2"}, Results: []Result{{Source: "`\"\"\"\"`"}}, Comment: []string{"m.go:1: changed", "m.go:2: changed"}},
			want: "\t\t// m.go:1: changed\n\t\t// m.go:2: changed\n\t\t{`\"`, 2, `\"\"\"\"`},\n",
		},
		"names of fields in lines, a title, and what has no name in the row": {
			tests: `type twice struct {
	desc string
	s    string
	n    int
	skip func()
	out  string
}

var cases = []*twice{
	&twice{
		desc: "one",
		s:    "a",
		out:  "",
	},
}

func TestTwice(t *testing.T) {
	for _, c := range cases {
		c := c
		t.Run(c.desc, func(t *testing.T) {
			got := Twice(c.s, c.n)
			if c.out != got {
				t.Error(got)
			}
		})
	}
}
`, fuzz: "FuzzTwice", row: Row{Args: map[string]string{"s": `"x"`, "n": "1"}, Results: []Result{{Source: `"xx"`}}, Title: "xx"},
			want: "\t&twice{\n\t\tdesc: \"xx\",\n\t\ts: \"x\",\n\t\tn: 1,\n\t\tout: \"xx\",\n\t},\n",
		},
		"an error is wanted": {
			tests: `func TestNew(t *testing.T) {
	for _, test := range []struct {
		text string
		fail bool
	}{
		{"1", false},
	} {
		_, err := New(test.text)
		if test.fail && err == nil {
			t.Error("no error")
		} else if !test.fail && err != nil {
			t.Error(err)
		}
	}
}
`, fuzz: "FuzzNew", row: newRow(`""`, "", `"no text"`), want: "\t\t// m.go:3: changed\n\t\t{\"\", true},\n",
		},
		"the text of an error, and what the String method says": {
			tests: `func TestNew(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{text: "1", want: "v"},
	} {
		v, err := New(test.text)
		if err != nil && err.Error() != test.err {
			t.Error(err)
		}
		if err == nil && v.String() != test.want {
			t.Error(v)
		}
	}
}
`, fuzz: "FuzzNew", row: newRow(`"12"`, `"vv"`, `"<nil>"`), want: "\t\t// m.go:3: changed\n\t\t{text: \"12\", want: \"vv\"},\n",
		},
		"a method of values that another function makes": {
			tests: `func TestLess(t *testing.T) {
	for _, test := range []struct {
		v1, v2 string
		want   bool
	}{
		{"1", "2", false},
	} {
		a, b := Must(test.v1), Must(test.v2)
		if a.Less(b) != test.want {
			t.Error(test)
		}
	}
}
`, fuzz: "FuzzLess", row: less, want: "\t\t{\"a\", \"bc\", true},\n",
		},
		"a map from texts to results, of bytes": {
			tests: `func TestSum(t *testing.T) {
	for in, want := range map[string]int{
		"a": 97,
	} {
		if got := Sum([]byte(in)); got != want {
			t.Error(got)
		}
	}
}
`, fuzz: "FuzzSum", row: Row{Args: map[string]string{"data": `[]byte("aa")`}, Results: []Result{{Source: "194"}}}, want: "\t\t\"aa\": 194,\n",
		},
		"a map from names to rows": {
			tests: `func TestSum(t *testing.T) {
	for name, test := range map[string]struct {
		in   []byte
		want int
	}{
		"a": {[]byte("a"), 97},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sum(test.in); got != test.want {
				t.Error(got)
			}
		})
	}
}
`, fuzz: "FuzzSum", row: Row{Args: map[string]string{"data": `[]byte("b")`}, Results: []Result{{Source: "98"}}, Title: "b"}, want: "\t\t\"b\": {[]byte(\"b\"), 98},\n",
		},
		"a function that is called with the fields": {
			tests: `func checkTwice(t *testing.T, want, s string, n int) {
	t.Helper()
	if got := Twice(s, n); got != want {
		t.Error(got)
	}
}

func TestTwice(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"a", 1, "aa"},
	} {
		t.Run(c.s, func(t *testing.T) { checkTwice(t, c.want, c.s, c.n) })
	}
}
`, fuzz: "FuzzTwice", row: Row{Args: map[string]string{"s": `"x"`, "n": "1"}, Results: []Result{{Source: `"xx"`}}}, want: "\t\t{\"x\", 1, \"xx\"},\n",
		},
		"a function that is called with the row": {
			tests: `type row struct{ in, want string }

func check(t *testing.T, r row) {
	v, err := New(r.in)
	if err != nil {
		t.Fatal(err)
	}
	if v.String() != r.want {
		t.Error(v)
	}
}

func TestNew(t *testing.T) {
	for _, r := range []row{
		{"a", "v"},
	} {
		r := r
		check(t, r)
	}
}
`, fuzz: "FuzzNew", row: newRow(`"12"`, `"vv"`, noError), want: "\t\t// m.go:3: changed\n\t\t{\"12\", \"vv\"},\n",
		},
		"a function that is called with the table": {
			tests: `func checkAll(t *testing.T, tests map[string]int) {
	for in, want := range tests {
		if got := Sum([]byte(in)); got != want {
			t.Error(got)
		}
	}
}

func TestSum(t *testing.T) {
	checkAll(t, map[string]int{
		"a": 97,
	})
}
`, fuzz: "FuzzSum", row: Row{Args: map[string]string{"data": `[]byte("aa")`}, Results: []Result{{Source: "194"}}}, want: "\t\t\"aa\": 194,\n",
		},
		"two loops, and how many rows there are": {
			tests: `func TestTwice(t *testing.T) {
	tests := []struct {
		s    string
		n    int
		want string
	}{
		{"a", 1, "aa"},
	}
	t.Log(len(tests))
	for _, c := range tests {
		if Twice(c.s, c.n) != c.want {
			t.Fail()
		}
	}
	for _, c := range tests {
		if len(c.want) != 2*c.n*len(c.s) {
			t.Fail()
		}
	}
}
`, fuzz: "FuzzTwice", row: Row{Args: map[string]string{"s": `"x"`, "n": "1"}, Results: []Result{{Source: `"xx"`}}}, want: "\t\t{\"x\", 1, \"xx\"},\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, line := loaded(t, c.tests, c.fuzz)
			found := Find(r, c.fuzz, line)
			if len(found) != 1 {
				t.Fatalf("%d tables", len(found))
			}
			text, ok := found[0].Add(c.row)
			if !ok {
				t.Fatal("the table can't hold the row")
			}
			src := r.Tests[0].Files[0].Src
			got, err := Extend(src, map[*Table][]string{found[0]: {text}})
			if err != nil {
				t.Fatal(err)
			}
			lines, bad := added(string(src), string(got))
			if diff := cmp.Diff(c.want, lines); diff != "" || bad != "" {
				t.Errorf("%s(-want +got):\n%s\n%s", bad, diff, got)
			}
			if err := loadtest.Compile(loadtest.Typed(t, code, ""), "/m/m_test.go", got); err != nil {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// added returns what text has that was has not, in one piece, if the rest is the same.
func added(was, text string) (string, string) {
	at := 0
	for at < len(was) && was[at] == text[at] {
		at++
	}
	at = strings.LastIndexByte(was[:at], '\n') + 1
	rest := was[at:]
	if !strings.HasSuffix(text, rest) {
		return "", "more than one piece has changed\n"
	}
	return text[at : len(text)-len(rest)], ""
}

func TestTablesThatAreLeft(t *testing.T) {
	const head = "func TestTwice(t *testing.T) {\n\ttests := []struct {\n\t\ts    string\n\t\tn    int\n\t\twant string\n\t}{\n\t\t{\"a\", 1, \"aa\"},\n\t}\n"
	const loop = "\tfor _, c := range tests {\n\t\tif Twice(c.s, c.n) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n"
	if r, line := loaded(t, head+loop, "FuzzTwice"); len(Find(r, "FuzzTwice", line)) != 1 {
		t.Error("the table is not found as it is")
	}
	for name, tests := range map[string]string{
		"the table has another use":               head + "\ttests = tests[:1]\n\tfor _, c := range tests {\n\t\tif Twice(c.s, c.n) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"another test has the table":              "var tests = []struct {\n\ts    string\n\tn    int\n\twant string\n}{\n\t{\"a\", 1, \"aa\"},\n}\n\nfunc TestTwice(t *testing.T) {\n" + loop + "\nfunc TestOther(t *testing.T) {\n\tt.Log(len(tests))\n}\n",
		"a helper changes what it is called with": "func check(t *testing.T, s string, n int, want string) {\n\tn++\n\tif Twice(s, n) != want {\n\t\tt.Fail()\n\t}\n}\n\n" + head + "\tfor _, c := range tests {\n\t\tcheck(t, c.s, c.n, c.want)\n\t}\n}\n",
		"two calls":                head + "\tfor _, c := range tests {\n\t\tif Twice(c.s, c.n) != c.want || Twice(c.s, 0) != \"\" {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"nothing is compared":      head + "\tfor _, c := range tests {\n\t\tt.Log(Twice(c.s, c.n), c.want)\n\t}\n}\n",
		"an argument is constant":  head + "\tfor _, c := range tests {\n\t\tif Twice(c.s, 1) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"an argument is computed":  head + "\tfor _, c := range tests {\n\t\tif Twice(c.s, c.n+1) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"rows are made by calls":   "func row() struct{ s, want string } { panic(1) }\n\nfunc TestTwice(t *testing.T) {\n\tfor _, c := range []struct{ s, want string }{\n\t\trow(),\n\t} {\n\t\tif Twice(c.s, 1) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"a table in one line":      "func TestTwice(t *testing.T) {\n\tfor _, c := range []struct {\n\t\ts    string\n\t\tn    int\n\t\twant string\n\t}{{\"a\", 1, \"aa\"}} {\n\t\tif Twice(c.s, c.n) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"a helper":                 strings.Replace(head, "TestTwice", "helper", 1) + "\tfor _, c := range tests {\n\t\tif Twice(c.s, c.n) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
		"fields of another struct": "type in struct{ s string }\n\nfunc TestTwice(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tin\n\t\tn    int\n\t\twant string\n\t}{\n\t\t{in{\"a\"}, 1, \"aa\"},\n\t} {\n\t\tif Twice(c.s, c.n) != c.want {\n\t\t\tt.Fail()\n\t\t}\n\t}\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			r, line := loaded(t, tests, "FuzzTwice")
			if found := Find(r, "FuzzTwice", line); len(found) > 0 {
				t.Errorf("table in line %d of %s", found[0].Line, found[0].Test)
			}
			if found := Find(r, "FuzzTwice", 1); len(found) > 0 {
				t.Error("a table of no call")
			}
		})
	}
}

func TestRowsThatATableCannotHold(t *testing.T) {
	const tests = `func TestNew(t *testing.T) {
	for s, want := range map[string]string{
		"1": "v",
	} {
		v, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		if v.String() != want {
			t.Error(v)
		}
	}
}
`
	r, line := loaded(t, tests, "FuzzNew")
	found := Find(r, "FuzzNew", line)
	if len(found) != 1 {
		t.Fatalf("%d tables", len(found))
	}
	for name, c := range map[string]struct {
		row Row
		ok  bool
	}{
		"fits":                       {newRow(`"12"`, `"vv"`, noError), true},
		"a key that is there":        {newRow(`"1"`, `"v"`, noError), false},
		"an error":                   {newRow(`""`, "", `"no text"`), false},
		"a result without a literal": {newRow(`"12"`, "", noError), false},
		"no argument":                {Row{Results: []Result{{Source: `"v"`, Said: true}}}, false},
		"more results":               {Row{Args: map[string]string{"s": `"12"`}, Results: make([]Result, 3)}, false},
	} {
		if text, ok := found[0].Add(c.row); ok != c.ok {
			t.Errorf("%s: %v, %q", name, ok, text)
		}
	}
}

// A constant stands in a field of its type. Elsewhere, and in another package, there is the number.
func TestNamedArguments(t *testing.T) {
	for _, c := range []struct{ typ, arg, want string }{
		{"Mode", "c.m", `{"a", Loud, "aa"},`},
		{"int", "Mode(c.m)", `{"a", 2, "aa"},`},
	} {
		r, line := loaded(t, `func TestSay(t *testing.T) {
	for _, c := range []struct {
		s    string
		m    `+c.typ+`
		want string
	}{
		{"", 1, ""},
	} {
		if got := Say(c.s, `+c.arg+`); got != c.want {
			t.Error(got)
		}
	}
}
`, "FuzzSay")
		found := Find(r, "FuzzSay", line)
		if len(found) != 1 {
			t.Fatalf("%d tables", len(found))
		}
		row := Row{
			Args: map[string]string{"s": `"a"`, "m": "2"}, Results: []Result{{Source: `"aa"`}},
			Named: map[string]Named{"m": {"Loud", r.Tests[0].Types.Scope().Lookup("Mode").Type()}},
		}
		if text, ok := found[0].Add(row); !ok || text != c.want+"\n" {
			t.Errorf("%s: %v, %q", c.typ, ok, text)
		}
		found[0].beside = false
		if text, ok := found[0].Add(row); !ok || !strings.Contains(text, "2,") {
			t.Errorf("%s of another package: %v, %q", c.typ, ok, text)
		}
	}
}

// A file that gofmt has not written keeps its form: rows are indented as the last one is.
func TestFilesOfAnotherForm(t *testing.T) {
	const tests = "func TestSum(t *testing.T) {\n  for in, want := range map[string]int{\n    \"a\":97,\n  } {\n    if Sum([]byte(in)) != want { t.Fail() }\n  }\n}\n"
	r, line := loaded(t, tests, "FuzzSum")
	found := Find(r, "FuzzSum", line)
	if len(found) != 1 {
		t.Fatalf("%d tables", len(found))
	}
	src := r.Tests[0].Files[0].Src
	got, err := Extend(src, map[*Table][]string{found[0]: {"// b\n\"b\": 98,\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if text, bad := added(string(src), string(got)); bad != "" || text != "    // b\n    \"b\": 98,\n" {
		t.Errorf("%s%q", bad, text)
	}
	if _, err := Extend(src, map[*Table][]string{found[0]: {"{\n"}}); err == nil {
		t.Error("what is no row is no error")
	}
}
