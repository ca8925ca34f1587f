package effects_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
)

const declared = `
type T struct { n int; next *T; arr [3]int; inner; *outer }
type inner struct { in int }
type outer struct { out int }
func (t T) value() int { return t.n }
func (t *T) pointer() int { return 1 }
type key interface{}
var ( m map[string]int; km map[key]int; any1, any2 any; ch chan int; sl []int; str string; top int; topFn func() int )
func call() int
func generic[A any](a A) A
func sink(...any)
`

// operand returns the effects of a file in which an expression is an argument, and the
// expression.
func operand(t *testing.T, e string) (*effects.Effects, ast.Expr) {
	t.Helper()
	s := checked.Text(t, `func f(n, d int, u uint, p, q *T, v T, arr [3]int, ap *[3]int, c, b bool, fn func() int) { sink(`+e+`) }`+declared)
	return effects.New(s.Info, s.Src), checked.First[*ast.CallExpr](s, "sink(").Args[0]
}

func TestKindsOfEffects(t *testing.T) {
	for _, c := range []struct {
		e                              string
		pure, effectless, calls, dropp bool // dropp: droppable with no other operand
	}{
		{`n`, true, true, false, true},
		{`3`, true, true, false, true},
		{`n + d*2`, true, true, false, true},
		{`call()`, false, false, true, false},
		{`n + call()`, false, false, true, false},
		{`fn()`, false, false, true, false},
		{`v.value()`, false, false, true, false},
		{`<-ch`, false, false, true, false},
		{`len(sl)`, true, true, false, true},
		{`cap(ch)`, true, true, false, true},
		{`min(n, d)`, true, true, false, true},
		{`new(int)`, true, false, false, true}, // another pointer each time
		{`append(sl, 1)`, false, false, true, false},
		{`make([]int, n)`, false, false, true, false},
		{`uint8(n)`, true, true, false, true},
		{`string(str[0:1])`, false, true, false, false},
		{`sl[0]`, false, true, false, false}, // may panic
		{`arr[1]`, false, true, false, false},
		{`m["a"]`, true, true, false, true},
		{`km[1]`, true, true, false, false}, // the key may be one that can't be hashed
		{`generic[int]`, true, true, false, true},
		{`generic[int](1)`, false, false, true, false},
		{`sl[1:]`, false, true, false, false},
		{`any1.(int)`, false, true, false, false},
		{`n / d`, false, true, false, false},
		{`n % 3`, true, true, false, true},
		{`n << u`, true, true, false, true},
		{`n << d`, true, true, false, false},                      // a negative count panics
		{`func() int { return call() }`, true, false, true, true}, // that calls looks into it is coarse
		{`[]int{1, 2}`, true, false, false, true},
		{`map[key]int{any1: 1}`, true, false, false, false},
		{`map[string]int{str: 1}`, true, false, false, true},
		{`any1 == any2`, true, true, false, false},
		{`any1 == nil`, true, true, false, true},
		{`v == v`, true, true, false, true},
		{`v.in`, true, true, false, true},
		{`v.out`, true, true, false, false}, // through an embedded pointer
		{`p.n`, true, true, false, false},
		{`p.next.n`, true, true, false, false},
		{`*p`, true, true, false, false},
		{`&v`, true, true, false, true},
		{`v.value`, true, true, false, true}, // a method value copies its receiver
		{`p.value`, true, true, false, false},
		{`T.value`, true, true, false, true},
		{`c && b`, true, true, false, true},
		{`c && p.n > 0`, true, true, false, false},
		{`!c`, true, true, false, true},
		{`[3]int(sl)`, true, true, false, false}, // panics if the slice is too short
		{`(*[3]int)(sl)`, true, true, false, false},
		{`[]byte(str)`, true, true, false, true},
	} {
		fx, e := operand(t, c.e)
		for _, p := range []struct {
			name      string
			got, want bool
		}{
			{"pure", fx.Pure(e), c.pure},
			{"effectless", fx.Effectless(e), c.effectless},
			{"calls", fx.Calls(e), c.calls},
			{"droppable", fx.Droppable(e), c.dropp},
		} {
			if p.got != p.want {
				t.Errorf("%s: %s %t", c.e, p.name, p.got)
			}
		}
	}
}

// Another expression may panic in the same place: then it does not matter that an
// operand is left out.
func TestDroppableBeside(t *testing.T) {
	for _, c := range []struct {
		dropped, kept string
		want          bool
	}{
		{`p.n`, `p.next`, true},
		{`p.n`, `q.n`, false},
		{`p.n`, `(*p).next == nil`, true},
		{`p.n`, `c && p.n > 0`, false}, // perhaps not evaluated
		{`p.n`, `p.n > 0 && c`, true},
		{`p.n`, `call() + p.n`, false}, // the call may set p
		{`p.next.n`, `p.next`, false},
		{`p.next.n`, `p.next.arr`, true},
		{`p.n + q.n`, `p.n`, false},
		{`sl[0]`, `sl[0]`, false}, // an index is never left out
		{`n`, `call()`, true},
	} {
		s := checked.Text(t, `func f(n int, p, q *T, c bool) { sink(`+c.dropped+`, `+c.kept+`) }`+declared)
		fx := effects.New(s.Info, s.Src)
		args := checked.First[*ast.CallExpr](s, "sink(").Args
		if got := fx.Droppable(args[0], args[1], nil); got != c.want {
			t.Errorf("%s beside %s: %t", c.dropped, c.kept, got)
		}
		if got := fx.DroppableAll(args[:1], args[1]); got != c.want {
			t.Errorf("all of %s beside %s: %t", c.dropped, c.kept, got)
		}
	}
}

// Two variables of one name are not one.
func TestKeyTellsObjectsApart(t *testing.T) {
	s := checked.Text(t, `func f(p *T) { sink(p.n); { p := &T{}; sink(p.n) }; sink(p.n) }`+declared)
	fx := effects.New(s.Info, s.Src)
	var keys []string
	ast.Inspect(s.Func("f").Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			keys = append(keys, fx.Key(sel))
		}
		return true
	})
	if len(keys) != 3 || keys[0] == keys[1] || keys[0] != keys[2] {
		t.Errorf("%q", keys)
	}
}

func TestPanicsAlike(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{`n`, `d`, true},
		{`n`, `sl[0]`, true}, // only one of them panics
		{`p.n`, `q.n`, true}, // both in the same way
		{`p.n`, `sl[0]`, false},
		{`sl[0]`, `sl[1]`, false},
	} {
		s := checked.Text(t, `func f(n, d int, p, q *T) { sink(`+c.x+`, `+c.y+`) }`+declared)
		args := checked.First[*ast.CallExpr](s, "sink(").Args
		fx := effects.New(s.Info, s.Src)
		if fx.PanicsAlike(args[0], args[1]) != c.want || fx.PanicsAlike(args[1], args[0]) != c.want {
			t.Errorf("%s and %s: %t", c.x, c.y, !c.want)
		}
	}
}

func TestReplayable(t *testing.T) {
	for e, want := range map[string]bool{
		`n + 1`: true, "n +\n\t\t1": false, `n /* one */`: true, `call()`: false, `sl[n]`: true, `"//"`: false,
	} {
		fx, e2 := operand(t, e)
		if got := fx.Replayable(e2); got != want {
			t.Errorf("%q: %t", e, got)
		}
	}
}

func TestLists(t *testing.T) {
	s := checked.Text(t, `func f(n int, p *T) { sink(n, p.n, call()) }`+declared)
	fx := effects.New(s.Info, s.Src)
	args := checked.First[*ast.CallExpr](s, "sink(").Args
	if !fx.EffectlessAll(nil) || !fx.AllPure(nil) || !fx.DroppableAll(nil) {
		t.Error("nothing has effects")
	}
	if !fx.EffectlessAll(args[:2]) || fx.EffectlessAll(args) || !fx.AllPure(args[:2]) || fx.AllPure(args) {
		t.Error("the call at the end")
	}
	if fx.DroppableAll(args[:2]) || !fx.DroppableAll(args[:1]) {
		t.Error("p may be nil")
	}
}

func TestBlank(t *testing.T) {
	for stmt, want := range map[string]bool{
		`_ = n`: true, `_, _ = n, 3`: true, `(_) = n`: true, `_ = call()`: false, `_, n = 1, 2`: false, `_ = sl[0]`: false,
	} {
		s := checked.Text(t, `func f(n int) { `+stmt+` }`+declared)
		if got := effects.New(s.Info, s.Src).Blank(checked.First[*ast.AssignStmt](s, "")); got != want {
			t.Errorf("%s: %t", stmt, got)
		}
	}
}
