package load

import (
	"go/types"
	"testing"
)

func TestMethodsThatChangeTheirReceiver(t *testing.T) {
	const src = head + `
-- m.go --
package m

import (
	"bytes"
	"os"
	"regexp"
	"sync"
)

type T struct {
	n     int
	list  []int
	set   map[int]bool
	buf   bytes.Buffer
	mu    sync.Mutex
	child *T
}

type List []int

func (t *T) YesField(n int)   { t.n = n }
func (t *T) YesCount()        { t.n++ }
func (t *T) YesElement()      { t.list[0] = 1 }
func (t *T) YesMap()          { delete(t.set, 1) }
func (t *T) YesOther()        { t.YesField(2) }
func (t *T) YesChild()        { t.child.YesCount() }
func (t *T) YesAlias()        { c := t.child; for c.child != nil { c = c.child }; c.n = 1 }
func (t *T) YesBuffer()       { t.buf.WriteByte(1) }
func (t *T) YesFunction()     { set(&t.n) }
func (t *T) YesNode()         { grow(t.child) }
func (l List) YesSwap(i int)  { l[i], l[0] = l[0], l[i] }
func (t *T) NoLen() int       { t.mu.Lock(); defer t.mu.Unlock(); return len(t.list) }
func (t *T) NoSum() (s int)   { for _, n := range t.list { s += n }; return s }
func (t *T) NoCopy() int      { n := t.n; n++; return n }
func (t T) NoValue()          { t.n = 1 }
func (t *T) NoLoop() int      { return t.NoLen() + t.NoLoop() }
func (t *T) YesTouches()      { t.n, _ = os.Getpid(), os.Remove("x") }

func PanicsItself(n int) T   { if n < 0 { panic("negative") }; return T{} }
func PanicsBelow(s string) T  { return (&T{}).less(func() T { return PanicsItself(len(s)) }) }
func PanicsMust(s string) T   { regexp.MustCompile(s); return T{} }
func Returns() T              { return T{} }

func (t *T) less(f func() T) T { return f() }

func set(n *int) { *n = 1 }
func grow(t *T)  {}
`
	r, err := Load(t.Context(), Config{Dir: unpack(t, src), Pattern: ".", TestOnly: true, AnyTests: true})
	if err != nil {
		t.Fatal(err)
	}
	known := allBodies(r)
	for _, name := range []string{"PanicsItself", "PanicsBelow", "PanicsMust", "Returns"} {
		if got, want := known.refuses(r.Packages[0].Types.Scope().Lookup(name).(*types.Func)), name != "Returns"; got != want {
			t.Errorf("%s panics: %t", name, got)
		}
	}
	for _, name := range []string{"T", "List"} {
		typ := types.NewPointer(r.Packages[0].Types.Scope().Lookup(name).Type())
		for sel := range types.NewMethodSet(typ).Methods() {
			fn := sel.Obj().(*types.Func)
			if got, want := known.changes(fn), fn.Name()[:3] == "Yes"; got != want {
				t.Errorf("%s changes its receiver: %t", fn.Name(), got)
			}
			if got, want := known.touches(fn), fn.Name() == "YesTouches"; got != want {
				t.Errorf("%s reaches outside: %t", fn.Name(), got)
			}
		}
	}
}
