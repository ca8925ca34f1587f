package goldentest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const boxes = `
-- go.mod --
module example.com/box

go 1.26
-- kind/kind.go --
package kind

type Kind int

const (
	Round Kind = iota
	Flat
)
-- p.go --
package box

import (
	"errors"

	"example.com/box/kind"
)

type Box struct {
	N    int
	Next *Box
	kind kind.Kind
}

func (b *Box) Kind() kind.Kind { return b.kind }

func New(n int) *Box { return &Box{N: n} }

func Fill(b *Box, n int) error {
	if n < 0 {
		return errors.New("negative")
	}
	b.Next = &Box{N: n, kind: kind.Flat}
	return nil
}

func Clear(b *Box) { b.N = 0 }

func Sum(b *Box, n int) int { return b.N + n }

func Turn(kind kind.Kind) kind.Kind { return 1 - kind }
-- p_test.go --
package box

import (
	"testing"

	kind2 "example.com/box/kind"
)

func FuzzFill(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int, m int) {
		b := New(n)
		Fill(b, m)
	})
}

func FuzzClear(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		b := New(n)
		Clear(b)
	})
}

func FuzzSum(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		b := New(n)
		Sum(b, n)
	})
}

func FuzzTurn(f *testing.F) {
	f.Fuzz(func(t *testing.T, kind int) { Turn(kind2.Kind(kind)) })
}
`

// boxCase is a case with values by name.
func boxCase(args []any, values ...string) Case {
	c := Case{Name: "c", Args: args, Values: []golden.Value{{Name: "box.New #1 result 0", Text: "*box.Box &{}"}}}
	for i := 0; i < len(values); i += 2 {
		c.Values = append(c.Values, golden.Value{Name: "box." + values[i], Text: values[i+1]})
	}
	return c
}

// What a call changes of its arguments is compared if it returns nothing but an error.
func TestArgumentsThatACallChanges(t *testing.T) {
	r := loadText(t, boxes)
	for _, name := range []string{"FuzzFill", "FuzzClear", "FuzzSum"} {
		if why := Unfit(r, name); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{
		{Name: "FuzzFill", Cases: []Case{
			boxCase([]any{1, 2}, "Fill #1 result 0", "nil", "Fill #1 argument b", "*box.Box &{\n\tN: 1\n\tNext: &{\n\t\tN: 2\n\t\tKind(): 1\n\t}\n\tKind(): 0\n}"),
		}},
		{Name: "FuzzClear", Cases: []Case{boxCase([]any{4}, "Clear #1 argument b", "*box.Box &{N: 0, Kind(): kind.Kind 0}")}},
		{Name: "FuzzSum", Cases: []Case{boxCase([]any{4}, "Sum #1 result 0", "int 8")}},
	})
	if err != nil || len(got.Left) > 0 || len(got.Tests) != 3 {
		t.Fatalf("%v, left %+v", err, got.Left)
	}
	if shown := got.Tests[0].Results[0]; !strings.HasPrefix(shown, "nil, b then {") {
		t.Errorf("shown: %s", shown)
	}
	if shown := got.Tests[1].Results[0]; !strings.HasPrefix(shown, "b then {") {
		t.Errorf("shown: %s", shown)
	}
	seesEach(t, r, got, [][2]string{{"b.N = 0", ""}, {"N: n, kind", "N: n + 1, kind"}, {"return nil", `return errors.New("x")`}})
}

// A package that a fuzz test imports by another name has its own in a test, where literals name it, too.
func TestAPackageIsImportedOnce(t *testing.T) {
	r := loadText(t, boxes)
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, []Test{{Name: "FuzzTurn", Cases: []Case{boxCase([]any{1}, "Turn #1 result 0", "kind.Kind 0")}}})
	if err != nil || len(got.Left) > 0 {
		t.Fatalf("%v, left %+v", err, got.Left)
	}
	text := string(got.Files[filepath.Join(r.Test.Dir, "plain_test.go")])
	if strings.Contains(text, "kind2") || strings.Count(text, "example.com/box/kind") != 1 {
		t.Errorf("imports:\n%s", text)
	}
	seesEach(t, r, got, [][2]string{{"1 - kind", "2 - kind"}})
}
