package exec_test

import (
	"fmt"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What a target defers comes through once its fuel is out. Each call of a recursion recovers the
// panic of the one below, as parsers do that turn panics into errors. If each of these deferred
// calls panicked, too, none would, and the time would grow with the square of the depth.
func TestDeferredCallsComeThroughWithoutFuel(t *testing.T) {
	const depth = 10_000
	recovered, turns := 0, 0
	var parse func(depth int) error
	parse = func(depth int) (err error) {
		defer func() {
			fuzzmutrt.Burn() // a rewritten function literal
			if r := recover(); r != nil {
				recovered++
				err = fmt.Errorf("recovered %v", r)
			}
		}()
		for fuzzmutrt.Burn(); depth == 0; turns++ {
			fuzzmutrt.Burn()
		}
		return parse(depth - 1)
	}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, func(*testing.T, []byte) { _ = parse(depth) }, make([]uint8, 1), make([]bool, 1))
	const fuel = 100_000
	ex := w.Exec.Original([]any{[]byte("a")}, fuel)
	if ex.Kind != wire.Fuel {
		t.Errorf("the execution has ended with %v", ex.Kind)
	}
	// Each deferred call burns a unit, and each panic of ours is followed by some.
	if want := depth / exec.SpareFuel; recovered < want/2 || recovered > 2*want {
		t.Errorf("%d panics were recovered; want about %d", recovered, want)
	}
	if turns > fuel || ex.Burned <= fuel {
		t.Errorf("%d turns, %d units burned of %d", turns, ex.Burned, fuel)
	}
}
