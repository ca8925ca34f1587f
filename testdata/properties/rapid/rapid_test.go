// Package rapid has pgregory.net/rapid look for the faults of the workloads, with its
// derived generators: by itself, and below go test -fuzz.
package rapid

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/contest"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

// enter has a contestant make the run that the environment tells of.
func enter(tb testing.TB, c contest.Contestant) {
	if os.Getenv("CONTEST_OUT") == "" {
		tb.Skip("it is run by fuzzmut-bench properties")
	}
	r, err := contest.Begin()
	if err == nil {
		err = r.Enter(c)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// TestProperty runs until the process is ended.
func TestProperty(t *testing.T) {
	enter(t, contestant{func(property func(*rapid.T)) { rapid.Check(t, property) }})
}

func FuzzProperty(f *testing.F) {
	enter(f, contestant{func(property func(*rapid.T)) { f.Fuzz(rapid.MakeFuzz(property)) }})
}

type contestant struct{ run func(property func(*rapid.T)) }

func made[I any](c contestant, check func(*I) hunt.Outcome) {
	gen := rapid.Make[I]()
	if os.Getenv("CONTEST_STRATEGY") == "rapid-bounded" {
		gen = rapid.MakeCustom[I](bounded)
	}
	c.run(func(t *rapid.T) {
		in := gen.Draw(t, "in")
		if check(&in) == hunt.Discarded {
			t.SkipNow()
		}
	})
}

func (c contestant) BST(check func(*bst.Case) hunt.Outcome)       { made(c, check) }
func (c contestant) BSTOps(check func(*bst.Program) hunt.Outcome) { made(c, check) }
func (c contestant) RBT(check func(*rbt.Case) hunt.Outcome)       { made(c, check) }
func (c contestant) RBTOps(check func(*[]rbt.Op) hunt.Outcome)    { made(c, check) }
func (c contestant) STLC(check func(*stlc.Expr) hunt.Outcome)     { made(c, check) }
