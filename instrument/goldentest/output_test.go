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

const jars = `
-- go.mod --
module example.com/box

go 1.26
-- p.go --
package box

import (
	"fmt"
	"io"
	"sync"
)

type Jar struct {
	N    int
	next *Jar
}

func New(n int) *Jar { return &Jar{N: n} }

func Make(n int) Jar { return Jar{N: n} }

func (j *Jar) Depth() int {
	if j == nil {
		return 0
	}
	return 1 + j.next.Depth()
}

func (j *Jar) Put(n int) error {
	j.next = &Jar{N: n + 1}
	return nil
}

func (j *Jar) Clear() { j.N = 0 }

func (j *Jar) Take() int {
	j.N--
	return 7
}

func (j *Jar) Print(w io.Writer, n int) (int, error) { return fmt.Fprint(w, j.N+n) }

func Swap(a, b *Jar) { a.N, b.N = b.N, a.N }

type List []int

func MakeList(n int) List { return List{n} }

func (l *List) Add(n int) { *l = append(*l, n+3) }

type Safe struct {
	mu sync.Mutex
	N  int
}

func MakeSafe(n int) (s Safe) {
	s.N = n
	return
}

func (s *Safe) Lock(n int) {
	s.mu.Lock()
	s.N += n
	s.mu.Unlock()
}
-- p_test.go --
package box

import (
	"bytes"
	"testing"
)

func FuzzPut(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m int) {
		jar := New(n)
		jar.Put(m)
	})
}

func FuzzClear(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		jar := Make(n)
		jar.Clear()
	})
}

func FuzzTake(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		jar := Jar{N: n}
		jar.Take()
	})
}

func FuzzPrint(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m int) {
		jar := New(n)
		var w bytes.Buffer
		jar.Print(&w, m)
	})
}

func FuzzSwap(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m int) {
		a := Make(n)
		b := New(m)
		Swap(&a, b)
	})
}

func FuzzAdd(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m int) {
		list := MakeList(n)
		list.Add(m)
	})
}

func FuzzLock(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m int) {
		safe := MakeSafe(n)
		safe.Lock(m)
	})
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

// What a method changes of its receiver is compared, and what a call changes of a variable whose
// address it is given, a buffer that it writes to among these.
func TestReceiversAndAddresses(t *testing.T) {
	r := loadText(t, jars)
	var tests []Test
	want := []string{"nil, jar then {N: 1, Depth(): 2}", "jar then {N: 0, Depth(): 1}", "7, jar then {N: 4, Depth(): 1}", `2, nil, w then "42"`, "a then {N: 2, Depth(): 1}, b then {N: 1, Depth(): 1}", "list then List{1, 5}", "safe then {N: 5}"}
	for _, c := range []struct {
		fuzz string
		Case Case
	}{
		{"FuzzPut", boxCase([]any{1, 2}, "Jar.Put #1 result 0", "nil", "Jar.Put #1 receiver jar", "*box.Jar &{N: 1, Depth(): 2}")},
		{"FuzzClear", boxCase([]any{4}, "Jar.Clear #1 receiver jar", "*box.Jar &{N: 0, Depth(): 1}")},
		{"FuzzTake", boxCase([]any{5}, "Jar.Take #1 result 0", "int 7", "Jar.Take #1 receiver jar", "*box.Jar &{N: 4, Depth(): 1}")},
		{"FuzzPrint", boxCase([]any{40, 2}, "Jar.Print #1 result 0", "int 2", "Jar.Print #1 result 1", "nil", "Jar.Print #1 argument w", "*bytes.Buffer &{\n\tString(): \"42\"\n}")},
		{"FuzzSwap", boxCase([]any{1, 2}, "Swap #1 argument a", "*box.Jar &{N: 2, Depth(): 1}", "Swap #1 argument b", "*box.Jar &{N: 1, Depth(): 1}")},
		{"FuzzAdd", boxCase([]any{1, 2}, "List.Add #1 receiver list", "*box.List &[1, 5]")},
		{"FuzzLock", boxCase([]any{2, 3}, "Safe.Lock #1 receiver safe", "*box.Safe &{N: 5}")},
	} {
		if why := Unfit(r, c.fuzz); why != "" {
			t.Errorf("%s: %s", c.fuzz, why)
		}
		tests = append(tests, Test{Name: c.fuzz, Cases: []Case{c.Case}})
	}
	got, err := (&Plain{Name: "plain_test.go"}).Write(r, tests)
	if err != nil || len(got.Left) > 0 || len(got.Tests) != len(tests) {
		t.Fatalf("%v, left %+v", err, got.Left)
	}
	for i, w := range got.Tests {
		if w.Results[0] != want[i] {
			t.Errorf("%s shows %s, want %s", w.Fuzz, w.Results[0], want[i])
		}
	}
	seesEach(t, r, got, [][2]string{
		{"j.next = &Jar{N: n + 1}", ""}, {"j.N = 0", ""}, {"j.N--", ""}, {"j.N+n", "j.N-n"}, {"= b.N, a.N", "= b.N, b.N"}, {"= b.N, a.N", "= a.N, a.N"}, {"n+3", "n"}, {"s.N += n", ""},
	})
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
