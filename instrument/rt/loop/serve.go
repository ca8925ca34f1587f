// Package loop runs inside the rewritten test binary. It takes over f.Fuzz and m.Run, and
// serves the coordinator: what a request asks for is done by the packages below, each of
// which knows one kind of work.
//
// The package is injected as "fuzzmutrt/loop". It imports the standard library
// and its sister packages only, and switches every mutant off before it calls
// anything that the user may have chosen to mutate.
package loop

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/cost"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/coverage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/fuzzing"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/repair"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// maxStackBytes turns runaway recursion into a death within a tenth of a second
// rather than two, and well before the machine's memory is gone.
const maxStackBytes = 64 << 20

// Hook returns what takes over f.Fuzz in a worker: the target is replaced by the
// loop, which runs inside the one real call, with a real T, and ends the process
// when the coordinator is done. In a binary that is not started as a worker it
// changes nothing.
func Hook(hooks exec.Testing) func(f *testing.F, ff any) any {
	worker, native := os.Getenv(wire.EnvWorker), os.Getenv(wire.EnvNative)
	if worker != "" {
		conn.Inherit()
	}
	return func(f *testing.F, ff any) any {
		if _, ok := exec.ArgTypes(ff); !ok {
			return ff
		}
		switch {
		case worker != "" && f.Name() == worker:
			l := &Loop{target: exec.NewTarget(ff, hooks), seeds: hooks.Seeds(f)}
			if hooks.Breeder != nil {
				l.breeder = hooks.Breeder(f)
			}
			hooks.Only(f, l.target.Zero())
			return exec.Adopt(ff, func(t *testing.T, _ []any) {
				l.target.Proto = t
				os.Exit(l.serve())
			})
		case native != "":
			return nativeTarget(ff, hooks, native)
		}
		return ff
	}
}

// Loop is a worker of a fuzz test over its life.
type Loop struct {
	target  *exec.Target
	seeds   [][]any
	breeder any // of inputs that are values; nil if there is none
	start   fuzzmutrt.Started
	conn    *conn.Conn

	// From Init on.
	x             *exec.Executor
	muts          *mutants.Mutants
	cov           *coverage.Coverage
	values        *values.Values // nil if inputs stand for none
	fuzzer        *fuzzing.Fuzzer
	noiseOfInputs bool
	noise         wire.Noise

	// Of the Run in progress.
	skip   []bool // by mutant: it is not run; nil: all are
	most   int    // bytes of an argument
	traces bool   // a mutant that is killed stays among those that are traced
}

// serve answers requests until the coordinator hangs up, and returns the
// process's exit code.
func (l *Loop) serve() int {
	l.start = fuzzmutrt.EndStart()
	debug.SetMaxStack(maxStackBytes)
	var err error
	if l.conn, err = conn.Connect(); err != nil {
		return conn.ExitCode(err)
	}
	conn.EndWithParent()
	return l.conn.Serve(l.serveOne)
}

func (l *Loop) serveOne(req *wire.Request) error {
	switch {
	case req.Init != nil:
		return l.init(req.Init)
	case l.x == nil:
		return errors.New("request before Init")
	case req.Run != nil:
		return l.runItems(req.Run)
	case req.Fuzz != nil:
		return l.fuzzer.Serve(req.Fuzz)
	case req.Trim != nil:
		t := reduce.Trimmer{Conn: l.conn, Target: l.target, Exec: l.x, Muts: l.muts, Values: l.values}
		return t.Serve(req.Trim, l.fuzzer.Suspect())
	case req.Replay != nil:
		return l.replay(req.Replay)
	case req.Grow != nil:
		g := cost.Grower{Conn: l.conn, Target: l.target, Exec: l.x, MaxLen: l.most}
		return g.Serve(req.Grow)
	case req.Repair != nil:
		s := repair.Server{Conn: l.conn, Target: l.target, Exec: l.x, Muts: l.muts, Cov: l.cov}
		return s.Serve(req.Repair)
	}
	return errors.New("request that fuzz tests do not serve")
}

func (l *Loop) init(init *wire.Init) error {
	exec.LimitHeap(init.MemLimit)
	l.target.Renew = init.RenewContext
	x, err := exec.New(l.target, l.conn.Shared, init)
	if err != nil {
		return fmt.Errorf("the test binary was replaced after it was built: %w", err)
	}
	l.x, l.muts = x, mutants.New(x, init)
	x.TendHeap(init.MemLimit)
	l.cov = coverage.New(fuzzmutrt.Packages)
	l.cov.Trace(init.Traced)
	known := l.breeds(init.Inputs)
	l.most, l.noiseOfInputs, l.noise = l.maxLen(init.MaxLen), init.NoiseOfInputs, init.Noise
	l.fuzzer = fuzzing.New(fuzzing.Config{
		Conn: l.conn, Target: l.target, Exec: x, Muts: l.muts, Cov: l.cov, Values: l.values,
		Funcs: init.Funcs, MaxLen: l.most, Dict: init.Dict, Constants: init.Constants, Record: init.Record, CostShare: init.CostShare,
	})
	hello := wire.Hello{
		Types: l.target.TypeNames(), Zero: wire.Encode(l.target.Zero()), StartFuel: l.start.Burned,
		InitReached: exec.ListBits(l.start.Reached), InitInfected: exec.ListBits(l.start.Infected),
		NoBreeder: l.breeder != nil && !known,
	}
	if l.values != nil {
		hello.Values = l.values.Type()
	}
	if init.Seeds {
		l.nameSeeds(&hello)
	}
	l.seeds = nil
	return l.conn.Reply(wire.Reply{Hello: &hello})
}

// nameSeeds names the seeds that the fuzz target takes.
func (l *Loop) nameSeeds(hello *wire.Hello) {
	for _, s := range l.seeds {
		if err := l.target.Check(s); err != nil {
			hello.SeedError = err.Error()
			continue
		}
		hello.Seeds = append(hello.Seeds, wire.Encode(s))
	}
}

// breeds reports whether inputs stand for values that something known breeds, which is
// used from here on.
func (l *Loop) breeds(strategy string) bool {
	b, known := l.breeder.(values.Breeder)
	if known = known && len(l.target.Types) == 1 && l.target.Types[0] == reflect.TypeFor[[]byte](); known {
		l.values = values.New(b, strategy)
	}
	return known
}

// defaultMaxLen bounds each argument of an input, in bytes.
const defaultMaxLen = 1 << 20

// maxLen bounds the arguments so that all of them fit into the mapping.
func (l *Loop) maxLen(want int) int {
	if want == 0 {
		want = defaultMaxLen
	}
	return min(want, wire.InputMost/len(l.target.Types)-16)
}
