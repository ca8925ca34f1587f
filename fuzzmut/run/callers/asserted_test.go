package callers

import (
	"go/types"
	"slices"
	"testing"
)

// What a function asks for in an interface without methods is given to it, whether tests do so or not.
func TestAsserted(t *testing.T) {
	r := loadModule(t, `
-- go.mod --
module example.com/m

go 1.22
-- m.go --
package m

import "fmt"

type Level int

type Point struct{ X int }

func (p *Point) Scan(v any) error {
	s, ok := (v).(string)
	if !ok {
		return fmt.Errorf("%T", v)
	}
	p.X = len(s)
	return nil
}

func Size(v any) int {
	switch v := v.(type) {
	case nil:
		return 0
	case string, []byte:
		return 1
	case Level:
		return int(v)
	case *Point:
		return v.X
	case []string:
		return len(v)
	case map[string]int:
		return len(v)
	case error:
		return 2
	case float32, float64, uint8:
		return 3
	case bool:
		return 4
	case func():
		return 5
	}
	return -1
}

// Deep asks for what those ask for that it hands its argument to, each once.
func Deep(n int, v any) int {
	if n > 0 {
		return Deep(n-1, v)
	}
	return inner(v)
}

func inner(x any) int {
	switch x.(type) {
	case int64:
		return 1
	}
	return 0
}

// Other asks for what is in another variable.
func Other(v any) int {
	var w any = 1
	n, _ := w.(int)
	_ = v
	return n
}

func List(v ...any) int {
	n, _ := v[0].(int)
	return n
}
-- m_test.go --
package m_test

import (
	"errors"
	"testing"

	"example.com/m"
)

func Test(t *testing.T) {
	_ = m.Size(errors.New("a"))
	_ = m.Size([]float64{1})
}
`)
	l := newGraph(r).literals()
	scope := r.Packages[0].Types.Scope()
	scan, _, _ := types.LookupFieldOrMethod(types.NewPointer(scope.Lookup("Point").Type()), true, r.Packages[0].Types, "Scan")
	for _, c := range []struct {
		fn   types.Object
		at   int
		want []string
	}{
		{scan, 0, []string{"textOfTheInput"}},
		{scope.Lookup("Size"), 0, []string{
			`errors.New("a")`, "[]float64{1}", "errors.New(textOfTheInput)", // of the tests
			"nil", "textOfTheInput", "[]byte(textOfTheInput)", "Level(0)", "Level(-1)", "Level(100)", "new(Point)", "(*Point)(nil)",
			"[]string{}", "[]string{textOfTheInput}", "map[string]int{}",
			"float32(0)", "float32(2.5)", "float32(-1)", "float64(0)", "2.5", "float64(-1)", "uint8(0)", "uint8(1)", "uint8(100)", "true", "false",
		}},
		{scope.Lookup("Deep"), 1, []string{"int64(0)", "int64(-1)", "int64(100)"}},
		{scope.Lookup("Deep"), 0, nil},
		{scope.Lookup("Other"), 0, nil},
		{scope.Lookup("List"), 0, nil},
	} {
		fn := c.fn.(*types.Func)
		got := l.passed(fn, c.at, fn.Signature().Params().At(c.at).Type())
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %d: %q, want %q", fn.Name(), c.at, got, c.want)
		}
	}
}
