// Package contest has others than package search look for the faults of the workloads:
// it counts the tests of a run, and ends it.
package contest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/planted"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

// A Contestant tests properties of values in its own way.
type Contestant interface {
	BST(check func(*bst.Case) hunt.Outcome)
	BSTOps(check func(*bst.Program) hunt.Outcome)
	RBT(check func(*rbt.Case) hunt.Outcome)
	RBTOps(check func(*[]rbt.Op) hunt.Outcome)
	STLC(check func(*stlc.Expr) hunt.Outcome)
	BTree(check func(*[]planted.BTreeOp) hunt.Outcome)
	Deque(check func(*[]planted.DequeOp) hunt.Outcome)
	Cache(check func(*[]planted.CacheOp) hunt.Outcome)
	Match(check func(*planted.Pattern) hunt.Outcome)
	JSON(check func(*planted.JSON) hunt.Outcome)
	Stack(check func(*stack.Pair) hunt.Outcome)
	Register(check func(*register.Case) hunt.Outcome)
}

// A Machinist tests sequences of operations, each of which has an outcome. For those of
// a system that is made anew, New is called first.
type Machinist interface {
	BTreeMachine(start func() *planted.BTree, step func(hunt.Outcome) bool)
	DequeMachine(start func() *planted.Deque, step func(hunt.Outcome) bool)
	CacheMachine(start func() *planted.Cache, step func(hunt.Outcome) bool)
	RBTMachine(start func() *rbt.Machine, step func(hunt.Outcome) bool)
}

// Run is one run. What it is about the environment says, and what became of it goes to a
// file: a fuzzing engine has processes of its own, of which the next goes on where the
// last has ended.
type Run struct {
	result hunt.Result
	before float64 // seconds of processes that have ended
	ended  bool
	out    string
	limit  int
	time   float64 // seconds
}

// Begin reads the environment.
func Begin() (*Run, error) {
	r := &Run{out: os.Getenv("CONTEST_OUT")}
	r.result.Machine, r.result.Strategy = os.Getenv("CONTEST_WORKLOAD"), os.Getenv("CONTEST_STRATEGY")
	for name, to := range map[string]*int{"CONTEST_FAULT": &r.result.Fault, "CONTEST_TESTS": &r.limit} {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		*to = n
	}
	limit, err := time.ParseDuration(os.Getenv("CONTEST_TIME"))
	if err != nil {
		return nil, fmt.Errorf("CONTEST_TIME: %w", err)
	}
	r.time = limit.Seconds()
	text, err := os.ReadFile(r.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(text, &r.result); err != nil {
		return nil, fmt.Errorf("%s: %w", r.out, err)
	}
	r.before, r.ended = r.result.Seconds, r.over()
	return r, nil
}

// over says whether the fault was found, all tests were made, or the time is used up.
func (r *Run) over() bool {
	return r.result.Found || r.result.Tests >= r.limit || r.result.Seconds > r.time
}

// Enter has a contestant test the property of the workload.
func (r *Run) Enter(c Contestant) error {
	fault := r.result.Fault
	switch r.result.Machine {
	case "bst":
		c.BST(counted(r, bst.Trees{Fault: fault}.Check))
	case "bst-ops":
		c.BSTOps(counted(r, bst.Trees{Fault: fault}.Run))
	case "rbt":
		c.RBT(counted(r, rbt.Trees{Fault: fault}.Check))
	case "rbt-ops":
		c.RBTOps(counted(r, rbt.Trees{Fault: fault}.Run))
	case "stlc":
		c.STLC(counted(r, stlc.Calculus{Fault: fault}.Check))
	case "btree":
		c.BTree(counted(r, planted.BTrees(fault)))
	case "deque":
		c.Deque(counted(r, planted.Deques(fault)))
	case "cache":
		c.Cache(counted(r, planted.Caches(fault)))
	case "match":
		c.Match(counted(r, planted.Matches(fault)))
	case "json":
		c.JSON(counted(r, planted.Encodings(fault)))
	case "stack":
		t := stack.New(fault)
		c.Stack(counted(r, func(p *stack.Pair) hunt.Outcome { return hunt.Outcome(t.Check(p)) }))
	case "register":
		t := register.New(fault)
		c.Register(counted(r, func(p *register.Case) hunt.Outcome { return hunt.Outcome(t.Check(p)) }))
	default:
		return fmt.Errorf("there is no workload %q", r.result.Machine)
	}
	return nil
}

// EnterMachine has a machinist test sequences on the workload.
func (r *Run) EnterMachine(m Machinist) error {
	fault := r.result.Fault
	switch r.result.Machine {
	case "btree":
		m.BTreeMachine(started(r, func() *planted.BTree { return planted.NewBTree(fault) }), r.stepped)
	case "deque":
		m.DequeMachine(started(r, func() *planted.Deque { return planted.NewDeque(fault) }), r.stepped)
	case "cache":
		m.CacheMachine(started(r, func() *planted.Cache { return planted.NewCache(fault) }), r.stepped)
	case "rbt-ops":
		m.RBTMachine(started(r, func() *rbt.Machine { return rbt.NewMachine(fault) }), r.stepped)
	default:
		return fmt.Errorf("there is no state machine for workload %q", r.result.Machine)
	}
	return nil
}

// started counts sequences.
func started[S any](r *Run, start func() S) func() S {
	return func() S {
		r.test(hunt.Passed)
		return start()
	}
}

// stepped ends the run after the first failure, and says whether a step may go on.
func (r *Run) stepped(o hunt.Outcome) bool {
	if o == hunt.Failed {
		r.result.Found = true
		r.end()
	}
	return o == hunt.Passed
}

// End notes what has become of a run that its contestant has ended.
func (r *Run) End() { r.note() }

// counted counts the tests of a property. The first failure, and the bound, end the run,
// and with it the process.
func counted[I any](r *Run, check func(*I) hunt.Outcome) func(*I) hunt.Outcome {
	return func(in *I) hunt.Outcome {
		if r.ended {
			return hunt.Discarded
		}
		o := check(in)
		r.test(o)
		return o
	}
}

// test counts a test.
func (r *Run) test(o hunt.Outcome) {
	r.result.Tests++
	switch o {
	case hunt.Passed:
		r.result.Passed++
	case hunt.Failed:
		r.result.Found = true
	}
	if r.over() {
		r.end()
	} else if n := r.result.Tests; n%1000 == 0 || n&(n-1) == 0 {
		r.note() // the next test sees whether there is time left
	}
}

// note writes how far the run has come: it may be killed.
func (r *Run) note() {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err == nil {
		r.result.Seconds = r.before + float64(u.Utime.Nano()+u.Stime.Nano())/1e9
		var text []byte
		if text, err = json.Marshal(r.result); err == nil {
			if err = os.WriteFile(r.out+".new", text, 0o666); err == nil {
				err = os.Rename(r.out+".new", r.out)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "contest:", err)
		os.Exit(2)
	}
}

func (r *Run) end() {
	r.note()
	os.Exit(0)
}
