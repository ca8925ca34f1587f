package goldentest

import (
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// What a fuzz test over sequences of calls has shown is written as statements, in a test for
// each case or in one. What ends in a mistake is not fit.
func TestSequencesAreWrittenAsStatements(t *testing.T) {
	first := loadText(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type Stack struct{ list []int }

func (s *Stack) Push(n int) { s.list = append(s.list, n) }

func (s *Stack) Sum() (n int) {
	for _, v := range s.list {
		n += v
	}
	return n
}
-- m_test.go --
package m

import "testing"

func FuzzSum(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`)
	pkg := first.Packages[0].Types
	s := sequence.New(sequence.Config{
		Package: pkg, Types: sequence.Values(pkg), Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
	})
	r, err := load.Load(t.Context(), load.Config{Dir: first.Test.Dir, Pattern: ".", AnyTests: true, Sequences: []*sequence.Sequence{s}})
	if err != nil {
		t.Fatal(err)
	}
	if why := Unfit(r, s.Fuzz); why != "" {
		t.Fatal(why)
	}
	// new(Stack), Push(1), Sum()
	ops := []byte("000" + "101" + "200")
	test := Test{Name: s.Fuzz}
	for i, seen := range []string{`["not nil", "?", "1"]`, `["not nil", "?", "crash"]`, `["not nil", "?", "panic"]`, `["not nil", "?", "4294967296"]`} {
		test.Cases = append(test.Cases, Case{
			Name: "case", Args: []any{ops, "", ""}, Comment: []string{"m.go:" + string(rune('1'+i)) + ": a change"},
			Values: []golden.Value{{Name: "m.sequenceStack #1 result 0", Text: "[]string " + seen}},
		})
	}
	fit := Fit(r, test)
	for i, want := range []Fitting{{Plain: true}, {Why: "what its calls return has no literal"}, {Plain: true, Error: true}, {Why: wideReason}} {
		if fit[i] != want {
			t.Errorf("case %d: %+v, want %+v\n%s", i, fit[i], want, s.Text)
		}
	}
	for _, apart := range []bool{false, true} {
		p := Plain{Name: "w_test.go", ExternalName: "x_test.go", Mark: "// Mark.\n", Apart: apart}
		written, err := p.Write(r, []Test{test})
		if err != nil {
			t.Fatal(err)
		}
		text := string(written.Files[filepath.Join(r.Test.Dir, "w_test.go")])
		if want := map[bool]int{false: 1, true: 2}[apart]; len(written.Tests) != want || len(written.Left) != 2 || strings.Contains(text, "a change") == apart {
			t.Errorf("apart %t: %d tests, %d left\n%s", apart, len(written.Tests), len(written.Left), text)
		}
		for _, want := range []string{
			"stack := new(Stack)\n", "stack.Push(1)\n", "if got := stack.Sum(); got != 1 {\n", `t.Errorf("stack.Sum() = %v, want 1", got)`,
			`t.Error("stack.Sum() does not panic")`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		}
		for _, want := range []string{`t.Run("Stack, Push, Sum: 1", `, `t.Run("Stack, Push, Sum: panic", `} {
			if strings.Contains(text, want) == apart {
				t.Errorf("%s: apart %t\n%s", want, apart, text)
			}
		}
		if call := written.Tests[0].Calls[0]; call != "stack := new(Stack); stack.Push(1); stack.Sum()" || written.Tests[0].Results[0] != "1" {
			t.Errorf("%s = %s", call, written.Tests[0].Results[0])
		}
	}
}

// Cases whose calls use variables of the package begin with a function that sets these, once in a file.
func TestCasesBeginWithTheState(t *testing.T) {
	first := loadText(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

var count = 3

func Add(n int) int {
	count += n
	return count
}

func Twice(n int) int { return 2 * n }
-- m_test.go --
package m

import "testing"

func beginAdd() {}

func FuzzTwice(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { beginAdd() }) }
`)
	pkg := first.Packages[0].Types
	fn := func(name string) *types.Func { return pkg.Scope().Lookup(name).(*types.Func) }
	s := sequence.New(sequence.Config{
		Package: pkg, Functions: []*types.Func{fn("Add"), fn("Twice")}, Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
		State: []sequence.Variable{{Name: "count", Type: types.Typ[types.Int], Initial: "3"}}, Unless: func(*types.Func) []string { return nil },
		Uses: func(fn *types.Func) []string { return map[string][]string{"Add": {"count"}}[fn.Name()] },
	})
	r, err := load.Load(t.Context(), load.Config{Dir: first.Test.Dir, Pattern: ".", AnyTests: true, Sequences: []*sequence.Sequence{s}})
	if err != nil {
		t.Fatal(err)
	}
	test := Test{Name: s.Fuzz}
	for i, seen := range []string{`["4"]`, `["5"]`, `["6"]`} {
		test.Cases = append(test.Cases, Case{
			Name: "case", Args: []any{[]byte([]string{"001", "002", "103"}[i]), "", ""},
			Values: []golden.Value{{Name: "m.sequenceAdd #1 result 0", Text: "[]string " + seen}},
		})
	}
	for _, apart := range []bool{false, true} {
		p := Plain{Name: "w_test.go", ExternalName: "x_test.go", Mark: "// Mark.\n", Apart: apart}
		written, err := p.Write(r, []Test{test})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(written.Files[filepath.Join(r.Test.Dir, "w_test.go")])), " ")
		for want, times := range map[string]int{
			"func beginAdd2(t *testing.T) { wasCount := count t.Cleanup(func() { count = wasCount }) count = 3 }": 1,

			"(t *testing.T) { beginAdd2(t) if got := Add(":    2,
			"(t *testing.T) { if got := Twice(3); got != 6 {": 1,
		} {
			if n := strings.Count(text, want); n != times {
				t.Errorf("apart %t: %d of %d %q in\n%s", apart, n, times, want, text)
			}
		}
	}
}

// A test is named after something that its cases call: the function or the type that gave the fuzz test its name may be
// none of that.
func TestSequencesAreNamedAfterWhatTheyCall(t *testing.T) {
	first := loadText(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

func Add(n int) int { return n + 1 }

func Half(n int) int { return n / 2 }

func Twice(n int) int { return 2 * n }

type Left struct{ n int }

func (l *Left) Get() int { return l.n }

func (l *Left) Put(n int) { l.n = n }

type Right struct{ n int }

func (r *Right) Get() int { return r.n }

func (r *Right) Put(n int) { r.n = n }
-- m_test.go --
package m

import "testing"

func FuzzHalf(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`)
	pkg := first.Packages[0].Types
	fn := func(name string) *types.Func { return pkg.Scope().Lookup(name).(*types.Func) }
	config := sequence.Config{Package: pkg, Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 }}
	config.Functions = []*types.Func{fn("Add"), fn("Half"), fn("Twice")}
	functions := sequence.New(config)
	config.Functions = []*types.Func{fn("Twice")}
	twice := sequence.New(config)
	config.Functions, config.Types = nil, sequence.Values(pkg)
	kinds := sequence.New(config)
	r, err := load.Load(t.Context(), load.Config{Dir: first.Test.Dir, Pattern: ".", AnyTests: true, Sequences: []*sequence.Sequence{functions, twice, kinds}})
	if err != nil {
		t.Fatal(err)
	}
	if functions.Fuzz != "FuzzAdd_sequence" || kinds.Fuzz != "FuzzLeft_sequence" {
		t.Fatal(functions.Fuzz, kinds.Fuzz)
	}
	const right = "100" + "501" + "400" // new(Right), Put(1), Get()
	of := func(s *sequence.Sequence, inputs ...[2]string) Test {
		test := Test{Name: s.Fuzz}
		for _, in := range inputs {
			test.Cases = append(test.Cases, Case{
				Name: "case", Args: []any{[]byte(in[0]), "", ""}, Values: []golden.Value{{Name: "m." + s.Function + " #1 result 0", Text: "[]string " + in[1]}},
			})
		}
		return test
	}
	add, half, double := [2]string{"001", `["2"]`}, [2]string{"104", `["2"]`}, [2]string{"201", `["2"]`}
	for _, c := range []struct {
		tests []Test
		apart bool
		want  string
	}{
		{[]Test{of(functions, half, double, double, add)}, false, "TestAdd_sequence"},
		{[]Test{of(functions, half, double, double)}, false, "TestTwice_sequence"},
		{[]Test{of(functions, half, double)}, false, "TestHalf_sequence"},
		{[]Test{of(functions, half, double, add)}, true, "TestHalf_sequence_1 TestTwice_sequence_2 TestAdd_sequence_3"},
		{[]Test{of(functions, double), of(twice, [2]string{"001", `["2"]`})}, false, "TestTwice_sequence TestTwice_sequence2"},
		{[]Test{of(kinds, [2]string{right, `["not nil", "?", "1"]`})}, false, "TestRight_sequence"},
		{[]Test{of(kinds, [2]string{"000" + right, `["not nil", "not nil", "?", "1"]`})}, false, "TestRight_sequence"}, // the first value is left out
		{[]Test{of(kinds, [2]string{right, `["not nil", "?", "1"]`}, [2]string{"000200", `["not nil", "0"]`})}, false, "TestLeft_sequence"},
	} {
		p := Plain{Name: "w_test.go", ExternalName: "x_test.go", Mark: "// Mark.\n", Apart: c.apart}
		written, err := p.Write(r, c.tests)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(written.Names(), " "); got != c.want {
			t.Errorf("%s, want %s\n%s", got, c.want, written.Files[filepath.Join(r.Test.Dir, "w_test.go")])
		}
		for _, name := range written.Names() {
			if text := string(written.Files[filepath.Join(r.Test.Dir, "w_test.go")]); strings.Count(text, "func "+name+"(") != 1 {
				t.Errorf("no %s in\n%s", name, text)
			}
		}
	}
}
