package goldentest

import (
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/tables"
)

const priced = `
-- go.mod --
module example.com/price

go 1.26
-- p.go --
package price

import (
	"errors"
	"strconv"
)

type Price struct{ Cents int }

func Of(n int, s string) (int, error) {
	if n < 0 {
		return 0, errors.New("negative")
	}
	return n * 3, nil
}

func Whole(n int) *Price { return &Price{n} }

type Sum struct{ n int }

func (s *Sum) String() string { return strconv.Itoa(s.n) }

func Add(n int) *Sum { return &Sum{n} }
-- p_test.go --
package price

import "testing"

func TestOf(t *testing.T) {}

func FuzzOf(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int, s string) { Of(n, s) })
}

func FuzzWhole(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Whole(n) })
}

func FuzzSum(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Add(n) })
}

func FuzzSame(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Add(n) })
}

func FuzzTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		for range n {
			Of(n, "")
		}
	})
}
-- x_test.go --
package price_test

import (
	"testing"

	"example.com/price"
)

func FuzzOutside(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { price.Of(n, "x") })
}
`

func ofCase(name, result, err string, args ...any) Case {
	return Case{Name: name, Args: args, Values: []golden.Value{{Name: "price.Of #1 result 0", Text: result}, {Name: "price.Of #1 result 1", Text: err}}}
}

func TestPlainTests(t *testing.T) {
	r := loadText(t, priced)
	f := &Plain{Name: "plain_test.go", ExternalName: "plain_x_test.go", Mark: "// Plain tests.\n"}
	got, err := f.Write(r, []Test{
		{Name: "FuzzOf", Cases: []Case{
			ofCase("fuzzmut-7-a-ab6979d07687c497", "int 21", "nil", 7, "a"),
			ofCase("fuzzmut-neg-bb6979d07687c497", "int 0", `error "negative"`, -1, "\n"),
			ofCase("fuzzmut-odd-cb6979d07687c497", "int 0", `*price.Err &{Code: 1}`, -1, "\n"),
			ofCase("fuzzmut-big-db6979d07687c497", "int 0", "nil", 1<<40, "b"),
		}},
		{Name: "FuzzWhole", Cases: []Case{{Name: "fuzzmut-1-ab6979d07687c497", Args: []any{1}, Values: []golden.Value{{Name: "price.Whole #1 result 0", Text: "*price.Price &{Cents: 1}"}}}}},
		{Name: "FuzzSum", Cases: []Case{
			{Name: "fuzzmut-1-ab6979d07687c497", Args: []any{1}, Values: []golden.Value{{Name: "price.Add #1 result 0", Text: `*price.Sum &{String(): "1"}`}}},
			{
				Name: "fuzzmut-2-ab6979d07687c498", Args: []any{2}, Values: []golden.Value{{Name: "price.Add #1 result 0", Text: `*price.Sum &{String(): "2"}`}},
				Against: []golden.Value{{Name: "price.Add #1 result 0", Text: `*price.Sum &{String(): "3"}`}},
			},
		}},
		{Name: "FuzzSame", Cases: []Case{{
			Name: "fuzzmut-1-ab6979d07687c497", Args: []any{1}, Values: []golden.Value{{Name: "price.Add #1 result 0", Text: `*price.Sum &{String(): "1", Cents(): 1}`}},
			Against: []golden.Value{{Name: "price.Add #1 result 0", Text: `*price.Sum &{String(): "1", Cents(): 2}`}},
		}}},
		{Name: "FuzzTwice", Cases: []Case{ofCase("fuzzmut-2-ab6979d07687c497", "int 6", "nil", 2)}},
		{Name: "FuzzOutside", Cases: []Case{ofCase("fuzzmut-2-ab6979d07687c497", "int 6", "nil", 2)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Left{
		{"FuzzOf", `-1, "\n"`, "one of its results has a literal only here, or only in the cases before", 2},
		{"FuzzOf", `1099511627776, "b"`, wideReason, 3},
		{"FuzzSame", "1", "what differs is in no result that a test compares without fuzzmut", 0},
		{"FuzzTwice", "2", "the fuzz target does not begin with one call of a function, whose results are compared", 0},
	}
	if diff := cmp.Diff(want, got.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	files := got.Files
	if names := slices.Sorted(maps.Keys(files)); len(names) != 2 || filepath.Base(names[0]) != f.Name || filepath.Base(names[1]) != f.ExternalName {
		t.Fatalf("%q", names)
	}
	if want := []string{"TestOf2", "TestWhole", "TestSum", "TestOutside"}; !slices.Equal(got.Names(), want) || !slices.Equal(got.Tests[0].Cases, []int{0, 1}) {
		t.Errorf("%+v, want %q", got.Tests, want)
	}
	sum := tables.Row{Line: got.Tests[2].Rows[1].Line, Args: map[string]string{"n": "2"}, Title: "2", Results: []tables.Result{{Source: `"2"`, Said: true}}}
	of := tables.Row{Line: got.Tests[0].Rows[1].Line, Args: map[string]string{"n": "-1", "s": `"\n"`}, Title: `-1, \n`, Results: []tables.Result{{Source: "0"}, {Source: `"negative"`, Error: true}}}
	if diff := cmp.Diff([]tables.Row{of, sum}, []tables.Row{got.Tests[0].Rows[1], got.Tests[2].Rows[1]}); diff != "" || of.Line == sum.Line {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	text := string(files[filepath.Join(r.Test.Dir, f.Name)])
	for _, want := range []string{f.Mark, "func TestOf2(", `{"7, a", 7, "a", 21, "<nil>"}`, "{`-1, \\n`, -1, \"\\n\", 0, \"negative\"}", `{"1", 1, &Price{Cents: 1}}`, "!reflect.DeepEqual(got, test.want)", `{"2", 2, "2"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	write(t, files)
	vet(t, r.Test.Dir)
	cmd := exec.Command("go", "test", "-run", "^Test(Of2|Whole|Sum|Outside)$", ".")
	cmd.Dir = r.Test.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const versions = `
-- go.mod --
module example.com/version

go 1.26
-- p.go --
package version

import "strconv"

type Version struct{ n int }

func Parse(s string) (*Version, error) {
	n, err := strconv.Atoi(s)
	return &Version{n}, err
}

func (v *Version) Less(o *Version) bool { return v.n < o.n }

func (v *Version) Check() error { return nil }

type tree struct{ left *tree }

func Read(s string) (*tree, error) { return &tree{}, nil }
-- p_test.go --
package version

import "testing"

func FuzzVersion_Less(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, sArg string) {
		version, err := Parse(s)
		if err != nil {
			return
		}
		o, err := Parse(sArg)
		if err != nil {
			return
		}
		version.Less(o)
	})
}

func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { Read(s) })
}

func FuzzVersion_Loop(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		for range s {
			Parse(s)
		}
	})
}

func FuzzVersion_Check(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		version, err := Parse(s)
		if err != nil {
			return
		}
		version.Check()
	})
}
`

// What no test can compare is said of the results of the function, and of the call where these can be compared.
func TestWhyACallIsNotCompared(t *testing.T) {
	r := loadText(t, `-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type (
	Option func()
	T int
)

//fuzzmut:target
func With(n int) Option { return nil }

//fuzzmut:target
func Open(n int) (Option, <-chan int) { return nil, nil }

//fuzzmut:target
func Say(n int) {}

//fuzzmut:target
func Len(n int) int { return 0 }

//fuzzmut:target
func (T) Done(n int) chan int { return nil }

//fuzzmut:target
func (*T) Reset(n int) {}

//fuzzmut:target sequence
type Queue struct{ n int }

func (q *Queue) Push(n int) { q.n += n }
-- m_test.go --
package m

import "testing"

func FuzzWritten(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { New() }) }

func New() Option { return nil }
`)
	const call = "a test can't make the call: its arguments can't be held by a test, or other calls come between"
	for fuzz, want := range map[string]string{
		"FuzzWith": "its result is a function, which can't be compared", "FuzzOpen": "its results are functions or channels, which can't be compared",
		"FuzzSay": "it has no results", "FuzzT_Reset": "it has no results", "FuzzT_Done": "its result is a channel, which can't be compared",
		"FuzzLen": "", "FuzzQueue": call, "FuzzWritten": call,
	} {
		if !slices.ContainsFunc(r.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == fuzz }) {
			t.Errorf("%s is not there", fuzz)
		}
		if got := Unfit(r, fuzz); got != want {
			t.Errorf("%s: %q, want %q", fuzz, got, want)
		}
	}
}

// Arguments that constructors make are made in the test. Each case may be a test.
// withoutRows leaves out what TestPlainTests looks at.
var withoutRows = cmpopts.IgnoreFields(Written{}, "Rows", "Printed", "Parts", "Beside")

func TestPlainTestsOfMethods(t *testing.T) {
	r := loadText(t, versions)
	tests := []Test{
		{Name: "FuzzVersion_Less", Cases: []Case{
			{Name: "less", Args: []any{"1", "2"}, Values: []golden.Value{{Name: "version.Version.Less #1 result 0", Text: "bool true"}}, Comment: []string{"p.go:12 is seen"}},
			{Name: "no version", Args: []any{"x", "2"}, Values: nil},
			{Name: "equal", Args: []any{"1", "1"}, Values: []golden.Value{{Name: "version.Version.Less #1 result 0", Text: "bool false"}}},
		}},
		{Name: "FuzzVersion_Check", Cases: []Case{{Name: "1", Args: []any{"1"}, Values: []golden.Value{{Name: "version.Version.Check #1 result 0", Text: "nil"}}}}},
		{Name: "FuzzRead", Cases: []Case{{Name: "x", Args: []any{"x"}, Values: []golden.Value{{Name: "version.Read #1 result 0", Text: "*version.tree &{left: nil}"}, {Name: "version.Read #1 result 1", Text: "nil"}}}}},
	}
	for name, want := range map[string]string{"FuzzVersion_Less": "", "FuzzVersion_Loop": "a test can't make the call: its arguments can't be held by a test, or other calls come between"} {
		if got := Unfit(r, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := Fit(r, tests[0]); !slices.Equal(got, []Fitting{{Plain: true}, {Why: "the fuzz target does not begin with one call of a function, whose results are compared"}, {Plain: true}}) {
		t.Errorf("fit: %v", got)
	}
	f := &Plain{Name: "plain_test.go", Mark: "// Plain tests.\n"}
	for _, apart := range []bool{true, false} {
		f.Apart = apart
		got, err := f.Write(r, tests)
		if err != nil {
			t.Fatal(err)
		}
		less := Written{"TestVersion_Less", "FuzzVersion_Less", []int{0, 2}, []string{`Parse("1").Less(Parse("2"))`, `Parse("1").Less(Parse("1"))`}, []string{"true", "false"}, make([]bool, 2), nil, nil, nil, nil}
		check := Written{"TestVersion_Check", "FuzzVersion_Check", []int{0}, []string{`Parse("1").Check()`}, []string{"nil"}, make([]bool, 1), nil, nil, nil, nil}
		read := Written{"TestRead", "FuzzRead", []int{0}, []string{`Read("x")`}, []string{"_, nil"}, make([]bool, 1), nil, nil, nil, nil}
		want := []Written{less, check, read}
		if apart {
			want = []Written{
				{"TestVersion_Less_1", less.Fuzz, less.Cases[:1], less.Calls[:1], less.Results[:1], less.Errors[:1], nil, nil, nil, nil},
				{"TestVersion_Less_2", less.Fuzz, less.Cases[1:], less.Calls[1:], less.Results[1:], less.Errors[1:], nil, nil, nil, nil},
				{"TestVersion_Check_1", check.Fuzz, check.Cases, check.Calls, check.Results, check.Errors, nil, nil, nil, nil},
				{"TestRead_1", read.Fuzz, read.Cases, read.Calls, read.Results, read.Errors, nil, nil, nil, nil},
			}
		}
		if diff := cmp.Diff(want, got.Tests, withoutRows); diff != "" {
			t.Errorf("tests (-want +got):\n%s", diff)
		}
		if len(got.Left) != 1 || got.Left[0].Case != 1 {
			t.Errorf("left %+v", got.Left)
		}
		text := string(got.Files[filepath.Join(r.Test.Dir, f.Name)])
		for _, want := range []string{
			"\t\t// p.go:12 is seen\n\t\t{\"less\", \"1\", \"2\", true},\n", "\t\t\tif err != nil {\n\t\t\t\tt.Fatal(err)\n", "got := version.Less(o)",
			`t.Errorf("Parse(%q).Less(Parse(%q)) = %v, want %v", test.s, test.sArg, got, test.want)`, "gotErr := version.Check()", "_, err := Read(test.s)",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		write(t, got.Files)
		vet(t, r.Test.Dir)
		cmd := exec.Command("go", "test", "-run", "^("+strings.Join(got.Names(), "|")+")$", ".")
		cmd.Dir = r.Test.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

const clocks = `-- go.mod --
module example.com/clock

go 1.26
-- clock.go --
package clock

import "time"

func Parse(s string) (time.Time, error) { return time.Parse(time.DateTime, s) }
-- clock_test.go --
package clock

import "testing"

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		Parse(s)
	})
}
`

// Instants are compared with Equal. What returns an error is known as such.
func TestPlainTestsOfTimes(t *testing.T) {
	r := loadText(t, clocks)
	returned := func(input, at, err string) Case {
		return Case{Name: input, Args: []any{input}, Values: []golden.Value{
			{Name: "clock.Parse #1 result 0", Text: "time.Time " + at}, {Name: "clock.Parse #1 result 1", Text: err},
		}}
	}
	test := Test{Name: "FuzzParse", Cases: []Case{
		returned("2009-08-12 22:15:00", "2009-08-12T22:15:00Z", "nil"),
		returned("x", "0001-01-01T00:00:00Z", `error "no time"`),
	}}
	if got := Fit(r, test); !slices.Equal(got, []Fitting{{Plain: true}, {Plain: true, Error: true}}) {
		t.Errorf("fit: %v", got)
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{test})
	if err != nil {
		t.Fatal(err)
	}
	want := Written{
		Name: "TestParse", Fuzz: "FuzzParse", Cases: []int{0, 1}, Calls: []string{`Parse("2009-08-12 22:15:00")`, `Parse("x")`},
		Results: []string{"time.Date(2009, time.August, 12, 22, 15, 0, 0, time.UTC), nil", `time.Time{}, error "no time"`}, Errors: []bool{false, true},
	}
	if diff := cmp.Diff([]Written{want}, got.Tests, withoutRows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text := string(got.Files[filepath.Join(r.Test.Dir, "plain_test.go")])
	for _, want := range []string{"want    time.Time", "!got.Equal(test.want)", "\t\"time\"\n", "{\"x\", \"x\", time.Time{}, \"no time\"}"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

const flagged = `
-- go.mod --
module example.com/esc

go 1.26
-- esc.go --
package esc

import "strconv"

type encoding int

const (
	encodePath encoding = 1 + iota
	encodeFragment
)

type Flags uint

const (
	Lower Flags = 1 << iota
	Sort
	Trim
)

type Level uint8

const Loud Level = 7

func (l Level) String() string { return "level " + strconv.Itoa(int(l)) }

func (f Flags) Any(of Flags) bool { return f&of != 0 }

func escape(c byte, mode encoding) bool { return c == '/' && mode == encodeFragment }

func Next(r rune, n int32, f Flags) (rune, Flags) { return r + 1, f | Sort }

func Raise(l Level, by string) Level { return l + Level(len(by)) }
-- esc_test.go --
package esc

import "testing"

func FuzzEscape(f *testing.F) {
	f.Fuzz(func(t *testing.T, c byte, mode int) { escape(c, encoding(mode)) })
}

func FuzzRaise(f *testing.F) {
	f.Fuzz(func(t *testing.T, l uint8, by string) { Raise(Level(l), by) })
}

func FuzzSaid(f *testing.F) {
	f.Fuzz(func(t *testing.T, l uint8) { _ = Level(l).String() })
}

func FuzzAny(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint) { Flags(a).Any(Flags(b)) })
}
-- x_test.go --
package esc_test

import (
	"testing"

	"example.com/esc"
)

func FuzzNext(f *testing.F) {
	f.Fuzz(func(t *testing.T, r rune, n int32, flags uint) { esc.Next(r, n, esc.Flags(flags)) })
}
`

// Arguments and results are written by the constants of their types, and as characters.
func TestPlainTestsNameConstants(t *testing.T) {
	r := loadText(t, flagged)
	f := &Plain{Name: "plain_test.go", ExternalName: "plain_x_test.go", Mark: "// Plain tests.\n"}
	const hash = "ab6979d07687c497"
	of := func(function, hash string, args []any, results ...string) Case {
		k := Case{Name: hash, Args: args}
		for i, text := range results {
			k.Values = append(k.Values, golden.Value{Name: "esc." + function + " #1 result " + string(rune('0'+i)), Text: text})
		}
		return k
	}
	got, err := f.Write(r, []Test{
		{Name: "FuzzEscape", Cases: []Case{of("escape", hash, []any{byte('/'), 2}, "bool true"), of("escape", hash[1:]+"a", []any{byte(7), 3}, "bool false")}},
		{Name: "FuzzNext", Cases: []Case{of("Next", hash, []any{'a', int32(98), uint(5)}, "int32 98", "esc.Flags 7"), of("Next", hash[1:]+"a", []any{'b', int32(98), uint(0)}, "int32 99", "esc.Flags 2")}},
		{Name: "FuzzRaise", Cases: []Case{of("Raise", hash, []any{uint8(7), ") = "}, `esc.Level 11 "level 11"`)}},
		{Name: "FuzzSaid", Cases: []Case{of("Level.String", hash, []any{uint8(7)}, `string "level 7"`), of("Level.String", hash[1:]+"a", []any{uint8(3)}, `string "level 3"`)}},
		{Name: "FuzzAny", Cases: []Case{of("Flags.Any", hash, []any{uint(5), uint(4)}, "bool true")}},
	})
	if err != nil || len(got.Left) > 0 {
		t.Fatal(err, got.Left)
	}
	var shown, printed []string
	for _, w := range got.Tests {
		for i := range w.Calls {
			shown = append(shown, w.Calls[i]+" = "+w.Results[i])
			printed = append(printed, w.Printed[i])
		}
	}
	want := []string{
		`escape('/', encodeFragment) = true`, `escape(7, 3) = false`, "Raise(Loud, \") = \") = 11",
		`Loud.String() = "level 7"`, `Level(3).String() = "level 3"`, "(Lower|Trim).Any(Trim) = true",
		`esc.Next('a', 98, esc.Lower|esc.Trim) = 'b', esc.Lower|esc.Sort|esc.Trim`, `esc.Next('b', 98, 0) = 'c', esc.Sort`,
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	for i, text := range []string{`escape('/', 2)`, `escape('\a', 3)`, `Raise(level 7, ") = ")`, `level 7.String()`, `level 3.String()`, `5.Any(4)`, `esc.Next('a', 98, 5)`, `esc.Next('b', 98, 0)`} {
		if at := regexp.MustCompile(printed[i] + " = ").FindString(text + " = 1) = 2"); at != text+" = " {
			t.Errorf("%s: %q matches %q", text, printed[i], at)
		}
	}
	escaped := got.Tests[0].Rows[0]
	if escaped.Args["c"] != "'/'" || escaped.Args["mode"] != "2" || escaped.Named["mode"].Source != "encodeFragment" || got.Tests[4].Rows[0].Named != nil {
		t.Errorf("rows %+v, %+v", escaped, got.Tests[4].Rows[0])
	}
	var text string
	for _, src := range got.Files {
		text += string(src)
	}
	for _, want := range []string{
		`{"/, encodeFragment", '/', encodeFragment, true}`, `{"7, 3", 7, 3, false}`, "mode encoding\n", `{"a, 98, esc.Lower|esc.Trim", 'a', 98, esc.Lower | esc.Trim, 'b', esc.Lower | esc.Sort | esc.Trim}`,
		`t.Errorf("escape(%q, %v) = %v, want %v", test.c, test.mode, got, test.want)`, `{"Loud, ) = ", Loud, ") = ", 11}`, "got0, got1 := esc.Next(test.r, test.n, test.flags)",
		`t.Errorf("Raise(%v, %q) = %v (%d), want %v (%d)", test.l, test.by, got, got, test.want, test.want)`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	write(t, got.Files)
	vet(t, r.Test.Dir)
	goTest(t, r.Test.Dir)
}

// A test has no name that an external test declares, if that imports all names of the package.
func TestPlainTestsBesideADotImport(t *testing.T) {
	text := clocks + "-- x_test.go --\npackage clock_test\n\nimport (\n\t\"testing\"\n\n\t. \"example.com/clock\"\n)\n\nfunc TestParse(t *testing.T) { Parse(\"\") }\n"
	for _, dot := range []bool{true, false} {
		want := "TestParse2"
		if !dot {
			want, text = "TestParse", strings.NewReplacer(". \"ex", "\"ex", "{ Parse", "{ clock.Parse").Replace(text)
		}
		r := loadText(t, text)
		f := &Plain{Name: "plain_test.go", Mark: "// Plain tests.\n"}
		got, err := f.Write(r, []Test{{Name: "FuzzParse", Cases: []Case{
			{Name: "x", Args: []any{"x"}, Values: []golden.Value{{Name: "clock.Parse #1 result 0", Text: "time.Time 0001-01-01T00:00:00Z"}, {Name: "clock.Parse #1 result 1", Text: `*time.ParseError error "e"`}}},
		}}})
		if err != nil || len(got.Tests) != 1 || got.Tests[0].Name != want {
			t.Fatalf("%v, %+v", err, got)
		}
		write(t, got.Files)
		vet(t, r.Test.Dir)
	}
}

const waiting = `-- go.mod --
module example.com/wait

go 1.26
-- wait.go --
package wait

import "time"

func Next(d time.Duration) time.Duration { return d + d/2 }

func Round(d time.Duration) string { return d.Round(time.Minute).String() }
-- wait_test.go --
package wait

import (
	"testing"
	"time"
)

func FuzzNext(f *testing.F) { f.Fuzz(func(t *testing.T, n int64) { Next(time.Duration(n)) }) }

func FuzzRound(f *testing.F) { f.Fuzz(func(t *testing.T, n int64) { Round(time.Duration(n)) }) }
`

// Durations are written in units, as arguments and results, where that is short.
func TestPlainTestsNameDurations(t *testing.T) {
	r := loadText(t, waiting)
	f := &Plain{Name: "plain_test.go", Mark: "// Plain tests.\n"}
	const hash = "ab6979d07687c497"
	got, err := f.Write(r, []Test{
		{Name: "FuzzNext", Cases: []Case{
			{Name: hash, Args: []any{int64(time.Hour)}, Values: []golden.Value{{Name: "wait.Next #1 result 0", Text: "time.Duration 5400000000000"}}},
			{Name: hash[1:] + "a", Args: []any{int64(7)}, Values: []golden.Value{{Name: "wait.Next #1 result 0", Text: "time.Duration 10"}}},
		}},
		{Name: "FuzzRound", Cases: []Case{{Name: hash, Args: []any{int64(90*time.Minute + 40*time.Second)}, Values: []golden.Value{{Name: "wait.Round #1 result 0", Text: `string "1h31m0s"`}}}}},
	})
	if err != nil || len(got.Left) > 0 {
		t.Fatal(err, got.Left)
	}
	var shown []string
	for _, w := range got.Tests {
		for i := range w.Calls {
			shown = append(shown, w.Calls[i]+" = "+w.Results[i])
		}
	}
	want := []string{"Next(time.Hour) = 90*time.Minute", "Next(7) = 10", `Round(5440*time.Second) = "1h31m0s"`}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	write(t, got.Files)
	vet(t, r.Test.Dir)
	goTest(t, r.Test.Dir)
}

// A result that differs from run to run is left out, and the others of the call are compared. A test of golden values
// has no such table: it says of each value whether it differs.
func TestWhatDiffersFromRunToRunIsLeftOut(t *testing.T) {
	r := loadText(t, priced)
	cases := []Case{
		ofCase("fuzzmut-7-a-ab6979d07687c497", golden.Unstable, "nil", 7, "a"),
		ofCase("fuzzmut-neg-bb6979d07687c497", "*price.Price &{Cents: "+golden.Unstable+"}", `error "negative"`, -1, "\n"),
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{{Name: "FuzzOf", Cases: cases}})
	if err != nil || len(got.Left) > 0 || len(got.Tests) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{`_, nil`, `_, error "negative"`}, got.Tests[0].Results); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	for _, text := range got.Files {
		if !strings.Contains(string(text), "_, err := Of(test.n, test.s)") || strings.Contains(string(text), "differs") {
			t.Errorf("%s", text)
		}
	}
	neither := ofCase("fuzzmut-7-a-ab6979d07687c497", golden.Unstable, golden.Unstable, 7, "a")
	if got, err = (&Plain{Name: "plain_test.go"}).Write(r, []Test{{Name: "FuzzOf", Cases: []Case{neither}}}); err != nil {
		t.Fatal(err)
	}
	if len(got.Left) != 1 || got.Left[0].Why != "what the call returns differs from run to run" {
		t.Errorf("left: %+v", got.Left)
	}
	for i, fit := range Fit(r, Test{Name: "FuzzOf", Cases: append(cases, neither)}) {
		if plain := i < 2; fit.Plain != plain || fit.Why != map[bool]string{false: "what the call returns differs from run to run"}[plain] {
			t.Errorf("case %d: %+v", i, fit)
		}
	}
}
