package unittest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// A test whose parallel subtests fail with a mutant is ended as soon as one has failed, but not while it
// has goroutines that are no test's: they would end the process.
func TestParallelSubtestsAreCutShort(t *testing.T) {
	for _, c := range []struct {
		name, beside string
		cut, goesOn  bool
	}{
		{"subtests alone", "", true, false},
		{"another goroutine", "stop := make(chan bool); defer close(stop); go func() { <-stop }()", false, true},
		{"one that runs the mutant", "sum := make(chan int); go func() { sum <- Sum(i, 2) }(); <-sum", false, false},
	} {
		b := build(t, unpack(t, `
-- p.go --
package p

func Sum(a, b int) int {
	for range b {
		a++
	}
	return a
}
-- p_test.go --
package p

import (
	"fmt"
	"os"
	"testing"
)

func TestAll(t *testing.T) {
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			`+c.beside+`
			for j := range 2 {
				if Sum(i, j) != i+j {
					t.Error("wrong")
					Sum(1, 2)
					os.WriteFile(os.Getenv("WENT_ON"), nil, 0o666)
				}
			}
		})
	}
}
`), "increments")
		mark := filepath.Join(t.TempDir(), "went.on")
		b.Env = append(os.Environ(), "WENT_ON="+mark)
		res := b.run(t)
		for _, v := range res.Verdicts {
			if v.Status != StatusKilled || v.Kind != oracle.Assertion {
				t.Errorf("%s: %s", c.name, v.show())
			}
		}
		if _, err := os.Stat(mark); len(res.Verdicts) == 0 || err == nil && c.cut || err != nil && c.goesOn {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
