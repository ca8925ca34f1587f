package load

import (
	"errors"
	"go/constant"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

const marks = head + `
-- d.go --
package m

// Parse has no fuzz test.
//
//fuzzmut:target
func Parse(s string) int { return len(s) }

// Called has one.
//
//fuzzmut:target
func Called(s string) int { return len(s) }

// Named has one of its name.
//
//fuzzmut:target
func Named(s string) int { return len(s) }

//fuzzmut:target
func hidden(s string) int { return len(s) }

//fuzzmut:target fuzz
func wanted(s string) int { return len(s) }

//fuzzmut:target
func Wait(c chan int) {}

type pair struct{ A, B int }

//fuzzmut:target
func (p pair) Sum() int { return p.A + p.B }

// Queue is a queue.
//
//fuzzmut:target sequence
//fuzzmut:model slow
type Queue struct{ list []int }

func (q *Queue) Push(n int) { q.list = append(q.list, n) }

//fuzzmut:target sequence
type done chan int

// Cache has a fuzz test of its name.
//
//fuzzmut:target sequence
type Cache struct{ n int }

func (c *Cache) Add(n int) { c.n += n }
-- d_test.go --
package m

import "testing"

func call(s string) { Called(s) }

func FuzzOwn(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { call(s) }) }

type slow struct{ n int }

func (s *slow) Push(n int) { s.n++ }

func FuzzNamed(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }

func FuzzCache(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }

//fuzzmut:target
func PropLen(xs []int) bool { return len(xs) >= 0 }
-- parse_fuzz_test.go --
package m
-- x_test.go --
package m_test

import "example.com/m"

//fuzzmut:target property
func lengths(s string) error { m.Parse(s); return nil }
`

func TestDerive(t *testing.T) {
	dir := unpack(t, marks)
	var notes []string
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Derive: true, Note: func(s string) { notes = append(notes, s) }})
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	want := []instrument.FuzzTest{
		{Name: "FuzzOwn", File: at("d_test.go"), Line: 7, ArgTypes: []string{"string"}},
		{Name: "FuzzNamed", File: at("d_test.go"), Line: 13, ArgTypes: []string{"string"}},
		{Name: "FuzzCache", File: at("d_test.go"), Line: 15, ArgTypes: []string{"string"}},
		{Name: "FuzzParse", File: at("parse_fuzz2_test.go"), Line: 5, ArgTypes: []string{"string"}, Target: "Parse"},
		{Name: "FuzzPropLen", File: at("prop_len_fuzz_test.go"), Line: 9, Target: "PropLen"},
		{Name: "FuzzQueue", File: at("queue_fuzz_test.go"), Line: 9, Target: "Queue"},
		{Name: "Fuzz_wanted", File: at("wanted_fuzz_test.go"), Line: 5, ArgTypes: []string{"string"}, Target: "wanted"},
		{Name: "Fuzz_lengths", File: at("lengths_fuzz_test.go"), Line: 5, ArgTypes: []string{"string"}, Target: "lengths"},
	}
	if diff := cmp.Diff(want, r.Test.Fuzz); diff != "" {
		t.Errorf("fuzz tests (-want +got):\n%s", diff)
	}
	wantNotes := []string{
		"d.go:25: no fuzz test can be derived for Wait: its argument c is of type chan int",
		"d.go:41: no fuzz test can be derived for done: it has no exported method",
	}
	if len(notes) != len(wantNotes) {
		t.Fatalf("notes are %q", notes)
	}
	for i, want := range wantNotes {
		if !strings.HasPrefix(notes[i], want) {
			t.Errorf("note %d is %q, want %q", i, notes[i], want)
		}
	}
	var tested []string
	for _, have := range r.Tested {
		tested = append(tested, have.String())
	}
	wantTested := []string{
		"a fuzz test calls Called (d.go:11) already",
		"Named (d.go:16) has the fuzz test FuzzNamed already",
		"the type Cache (d.go:46) has the fuzz test FuzzCache already",
	}
	if diff := cmp.Diff(wantTested, tested); diff != "" {
		t.Errorf("what has a fuzz test (-want +got):\n%s", diff)
	}
	external := slices.ContainsFunc(r.Tests, func(f *TestFiles) bool {
		return f.External && slices.ContainsFunc(f.Files, func(f File) bool { return f.Path == at("lengths_fuzz_test.go") })
	})
	if !external {
		t.Error("the fuzz test of an external test package's function is not in that")
	}
	if len(r.Library) == 0 {
		t.Error("PropLen needs the library, which is not there")
	}
}

// The file of a fuzz test with type parameters has to ask for them in old modules.
func TestDeriveInOldModules(t *testing.T) {
	for _, line := range []string{"", "\ngo 1.13\n", "\ngo 1.18\n"} {
		dir := unpack(t, "-- go.mod --\nmodule example.com/m\n"+line+"-- m.go --\npackage m\n\n//fuzzmut:target\nfunc M(ns []int) int { return len(ns) }\n")
		r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Derive: true})
		if err != nil || len(r.Derived) != 1 {
			t.Errorf("go.mod with %q: %v", line, err)
			continue
		}
		if asks, want := strings.HasPrefix(string(r.Derived[0].Text), "//go:build go1.18\n"), !strings.Contains(line, "18"); asks != want {
			t.Errorf("go.mod with %q: the file is\n%s", line, r.Derived[0].Text)
		}
	}
}

func TestDeriveOnlyWhenAsked(t *testing.T) {
	r, err := Load(t.Context(), Config{Dir: unpack(t, marks), Pattern: "."})
	if err != nil || len(r.Test.Fuzz) != 3 || r.Derived != nil {
		t.Errorf("%v, fuzz tests %v, derived %v", err, r.Test.Fuzz, r.Derived)
	}
}

// Where the package has other fuzz tests, a run goes on, and names the slip of one to derive.
func TestDeriveNotesASlip(t *testing.T) {
	dir := unpack(t, headTest+"-- d.go --\npackage m\n\n// fuzzmut:ignore it logs\n//\n// fuzzmut:target\nfunc F(s string) int { return 1 }\n")
	for derive, want := range map[bool][]string{false: nil, true: {"d.go:5: this comment is no directive; write //fuzzmut:target at its beginning"}} {
		var notes []string
		_, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Derive: derive, Note: func(s string) { notes = append(notes, s) }})
		if err != nil || !slices.Equal(notes, want) {
			t.Errorf("derived %v: %v, notes %q", derive, err, notes)
		}
	}
}

func TestDeriveTargets(t *testing.T) {
	dir := unpack(t, head+"-- m.go --\npackage m\n\ntype T int\n\nfunc (t *T) m(s string) int { return 1 }\n\nfunc F(s string) int { return 1 }\n-- f_fuzz_test.go --\npackage m\n-- x/x.go --\npackage x\n\nfunc G(s string) {}\n")
	seeds := [][]constant.Value{{constant.MakeString("seed")}}
	targets := []Target{{Function: "example.com/m.F", Seeds: seeds}, {Function: "(*example.com/m.T).m"}}
	for _, derive := range []bool{false, true} {
		r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Derive: derive, Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		want := []instrument.FuzzTest{
			{Name: "FuzzF", File: filepath.Join(dir, "f_fuzz2_test.go"), Line: 5, ArgTypes: []string{"string"}, Target: "F"},
			{Name: "FuzzT_m", File: filepath.Join(dir, "t_m_fuzz_test.go"), Line: 9, Target: "(*T).m"},
		}
		if diff := cmp.Diff(want, r.Test.Fuzz); diff != "" {
			t.Errorf("fuzz tests (-want +got):\n%s", diff)
		}
		if text := r.DerivedFiles[want[0].File]; !strings.Contains(string(text), `f.Add("seed")`) {
			t.Errorf("the seed is not there:\n%s", text)
		}
	}
	// A package without tests.
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: "./x", Targets: []Target{{Function: "example.com/m/x.G"}}})
	if err != nil || len(r.Test.Fuzz) != 1 || r.Test.Untested {
		t.Errorf("without tests: %v, %+v", err, r)
	}
	_, err = Load(t.Context(), Config{Dir: dir, Pattern: "./x", Targets: []Target{{Function: "example.com/m/x.H"}}})
	checkError(t, "a function that is not there", err, problem.KindNotFound, "no fuzz test can be derived for example.com/m/x.H: package example.com/m/x has no such function")
}

// A fuzz test begins with what test files and examples pass to the function.
func TestDerivedBeginWithWhatTestsPass(t *testing.T) {
	dir := unpack(t, head+"-- m.go --\npackage m\n\n//fuzzmut:target\nfunc F(s string, n int) int { return n }\n"+
		"-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tfor _, s := range []string{\"table\"} {\n\t\tF(s, 3)\n\t}\n}\n"+
		"-- example_test.go --\npackage m_test\n\nimport \"example.com/m\"\n\nfunc ExampleF() { m.F(\"example\", 4) }\n")
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Derive: true})
	if err != nil || len(r.Derived) != 1 {
		t.Fatalf("%v, derived %v", err, r.Derived)
	}
	for _, want := range []string{`f.Add("table", 3)`, `f.Add("example", 4)`} {
		if text := string(r.Derived[0].Text); !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// A target gets its own fuzz test, whatever has the name, or calls it.
func TestDeriveTargetsBesidesOthers(t *testing.T) {
	r, err := Load(t.Context(), Config{Dir: unpack(t, marks), Pattern: ".", Targets: []Target{{Function: "example.com/m.Named"}, {Function: "example.com/m.Called"}}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range r.Derived {
		names = append(names, d.Name)
	}
	if want := []string{"FuzzCalled", "FuzzNamed2"}; !slices.Equal(names, want) {
		t.Errorf("derived %v, want %v", names, want)
	}
}

func TestExpandToTargets(t *testing.T) {
	dir := unpack(t, head+"-- a/a.go --\npackage a\n\n//fuzzmut:target\nfunc A(int) {}\n-- b/b.go --\npackage b\n\n//fuzzmut:target\nfunc b(int) {}\n")
	for _, derive := range []bool{false, true} {
		got, err := Expand(t.Context(), Config{Dir: dir, Derive: derive}, []string{"./..."})
		if want := []string{"example.com/m/a"}; derive && (err != nil || !slices.Equal(got, want)) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		} else if !derive && err == nil {
			t.Errorf("without being asked to derive, got %v", got)
		}
	}
	// Of the only package Load reports why nothing is derived.
	cfg := Config{Dir: dir, Derive: true, Pattern: "./b"}
	if got, err := Expand(t.Context(), cfg, []string{"./b"}); err != nil || !slices.Equal(got, []string{"example.com/m/b"}) {
		t.Errorf("a function that is not exported: %v, %v", got, err)
	}
	_, err := Load(t.Context(), cfg)
	checkError(t, "a function that is not exported", err, problem.KindNoFuzzTests, "b is not exported: to derive a fuzz test for it, write the directive //fuzzmut:target fuzz")
}

// A type whose mark lacks a word has a mark: to put one above a function is not what its author needs to read.
func TestExpandToATypeWithAWrongMark(t *testing.T) {
	dir := unpack(t, head+"-- a/a.go --\npackage a\n\n//fuzzmut:target\ntype A struct{}\n")
	cfg := Config{Dir: dir, Derive: true, Pattern: "./a"}
	if got, err := Expand(t.Context(), cfg, []string{"./a"}); err != nil || !slices.Equal(got, []string{"example.com/m/a"}) {
		t.Fatalf("%v, %v", got, err)
	}
	_, err := Load(t.Context(), cfg)
	checkError(t, "a type without the word sequence", err, problem.KindDirective, "a.go:4: //fuzzmut:target above a type needs the word sequence")
}

func TestExpandNamesWhatWouldHaveToBeWritten(t *testing.T) {
	dir := unpack(t, head+"-- a/a.go --\npackage a\n\n//fuzzmut:target\nfunc A(int) {}\n")
	_, err := Expand(t.Context(), Config{Dir: dir}, []string{"./a"})
	checkError(t, "a package with derived fuzz tests alone", err, problem.KindNoFuzzTests, "only derived fuzz tests, and this command needs written ones")
}

// candidates that are better come later in the file.
const candidates = `package m

type T struct{}

func (T) Method(s string) {}
func hidden(s string) int { return 0 }
func Nothing() {}
func Run(f func()) {}
func Struct(t T) {}
func Number(n int) int { return n }
func Print(b []byte) {}
func Parse(s string, strict bool) error { return nil }
func Later(s string) error { return nil }
`

// gofmt has a line between the comment of a function and a directive.
func TestCandidateWithAComment(t *testing.T) {
	dir := unpack(t, "-- m.go --\npackage m\n\n// Parse reads.\nfunc Parse(s string) error { return nil }\n")
	if got, want := candidate(parseFiles([]string{filepath.Join(dir, "m.go")}), filepath.Base), "func Parse (m.go:4), after its comment and a line //"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCandidate(t *testing.T) {
	lines := strings.SplitAfter(candidates, "\n")
	for _, tt := range []struct {
		lines int
		want  string
	}{
		{8, ""},
		{9, "func Struct (m.go:9)"},
		{10, "func Number (m.go:10)"},
		{11, "func Print (m.go:11)"},
		{13, "func Parse (m.go:12)"},
	} {
		dir := unpack(t, "-- m.go --\n"+strings.Join(lines[:tt.lines], ""))
		if got := candidate(parseFiles([]string{filepath.Join(dir, "m.go")}), filepath.Base); got != tt.want {
			t.Errorf("of %d lines: %q, want %q", tt.lines, got, tt.want)
		}
	}
}

// Of several derived fuzz tests those are named that do not compile, and no others.
func TestBrokenDerivedFuzzTestsAreNamed(t *testing.T) {
	dir := unpack(t, marks)
	made := func(fuzz, body string) *sequence.Sequence {
		return &sequence.Sequence{Fuzz: fuzz, About: "sequences of " + fuzz, Line: 5, Text: []byte(
			"package m\n\nimport \"testing\"\n\nfunc " + fuzz + "(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { " + body + " }) }\n",
		)}
	}
	good, bad, worse := made("FuzzGood", "Parse(s)"), made("FuzzBad", "Parse(none); Parse(neither)"), made("FuzzWorse", "Parse(")
	load := func(list ...*sequence.Sequence) (*Result, error) {
		return Load(t.Context(), Config{Dir: dir, Pattern: ".", Targets: []Target{{Function: "example.com/m.Parse"}}, Sequences: list})
	}
	for _, c := range []struct {
		list  []*sequence.Sequence
		names []string
		why   []string
	}{
		{[]*sequence.Sequence{bad, good}, []string{"FuzzBad"}, []string{"bad_fuzz_test.go:5: undefined: none"}},
		{[]*sequence.Sequence{good, worse}, []string{"FuzzWorse"}, []string{"worse_fuzz_test.go:5: expected operand, found '}'"}},
	} {
		_, err := load(c.list...)
		var broken *BrokenDerived
		var all *problem.Error
		if !errors.As(err, &broken) || !errors.As(err, &all) || all.Kind != problem.KindBroken {
			t.Fatalf("%v: %v", c.names, err)
		}
		var names []string
		for _, d := range broken.Tests {
			names = append(names, d.Name)
		}
		if diff := cmp.Diff(c.names, names); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(c.why, broken.Why); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	r, err := load(good)
	if err != nil || len(r.Derived) != 2 || r.Derived[0].Of != "example.com/m.Parse" || r.Derived[1].Sequence != good || r.Derived[1].Of != "" {
		t.Errorf("%v, derived %+v", err, r)
	}
	var broken *BrokenDerived
	if _, err := Load(t.Context(), Config{Dir: unpack(t, marks+"-- z.go --\npackage m\n\nvar z int = \"\"\n"), Pattern: ".", Sequences: []*sequence.Sequence{good}}); err == nil || errors.As(err, &broken) {
		t.Errorf("of a package that does not compile: %v", err)
	}
}
