package goldentest

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
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
	files, left, err := Plain(r, []Test{
		{Name: "FuzzOf", Cases: []Case{
			ofCase("fuzzmut-7-a-ab6979d07687c497", "int 21", "nil", 7, "a"),
			ofCase("fuzzmut-neg-bb6979d07687c497", "int 0", `error "negative"`, -1, "\n"),
			ofCase("fuzzmut-odd-cb6979d07687c497", "int 0", `*price.Err &{Code: 1}`, -1, "\n"),
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
		{"FuzzOf", `-1, "\n"`, "result 1, of type error, has no literal"},
		{"FuzzSame", "1", "what differs is in no result that a test compares without fuzzmut"},
		{"FuzzTwice", "2", "the fuzz target does not begin with one call of a function, whose results are compared"},
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if names := slices.Sorted(maps.Keys(files)); len(names) != 2 || filepath.Base(names[0]) != PlainName || filepath.Base(names[1]) != PlainExternalName {
		t.Fatalf("%q", names)
	}
	text := string(files[filepath.Join(r.Test.Dir, PlainName)])
	for _, want := range []string{plainMark, "func TestOf2(", `{"7-a", 7, "a", 21, "<nil>"}`, `{"neg", -1, "\n", 0, "negative"}`, `{"1", 1, &Price{Cents: 1}}`, "!reflect.DeepEqual(got, test.want)", `{"2", 2, "2"}`} {
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
