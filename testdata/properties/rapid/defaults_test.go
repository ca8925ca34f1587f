package rapid

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/planted"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

// TestGen runs fuzzmut.Gen as rapid is run: with what a user has who sets nothing.
func TestGen(t *testing.T) { enter(t, checker{t}) }

// TestOwnMachine does the same with fuzzmut.Machine.
func TestOwnMachine(t *testing.T) { enterMachine(t, ownMachinist{t}) }

type checker struct{ t *testing.T }

func checked[I any](c checker, check func(*I) hunt.Outcome) {
	fuzzmut.Gen[I]{}.Check(c.t, func(t testing.TB, in I) {
		o := check(&in)
		fuzzmut.Assume(t, o != hunt.Discarded)
		if o == hunt.Failed {
			t.Errorf("failed")
		}
	})
}

func (c checker) BST(check func(*bst.Case) hunt.Outcome)            { checked(c, check) }
func (c checker) BSTOps(check func(*bst.Program) hunt.Outcome)      { checked(c, check) }
func (c checker) RBT(check func(*rbt.Case) hunt.Outcome)            { checked(c, check) }
func (c checker) RBTOps(check func(*[]rbt.Op) hunt.Outcome)         { checked(c, check) }
func (c checker) STLC(check func(*stlc.Expr) hunt.Outcome)          { checked(c, check) }
func (c checker) BTree(check func(*[]planted.BTreeOp) hunt.Outcome) { checked(c, check) }
func (c checker) Deque(check func(*[]planted.DequeOp) hunt.Outcome) { checked(c, check) }
func (c checker) Cache(check func(*[]planted.CacheOp) hunt.Outcome) { checked(c, check) }
func (c checker) Match(check func(*planted.Pattern) hunt.Outcome)   { checked(c, check) }
func (c checker) JSON(check func(*planted.JSON) hunt.Outcome)       { checked(c, check) }
func (c checker) Stack(check func(*stack.Pair) hunt.Outcome)        { checked(c, check) }
func (c checker) Register(check func(*register.Case) hunt.Outcome)  { checked(c, check) }

func init() {
	fuzzmut.Values(stack.Ops()...)
	fuzzmut.Values(register.Ops()...)
	fuzzmut.Values(register.Bins()...)
	fuzzmut.Values(register.Labels()...)
	fuzzmut.Implementations[register.Value](register.Int(0), register.Ptr{}, register.Lab(0))
}

type ownMachinist struct{ t *testing.T }

// state is a system and what is called after each operation.
type state[S any] struct {
	s    S
	step func(hunt.Outcome) bool
}

func begin[S any](start func() S, step func(hunt.Outcome) bool) func() *state[S] {
	return func() *state[S] { return &state[S]{start(), step} }
}

func (m ownMachinist) BTreeMachine(start func() *planted.BTree, step func(hunt.Outcome) bool) {
	fuzzmut.Machine[*state[*planted.BTree]]{New: begin(start, step), Ops: []any{insertKey, deleteKey, deleteMin}}.Check(m.t)
}

func insertKey(s *state[*planted.BTree], key int) { s.step(s.s.Insert(key)) }
func deleteKey(s *state[*planted.BTree], key int) { s.step(s.s.Delete(key)) }
func deleteMin(s *state[*planted.BTree])          { s.step(s.s.DeleteMin()) }

func (m ownMachinist) DequeMachine(start func() *planted.Deque, step func(hunt.Outcome) bool) {
	fuzzmut.Machine[*state[*planted.Deque]]{New: begin(start, step), Ops: []any{pushFront, pushBack, popFront, popBack, rotate}}.Check(m.t)
}

func pushFront(s *state[*planted.Deque], n int) { s.step(s.s.PushFront(n)) }
func pushBack(s *state[*planted.Deque], n int)  { s.step(s.s.PushBack(n)) }
func popFront(s *state[*planted.Deque])         { s.step(s.s.PopFront()) }
func popBack(s *state[*planted.Deque])          { s.step(s.s.PopBack()) }
func rotate(s *state[*planted.Deque], n int)    { s.step(s.s.Rotate(n)) }

func (m ownMachinist) CacheMachine(start func() *planted.Cache, step func(hunt.Outcome) bool) {
	fuzzmut.Machine[*state[*planted.Cache]]{New: begin(start, step), Ops: []any{put, get, remove, resize}}.Check(m.t)
}

func put(s *state[*planted.Cache], key, value int) { s.step(s.s.Put(key, value)) }
func get(s *state[*planted.Cache], key int)        { s.step(s.s.Get(key)) }
func remove(s *state[*planted.Cache], key int)     { s.step(s.s.Remove(key)) }
func resize(s *state[*planted.Cache], n uint8)     { s.step(s.s.Resize(n)) }

func (m ownMachinist) RBTMachine(start func() *rbt.Machine, step func(hunt.Outcome) bool) {
	fuzzmut.Machine[*state[*rbt.Machine]]{New: begin(start, step), Ops: []any{insertPair, deletePair}}.Check(m.t)
}

func insertPair(s *state[*rbt.Machine], key, value int) { s.step(s.s.Insert(key, value)) }
func deletePair(s *state[*rbt.Machine], key int)        { s.step(s.s.Delete(key)) }
