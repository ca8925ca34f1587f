// Package fuzz has go test -fuzz look for the faults of the workloads, with inputs that
// package fuzzmut derives.
package fuzz

import (
	"os"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/contest"
	"github.com/fuzzmut/fuzzmut/testdata/properties/planted"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

func FuzzProperty(f *testing.F) {
	if os.Getenv("CONTEST_OUT") == "" {
		f.Skip("it is run by fuzzmut-bench properties")
	}
	r, err := contest.Begin()
	if err == nil {
		err = r.Enter(derived{f})
	}
	if err != nil {
		f.Fatal(err)
	}
}

type derived struct{ f *testing.F }

func fuzz[I any](d derived, check func(*I) hunt.Outcome) {
	fuzzmut.Fuzz(d.f, func(t *testing.T, in I) {
		o := check(&in)
		fuzzmut.Assume(t, o != hunt.Discarded)
	})
}

func (d derived) BST(check func(*bst.Case) hunt.Outcome)       { fuzz(d, check) }
func (d derived) BSTOps(check func(*bst.Program) hunt.Outcome) { fuzz(d, check) }
func (d derived) RBT(check func(*rbt.Case) hunt.Outcome)       { fuzz(d, check) }
func (d derived) RBTOps(check func(*[]rbt.Op) hunt.Outcome)    { fuzz(d, check) }
func (d derived) STLC(check func(*stlc.Expr) hunt.Outcome)     { fuzz(d, check) }

func (d derived) BTree(check func(*[]planted.BTreeOp) hunt.Outcome) { fuzz(d, check) }
func (d derived) Deque(check func(*[]planted.DequeOp) hunt.Outcome) { fuzz(d, check) }
func (d derived) Cache(check func(*[]planted.CacheOp) hunt.Outcome) { fuzz(d, check) }
func (d derived) Match(check func(*planted.Pattern) hunt.Outcome)   { fuzz(d, check) }
func (d derived) JSON(check func(*planted.JSON) hunt.Outcome)       { fuzz(d, check) }
func (d derived) Stack(check func(*stack.Pair) hunt.Outcome)        { fuzz(d, check) }
func (d derived) Register(check func(*register.Case) hunt.Outcome)  { fuzz(d, check) }
