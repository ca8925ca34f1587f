// Command run looks for the faults of a machine with a strategy, and prints a line of
// JSON for each run.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"syscall"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/trace"
)

// Result is what became of a run.
type Result struct {
	Machine  string  `json:"machine"`
	Strategy string  `json:"strategy"`
	Fault    int     `json:"fault"`
	Seed     uint64  `json:"seed"`
	Found    bool    `json:"found"`
	Tests    int     `json:"tests"`   // the last of which fails, if it was found
	Passed   int     `json:"passed"`  // neither failed nor discarded
	Seconds  float64 `json:"seconds"` // of processor time
}

// outcome is that of a property.
type outcome int

const (
	passed outcome = iota
	discarded
	failed
)

// machine is one of the machines, as the runs see it.
type machine struct {
	faults int
	codec  *derive.Codec
	// tests returns a function that tests pairs of states with a fault. What comes in
	// at the pointer is what the codec makes.
	tests func(fault int) func(pair unsafe.Pointer) outcome
	zero  func(pair unsafe.Pointer)
	pair  unsafe.Pointer // room for a pair
	// byHand has, for each generator written by hand, a function that returns one which
	// draws a pair and tests it.
	byHand map[string]func(fault int, r *rand.Rand) func() outcome
}

func main() {
	name := flag.String("machine", "stack", "stack or register")
	strategy := flag.String("strategy", "default", "one of the strategies of package search, by-hand, or blind-by-hand")
	fault := flag.Int("fault", 0, "the fault; 0 for all, one after the other, -1 for none")
	reps := flag.Int("reps", 10, "runs of each")
	limit := flag.Int("tests", 10_000_000, "tests of a run")
	seed := flag.Uint64("seed", 1, "of the first run")
	seconds := flag.Float64("time", 3600, "seconds of processor time of a run")
	flag.Parse()
	debug.SetGCPercent(800) // most of what a test makes is garbage after it
	if err := run(*name, *strategy, *fault, *reps, *limit, *seed, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

func run(name, strategy string, fault, reps, limit int, seed uint64, seconds float64) error {
	m, err := machineOf(name)
	if err != nil {
		return err
	}
	first, last := fault, fault
	switch {
	case fault == 0:
		first, last = 1, m.faults
	case fault < 0:
		first, last = 0, 0
	}
	out := json.NewEncoder(os.Stdout)
	for f := first; f <= last; f++ {
		for rep := range reps {
			r := Result{Machine: name, Strategy: strategy, Fault: f, Seed: seed + uint64(rep)}
			if err := m.search(&r, limit, seconds); err != nil {
				return err
			}
			if err := out.Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// search runs tests until one fails.
func (m *machine) search(r *Result, limit int, seconds float64) error {
	start := processorTime()
	test, err := m.tester(r)
	if err != nil {
		return err
	}
	for r.Tests < limit && !r.Found {
		r.Tests++
		switch test() {
		case passed:
			r.Passed++
		case failed:
			r.Found = true
		}
		if r.Tests%1024 == 0 && processorTime()-start > seconds {
			break
		}
	}
	r.Seconds = processorTime() - start
	return nil
}

// tester returns a function that makes one test.
func (m *machine) tester(r *Result) (func() outcome, error) {
	if byHand := m.byHand[r.Strategy]; byHand != nil {
		return byHand(r.Fault, rand.New(rand.NewPCG(r.Seed, uint64(r.Fault)))), nil
	}
	s, err := search.New(r.Strategy, m.codec.Type(), search.Options{Seed: r.Seed<<8 + uint64(r.Fault), Size: 3})
	if err != nil {
		return nil, err
	}
	if r.Strategy != "derived" && r.Strategy != "blind" && trace.Used == 0 {
		return nil, fmt.Errorf("strategy %s needs a trace: run it with fuzzmut-bench ifc", r.Strategy)
	}
	check := m.tests(r.Fault)
	return func() outcome {
		x := s.Next()
		m.zero(m.pair)
		m.codec.Set(m.pair, x)
		trace.Clear()
		o := check(m.pair)
		s.Learn(search.Feedback{Discarded: o == discarded, Counts: trace.Counts[:trace.Used], Path: trace.Path})
		return o
	}, nil
}

// newMachine describes a machine whose pairs are of type P.
func newMachine[P any](reg *derive.Registry, faults int, check func(fault int) func(*P) outcome, byHand map[string]func(*rand.Rand) P) (*machine, error) {
	codec, err := reg.Of(reflect.TypeFor[P]())
	if err != nil {
		return nil, err
	}
	m := &machine{
		faults: faults, codec: codec, pair: unsafe.Pointer(new(P)),
		byHand: make(map[string]func(int, *rand.Rand) func() outcome),
		tests: func(fault int) func(unsafe.Pointer) outcome {
			test := check(fault)
			return func(p unsafe.Pointer) outcome { return test((*P)(p)) }
		},
		zero: func(p unsafe.Pointer) {
			var zero P
			*(*P)(p) = zero
		},
	}
	for name, draw := range byHand {
		m.byHand[name] = func(fault int, r *rand.Rand) func() outcome {
			test := check(fault)
			return func() outcome {
				p := draw(r)
				trace.Clear()
				return test(&p)
			}
		}
	}
	return m, nil
}

// processorTime returns the seconds that this process has used so far, of all its
// threads: other processes do not change what a run takes.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no reason to
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
