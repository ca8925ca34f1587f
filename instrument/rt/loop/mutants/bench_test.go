package mutants_test

import (
	"fmt"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// BenchmarkStart is what a new process has to be told: the corpus so far, and the
// mutants that are dead, three in four.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{100, 2000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			init := wire.Init{Funcs: n / 4}
			fuzzmutrt.Packages = []*fuzzmutrt.Package{{Slow: make([]bool, init.Funcs)}}
			for m := range n {
				init.MutantFunc = append(init.MutantFunc, int32(m/4))
				if m*3%4 != 0 || m > n/4 {
					init.Dead = append(init.Dead, uint32(m+1))
				}
			}
			x, err := exec.New(exec.NewTarget(func(*testing.T, []byte) {}, looptest.Hooks()), wire.NewShared(make([]byte, wire.SharedSize)), &init)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				mutants.New(x, &init)
			}
		})
	}
}
