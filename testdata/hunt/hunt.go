// Package hunt looks for the faults of a subject with the strategies of package search,
// and prints a line of JSON for each run.
package hunt

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
	"github.com/fuzzmut/fuzzmut/testdata/hunt/trace"
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

// Outcome is that of a property.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Discarded
	Failed
)

func (o Outcome) String() string {
	return [...]string{"passed", "discarded", "failed"}[o]
}

// Subject is what has faults.
type Subject struct {
	Faults int            // numbered from 1
	Codec  *derive.Codec  // of inputs
	Size   int            // of drawn inputs
	input  unsafe.Pointer // room for one
	zero   func()         // empties it
	tests  func(fault int) func() Outcome
	// byHand has, for each generator written by hand, a function that returns one which
	// draws an input and tests it.
	byHand map[string]func(fault int, r *rand.Rand) func() Outcome
}

// New describes a subject with inputs of type I. For a fault, check returns a function
// that tests inputs with it; 0 is none.
func New[I any](reg *derive.Registry, faults, size int, check func(fault int) func(*I) Outcome) (*Subject, error) {
	codec, err := reg.Of(reflect.TypeFor[I]())
	if err != nil {
		return nil, err
	}
	in := new(I)
	return &Subject{
		Faults: faults, Codec: codec, Size: size,
		input: unsafe.Pointer(in),
		zero: func() {
			var zero I
			*in = zero
		},
		tests: func(fault int) func() Outcome {
			test := check(fault)
			return func() Outcome { return test(in) }
		},
		byHand: make(map[string]func(int, *rand.Rand) func() Outcome),
	}, nil
}

// Values lists the values of a type.
func Values[T any](reg *derive.Registry, all []T) error {
	var list []reflect.Value
	for _, v := range all {
		list = append(list, reflect.ValueOf(v))
	}
	return reg.Values(reflect.TypeFor[T](), list)
}

// ByHand adds a generator written by hand.
func ByHand[I any](s *Subject, name string, check func(fault int) func(*I) Outcome, draw func(*rand.Rand) I) {
	s.byHand[name] = func(fault int, r *rand.Rand) func() Outcome {
		test := check(fault)
		return func() Outcome {
			in := draw(r)
			trace.Clear()
			return test(&in)
		}
	}
}

// Main is the main function of a program that makes runs on the subject of a name.
func Main(subject func(name string) (*Subject, error)) {
	name := flag.String("machine", "", "what has the faults")
	strategy := flag.String("strategy", "default", "one of the strategies of package search, or a generator written by hand")
	fault := flag.Int("fault", 0, "the fault; 0 for all, one after the other, -1 for none")
	reps := flag.Int("reps", 10, "runs of each")
	limit := flag.Int("tests", 10_000_000, "tests of a run")
	seed := flag.Uint64("seed", 1, "of the first run")
	seconds := flag.Float64("time", 3600, "seconds of processor time of a run")
	flag.Parse()
	debug.SetGCPercent(800) // most of what a test makes is garbage after it
	s, err := subject(*name)
	if err == nil {
		err = s.run(Result{Machine: *name, Strategy: *strategy, Fault: *fault, Seed: *seed}, *reps, *limit, *seconds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// run makes the runs that start describes: of all faults if it names none.
func (s *Subject) run(start Result, reps, limit int, seconds float64) error {
	first, last := start.Fault, start.Fault
	switch {
	case first == 0:
		first, last = 1, s.Faults
	case first < 0:
		first, last = 0, 0
	}
	out := json.NewEncoder(os.Stdout)
	for fault := first; fault <= last; fault++ {
		for rep := range reps {
			r := start
			r.Fault, r.Seed = fault, start.Seed+uint64(rep)
			if err := s.search(&r, limit, seconds); err != nil {
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
func (s *Subject) search(r *Result, limit int, seconds float64) error {
	start := processorTime()
	test, err := s.tester(r)
	if err != nil {
		return err
	}
	for r.Tests < limit && !r.Found {
		r.Tests++
		switch test() {
		case Passed:
			r.Passed++
		case Failed:
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
func (s *Subject) tester(r *Result) (func() Outcome, error) {
	if byHand := s.byHand[r.Strategy]; byHand != nil {
		return byHand(r.Fault, rand.New(rand.NewPCG(r.Seed, uint64(r.Fault)))), nil
	}
	strategy, err := search.New(r.Strategy, s.Codec.Type(), search.Options{Seed: r.Seed<<8 + uint64(r.Fault), Size: s.Size})
	if err != nil {
		return nil, err
	}
	if r.Strategy != "derived" && r.Strategy != "blind" && trace.Used == 0 {
		return nil, fmt.Errorf("strategy %s needs a trace: run it with fuzzmut-bench", r.Strategy)
	}
	check := s.tests(r.Fault)
	return func() Outcome {
		x := strategy.Next()
		s.zero()
		s.Codec.Set(s.input, x)
		trace.Clear()
		o := check()
		strategy.Learn(search.Feedback{Discarded: o == Discarded, Counts: trace.Counts[:trace.Used], Path: trace.Path})
		return o
	}, nil
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
