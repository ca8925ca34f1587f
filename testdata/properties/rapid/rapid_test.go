// Package rapid has pgregory.net/rapid look for the faults of the workloads, with its
// derived generators: by itself, and below go test -fuzz.
package rapid

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/contest"
	"github.com/fuzzmut/fuzzmut/testdata/properties/planted"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

// enter has a contestant make the run that the environment tells of.
func enter(tb testing.TB, c contest.Contestant) {
	begun(tb, func(r *contest.Run) error { return r.Enter(c) })
}

func enterMachine(tb testing.TB, m contest.Machinist) {
	begun(tb, func(r *contest.Run) error { return r.EnterMachine(m) })
}

func begun(tb testing.TB, enter func(*contest.Run) error) {
	if os.Getenv("CONTEST_OUT") == "" {
		tb.Skip("it is run by fuzzmut-bench")
	}
	r, err := contest.Begin()
	if err == nil {
		if _, ok := tb.(*testing.T); ok { // processes of a fuzz test follow each other
			tb.Cleanup(r.End)
		}
		err = enter(r)
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

func (c contestant) BTree(check func(*[]planted.BTreeOp) hunt.Outcome) { made(c, check) }
func (c contestant) Deque(check func(*[]planted.DequeOp) hunt.Outcome) { made(c, check) }
func (c contestant) Cache(check func(*[]planted.CacheOp) hunt.Outcome) { made(c, check) }
func (c contestant) Match(check func(*planted.Pattern) hunt.Outcome)   { made(c, check) }
func (c contestant) JSON(check func(*planted.JSON) hunt.Outcome)       { made(c, check) }
func (c contestant) Stack(check func(*stack.Pair) hunt.Outcome)        { made(c, check) }
func (c contestant) Register(check func(*register.Case) hunt.Outcome)  { made(c, check) }
