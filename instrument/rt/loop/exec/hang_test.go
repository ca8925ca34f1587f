package exec_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// endless is a target, rewritten by hand, with loops in several functions. Its methods
// are kept apart on the stack. Each loop and each method begins with its own counter.
type endless struct {
	counters [18]uint8
	slow     [10]bool
}

//go:noinline
func (p *endless) enter(_ *testing.T, s string) {
	exec.Burn(p.counters[:], 0)
	switch s {
	case "turn":
		p.turn(0)
	case "second":
		p.turn(1)
	case "inner":
		p.inner(1 << 60)
	case "recurse":
		p.recurse(60)
	case "deep tree":
		p.list(600)
		p.recurse(300)
	case "deeper", "deeper, each call dearer", "deeper, at once":
		p.deeper(s, 0)
	case "literal":
		p.call(func() {
			for {
				exec.Burn(p.counters[:], 1)
				p.inner(3)
			}
		})
	case "parse":
		p.parse(0)
	case "jumps":
		p.jumps()
	case "waits", "waits too":
		for {
			exec.Burn(p.counters[:], 14)
			p.inner(3)
			p.advance(s)
		}
	case "here":
		for {
			exec.Burn(p.counters[:], 2)
			p.inner(3)
			p.turn(2)
		}
	}
	p.inner(200)
}

//go:noinline
func (p *endless) turn(which int) {
	exec.Burn(p.counters[:], 3)
	for which == 0 {
		exec.Burn(p.counters[:], 4)
		p.inner(50)
	}
	for range 9 {
		exec.Burn(p.counters[:], 5)
	}
	for which == 1 {
		exec.Burn(p.counters[:], 6)
		for range 3 {
			exec.Burn(p.counters[:], 7)
			p.inner(7)
		}
	}
}

//go:noinline
func (p *endless) inner(turns int) {
	exec.Burn(p.counters[:], 8)
	for range turns {
		exec.Burn(p.counters[:], 9)
	}
}

//go:noinline
func (p *endless) recurse(depth int) {
	exec.Burn(p.counters[:], 10)
	p.inner(20)
	if depth > 0 {
		p.recurse(depth - 1)
		p.recurse(depth - 1)
	}
}

// deeper calls itself again and again, further than a stack can be.
//
//go:noinline
func (p *endless) deeper(s string, depth int) {
	exec.Burn(p.counters[:], 17)
	switch s {
	case "deeper":
		p.inner(5)
	case "deeper, each call dearer":
		p.inner(depth / 8)
	}
	if depth < 1<<40 {
		p.deeper(s, depth+1)
	}
}

//go:noinline
func (p *endless) call(f func()) { f() }

// parse calls itself in a loop that does not end.
//
//go:noinline
func (p *endless) parse(depth int) {
	exec.Burn(p.counters[:], 11)
	p.inner(5)
	for depth < 4 || depth == 4 {
		exec.Burn(p.counters[:], 12)
		p.parse(depth + 1)
	}
}

//go:noinline
func (p *endless) jumps() {
	exec.Burn(p.counters[:], 13)
again:
	p.inner(11)
	goto again
}

// advance makes no progress, in two ways.
//
//go:noinline
func (p *endless) advance(s string) {
	exec.Burn(p.counters[:], 15)
	if s == "waits" {
		p.list(3)
		return
	}
	p.inner(9)
	p.list(4)
}

//go:noinline
func (p *endless) list(depth int) {
	exec.Burn(p.counters[:], 16)
	if depth > 0 {
		p.list(depth - 1)
	}
}

// described finds the methods and loops in this file that begin with a counter.
func described(t *testing.T) *wire.Init {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	init := &wire.Init{CounterFunc: make([]int32, len(endless{}.counters)), UserPackages: []string{reflect.TypeFor[endless]().PkgPath()}}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv == nil || len(fd.Body.List) == 0 {
			continue
		}
		init.Places = append(init.Places, wire.Place{File: file, Line: line(fd.Pos()), EndLine: line(fd.End())})
		counters := func(n ast.Node, body *ast.BlockStmt) {
			if call, ok := body.List[0].(*ast.ExprStmt); ok {
				if c, ok := call.X.(*ast.CallExpr); ok && len(c.Args) == 2 {
					if lit, ok := c.Args[1].(*ast.BasicLit); ok {
						number, _ := strconv.Atoi(lit.Value)
						init.Loops = append(init.Loops, wire.Loop{Counter: uint32(number), Line: line(n.Pos()), Body: line(call.Pos()), EndLine: line(n.End())})
					}
				}
			}
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				counters(n, n.Body)
			case *ast.RangeStmt:
				counters(n, n.Body)
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Burn" {
					c, _ := strconv.Atoi(n.Args[1].(*ast.BasicLit).Value)
					init.CounterFunc[c] = int32(len(init.Places) - 1)
				}
			}
			return true
		})
	}
	slices.SortFunc(init.Loops, func(a, b wire.Loop) int { return int(a.Counter) - int(b.Counter) })
	return init
}

// Where the fuel runs out does not matter, nor what the loop calls when it does.
func TestHangsAreTracedToTheirLoops(t *testing.T) {
	init := described(t)
	for _, c := range []struct {
		input, function string
		counter         uint32 // of the loop, or of a function that does not end
	}{
		{"turn", "turn", 4},
		{"second", "turn", 6},
		{"inner", "inner", 9},
		{"recurse", "recurse", 10},
		{"literal", "enter", 1},
		{"parse", "parse", 12},
		{"jumps", "jumps", 13},
		{"here", "enter", 2},
	} {
		t.Run(c.input, func(t *testing.T) {
			p := &endless{}
			w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
			keys := make(map[string]int64)
			for fuel := int64(8000); fuel < 40_000; fuel += 501 {
				w.Cov.Clear()
				ex := w.Exec.Detailed([]any{c.input}, fuel)
				o := w.Exec.Outcome(ex)
				if ex.Burned != fuel+1 || o.Kind != wire.Fuel || !o.Loop {
					t.Fatalf("with %d units: %d burned, %+v", fuel, ex.Burned, o)
				}
				if p.counters[0] == 0 {
					t.Error("what was hit before the window is lost")
				}
				keys[failure.Key(o)] = fuel
			}
			want := init.Places[init.CounterFunc[c.counter]].Line
			if i := slices.IndexFunc(init.Loops, func(l wire.Loop) bool { return l.Counter == c.counter }); i >= 0 {
				want = init.Loops[i].Line
			}
			if len(keys) != 1 {
				t.Errorf("%d identities, want one: %v", len(keys), keys)
			}
			for key := range keys {
				if end := fmt.Sprintf(":%d", want); !strings.Contains(key, "."+c.function+" ") || !strings.HasSuffix(key, end) {
					t.Errorf("identity %q, want %s%s", key, c.function, end)
				}
			}
		})
	}
}

// Calls that go ever deeper overflow the stack in the end, if the clock or the fuel does not strike
// before. How deep they are says nothing by itself: what tries much may be deep, too.
func TestCallsThatGoEverDeeperAreSeen(t *testing.T) {
	init := described(t)
	for input, want := range map[string]bool{
		"turn": false, "inner": false, "recurse": false, "deep tree": false, "parse": false, "waits": false,
		"deeper": true, "deeper, each call dearer": true, "deeper, at once": true,
	} {
		p := &endless{}
		w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
		for fuel := int64(20_000); fuel < 40_000; fuel += 1501 {
			ex := w.Exec.Detailed([]any{input}, fuel)
			if o := w.Exec.Outcome(ex); o.Kind != wire.Fuel || o.Deeper != want {
				t.Errorf("%s, %d units: %+v, want deeper %v", input, fuel, o, want)
				break
			}
		}
	}
}

// A loop that waits for progress is known by what it calls last, unless that calls little.
func TestWhatLoopsCallLast(t *testing.T) {
	init := described(t)
	ends := make(map[string]string)
	for _, input := range []string{"waits", "waits too", "here", "turn", "recurse", "inner"} {
		p := &endless{}
		w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
		for fuel := int64(20_000); fuel < 40_000; fuel += 1501 {
			ex := w.Exec.Detailed([]any{input}, fuel)
			ex.Stack = slices.Clone(ex.Stack)
			got := strings.Join(w.Exec.EndsOf([]any{input}, ex, fuel), " or ")
			if have, ok := ends[input]; ok && have != got {
				t.Fatalf("%s: turns end in %q or %q", input, have, got)
			}
			ends[input] = got
		}
	}
	for input, got := range ends {
		waits := strings.HasPrefix(input, "waits")
		if calls := strings.Split(got, "\n"); waits && (len(calls) != 2 || !strings.Contains(calls[0], ".enter ") || !strings.Contains(calls[1], ".advance ")) || !waits && got != "" {
			t.Errorf("%s: turns end in %q", input, got)
		}
	}
	if ends["waits"] == ends["waits too"] {
		t.Errorf("what makes no progress in two ways ends in %q", ends["waits"])
	}
}

// What ends is no hang, and burns what it burns, whether it gets into the window or not.
func TestWindowTakesNoFuel(t *testing.T) {
	p := &endless{}
	init := described(t)
	w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
	for _, fuel := range []int64{202, 210, 260, 300, 10_000} {
		w.Cov.Clear()
		if ex := w.Exec.Original([]any{""}, fuel); ex.Kind != wire.Pass || ex.Burned != 202 {
			t.Errorf("with %d units: %+v", fuel, ex)
		}
		if p.counters[9] != 200 {
			t.Errorf("with %d units the counter is at %d, want 200", fuel, p.counters[9])
		}
	}
}
